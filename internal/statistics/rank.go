package statistics

import "fmt"

// A Standing is the place of a system among others.
type Standing struct {
	Rank      int `json:"rank"`      // 1 + Better
	Better    int `json:"better"`    // systems that are better than this one beyond chance
	Worse     int `json:"worse"`     // systems that it is better than beyond chance
	Undecided int `json:"undecided"` // systems that share fewer than two repositories with it, so that nothing can be said
}

// Ranks gives each system its place. Row i has rank 1 + the number of rows
// that are better than it, where one row is better than another when the
// interval of their paired difference, over the tasks that both have, lies
// above 0. Rows that chance may have put apart share a rank; behind two that
// share the first, a row that is worse than both has the third.
//
// "Not distinguishable" does not carry over: a row may share a rank with two
// rows of which one is better than the other. Intervals are for each pair by
// itself, without a correction for the number of pairs, and over whatever
// tasks the pair shares; so where rows have different tasks, the order of
// ranks need not be the order of averages. A larger score is better; errors
// are those of Average.Of and Pair, with the row, from 0 on.
func Ranks(rows [][]Score, average Average) ([]Standing, error) {
	ordered := make([][]Score, len(rows))
	for i, row := range rows {
		var err error
		if ordered[i], err = sorted(row); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	standings := make([]Standing, len(rows))
	for i := range ordered {
		for j := range i {
			difference, err := average.difference(ordered[i], ordered[j])
			if err != nil {
				return nil, fmt.Errorf("rows %d and %d: %w", i, j, err)
			}
			standings[i].against(difference.Interval, &standings[j])
		}
	}
	for i := range standings {
		standings[i].Rank = 1 + standings[i].Better
	}
	return standings, nil
}

func (a Average) difference(first, second []Score) (Estimate, error) {
	p, err := pair(first, second)
	if err != nil {
		return Estimate{}, err
	}
	return a.of(p.Scores)
}

// against counts the difference of s and other for both.
func (s *Standing) against(difference *Interval, other *Standing) {
	switch {
	case difference == nil:
		s.Undecided++
		other.Undecided++
	case !difference.Excludes(0):
	case difference.Low > 0:
		s.Worse++
		other.Better++
	default:
		s.Better++
		other.Worse++
	}
}
