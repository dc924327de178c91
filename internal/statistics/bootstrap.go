package statistics

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Resamples is B, how often the bootstrap draws.
const Resamples = 10_000

// A Bootstrap is a percentile interval of an average over repositories that
// were drawn anew, and what it takes to draw them again.
type Bootstrap struct {
	Interval  *Interval `json:"interval"`            // nil when it is undefined
	Undefined string    `json:"undefined,omitempty"` // why Interval is nil
	Resamples int       `json:"resamples"`
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
	slices.Sort(means)
	return Interval{quantile(means, 1-upper), quantile(means, upper)}
}

// quantile is the type 7 quantile of sorted values: linear between the order
// statistics around (n−1)·p.
func quantile(sorted []float64, p float64) float64 {
	at := float64(len(sorted)-1) * p
	below := math.Floor(at)
	low := sorted[int(below)]
	high := sorted[min(int(below)+1, len(sorted)-1)]
	return low + (at-below)*(high-low)
}
