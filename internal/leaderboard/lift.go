package leaderboard

import (
	"cmp"
	"slices"

	"touchstone/internal/doctocode/measures"
	"touchstone/internal/statistics"
	"touchstone/internal/store"
)

// averages are the store's aggregations in the words of statistics.
var averages = map[store.Aggregation]statistics.Average{
	store.ByRepository: statistics.Macro,
	store.ByTask:       statistics.Micro,
	store.ByTests:      statistics.Weighted,
}

func estimateOf(e statistics.Estimate) Estimate {
	found := Estimate{Value: e.Value, Repositories: e.Repositories, Tasks: e.Tasks}
	if e.Interval != nil {
		found.Low, found.High = &e.Interval.Low, &e.Interval.High
	}
	return found
}

// Lift is pass@k minus that of the control without docstrings under the same
// evaluator, task by task, and whether it is known.
func (r *Result) Lift(a store.Aggregation, k int) (Estimate, bool) {
	if r == nil {
		return Estimate{}, false
	}
	e, ok := r.lifts[scoreKey{a, k}]
	return e, ok
}

// NoDocs is the row that lifts under an evaluator are over: the newest
// submission without docstrings whose evaluation lacks no task; nil without
// one.
func (s *Set) NoDocs(evaluator string) *Row {
	for i := len(s.Rows) - 1; i >= 0; i-- {
		row := s.Rows[i]
		if row.Control != store.DocsNone {
			continue
		}
		if _, ok := s.Comparable(row, evaluator, 1).At(store.ByRepository, 1); ok {
			return row
		}
	}
	return nil
}

// addLifts computes the lift of every row that is not the control itself.
func (b *boardBuild) addLifts() error {
	kept := map[liftKey]map[scoreKey]Estimate{}
	for _, set := range b.sets {
		for _, e := range set.Evaluators {
			at := slices.Index(set.Rows, set.NoDocs(e.Name))
			if at < 0 {
				continue
			}
			baseline := set.Matrix.Rows[at]
			for i, row := range set.Rows {
				if i == at {
					continue
				}
				for _, result := range []*Result{row.Results[e.Name], set.unleaked.Rows[i].Results[e.Name]} {
					if result == nil {
						continue
					}
					var leftOut []bool
					key := liftKey{result.Evaluation, baseline.Row.Results[e.Name].Evaluation, nil}
					if result != row.Results[e.Name] {
						leftOut, _ = set.Matrix.Rows[i].Flagged()
						key.flags = &set.Matrix.Rows[i].Column(measures.LeakFlagged, "").Values[0]
					}
					found := b.known.lifts[key]
					if found == nil {
						var err error
						if found, err = set.lifts(set.Matrix.Rows[i], baseline, e.Name, result.Samples, leftOut); err != nil {
							return err
						}
					}
					kept[key], result.lifts = found, found
				}
			}
		}
	}
	b.known.lifts = kept
	return nil
}

// liftKey names what a lift is made of: two evaluations, and the flags of the
// tasks that are left out by where they are kept.
type liftKey struct {
	evaluation, baseline uint64
	flags                *float64
}

func (s *Set) lifts(row, baseline *MatrixRow, evaluator string, samples int, leftOut []bool) (map[scoreKey]Estimate, error) {
	found := map[scoreKey]Estimate{}
	for k := 1; k <= samples; k++ {
		with, without := row.PassAt(evaluator, k), baseline.PassAt(evaluator, k)
		differences := make([]float64, len(with))
		for i := range with {
			differences[i] = with[i] - without[i] // NaN where one of them is
		}
		scores := s.scoresOf(differences, leftOut)
		if len(scores) == 0 {
			continue
		}
		for aggregation, average := range averages {
			e, err := average.Of(scores)
			if err != nil {
				return nil, err
			}
			found[scoreKey{aggregation, k}] = estimateOf(e)
		}
	}
	return found, nil
}

// scoresOf are the values of tasks that have one and are not left out, in the
// order of repositories and tasks.
func (s *Set) scoresOf(values []float64, leftOut []bool) []statistics.Score {
	scores := make([]statistics.Score, 0, len(values))
	for _, i := range s.Matrix.byName {
		if leftOut != nil && leftOut[i] || measures.StateOf(values[i]) != measures.IsDefined {
			continue
		}
		t := s.Matrix.Tasks[i]
		scores = append(scores, statistics.Score{Repository: s.Repositories[t.Repository].Name, Task: t.Key, Value: values[i], Weight: float64(t.Tests)})
	}
	return scores
}

// sortedByName are the places of tasks by repository and key: statistics want
// them so, and what is in order is sorted fast.
func sortedByName(tasks []MatrixTask, repositories []Repository) []int {
	places := make([]int, len(tasks))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Or(cmp.Compare(repositories[tasks[a].Repository].Name, repositories[tasks[b].Repository].Name), cmp.Compare(tasks[a].Key, tasks[b].Key))
	})
	return places
}
