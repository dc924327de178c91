package statistics

import (
	"cmp"
	"fmt"
	"slices"
)

// Holm adjusts the p of a family of tests, so that the chance of any false
// alarm among those that stay below a bound is at most that bound (Holm,
// 1979): the smallest of m times m, the next times m − 1, and so on, none below
// the one before it and none above 1. They keep their places. A p outside of 0
// to 1 is an error.
func Holm(p []float64) ([]float64, error) {
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("p %d is %v, not from 0 to 1", i, v)
		}
	}
	places := make([]int, len(p))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	adjusted := make([]float64, len(p))
	var last float64
	for done, i := range places {
		last = max(last, min(1, float64(len(p)-done)*p[i]))
		adjusted[i] = last
	}
	return adjusted, nil
}
