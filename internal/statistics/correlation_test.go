package statistics

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// somePoints are 6 to 45 points of several repositories, with many ties in
// every other set, neither measure constant.
func somePoints(r *rand.Rand) []Point {
	var points []Point
	coarse := r.IntN(2) == 0
	for c := range 3 + r.IntN(7) {
		for range 2 + r.IntN(4) {
			x, y := r.NormFloat64(), r.NormFloat64()
			if coarse {
				x, y = math.Round(x*2)/2, math.Round(y)
			}
			points = append(points, Point{fmt.Sprintf("o/r%d", c), x, y})
		}
	}
	points[0].X, points[1].X, points[0].Y, points[1].Y = -3, 3, -3, 3
	return points
}

// moved are the points after fn.
func moved(points []Point, fn func(Point) Point) []Point {
	other := make([]Point, len(points))
	for i, p := range points {
		other[i] = fn(p)
	}
	return other
}

func valueOf(t *testing.T, c Correlation, points []Point) float64 {
	t.Helper()
	r, err := c.Of(points)
	if err != nil || r.Value == nil {
		t.Fatalf("%s: %+v, %v", c, r, err)
	}
	return *r.Value
}

func TestTheOrderOfPointsDoesNotMatter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		points := somePoints(random)
		other := slices.Clone(points)
		random.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		for _, c := range Correlations {
			a, err1 := c.Of(points)
			b, err2 := c.Of(other)
			if err1 != nil || err2 != nil || !reflect.DeepEqual(a, b) {
				t.Fatalf("%s: %+v, %v and %+v, %v", c, a, err1, b, err2)
			}
			x, err1 := c.Bootstrap(points, 40, 5)
			y, err2 := c.Bootstrap(other, 40, 5)
			if err1 != nil || err2 != nil || !reflect.DeepEqual(x, y) {
				t.Fatalf("bootstrap, %s: %+v, %v and %+v, %v", c, x, err1, y, err2)
			}
		}
		a, err1 := LeastSquares(points)
		b, err2 := LeastSquares(other)
		if err1 != nil || err2 != nil || a != b {
			t.Fatalf("line: %+v, %v and %+v, %v", a, err1, b, err2)
		}
	}
}

func TestACorrelationIsTheSameEitherWay(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for range 100 {
		points := somePoints(random)
		turned := moved(points, func(p Point) Point { return Point{p.Repository, p.Y, p.X} })
		mirrored := moved(points, func(p Point) Point { return Point{p.Repository, -p.X, p.Y} })
		for _, c := range Correlations {
			r := valueOf(t, c, points)
			if other := valueOf(t, c, turned); math.Abs(r-other) > 1e-12 {
				t.Errorf("%s is %v and, turned round, %v", c, r, other)
			}
			if other := valueOf(t, c, mirrored); math.Abs(r+other) > 1e-12 {
				t.Errorf("%s is %v and, mirrored, %v", c, r, other)
			}
		}
	}
}

func TestACorrelationIsBounded(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for range 100 {
		points := somePoints(random)
		for _, c := range Correlations {
			r, err := c.Of(points)
			if err != nil || r.Value == nil || r.Interval == nil || r.Undefined != "" {
				t.Fatalf("%s: %+v, %v", c, r, err)
			}
			if i := *r.Interval; i.Low < -1 || i.Low > *r.Value || *r.Value > i.High || i.High > 1 {
				t.Errorf("%s is %v within %+v", c, *r.Value, i)
			}
		}
	}
}

func TestOrderIsAllThatRankCorrelationsSee(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for range 100 {
		points := somePoints(random)
		bent := moved(points, func(p Point) Point { return Point{p.Repository, math.Exp(p.X), p.Y * p.Y * p.Y} })
		for _, c := range []Correlation{Spearman, Kendall} {
			if a, b := valueOf(t, c, points), valueOf(t, c, bent); a != b {
				t.Errorf("%s is %v and, transformed, %v", c, a, b)
			}
		}
		stretched := moved(points, func(p Point) Point { return Point{p.Repository, 3*p.X - 7, 0.1*p.Y + 1000} })
		if a, b := valueOf(t, Pearson, points), valueOf(t, Pearson, stretched); math.Abs(a-b) > 1e-9 {
			t.Errorf("pearson is %v and, in other units, %v", a, b)
		}
	}
}

func TestKendallComparesEveryPair(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for range 100 {
		points := somePoints(random)
		var balance, untiedX, untiedY float64
		for i, p := range points {
			for _, q := range points[:i] {
				x, y := float64(cmp.Compare(p.X, q.X)), float64(cmp.Compare(p.Y, q.Y))
				balance += x * y
				untiedX += x * x
				untiedY += y * y
			}
		}
		if got, want := valueOf(t, Kendall, points), balance/math.Sqrt(untiedX*untiedY); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestSpearmanIsPearsonOfRanks(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for range 100 {
		points := somePoints(random)
		rank := func(of func(Point) float64, at Point) float64 {
			below, equal := 0, 0
			for _, p := range points {
				switch cmp.Compare(of(p), of(at)) {
				case -1:
					below++
				case 0:
					equal++
				}
			}
			return float64(below) + float64(equal+1)/2
		}
		ranked := moved(points, func(p Point) Point {
			return Point{p.Repository, rank(func(p Point) float64 { return p.X }, p), rank(func(p Point) float64 { return p.Y }, p)}
		})
		if got, want := valueOf(t, Spearman, points), valueOf(t, Pearson, ranked); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestARepositoryCountsAsOftenAsItIsDrawn(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 50 {
		points := somePoints(random)
		for _, c := range Correlations {
			by, s, err := c.sample(points)
			if err != nil {
				t.Fatal(err)
			}
			times := make([]int, by.repositories())
			times[0] = 1 + random.IntN(2) // holds both extremes
			for r := 1; r < len(times); r++ {
				times[r] = random.IntN(3)
			}
			var drawn []Point
			for r, n := range times {
				for range n {
					drawn = append(drawn, by.points[by.starts[r]:by.starts[r+1]]...)
				}
			}
			got, ok := s.coefficient(times)
			if want := valueOf(t, c, drawn); !ok || math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: %v, %v, want %v", c, got, ok, want)
			}
		}
	}
}

func TestARepositoryFarFromTheOthersKeepsItsDigits(t *testing.T) {
	points := []Point{{"o/a", 0, 5}, {"o/a", 1, 7}, {"o/b", 1000, 0}, {"o/b", 1000.001, 0.002}, {"o/b", 1000.002, 0.001}}
	_, s, err := Pearson.sample(points)
	if err != nil {
		t.Fatal(err)
	}
	if r, ok := s.coefficient([]int{0, 2}); !ok || math.Abs(r-0.5) > 1e-8 {
		t.Errorf("%v, %v, want 0.5", r, ok)
	}
}

func TestACorrelationNeedsMeasuresThatVary(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	for _, c := range []struct {
		rule      string
		x, y      []float64
		value     any    // nil when undefined
		undefined string // as it begins
		err       string // as it ends
		only      Correlation
	}{
		{rule: "no point", undefined: FewPoints},
		{rule: "one point", x: []float64{1}, y: []float64{2}, undefined: FewPoints},
		{rule: "two points", x: []float64{1, 2}, y: []float64{5, 3}, value: -1.0, undefined: "an interval needs"},
		{rule: "two equal points", x: []float64{1, 1}, y: []float64{5, 5}, undefined: ConstantMeasure},
		{rule: "x is constant, and no binary fraction", x: []float64{0.1, 0.1, 0.1}, y: []float64{1, 2, 3}, undefined: ConstantMeasure},
		{rule: "y is constant", x: []float64{1, 2, 3}, y: []float64{0, 0, 0}, undefined: ConstantMeasure},
		{rule: "negative zero is zero", x: []float64{0, math.Copysign(0, -1)}, y: []float64{1, 2}, undefined: ConstantMeasure},
		{rule: "three points", x: []float64{1, 2, 3}, y: []float64{1, 2, 3}, value: 1.0, undefined: "an interval needs"},
		{rule: "four points", x: []float64{1, 2, 3, 4}, y: []float64{1, 2, 3, 4}, value: 1.0, only: Pearson},
		{rule: "four points", x: []float64{1, 2, 3, 4}, y: []float64{1, 2, 3, 4}, value: 1.0, undefined: "an interval needs 5 points", only: Kendall},
		{rule: "five points", x: []float64{1, 2, 3, 4, 5}, y: []float64{5, 4, 3, 2, 1}, value: -1.0},
		{rule: "as large and as small as numbers are", x: []float64{-1e308, 1e308, 0}, y: []float64{-5e-324, 5e-324, 0}, value: 1.0, undefined: "an interval needs"},
		{rule: "NaN", x: []float64{1, nan}, y: []float64{1, 2}, err: "a point of o/r001 is (NaN, 2), not two finite numbers"},
		{rule: "infinite", x: []float64{1, 2}, y: []float64{inf, 2}, err: "a point of o/r000 is (1, -Inf), not two finite numbers"},
		{rule: "not a correlation", only: "covariance", err: `"covariance" is not a correlation`},
	} {
		points := columnPoints(c.x, c.y)
		kinds := Correlations
		if c.only != "" {
			kinds = []Correlation{c.only}
		}
		for _, kind := range kinds {
			r, err := kind.Of(points)
			b, again := kind.Bootstrap(points, 10, 1)
			if c.err != "" {
				if err == nil || again == nil || err.Error() != c.err || again.Error() != c.err {
					t.Errorf("%s: %v and %v", c.rule, err, again)
				}
				continue
			}
			if err != nil || again != nil {
				t.Errorf("%s, %s: %v and %v", kind, c.rule, err, again)
				continue
			}
			if c.value == nil && (r.Value != nil || r.Interval != nil || b.Interval != nil || b.Undefined != c.undefined) ||
				c.value != nil && (r.Value == nil || *r.Value != c.value) ||
				(r.Interval == nil) != (c.undefined != "") || !strings.HasPrefix(r.Undefined, c.undefined) || r.Points != len(points) {
				t.Errorf("%s, %s: %+v, %+v", kind, c.rule, r, b)
			}
			if r.Interval != nil && *r.Interval != (Interval{*r.Value, *r.Value}) {
				t.Errorf("%s, %s: the interval of %v is %+v", kind, c.rule, *r.Value, *r.Interval)
			}
		}
	}
}

func TestTheSeedDecidesTheBootstrapOfACorrelation(t *testing.T) {
	points := somePoints(rand.New(rand.NewPCG(8, 8)))
	for _, c := range Correlations {
		first, err := c.Bootstrap(points, 300, 1)
		if err != nil || first.Interval == nil || first.Resamples != 300 || first.Seed != 1 {
			t.Fatalf("%s: %+v, %v", c, first, err)
		}
		if i := *first.Interval; i.Low >= i.High || i.Low < -1 || i.High > 1 {
			t.Errorf("%s: %+v", c, i)
		}
		again, _ := c.Bootstrap(points, 300, 1)
		other, _ := c.Bootstrap(points, 300, 2)
		if *first.Interval != *again.Interval || *first.Interval == *other.Interval {
			t.Errorf("%s: %+v, %+v, %+v", c, *first.Interval, *again.Interval, *other.Interval)
		}
		if _, err := c.Bootstrap(points, 0, 1); err == nil || !strings.HasPrefix(err.Error(), "0 resamples") {
			t.Errorf("%s without a resample: %v", c, err)
		}
	}
	// What a page shows may not change with a library.
	fixed, err := Spearman.Bootstrap(columnPoints([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, []float64{2, 1, 6, 3, 4, 5, 9, 8, 7}), 1000, 42)
	if err != nil || fixed.Interval == nil || fmt.Sprintf("%.4f %.4f", fixed.Interval.Low, fixed.Interval.High) != "0.3966 0.9826" {
		t.Errorf("%+v, %+v, %v", fixed, fixed.Interval, err)
	}
}

func TestWithoutEnoughThatVariesABootstrapIsUndefined(t *testing.T) {
	varied := func(repository string) []Point { return []Point{{repository, 1, 2}, {repository, 2, 1}} }
	flat := func(repository string) []Point { return []Point{{repository, 0, 0}, {repository, 0, 1}} }
	for _, c := range []struct {
		rule      string
		points    []Point
		undefined string
		constant  bool
	}{
		{"one repository", varied("a"), OneRepository, false},
		{"two repositories that vary", slices.Concat(varied("a"), varied("b")), "", false},
		{"a quarter of the resamples is constant", slices.Concat(varied("a"), flat("b")), OftenConstant, true},
		{"few are", slices.Concat(varied("a"), varied("b"), varied("c"), flat("d"), flat("e")), "", true},
	} {
		for _, kind := range Correlations {
			b, err := kind.Bootstrap(c.points, 1000, 1)
			if err != nil || b.Undefined != c.undefined || (b.Interval == nil) != (c.undefined != "") || (b.Constant > 0) != c.constant {
				t.Errorf("%s, %s: %+v, %v", kind, c.rule, b, err)
			}
		}
	}
}

func TestALine(t *testing.T) {
	for _, c := range []struct {
		rule   string
		points []Point
		want   Line
	}{
		{"no point", nil, Line{Undefined: FewPoints}},
		{"one point", columnPoints([]float64{1}, []float64{2}), Line{Undefined: FewPoints}},
		{"two points", columnPoints([]float64{1, 3}, []float64{2, 6}), Line{Slope: 2}},
		{"all above each other", columnPoints([]float64{0.1, 0.1, 0.1}, []float64{1, 2, 3}), Line{Undefined: ConstantX}},
		{"level", columnPoints([]float64{1, 2, 3}, []float64{4, 4, 4}), Line{Intercept: 4}},
	} {
		if got, err := LeastSquares(c.points); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v", c.rule, got, err)
		}
	}
	if l, err := LeastSquares(columnPoints([]float64{1, math.NaN()}, []float64{1, 2})); err == nil {
		t.Errorf("NaN: %+v", l)
	}
}

func BenchmarkCorrelationBootstrap(b *testing.B) {
	random := rand.New(rand.NewPCG(9, 9))
	var points []Point
	for i := range 3000 {
		points = append(points, Point{fmt.Sprint("r", i%28), float64(random.IntN(6)) / 5, random.Float64()})
	}
	for _, c := range Correlations {
		b.Run(string(c), func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Bootstrap(points, Resamples, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
