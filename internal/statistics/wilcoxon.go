package statistics

import (
	"cmp"
	"math"
	"slices"
)

// Wilcoxon is the outcome of a signed-rank test.
type Wilcoxon struct {
	Positive float64 `json:"positive"` // sum of the ranks of positive differences
	Negative float64 `json:"negative"` // sum of the ranks of negative differences
	N        int     `json:"n"`        // differences that are not 0
	Zeros    int     `json:"zeros"`    // differences that are 0, which are left out
	Z        float64 `json:"z"`        // above 0 when Positive is the larger sum
	P        float64 `json:"p"`        // two-sided
}

// SignedRank ranks the differences by magnitude, equal ones sharing the mean
// of their ranks, and asks whether positive and negative ones would have sums
// of ranks so far apart by chance (Wilcoxon, 1945). Zeros are dropped; p is
// that of the normal distribution with the variance corrected for ties and
// without continuity correction. If nothing is left, Z is 0 and P is 1.
//
// Differences are tied when they are equal to the last bit:
// Paired.Differences rounds what subtraction has put apart. Each is taken to
// be independent of the others. Differences that are not finite are errors.
func SignedRank(differences []float64) (Wilcoxon, error) {
	if err := finite("difference", differences); err != nil {
		return Wilcoxon{}, err
	}
	d := slices.DeleteFunc(slices.Clone(differences), func(d float64) bool { return d == 0 })
	slices.SortFunc(d, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	w := Wilcoxon{N: len(d), Zeros: len(differences) - len(d), P: 1}
	if w.N == 0 {
		return w, nil
	}
	n := float64(w.N)
	variance := n * (n + 1) * (2*n + 1) / 24
	for from := 0; from < len(d); {
		to := from
		for to < len(d) && math.Abs(d[to]) == math.Abs(d[from]) {
			to++
		}
		tied := float64(to - from)
		variance -= (tied*tied*tied - tied) / 48
		rank := float64(from+1+to) / 2
		for ; from < to; from++ {
			if d[from] > 0 {
				w.Positive += rank
			} else {
				w.Negative += rank
			}
		}
	}
	w.Z = (w.Positive - n*(n+1)/4) / math.Sqrt(variance)
	w.P = twoSided(w.Z)
	return w, nil
}
