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
	var counts []int // of each entrant
	for _, e := range s.Entrants {
		contrasts, err := s.contrastsOf(e, key)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		if len(contrasts) > 0 {
			found = append(found, Contrasted{Entrant: e})
			family, counts = append(family, contrasts...), append(counts, len(contrasts))
		}
	}
	if err := localization.AdjustFamily(family); err != nil {
		return nil, err
	}
	for i := range found {
		n := counts[i]
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
func (s *LocalizationSet) arms(e *Entrant, key contrastKey) ([]pairedArms, error) {
	var found []pairedArms
	for _, level := range localization.Levels {
		baseline, augmented := e.Arm(level, localization.Baseline), e.Arm(level, localization.Augmented)
		if baseline == nil || augmented == nil {
			continue
		}
		p := pairedArms{level: level}
		var err error
		if p.baseline, err = s.outcomes(baseline, key); err == nil {
			p.augmented, err = s.outcomes(augmented, key)
		}
		if err != nil {
			return nil, err
		}
		if len(p.baseline) > 0 && len(p.augmented) > 0 {
			found = append(found, p)
		}
	}
	return found, nil
}

// contrastsOf are an entrant's, each a family of its own.
func (s *LocalizationSet) contrastsOf(e *Entrant, key contrastKey) ([]localization.Contrast, error) {
	arms, err := s.arms(e, key)
	if err != nil || len(arms) == 0 {
		return nil, err
	}
	e.memo.mu.Lock()
	defer e.memo.mu.Unlock()
	known, ok := e.memo.contrasts[key]
	if !ok {
		for _, p := range arms {
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
func (s *LocalizationSet) TaskContrasts(e *Entrant, level localization.Level, gold localization.Gold, repository string) ([]TaskContrast, error) {
	arms, err := s.arms(e, contrastKey{gold, repository})
	for _, p := range arms {
		if p.level != level {
			continue
		}
		tasks := make([]TaskContrast, len(p.baseline))
		for i, b := range p.baseline {
			a := p.augmented[i] // both arms have all tasks, in one order
			tasks[i] = TaskContrast{int(b.task), b.triple(), a.triple(), b.answered, a.answered}
		}
		return tasks, nil
	}
	return nil, err
}

// prepareContrasts computes what the page of the two arms shows unless it is
// asked for anything else.
func (b *Board) prepareContrasts() {
	for _, set := range b.Localization {
		// Whoever asks for the page is told of an error.
		_, _ = set.Contrasts(localization.AllGold, "")
	}
}
