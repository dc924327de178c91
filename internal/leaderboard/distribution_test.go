package leaderboard

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// lines are those of a sheet with the columns that are named.
func lines(t *testing.T, s Sheet, err error, columns ...string) []string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for row := range s.Rows {
		if len(row) != len(s.Header) {
			t.Fatalf("%d cells under a header of %d", len(row), len(s.Header))
		}
		var line []string
		for _, name := range columns {
			line = append(line, row[slices.Index(s.Header, name)])
		}
		found = append(found, strings.Join(line, " "))
	}
	return found
}

// judgedSet has four repositories, the first two popular and the last of
// unknown stars, and a row for each list of scores under the evaluator judge; a
// score below 0 is none.
func judgedSet(k int, scores ...[]float64) *Set {
	few, many := PopularStars, PopularStars+1
	set := &Set{Key: "r@1", Provenance: Evaluated, Evaluators: []Evaluator{{Name: "judge", Samples: k}, {Name: "stub", Control: true, Samples: 1}},
		Repositories: []Repository{{Name: "a/a", Stars: &many}, {Name: "b/b", Stars: &many}, {Name: "c/c", Stars: &few}, {Name: "d/d"}}}
	for i, values := range scores {
		var cells []Cell
		for _, v := range values {
			cells = append(cells, Cell{Known: v >= 0, Value: max(v, 0)})
		}
		set.Rows = append(set.Rows, &Row{System: fmt.Sprint("s", i), Results: map[string]*Result{
			"judge": {byRepo: map[int][]Cell{k: cells}}, "stub": {byRepo: map[int][]Cell{1: cells}}}})
	}
	return set
}

func TestASpreadIsOfTheRepositoriesThatHaveAScore(t *testing.T) {
	set := judgedSet(1, []float64{0, 0.5, 1, -1}, []float64{0.9, 0.9, 0.9, 0.9}, []float64{-1, -1, -1, -1}, []float64{-1, 0.2, -1, -1})
	board := &Board{Sets: []*Set{set}}
	sheet, err := board.Distribution(RepositoryQuery{Evaluator: "judge"})
	want := []string{"s1 4 0.900000 0.900000 0.900000 0.900000", "s0 3 0.500000 0.100000 0.500000 0.900000", "s3 1 0.200000 0.200000 0.200000 0.200000"}
	if got := lines(t, sheet, err, "system", "repositories", "mean", "quantile_10", "median", "quantile_90"); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for _, q := range []RepositoryQuery{{Release: "other@1"}, {Evaluator: "nobody"}, {K: 2}} {
		sheet, err := board.Distribution(q)
		if got := lines(t, sheet, err, "system"); got != nil {
			t.Errorf("%+v: %q", q, got)
		}
	}
}

func TestControlsAndLoneRowsAreNoSetting(t *testing.T) {
	for _, c := range []struct {
		set  *Set
		want []Setting
	}{
		{judgedSet(2, []float64{1, 1, 1, 1}, []float64{0, 0, 0, 0}), []Setting{{"judge", 2}}},
		{judgedSet(1, []float64{1, 1, 1, 1}, []float64{-1, -1, -1, -1}), nil}, {judgedSet(1, []float64{1, 1, 1, 1}), nil}, {judgedSet(1), nil},
	} {
		if got := c.set.Settings(); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

func TestARepositoryKeepsTheOrderOrNot(t *testing.T) {
	set := judgedSet(1, []float64{0.9, 0.8, 0.1, 0.9}, []float64{0.5, 0.8, 0.2, -1}, []float64{-1, -1, -1, -1})
	s, err := set.Stability(set.Settings(), everyRepository)
	if err != nil || !slices.Equal(s.Preserving(), []string{"a/a"}) || !slices.Equal(s.Incomplete, []string{"d/d"}) || !slices.Equal(s.Order, []int{0, 1}) {
		t.Errorf("%+v, %v", s, err)
	}
	if len(s.Rows) != 2 || len(s.LeftOut) != 1 || s.LeftOut[0].System != "s2" {
		t.Errorf("%d rows, %d left out", len(s.Rows), len(s.LeftOut))
	}
	// The others have an order of their own.
	if s, err = set.Stability(set.Settings(), Other); err != nil || !slices.Equal(s.Preserving(), []string{"c/c"}) || !slices.Equal(s.Order, []int{1, 0}) {
		t.Errorf("%+v, %v", s, err)
	}
	sheet, err := (&Board{Sets: []*Set{set}}).Kept("r@1")
	want := []string{"a/a 101   1 true", "b/b 101   0 false", "c/c 100   0 false", "a/a 101 judge 1 1 true", "b/b 101 judge 1 0 false", "c/c 100 judge 1 0 false"}
	if got := lines(t, sheet, err, "repository", "stars", "evaluator", "k", "kept", "preserves"); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestOnlyCountedStarsMakeARepositoryPopularOrNot(t *testing.T) {
	set := judgedSet(1, []float64{0.9, 0.7, 0.3, 0}, []float64{0.5, 0.5, -1, 0})
	p, err := set.Popularity()
	if err != nil || p.Compared != 1 || fmt.Sprintf("%.3f %.3f", p.MeanAbsolute, p.Largest) != "0.500 0.500" {
		t.Errorf("%+v, %v", p, err)
	}
	sheet, err := (&Board{Sets: []*Set{set}}).Popularities("")
	want := []string{"s0 0.800000 2 0.300000 1 0.500000", "s1 0.500000 2  0 "}
	if got := lines(t, sheet, err, "system", "popular", "popular_repositories", "other", "other_repositories", "difference"); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
