package statistics

import "math"

// orders are points made ready for Kendall's correlation: by X and then by Y.
type orders struct {
	repository []int32
	x, y       []int32 // levels
	countY     []int   // points on each level of Y
	seen       tally   // the same, of the points with a smaller X
}

// newOrders takes the measure of fewer levels for Y, since it is levels of Y
// that are counted up to.
func newOrders(x, y levels, starts []int) *orders {
	if len(x.count) < len(y.count) {
		x, y = y, x
	}
	n := len(x.of)
	o := &orders{repository: make([]int32, n), x: make([]int32, n), y: make([]int32, n), countY: make([]int, len(y.count)), seen: make(tally, len(y.count)+1)}
	repository := make([]int32, n)
	for r := range len(starts) - 1 {
		for i := starts[r]; i < starts[r+1]; i++ {
			repository[i] = int32(r)
		}
	}
	place := make([]int32, n)
	for i := range place {
		place[i] = int32(i)
	}
	for i, p := range x.sorted(y.sorted(place)) {
		o.repository[i], o.x[i], o.y[i] = repository[p], x.of[p], y.of[p]
	}
	return o
}

// sorted puts places of values in the order of their levels; those of one level
// stay in theirs.
func (l levels) sorted(places []int32) []int32 {
	next := make([]int32, len(l.count)+1)
	for _, level := range l.of {
		next[level+1]++
	}
	for i := range l.count {
		next[i+1] += next[i]
	}
	sorted := make([]int32, len(places))
	for _, p := range places {
		level := l.of[p]
		sorted[next[level]] = p
		next[level]++
	}
	return sorted
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

func (t tally) add(level int32, count int) {
	for i := int(level) + 1; i < len(t); i += i & -i {
		t[i] += count
	}
}

// upTo is the sum of the counts of a level and all below.
func (t tally) upTo(level int32) int {
	sum := 0
	for i := int(level) + 1; i > 0; i -= i & -i {
		sum += t[i]
	}
	return sum
}
