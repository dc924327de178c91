package statistics

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A ProportionTest is the outcome of a test of two independent proportions.
type ProportionTest struct {
	Difference float64  `json:"difference"` // first minus second
	Interval   Interval `json:"interval"`   // Newcombe's
	Z          float64  `json:"z"`          // above 0 when the first is larger
	P          float64  `json:"p"`          // two-sided
}

// TwoProportions compares x1 of n1 with x2 of n2, which share no task: by the
// z test with the pooled proportion, without continuity correction, and with
// Newcombe's interval, which the test need not agree with to the last. Where
// both proportions are 0 or both are 1, Z is 0 and P is 1. Errors are those of
// Wilson.
func TwoProportions(x1, n1, x2, n2 int) (ProportionTest, error) {
	interval, err := Newcombe(x1, n1, x2, n2)
	if err != nil {
		return ProportionTest{}, err
	}
	a, b := float64(n1), float64(n2)
	t := ProportionTest{Difference: float64(x1)/a - float64(x2)/b, Interval: interval, P: 1}
	pooled := float64(x1+x2) / (a + b)
	if variance := pooled * (1 - pooled) * (1/a + 1/b); variance > 0 {
		t.Z = t.Difference / math.Sqrt(variance)
		t.P = twoSided(t.Z)
	}
	return t, nil
}

// twoSided is how likely a normal deviate is as far from 0 as z.
func twoSided(z float64) float64 { return min(1, 2*distuv.UnitNormal.Survival(math.Abs(z))) }
