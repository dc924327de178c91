package statistics

import (
	"fmt"
	"math"
	"slices"
)

// Quantiles are those of type 7 of Hyndman and Fan (1996), as numpy's, at each
// of the shares, which lie from 0, the smallest value, to 1, the largest. There
// are none, and no error, without any value. Values that are not finite and
// shares out of range are errors.
func Quantiles(values []float64, shares ...float64) ([]float64, error) {
	if err := finite("value", values); err != nil {
		return nil, err
	}
	for _, share := range shares {
		if !(share >= 0 && share <= 1) {
			return nil, fmt.Errorf("a quantile lies at a share from 0 to 1, not at %v", share)
		}
	}
	if len(values) == 0 {
		return nil, nil
	}
	sorted := slices.Sorted(slices.Values(values))
	quantiles := make([]float64, len(shares))
	for i, share := range shares {
		quantiles[i] = quantile(sorted, share)
	}
	return quantiles, nil
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
