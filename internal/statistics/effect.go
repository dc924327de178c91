package statistics

import (
	"math"
	"slices"
)

// An Effect is how large a difference is, whatever the number of tasks.
type Effect struct {
	Value     *float64 `json:"value"` // nil when it is undefined
	Undefined string   `json:"undefined,omitempty"`
}

// Why an effect is undefined, besides EmptySide.
const (
	FewDifferences = "there are fewer than two differences"
	NoSpread       = "all differences are the same"
)

// CohenDz is the mean of paired differences in standard deviations of theirs:
// mean(d)/sd(d), with n − 1 in the deviation. Differences that are not finite
// are errors.
func CohenDz(differences []float64) (Effect, error) {
	if err := finite("difference", differences); err != nil {
		return Effect{}, err
	}
	n := float64(len(differences))
	if n < 2 {
		return Effect{Undefined: FewDifferences}, nil
	}
	sorted := slices.Sorted(slices.Values(differences))
	mean := total(sorted) / n
	var squares float64
	for _, d := range sorted {
		squares += (d - mean) * (d - mean)
	}
	sd := math.Sqrt(squares / (n - 1))
	if sd <= negligible*max(math.Abs(sorted[0]), math.Abs(sorted[len(sorted)-1])) {
		return Effect{Undefined: NoSpread}, nil
	}
	d := mean / sd
	return Effect{Value: &d}, nil
}

// CliffDelta is how much likelier a value of x is to be above one of y than
// below: (#{x > y} − #{x < y})/(len(x)·len(y)), from −1 to 1 (Cliff, 1993).
// Values that are not finite are errors.
func CliffDelta(x, y []float64) (Effect, error) {
	if err := finite("value of the first", x); err != nil {
		return Effect{}, err
	}
	if err := finite("value of the second", y); err != nil {
		return Effect{}, err
	}
	if len(x) == 0 || len(y) == 0 {
		return Effect{Undefined: EmptySide}, nil
	}
	sorted := slices.Sorted(slices.Values(y))
	balance := 0
	for _, v := range x {
		below, _ := slices.BinarySearch(sorted, v)
		notAbove, _ := slices.BinarySearch(sorted, math.Nextafter(v, math.Inf(1)))
		balance += below - (len(sorted) - notAbove)
	}
	delta := float64(balance) / float64(len(x)*len(y))
	return Effect{Value: &delta}, nil
}
