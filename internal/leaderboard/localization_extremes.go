package leaderboard

import (
	"touchstone/internal/localization"
	"touchstone/internal/measure"
	"touchstone/internal/statistics"
)

// Share is how many of an arm's tasks ended in an extreme outcome, with Wilson's
// interval, and whether that is known.
func (f FileScore) Share(e localization.Extreme) (measure.Share, bool) {
	if f.Extremes == nil || f.Tasks == 0 {
		return measure.Share{}, false
	}
	n := f.Extremes[e]
	interval, err := statistics.Wilson(n, f.Tasks)
	return measure.Share{Count: n, Rate: float64(n) / float64(f.Tasks), Interval: interval}, err == nil
}

// F1s are the F1 of an arm's tasks, or of those of one repository, in the
// release's order.
func (s *LocalizationSet) F1s(a *Arm, gold localization.Gold, repository string) ([]float64, error) {
	outcomes, err := s.outcomes(a, contrastKey{gold, repository})
	return f1s(outcomes), err
}

func f1s(outcomes []outcome) []float64 {
	values := make([]float64, len(outcomes))
	for i, o := range outcomes {
		values[i] = o.f1
	}
	return values
}

// An ArmComparison sets two arms of one set side by side on its tasks: two
// systems, two levels, or the two conditions.
type ArmComparison struct {
	First, Second *Arm
	Tasks         int
	Extremes      []ExtremeComparison
	Distributions statistics.KolmogorovSmirnov // of F1
	Cliff         statistics.Effect            // of F1; above 0 when the first's are higher
}

// An ExtremeComparison is one extreme outcome of both. The arms share their
// tasks, so McNemar's p is the one to go by; the two-proportion test takes the
// tasks of the two to be others and says what the rates alone, such as a paper
// prints, would show.
type ExtremeComparison struct {
	Outcome       localization.Extreme
	First, Second measure.Share
	Proportions   statistics.ProportionTest
	OnlyFirst     int // tasks that end so for the first alone
	OnlySecond    int
	McNemar       float64
}

// CompareArms compares two arms of the set; nil when one has no task that counts.
func (s *LocalizationSet) CompareArms(first, second *Arm, gold localization.Gold, repository string) (*ArmComparison, error) {
	key := contrastKey{gold, repository}
	a, err := s.outcomes(first, key)
	if err != nil {
		return nil, err
	}
	b, err := s.outcomes(second, key)
	if err != nil {
		return nil, err
	}
	if len(a) == 0 || len(a) != len(b) {
		return nil, nil
	}
	c := &ArmComparison{First: first, Second: second, Tasks: len(a)}
	for _, e := range localization.Extremes {
		x, err := compareExtreme(e, a, b)
		if err != nil {
			return nil, err
		}
		c.Extremes = append(c.Extremes, x)
	}
	f, g := f1s(a), f1s(b)
	if c.Distributions, err = statistics.TwoSamples(f, g); err != nil {
		return nil, err
	}
	c.Cliff, err = statistics.CliffDelta(f, g)
	return c, err
}

func compareExtreme(e localization.Extreme, a, b []outcome) (ExtremeComparison, error) {
	x := ExtremeComparison{Outcome: e}
	for i := range a {
		first, second := e.Is(a[i].score()), e.Is(b[i].score())
		if first {
			x.First.Count++
		}
		if second {
			x.Second.Count++
		}
		if first && !second {
			x.OnlyFirst++
		}
		if second && !first {
			x.OnlySecond++
		}
	}
	for _, share := range []*measure.Share{&x.First, &x.Second} {
		interval, err := statistics.Wilson(share.Count, len(a))
		if err != nil {
			return x, err
		}
		share.Rate, share.Interval = float64(share.Count)/float64(len(a)), interval
	}
	var err error
	if x.Proportions, err = statistics.TwoProportions(x.First.Count, len(a), x.Second.Count, len(b)); err != nil {
		return x, err
	}
	x.McNemar, err = statistics.McNemar(x.OnlyFirst, x.OnlySecond)
	return x, err
}
