package store

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"touchstone/internal/benchmark"
)

var (
	bare  = Arm{Level: "minimal", Condition: "baseline"}
	aware = Arm{Level: "minimal", Condition: "augmented"}
)

// history is a release of the localization track: two repositories of two tasks.
type history struct {
	release Release
	tasks   []Task
	account Account
}

func newHistory(t *testing.T, s *Store) history {
	t.Helper()
	h := history{release: Release{Track: benchmark.Localization, Name: "histories", Version: "1", Dir: "d", SHA256: "x", Tasks: 4,
		Repositories: []Repository{{Name: "acme/one", Tasks: 2}, {Name: "acme/two", Tasks: 2}}}}
	facts := LocalizationFacts{Release: LocalizationRelease{Commits: 9, Dropped: map[string]int{"bot": 2}, Manifest: []byte("{}")},
		Repositories: []LocalizationRepository{{T0: time.Unix(100, 0).UTC(), T1: time.Unix(200, 0).UTC(), Snapshot: "a", Head: "b"}, {T0: time.Unix(1, 0), T1: time.Unix(2, 0)}}}
	for i := range 4 {
		h.tasks = append(h.tasks, Task{RepositoryID: uint64(i / 2), Key: fmt.Sprintf("acme__%d-%d", i/2, i), Position: i})
		facts.Tasks = append(facts.Tasks, LocalizationTask{Number: i, Commit: "c", Base: "b", MergedAt: time.Unix(150, 0).UTC(), Gold: []GoldFile{{"a <b>.go", "source"}},
			Prompts: map[string]string{"minimal": "fix it"}})
	}
	must(t, s.AddLocalizationRelease(t.Context(), &h.release, h.tasks, nil, facts))
	h.account = Account{Name: "ada", Role: "submitter"}
	must(t, s.AddAccount(t.Context(), &h.account))
	return h
}

// submit keeps a confirmed submission that answers the first task in some arms.
func (h history) submit(t *testing.T, s *Store, id, version string, arms ...Arm) Submission {
	t.Helper()
	system, err := s.SystemNamed(t.Context(), System{Slug: "agent", Name: "Agent"})
	must(t, err)
	sub := Submission{PublicID: id, Track: benchmark.Localization, ReleaseID: h.release.ID, SystemID: system.ID, AccountID: h.account.ID, Version: version,
		Docs: DocsFile, State: Draft, Tasks: 4, Report: []byte("long")}
	must(t, s.AddSubmission(t.Context(), &sub))
	var predictions []Prediction
	for _, arm := range arms {
		predictions = append(predictions, Prediction{SubmissionID: sub.ID, TaskID: h.tasks[0].ID, Arm: arm, Files: []string{"a.go", "é.go"}})
	}
	must(t, s.ConfirmPredictions(t.Context(), sub.ID, predictions))
	return sub
}

// scored finishes a submission with a score in each arm.
func (h history) scored(t *testing.T, s *Store, sub Submission, arms ...Arm) {
	t.Helper()
	var scores []LocalizationScore
	var tasks []LocalizationTaskScore
	low := .25
	for _, arm := range arms {
		for _, gold := range []string{"all", "source"} {
			scores = append(scores, LocalizationScore{SubmissionID: sub.ID, Arm: arm, Gold: gold, Tasks: 4, F1: .5, Low: &low})
			tasks = append(tasks, LocalizationTaskScore{SubmissionID: sub.ID, TaskID: h.tasks[0].ID, Arm: arm, Gold: gold, Answered: true, F1: 1})
		}
	}
	must(t, s.FinishScoring(t.Context(), sub.ID, scores, tasks))
}

func TestALocalizationReleaseIsKeptWhole(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		h := newHistory(t, s)
		facts, err := s.LocalizationRelease(t.Context(), h.release.ID)
		must(t, err)
		repositories, err := s.LocalizationRepositories(t.Context(), h.release.ID)
		must(t, err)
		one := repositories[h.release.Repositories[0].ID]
		if facts.Commits != 9 || facts.Dropped["bot"] != 2 || len(repositories) != 2 || one.Snapshot != "a" || !one.T0.Equal(time.Unix(100, 0)) || one.Dropped != nil {
			t.Errorf("%+v, %+v", facts, one)
		}
		tasks, err := s.LocalizationTasks(t.Context(), h.release.ID, 0)
		must(t, err)
		second, err := s.LocalizationTasks(t.Context(), h.release.ID, h.release.Repositories[1].ID)
		must(t, err)
		if len(tasks) != 4 || len(second) != 2 || second[0].Task.Key != "acme__1-2" || tasks[1].Gold[0].Path != "a <b>.go" || tasks[1].Prompts != nil || tasks[1].Added != nil {
			t.Errorf("%+v, %+v", tasks, second)
		}
		whole, err := s.LocalizationTask(t.Context(), h.release.ID, "acme__1-3")
		must(t, err)
		if whole.Prompts["minimal"] != "fix it" || whole.Number != 3 || whole.Task.Position != 3 || !whole.MergedAt.Equal(time.Unix(150, 0)) {
			t.Errorf("%+v", whole)
		}
		if _, err := s.LocalizationTask(t.Context(), h.release.ID, "acme__9-9"); !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
		named, err := s.RepositoriesNamed(t.Context(), benchmark.Localization, "acme/two")
		must(t, err)
		other, err := s.RepositoriesNamed(t.Context(), benchmark.DocToCode, "acme/two")
		must(t, err)
		if len(named) != 1 || named[0].ReleaseID != h.release.ID || len(other) != 0 {
			t.Errorf("%+v, %+v", named, other)
		}
		again := Release{Track: benchmark.Localization, Name: "histories", Version: "1", Dir: "d", SHA256: "x"}
		if err := s.AddLocalizationRelease(t.Context(), &again, nil, nil, LocalizationFacts{}); !errors.Is(err, ErrExists) {
			t.Error(err)
		}
	})
}

func TestPredictionsWaitUntilTheyAreScored(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		h := newHistory(t, s)
		sub := h.submit(t, s, "one", "1", bare)
		if err := s.ConfirmPredictions(t.Context(), sub.ID, nil); !errors.Is(err, ErrNotFound) {
			t.Errorf("confirmed twice: %v", err)
		}
		waiting, err := s.Unscored(t.Context())
		must(t, err)
		if len(waiting) != 1 || waiting[0].ID != sub.ID || waiting[0].Report != nil {
			t.Errorf("%+v", waiting)
		}
		answers, err := s.Predictions(t.Context(), sub.ID)
		must(t, err)
		if len(answers) != 1 || answers[0].Arm != bare || !reflect.DeepEqual(answers[0].Files, []string{"a.go", "é.go"}) {
			t.Errorf("%+v", answers)
		}
		if shown, err := s.TaskPredictions(t.Context(), h.tasks[0].ID); err != nil || len(shown) != 0 {
			t.Errorf("answers are shown before they are scored: %+v, %v", shown, err)
		}
		before, err := s.ResultsVersion(t.Context())
		must(t, err)
		h.scored(t, s, sub, bare)
		h.scored(t, s, sub, bare, aware) // too late: it is over
		after, err := s.ResultsVersion(t.Context())
		must(t, err)
		scores, err := s.LocalizationScoresOf(t.Context(), sub.ID)
		must(t, err)
		if after == before || len(scores) != 2 || *scores[0].Low != .25 || scores[0].High != nil || scores[0].Arm != bare || scores[0].Gold != "all" {
			t.Errorf("%+v", scores)
		}
		tasks, err := s.LocalizationTaskScoresOf(t.Context(), sub.ID, "source")
		must(t, err)
		shown, err := s.TaskPredictions(t.Context(), h.tasks[0].ID)
		must(t, err)
		worth, err := s.TaskLocalizationScores(t.Context(), h.tasks[0].ID)
		must(t, err)
		if len(tasks) != 1 || tasks[0].F1 != 1 || len(shown) != 1 || len(worth) != 2 {
			t.Errorf("%+v, %+v, %+v", tasks, shown, worth)
		}
		must(t, s.Hide(t.Context(), "one", true))
		all, err := s.LocalizationScores(t.Context())
		must(t, err)
		if len(all) != 0 {
			t.Errorf("a hidden submission's scores are shown: %+v", all)
		}
		if waiting, err = s.Unscored(t.Context()); err != nil || len(waiting) != 0 {
			t.Errorf("%+v, %v", waiting, err)
		}
	})
}

func TestScoringThatFailedCanBeTriedAgain(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		h := newHistory(t, s)
		sub := h.submit(t, s, "one", "1", bare)
		if err := s.Rescore(t.Context(), sub.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("one that is queued: %v", err)
		}
		must(t, s.FailScoring(t.Context(), sub.ID, "the disk is full"))
		now, err := s.Submission(t.Context(), sub.ID)
		must(t, err)
		if now.State != Failed || now.Error != "the disk is full" || now.FinishedAt == nil {
			t.Errorf("%+v", now)
		}
		must(t, s.Rescore(t.Context(), sub.ID))
		must(t, s.CancelScoring(t.Context(), sub.ID))
		h.scored(t, s, sub, bare)
		if now, err = s.Submission(t.Context(), sub.ID); err != nil || now.State != Cancelled || now.Error != "" {
			t.Errorf("%+v, %v", now, err)
		}
	})
}

func TestTheArmsOfOneSystemAreOnePair(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		h := newHistory(t, s)
		first := h.submit(t, s, "one", "1", bare)
		h.scored(t, s, first, bare)
		second := h.submit(t, s, "two", "1", aware)
		h.scored(t, s, second, aware)
		other := h.submit(t, s, "three", "2", bare)
		h.scored(t, s, other, bare)
		all, err := s.LocalizationPairs(t.Context())
		must(t, err)
		if len(all) != 2 || len(all[0].Submissions) != 2 || all[0].Arms[bare] != first.ID || all[0].Arms[aware] != second.ID || all[0].System.Name != "Agent" ||
			all[0].Release.Name != "histories" || all[0].Latest().IsZero() || len(all[1].Arms) != 1 {
			t.Fatalf("%+v", all)
		}
		better := h.submit(t, s, "four", "1", bare)
		h.scored(t, s, better, bare)
		all, err = s.LocalizationPairs(t.Context())
		must(t, err)
		if all[0].Arms[bare] != better.ID || len(all[0].Submissions) != 2 || all[0].Submissions[0].ID != second.ID {
			t.Errorf("a later upload of an arm does not count: %+v", all[0])
		}
		must(t, s.Hide(t.Context(), "four", true))
		all, err = s.LocalizationPairs(t.Context())
		must(t, err)
		if all[0].Arms[bare] != first.ID {
			t.Errorf("a hidden upload counts: %+v", all[0])
		}
	})
}
