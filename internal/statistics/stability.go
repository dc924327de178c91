package statistics

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// A Setting is one way to judge systems: an evaluator and a k.
type Setting struct {
	Name string    // for errors
	Rows [][]Score // of each system; the systems are the same ones, in the same order, in every setting
}

// Stability says which repositories rank the systems as all of them together
// do.
type Stability struct {
	// Order is the place in Rows of each system, the best first, when every
	// setting has the same strict global order; else it is nil.
	Order        []int            `json:"order"`
	Pairs        int              `json:"pairs"` // pairs of systems that have a global order, summed over the settings
	Tied         int              `json:"tied"`  // pairs that are equal globally and have no order to keep
	Repositories []RepositoryKept `json:"repositories"`
	Incomplete   []string         `json:"incomplete"`          // repositories that lack a score somewhere and are left out
	Undefined    string           `json:"undefined,omitempty"` // why there is nothing to keep
}

// RepositoryKept is how much of the global order a repository keeps.
type RepositoryKept struct {
	Repository string `json:"repository"`
	Kept       int    `json:"kept"`      // of Stability.Pairs
	Preserves  bool   `json:"preserves"` // whether these are all
}

// Preserving are the repositories that keep the whole global order.
func (s Stability) Preserving() []string {
	var names []string
	for _, r := range s.Repositories {
		if r.Preserves {
			names = append(names, r.Repository)
		}
	}
	return names
}

// Why there is no order to keep.
const (
	FewSystems    = "there are fewer than two systems to put in order"
	NoSharedScore = "no repository has a score of every system in every setting"
	AllTied       = "all systems are equal"
)

// RankingStability compares the order of systems on each repository, by the
// mean over its tasks, with their global order in the same setting, by the
// unweighted mean over the repositories that have a score of every system in
// every setting. A repository preserves the global order when in each setting
// every pair of systems has on it the strict order that it has globally; a tie
// on the repository breaks it. Repositories are in the order of their names.
// Errors are those of Average.Of, and settings of different numbers of systems.
func RankingStability(settings []Setting) (Stability, error) {
	var rows []map[string]float64 // system by system within each setting
	for _, setting := range settings {
		if n := len(settings[0].Rows); len(setting.Rows) != n {
			return Stability{}, fmt.Errorf("%s has %d systems and %s has %d", settings[0].Name, n, setting.Name, len(setting.Rows))
		}
		for i, row := range setting.Rows {
			means, err := repositoryMeans(row)
			if err != nil {
				return Stability{}, fmt.Errorf("%s, row %d: %w", setting.Name, i, err)
			}
			rows = append(rows, means)
		}
	}
	var s Stability
	if len(rows) < 2*len(settings) || len(rows) == 0 {
		s.Undefined = FewSystems
		return s, nil
	}
	complete, incomplete := shared(rows)
	s.Incomplete = incomplete
	if len(complete) == 0 {
		s.Undefined = NoSharedScore
		return s, nil
	}
	s.compare(rows, len(settings[0].Rows), complete)
	if s.Pairs == 0 {
		s.Undefined = AllTied
	}
	return s, nil
}

// shared are the repositories that every row has, and the others.
func shared(rows []map[string]float64) (complete, incomplete []string) {
	count := map[string]int{}
	for _, row := range rows {
		for name := range row {
			count[name]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if count[name] == len(rows) {
			complete = append(complete, name)
		} else {
			incomplete = append(incomplete, name)
		}
	}
	return complete, incomplete
}

// compare fills in all that the rows of so many systems in each setting say.
func (s *Stability) compare(rows []map[string]float64, systems int, repositories []string) {
	global := make([]float64, len(rows))
	for i, row := range rows {
		for _, name := range repositories {
			global[i] += row[name] / float64(len(repositories))
		}
	}
	for _, name := range repositories {
		s.Repositories = append(s.Repositories, RepositoryKept{Repository: name})
	}
	agreed := true
	for i := range rows {
		first := i - i%systems // of the setting
		for j := first; j < i; j++ {
			order := beyondRounding(global[i], global[j])
			agreed = agreed && order != 0 && order == beyondRounding(global[i-first], global[j-first])
			if order == 0 {
				s.Tied++
				continue
			}
			s.Pairs++
			for r, name := range repositories {
				if beyondRounding(rows[i][name], rows[j][name]) == order {
					s.Repositories[r].Kept++
				}
			}
		}
	}
	for r := range s.Repositories {
		s.Repositories[r].Preserves = s.Pairs > 0 && s.Repositories[r].Kept == s.Pairs
	}
	if agreed {
		for i := range systems {
			s.Order = append(s.Order, i)
		}
		slices.SortFunc(s.Order, func(i, j int) int { return cmp.Compare(global[j], global[i]) })
	}
}

// beyondRounding is +1 when a is larger, −1 when b is, and 0 when they differ
// by no more than rounding could make them.
func beyondRounding(a, b float64) int {
	switch {
	case a > b+negligible:
		return 1
	case b > a+negligible:
		return -1
	}
	return 0
}
