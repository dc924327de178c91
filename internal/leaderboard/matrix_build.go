package leaderboard

import (
	"context"
	"fmt"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/store"
)

// known is what boards have read of the database and what never changes there:
// measurements by their ids, finished evaluations by theirs. A new board reads
// only what is new.
type known struct {
	values map[uint64][]float64
	fared  map[uint64]*fared
	tasks  map[uint64][]store.Task // by release
	// What was computed of these.
	unleaked map[unleakedKey]*Result
	lifts    map[liftKey]map[scoreKey]Estimate

	histories *histories // of the localization track
}

func newKnown() *known {
	return &known{values: map[uint64][]float64{}, fared: map[uint64]*fared{}, tasks: map[uint64][]store.Task{}, histories: newHistories()}
}

// addMatrices makes the matrix of every evaluated set.
func (b *boardBuild) addMatrices(ctx context.Context) error {
	heads, err := b.store.ShownMeasurements(ctx, benchmark.DocToCode)
	if err != nil {
		return err
	}
	if err := b.readValues(ctx, heads); err != nil {
		return err
	}
	taskAt := map[uint64]int{}
	for release, set := range b.sets {
		if set.Matrix, err = b.matrix(ctx, release, set, taskAt); err != nil {
			return err
		}
	}
	if err := b.readScores(ctx, taskAt); err != nil {
		return err
	}
	bySubmission := map[uint64][]store.Measurement{}
	for _, h := range heads {
		bySubmission[h.SubmissionID] = append(bySubmission[h.SubmissionID], h)
	}
	rows := map[uint64]*MatrixRow{}
	for _, e := range b.evaluations {
		set := b.sets[e.Submission.ReleaseID]
		if set == nil {
			continue // of a hidden release
		}
		row := rows[e.SubmissionID]
		if row == nil {
			row = &MatrixRow{Row: b.rows[e.SubmissionID], judged: map[string]*judgedTasks{}}
			rows[e.SubmissionID] = row
			set.Matrix.Rows = append(set.Matrix.Rows, row)
			row.docs = b.columns(bySubmission[e.SubmissionID], 0, len(set.Matrix.Tasks))
		}
		row.judged[e.Evaluator.Name] = &judgedTasks{b.known.fared[e.ID], b.columns(bySubmission[e.SubmissionID], e.ID, len(set.Matrix.Tasks))}
	}
	return nil
}

// columns are a subject's measurements.
func (b *boardBuild) columns(heads []store.Measurement, evaluation uint64, tasks int) map[measures.Key]Column {
	columns := map[measures.Key]Column{}
	for _, h := range heads {
		if h.EvaluationID != evaluation {
			continue
		}
		c := Column{Values: b.known.values[h.ID], Reason: h.Reason, Provenance: h.Provenance}
		if c.Values != nil && len(c.Values) != tasks { // a measure must not keep anybody from pass@k
			c = Column{Reason: fmt.Sprintf("%d values are stored for %d tasks", len(c.Values), tasks)}
		}
		columns[measures.Key(h.Measure)] = c
	}
	return columns
}

// matrix is a release's without rows. It notes the place of each task.
func (b *boardBuild) matrix(ctx context.Context, release uint64, set *Set, taskAt map[uint64]int) (*Matrix, error) {
	tasks, ok := b.known.tasks[release]
	if !ok {
		var err error
		if tasks, err = b.store.Tasks(ctx, release); err != nil {
			return nil, err
		}
		b.known.tasks[release] = tasks
	}
	m := &Matrix{Tasks: make([]MatrixTask, len(tasks))}
	for i, t := range tasks {
		m.Tasks[i] = MatrixTask{Key: t.Key, Repository: b.place[t.RepositoryID], Tests: t.Tests}
		taskAt[t.ID] = i
	}
	m.byName = sortedByName(m.Tasks, set.Repositories)
	return m, nil
}

// readValues reads the values of new measurements and forgets old ones.
func (b *boardBuild) readValues(ctx context.Context, heads []store.Measurement) error {
	shown := make(map[uint64]bool, len(heads))
	var missing []uint64
	for _, h := range heads {
		shown[h.ID] = true
		if _, ok := b.known.values[h.ID]; !ok {
			missing = append(missing, h.ID)
		}
	}
	for id := range b.known.values {
		if !shown[id] {
			delete(b.known.values, id)
		}
	}
	packed, err := b.store.MeasurementValues(ctx, missing)
	if err != nil {
		return err
	}
	for id, data := range packed {
		if data == nil {
			b.known.values[id] = nil
			continue
		}
		values, err := measures.Unpack(data)
		if err != nil {
			values = []float64{} // fits no release: its column says so
		}
		b.known.values[id] = values
	}
	return nil
}

// readScores reads how the tasks of new evaluations fared and forgets old ones.
func (b *boardBuild) readScores(ctx context.Context, taskAt map[uint64]int) error {
	found := make(map[uint64]*fared, len(b.evaluations))
	var missing []uint64
	for _, e := range b.evaluations {
		set := b.sets[e.Submission.ReleaseID]
		if set == nil {
			continue
		}
		if found[e.ID] = b.known.fared[e.ID]; found[e.ID] == nil {
			found[e.ID] = newFared(len(set.Matrix.Tasks))
			missing = append(missing, e.ID)
		}
	}
	err := b.store.EachTaskScore(ctx, missing, func(evaluation, task uint64, samples, passed int) {
		if at, ok := taskAt[task]; ok {
			found[evaluation].samples[at], found[evaluation].passed[at] = int32(samples), int32(passed)
		}
	})
	if err == nil {
		b.known.fared = found
	}
	return err
}
