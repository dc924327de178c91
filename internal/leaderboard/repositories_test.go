package leaderboard

import (
	"slices"
	"strings"
	"testing"
)

// smallBoard is a release and a paper that share a repository. The paper
// prints pass@1 and pass@3 with two decimals.
func smallBoard() *Board {
	stars := 7
	cells := func(decimals int, values ...float64) []Cell {
		var all []Cell
		for _, v := range values {
			all = append(all, Cell{Known: v >= 0, Value: max(v, 0), Tasks: 5, Decimals: decimals})
		}
		return all
	}
	release := &Set{Key: "r@1", Provenance: Evaluated, Evaluators: []Evaluator{{Name: "judge", Samples: 2}, {Name: "stub", Samples: 1}},
		Repositories: []Repository{{Name: "a/one", Tasks: 5, Candidates: 9, AllTasks: 8}, {Name: "b/two", Tasks: 6}},
		Rows: []*Row{{System: "Agent", Submission: "s1", Results: map[string]*Result{
			"judge": {byRepo: map[int][]Cell{1: cells(0, 0.25, -1), 2: cells(0, 0.5, -1)}}}}}}
	paper := &Set{Key: "paper", Provenance: Published, Evaluators: []Evaluator{{Name: "judge", Samples: 3}},
		Repositories: []Repository{{Name: "a/one", Tasks: 4, Candidates: 9, AllTasks: 7, Stars: &stars}},
		Rows:         []*Row{{System: "Other", Results: map[string]*Result{"judge": {byRepo: map[int][]Cell{1: cells(2, 0.7), 3: cells(2, 0.85)}}}}}}
	return &Board{Sets: []*Set{release, paper}}
}

func TestAFileOfRepositoriesHasWhatIsAskedFor(t *testing.T) {
	board := smallBoard()
	for _, c := range []struct {
		query RepositoryQuery
		want  []string // release, repository, candidates, stars, system, evaluator, k, pass_at_k
	}{
		{RepositoryQuery{}, []string{
			"r@1 a/one 9 - Agent judge 1 0.250000", "r@1 a/one 9 - Agent judge 2 0.500000", "r@1 b/two 0 - - - - -", "paper a/one 9 7 Other judge 1 0.70", "paper a/one 9 7 Other judge 3 0.85"}},
		{RepositoryQuery{Release: "paper"}, []string{"paper a/one 9 7 Other judge 1 0.70", "paper a/one 9 7 Other judge 3 0.85"}},
		{RepositoryQuery{Repository: "a/one", K: 1}, []string{"r@1 a/one 9 - Agent judge 1 0.250000", "paper a/one 9 7 Other judge 1 0.70"}},
		{RepositoryQuery{Repository: "a/one", Evaluator: "stub"}, []string{"r@1 a/one 9 - - - - -", "paper a/one 9 7 - - - -"}},
		{RepositoryQuery{Repository: "no/such"}, nil},
	} {
		sheet := board.OnRepositories(c.query)
		var got []string
		for row := range sheet.Rows {
			if len(row) != len(sheet.Header) {
				t.Fatalf("%d cells under a header of %d", len(row), len(sheet.Header))
			}
			var line []string
			for _, name := range []string{"release", "repository", "candidates", "stars", "system", "evaluator", "k", "pass_at_k"} {
				cell := row[slices.Index(sheet.Header, name)]
				if cell == "" {
					cell = "-"
				}
				line = append(line, cell)
			}
			got = append(got, strings.Join(line, " "))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v:\n got %q\nwant %q", c.query, got, c.want)
		}
	}
}

func TestAReaderOfAFileMayStopAnywhere(t *testing.T) {
	for most := range 5 {
		n := 0
		for range smallBoard().OnRepositories(RepositoryQuery{}).Rows {
			if n == most {
				break
			}
			n++
		}
		if n != most {
			t.Errorf("%d lines, want %d", n, most)
		}
	}
}

func TestKsAreThoseThatSomeRowHas(t *testing.T) {
	board := smallBoard()
	for i, want := range [][]int{{1, 2}, {1, 3}} {
		if got := board.Sets[i].Ks("judge"); !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", board.Sets[i].Key, got, want)
		}
	}
	if got := board.Sets[0].Ks("stub"); len(got) != 0 {
		t.Errorf("an evaluator without a result has %v", got)
	}
}

func TestARepositoryIsFoundInItsSets(t *testing.T) {
	board := smallBoard()
	for name, want := range map[string]int{"a/one": 2, "b/two": 1, "a/on": 0, "": 0} {
		if got := len(board.With(name)); got != want {
			t.Errorf("%q is in %d sets, want %d", name, got, want)
		}
	}
}
