package leaderboard

import (
	"slices"
	"strconv"
)

// A RepositoryQuery chooses what a file of repositories holds. Zero fields
// choose all.
type RepositoryQuery struct {
	Release    string // key of a set
	Repository string
	Evaluator  string
	K          int
}

// Index is the place of a repository in the set.
func (s *Set) Index(repository string) (int, bool) {
	i := slices.IndexFunc(s.Repositories, func(r Repository) bool { return r.Name == repository })
	return i, i >= 0
}

// With are the sets that a repository is in.
func (b *Board) With(repository string) []*Set {
	var sets []*Set
	for _, s := range b.Sets {
		if _, ok := s.Index(repository); ok {
			sets = append(sets, s)
		}
	}
	return sets
}

// Ks are the k for which some row has a pass@k on a repository under an
// evaluator, ascending. A paper need not print all of them.
func (s *Set) Ks(evaluator string) []int {
	var found []int
	for _, row := range s.Rows {
		result := row.Results[evaluator]
		if result == nil {
			continue
		}
		for k, cells := range result.byRepo {
			if !slices.Contains(found, k) && slices.ContainsFunc(cells, func(c Cell) bool { return c.Known }) {
				found = append(found, k)
			}
		}
	}
	slices.Sort(found)
	return found
}

// OnRepositories is what is known of single repositories as a file: a line for
// each row, evaluator and k, and one without them for a repository on which
// the query finds no score.
func (b *Board) OnRepositories(q RepositoryQuery) Sheet {
	return Sheet{
		Header: []string{"release", "provenance", "repository", "candidates", "all_tasks", "repository_tasks", "stars", "forks",
			"system", "model", "version", "control", "evaluator", "k", "pass_at_k", "tasks", "date", "submission"},
		Rows: func(yield func([]string) bool) {
			for _, set := range b.Sets {
				if q.Release != "" && set.Key != q.Release {
					continue
				}
				for i, repository := range set.Repositories {
					if q.Repository != "" && repository.Name != q.Repository {
						continue
					}
					if !set.onRepository(i, q, yield) {
						return
					}
				}
			}
		},
	}
}

// onRepository yields the lines of the i-th repository. It returns false when
// no more are wanted.
func (s *Set) onRepository(i int, q RepositoryQuery, yield func([]string) bool) bool {
	r := s.Repositories[i]
	facts := []string{s.Key, string(s.Provenance), r.Name, strconv.Itoa(r.Candidates), strconv.Itoa(r.AllTasks), strconv.Itoa(r.Tasks), count(r.Stars), count(r.Forks)}
	found := false
	for _, row := range s.Rows {
		for _, e := range s.Evaluators {
			if q.Evaluator != "" && e.Name != q.Evaluator {
				continue
			}
			for k := 1; k <= e.Samples; k++ {
				c := row.Results[e.Name].On(i, k)
				if !c.Known || q.K != 0 && k != q.K {
					continue
				}
				found = true
				line := append(slices.Clone(facts), row.System, row.Model, row.Version, row.Control, e.Name, strconv.Itoa(k), c.Text(), strconv.Itoa(c.Tasks), day(row.Date), row.Submission)
				if !yield(line) {
					return false
				}
			}
		}
	}
	if found {
		return true
	}
	return yield(append(slices.Clone(facts), make([]string, 10)...))
}

func count(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}
