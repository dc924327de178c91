package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"touchstone/internal/benchmark"
	"touchstone/internal/store/postgrestest"
)

// on runs a test on an empty SQLite file and on an empty PostgreSQL database.
func on(t *testing.T, test func(t *testing.T, s *Store)) {
	t.Helper()
	open := func(t *testing.T, address string) *Store {
		s, err := Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	t.Run("sqlite", func(t *testing.T) { test(t, open(t, filepath.Join(t.TempDir(), "site.db"))) })
	t.Run("postgres", func(t *testing.T) { test(t, open(t, postgrestest.Database(t))) })
}

func TestMain(m *testing.M) { os.Exit(postgrestest.Main(m)) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// world is a release of two repositories and five tasks, and a confirmed
// submission with one evaluation of two units.
type world struct {
	release    Release
	tasks      []Task
	submission Submission
	evaluation Evaluation
	units      []Unit
}

func newWorld(t *testing.T, s *Store) world {
	t.Helper()
	ctx := t.Context()
	w := world{release: Release{Track: benchmark.DocToCode, Name: "small", Version: "1", Dir: "d", SHA256: "x", Tasks: 5,
		Repositories: []Repository{{Name: "acme/one", Tasks: 3}, {Name: "acme/two", Tasks: 2}}}}
	var tasks []Task
	for i := range 5 {
		tasks = append(tasks, Task{RepositoryID: uint64(i / 3), Key: fmt.Sprintf("acme/%d:a.py::f%d", i/3, i), Position: i, Tests: 1, Strategy: "fresh"})
	}
	must(t, s.AddRelease(ctx, &w.release, tasks, []Drop{{Repository: "acme/one", Kind: "task", Key: "k", Reason: "slow"}}))
	var err error
	w.tasks, err = s.Tasks(ctx, w.release.ID)
	must(t, err)
	account := Account{Name: "ada", Role: "submitter"}
	must(t, s.AddAccount(ctx, &account))
	system, err := s.SystemNamed(ctx, System{Slug: "agent", Name: "Agent"})
	must(t, err)
	judge := Evaluator{Track: benchmark.DocToCode, Name: "stub", Kind: KindControl, Samples: 1, Enabled: true}
	must(t, s.SyncEvaluator(ctx, &judge))
	w.submission = Submission{PublicID: "one", Track: benchmark.DocToCode, ReleaseID: w.release.ID, SystemID: system.ID, AccountID: account.ID,
		Docs: DocsFile, State: Draft, Tasks: 5}
	must(t, s.AddSubmission(ctx, &w.submission))
	must(t, s.Confirm(ctx, w.submission.ID, []Docstring{{SubmissionID: w.submission.ID, TaskID: w.tasks[0].ID, Text: "text"}},
		[]Evaluation{{SubmissionID: w.submission.ID, EvaluatorID: judge.ID, State: Queued, Samples: 1, Total: 5}},
		[][]Unit{{
			{RepositoryID: w.release.Repositories[0].ID, FirstTask: 0, LastTask: 2, Samples: 3, Stage: StageGenerate},
			{RepositoryID: w.release.Repositories[1].ID, Position: 1, FirstTask: 3, LastTask: 4, Samples: 2, Stage: StageGenerate},
		}}))
	all, err := s.Evaluations(ctx, w.submission.ID)
	must(t, err)
	w.evaluation = all[0]
	w.units, err = s.ReadyUnits(ctx, w.evaluation.ID, StageGenerate, time.Now(), nil, 10)
	must(t, err)
	if len(w.units) != 2 {
		t.Fatalf("%d units are ready", len(w.units))
	}
	return w
}

func (w world) completions(u Unit) []Completion {
	var all []Completion
	for i := u.FirstTask; i <= u.LastTask; i++ {
		all = append(all, Completion{EvaluationID: w.evaluation.ID, TaskID: w.tasks[i].ID, Reply: "pass", Body: "pass", PromptTokens: 10, CompletionTokens: 1})
	}
	return all
}

func (w world) verdicts(u Unit) []Verdict {
	var all []Verdict
	for i := u.FirstTask; i <= u.LastTask; i++ {
		all = append(all, Verdict{EvaluationID: w.evaluation.ID, TaskID: w.tasks[i].ID, Verdict: benchmark.Failed, Seconds: 0.5})
	}
	return all
}

func (w world) now(t *testing.T, s *Store) (Submission, Evaluation) {
	t.Helper()
	sub, err := s.Submission(t.Context(), w.submission.ID)
	must(t, err)
	e, err := s.Evaluation(t.Context(), w.evaluation.ID)
	must(t, err)
	return sub, e
}

func TestAReleaseIsKeptOnceAndWhole(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		again := Release{Track: benchmark.DocToCode, Name: "small", Version: "1", Dir: "e", SHA256: "y"}
		if err := s.AddRelease(t.Context(), &again, nil, nil); !errors.Is(err, ErrExists) {
			t.Errorf("a second one of the name: %v", err)
		}
		other := Release{Track: benchmark.DocToCode, Name: "other", Version: "1", Dir: "e", SHA256: "y", Repositories: []Repository{{Name: "a/b"}}}
		double := []Task{{Key: "same"}, {Key: "same"}}
		if err := s.AddRelease(t.Context(), &other, double, nil); !errors.Is(err, ErrExists) {
			t.Errorf("a task twice: %v", err)
		}
		all, err := s.Releases(t.Context(), benchmark.DocToCode)
		must(t, err)
		if len(all) != 1 || len(all[0].Repositories) != 2 {
			t.Errorf("%+v", all)
		}
		drops, err := s.Drops(t.Context(), w.release.ID)
		must(t, err)
		if len(drops) != 1 {
			t.Errorf("%d drops", len(drops))
		}
	})
}

func TestADraftIsConfirmedOnce(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		if err := s.Confirm(t.Context(), w.submission.ID, nil, nil, nil); !errors.Is(err, ErrNotFound) {
			t.Errorf("a second time: %v", err)
		}
	})
}

func TestEachSampleHasOneVerdict(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		u := w.units[0]
		if err := s.Executed(t.Context(), u.ID, w.verdicts(u)); err != nil {
			t.Fatal(err)
		}
		if _, e := w.now(t, s); e.Done != 0 {
			t.Error("a unit without replies was taken for executed")
		}
		for range 2 { // what comes twice counts once
			must(t, s.Replied(t.Context(), u.ID, w.completions(u), 0.25))
		}
		for range 3 {
			must(t, s.Executed(t.Context(), u.ID, w.verdicts(u)))
		}
		_, e := w.now(t, s)
		if e.Done != 3 || e.PromptTokens != 30 || e.CompletionTokens != 3 || e.Cost != 0.25 || e.Seconds != 1.5 {
			t.Errorf("%+v", e)
		}
		verdicts, err := s.Verdicts(t.Context(), e.ID)
		must(t, err)
		if len(verdicts) != 3 {
			t.Errorf("%d verdicts", len(verdicts))
		}
	})
}

func TestAUnitThatFailedWaits(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		tries, err := s.UnitFailed(t.Context(), w.units[0].ID, "no luck", time.Now().Add(time.Hour))
		must(t, err)
		ready, err := s.ReadyUnits(t.Context(), w.evaluation.ID, StageGenerate, time.Now(), nil, 10)
		must(t, err)
		if tries != 1 || len(ready) != 1 || ready[0].ID != w.units[1].ID {
			t.Errorf("after %d tries %+v", tries, ready)
		}
		later, err := s.ReadyUnits(t.Context(), w.evaluation.ID, StageGenerate, time.Now().Add(2*time.Hour), []uint64{w.units[1].ID}, 10)
		must(t, err)
		if len(later) != 1 || later[0].ID != w.units[0].ID {
			t.Errorf("later %+v", later)
		}
	})
}

func TestASubmissionIsOverWhenItsEvaluationsAre(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		must(t, s.Start(t.Context(), w.evaluation.ID))
		if sub, e := w.now(t, s); sub.State != Running || e.State != Running || e.StartedAt == nil {
			t.Errorf("%s, %s", sub.State, e.State)
		}
		before, err := s.ResultsVersion(t.Context())
		must(t, err)
		finish := Finish{Verdicts: map[benchmark.Verdict]int{benchmark.Failed: 5}, Scores: []Score{{EvaluationID: w.evaluation.ID, Aggregation: ByTask, K: 1}},
			Tasks: []TaskScore{{EvaluationID: w.evaluation.ID, TaskID: w.tasks[0].ID, Samples: 1}}}
		for range 2 {
			must(t, s.FinishEvaluation(t.Context(), w.evaluation.ID, finish))
		}
		sub, e := w.now(t, s)
		after, err := s.ResultsVersion(t.Context())
		must(t, err)
		if sub.State != Finished || e.State != Finished || sub.FinishedAt == nil || after != before+1 {
			t.Errorf("%s, %s, results version %d then %d", sub.State, e.State, before, after)
		}
		scores, err := s.Scores(t.Context(), benchmark.DocToCode)
		must(t, err)
		if len(scores) != 1 {
			t.Errorf("%d scores", len(scores))
		}
	})
}

func TestWhatWasCancelledCanBeQueuedAgain(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		ended, err := s.Cancel(t.Context(), w.submission.ID)
		must(t, err)
		if sub, e := w.now(t, s); len(ended) != 1 || sub.State != Cancelled || e.State != Cancelled {
			t.Errorf("%v, %s, %s", ended, sub.State, e.State)
		}
		if open, err := s.OpenEvaluations(t.Context()); err != nil || len(open) != 0 {
			t.Errorf("%v %v", open, err)
		}
		n, err := s.Retry(t.Context(), w.submission.ID)
		must(t, err)
		if sub, _ := w.now(t, s); n != 1 || sub.State != Queued || sub.FinishedAt != nil {
			t.Errorf("%d evaluations, %s", n, sub.State)
		}
	})
}

func TestAFailureIsToldInTheLog(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		must(t, s.FailEvaluation(t.Context(), w.evaluation.ID, "the key was refused"))
		events, err := s.Events(t.Context(), w.submission.ID)
		must(t, err)
		told := slices.ContainsFunc(events, func(e Event) bool {
			return e.Level == "error" && e.Text == "evaluation under stub failed: the key was refused"
		})
		if sub, e := w.now(t, s); !told || sub.State != Failed || e.Error != "the key was refused" {
			t.Errorf("%+v, %s", events, sub.State)
		}
	})
}

func TestOnlyOpenEvaluationsHaveWorkLeft(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		open, err := s.OpenEvaluations(t.Context())
		must(t, err)
		want := OpenEvaluation{EvaluationID: w.evaluation.ID, SubmissionID: w.submission.ID, AccountID: w.submission.AccountID, Remaining: 5, State: Queued}
		if len(open) != 1 || open[0] != want {
			t.Errorf("%+v", open)
		}
	})
}

func TestHiddenSubmissionsAreNotListed(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		newWorld(t, s)
		must(t, s.Hide(t.Context(), "one", true))
		if _, total, err := s.Submissions(t.Context(), SubmissionFilter{}); err != nil || total != 0 {
			t.Errorf("%d, %v", total, err)
		}
		must(t, s.Hide(t.Context(), "one", false))
		list, total, err := s.Submissions(t.Context(), SubmissionFilter{States: []State{Queued}, Limit: 10})
		if err != nil || total != 1 || list[0].System.Name != "Agent" || list[0].Release.Name != "small" || list[0].Account.Name != "ada" {
			t.Errorf("%d, %+v, %v", total, list, err)
		}
		if err := s.Hide(t.Context(), "none", true); !errors.Is(err, ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
}

func TestAnOperatorsChoiceOutlivesARestart(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		newWorld(t, s)
		must(t, s.EnableEvaluator(t.Context(), benchmark.DocToCode, "stub", false))
		again := Evaluator{Track: benchmark.DocToCode, Name: "stub", Kind: KindControl, Samples: 7, Enabled: true}
		must(t, s.SyncEvaluator(t.Context(), &again))
		all, err := s.Evaluators(t.Context(), benchmark.DocToCode)
		if err != nil || len(all) != 1 || all[0].Enabled || all[0].Samples != 7 {
			t.Errorf("%+v %v", all, err)
		}
	})
}

func TestPublishedNumbersAreReplacedWhenTheyChange(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		put := func(version string, values ...float64) {
			var rows []PublishedScore
			for _, v := range values {
				rows = append(rows, PublishedScore{Source: "paper", Track: benchmark.DocToCode, Metric: "pass@1", Value: v})
			}
			must(t, s.ReplacePublished(t.Context(), version, rows, []PublishedRepository{{Source: "paper", Track: benchmark.DocToCode, Name: "a/b"}}))
		}
		put("1", 0.5, 0.6)
		put("1", 0.7) // the same version: nothing is read
		put("2", 0.8)
		all, err := s.PublishedScores(t.Context(), benchmark.DocToCode)
		if err != nil || len(all) != 1 || all[0].Value != 0.8 {
			t.Errorf("%+v %v", all, err)
		}
	})
}

func TestWritersAndReadersDoNotLockEachOtherOut(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for range 50 {
					if err := s.Note(context.Background(), w.submission.ID, 0, "info", "text"); err != nil {
						t.Error(err)
					}
				}
			})
			all.Go(func() {
				for range 50 {
					if _, err := s.Events(context.Background(), w.submission.ID); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		events, err := s.Events(t.Context(), w.submission.ID)
		if err != nil || len(events) != 201 {
			t.Errorf("%d events, %v", len(events), err)
		}
	})
}

func TestABrokenTransactionLeavesNothing(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		broken := errors.New("broken")
		err := s.Write(t.Context(), func(tx *gorm.DB) error {
			must(t, tx.Create(&Account{Name: "half", Role: "submitter"}).Error)
			return broken
		})
		if _, missing := s.AccountByName(t.Context(), "half"); !errors.Is(err, broken) || !errors.Is(missing, ErrNotFound) {
			t.Errorf("%v, %v", err, missing)
		}
	})
}

func TestADeletedDraftGivesItsFileBack(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		draft := w.submission
		draft.ID, draft.PublicID, draft.State = 0, "two", Draft
		must(t, s.AddSubmission(t.Context(), &draft))
		ids, err := s.DeleteDrafts(t.Context(), time.Now().Add(time.Hour))
		if err != nil || !slices.Equal(ids, []string{"two"}) {
			t.Errorf("%v %v", ids, err)
		}
		if _, err := s.SubmissionByPublicID(t.Context(), "one"); err != nil {
			t.Errorf("the confirmed one is gone: %v", err)
		}
	})
}
