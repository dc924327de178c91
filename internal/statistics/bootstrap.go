package statistics

import (
	"math/rand/v2"
	"slices"
)

// Resamples is B, how often a bootstrap draws and a permutation test permutes.
const Resamples = 10_000

// A Bootstrap is a percentile interval of an average or a correlation over
// repositories that were drawn anew, and what it takes to draw them again.
type Bootstrap struct {
	Interval  *Interval `json:"interval"`            // nil when it is undefined
	Undefined string    `json:"undefined,omitempty"` // why Interval is nil
	Resamples int       `json:"resamples"`
	Constant  int       `json:"constant,omitempty"` // resamples that have no correlation and are left out
	Seed      uint64    `json:"seed"`
}

// Bootstrap draws as many repositories as there are, with replacement and with
// all their tasks, Resamples times, and takes the percentiles of the averages
// (type 7 of Hyndman and Fan, as numpy does). The same scores and seed give
// the same interval, in whatever order the scores come. Errors are those of
// Of.
func (a Average) Bootstrap(scores []Score, seed uint64) (Bootstrap, error) {
	s, err := sorted(scores)
	if err != nil {
		return Bootstrap{}, err
	}
	parts, err := a.parts(s)
	if err != nil {
		return Bootstrap{}, err
	}
	b := Bootstrap{Undefined: undefined(len(parts)), Resamples: Resamples, Seed: seed}
	if b.Undefined == "" {
		interval := resample(parts, Resamples, rand.New(rand.NewPCG(seed, 0)).IntN)
		b.Interval = &interval
	}
	return b, nil
}

// resample takes draw(n), which gives numbers from 0 to n−1, for chance.
func resample(parts []part, times int, draw func(n int) int) Interval {
	means := make([]float64, times)
	drawn := make([]part, len(parts))
	for i := range means {
		for j := range drawn {
			drawn[j] = parts[draw(len(parts))]
		}
		means[i] = mean(drawn)
	}
	return percentiles(means)
}

// percentiles is the interval that holds Level of the values. It sorts them.
func percentiles(values []float64) Interval {
	slices.Sort(values)
	return Interval{quantile(values, 1-upper), quantile(values, upper)}
}
