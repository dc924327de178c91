package statistics

import (
	"fmt"

	"gonum.org/v1/gonum/stat/distuv"
)

// McNemar is the exact two-sided p that two systems do equally well on tasks
// of which b only the first solved and c only the second (McNemar, 1947):
//
//	p = min(1, 2·Σ_{i ≤ min(b,c)} C(b+c, i)·2^−(b+c))
//
// It is the sign test of b positive and c negative differences, too. Without
// such a task p is 1. Negative counts are errors.
func McNemar(b, c int) (float64, error) {
	if b < 0 || c < 0 {
		return 0, fmt.Errorf("%d and %d tasks are not two counts", b, c)
	}
	if b == c {
		return 1, nil
	}
	return min(1, 2*distuv.Binomial{N: float64(b + c), P: 0.5}.CDF(float64(min(b, c)))), nil
}
