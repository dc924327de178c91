package leaderboard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/statistics"
)

// A Grain is what one point of a correlation is.
type Grain string

const (
	GrainTask       Grain = "task"       // a task of a submission
	GrainRepository Grain = "repository" // a submission's mean over the tasks of a repository
	GrainSystem     Grain = "system"     // a submission's mean over repositories
)

// Grains lists them from fine to coarse.
var Grains = []Grain{GrainTask, GrainRepository, GrainSystem}

// A CorrelationQuery chooses what is correlated. Zero fields are the defaults.
type CorrelationQuery struct {
	Release     string                 // key of an evaluated set; "": the newest that has correlations
	Evaluator   string                 // "": all that are no controls
	Kind        measures.Pair          // measures of these texts; "": all
	Method      statistics.Correlation // "": Pearson
	Grain       Grain                  // "": task
	Submissions []string               // public ids; nil: all that are ranked and no controls
	Square      bool                   // measures with each other, too, under one evaluator
}

// key names a query of a set with its defaults filled in.
func (q CorrelationQuery) key() string {
	return fmt.Sprintf("%q %q %q %q %q %v", q.Evaluator, q.Kind, q.Method, q.Grain, q.Submissions, q.Square)
}

// CheckCorrelations names what is wrong with a query for a board.
func (b *Board) CheckCorrelations(q CorrelationQuery) error {
	if err := b.Check(Query{Release: q.Release, Evaluator: q.Evaluator}); err != nil {
		return err
	}
	if q.Kind != "" && !slices.Contains(measures.Pairs, q.Kind) {
		return &benchmark.InputError{Field: "pair", Problem: quote(string(q.Kind)) + " is no pair of texts", Mend: "choose " + listed(measures.Pairs)}
	}
	if q.Method != "" && !slices.Contains(statistics.Correlations, q.Method) {
		return &benchmark.InputError{Field: "method", Problem: quote(string(q.Method)) + " is no correlation", Mend: "choose " + listed(statistics.Correlations)}
	}
	if q.Grain != "" && !slices.Contains(Grains, q.Grain) {
		return &benchmark.InputError{Field: "unit", Problem: quote(string(q.Grain)) + " is no unit", Mend: "choose " + listed(Grains)}
	}
	return nil
}

func listed[T ~string](all []T) string {
	words := make([]string, len(all))
	for i, x := range all {
		words[i] = string(x)
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// CorrelationSet is the set that a query is about: the one it names, else the
// newest evaluated one that has a ranked submission, else the newest evaluated
// one, else a paper's; nil without any.
func (b *Board) CorrelationSet(q CorrelationQuery) *Set {
	var found *Set
	for _, set := range b.Sets {
		if q.Release != "" {
			if set.Key == q.Release {
				return set
			}
			continue
		}
		if found == nil {
			found = set
		}
		if set.Matrix != nil && len(set.judges("")) > 0 && len(set.rankedSubmissions(set.judges(""))) > 0 {
			return set
		}
	}
	return found
}

// judges are an evaluator by its name, or all that are no controls.
func (s *Set) judges(name string) []Evaluator {
	var found []Evaluator
	for _, e := range s.Evaluators {
		if name == e.Name || name == "" && !e.Control {
			found = append(found, e)
		}
	}
	return found
}

// rankedSubmissions are those that are no controls and that some of the
// evaluators have judged on every task.
func (s *Set) rankedSubmissions(judges []Evaluator) []*MatrixRow {
	var rows []*MatrixRow
	for _, row := range s.Matrix.Rows {
		if row.Row.Control == "" && slices.ContainsFunc(judges, func(e Evaluator) bool { return s.Comparable(row.Row, e.Name, 1) != nil }) {
			rows = append(rows, row)
		}
	}
	return rows
}

// submissions are the rows that a query chooses, by system and id.
func (s *Set) submissions(q CorrelationQuery, judges []Evaluator) ([]*MatrixRow, error) {
	rows := s.rankedSubmissions(judges)
	if q.Submissions != nil {
		rows = nil
		for _, id := range q.Submissions {
			at := slices.IndexFunc(s.Matrix.Rows, func(r *MatrixRow) bool { return r.Row.Submission == id })
			if at < 0 {
				return nil, &benchmark.InputError{Field: "submission", Problem: "there is no evaluated submission " + quote(id) + " of " + s.Label, Mend: "leave it out to see all that are ranked"}
			}
			rows = append(rows, s.Matrix.Rows[at])
		}
	}
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b *MatrixRow) int {
		return cmp.Or(cmp.Compare(a.Row.Name(), b.Row.Name()), cmp.Compare(a.Row.Submission, b.Row.Submission))
	})
	return rows, nil
}

// filled is the query with its defaults in place and its submissions in order.
func (q CorrelationQuery) filled(s *Set) CorrelationQuery {
	q.Release = s.Key
	q.Method = cmp.Or(q.Method, statistics.Pearson)
	q.Grain = cmp.Or(q.Grain, GrainTask)
	if q.Submissions != nil {
		q.Submissions = slices.Compact(slices.Sorted(slices.Values(q.Submissions)))
	}
	return q
}
