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
	Decimals        int // that a paper prints; 0 when it was computed here
}

// Difference is guided minus minimal.
func (g Gain) Difference() float64 { return g.Guided - g.Minimal }

// Gains are those of the set's entrants that have both levels in a condition,
// over all tasks or those of one repository.
func (s *LocalizationSet) Gains(gold localization.Gold, repository string) []Gain {
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
			gains = append(gains, g)
		}
	}
	return gains
}

// GainInterval is that of a gain's paired difference, over all tasks or those of
// one repository; nil when there is none.
func (s *LocalizationSet) GainInterval(g Gain, gold localization.Gold, repository string) (*statistics.Interval, error) {
	return s.pairedInterval(g.Arm(localization.Minimal, g.Condition), g.Arm(localization.Guided, g.Condition), contrastKey{gold, repository})
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
func (s *LocalizationSet) pairedInterval(from, to *Arm, key contrastKey) (*statistics.Interval, error) {
	before, err := s.outcomes(from, key)
	if err != nil {
		return nil, err
	}
	after, err := s.outcomes(to, key)
	if err != nil {
		return nil, err
	}
	if len(before) == 0 || len(before) != len(after) {
		return nil, nil
	}
	difference := make(map[int32]float64, len(after))
	for i, o := range after {
		difference[o.task] = o.f1 - before[i].f1
	}
	return s.meanInterval(after, func(o outcome) float64 { return difference[o.task] })
}
