package statistics

import (
	"fmt"
	"math"
)

// Paired are the differences of two systems on the tasks that both have a
// score for. An Average of Scores, or its Bootstrap, is the difference of the
// systems with the interval that belongs to it.
type Paired struct {
	Scores     []Score // first minus second
	OnlyFirst  int     // tasks without a score of the second, which are left out
	OnlySecond int
}

// Differences are the values of the scores, rounded to twelve decimals. So
// 0.3 − 0.2 and 0.2 − 0.1 are the same, as a test that ranks them must know.
func (p Paired) Differences() []float64 {
	differences := make([]float64, len(p.Scores))
	for i, s := range p.Scores {
		differences[i] = math.Round(s.Value*1e12) / 1e12
	}
	return differences
}

// Pair takes the scores of the second system from those of the first, task by
// task. Errors are those of Average.Of, and a task whose weight differs.
func Pair(first, second []Score) (Paired, error) {
	a, err := sorted(first)
	if err != nil {
		return Paired{}, err
	}
	b, err := sorted(second)
	if err != nil {
		return Paired{}, err
	}
	return pair(a, b)
}

// pair merges scores that are sorted.
func pair(a, b []Score) (Paired, error) {
	var p Paired
	for len(a) > 0 && len(b) > 0 {
		switch order := byTask(a[0], b[0]); {
		case order < 0:
			p.OnlyFirst++
			a = a[1:]
		case order > 0:
			p.OnlySecond++
			b = b[1:]
		default:
			if a[0].Weight != b[0].Weight {
				return Paired{}, fmt.Errorf("%s has weight %v in one system and %v in the other", a[0].name(), a[0].Weight, b[0].Weight)
			}
			difference := a[0]
			difference.Value -= b[0].Value
			p.Scores = append(p.Scores, difference)
			a, b = a[1:], b[1:]
		}
	}
	p.OnlyFirst += len(a)
	p.OnlySecond += len(b)
	return p, nil
}
