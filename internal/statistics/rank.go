package statistics

import (
	"encoding/binary"
	"fmt"
	"math"
)

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
	sums, err := average.sums(ordered)
	if err != nil {
		return nil, err
	}
	standings := make([]Standing, len(rows))
	for i := range ordered {
		for j := range i {
			if sums[i].tasks == sums[j].tasks {
				standings[i].against(sums[i].minus(sums[j]), &standings[j])
				continue
			}
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

// A summed row is what its repositories add to an average. Rows of the same
// tasks and weights can be compared by these sums alone: the sums of their
// differences are the differences of their sums.
type summed struct {
	parts []part
	tasks int // equal for rows of the same tasks and weights
}

func (a Average) sums(rows [][]Score) ([]summed, error) {
	sums := make([]summed, len(rows))
	known := map[string]int{}
	var key []byte
	for i, row := range rows {
		parts, err := a.parts(row)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		key = key[:0]
		for _, s := range row {
			key = append(append(append(append(key, s.Repository...), 0), s.Task...), 0)
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(s.Weight))
		}
		id, ok := known[string(key)]
		if !ok {
			id = len(known)
			known[string(key)] = id
		}
		sums[i] = summed{parts, id}
	}
	return sums, nil
}

// minus is the interval of the difference of two rows of the same tasks, nil
// when it is undefined.
func (s summed) minus(other summed) *Interval {
	c := float64(len(s.parts))
	if len(s.parts) < 2 {
		return nil
	}
	var sum, weight, squares float64
	for i, p := range s.parts {
		sum += p.sum - other.parts[i].sum
		weight += p.weight
	}
	value := sum / weight
	for i, p := range s.parts {
		off := p.sum - other.parts[i].sum - value*p.weight
		squares += off * off
	}
	half := studentT(len(s.parts)-1) * math.Sqrt(c/(c-1)*squares) / weight
	return &Interval{value - half, value + half}
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
