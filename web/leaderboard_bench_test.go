package web

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/dispatch"
	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
)

const (
	benchRepositories = 28
	benchTasks        = 40 // of each repository
	benchSamples      = 3
)

// crowded is a site with a number of finished submissions on 28 repositories.
// Their scores are drawn at random: it is the page that is measured.
func crowded(tb testing.TB, submissions int) *Site {
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
	release := store.Release{Track: benchmark.DocToCode, Name: "crowd", Version: "1", Dir: "d", SHA256: "x", Tasks: benchRepositories * benchTasks}
	for i := range benchRepositories {
		release.Repositories = append(release.Repositories, store.Repository{Name: fmt.Sprintf("owner/repository-%02d", i), Tasks: benchTasks})
	}
	check(db.AddRelease(ctx, &release, nil, nil))
	account := store.Account{Name: "crowd", Role: "submitter"}
	check(db.AddAccount(ctx, &account))
	judge := store.Evaluator{Track: benchmark.DocToCode, Name: "judge", Kind: store.KindModel, Samples: benchSamples, Enabled: true}
	check(db.SyncEvaluator(ctx, &judge))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range submissions {
		system, err := db.SystemNamed(ctx, store.System{Slug: fmt.Sprint("agent-", i), Name: fmt.Sprint("Agent ", i), Model: "model"})
		check(err)
		sub := store.Submission{PublicID: fmt.Sprint("s", i), Track: benchmark.DocToCode, ReleaseID: release.ID, SystemID: system.ID, AccountID: account.ID,
			Docs: store.DocsFile, State: store.Draft, Tasks: release.Tasks, Documented: release.Tasks}
		check(db.AddSubmission(ctx, &sub))
		e := []store.Evaluation{{SubmissionID: sub.ID, EvaluatorID: judge.ID, State: store.Queued, Samples: benchSamples, Total: release.Tasks * benchSamples}}
		check(db.Confirm(ctx, sub.ID, nil, e, [][]store.Unit{nil}))
		f := store.Finish{Verdicts: map[benchmark.Verdict]int{benchmark.Passed: 1}}
		quality := random.Float64()
		for k := 1; k <= benchSamples; k++ {
			for _, a := range store.Aggregations {
				low, high := quality-0.05, quality+0.05
				f.Scores = append(f.Scores, store.Score{EvaluationID: e[0].ID, Aggregation: a, K: k, Value: quality, Low: &low, High: &high,
					Repositories: benchRepositories, Tasks: release.Tasks})
			}
			for _, r := range release.Repositories {
				value := min(1, max(0, quality+0.1*random.NormFloat64()))
				f.Repositories = append(f.Repositories, store.RepositoryScore{EvaluationID: e[0].ID, RepositoryID: r.ID, K: k, Value: value, Tasks: benchTasks})
			}
		}
		check(db.FinishEvaluation(ctx, e[0].ID, f))
	}
	queue, err := dispatch.Open(ctx, dispatch.Config{Log: log})
	check(err)
	tb.Cleanup(func() { queue.Close() })
	engine, err := evaluation.New(ctx, evaluation.Config{Store: db, Queue: queue, Log: log})
	check(err)
	return New(Config{Store: db, Engine: engine, Boards: leaderboard.NewBoards(db), Log: log})
}

// get reads a page as a browser gets it, packed, to its last byte.
func get(tb testing.TB, client *http.Client, address string) {
	request, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, address, nil)
	if err != nil {
		tb.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip")
	r, err := client.Do(request)
	if err != nil {
		tb.Fatal(err)
	}
	n, err := io.Copy(io.Discard, r.Body)
	r.Body.Close()
	if err != nil || r.StatusCode != http.StatusOK || n == 0 {
		tb.Fatal(r.Status, n, err)
	}
}

// BenchmarkLeaderboard is the time to the last byte of the leaderboard, by the
// number of submissions: asked again, and asked for the first time since the
// site was started.
func BenchmarkLeaderboard(b *testing.B) {
	for _, submissions := range []int{10, 1000} {
		site := crowded(b, submissions)
		server := httptest.NewServer(site.Handler())
		b.Run(fmt.Sprintf("%d/again", submissions), func(b *testing.B) {
			for b.Loop() {
				get(b, server.Client(), server.URL+"/doc-to-code")
			}
		})
		b.Run(fmt.Sprintf("%d/first", submissions), func(b *testing.B) {
			for b.Loop() {
				site.Boards = leaderboard.NewBoards(site.Store)
				site.rendered = newRendered(site.Boards)
				get(b, server.Client(), server.URL+"/doc-to-code")
			}
		})
		server.Close()
	}
}
