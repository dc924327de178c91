package statistics

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Permutation is the outcome of a permutation test, and what it takes to
// repeat it.
type Permutation struct {
	Mean         float64 `json:"mean"` // of the differences; 0 without any
	P            float64 `json:"p"`    // two-sided
	N            int     `json:"n"`    // differences
	Permutations int     `json:"permutations"`
	Seed         uint64  `json:"seed"`
}

// SignFlip asks how often the mean difference T is at least as far from 0 when
// the sign of each difference is left to chance, Resamples times:
//
//	p = (1 + #{|T*| ≥ |T|}) / (B + 1)
//
// A difference is what varies as one: a task's where all tasks are of one
// repository, a repository's mean where there are several. The same
// differences and seed give the same p, in whatever order the differences
// come. Without any difference P is 1. Differences that are not finite are
// errors.
func SignFlip(differences []float64, seed uint64) (Permutation, error) {
	if err := finite("difference", differences); err != nil {
		return Permutation{}, err
	}
	p := Permutation{P: 1, N: len(differences), Permutations: Resamples, Seed: seed}
	if p.N == 0 {
		return p, nil
	}
	sorted := slices.Sorted(slices.Values(differences))
	p.Mean = total(sorted) / float64(p.N)
	p.P = flipped(sorted, Resamples, rand.New(rand.NewPCG(seed, 0)).Uint64)
	return p, nil
}

// flipped takes 64 signs at a time from bits.
func flipped(differences []float64, times int, bits func() uint64) float64 {
	var magnitude float64
	for _, d := range differences {
		magnitude += math.Abs(d)
	}
	// Sums of the same differences in other signs may differ by rounding only.
	least := math.Abs(total(differences)) - negligible*magnitude
	asFar := 0
	for range times {
		var sum float64
		var signs uint64
		for i, d := range differences {
			if i%64 == 0 {
				signs = bits()
			}
			// The lowest bit into the sign: a branch that nobody can
			// foretell would take most of the time.
			sum += math.Float64frombits(math.Float64bits(d) ^ signs<<63)
			signs >>= 1
		}
		if math.Abs(sum) >= least {
			asFar++
		}
	}
	return float64(1+asFar) / float64(times+1)
}
