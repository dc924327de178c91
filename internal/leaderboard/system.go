package leaderboard

import (
	"cmp"
	"slices"
)

// Of are the rows of a system, set by set, the newest first in each.
func (b *Board) Of(slug string) ([]Listing, error) {
	listings, err := b.List(Query{Controls: true})
	if err != nil {
		return nil, err
	}
	var found []Listing
	for _, l := range listings {
		l.Rows = slices.DeleteFunc(l.Rows, func(r Ranked) bool { return r.Slug != slug })
		slices.SortStableFunc(l.Rows, func(a, b Ranked) int {
			return cmp.Or(b.Date.Compare(a.Date), cmp.Compare(b.Submission, a.Submission))
		})
		if len(l.Rows) > 0 {
			found = append(found, l)
		}
	}
	return found, nil
}

// A Standout is how a row does on a repository beside the other rows of its set.
type Standout struct {
	Repository string
	Row        Cell
	Others     float64 // mean of pass@k of the other rows that have one
	Rows       int     // how many others these are
	Difference float64 // the row minus the others
}

// Standouts are the repositories on which a row has a pass@k under an
// evaluator and others have one, too, from the one where it is furthest above
// them to the one where it is furthest below. Controls, whose docstrings are
// nobody's output, are not among the others.
func (s *Set) Standouts(row *Row, evaluator string, k int) []Standout {
	var found []Standout
	for i, repository := range s.Repositories {
		own := s.Comparable(row, evaluator, k).On(i, k)
		if !own.Known {
			continue
		}
		x := Standout{Repository: repository.Name, Row: own}
		for _, other := range s.Rows {
			if c := s.Comparable(other, evaluator, k).On(i, k); c.Known && other != row && other.Control == "" {
				x.Others += c.Value
				x.Rows++
			}
		}
		if x.Rows == 0 {
			continue
		}
		x.Others /= float64(x.Rows)
		x.Difference = own.Value - x.Others
		found = append(found, x)
	}
	slices.SortStableFunc(found, func(a, b Standout) int {
		return cmp.Or(cmp.Compare(b.Difference, a.Difference), cmp.Compare(a.Repository, b.Repository))
	})
	return found
}
