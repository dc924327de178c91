package statistics

import (
	"fmt"
	"math"
	"slices"
	"sync"
)

// A Column is one measure of many things, made ready to be correlated with
// other columns of the same things. It is safe for concurrent use.
type Column struct {
	values []float64
	levels func() ([]int32, int) // the level of each value, −1 where there is none; and how many there are
}

// NewColumn takes values; NaN stands where there is none. An infinite value is
// an error.
func NewColumn(values []float64) (*Column, error) {
	for i, v := range values {
		if math.IsInf(v, 0) {
			return nil, fmt.Errorf("value %d is %v, not a finite number", i, v)
		}
	}
	return &Column{values, sync.OnceValues(func() ([]int32, int) { return levelsOf(values) })}, nil
}

// levelsOf sorts values with their places, so that no value is searched for.
func levelsOf(values []float64) ([]int32, int) {
	type placed struct {
		value float64
		at    int32
	}
	of := make([]int32, len(values))
	sorted := make([]placed, 0, len(values))
	for i, v := range values {
		if of[i] = -1; !math.IsNaN(v) {
			sorted = append(sorted, placed{v, int32(i)})
		}
	}
	slices.SortFunc(sorted, func(a, b placed) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return 0
	})
	level := int32(-1)
	for i, p := range sorted {
		if i == 0 || p.value != sorted[i-1].value {
			level++
		}
		of[p.at] = level
	}
	return of, int(level + 1)
}

// Join makes two columns ready, on the things that both have a value of. The
// values of repository i are those from starts[i] up to starts[i+1]; one
// without a value of both is left out. Columns and starts that do not fit each
// other are errors.
func (c Correlation) Join(x, y *Column, starts []int) (*Joint, error) {
	n := len(x.values)
	if len(y.values) != n || len(starts) == 0 || starts[0] != 0 || starts[len(starts)-1] != n || !slices.IsSorted(starts) {
		return nil, fmt.Errorf("columns of %d and %d values do not fit repositories that start at %v", n, len(y.values), starts)
	}
	both := make([]int32, 0, n)
	begins := []int{0}
	for r := range len(starts) - 1 {
		for i := starts[r]; i < starts[r+1]; i++ {
			if !math.IsNaN(x.values[i]) && !math.IsNaN(y.values[i]) {
				both = append(both, int32(i))
			}
		}
		if len(both) > begins[len(begins)-1] {
			begins = append(begins, len(both))
		}
	}
	j := &Joint{correlation: c, points: len(both), repositories: len(begins) - 1}
	switch c {
	case Pearson:
		j.sample = newMoments(chosen(x.values, both), chosen(y.values, both), begins)
	case Spearman, Kendall:
		ofX, levelsX := x.levels()
		ofY, levelsY := y.levels()
		a, b := levelled(chosen(ofX, both), levelsX), levelled(chosen(ofY, both), levelsY)
		if c == Spearman {
			j.sample = newRanks(a, b, begins)
		} else {
			j.sample = newOrders(a, b, begins)
		}
	default:
		return nil, c.unknown()
	}
	return j, nil
}

// Repositories is how many have a point.
func (j *Joint) Repositories() int { return j.repositories }

func chosen[T any](values []T, places []int32) []T {
	some := make([]T, len(places))
	for i, p := range places {
		some[i] = values[p]
	}
	return some
}
