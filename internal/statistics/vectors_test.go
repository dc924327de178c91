package statistics

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"
)

// eachVector calls fn with the lines of a kind and returns how many there were.
func eachVector[T any](t *testing.T, file, kind string, fn func(v T)) int {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var head struct{ Kind string }
		if err := json.Unmarshal(lines.Bytes(), &head); err != nil {
			t.Fatal(err)
		}
		if head.Kind != kind {
			continue
		}
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		n++
		fn(v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

func close9(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("%s is %.15g, want %.15g", what, got, want)
	}
}

// row is a line's scores: [repository, task, value, weight].
type row []Score

func (r *row) UnmarshalJSON(data []byte) error {
	var lines [][4]any
	if err := json.Unmarshal(data, &lines); err != nil {
		return err
	}
	for _, l := range lines {
		*r = append(*r, Score{l[0].(string), l[1].(string), l[2].(float64), l[3].(float64)})
	}
	return nil
}

// wanted is value, standard error, low and high of each average.
type wanted struct {
	Macro, Micro, Weighted [4]float64
	Repositories, Tasks    int
}

func (w wanted) check(t *testing.T, what string, scores []Score) {
	t.Helper()
	for average, want := range map[Average][4]float64{Macro: w.Macro, Micro: w.Micro, Weighted: w.Weighted} {
		e, err := average.Of(scores)
		if err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("%s, %s", what, average)
		if e.Interval == nil || e.Undefined != "" || e.Repositories != w.Repositories || e.Tasks != w.Tasks {
			t.Fatalf("%s: %+v", what, e)
		}
		close9(t, what+": value", e.Value, want[0])
		close9(t, what+": standard error", e.SE, want[1])
		close9(t, what+": low", e.Interval.Low, want[2])
		close9(t, what+": high", e.Interval.High, want[3])
	}
}

func TestMeansMatchScipyAndStatsmodels(t *testing.T) {
	type vector struct {
		Scores row
		wanted
	}
	if n := eachVector(t, "leaderboard.jsonl", "mean", func(v vector) {
		v.check(t, fmt.Sprintf("%d repositories", v.Repositories), v.Scores)
	}); n != 5 {
		t.Errorf("%d vectors", n)
	}
}

func TestDifferencesMatchScipyAndStatsmodels(t *testing.T) {
	type vector struct {
		First, Second row
		Only          [2]int
		wanted
	}
	if n := eachVector(t, "leaderboard.jsonl", "difference", func(v vector) {
		p, err := Pair(v.First, v.Second)
		if err != nil {
			t.Fatal(err)
		}
		if p.OnlyFirst != v.Only[0] || p.OnlySecond != v.Only[1] {
			t.Errorf("%d and %d tasks left out, want %v", p.OnlyFirst, p.OnlySecond, v.Only)
		}
		v.check(t, fmt.Sprintf("difference over %d repositories", v.Repositories), p.Scores)
	}); n != 5 {
		t.Errorf("%d vectors", n)
	}
}

// TestClusteredVector: the standard error is the one with the factor C/(C−1).
func TestClusteredVector(t *testing.T) {
	type vector struct {
		Scores    []float64
		Cluster   []int
		Mean      float64
		Micro     float64 `json:"se_clustered_inspect"`
		MacroMean float64 `json:"macro_mean"`
		MacroSE   float64 `json:"macro_se"`
		T975      float64
	}
	if n := eachVector(t, "stats.jsonl", "clustered_se", func(v vector) {
		var scores []Score
		for i, s := range v.Scores {
			scores = append(scores, Score{Repository: fmt.Sprint(v.Cluster[i]), Task: fmt.Sprint(i), Value: s})
		}
		micro, err := Micro.Of(scores)
		if err != nil {
			t.Fatal(err)
		}
		macro, err := Macro.Of(scores)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, "micro mean", micro.Value, v.Mean)
		close9(t, "micro standard error", micro.SE, v.Micro)
		close9(t, "micro high", micro.Interval.High, v.Mean+v.T975*v.Micro)
		close9(t, "macro mean", macro.Value, v.MacroMean)
		close9(t, "macro standard error", macro.SE, v.MacroSE)
		close9(t, "macro low", macro.Interval.Low, v.MacroMean-v.T975*v.MacroSE)
	}); n != 1 {
		t.Errorf("%d vectors", n)
	}
}

func TestStudentTMatchesScipy(t *testing.T) {
	if n := eachVector(t, "leaderboard.jsonl", "t", func(v struct {
		Freedom  int
		Quantile float64
	}) {
		close9(t, fmt.Sprintf("t of %d degrees of freedom", v.Freedom), studentT(v.Freedom), v.Quantile)
	}); n != 14 {
		t.Errorf("%d vectors", n)
	}
}

func TestWilsonMatchesStatsmodels(t *testing.T) {
	check := func(x, n int, want [2]float64) {
		i, err := Wilson(x, n)
		if err != nil {
			t.Fatal(err)
		}
		close9(t, fmt.Sprintf("low of %d of %d", x, n), i.Low, want[0])
		close9(t, fmt.Sprintf("high of %d of %d", x, n), i.High, want[1])
	}
	n := eachVector(t, "leaderboard.jsonl", "wilson", func(v struct {
		X, N     int
		Interval [2]float64
	}) {
		check(v.X, v.N, v.Interval)
	})
	n += eachVector(t, "stats.jsonl", "two_proportion", func(v struct {
		X1, N1, X2, N2   int
		Wilson1, Wilson2 [2]float64
	}) {
		check(v.X1, v.N1, v.Wilson1)
		check(v.X2, v.N2, v.Wilson2)
	})
	if n != 12 {
		t.Errorf("%d vectors", n)
	}
}

// draws hands out what a vector drew.
func draws(all [][]int) func(int) int {
	at := 0
	return func(n int) int {
		d := all[at/n][at%n]
		at++
		return d
	}
}

func TestBootstrapMatchesNumpy(t *testing.T) {
	type vector struct {
		Scores                 row
		Draws                  [][]int
		Macro, Micro, Weighted [2]float64
	}
	if n := eachVector(t, "leaderboard.jsonl", "bootstrap", func(v vector) {
		s, err := sorted(v.Scores)
		if err != nil {
			t.Fatal(err)
		}
		for average, want := range map[Average][2]float64{Macro: v.Macro, Micro: v.Micro, Weighted: v.Weighted} {
			parts, err := average.parts(s)
			if err != nil {
				t.Fatal(err)
			}
			i := resample(parts, len(v.Draws), draws(v.Draws))
			close9(t, fmt.Sprintf("%s low over %d repositories", average, len(parts)), i.Low, want[0])
			close9(t, fmt.Sprintf("%s high over %d repositories", average, len(parts)), i.High, want[1])
		}
	}); n != 3 {
		t.Errorf("%d vectors", n)
	}
	// A vector that draws scores one by one: each is a repository.
	if n := eachVector(t, "stats.jsonl", "bootstrap_percentile", func(v struct {
		Scores  []float64
		Indices [][]int    `json:"resample_indices"`
		CI      [2]float64 `json:"ci95"`
	}) {
		var parts []part
		for _, s := range v.Scores {
			parts = append(parts, part{s, 1})
		}
		i := resample(parts, len(v.Indices), draws(v.Indices))
		close9(t, "low", i.Low, v.CI[0])
		close9(t, "high", i.High, v.CI[1])
	}); n != 1 {
		t.Errorf("%d vectors", n)
	}
}

// paperRow is a configuration's column of the paper's Table 3: one mean for
// each repository.
func paperRow(t *testing.T, configuration, metric string) []Score {
	t.Helper()
	data, err := os.ReadFile("testdata/paper_table3.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Repos, Configs, Metrics []string
		X                       [][][]float64 // repository, configuration, metric
	}
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	var scores []Score
	for r, name := range table.Repos {
		for c := range table.Configs {
			for m := range table.Metrics {
				if table.Configs[c] == configuration && table.Metrics[m] == metric {
					scores = append(scores, Score{Repository: name, Value: table.X[r][c][m]})
				}
			}
		}
	}
	if len(scores) != 28 {
		t.Fatalf("%d repositories of %s %s", len(scores), configuration, metric)
	}
	return scores
}

// TestThePapersLeaderIsNotSignificant: RepoAgent minus OSA, both on
// gpt-5-mini, pass@1 by the gpt-5-mini evaluator.
func TestThePapersLeaderIsNotSignificant(t *testing.T) {
	repoAgent, osa := paperRow(t, "RA/gpt", "p1gpt"), paperRow(t, "OSA/gpt", "p1gpt")
	p, err := Pair(repoAgent, osa)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Macro.Of(p.Scores)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%+.3f [%.3f, %.3f]", e.Value, e.Interval.Low, e.Interval.High), "+0.023 [-0.016, 0.062]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if e.Interval.Excludes(0) {
		t.Error("the interval excludes 0")
	}
	standings, err := Ranks([][]Score{repoAgent, osa, paperRow(t, "default", "p1gpt")}, Macro)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 1, 3} {
		if standings[i].Rank != want {
			t.Errorf("row %d has rank %d, want %d", i, standings[i].Rank, want)
		}
	}
}
