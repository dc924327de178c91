package statistics

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
)

// TestPopularRepositoriesDifferLittleInThePaper: more than 100 stars or not.
func TestPopularRepositoriesDifferLittleInThePaper(t *testing.T) {
	data, err := os.ReadFile("testdata/paper_table3.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Repos []string
		Stars []int
	}
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	popular := func(repository string) bool { return table.Stars[slices.Index(table.Repos, repository)] > 100 }
	settings, _ := paperSettings(t)
	var rows [][]Score
	for _, s := range settings {
		rows = append(rows, s.Rows...)
	}
	g, err := Divide(rows, popular)
	if err != nil || g.Undefined != "" || g.Compared != 20 || g.Rows[0].FirstRepositories != 10 || g.Rows[0].SecondRepositories != 18 {
		t.Fatalf("%+v, %v", g, err)
	}
	if got := fmt.Sprintf("%.4f %.3f", g.MeanAbsolute, g.Largest); got != "0.0492 0.111" {
		t.Errorf("mean absolute and largest difference are %s", got)
	}
	other, err := Divide(rows, func(repository string) bool { return !popular(repository) })
	if err != nil || math.Abs(other.MeanAbsolute-g.MeanAbsolute) > 1e-12 || *other.Rows[3].First != *g.Rows[3].Second {
		t.Errorf("turned round: %+v, %v", other, err)
	}
}

func TestGroupsNeedRepositoriesOfBoth(t *testing.T) {
	first := func(repository string) bool { return repository == "o/r0" }
	for _, c := range []struct {
		rule      string
		rows      [][]Score
		compared  int
		undefined string
	}{
		{"no row", nil, 0, OneGroup},
		{"no score", [][]Score{nil}, 0, OneGroup},
		{"one group only", [][]Score{system(1)}, 0, OneGroup},
		{"the other group only", [][]Score{{{"o/x", "", 1, 1}}}, 0, OneGroup},
		{"rows of one group are not compared", [][]Score{system(1), system(0.5, 0.25, 0.5)}, 1, ""},
	} {
		g, err := Divide(c.rows, first)
		if err != nil || g.Compared != c.compared || g.Undefined != c.undefined || len(g.Rows) != len(c.rows) {
			t.Errorf("%s: %+v, %v", c.rule, g, err)
		}
		for i, r := range g.Rows {
			if (r.First == nil) != (r.FirstRepositories == 0) || (r.Second == nil) != (r.SecondRepositories == 0) {
				t.Errorf("%s: row %d is %+v", c.rule, i, r)
			}
		}
		if want := 0.125 * float64(c.compared); g.MeanAbsolute != want || g.Largest != want {
			t.Errorf("%s: %v and %v", c.rule, g.MeanAbsolute, g.Largest)
		}
	}
	if _, err := Divide([][]Score{nil, system(math.NaN())}, first); err == nil || err.Error() != "row 1: the score of o/r0 is NaN, not a finite number" {
		t.Errorf("NaN: %v", err)
	}
}
