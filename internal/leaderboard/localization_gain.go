package leaderboard

import (
	"touchstone/internal/localization"
	"touchstone/internal/statistics"
)

// A Gain is what a system's F1 grows by from minimal to guided prompts (the
// localization paper, Figure 10).
type Gain struct {
	*Entrant
	Condition       localization.Condition
	Minimal, Guided float64
	Interval        *statistics.Interval // of the paired difference; nil when there is none
	Decimals        int                  // that a paper prints; 0 when it was computed here
}

// Difference is guided minus minimal.
func (g Gain) Difference() float64 { return g.Guided - g.Minimal }

// Gains are those of the set's entrants that have both levels in a condition,
// over all tasks or those of one repository.
func (s *LocalizationSet) Gains(gold localization.Gold, repository string) ([]Gain, error) {
	var gains []Gain
	for _, e := range s.Entrants {
		for _, condition := range localization.Conditions {
			from, to := e.Arm(localization.Minimal, condition), e.Arm(localization.Guided, condition)
			if from == nil || to == nil {
				continue
			}
			before, after := s.score(from, gold, repository), s.score(to, gold, repository)
			if !before.Known || !after.Known {
				continue
			}
			g := Gain{Entrant: e, Condition: condition, Minimal: before.Macro.F1, Guided: after.Macro.F1, Decimals: max(before.Decimals, after.Decimals)}
			var err error
			if g.Interval, err = s.pairedInterval(s.outcomes(from, contrastKey{gold, repository}), s.outcomes(to, contrastKey{gold, repository})); err != nil {
				return nil, err
			}
			gains = append(gains, g)
		}
	}
	return gains, nil
}

// score is an arm's over all tasks, or over those of one repository.
func (s *LocalizationSet) score(a *Arm, gold localization.Gold, repository string) FileScore {
	if repository == "" {
		return a.Whole(gold)
	}
	if i, ok := s.Index(repository); ok {
		return a.On(i, gold)
	}
	return FileScore{}
}

// pairedInterval is that of the mean difference of F1 on the same tasks.
func (s *LocalizationSet) pairedInterval(before, after []outcome) (*statistics.Interval, error) {
	if len(before) == 0 || len(before) != len(after) {
		return nil, nil
	}
	difference := make(map[int32]float64, len(after))
	for i, o := range after {
		difference[o.task] = o.f1 - before[i].f1
	}
	return s.meanInterval(after, func(o outcome) float64 { return difference[o.task] })
}
