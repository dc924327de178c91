package statistics

import (
	"fmt"
	"math/rand/v2"
)

// Bootstrap is the percentile interval of a correlation over repositories that
// were drawn anew, each with all its points; the headline interval. Resamples
// in which one of the measures is constant have no correlation: they are left
// out and counted in Bootstrap.Constant, and when they are more than 1 − Level
// of all, as many as an interval may miss, it is undefined. The same points,
// resamples and seed give the same interval, in whatever order the points
// come. resamples is Resamples unless that takes too long: a resample takes
// time in proportion to the number of repositories for Pearson, of points n
// for Spearman, and n·log n for Kendall. Errors are those of Of, and fewer than
// one resample.
func (c Correlation) Bootstrap(points []Point, resamples int, seed uint64) (Bootstrap, error) {
	j, err := c.joint(points)
	if err != nil {
		return Bootstrap{}, err
	}
	return j.Bootstrap(resamples, seed)
}

// Bootstrap is that of Correlation.
func (j *Joint) Bootstrap(resamples int, seed uint64) (Bootstrap, error) {
	if resamples < 1 {
		return Bootstrap{}, fmt.Errorf("%d resamples give no interval; there must be one or more", resamples)
	}
	b := Bootstrap{Resamples: resamples, Seed: seed}
	switch r := j.Coefficient(); {
	case r.Value == nil:
		b.Undefined = r.Undefined
		return b, nil
	case j.repositories < 2:
		b.Undefined = OneRepository
		return b, nil
	}
	values := redraw(j.sample, j.repositories, resamples, rand.New(rand.NewPCG(seed, 0)).IntN)
	b.Constant = resamples - len(values)
	if float64(b.Constant) > (1-Level)*float64(resamples) {
		b.Undefined = OftenConstant
		return b, nil
	}
	interval := percentiles(values)
	b.Interval = &interval
	return b, nil
}

// redraw gives the coefficients of resamples that have one. Numbers from 0 to
// n−1 are taken from draw(n).
func redraw(s sample, repositories, resamples int, draw func(n int) int) []float64 {
	values := make([]float64, 0, resamples)
	times := make([]int, repositories)
	for range resamples {
		clear(times)
		for range repositories {
			times[draw(repositories)]++
		}
		if value, ok := s.coefficient(times); ok {
			values = append(values, value)
		}
	}
	return values
}
