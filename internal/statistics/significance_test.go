package statistics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// someValues are up to 20 values in tenths from −1 to 1, with ties and zeros.
func someValues(r *rand.Rand) []float64 {
	values := make([]float64, 1+r.IntN(20))
	for i := range values {
		values[i] = float64(r.IntN(21)-10) / 10
	}
	return values
}

func negated(values []float64) []float64 {
	other := make([]float64, len(values))
	for i, v := range values {
		other[i] = -v
	}
	return other
}

func permuted(r *rand.Rand, values []float64) []float64 {
	other := slices.Clone(values)
	r.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
	return other
}

func isP(p float64) bool { return p >= 0 && p <= 1 }

func TestTheOrderOfDifferencesDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		d := someValues(r)
		other := permuted(r, d)
		w1, err1 := SignedRank(d)
		w2, err2 := SignedRank(other)
		if err1 != nil || err2 != nil || w1 != w2 {
			t.Fatalf("%+v, %v and %+v, %v", w1, err1, w2, err2)
		}
		p1, err1 := SignFlip(d, 4)
		p2, err2 := SignFlip(other, 4)
		if err1 != nil || err2 != nil || p1 != p2 {
			t.Fatalf("%+v, %v and %+v, %v", p1, err1, p2, err2)
		}
		e1, err1 := CohenDz(d)
		e2, err2 := CohenDz(other)
		if err1 != nil || err2 != nil || !reflect.DeepEqual(e1, e2) {
			t.Fatalf("%+v, %v and %+v, %v", e1, err1, e2, err2)
		}
		x, y := someValues(r), someValues(r)
		k1, err1 := TwoSamples(x, y)
		k2, err2 := TwoSamples(permuted(r, x), permuted(r, y))
		if err1 != nil || err2 != nil || k1 != k2 {
			t.Fatalf("%+v, %v and %+v, %v", k1, err1, k2, err2)
		}
		q1, err1 := Quantiles(d, 0.1, 0.5)
		q2, err2 := Quantiles(other, 0.1, 0.5)
		if err1 != nil || err2 != nil || !slices.Equal(q1, q2) {
			t.Fatalf("%v, %v and %v, %v", q1, err1, q2, err2)
		}
	}
}

func TestTheOtherWayRoundIsTheSameTest(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 30 {
		d := someValues(r)
		w1, err1 := SignedRank(d)
		w2, err2 := SignedRank(negated(d))
		if err1 != nil || err2 != nil || w1.Positive != w2.Negative || w1.Z != -w2.Z || w1.P != w2.P || !isP(w1.P) {
			t.Fatalf("%+v, %v and %+v, %v", w1, err1, w2, err2)
		}
		if n := float64(w1.N); w1.Positive+w1.Negative != n*(n+1)/2 || w1.N+w1.Zeros != len(d) {
			t.Fatalf("ranks of %v: %+v", d, w1)
		}
		p1, err1 := SignFlip(d, 4)
		p2, err2 := SignFlip(negated(d), 4)
		if err1 != nil || err2 != nil || math.Abs(p1.Mean+p2.Mean) > 1e-12 || math.Abs(p1.P-p2.P) > 0.04 || !isP(p1.P) {
			t.Fatalf("%+v, %v and %+v, %v", p1, err1, p2, err2)
		}
		x, y := someValues(r), someValues(r)
		k1, err1 := TwoSamples(x, y)
		k2, err2 := TwoSamples(y, x)
		if err1 != nil || err2 != nil || k1.D != k2.D || math.Abs(k1.P-k2.P) > 1e-12 || !isP(k1.P) || !isP(k1.D) {
			t.Fatalf("%+v, %v and %+v, %v", k1, err1, k2, err2)
		}
		// Any increasing transform leaves the order, and so D and delta.
		bent := func(values []float64) []float64 {
			other := slices.Clone(values)
			for i := range other {
				other[i] = math.Exp(other[i])
			}
			return other
		}
		if k3, err := TwoSamples(bent(x), bent(y)); err != nil || k3 != k1 {
			t.Fatalf("%+v, %v, want %+v", k3, err, k1)
		}
		c1, err1 := CliffDelta(x, y)
		c2, err2 := CliffDelta(y, x)
		c3, err3 := CliffDelta(bent(x), bent(y))
		if err1 != nil || err2 != nil || err3 != nil || *c1.Value != -*c2.Value || *c1.Value != *c3.Value || math.Abs(*c1.Value) > 1 {
			t.Fatalf("%v, %v, %v", *c1.Value, *c2.Value, *c3.Value)
		}
		a, b, n, m := r.IntN(9), r.IntN(9), 9+r.IntN(9), 9+r.IntN(90)
		t1, err1 := TwoProportions(a, n, b, m)
		t2, err2 := TwoProportions(b, m, a, n)
		if err1 != nil || err2 != nil || t1.Z != -t2.Z || t1.P != t2.P || t1.Difference != -t2.Difference || !isP(t1.P) ||
			math.Abs(t1.Interval.Low+t2.Interval.High) > 1e-12 || t1.Interval.Low > t1.Difference || t1.Interval.High < t1.Difference {
			t.Fatalf("%+v, %v and %+v, %v", t1, err1, t2, err2)
		}
		p, err1 := McNemar(a, b)
		q, err2 := McNemar(b, a)
		if err1 != nil || err2 != nil || p != q || !isP(p) || p == 0 {
			t.Fatalf("%v, %v and %v, %v", p, err1, q, err2)
		}
	}
}

func TestTestsOfAlmostNothing(t *testing.T) {
	for _, c := range []struct {
		rule string
		d    []float64
		want Wilcoxon
		p    float64 // of flipped signs
		dz   Effect
	}{
		{"no difference", nil, Wilcoxon{P: 1}, 1, Effect{Undefined: FewDifferences}},
		{"one zero", []float64{0}, Wilcoxon{Zeros: 1, P: 1}, 1, Effect{Undefined: FewDifferences}},
		{"one difference", []float64{-2}, Wilcoxon{Negative: 1, N: 1, Z: -1, P: 2 * (1 - normalBelow(1))}, 1, Effect{Undefined: FewDifferences}},
		{"all zero", []float64{0, 0, 0}, Wilcoxon{Zeros: 3, P: 1}, 1, Effect{Undefined: NoSpread}},
		{"two that cancel", []float64{0.1, -0.1}, Wilcoxon{Positive: 1.5, Negative: 1.5, N: 2, P: 1}, 1, Effect{Value: new(float64)}},
		{"the same but for rounding", []float64{0.09999999999999998, 0.1}, Wilcoxon{Positive: 3, N: 2, Z: 1.5 / math.Sqrt(1.25), P: 2 * (1 - normalBelow(1.5/math.Sqrt(1.25)))},
			0.5, Effect{Undefined: NoSpread}},
	} {
		w, err := SignedRank(c.d)
		if err != nil || math.Abs(w.Z-c.want.Z) > 1e-12 || math.Abs(w.P-c.want.P) > 1e-12 {
			t.Errorf("%s: %+v, %v", c.rule, w, err)
		}
		if w.Z, w.P = c.want.Z, c.want.P; w != c.want {
			t.Errorf("%s: %+v", c.rule, w)
		}
		if p, err := SignFlip(c.d, 9); err != nil || math.Abs(p.P-c.p) > 0.02 || p.N != len(c.d) {
			t.Errorf("%s: %+v, %v", c.rule, p, err)
		}
		if e, err := CohenDz(c.d); err != nil || !reflect.DeepEqual(e, c.dz) {
			t.Errorf("%s: %+v, %v", c.rule, e, err)
		}
	}
	for _, c := range []struct {
		rule      string
		x, y      []float64
		d, p      float64
		delta     float64
		undefined string
	}{
		{"no value", nil, nil, 0, 1, 0, EmptySide},
		{"none of the first", nil, []float64{1}, 0, 1, 0, EmptySide},
		{"none of the second", []float64{1}, nil, 0, 1, 0, EmptySide},
		{"equal", []float64{1}, []float64{1}, 0, 1, 0, ""},
		{"one and one", []float64{1}, []float64{2}, 1, 1, -1, ""},
		{"two and two", []float64{1, 2}, []float64{3, 4}, 1, 1.0 / 3, -1, ""},
		{"zeros of either sign are one value", []float64{0, 0}, []float64{math.Copysign(0, -1)}, 0, 1, 0, ""},
		{"the largest number", []float64{math.MaxFloat64}, []float64{-math.MaxFloat64, math.MaxFloat64}, 0.5, 1, 0.5, ""},
	} {
		k, err := TwoSamples(c.x, c.y)
		if err != nil || k.D != c.d || math.Abs(k.P-c.p) > 1e-12 || k.Undefined != c.undefined {
			t.Errorf("%s: %+v, %v", c.rule, k, err)
		}
		e, err := CliffDelta(c.x, c.y)
		if err != nil || (e.Value == nil) != (c.undefined != "") || e.Undefined != c.undefined || e.Value != nil && *e.Value != c.delta {
			t.Errorf("%s: %+v, %v", c.rule, e, err)
		}
	}
	for _, c := range [][4]int{{0, 1, 0, 1}, {1, 1, 1, 1}, {0, 5, 0, 900}, {5, 5, 900, 900}} {
		p, err := TwoProportions(c[0], c[1], c[2], c[3])
		if err != nil || p.Z != 0 || p.P != 1 || p.Difference != 0 || p.Interval.Low >= 0 || p.Interval.High <= 0 {
			t.Errorf("%v: %+v, %v", c, p, err)
		}
	}
}

// normalBelow is the share of a normal distribution below z.
func normalBelow(z float64) float64 { return (1 + math.Erf(z/math.Sqrt2)) / 2 }

func TestWhatIsNoNumberIsRefused(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		values, good := []float64{0, bad}, []float64{1, 2}
		_, rank := SignedRank(values)
		_, flip := SignFlip(values, 1)
		_, dz := CohenDz(values)
		_, first := TwoSamples(values, good)
		_, second := TwoSamples(good, values)
		_, above := CliffDelta(values, good)
		_, below := CliffDelta(good, values)
		_, quantile := Quantiles(values, 0.5)
		for i, err := range []error{rank, flip, dz, first, second, above, below, quantile} {
			if want := fmt.Sprintf("1 is %v, not a finite number", bad); err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%d: %v", i, err)
			}
		}
	}
	for _, bad := range []float64{math.NaN(), -0.1, 1.1} {
		if p, err := Holm([]float64{0.5, bad}); err == nil || err.Error() != fmt.Sprintf("p 1 is %v, not from 0 to 1", bad) {
			t.Errorf("%v, %v", p, err)
		}
		if q, err := Quantiles([]float64{1}, bad); err == nil || err.Error() != fmt.Sprintf("a quantile lies at a share from 0 to 1, not at %v", bad) {
			t.Errorf("%v, %v", q, err)
		}
	}
	for _, c := range [][2]int{{-1, 0}, {3, -2}} {
		if p, err := McNemar(c[0], c[1]); err == nil {
			t.Errorf("%v: %v", c, p)
		}
	}
	for _, c := range [][4]int{{0, 0, 1, 2}, {1, 2, 0, 0}, {3, 2, 1, 2}, {1, 2, -1, 2}} {
		if p, err := TwoProportions(c[0], c[1], c[2], c[3]); err == nil || !strings.HasSuffix(err.Error(), "is not a proportion") {
			t.Errorf("%v: %+v, %v", c, p, err)
		}
	}
}

// Subtraction puts 0.3 − 0.2, 0.2 − 0.1 and 0.1 apart; a test must not.
func TestDifferencesThatAreEqualAreTied(t *testing.T) {
	first := []Score{{"o/a", "f", 0.3, 1}, {"o/a", "g", 0.2, 1}, {"o/a", "h", 0, 1}, {"o/a", "i", 0.3, 1}}
	second := []Score{{"o/a", "f", 0.2, 1}, {"o/a", "g", 0.1, 1}, {"o/a", "h", 0.1, 1}, {"o/a", "i", 0.30000000000000004, 1}}
	p, err := Pair(first, second)
	if err != nil {
		t.Fatal(err)
	}
	w, err := SignedRank(p.Differences())
	if err != nil || w.Positive != 4 || w.Negative != 2 || w.Zeros != 1 {
		t.Errorf("%v: %+v, %v", p.Differences(), w, err)
	}
}

func TestTheSeedDecidesFlippedSigns(t *testing.T) {
	d := []float64{0.5, 0.25, -0.125, 1, 0.75, -0.5, 0.3, 0.2}
	first, err := SignFlip(d, 1)
	if err != nil || first.Permutations != Resamples || first.Seed != 1 {
		t.Fatalf("%+v, %v", first, err)
	}
	again, _ := SignFlip(d, 1)
	other, _ := SignFlip(d, 2)
	if first != again || first.P == other.P {
		t.Errorf("%+v, %+v, %+v", first, again, other)
	}
	// What a page shows may not change with a library.
	if fmt.Sprintf("%.4f", first.P) != "0.1345" {
		t.Errorf("p is %v", first.P)
	}
	// More than 64 signs: no chance reaches as far as all of one sign.
	long := slices.Repeat([]float64{1}, 200)
	if p, err := SignFlip(long, 1); err != nil || p.P != 1.0/(Resamples+1) || p.Mean != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	// And of half the signs turned, every second chance is as far.
	for i := range 95 {
		long[i] = -1
	}
	p, err := SignFlip(long, 1)
	w, again2 := SignedRank(long)
	if err != nil || again2 != nil || math.Abs(p.P-w.P) > 0.08 {
		t.Errorf("%+v and %+v", p, w)
	}
}

func TestHolmKeepsOrderAndNeverHelps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 50 {
		p := make([]float64, r.IntN(9))
		for i := range p {
			p[i] = math.Pow(r.Float64(), 3)
		}
		adjusted, err := Holm(p)
		if err != nil || len(adjusted) != len(p) {
			t.Fatalf("%v, %v", adjusted, err)
		}
		for i := range p {
			if adjusted[i] < p[i] || adjusted[i] > 1 {
				t.Errorf("%v becomes %v", p, adjusted)
			}
			for j := range p {
				if p[i] < p[j] && adjusted[i] > adjusted[j] {
					t.Errorf("%v becomes %v", p, adjusted)
				}
			}
		}
	}
}

func TestQuantilesGoFromTheSmallestToTheLargest(t *testing.T) {
	if q, err := Quantiles(nil, 0.5); err != nil || q != nil {
		t.Errorf("of no value: %v, %v", q, err)
	}
	r := rand.New(rand.NewPCG(4, 4))
	for range 50 {
		values := someValues(r)
		before := slices.Clone(values)
		q, err := Quantiles(values, 0, 0.1, 0.25, 0.5, 0.9, 1)
		if err != nil || q[0] != slices.Min(values) || q[5] != slices.Max(values) || !slices.IsSorted(q) {
			t.Errorf("%v of %v, %v", q, values, err)
		}
		if !slices.Equal(values, before) {
			t.Error("the values were moved")
		}
	}
}
