package leaderboard

import (
	"math"
	"sync"

	"touchstone/internal/doctocode/measures"
	"touchstone/internal/measure"
)

// A Matrix is everything that is known of a release task by task, in memory:
// pass@k under each evaluator and every measure of each submission. It is part
// of the board (Set.Matrix), so it is made when results change and never
// changes itself; whoever reads it may keep references to its slices and must
// not write to them.
//
// Every column is as long as Tasks and in its order, so that the i-th values
// of two columns of any rows are of the same task. A value that is not there is
// NaN: measures.StateOf says whether it is undefined or not computed.
//
//	for _, row := range set.Matrix.Rows {            // a submission each, as Set.Rows
//		x := row.Column("bleu_doc_doc", "")          // of its docstrings
//		y := row.Column("bleu_code_code", "replies") // of what an evaluator wrote
//		z := row.PassAt("replies", 1)                // pass@1, NaN where no sample counts
//	}
type Matrix struct {
	Tasks []MatrixTask
	Rows  []*MatrixRow // as Set.Rows

	byName []int // places of tasks by repository and key
}

// A MatrixTask is a task of the release.
type MatrixTask struct {
	Key        string // owner/name:path::qualname
	Repository int    // index in Set.Repositories
	Tests      int
}

// A MatrixRow is one submission.
type MatrixRow struct {
	Row    *Row
	docs   map[measures.Key]Column // of its docstrings
	judged map[string]*judgedTasks // by evaluator
}

// A Column is one measure of every task.
type Column struct {
	Values     []float64 // nil when nothing was computed
	Reason     string    // why values are missing, all or some
	Provenance string    // who computed them, when it was not this site
}

// judgedTasks are the tasks of one evaluation.
type judgedTasks struct {
	*fared
	measures map[measures.Key]Column
}

// fared is how the tasks of an evaluation fared.
type fared struct {
	samples, passed []int32 // that count, and of these

	mu     sync.Mutex
	passAt map[int][]float64
}

func newFared(tasks int) *fared {
	return &fared{samples: make([]int32, tasks), passed: make([]int32, tasks), passAt: map[int][]float64{}}
}

// Waiting is the reason of a column that is still to come.
const Waiting = "it is computed in the background, after what was submitted before"

// Column is a measure of the submission: of its docstrings, or, for a measure
// of replies, of what the named evaluator wrote.
func (r *MatrixRow) Column(key measures.Key, evaluator string) Column {
	m, ok := measures.Lookup(key)
	if !ok {
		return Column{Reason: "there is no such measure"}
	}
	columns := r.docs
	if m.OfReplies() {
		if r.judged[evaluator] == nil {
			return Column{Reason: "no evaluation under " + evaluator + " has finished"}
		}
		columns = r.judged[evaluator].measures
	}
	if c, ok := columns[key]; ok {
		return c
	}
	if _, imported := key.Base(); imported {
		return Column{Reason: "nothing was imported"}
	}
	return Column{Reason: Waiting}
}

// Measures are those of the catalogue, each followed by what was imported of it
// for any of some rows.
func Measures(rows []*MatrixRow) []measures.Measure {
	imported := map[measures.Key]bool{}
	note := func(columns map[measures.Key]Column) {
		for key := range columns {
			if _, ok := key.Base(); ok {
				imported[key] = true
			}
		}
	}
	for _, r := range rows {
		note(r.docs)
		for _, j := range r.judged {
			note(j.measures)
		}
	}
	var all []measures.Measure
	for _, m := range measures.Catalogue {
		all = append(all, m)
		if imported[m.Key.Imported()] {
			also, _ := measures.Lookup(m.Key.Imported())
			all = append(all, also)
		}
	}
	return all
}

// PassAt is pass@k of every task under an evaluator, NaN where fewer than k
// samples count; nil when no evaluation under it has finished.
func (r *MatrixRow) PassAt(evaluator string, k int) []float64 {
	j := r.judged[evaluator]
	if j == nil || k < 1 {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if known, ok := j.passAt[k]; ok {
		return known
	}
	values, some := make([]float64, len(j.samples)), false
	for i, n := range j.samples {
		v, err := measure.PassAtK(int(n), int(j.passed[i]), k)
		if err != nil {
			v = math.NaN() // fewer than k samples count
		}
		values[i], some = v, some || err == nil
	}
	if some { // else k may be anything that an address asks for
		j.passAt[k] = values
	}
	return values
}

// Samples is how many of a task's samples count under an evaluator, and how
// many of these passed.
func (r *MatrixRow) Samples(evaluator string, task int) (counted, passed int) {
	j := r.judged[evaluator]
	if j == nil {
		return 0, 0
	}
	return int(j.samples[task]), int(j.passed[task])
}

// Flagged reports for every task whether its docstring gives code away, and
// whether that is known of the submission at all.
func (r *MatrixRow) Flagged() ([]bool, Column) {
	c := r.Column(measures.LeakFlagged, "")
	if c.Values == nil {
		return nil, c
	}
	flags := make([]bool, len(c.Values))
	for i, v := range c.Values {
		flags[i] = v == 1
	}
	return flags, c
}
