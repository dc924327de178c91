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

// levelsOf sorts places rather than values, so that no value is searched for.
func levelsOf(values []float64) ([]int32, int) {
	of := make([]int32, len(values))
	var places []int32
	for i, v := range values {
		if of[i] = -1; !math.IsNaN(v) {
			places = append(places, int32(i))
		}
	}
	slices.SortFunc(places, func(a, b int32) int {
		switch x, y := values[a], values[b]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	level := int32(-1)
	for i, p := range places {
		if i == 0 || values[p] != values[places[i-1]] {
			level++
		}
		of[p] = level
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
