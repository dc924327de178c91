package localization

import (
	"errors"
	"math"

	"touchstone/internal/measure"
	"touchstone/internal/statistics"
)

// A Contrast is what knowledge changes at one level: augmented minus baseline
// on the same tasks, of which one without a prediction is an empty one. What
// varies at random is the repository where there are several, else the task;
// the tests are of these units.
type Contrast struct {
	Level        Level                  `json:"prompt"`
	Tasks        int                    `json:"tasks"`
	Repositories int                    `json:"repositories"`
	Baseline     float64                `json:"baseline"`  // mean F1
	Augmented    float64                `json:"augmented"` // mean F1
	Difference   float64                `json:"difference"`
	Interval     statistics.Bootstrap   `json:"bootstrap"`
	Better       int                    `json:"better"` // tasks with a higher F1
	Same         int                    `json:"same"`
	Worse        int                    `json:"worse"`
	Wilcoxon     statistics.Wilcoxon    `json:"wilcoxon"`
	WilcoxonHolm float64                `json:"wilcoxon_holm"` // p, adjusted for the family
	SignFlip     statistics.Permutation `json:"sign_flip"`
	SignFlipHolm float64                `json:"sign_flip_holm"`
	Effect       statistics.Effect      `json:"d_z"`
	Extremes     []ExtremeContrast      `json:"extremes"`
}

// FewestRepositories is how many repositories a test over repositories needs:
// of five, one flip of signs in sixteen is as extreme as the most extreme one.
const FewestRepositories = 6

// TooFewRepositories tells whether no difference of the contrast could be told
// from chance, however large.
func (c Contrast) TooFewRepositories() bool {
	return c.Repositories > 1 && c.Repositories < FewestRepositories
}

// BeyondChance tells whether both tests, adjusted for the family, say at the
// level of the intervals that knowledge made the difference.
func (c Contrast) BeyondChance() bool {
	return !c.TooFewRepositories() && math.Abs(c.Difference) >= 1e-12 && max(c.WilcoxonHolm, c.SignFlipHolm) <= 1-statistics.Level+1e-12
}

// An ExtremeContrast compares how many tasks end in an extreme outcome.
type ExtremeContrast struct {
	Outcome   Extreme `json:"outcome"`
	Baseline  int     `json:"baseline"`
	Augmented int     `json:"augmented"`
	Lost      int     `json:"lost"`   // tasks with the outcome in the baseline only
	Gained    int     `json:"gained"` // in the augmented arm only
	McNemar   float64 `json:"mcnemar"`
	Holm      float64 `json:"mcnemar_holm"`
}

// An Extreme is an outcome of a task that says all or nothing.
type Extreme string

const (
	ZeroPrecision Extreme = "P=0"
	ZeroRecall    Extreme = "R=0"
	FullRecall    Extreme = "R=1"
	Exact         Extreme = "F1=1"
)

// Extremes lists them in the order of the paper's tables.
var Extremes = []Extreme{ZeroPrecision, ZeroRecall, FullRecall, Exact}

// Is reports whether a task ended so.
func (e Extreme) Is(s measure.FileScore) bool {
	switch e {
	case ZeroPrecision, ZeroRecall:
		return s.TruePositives == 0
	case FullRecall:
		return s.FalseNegatives == 0
	}
	return s.FalseNegatives == 0 && s.FalsePositives == 0
}

// Of is the share of a set's tasks that ended so.
func (e Extreme) Of(s measure.FileScores) measure.Share {
	switch e {
	case ZeroPrecision:
		return s.ZeroPrecision
	case ZeroRecall:
		return s.ZeroRecall
	case FullRecall:
		return s.FullRecall
	}
	return s.Exact
}

// Contrasts compares the two arms at each level that has both, adjusted as one
// family.
func (s Score) Contrasts() ([]Contrast, error) {
	var contrasts []Contrast
	for i := 1; i < len(s.Arms); i++ {
		if a, b := s.Arms[i-1], s.Arms[i]; a.Level == b.Level {
			c, err := Compare(a.Level, a.Tasks, b.Tasks)
			if err != nil {
				return nil, err
			}
			contrasts = append(contrasts, c)
		}
	}
	return contrasts, AdjustFamily(contrasts)
}

// Compare pairs the scores of both arms at a level, task by task. Holm's
// adjustment takes a family: until AdjustFamily, each is its own.
func Compare(level Level, baseline, augmented []TaskScore) (Contrast, error) {
	c := Contrast{Level: level, Tasks: len(baseline)}
	if len(baseline) == 0 || len(baseline) != len(augmented) {
		return c, errors.New("localization: the arms do not have the same tasks")
	}
	repositories := map[string]bool{}
	for i, a := range augmented {
		b := baseline[i]
		if a.Task != b.Task {
			return c, errors.New("localization: the arms do not have the same tasks")
		}
		repositories[a.Repository] = true
		c.Baseline += b.F / float64(c.Tasks)
		c.Augmented += a.F / float64(c.Tasks)
		switch {
		case a.F > b.F:
			c.Better++
		case a.F < b.F:
			c.Worse++
		default:
			c.Same++
		}
	}
	c.Repositories = len(repositories)
	f1 := func(t TaskScore) float64 { return t.F }
	paired, err := statistics.Pair(units(augmented, f1), units(baseline, f1))
	if err != nil {
		return c, err
	}
	average, err := statistics.Micro.Of(paired.Scores)
	if err != nil {
		return c, err
	}
	c.Difference = average.Value
	if c.Interval, err = statistics.Micro.Bootstrap(paired.Scores, Seed); err != nil {
		return c, err
	}
	if err := c.test(means(paired)); err != nil {
		return c, err
	}
	return c, c.compareExtremes(baseline, augmented)
}

// means are the differences of what varies at random: the means of
// repositories, or the tasks of a single one.
func means(p statistics.Paired) []float64 {
	differences := p.Differences()
	var values []float64
	for from := 0; from < len(differences); {
		to, sum := from, 0.0
		for to < len(differences) && p.Scores[to].Repository == p.Scores[from].Repository {
			sum += differences[to]
			to++
		}
		values = append(values, sum/float64(to-from))
		from = to
	}
	return values
}

func (c *Contrast) test(differences []float64) (err error) {
	if c.Wilcoxon, err = statistics.SignedRank(differences); err != nil {
		return err
	}
	if c.SignFlip, err = statistics.SignFlip(differences, Seed); err != nil {
		return err
	}
	c.WilcoxonHolm, c.SignFlipHolm = c.Wilcoxon.P, c.SignFlip.P
	c.Effect, err = statistics.CohenDz(differences)
	return err
}

func (c *Contrast) compareExtremes(baseline, augmented []TaskScore) error {
	for _, outcome := range Extremes {
		e := ExtremeContrast{Outcome: outcome}
		for i, a := range augmented {
			before, after := outcome.Is(baseline[i].FileScore), outcome.Is(a.FileScore)
			if before {
				e.Baseline++
			}
			if after {
				e.Augmented++
			}
			if before && !after {
				e.Lost++
			}
			if after && !before {
				e.Gained++
			}
		}
		p, err := statistics.McNemar(e.Lost, e.Gained)
		if err != nil {
			return err
		}
		e.McNemar, e.Holm = p, p
		c.Extremes = append(c.Extremes, e)
	}
	return nil
}

// AdjustFamily adjusts the p of contrasts that are read together, such as the
// levels of one system or of several, by Holm: each kind of test is a family of
// its own, and each extreme outcome.
func AdjustFamily(contrasts []Contrast) error {
	kinds := []func(*Contrast) (p float64, holm *float64){
		func(c *Contrast) (float64, *float64) { return c.Wilcoxon.P, &c.WilcoxonHolm },
		func(c *Contrast) (float64, *float64) { return c.SignFlip.P, &c.SignFlipHolm },
	}
	for i := range Extremes {
		kinds = append(kinds, func(c *Contrast) (float64, *float64) { return c.Extremes[i].McNemar, &c.Extremes[i].Holm })
	}
	for _, kind := range kinds {
		p := make([]float64, len(contrasts))
		for i := range contrasts {
			p[i], _ = kind(&contrasts[i])
		}
		adjusted, err := statistics.Holm(p)
		if err != nil {
			return err
		}
		for i := range contrasts {
			_, holm := kind(&contrasts[i])
			*holm = adjusted[i]
		}
	}
	return nil
}
