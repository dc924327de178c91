package evaluation

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluate"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/store"
)

// measureGlance is how often what is to be measured is looked for when nothing
// wakes the engine: another process may have finished an evaluation.
const measureGlance = time.Minute

// measuring computes the measures of every confirmed submission and of every
// finished evaluation that lacks them. It stands beside the evaluations: it
// reads what they wrote, and nothing waits for it. What a killed process was
// computing is missing in the database, and computed by the next.
func (e *Engine) measuring(ctx context.Context) error {
	if len(e.Measures) == 0 {
		return nil
	}
	done, versions := map[store.Subject]bool{}, ""
	ticker := time.NewTicker(measureGlance)
	defer ticker.Stop()
	for {
		if now := e.versions(); now != versions { // a model has been registered since
			versions = now
			clear(done)
		}
		if err := e.measureRound(ctx, done); err != nil && ctx.Err() == nil {
			e.Log.Error("computing measures", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-e.unmeasured:
		}
	}
}

// versions are those of all computers.
func (e *Engine) versions() string {
	var all strings.Builder
	for _, c := range e.Measures {
		fmt.Fprintf(&all, "%q\n", c.Version())
	}
	return all.String()
}

// wakeMeasuring makes the engine look at once for what is to be measured.
func (e *Engine) wakeMeasuring() {
	select {
	case e.unmeasured <- struct{}{}:
	default:
	}
}

// measureRound measures what is not in done, and notes it there.
func (e *Engine) measureRound(ctx context.Context, done map[store.Subject]bool) error {
	subjects, err := e.Store.Subjects(ctx, benchmark.DocToCode)
	if err != nil {
		return err
	}
	subjects = slices.DeleteFunc(subjects, func(s store.Subject) bool { return done[s] })
	finished := make([]bool, len(subjects))
	var work errgroup.Group
	// Half of the processors at most: the others judge.
	work.SetLimit(max(1, runtime.NumCPU()/2))
	for i, subject := range subjects {
		work.Go(func() error {
			if ctx.Err() != nil {
				return nil
			}
			if err := e.measure(ctx, subject); err != nil {
				return fmt.Errorf("submission %d, evaluation %d: %w", subject.SubmissionID, subject.EvaluationID, err)
			}
			finished[i] = true
			return nil
		})
	}
	err = work.Wait()
	for i, subject := range subjects {
		if finished[i] {
			done[subject] = true
		}
	}
	return err
}

// measure computes what is missing of a subject, what another version computed,
// and what could not be computed before.
func (e *Engine) measure(ctx context.Context, subject store.Subject) error {
	heads, err := e.Store.MeasurementHeads(ctx, subject.SubmissionID)
	if err != nil {
		return err
	}
	there := map[measures.Key]store.Measurement{}
	for _, h := range heads {
		if h.EvaluationID == subject.EvaluationID {
			there[measures.Key(h.Measure)] = h
		}
	}
	var rows []store.Measurement
	var able []*filling
	for _, c := range e.Measures {
		if !wanted(c, subject, there) {
			continue
		}
		f := &filling{Computer: c, columns: map[measures.Key][]float64{}}
		if err := c.Ready(ctx); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			f.reasons = []string{err.Error()}
			rows = append(rows, f.rows(subject)...)
			continue
		}
		able = append(able, f)
	}
	if len(able) > 0 {
		if err := e.fillAll(ctx, subject, able); err != nil {
			return err
		}
	}
	for _, f := range able {
		rows = append(rows, f.rows(subject)...)
	}
	if len(rows) == 0 {
		return nil
	}
	if err := e.Store.PutMeasurements(ctx, rows); err != nil {
		return err
	}
	if sub, err := e.Store.Submission(ctx, subject.SubmissionID); err == nil {
		e.announce(sub.PublicID)
	}
	return nil
}

// wanted reports whether a computer has something to do for a subject.
func wanted(c measures.Computer, subject store.Subject, there map[measures.Key]store.Measurement) bool {
	for _, key := range c.Measures() {
		if m, ok := measures.Lookup(key); !ok || m.OfReplies() != (subject.EvaluationID != 0) {
			return false
		}
		if old, ok := there[key]; !ok || old.Version != c.Version() || old.Reason != "" {
			return true
		}
	}
	return false
}

// A filling is what a computer has given for a subject so far.
type filling struct {
	measures.Computer
	columns map[measures.Key][]float64 // nothing while nothing was computed
	reasons []string                   // why values are missing, one for each repository that lacks some
}

// fillAll lets computers compute, repository by repository.
func (e *Engine) fillAll(ctx context.Context, subject store.Subject, able []*filling) error {
	sub, err := e.Store.Submission(ctx, subject.SubmissionID)
	if err != nil {
		return err
	}
	release, err := e.releases.get(ctx, sub.ReleaseID)
	if err != nil {
		return err
	}
	var bodies map[uint64][]string
	if subject.EvaluationID != 0 {
		if bodies, err = e.Store.Bodies(ctx, subject.EvaluationID); err != nil {
			return err
		}
	}
	for _, repository := range release.Dataset.Repositories {
		r, places, err := e.measured(ctx, sub, release, repository, bodies)
		if err != nil {
			return err
		}
		for _, f := range able {
			if err := f.fill(ctx, r, places, len(release.Tasks)); err != nil {
				return err
			}
		}
	}
	return nil
}

// measured is a repository of a submission's release as computers read it, and
// the places of its tasks in the release.
func (e *Engine) measured(ctx context.Context, sub store.Submission, release *Opened, repository doctocode.Repository, bodies map[uint64][]string) (measures.Repository, []int, error) {
	r := measures.Repository{Name: repository.Name}
	docs, err := e.Docs(ctx, sub)
	if err != nil {
		return r, nil, err
	}
	targets, err := evaluate.Targets(release.Dataset, repository, docs)
	if err != nil || len(targets) == 0 {
		return r, nil, err
	}
	if r.Index, err = release.Dataset.Index(repository); err != nil {
		return r, nil, err
	}
	var places []int
	for _, target := range targets {
		t, ok := release.Task(target.ID)
		if !ok {
			return r, nil, fmt.Errorf("the release has no task %s", target.ID)
		}
		item := measures.NewItem(target)
		item.Bodies = bodies[t.ID]
		r.Items, places = append(r.Items, item), append(places, t.Position)
	}
	return r, places, nil
}

// fill computes one repository. Only that the engine is stopped is an error.
func (f *filling) fill(ctx context.Context, r measures.Repository, places []int, tasks int) error {
	if len(r.Items) == 0 {
		return nil
	}
	columns, missing, err := f.compute(ctx, r)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		missing = err.Error()
	}
	if missing != "" {
		f.reasons = append(f.reasons, r.Name+": "+missing)
	}
	if err != nil {
		return nil
	}
	for i, key := range f.Measures() {
		if f.columns[key] == nil {
			f.columns[key] = make([]float64, tasks)
			for j := range f.columns[key] {
				f.columns[key][j] = measures.NotComputed
			}
		}
		for j, place := range places {
			f.columns[key][place] = columns[i][j]
		}
	}
	return nil
}

// compute keeps a computer that breaks on a text from taking the site with it.
func (f *filling) compute(ctx context.Context, r measures.Repository) (columns [][]float64, missing string, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("computing it broke off: %v", broken)
		}
	}()
	columns, missing, err = f.Compute(ctx, r)
	if err == nil && (len(columns) != len(f.Measures()) || slices.ContainsFunc(columns, func(c []float64) bool { return len(c) != len(r.Items) })) {
		err = errors.New("its computer gave too many values or too few")
	}
	return columns, missing, err
}

// reasonsShown is how many repositories a reason names.
const reasonsShown = 3

// rows are the measurements that were made.
func (f *filling) rows(subject store.Subject) []store.Measurement {
	reason := strings.Join(f.reasons[:min(len(f.reasons), reasonsShown)], "; ")
	if more := len(f.reasons) - reasonsShown; more > 0 {
		reason += fmt.Sprintf("; and %d more", more)
	}
	var rows []store.Measurement
	for _, key := range f.Measures() {
		row := store.Measurement{SubmissionID: subject.SubmissionID, EvaluationID: subject.EvaluationID, Measure: string(key), Version: f.Version(), Reason: reason}
		if values := f.columns[key]; values != nil {
			row.Values = measures.Pack(values)
		}
		rows = append(rows, row)
	}
	return rows
}
