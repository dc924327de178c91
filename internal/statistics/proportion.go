package statistics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Wilson is the interval of a proportion of which x of n were seen (Wilson,
// 1927; without continuity correction). It lies within 0 and 1. It needs n ≥ 1
// and 0 ≤ x ≤ n.
func Wilson(x, n int) (Interval, error) {
	if n < 1 || x < 0 || x > n {
		return Interval{}, fmt.Errorf("%d of %d is not a proportion", x, n)
	}
	z := distuv.UnitNormal.Quantile(upper)
	count := float64(n)
	p := float64(x) / count
	scale := 1 + z*z/count
	centre := (p + z*z/(2*count)) / scale
	half := z / scale * math.Sqrt(p*(1-p)/count+z*z/(4*count*count))
	i := Interval{max(centre-half, 0), min(centre+half, 1)}
	// Exactly so by the formula; rounding would leave a trace.
	if x == 0 {
		i.Low = 0
	}
	if x == n {
		i.High = 1
	}
	return i, nil
}
