package statistics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A Point is what two measures say of the same thing: of a task, of a
// repository, of a system. Several points may be equal.
type Point struct {
	Repository string // what is drawn as one by a bootstrap
	X, Y       float64
}

// clusters are points by repository.
type clusters struct {
	points []Point
	starts []int // where each repository begins, and len(points)
}

// repositories is how many there are.
func (c clusters) repositories() int { return len(c.starts) - 1 }

// clustered puts points into an order that does not depend on theirs. A value
// that is not finite is an error.
func clustered(points []Point) (clusters, error) {
	for _, p := range points {
		for _, v := range []float64{p.X, p.Y} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return clusters{}, fmt.Errorf("a point of %s is (%v, %v), not two finite numbers", p.Repository, p.X, p.Y)
			}
		}
	}
	c := clusters{points: slices.SortedFunc(slices.Values(points), func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
	})}
	for i, p := range c.points {
		if i == 0 || p.Repository != c.points[i-1].Repository {
			c.starts = append(c.starts, i)
		}
	}
	c.starts = append(c.starts, len(c.points))
	return c, nil
}

// columns are the points' coordinates.
func (c clusters) columns() (x, y []float64) {
	for _, p := range c.points {
		x = append(x, p.X)
		y = append(y, p.Y)
	}
	return x, y
}
