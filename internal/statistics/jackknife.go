package statistics

import "math"

// A Jackknife is the interval of a correlation from what it is without each of
// the repositories.
type Jackknife struct {
	Interval  *Interval `json:"interval"`            // within −1 and 1; nil when it is undefined
	Undefined string    `json:"undefined,omitempty"` // why Interval is nil
}

// Why a jackknife is undefined although the correlation is not.
const (
	// ConstantWithout is of a measure that varies in one repository only.
	ConstantWithout = "without one of the repositories a measure is the same everywhere"
	// PerfectWithout is of a correlation that is −1 or 1.
	PerfectWithout = "the correlation is perfect, or is so without one of the repositories"
)

// Jackknife is the interval tanh(z ± t·SE) with z = atanh r, C−1 degrees of
// freedom of t for C repositories, and
//
//	SE² = (C−1)/C · Σ (z₋ᵢ − z̄)²
//
// where z₋ᵢ leaves repository i out (Tukey, 1958). Like Bootstrap it takes
// repositories to be independent, not points; it needs C coefficients instead
// of thousands.
func (j *Joint) Jackknife() Jackknife {
	switch r := j.Coefficient(); {
	case r.Value == nil:
		return Jackknife{Undefined: r.Undefined}
	case j.repositories < 2:
		return Jackknife{Undefined: OneRepository}
	default:
		return j.jackknife(*r.Value)
	}
}

func (j *Joint) jackknife(value float64) Jackknife {
	c := j.repositories
	times := once(c)
	without := make([]float64, c)
	var mean float64
	for i := range without {
		times[i] = 0
		r, ok := j.sample.coefficient(times)
		times[i] = 1
		if !ok {
			return Jackknife{Undefined: ConstantWithout}
		}
		if math.Abs(r) == 1 || math.Abs(value) == 1 {
			return Jackknife{Undefined: PerfectWithout}
		}
		without[i] = math.Atanh(r)
		mean += without[i] / float64(c)
	}
	var squares float64
	for _, z := range without {
		squares += (z - mean) * (z - mean)
	}
	half := studentT(c-1) * math.Sqrt(float64(c-1)/float64(c)*squares)
	z := math.Atanh(value)
	return Jackknife{Interval: &Interval{math.Tanh(z - half), math.Tanh(z + half)}}
}
