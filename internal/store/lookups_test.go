package store

import (
	"errors"
	"testing"
	"time"

	"gorm.io/gorm"

	"touchstone/internal/benchmark"
)

func TestSubmissionsAreFoundByAPartOfTheirSystem(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		var account Account
		must(t, s.Read(t.Context()).First(&account).Error)
		for id, system := range map[string]System{
			"percent": {Slug: "percent", Name: "100% Docs"},
			"hundred": {Slug: "hundred", Name: "1000 Docs", Model: "Some-Model"},
			"slash":   {Slug: "slash", Name: `back\slash_here`},
		} {
			named, err := s.SystemNamed(t.Context(), system)
			must(t, err)
			must(t, s.AddSubmission(t.Context(), &Submission{PublicID: id, Track: benchmark.DocToCode, ReleaseID: w.release.ID, SystemID: named.ID,
				AccountID: account.ID, Version: "v-" + id, State: Queued, Report: []byte("long")}))
		}
		for _, c := range []struct {
			text string
			want int
		}{{"docs", 2}, {"100%", 1}, {"some-mod", 1}, {`\`, 1}, {"slash_h", 1}, {"k_s", 0}, {"V-HUNDRED", 1}, {"nothing", 0}, {"", 4}} {
			found, total, err := s.Submissions(t.Context(), SubmissionFilter{Text: c.text, States: []State{Queued}})
			must(t, err)
			if len(found) != c.want || int(total) != c.want {
				t.Errorf("%q finds %d (%d), want %d", c.text, len(found), total, c.want)
			}
			for _, sub := range found {
				if sub.Report != nil || sub.System.Name == "" || sub.Account.Name == "" || sub.Release.Name == "" {
					t.Errorf("%+v", sub)
				}
			}
		}
	})
}

func TestTasksAreCountedBeforeTheEvaluationEnds(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		must(t, s.Replied(t.Context(), w.units[0].ID, w.completions(w.units[0]), 0))
		verdicts := w.verdicts(w.units[0])
		verdicts[0].Verdict, verdicts[1].Verdict = benchmark.Passed, benchmark.InfraError
		must(t, s.Executed(t.Context(), w.units[0].ID, verdicts))
		counts, err := s.TaskCounts(t.Context(), w.evaluation.ID)
		must(t, err)
		if len(counts) != 3 || counts[0].Passed != 1 || counts[0].Samples != 1 || counts[1].Samples != 0 || counts[2].Passed != 0 || counts[2].Samples != 1 ||
			counts[0].RepositoryID != w.release.Repositories[0].ID {
			t.Errorf("%+v", counts)
		}
		documented, err := s.DocumentedTasks(t.Context(), w.submission.ID)
		must(t, err)
		if len(documented) != 1 || documented[0] != w.tasks[0].ID {
			t.Errorf("documented are %v", documented)
		}
	})
}

func TestUnitsThatKeepFailingAreShown(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		_, err := s.UnitFailed(t.Context(), w.units[1].ID, "the disk is full", time.Now())
		must(t, err)
		troubled, err := s.TroubledUnits(t.Context(), w.evaluation.ID)
		must(t, err)
		if len(troubled) != 1 || troubled[0].Error != "the disk is full" || troubled[0].Tries != 1 {
			t.Errorf("%+v", troubled)
		}
		must(t, s.Replied(t.Context(), w.units[1].ID, w.completions(w.units[1]), 0))
		if troubled, err = s.TroubledUnits(t.Context(), w.evaluation.ID); err != nil || len(troubled) != 0 {
			t.Errorf("%+v, %v", troubled, err)
		}
	})
}

func TestOnlyADraftCanBeDeleted(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		if err := s.DeleteDraft(t.Context(), w.submission.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("a confirmed submission: %v", err)
		}
		draft := w.submission
		draft.ID, draft.PublicID, draft.State = 0, "two", Draft
		must(t, s.AddSubmission(t.Context(), &draft))
		must(t, s.DeleteDraft(t.Context(), draft.ID))
		if _, err := s.SubmissionByPublicID(t.Context(), "two"); !errors.Is(err, ErrNotFound) {
			t.Errorf("the draft is still there: %v", err)
		}
	})
}

func TestScoresOfSomeEvaluations(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		must(t, s.FinishEvaluation(t.Context(), w.evaluation.ID, Finish{
			Repositories: []RepositoryScore{{EvaluationID: w.evaluation.ID, RepositoryID: w.release.Repositories[0].ID, K: 1, Value: .5, Tasks: 3}},
			Scores:       []Score{{EvaluationID: w.evaluation.ID, Aggregation: ByRepository, K: 1, Value: .25}},
		}))
		scores, err := s.ScoresOf(t.Context(), w.evaluation.ID)
		must(t, err)
		repositories, err := s.RepositoryScoresOf(t.Context(), w.evaluation.ID)
		must(t, err)
		if len(scores) != 1 || scores[0].Value != .25 || len(repositories) != 1 || repositories[0].Value != .5 {
			t.Errorf("%+v, %+v", scores, repositories)
		}
		if scores, err := s.ScoresOf(t.Context()); err != nil || scores != nil {
			t.Errorf("%v, %v", scores, err)
		}
	})
}

func TestAReportIsReadOnlyWithItsSubmission(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		must(t, s.Write(t.Context(), func(tx *gorm.DB) error {
			return tx.Model(&Submission{}).Where("id = ?", w.submission.ID).Update("report", []byte("a long report")).Error
		}))
		must(t, s.FinishEvaluation(t.Context(), w.evaluation.ID, Finish{}))
		one, err := s.Evaluation(t.Context(), w.evaluation.ID)
		must(t, err)
		all, err := s.FinishedEvaluations(t.Context(), benchmark.DocToCode)
		must(t, err)
		whole, err := s.SubmissionByPublicID(t.Context(), "one")
		must(t, err)
		if string(whole.Report) != "a long report" || len(all) != 1 {
			t.Errorf("%q, %d evaluations", whole.Report, len(all))
		}
		for _, e := range append(all, one) {
			if e.Submission.PublicID != "one" || e.Submission.ReleaseID != w.release.ID || e.Evaluator.Name != "stub" || e.Submission.Report != nil {
				t.Errorf("%+v", e)
			}
		}
	})
}
