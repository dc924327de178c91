package statistics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Correlation says how two measures go together, from −1 to 1.
type Correlation string

const (
	// Pearson is how near the points are to a line.
	Pearson Correlation = "pearson"
	// Spearman is Pearson of the ranks; equal values share the mean of theirs.
	Spearman Correlation = "spearman"
	// Kendall is tau-b: pairs in the same order minus pairs in opposite order,
	// (C − D)/√((n0 − n1)·(n0 − n2)), n0 being the number of pairs, n1 and n2
	// those that are tied in the one and in the other (Kendall, 1945).
	Kendall Correlation = "kendall"
)

// Correlations lists every correlation.
var Correlations = []Correlation{Pearson, Spearman, Kendall}

// A Coefficient is a correlation and how sure it is.
type Coefficient struct {
	Value     *float64  `json:"value"`               // −1 to 1; nil when it is undefined
	Interval  *Interval `json:"interval"`            // within −1 and 1; nil when it is undefined
	Undefined string    `json:"undefined,omitempty"` // why Value is nil or, if it is not, why Interval is
	Points    int       `json:"points"`
}

// Why a correlation or a line is undefined.
const (
	FewPoints       = "there are fewer than two points"
	ConstantMeasure = "one of the two measures is the same everywhere"
	// OftenConstant is why a bootstrap of a correlation has no interval.
	OftenConstant = "one of the two measures is the same almost everywhere: too many resamples have no correlation"
)

// Of is the correlation of the points' X and Y. Where one of them is constant
// it is undefined, not 0. The interval is
//
//	tanh(atanh r ± z·SE)
//
// with SE = 1/√(n−3) for Pearson (Fisher, 1921), √((1 + r²/2)/(n−3)) for
// Spearman (Bonett and Wright, 2000) and √(0.437/(n−4)) for Kendall (Fieller,
// Hartley and Pearson, 1957). It takes points to be independent of each other,
// which those of one repository are not: the headline is Bootstrap. Of ±1 it
// has no width. Values that are not finite are errors.
func (c Correlation) Of(points []Point) (Coefficient, error) {
	j, err := c.joint(points)
	if err != nil {
		return Coefficient{}, err
	}
	return j.Coefficient(), nil
}

// Coefficient is the correlation with the interval of Of.
func (j *Joint) Coefficient() Coefficient {
	c, n := j.correlation, j.points
	r := Coefficient{Points: n}
	if n < 2 {
		r.Undefined = FewPoints
		return r
	}
	value, ok := j.sample.coefficient(once(j.repositories))
	if !ok {
		r.Undefined = ConstantMeasure
		return r
	}
	r.Value = &value
	if least := c.leastForInterval(); n < least {
		r.Undefined = fmt.Sprintf("an interval needs %d points", least)
		return r
	}
	half := distuv.UnitNormal.Quantile(upper) * c.se(value, n)
	r.Interval = &Interval{math.Tanh(math.Atanh(value) - half), math.Tanh(math.Atanh(value) + half)}
	return r
}

// leastForInterval is the smallest number of points that has a standard error.
func (c Correlation) leastForInterval() int {
	if c == Kendall {
		return 5
	}
	return 4
}

// se is the standard error of atanh r.
func (c Correlation) se(r float64, points int) float64 {
	n := float64(points)
	switch c {
	case Spearman:
		return math.Sqrt((1 + r*r/2) / (n - 3))
	case Kendall:
		return math.Sqrt(0.437 / (n - 4))
	default:
		return 1 / math.Sqrt(n-3)
	}
}

// A sample is points made ready for one kind of correlation. Its coefficient,
// with the points of repository i counted times[i] times, is undefined where
// one of the measures is constant.
type sample interface {
	coefficient(times []int) (value float64, ok bool)
}

// A Joint is two measures of the same points, made ready for one correlation.
// It is not safe for concurrent use.
type Joint struct {
	correlation  Correlation
	points       int
	repositories int // that have a point
	sample       sample
}

func (c Correlation) joint(points []Point) (*Joint, error) {
	by, s, err := c.sample(points)
	return &Joint{c, len(by.points), by.repositories(), s}, err
}

func (c Correlation) sample(points []Point) (clusters, sample, error) {
	by, err := clustered(points)
	if err != nil {
		return clusters{}, nil, err
	}
	x, y := by.columns()
	switch c {
	case Pearson:
		return by, newMoments(x, y, by.starts), nil
	case Spearman:
		return by, newRanks(newLevels(x), newLevels(y), by.starts), nil
	case Kendall:
		return by, newOrders(newLevels(x), newLevels(y), by.starts), nil
	}
	return clusters{}, nil, c.unknown()
}

func (c Correlation) unknown() error { return fmt.Errorf("%q is not a correlation", c) }

// once counts every repository once.
func once(repositories int) []int {
	times := make([]int, repositories)
	for i := range times {
		times[i] = 1
	}
	return times
}

// bounded keeps rounding from moving a correlation out of its range.
func bounded(r float64) float64 { return min(max(r, -1), 1) }
