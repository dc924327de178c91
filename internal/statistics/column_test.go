package statistics

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// columnsOf are points as columns, with things of which one measure or both are
// missing in between, and repositories without any point.
func columnsOf(random *rand.Rand, points []Point) (x, y []float64, starts []int) {
	by, _ := clustered(points)
	starts = []int{0}
	gap := func() {
		for range random.IntN(3) {
			x, y = append(x, math.NaN()), append(y, []float64{math.NaN(), 7}[random.IntN(2)])
		}
	}
	for r := range by.repositories() {
		group := slices.Clone(by.points[by.starts[r]:by.starts[r+1]])
		random.Shuffle(len(group), func(i, j int) { group[i], group[j] = group[j], group[i] })
		for _, p := range group {
			gap()
			x, y = append(x, p.X), append(y, p.Y)
		}
		starts = append(starts, len(x))
		if random.IntN(3) == 0 {
			gap()
			starts = append(starts, len(x))
		}
	}
	return x, y, starts
}

func joined(t *testing.T, c Correlation, x, y []float64, starts []int) *Joint {
	t.Helper()
	a, err := NewColumn(x)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewColumn(y)
	if err != nil {
		t.Fatal(err)
	}
	j, err := c.Join(a, b, starts)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func near(a, b *Interval) bool {
	if a == nil || b == nil {
		return a == b
	}
	return math.Abs(a.Low-b.Low) < 1e-12 && math.Abs(a.High-b.High) < 1e-12
}

func TestColumnsCorrelateAsTheirPointsDo(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	for range 60 {
		points := somePoints(random)
		x, y, starts := columnsOf(random, points)
		for _, c := range Correlations {
			j := joined(t, c, x, y, starts)
			want, err := c.Of(points)
			if err != nil {
				t.Fatal(err)
			}
			if got := j.Coefficient(); math.Abs(*got.Value-*want.Value) > 1e-12 || !near(got.Interval, want.Interval) || got.Points != len(points) {
				t.Fatalf("%s: %+v, want %+v", c, got, want)
			}
			a, err1 := j.Bootstrap(50, 4)
			b, err2 := c.Bootstrap(points, 50, 4)
			if err1 != nil || err2 != nil || !near(a.Interval, b.Interval) || a.Constant != b.Constant || a.Undefined != b.Undefined {
				t.Fatalf("%s: %+v, %v and %+v, %v", c, a, err1, b, err2)
			}
		}
	}
}

func TestColumnsThatDoNotFitAreRefused(t *testing.T) {
	if _, err := NewColumn([]float64{0, math.Inf(1)}); err == nil || !strings.Contains(err.Error(), "value 1 is +Inf") {
		t.Error(err)
	}
	two, _ := NewColumn([]float64{1, 2})
	three, _ := NewColumn([]float64{1, 2, 3})
	for _, x := range []struct {
		c      Correlation
		y      *Column
		starts []int
	}{{Pearson, three, []int{0, 2}}, {Pearson, two, nil}, {Pearson, two, []int{0, 1}}, {Pearson, two, []int{1, 2}}, {Pearson, two, []int{0, 2, 1, 2}}, {"gamma", two, []int{0, 2}}} {
		if _, err := x.c.Join(two, x.y, x.starts); err == nil {
			t.Errorf("%+v is taken", x)
		}
	}
}

func TestAColumnWithoutValuesHasNoCorrelation(t *testing.T) {
	nan := math.NaN()
	for _, c := range Correlations {
		j := joined(t, c, []float64{nan, nan, 1}, []float64{1, 2, nan}, []int{0, 1, 3})
		if r := j.Coefficient(); r.Value != nil || r.Undefined != FewPoints || j.Repositories() != 0 {
			t.Errorf("%s: %+v", c, r)
		}
		if k := j.Jackknife(); k.Interval != nil || k.Undefined != FewPoints {
			t.Errorf("%s: %+v", c, k)
		}
	}
}

func TestTheJackknifeMatchesScipy(t *testing.T) {
	data, err := os.ReadFile("testdata/jackknife.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		var v struct {
			Points    []Point
			Intervals map[Correlation][2]float64
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		for _, c := range Correlations {
			j, err := c.joint(v.Points)
			if err != nil {
				t.Fatal(err)
			}
			want := v.Intervals[c]
			if got := j.Jackknife(); got.Interval == nil || math.Abs(got.Interval.Low-want[0]) > 1e-9 || math.Abs(got.Interval.High-want[1]) > 1e-9 {
				t.Errorf("%s: %+v, want %v", c, got, want)
			}
			n++
		}
	}
	if n != 36 {
		t.Errorf("%d intervals", n)
	}
}

func TestAJackknifeNeedsRepositoriesThatVary(t *testing.T) {
	for _, x := range []struct {
		name   string
		points []Point
		want   Jackknife
	}{
		{"one repository", []Point{{"a", 1, 2}, {"a", 2, 1}, {"a", 3, 4}}, Jackknife{Undefined: OneRepository}},
		{"constant", []Point{{"a", 1, 2}, {"b", 1, 3}}, Jackknife{Undefined: ConstantMeasure}},
		{"constant without one", []Point{{"a", 1, 2}, {"a", 1, 3}, {"b", 5, 1}, {"b", 4, 2}, {"b", 3, 9}}, Jackknife{Undefined: ConstantWithout}},
		{"perfect", []Point{{"a", 1, 1}, {"a", 2, 2}, {"b", 3, 3}, {"b", 4, 4}}, Jackknife{Undefined: PerfectWithout}},
	} {
		j, err := Pearson.joint(x.points)
		if err != nil {
			t.Fatal(err)
		}
		if got := j.Jackknife(); !reflect.DeepEqual(got, x.want) {
			t.Errorf("%s: %+v, want %+v", x.name, got, x.want)
		}
	}
}
