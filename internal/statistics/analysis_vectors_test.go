package statistics

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
)

// pointRows are a line's points: [repository, x, y].
type pointRows []Point

func (r *pointRows) UnmarshalJSON(data []byte) error {
	var lines [][3]any
	if err := json.Unmarshal(data, &lines); err != nil {
		return err
	}
	for _, l := range lines {
		*r = append(*r, Point{l[0].(string), l[1].(float64), l[2].(float64)})
	}
	return nil
}

// columnPoints are points of one repository each.
func columnPoints(x, y []float64) []Point {
	points := make([]Point, len(x))
	for i := range x {
		points[i] = Point{fmt.Sprintf("o/r%03d", i), x[i], y[i]}
	}
	return points
}

func checkCoefficient(t *testing.T, what string, c Correlation, points []Point, value float64, interval [2]float64) {
	t.Helper()
	r, err := c.Of(points)
	if err != nil || r.Value == nil || r.Interval == nil || r.Points != len(points) {
		t.Fatalf("%s of %s: %+v, %v", c, what, r, err)
	}
	close9(t, fmt.Sprintf("%s of %s", c, what), *r.Value, value)
	close9(t, fmt.Sprintf("%s of %s: low", c, what), r.Interval.Low, interval[0])
	close9(t, fmt.Sprintf("%s of %s: high", c, what), r.Interval.High, interval[1])
}

func TestCorrelationsMatchScipy(t *testing.T) {
	if n := eachVector(t, "stats.jsonl", "correlation", func(v struct {
		X, Y              []float64
		Pearson, Spearman float64
		Kendall           float64    `json:"kendall_tau_b"`
		PearsonInterval   [2]float64 `json:"pearson_fisher_ci95"`
		SpearmanInterval  [2]float64 `json:"spearman_ci95_bonett_wright"`
		KendallInterval   [2]float64 `json:"kendall_ci95_fieller"`
	}) {
		points, what := columnPoints(v.X, v.Y), fmt.Sprint(v.X)
		checkCoefficient(t, what, Pearson, points, v.Pearson, v.PearsonInterval)
		checkCoefficient(t, what, Spearman, points, v.Spearman, v.SpearmanInterval)
		checkCoefficient(t, what, Kendall, points, v.Kendall, v.KendallInterval)
	}); n != 3 {
		t.Errorf("%d vectors", n)
	}
	if n := eachVector(t, "analysis.jsonl", "correlation", func(v struct {
		Name      string
		Points    pointRows
		Values    [3]float64
		Intervals [3][2]float64
	}) {
		for i, c := range Correlations {
			checkCoefficient(t, v.Name, c, v.Points, v.Values[i], v.Intervals[i])
		}
	}); n != 15 {
		t.Errorf("%d vectors", n)
	}
}

func TestBootstrappedCorrelationsMatchScipy(t *testing.T) {
	constant := 0
	if n := eachVector(t, "analysis.jsonl", "correlation", func(v struct {
		Name      string
		Points    pointRows
		Draws     [][]int
		Bootstrap [3][2]float64
		Constant  int
	}) {
		for i, c := range Correlations {
			by, s, err := c.sample(v.Points)
			if err != nil {
				t.Fatal(err)
			}
			values := redraw(s, by.repositories(), len(v.Draws), draws(v.Draws))
			if len(v.Draws)-len(values) != v.Constant {
				t.Errorf("%s, %s: %d resamples are left out, want %d", v.Name, c, len(v.Draws)-len(values), v.Constant)
			}
			interval := percentiles(values)
			close9(t, fmt.Sprintf("%s of %s: low", c, v.Name), interval.Low, v.Bootstrap[i][0])
			close9(t, fmt.Sprintf("%s of %s: high", c, v.Name), interval.High, v.Bootstrap[i][1])
		}
		constant += v.Constant
	}); n != 15 || constant == 0 {
		t.Errorf("%d vectors, %d constant resamples", n, constant)
	}
}

func TestLinesMatchScipy(t *testing.T) {
	if n := eachVector(t, "analysis.jsonl", "correlation", func(v struct {
		Name   string
		Points pointRows
		Line   [2]float64
	}) {
		l, err := LeastSquares(v.Points)
		if err != nil || l.Undefined != "" {
			t.Fatalf("%s: %+v, %v", v.Name, l, err)
		}
		close9(t, v.Name+": slope", l.Slope, v.Line[0])
		close9(t, v.Name+": intercept", l.Intercept, v.Line[1])
	}); n != 15 {
		t.Errorf("%d vectors", n)
	}
}

func TestSignedRanksMatchScipy(t *testing.T) {
	if n := eachVector(t, "analysis.jsonl", "wilcoxon", func(v struct {
		Differences          []float64
		Smaller, Positive, Z float64
		P                    float64
		Dz                   *float64
	}) {
		what := fmt.Sprintf("%d differences", len(v.Differences))
		w, err := SignedRank(v.Differences)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, what+": positive", w.Positive, v.Positive)
		close9(t, what+": the smaller sum", min(w.Positive, w.Negative), v.Smaller)
		close9(t, what+": z", math.Abs(w.Z), v.Z)
		close9(t, what+": p", w.P, v.P)
		d, err := CohenDz(v.Differences)
		if err != nil || (d.Value == nil) != (v.Dz == nil) {
			t.Fatalf("%s: %+v, %v", what, d, err)
		}
		if d.Value != nil {
			close9(t, what+": d_z", *d.Value, *v.Dz)
		}
	}); n != 6 {
		t.Errorf("%d vectors", n)
	}
}

// Two samples of the same length, compared as pairs and as two samples. The
// sign test is McNemar's, the paired t is a mean over its standard error.
func TestTwoSampleVectors(t *testing.T) {
	if n := eachVector(t, "stats.jsonl", "two_sample", func(v struct {
		X, Y     []float64
		U        float64 `json:"mwu_U"`
		Smaller  float64 `json:"wilcoxon_T_min"`
		P        float64 `json:"wilcoxon_p_approx_nocc"`
		D        float64 `json:"ks_D"`
		KSP      float64 `json:"ks_p_exact"`
		Positive int     `json:"sign_npos"`
		Negative int     `json:"sign_nneg"`
		SignP    float64 `json:"sign_p_exact"`
		Cliff    float64 `json:"cliffs_delta"`
		T        float64 `json:"paired_t"`
		Dz       float64 `json:"cohen_dz"`
	}) {
		what := fmt.Sprintf("%d pairs", len(v.X))
		var first, second []Score
		var positive, negative int
		differences := make([]float64, len(v.X))
		for i := range v.X {
			first = append(first, Score{Repository: fmt.Sprint(i), Value: v.X[i]})
			second = append(second, Score{Repository: fmt.Sprint(i), Value: v.Y[i]})
			differences[i] = v.X[i] - v.Y[i]
			if differences[i] > 0 {
				positive++
			} else if differences[i] < 0 {
				negative++
			}
		}
		w, err := SignedRank(differences)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, what+": the smaller sum of ranks", min(w.Positive, w.Negative), v.Smaller)
		close9(t, what+": p of signed ranks", w.P, v.P)
		ks, err := TwoSamples(v.X, v.Y)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, what+": D", ks.D, v.D)
		if pooled := slices.Compact(slices.Sorted(slices.Values(slices.Concat(v.X, v.Y)))); len(pooled) == len(v.X)+len(v.Y) {
			close9(t, what+": p of D", ks.P, v.KSP)
		} else if ks.P > v.KSP {
			t.Errorf("%s: p of D under ties is %v, above %v without", what, ks.P, v.KSP)
		}
		if positive != v.Positive || negative != v.Negative {
			t.Errorf("%s: %d positive and %d negative", what, positive, negative)
		}
		sign, err := McNemar(positive, negative)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, what+": p of signs", sign, v.SignP)
		delta, err := CliffDelta(v.X, v.Y)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, what+": Cliff's delta", *delta.Value, v.Cliff)
		close9(t, what+": U", (*delta.Value+1)/2*float64(len(v.X)*len(v.Y)), v.U)
		d, err := CohenDz(differences)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, what+": d_z", *d.Value, v.Dz)
		p, err := Pair(first, second)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Macro.Of(p.Scores)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, what+": paired t", e.Value/e.SE, v.T)
	}); n != 2 {
		t.Errorf("%d vectors", n)
	}
}

func TestDistributionsMatchScipy(t *testing.T) {
	if n := eachVector(t, "analysis.jsonl", "two_sample", func(v struct {
		X, Y        []float64
		D, P, Cliff float64
	}) {
		what := fmt.Sprintf("%d and %d values", len(v.X), len(v.Y))
		ks, err := TwoSamples(v.X, v.Y)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, what+": D", ks.D, v.D)
		close9(t, what+": p", ks.P, v.P)
		delta, err := CliffDelta(v.X, v.Y)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, what+": Cliff's delta", *delta.Value, v.Cliff)
	}); n != 8 {
		t.Errorf("%d vectors", n)
	}
}

// All signs once each: what drawing them approaches, plus the one of 1 + #.
func TestFlippedSignsMatchScipy(t *testing.T) {
	if n := eachVector(t, "analysis.jsonl", "sign_flip", func(v struct {
		Differences []float64
		P           float64
	}) {
		all := 1 << len(v.Differences)
		next := uint64(0)
		p := flipped(v.Differences, all, func() uint64 { next++; return next - 1 })
		close9(t, fmt.Sprintf("p of %v", v.Differences), p, (1+v.P*float64(all))/float64(1+all))
		drawn, err := SignFlip(v.Differences, 3)
		if err != nil {
			t.Fatal(err)
		}
		if spread := math.Sqrt(v.P * (1 - v.P) / Resamples); math.Abs(drawn.P-v.P) > 4*spread+2.0/Resamples {
			t.Errorf("p of %v is %v, want about %v", v.Differences, drawn.P, v.P)
		}
	}); n != 4 {
		t.Errorf("%d vectors", n)
	}
}

func TestMcNemarMatchesStatsmodels(t *testing.T) {
	check := func(b, c int, want float64) {
		p, err := McNemar(b, c)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, fmt.Sprintf("p of %d and %d", b, c), p, want)
	}
	n := eachVector(t, "stats.jsonl", "mcnemar", func(v struct {
		B, C int
		P    float64 `json:"p_exact"`
	}) {
		check(v.B, v.C, v.P)
	})
	n += eachVector(t, "analysis.jsonl", "mcnemar", func(v struct {
		B, C int
		P    float64
	}) {
		check(v.B, v.C, v.P)
	})
	if n != 12 {
		t.Errorf("%d vectors", n)
	}
}

func TestTwoProportionsMatchStatsmodels(t *testing.T) {
	check := func(x1, n1, x2, n2 int, z, p float64, interval [2]float64) {
		what := fmt.Sprintf("%d of %d and %d of %d", x1, n1, x2, n2)
		got, err := TwoProportions(x1, n1, x2, n2)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, what+": z", got.Z, z)
		close9(t, what+": p", got.P, p)
		close9(t, what+": low", got.Interval.Low, interval[0])
		close9(t, what+": high", got.Interval.High, interval[1])
	}
	n := eachVector(t, "stats.jsonl", "two_proportion", func(v struct {
		X1, N1, X2, N2 int
		Z              float64 `json:"z_pooled"`
		P              float64
		Interval       [2]float64 `json:"newcombe_diff_ci95"`
	}) {
		check(v.X1, v.N1, v.X2, v.N2, v.Z, v.P, v.Interval)
	})
	n += eachVector(t, "analysis.jsonl", "two_proportion", func(v struct {
		X1, N1, X2, N2 int
		Z, P           float64
		Newcombe       [2]float64
	}) {
		check(v.X1, v.N1, v.X2, v.N2, v.Z, v.P, v.Newcombe)
	})
	if n != 8 {
		t.Errorf("%d vectors", n)
	}
}

func TestHolmMatchesStatsmodels(t *testing.T) {
	check := func(p, want []float64) {
		got, err := Holm(p)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%v: %v, %v", p, got, err)
		}
		for i := range want {
			close9(t, fmt.Sprintf("%d of %v", i, p), got[i], want[i])
		}
	}
	n := eachVector(t, "stats.jsonl", "multiplicity", func(v struct{ P, Holm []float64 }) { check(v.P, v.Holm) })
	n += eachVector(t, "analysis.jsonl", "holm", func(v struct{ P, Adjusted []float64 }) { check(v.P, v.Adjusted) })
	if n != 7 {
		t.Errorf("%d vectors", n)
	}
}

func TestQuantilesMatchNumpy(t *testing.T) {
	if n := eachVector(t, "analysis.jsonl", "quantiles", func(v struct{ Values, Shares, Quantiles []float64 }) {
		got, err := Quantiles(v.Values, v.Shares...)
		if err != nil || len(got) != len(v.Quantiles) {
			t.Fatalf("%v, %v", got, err)
		}
		for i, share := range v.Shares {
			close9(t, fmt.Sprintf("quantile at %v of %d values", share, len(v.Values)), got[i], v.Quantiles[i])
		}
	}); n != 5 {
		t.Errorf("%d vectors", n)
	}
}
