package leaderboard

import (
	"fmt"
	"slices"
	"sync"

	"touchstone/internal/localization"
)

// A Contrasted is what knowledge changes for an entrant, level by level.
type Contrasted struct {
	*Entrant
	Contrasts []localization.Contrast // of the levels that have both arms
}

// contrastKey chooses the tasks that a contrast is over.
type contrastKey struct {
	gold       localization.Gold
	repository string // "" for all
}

// entrantMemo keeps what was computed of an entrant's arms, which do not change
// while it has the same submissions.
type entrantMemo struct {
	mu        sync.Mutex
	contrasts map[contrastKey][]localization.Contrast
}

// keptContrasts are the families of a set that were asked for.
type keptContrasts struct {
	mu       sync.Mutex
	families map[contrastKey][]Contrasted
}

// Contrasts compare the two arms of every entrant at each level that has both,
// over all tasks or those of one repository. Their p are adjusted as one
// family: all entrants and levels of the set.
func (s *LocalizationSet) Contrasts(gold localization.Gold, repository string) ([]Contrasted, error) {
	key := contrastKey{gold, repository}
	s.contrasts.mu.Lock()
	defer s.contrasts.mu.Unlock()
	if known, ok := s.contrasts.families[key]; ok {
		return known, nil
	}
	var found []Contrasted
	var family []localization.Contrast
	for _, e := range s.Entrants {
		contrasts, err := s.contrastsOf(e, key)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		if len(contrasts) > 0 {
			found = append(found, Contrasted{Entrant: e})
			family = append(family, contrasts...)
		}
	}
	if err := localization.AdjustFamily(family); err != nil {
		return nil, err
	}
	for i, c := range found {
		n := len(s.arms(c.Entrant, key))
		found[i].Contrasts, family = family[:n:n], family[n:]
	}
	if s.contrasts.families == nil {
		s.contrasts.families = map[contrastKey][]Contrasted{}
	}
	s.contrasts.families[key] = found
	return found, nil
}

// A pairedArms is a level at which an entrant has both arms.
type pairedArms struct {
	level               localization.Level
	baseline, augmented []outcome
}

// arms are the levels at which an entrant has both arms and tasks that count.
func (s *LocalizationSet) arms(e *Entrant, key contrastKey) []pairedArms {
	var found []pairedArms
	for _, level := range localization.Levels {
		baseline, augmented := e.Arm(level, localization.Baseline), e.Arm(level, localization.Augmented)
		if baseline == nil || augmented == nil {
			continue
		}
		p := pairedArms{level, s.outcomes(baseline, key), s.outcomes(augmented, key)}
		if len(p.baseline) > 0 && len(p.augmented) > 0 {
			found = append(found, p)
		}
	}
	return found
}

// outcomes are those of an arm's tasks, or of those of one repository.
func (s *LocalizationSet) outcomes(a *Arm, key contrastKey) []outcome {
	scores := a.scores[key.gold]
	if scores == nil {
		return nil
	}
	if key.repository == "" {
		return scores.outcomes
	}
	i, ok := s.Index(key.repository)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(scores.outcomes), func(o outcome) bool {
		return s.tasks[o.task].RepositoryID != s.Repositories[i].RepositoryID
	})
}

// contrastsOf are an entrant's, each a family of its own.
func (s *LocalizationSet) contrastsOf(e *Entrant, key contrastKey) ([]localization.Contrast, error) {
	e.memo.mu.Lock()
	defer e.memo.mu.Unlock()
	known, ok := e.memo.contrasts[key]
	if !ok {
		for _, p := range s.arms(e, key) {
			c, err := localization.Compare(p.level, s.taskScores(p.baseline), s.taskScores(p.augmented))
			if err != nil {
				return nil, err
			}
			known = append(known, c)
		}
		if e.memo.contrasts == nil {
			e.memo.contrasts = map[contrastKey][]localization.Contrast{}
		}
		e.memo.contrasts[key] = known
	}
	copies := slices.Clone(known)
	for i := range copies {
		copies[i].Extremes = slices.Clone(copies[i].Extremes) // a family writes its p into them
	}
	return copies, nil
}

// taskScores are outcomes as the track compares them.
func (s *LocalizationSet) taskScores(outcomes []outcome) []localization.TaskScore {
	scores := make([]localization.TaskScore, len(outcomes))
	for i, o := range outcomes {
		scores[i] = localization.TaskScore{Task: s.tasks[o.task].Task.Key, Repository: s.repositoryOf(o), Answered: o.answered, FileScore: o.score()}
	}
	return scores
}

// A TaskContrast is one task of a contrast.
type TaskContrast struct {
	Task                int // place in the set
	Baseline, Augmented Triple
	AnsweredBaseline    bool
	AnsweredAugmented   bool
}

// Difference is the augmented F1 minus the baseline's.
func (t TaskContrast) Difference() float64 { return t.Augmented.F1 - t.Baseline.F1 }

// TaskContrasts are the tasks of an entrant's contrast at a level, in the
// release's order; nil when it does not have both arms.
func (s *LocalizationSet) TaskContrasts(e *Entrant, level localization.Level, gold localization.Gold, repository string) []TaskContrast {
	for _, p := range s.arms(e, contrastKey{gold, repository}) {
		if p.level != level {
			continue
		}
		tasks := make([]TaskContrast, len(p.baseline))
		for i, b := range p.baseline {
			a := p.augmented[i] // both arms have all tasks, in one order
			tasks[i] = TaskContrast{int(b.task), b.triple(), a.triple(), b.answered, a.answered}
		}
		return tasks
	}
	return nil
}

// prepareContrasts computes what the page of the two arms shows unless it is
// asked for anything else.
func (b *Board) prepareContrasts() {
	for _, set := range b.Localization {
		// Whoever asks for the page is told of an error.
		_, _ = set.Contrasts(localization.AllGold, "")
	}
}
