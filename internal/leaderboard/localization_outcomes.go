package leaderboard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"touchstone/internal/localization"
	"touchstone/internal/measure"
	"touchstone/internal/statistics"
	"touchstone/internal/store"
)

// entrantMemo keeps what was read and computed of an entrant's arms, which do
// not change while it has the same submissions. Single tasks are many, so they
// are read when they are asked for, and behind a new board.
type entrantMemo struct {
	mu        sync.Mutex
	outcomes  map[armTask][]outcome
	read      map[armTask]bool // without an arm: all of a submission's with a kind of gold files
	contrasts map[contrastKey][]localization.Contrast
	intervals map[intervalKey]meanIntervals
}

type intervalKey struct {
	arm armTask
	contrastKey
}

type meanIntervals struct{ precision, recall *statistics.Interval }

// read returns how the tasks of an arm ended, in the release's order.
func (s *LocalizationSet) read(m *entrantMemo, key armTask) ([]outcome, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := armTask{submission: key.submission, gold: key.gold}
	if m.read[all] {
		return m.outcomes[key], nil
	}
	found := map[armTask][]outcome{}
	var unknown error
	err := s.store.EachLocalizationOutcome(context.Background(), key.submission, string(key.gold), func(x store.LocalizationTaskScore) {
		at, ok := s.taskAt[x.TaskID]
		if !ok {
			unknown = fmt.Errorf("submission %d has a score for task %d, which is not in %s", key.submission, x.TaskID, s.Key)
			return
		}
		arm := armTask{key.submission, armOf(x.Arm), key.gold}
		found[arm] = append(found[arm], outcome{task: int32(at), right: int32(x.TruePositives), wrong: int32(x.FalsePositives), missed: int32(x.FalseNegatives), f1: x.F1, answered: x.Answered})
	})
	if err := cmp.Or(err, unknown); err != nil {
		return nil, err
	}
	if m.read == nil {
		m.read, m.outcomes = map[armTask]bool{}, map[armTask][]outcome{}
	}
	for arm, outcomes := range found {
		slices.SortFunc(outcomes, func(x, y outcome) int { return cmp.Compare(x.task, y.task) })
		m.outcomes[arm] = outcomes
	}
	m.read[all] = true
	return m.outcomes[key], nil
}

// outcomes are those of an arm's tasks, or of those of one repository.
func (s *LocalizationSet) outcomes(a *Arm, key contrastKey) ([]outcome, error) {
	scores := a.scores[key.gold]
	if scores == nil || a.Provenance == Published {
		return nil, nil
	}
	all, err := s.read(a.memo, scores.key)
	if err != nil || key.repository == "" {
		return all, err
	}
	i, ok := s.Index(key.repository)
	if !ok {
		return nil, nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(o outcome) bool { return s.tasks[o.task].RepositoryID != s.Repositories[i].RepositoryID }), nil
}

// MeanIntervals are those of an arm's macro precision and recall, over all tasks
// or those of one repository; nil where there is none.
func (s *LocalizationSet) MeanIntervals(a *Arm, gold localization.Gold, repository string) (precision, recall *statistics.Interval, err error) {
	outcomes, err := s.outcomes(a, contrastKey{gold, repository})
	if err != nil || len(outcomes) == 0 {
		return nil, nil, err
	}
	key := intervalKey{a.scores[gold].key, contrastKey{gold, repository}}
	a.memo.mu.Lock()
	defer a.memo.mu.Unlock()
	if known, ok := a.memo.intervals[key]; ok {
		return known.precision, known.recall, nil
	}
	if precision, err = s.meanInterval(outcomes, outcome.precision); err != nil {
		return nil, nil, err
	}
	if recall, err = s.meanInterval(outcomes, outcome.recall); err != nil {
		return nil, nil, err
	}
	if a.memo.intervals == nil {
		a.memo.intervals = map[intervalKey]meanIntervals{}
	}
	a.memo.intervals[key] = meanIntervals{precision, recall}
	return precision, recall, nil
}

// score is the outcome as the track has it.
func (o outcome) score() measure.FileScore {
	return measure.FileScore{TruePositives: int(o.right), FalsePositives: int(o.wrong), FalseNegatives: int(o.missed),
		Overlap: measure.Overlap{Precision: o.precision(), Recall: o.recall(), F: o.f1}}
}

func (o outcome) triple() Triple { return Triple{o.precision(), o.recall(), o.f1} }

func (s *LocalizationSet) repositoryOf(o outcome) string {
	for _, r := range s.Repositories {
		if r.RepositoryID == s.tasks[o.task].RepositoryID {
			return r.Name
		}
	}
	return ""
}

func (o outcome) precision() float64 { return share(o.right, o.right+o.wrong) }
func (o outcome) recall() float64    { return share(o.right, o.right+o.missed) }

func share(part, whole int32) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// meanInterval is that of a mean over tasks: of repositories drawn anew where
// there are several, else by Student's t over the tasks of the one, which is
// the same to the eye and takes no time.
func (s *LocalizationSet) meanInterval(outcomes []outcome, of func(outcome) float64) (*statistics.Interval, error) {
	units, several := s.units(outcomes, of)
	if several {
		b, err := statistics.Micro.Bootstrap(units, localization.Seed)
		return b.Interval, err
	}
	estimate, err := statistics.Micro.Of(units)
	return estimate.Interval, err
}

// units are values of tasks under what varies at random: the repository where
// there are several, else the task.
func (s *LocalizationSet) units(outcomes []outcome, of func(outcome) float64) (units []statistics.Score, several bool) {
	for _, o := range outcomes {
		several = several || s.tasks[o.task].RepositoryID != s.tasks[outcomes[0].task].RepositoryID
	}
	scores := make([]statistics.Score, len(outcomes))
	for i, o := range outcomes {
		t := s.tasks[o.task].Task
		scores[i] = statistics.Score{Repository: fmt.Sprint(t.RepositoryID), Task: t.Key, Value: of(o)}
		if !several {
			scores[i].Repository = t.Key
		}
	}
	return scores, several
}
