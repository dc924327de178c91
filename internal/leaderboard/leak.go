package leaderboard

import (
	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/measures"
)

// WithoutLeaks in a query leaves out of each row the tasks whose docstring
// gives so much of the code away that the score may measure copying.
const WithoutLeaks = "without"

// A Leak is how many of a row's docstrings give code away.
type Leak struct {
	Documented int    // docstrings that were looked at
	Flagged    int    // of these
	Severe     int    // of the flagged ones
	Unknown    string // why it is not known; "" when it is
}

// Shares are those of the docstrings that are flagged and severe, and whether
// they are known.
func (l Leak) Shares() (flagged, severe float64, ok bool) {
	if l.Unknown != "" || l.Documented == 0 {
		return 0, 0, false
	}
	return float64(l.Flagged) / float64(l.Documented), float64(l.Severe) / float64(l.Documented), true
}

// Why says why there are no shares.
func (l Leak) Why() string {
	if l.Unknown != "" {
		return "not computed: " + l.Unknown
	}
	return "no task has a docstring"
}

// leakOf counts the flags of a row.
func leakOf(row *MatrixRow) Leak {
	flagged, severe := row.Column(measures.LeakFlagged, ""), row.Column(measures.LeakSevere, "")
	if flagged.Values == nil || severe.Values == nil {
		return Leak{Unknown: flagged.Reason}
	}
	var l Leak
	for i, v := range flagged.Values {
		switch measures.StateOf(v) {
		case measures.IsDefined:
			l.Documented++
			l.Flagged += int(v)
			if severe.Values[i] == 1 {
				l.Severe++
			}
		case measures.IsNotComputed:
			return Leak{Unknown: flagged.Reason}
		}
	}
	return l
}

// addLeaks counts every row's leaks, and makes of every evaluated set the one
// without the tasks that are flagged for the row.
func (b *boardBuild) addLeaks() error {
	kept := map[unleakedKey]*Result{}
	for _, set := range b.sets {
		without := &Set{Key: set.Key, Label: set.Label, Provenance: set.Provenance, Tasks: set.Tasks, Repositories: set.Repositories,
			Evaluators: set.Evaluators, leakFree: true}
		for i, row := range set.Rows {
			of := set.Matrix.Rows[i]
			row.Leak = leakOf(of)
			copied := *row
			copied.Results = map[string]*Result{}
			if flags, _ := of.Flagged(); flags != nil && row.Leak.Unknown == "" {
				for name, result := range row.Results {
					key := unleakedKey{result.Evaluation, &of.Column(measures.LeakFlagged, "").Values[0]}
					found := b.known.unleaked[key]
					if found == nil {
						var err error
						if found, err = set.rescored(of, name, result, flags); err != nil {
							return err
						}
					}
					kept[key], copied.Results[name] = found, found
				}
			}
			without.Rows = append(without.Rows, &copied)
		}
		set.unleaked = without
	}
	b.known.unleaked = kept
	return nil
}

// unleakedKey names what a result without leaks is made of: an evaluation, and
// the flags by where they are kept.
type unleakedKey struct {
	evaluation uint64
	flags      *float64
}

// rescored is a result over the tasks that are not left out.
func (s *Set) rescored(row *MatrixRow, evaluator string, result *Result, leftOut []bool) (*Result, error) {
	again := &Result{Evaluator: result.Evaluator, Samples: result.Samples, Evaluation: result.Evaluation, Verdicts: result.Verdicts,
		scores: map[scoreKey]Estimate{}, byRepo: map[int][]Cell{}}
	for k := 1; k <= result.Samples; k++ {
		scores := s.scoresOf(row.PassAt(evaluator, k), leftOut)
		if len(scores) == 0 {
			continue
		}
		for aggregation, average := range averages {
			e, err := average.Of(scores)
			if err != nil {
				return nil, err
			}
			again.scores[scoreKey{aggregation, k}] = estimateOf(e)
		}
		cells := make([]Cell, len(s.Repositories))
		for i, v := range row.PassAt(evaluator, k) {
			if measures.StateOf(v) == measures.IsDefined && !leftOut[i] {
				c := &cells[s.Matrix.Tasks[i].Repository]
				c.Known, c.Value, c.Tasks = true, c.Value+v, c.Tasks+1
			}
		}
		for i := range cells {
			if cells[i].Tasks > 0 {
				cells[i].Value /= float64(cells[i].Tasks)
			}
		}
		again.byRepo[k] = cells
	}
	return again, nil
}

// checkLeak names what is wrong with a query's word on leaks.
func (b *Board) checkLeak(q Query) error {
	if q.Leak == "" {
		return nil
	}
	if q.Leak != WithoutLeaks {
		return &benchmark.InputError{Field: "leak", Problem: quote(q.Leak) + " is no choice", Mend: "write leak=without, or leave it out"}
	}
	set, ok := b.Set(q.Release)
	if ok && set.Provenance == Published || q.Provenance == Published {
		return &benchmark.InputError{Field: "leak", Problem: "a paper’s docstrings are not known, so nobody knows which give code away", Mend: "leave leak out, or choose a release"}
	}
	return nil
}

// LeakFree reports whether the set is shown without the tasks that leak.
func (s *Set) LeakFree() bool { return s.leakFree }
