package web

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
)

// measured is a site with a finished submission of each of several systems for a
// release of 28 repositories, with every measure of every task drawn at random; as in real ones, some values
// are missing and some are frequent. It is the page that is measured.
func measured(tb testing.TB, tasks int, systems ...string) *Site {
	tb.Helper()
	ctx := tb.Context()
	check := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	db, err := store.Open(ctx, filepath.Join(tb.TempDir(), "site.db"))
	check(err)
	tb.Cleanup(func() { db.Close() })
	release := store.Release{Track: benchmark.DocToCode, Name: "measured", Version: "1", Dir: "d", SHA256: "x", Tasks: tasks}
	for i := range benchRepositories {
		release.Repositories = append(release.Repositories, store.Repository{Name: fmt.Sprintf("owner/repository-%02d", i)})
	}
	var rows []store.Task
	for i := range tasks {
		at := i * benchRepositories / tasks
		release.Repositories[at].Tasks++
		rows = append(rows, store.Task{RepositoryID: uint64(at), Key: fmt.Sprintf("owner/repository-%02d:a.py::f%d", at, i), Position: i, Tests: 1, Strategy: "fresh"})
	}
	check(db.AddRelease(ctx, &release, rows, nil))
	known, err := db.Tasks(ctx, release.ID)
	check(err)
	account := store.Account{Name: "crowd", Role: "submitter"}
	check(db.AddAccount(ctx, &account))
	judge := store.Evaluator{Track: benchmark.DocToCode, Name: "judge", Kind: store.KindModel, Samples: benchSamples, Enabled: true}
	check(db.SyncEvaluator(ctx, &judge))
	random := rand.New(rand.NewPCG(1, 2))
	for i, name := range systems {
		system, err := db.SystemNamed(ctx, store.System{Slug: fmt.Sprint("system-", i), Name: name, Model: "model"})
		check(err)
		sub := store.Submission{PublicID: fmt.Sprint("s", i), Track: benchmark.DocToCode, ReleaseID: release.ID, SystemID: system.ID, AccountID: account.ID,
			Docs: store.DocsFile, State: store.Draft, Tasks: tasks, Documented: tasks}
		check(db.AddSubmission(ctx, &sub))
		e := []store.Evaluation{{SubmissionID: sub.ID, EvaluatorID: judge.ID, State: store.Queued, Samples: benchSamples, Total: tasks * benchSamples}}
		check(db.Confirm(ctx, sub.ID, nil, e, [][]store.Unit{nil}))
		f := store.Finish{Verdicts: map[benchmark.Verdict]int{benchmark.Passed: 1}}
		for _, task := range known {
			f.Tasks = append(f.Tasks, store.TaskScore{EvaluationID: e[0].ID, TaskID: task.ID, RepositoryID: task.RepositoryID, Samples: benchSamples, Passed: random.IntN(benchSamples + 1), Documented: true})
		}
		for k := 1; k <= benchSamples; k++ {
			f.Scores = append(f.Scores, store.Score{EvaluationID: e[0].ID, Aggregation: store.ByRepository, K: k, Value: 0.5, Repositories: benchRepositories, Tasks: tasks})
			for _, r := range release.Repositories {
				f.Repositories = append(f.Repositories, store.RepositoryScore{EvaluationID: e[0].ID, RepositoryID: r.ID, K: k, Value: 0.5, Tasks: r.Tasks})
			}
		}
		check(db.FinishEvaluation(ctx, e[0].ID, f))
		var all []store.Measurement
		for _, m := range measures.Catalogue {
			values := make([]float64, tasks)
			for j := range values {
				switch values[j] = random.Float64(); random.IntN(20) {
				case 0:
					values[j] = measures.Undefined
				case 1, 2, 3:
					values[j] = 0
				}
			}
			row := store.Measurement{SubmissionID: sub.ID, Measure: string(m.Key), Version: "1", Values: measures.Pack(values)}
			if m.OfReplies() {
				row.EvaluationID = e[0].ID
			}
			all = append(all, row)
		}
		check(db.PutMeasurements(ctx, all))
	}
	engine, err := evaluation.New(ctx, evaluation.Config{Store: db, Log: log})
	check(err)
	return New(Config{Store: db, Engine: engine, Boards: leaderboard.NewBoards(db), Log: log})
}

// BenchmarkCorrelations is the time to the last byte of pages of correlations
// over 100 submissions for 3,000 tasks with every measure: asked for the first
// time since results changed, the board being there, and asked again. The table
// that is shown by itself is computed with the board; others come after it.
func BenchmarkCorrelations(b *testing.B) {
	var systems []string
	for i := range 100 {
		systems = append(systems, fmt.Sprint("Agent ", i))
	}
	site := measured(b, 3000, systems...)
	server := httptest.NewServer(site.Handler())
	defer server.Close()
	for _, query := range []string{"", "?method=spearman", "?method=kendall", "/pair?x=words"} {
		before := "/doc-to-code"
		if query != "" {
			before = correlationsPath
		}
		b.Run("first"+query, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				site.Boards = leaderboard.NewBoards(site.Store)
				site.rendered = newRendered(site.Boards)
				get(b, server.Client(), server.URL+before)
				b.StartTimer()
				get(b, server.Client(), server.URL+correlationsPath+query)
			}
		})
		b.Run("again"+query, func(b *testing.B) {
			for b.Loop() {
				get(b, server.Client(), server.URL+correlationsPath+query)
			}
		})
	}
}
