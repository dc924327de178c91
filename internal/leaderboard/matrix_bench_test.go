package leaderboard

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/store"
)

// BenchmarkBoard is a board over 100 submissions for a release of 3,000 tasks
// in 30 repositories, with every measure of the catalogue, 5 samples and the
// control without docstrings: as it is made when the site starts, and after one
// result more.
func BenchmarkBoard(b *testing.B) {
	const submissions, tasks, repositories, samples = 100, 3000, 30, 5
	db, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "site.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	release := store.Release{Track: benchmark.DocToCode, Name: "large", Version: "1", Dir: "d", SHA256: "x", Tasks: tasks}
	var rows []store.Task
	for i := range repositories {
		release.Repositories = append(release.Repositories, store.Repository{Name: fmt.Sprintf("acme/r%02d", i), Tasks: tasks / repositories})
	}
	for i := range tasks {
		rows = append(rows, store.Task{RepositoryID: uint64(i * repositories / tasks), Key: fmt.Sprintf("acme/r%02d:a.py::f%d", i*repositories/tasks, i), Position: i, Tests: 1 + i%7, Strategy: "fresh"})
	}
	check(db.AddRelease(b.Context(), &release, rows, nil))
	all, err := db.Tasks(b.Context(), release.ID)
	check(err)
	account := store.Account{Name: "ada", Role: "submitter"}
	check(db.AddAccount(b.Context(), &account))
	judge := store.Evaluator{Track: benchmark.DocToCode, Name: "judge", Kind: store.KindModel, Samples: samples, Enabled: true}
	check(db.SyncEvaluator(b.Context(), &judge))
	for n := range submissions {
		system, err := db.SystemNamed(b.Context(), store.System{Slug: fmt.Sprint("s", n), Name: fmt.Sprint("System ", n)})
		check(err)
		sub := store.Submission{PublicID: fmt.Sprint("sub", n), Track: benchmark.DocToCode, ReleaseID: release.ID, SystemID: system.ID, AccountID: account.ID,
			Docs: store.DocsFile, State: store.Draft, Tasks: tasks, Documented: tasks}
		if n == 0 {
			sub.Docs = store.DocsNone
		}
		check(db.AddSubmission(b.Context(), &sub))
		evaluations := []store.Evaluation{{SubmissionID: sub.ID, EvaluatorID: judge.ID, State: store.Queued, Samples: samples}}
		check(db.Confirm(b.Context(), sub.ID, nil, evaluations, [][]store.Unit{nil}))
		f := store.Finish{Scores: []store.Score{{EvaluationID: evaluations[0].ID, Aggregation: store.ByRepository, K: 1, Value: 0.5, Tasks: tasks}}}
		for _, t := range all {
			f.Tasks = append(f.Tasks, store.TaskScore{EvaluationID: evaluations[0].ID, TaskID: t.ID, RepositoryID: t.RepositoryID, Samples: samples, Passed: random.IntN(samples + 1)})
		}
		check(db.FinishEvaluation(b.Context(), evaluations[0].ID, f))
		var columns []store.Measurement
		for _, m := range measures.Catalogue {
			values := make([]float64, tasks)
			for i := range values {
				if values[i] = random.Float64(); m.Key == measures.LeakFlagged || m.Key == measures.LeakSevere {
					values[i] = float64(random.IntN(20) / 19)
				}
			}
			c := store.Measurement{SubmissionID: sub.ID, Measure: string(m.Key), Values: measures.Pack(values)}
			if m.OfReplies() {
				c.EvaluationID = evaluations[0].ID
			}
			columns = append(columns, c)
		}
		check(db.PutMeasurements(b.Context(), columns))
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			_, err := build(b.Context(), db, newKnown(), 1)
			check(err)
		}
	})
	b.Run("after one more result", func(b *testing.B) {
		k := newKnown()
		_, err := build(b.Context(), db, k, 1)
		check(err)
		heads, err := db.ShownMeasurements(b.Context(), benchmark.DocToCode)
		check(err)
		for b.Loop() {
			delete(k.values, heads[0].ID)
			_, err := build(b.Context(), db, k, 1)
			check(err)
		}
	})
}
