package statistics

import (
	"math"
	"slices"
)

// ranks are points made ready for Spearman's correlation.
type ranks struct {
	starts []int
	x, y   levels
}

func newRanks(x, y levels, starts []int) *ranks { return &ranks{starts, x, y} }

func (r *ranks) coefficient(times []int) (float64, bool) {
	clear(r.x.count)
	clear(r.y.count)
	n := 0
	for c, t := range times {
		if t == 0 {
			continue
		}
		for i := r.starts[c]; i < r.starts[c+1]; i++ {
			r.x.count[r.x.of[i]] += t
			r.y.count[r.y.of[i]] += t
			n += t
		}
	}
	xx, yy := r.x.rank(n), r.y.rank(n)
	if xx == 0 || yy == 0 {
		return 0, false
	}
	var xy float64
	for c, t := range times {
		if t == 0 {
			continue
		}
		for i := r.starts[c]; i < r.starts[c+1]; i++ {
			xy += float64(t) * r.x.ranks[r.x.of[i]] * r.y.ranks[r.y.of[i]]
		}
	}
	return bounded(xy / math.Sqrt(xx*yy)), true
}

// levels are the distinct values of a measure, from the smallest on.
type levels struct {
	of    []int32   // the level of each value
	count []int     // how many values are counted on each level
	ranks []float64 // the rank that they share, less the mean of all ranks
}

func newLevels(values []float64) levels {
	distinct := slices.Compact(slices.Sorted(slices.Values(values)))
	of := make([]int32, len(values))
	for i, v := range values {
		at, _ := slices.BinarySearch(distinct, v)
		of[i] = int32(at)
	}
	return levelled(of, len(distinct))
}

// levelled are values of which the levels are known, and how many there are.
func levelled(of []int32, distinct int) levels {
	return levels{of: of, count: make([]int, distinct), ranks: make([]float64, distinct)}
}

// rank sets the ranks of n counted values and gives the sum of their squares.
func (l levels) rank(n int) float64 {
	var squares float64
	below := 0
	for i, count := range l.count {
		l.ranks[i] = float64(below) + float64(count-n)/2
		squares += float64(count) * l.ranks[i] * l.ranks[i]
		below += count
	}
	return squares
}
