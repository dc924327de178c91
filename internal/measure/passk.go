// Package measure is pure arithmetic: the scores of both tracks, without files,
// databases or clocks.
package measure

import "fmt"

// PassAtK is the unbiased estimate of the chance that at least one of k samples
// passes, when c of n did (Chen et al., 2021):
//
//	1 − C(n−c, k) / C(n, k) = 1 − Π_{i=n−c+1..n} (1 − k/i)
//
// It needs n ≥ k ≥ 1 and 0 ≤ c ≤ n.
func PassAtK(n, c, k int) (float64, error) {
	switch {
	case k < 1:
		return 0, fmt.Errorf("pass@k: k is %d, not 1 or more", k)
	case n < k:
		return 0, fmt.Errorf("pass@%d: %d samples are too few", k, n)
	case c < 0 || c > n:
		return 0, fmt.Errorf("pass@%d: %d of %d samples cannot have passed", k, c, n)
	case n-c < k:
		return 1, nil
	}
	fail := 1.0
	for i := n - c + 1; i <= n; i++ {
		fail *= 1 - float64(k)/float64(i)
	}
	return 1 - fail, nil
}
