package leaderboard

import (
	"context"
	"strconv"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/store"
)

// A Measured is one measure of a submission, as pages show it: of its
// docstrings, or of what one evaluator wrote.
type Measured struct {
	measures.Measure
	Evaluator string // of a measure of replies
	Column
	Summary measures.Summary
}

// MeasuredOf is every measure of the catalogue for a submission, in its order,
// each followed by what was imported of it; those of replies come once for each
// evaluation.
func MeasuredOf(ctx context.Context, s *store.Store, submission uint64, evaluations []store.Evaluation) ([]Measured, error) {
	heads, err := s.MeasurementHeads(ctx, submission)
	if err != nil {
		return nil, err
	}
	ids := make([]uint64, len(heads))
	for i, h := range heads {
		ids[i] = h.ID
	}
	packed, err := s.MeasurementValues(ctx, ids)
	if err != nil {
		return nil, err
	}
	type subject struct {
		evaluation uint64
		key        measures.Key
	}
	found := map[subject]Column{}
	for _, h := range heads {
		c := Column{Reason: h.Reason, Provenance: h.Provenance}
		if data := packed[h.ID]; data != nil {
			if c.Values, err = measures.Unpack(data); err != nil {
				return nil, err
			}
		}
		found[subject{h.EvaluationID, measures.Key(h.Measure)}] = c
	}
	var all []Measured
	add := func(m measures.Measure, evaluation uint64, evaluator, missing string) {
		c, ok := found[subject{evaluation, m.Key}]
		if !ok {
			c.Reason = missing
		}
		var pool []float64
		if m.Pool != "" {
			pool = found[subject{evaluation, m.Pool}].Values
		}
		all = append(all, Measured{m, evaluator, c, measures.Summarize(c.Values, pool)})
		if c, ok := found[subject{evaluation, m.Key.Imported()}]; ok {
			imported, _ := measures.Lookup(m.Key.Imported())
			all = append(all, Measured{imported, evaluator, c, measures.Summarize(c.Values, nil)})
		}
	}
	for _, m := range measures.Catalogue {
		if !m.OfReplies() {
			add(m, 0, "", Waiting)
		}
	}
	for _, e := range evaluations {
		missing := Waiting
		if e.State != store.Finished {
			missing = "the evaluation is " + string(e.State)
		}
		for _, m := range measures.Catalogue {
			if m.OfReplies() {
				add(m, e.ID, e.Evaluator.Name, missing)
			}
		}
	}
	return all, nil
}

// Of is the value of a task by its place in the release, and why there is none.
func (m Measured) Of(place int) (value float64, state measures.State, reason string) {
	if place < 0 || place >= len(m.Values) {
		return measures.NotComputed, measures.IsNotComputed, m.Reason
	}
	value = m.Values[place]
	if state = measures.StateOf(value); state == measures.IsNotComputed {
		reason = m.Reason
	}
	return value, state, reason
}

// MeasuresSheet is every measure of every task as a file: a line for each task
// and measure, and evaluator where it is of replies.
func MeasuresSheet(sub store.Submission, tasks []store.Task, all []Measured) Sheet {
	return Sheet{
		Header: []string{"submission", "release", "task_id", "repository", "evaluator", "measure", "pair", "value", "state", "reason", "provenance"},
		Rows: func(yield func([]string) bool) {
			for i, task := range tasks {
				repository := ""
				if id, err := benchmark.ParseTaskID(task.Key); err == nil {
					repository = id.Repository
				}
				for _, m := range all {
					v, state, reason := m.Of(i)
					text := ""
					if state == measures.IsDefined {
						text = strconv.FormatFloat(v, 'g', -1, 64)
					}
					if !yield([]string{sub.PublicID, sub.Release.Label(), task.Key, repository, m.Evaluator, string(m.Key), string(m.Pair), text, string(state), reason, m.Provenance}) {
						return
					}
				}
			}
		},
	}
}
