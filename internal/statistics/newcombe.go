package statistics

import "math"

// Newcombe is the interval of the difference of two independent proportions,
// x1 of n1 minus x2 of n2, from the Wilson interval of each (Newcombe, 1998,
// method 10). It lies within −1 and 1. Errors are those of Wilson.
func Newcombe(x1, n1, x2, n2 int) (Interval, error) {
	first, err := Wilson(x1, n1)
	if err != nil {
		return Interval{}, err
	}
	second, err := Wilson(x2, n2)
	if err != nil {
		return Interval{}, err
	}
	p1, p2 := float64(x1)/float64(n1), float64(x2)/float64(n2)
	return Interval{
		Low:  max(p1-p2-math.Hypot(p1-first.Low, second.High-p2), -1),
		High: min(p1-p2+math.Hypot(first.High-p1, p2-second.Low), 1),
	}, nil
}
