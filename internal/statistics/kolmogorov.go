package statistics

import (
	"math"
	"slices"
)

// KolmogorovSmirnov is the outcome of a comparison of two distributions.
type KolmogorovSmirnov struct {
	D         float64 `json:"d"`                   // the largest distance of the two distribution functions, 0 to 1
	P         float64 `json:"p"`                   // two-sided
	Undefined string  `json:"undefined,omitempty"` // why there is no distance: then D is 0 and P is 1
}

// EmptySide is why two samples cannot be compared.
const EmptySide = "one of the two has no value"

// TwoSamples asks how likely two samples of one distribution are as far apart
// as x and y. P is the share, among all ways to deal the pooled values out in
// the sizes of x and y, of those whose distance is at least D: what drawing
// permutations would approach, here counted in full (Schröer and Trenkler,
// 1995). So it is right under ties, where the usual tables are not, and there
// is nothing to seed. It takes time in proportion to len(x)·(len(x)+len(y)).
// Values that are not finite are errors.
func TwoSamples(x, y []float64) (KolmogorovSmirnov, error) {
	if err := finite("value of the first", x); err != nil {
		return KolmogorovSmirnov{}, err
	}
	if err := finite("value of the second", y); err != nil {
		return KolmogorovSmirnov{}, err
	}
	if len(x) == 0 || len(y) == 0 {
		return KolmogorovSmirnov{P: 1, Undefined: EmptySide}, nil
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	distance, ends := apart(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y)))
	return KolmogorovSmirnov{
		D: float64(distance) / float64(len(x)*len(y)),
		P: asFarApart(len(x), len(y), distance, ends),
	}, nil
}

// apart is the largest |i·len(y) − j·len(x)| with i values of x and j of y up
// to some value, and by how many of the pooled values each of them ends.
func apart(x, y []float64) (distance int, ends []int) {
	for i, j := 0, 0; i < len(x) || j < len(y); {
		at := math.Inf(1)
		if i < len(x) {
			at = x[i]
		}
		if j < len(y) {
			at = min(at, y[j])
		}
		for i < len(x) && x[i] == at {
			i++
		}
		for j < len(y) && y[j] == at {
			j++
		}
		distance = max(distance, abs(i*len(y)-j*len(x)))
		ends = append(ends, i+j)
	}
	return distance, ends
}

// asFarApart deals n and m values out one after the other, all ways equally
// likely, and sums the chance of those that are as far apart where a value
// ends. Distances are whole numbers, so that no rounding decides.
func asFarApart(n, m, distance int, ends []int) float64 {
	chance := make([]float64, n+1) // of i values of the first so far, without having been as far apart
	chance[0] = 1
	var p float64
	dealt := 0
	for _, end := range ends {
		for ; dealt < end; dealt++ {
			left := float64(n + m - dealt)
			for i := min(dealt, n); i >= max(0, dealt-m); i-- {
				here := chance[i]
				chance[i] = here * float64(m-dealt+i) / left
				if i < n {
					chance[i+1] += here * float64(n-i) / left
				}
			}
		}
		for i := max(0, dealt-m); i <= min(dealt, n); i++ {
			if abs(i*m-(dealt-i)*n) >= distance {
				p += chance[i]
				chance[i] = 0
			}
		}
	}
	return min(p, 1)
}

func abs(n int) int { return max(n, -n) }
