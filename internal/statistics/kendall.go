package statistics

import (
	"cmp"
	"math"
	"slices"
)

// orders are points made ready for Kendall's correlation: by X and then by Y.
type orders struct {
	repository []int
	x, y       []int // levels
	countY     []int // points on each level of Y
	seen       tally // the same, of the points with a smaller X
}

func newOrders(by clusters) *orders {
	x, y := by.columns()
	levelX, levelY := newLevels(x), newLevels(y)
	repository := make([]int, len(by.points))
	place := make([]int, len(by.points))
	for r := range by.repositories() {
		for i := by.starts[r]; i < by.starts[r+1]; i++ {
			repository[i], place[i] = r, i
		}
	}
	slices.SortFunc(place, func(i, j int) int {
		return cmp.Or(cmp.Compare(levelX.of[i], levelX.of[j]), cmp.Compare(levelY.of[i], levelY.of[j]))
	})
	o := &orders{countY: levelY.count, seen: make(tally, len(levelY.count)+1)}
	for _, i := range place {
		o.repository = append(o.repository, repository[i])
		o.x = append(o.x, levelX.of[i])
		o.y = append(o.y, levelY.of[i])
	}
	return o
}

// coefficient counts pairs as Knight (1966) does: those in opposite order in
// one pass over the points, all others by counting ties.
func (o *orders) coefficient(times []int) (float64, bool) {
	clear(o.countY)
	clear(o.seen)
	var n, tiedX, tiedY, tiedBoth, opposite int
	for from := 0; from < len(o.x); {
		to, withX := from, 0
		for to < len(o.x) && o.x[to] == o.x[from] {
			y, withBoth := o.y[to], 0
			for ; to < len(o.x) && o.x[to] == o.x[from] && o.y[to] == y; to++ {
				withBoth += times[o.repository[to]]
			}
			opposite += withBoth * (n - o.seen.upTo(y))
			tiedBoth += pairs(withBoth)
			o.countY[y] += withBoth
			withX += withBoth
		}
		// Only now: points of the same X are in no order.
		for ; from < to; from++ {
			if t := times[o.repository[from]]; t > 0 {
				o.seen.add(o.y[from], t)
			}
		}
		tiedX += pairs(withX)
		n += withX
	}
	for _, count := range o.countY {
		tiedY += pairs(count)
	}
	all := pairs(n)
	if all == tiedX || all == tiedY {
		return 0, false
	}
	same := all - tiedX - tiedY + tiedBoth - opposite
	return bounded(float64(same-opposite) / math.Sqrt(float64(all-tiedX)*float64(all-tiedY))), true
}

// pairs is how many there are of n things.
func pairs(n int) int { return n * (n - 1) / 2 }

// A tally counts on levels and sums counts up to a level, both in logarithmic
// time (Fenwick, 1994).
type tally []int

func (t tally) add(level, count int) {
	for i := level + 1; i < len(t); i += i & -i {
		t[i] += count
	}
}

// upTo is the sum of the counts of a level and all below.
func (t tally) upTo(level int) int {
	sum := 0
	for i := level + 1; i > 0; i -= i & -i {
		sum += t[i]
	}
	return sum
}
