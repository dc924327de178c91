package build

import (
	"sort"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
)

// target is a function that tests reach, on its way to becoming a task.
type target struct {
	ID         string   `json:"id"`
	Tests      []string `json:"tests"`     // passing ones that reach it, in the suite's order
	AtImport   bool     `json:"at_import"` // it also runs while no test does
	file       *doctocode.SourceFile
	definition *doctocode.Definition
}

// targets are every function and method of non-test source that at least one
// passing test reaches, in the order of their files, and the paper's counts.
func targets(repository string, index []*doctocode.SourceFile, reached []reachedPlace, passing []string) ([]*target, doctocode.Counts) {
	rank := make(map[string]int, len(passing))
	for i, id := range passing {
		rank[id] = i
	}
	type place struct {
		path, name string
		line       int
	}
	byPlace := make(map[place]reachedPlace, len(reached))
	for _, r := range reached {
		byPlace[place{r.Path, r.Name, r.Line}] = r
	}
	var found []*target
	counts := doctocode.Counts{Tests: len(passing), Dropped: map[string]int{}}
	for _, file := range index {
		for i := range file.Definitions {
			d := &file.Definitions[i]
			if d.Candidate {
				counts.Candidates++
			}
			if d.Kind == "class" {
				continue
			}
			r, ok := byPlace[place{file.Path, d.Name(), d.FirstLine}]
			if !ok {
				continue
			}
			t := &target{file: file, definition: d,
				ID: benchmark.TaskID{Repository: repository, Path: file.Path, Qualname: d.Qualname, Ordinal: d.Ordinal}.String()}
			for _, test := range r.Tests {
				if test == "" {
					t.AtImport = true
				} else if _, ok := rank[test]; ok {
					t.Tests = append(t.Tests, test)
				}
			}
			if len(t.Tests) == 0 {
				continue
			}
			if d.Candidate && !underTests(file.Path) {
				counts.AllTasks++
			}
			if file.Test {
				continue
			}
			sort.Slice(t.Tests, func(i, j int) bool { return rank[t.Tests[i]] < rank[t.Tests[j]] })
			found = append(found, t)
		}
	}
	counts.Targets = len(found)
	return found, counts
}

// underTests is the paper's own notion of test code: a folder called tests.
func underTests(path string) bool {
	return strings.HasPrefix(path, "tests/") || strings.Contains(path, "/tests/")
}
