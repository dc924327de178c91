package statistics

import "math"

// moments are what points add to Pearson's correlation: their means, and the
// sums of squares and products of deviations from these.
type moments struct{ n, x, y, xx, yy, xy float64 }

// plus is of both sets of points (Chan, Golub and LeVeque, 1983). Sets of one
// and the same value add up to exactly 0.
func (m moments) plus(other moments) moments {
	n := m.n + other.n
	share := other.n / n
	x, y := other.x-m.x, other.y-m.y
	return moments{
		n, m.x + share*x, m.y + share*y,
		m.xx + other.xx + m.n*share*x*x,
		m.yy + other.yy + m.n*share*y*y,
		m.xy + other.xy + m.n*share*x*y,
	}
}

// times is of the same points so many times over.
func (m moments) times(t int) moments {
	f := float64(t)
	return moments{f * m.n, m.x, m.y, f * m.xx, f * m.yy, f * m.xy}
}

// repositoryMoments are points made ready for Pearson's correlation.
type repositoryMoments []moments

func newMoments(x, y []float64, starts []int) repositoryMoments {
	x, y = centred(x), centred(y)
	repositories := make(repositoryMoments, len(starts)-1)
	for r := range repositories {
		for i := starts[r]; i < starts[r+1]; i++ {
			repositories[r] = repositories[r].plus(moments{n: 1, x: x[i], y: y[i]})
		}
	}
	return repositories
}

func (repositories repositoryMoments) coefficient(times []int) (float64, bool) {
	var m moments
	for r, t := range times {
		if t > 0 {
			m = m.plus(repositories[r].times(t))
		}
	}
	if m.xx == 0 || m.yy == 0 {
		return 0, false
	}
	return bounded(m.xy / math.Sqrt(m.xx*m.yy)), true
}

// centred is values less their mean, so that they keep their digits however far
// from 0 they are, in a unit in which no square overflows or vanishes: the
// power of two next to the largest, which changes no digit.
func centred(values []float64) []float64 {
	var largest float64
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	_, exponent := math.Frexp(largest)
	scaled := make([]float64, len(values))
	for i, v := range values {
		scaled[i] = math.Ldexp(v, -exponent)
	}
	mean := total(scaled) / float64(len(scaled))
	for i := range scaled {
		scaled[i] -= mean
	}
	return scaled
}
