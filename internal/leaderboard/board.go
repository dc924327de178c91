// Package leaderboard makes the tables that pages and files show out of scores:
// what was evaluated here beside what papers published, never mixed up.
package leaderboard

import (
	"sync"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/store"
)

// A Provenance says where a number comes from.
type Provenance string

const (
	Published Provenance = "published" // printed in a paper
	Evaluated Provenance = "evaluated" // run by this site
)

// A Board is everything that pages show, as of one version of the results.
type Board struct {
	Version      uint64
	Sets         []*Set             // of doc-to-code: evaluated releases, newest first; then papers
	Localization []*LocalizationSet // of localization, in the same order
}

// A Set is rows that were judged on the same tasks, so that they can be compared.
type Set struct {
	Key          string // name@version of a release, or the id of a paper
	Label        string
	Provenance   Provenance
	Tasks        int
	Repositories []Repository // by name
	Evaluators   []Evaluator  // in the order of tables; those that some row has a result under
	Rows         []*Row
	Matrix       *Matrix // of an evaluated set: its tasks one by one; nil of a paper's

	unleaked *Set // the same without leak-flagged tasks; nil of a paper's
	leakFree bool // this is one without them

	mu     sync.Mutex
	ranked map[rankKey][]place // as Rows

	kept keptCorrelations
}

type rankKey struct {
	evaluator string
	k         int
}

// A Repository is one of a set's.
type Repository struct {
	Name       string
	Tasks      int
	Tests      int  // 0 when unknown
	Candidates int  // n_candidates
	AllTasks   int  // n_all_tasks
	Stars      *int // nil when unknown
	Forks      *int
}

// An Evaluator is a judge of a set.
type Evaluator struct {
	Name        string
	Control     bool
	Recorded    bool // replies are played back: no model is asked
	Samples     int  // largest k that there is
	Description string
}

// A Row is one system's output: a submission, or a configuration of a paper.
type Row struct {
	Submission string // public id; "" for a published row
	Provenance Provenance
	System     string
	Model      string // documentation model; "" when there is none
	Slug       string // of the system: rows of one name and model share it, wherever they come from
	Link       string
	Version    string
	Control    string // original or none, when the docstrings are nobody's output
	Date       time.Time
	Tasks      int
	Documented int // tasks with a docstring; -1 when unknown
	Leak       Leak
	Results    map[string]*Result
}

// Name is the system and what it ran on.
func (r *Row) Name() string {
	if r.Model == "" {
		return r.System
	}
	return r.System + " · " + r.Model
}

// A Result is what a row scored under one evaluator.
type Result struct {
	Evaluator  string
	Samples    int    // per task; largest k
	Evaluation uint64 // 0 for a published one
	Verdicts   map[benchmark.Verdict]int
	scores     map[scoreKey]Estimate
	byRepo     map[int][]Cell // k → as Set.Repositories
	lifts      map[scoreKey]Estimate
}

type scoreKey struct {
	aggregation store.Aggregation
	k           int
}

// An Estimate is pass@k with its 95 % interval.
type Estimate struct {
	Value        float64
	Low, High    *float64 // nil when there is no interval
	Repositories int
	Tasks        int
	Decimals     int // that a paper prints; 0 when it was computed
}

// A Cell is pass@k on one repository.
type Cell struct {
	Known    bool
	Value    float64
	Tasks    int
	Decimals int // that a paper prints; 0 when it was computed
}

// At is pass@k by an aggregation, and whether there is one.
func (r *Result) At(a store.Aggregation, k int) (Estimate, bool) {
	if r == nil {
		return Estimate{}, false
	}
	e, ok := r.scores[scoreKey{a, k}]
	return e, ok
}

// On is pass@k on the i-th repository of the set.
func (r *Result) On(i, k int) Cell {
	if r == nil || i >= len(r.byRepo[k]) {
		return Cell{}
	}
	return r.byRepo[k][i]
}

// Set finds a set by its key.
func (b *Board) Set(key string) (*Set, bool) {
	for _, s := range b.Sets {
		if s.Key == key {
			return s, true
		}
	}
	return nil, false
}

// Evaluator finds an evaluator of the set by its name.
func (s *Set) Evaluator(name string) (Evaluator, bool) {
	for _, e := range s.Evaluators {
		if e.Name == name {
			return e, true
		}
	}
	return Evaluator{}, false
}
