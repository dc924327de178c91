package leaderboard

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"touchstone/internal/statistics"
)

// A Spread is how pass@k of a row lies over the repositories of its set.
type Spread struct {
	*Row
	Cells        []Cell // as Set.Repositories
	Repositories int    // that have a score, at least one
	Mean         float64
	Low          float64 // a tenth of the repositories score no more
	Median       float64
	High         float64 // a tenth of the repositories score no less
}

// Spreads are those of every row that has a score under an evaluator, the
// highest mean first. Quantiles are of type 7. The error names a row whose
// scores are no numbers.
func (s *Set) Spreads(evaluator string, k int) ([]Spread, error) {
	var spreads []Spread
	for _, row := range s.Rows {
		result := s.Comparable(row, evaluator, k)
		if result == nil {
			continue
		}
		values := make([]float64, 0, len(s.Repositories))
		total := 0.0
		for _, c := range result.byRepo[k] {
			if c.Known {
				values = append(values, c.Value)
				total += c.Value
			}
		}
		if len(values) == 0 {
			continue
		}
		q, err := statistics.Quantiles(values, 0.1, 0.5, 0.9)
		if err != nil {
			return nil, fmt.Errorf("%s under %s: %w", row.Name(), evaluator, err)
		}
		spreads = append(spreads, Spread{Row: row, Cells: result.byRepo[k], Repositories: len(values),
			Mean: total / float64(len(values)), Low: q[0], Median: q[1], High: q[2]})
	}
	slices.SortStableFunc(spreads, func(a, b Spread) int {
		return cmp.Or(cmp.Compare(b.Mean, a.Mean), cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Submission, b.Submission))
	})
	return spreads, nil
}

// Distribution is the spreads as a file: a line for each row, evaluator and k.
func (b *Board) Distribution(q RepositoryQuery) (Sheet, error) {
	var lines [][]string
	for _, set := range b.Sets {
		if q.Release != "" && set.Key != q.Release {
			continue
		}
		for _, e := range set.Evaluators {
			if q.Evaluator != "" && e.Name != q.Evaluator {
				continue
			}
			for _, k := range set.Ks(e.Name) {
				if q.K != 0 && k != q.K {
					continue
				}
				spreads, err := set.Spreads(e.Name, k)
				if err != nil {
					return Sheet{}, err
				}
				for _, x := range spreads {
					lines = append(lines, []string{set.Key, string(set.Provenance), x.System, x.Model, x.Version, x.Control, e.Name, strconv.Itoa(k),
						strconv.Itoa(x.Repositories), decimal(x.Mean), decimal(x.Low), decimal(x.Median), decimal(x.High), x.Submission})
				}
			}
		}
	}
	return Sheet{
		Header: []string{"release", "provenance", "system", "model", "version", "control", "evaluator", "k", "repositories", "mean", "quantile_10", "median", "quantile_90", "submission"},
		Rows:   slices.Values(lines),
	}, nil
}
