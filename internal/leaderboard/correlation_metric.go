package leaderboard

import (
	"fmt"
	"strconv"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/measures"
)

// A Metric is what a correlation is of: pass@k under an evaluator, a measure of
// docstrings, or a measure of what an evaluator wrote.
type Metric struct {
	K         int              // of pass@k; 0 of a measure
	Measure   measures.Measure // without a key for pass@k
	Evaluator string           // "" of a measure of docstrings
}

// Key names the metric in addresses and files: pass@1:judge, words,
// bleu_code_code:judge.
func (m Metric) Key() string {
	name := string(m.Measure.Key)
	if m.K > 0 {
		name = passKey + strconv.Itoa(m.K)
	}
	if m.Evaluator == "" {
		return name
	}
	return name + ":" + m.Evaluator
}

const passKey = "pass@"

// Label is the metric in words.
func (m Metric) Label() string {
	label := m.Measure.Label()
	if m.K > 0 {
		label = passKey + strconv.Itoa(m.K)
	}
	if m.Evaluator == "" {
		return label
	}
	return label + " under " + m.Evaluator
}

// Kind is which texts a measure compares, "" of pass@k.
func (m Metric) Kind() measures.Pair { return m.Measure.Pair }

// Low and High bound the metric's values.
func (m Metric) Range() (low, high float64) {
	if m.K > 0 {
		return 0, 1
	}
	return m.Measure.Low, m.Measure.High
}

// Unit is what a value counts, "" of a score.
func (m Metric) Unit() string { return m.Measure.Unit }

// under is the metric with the evaluator that its values depend on, if any.
func (m Metric) under(evaluator string) Metric {
	if m.K > 0 || m.Measure.OfReplies() {
		m.Evaluator = evaluator
	}
	return m
}

// ParseMetric reads a key. The field is named in the error.
func (s *Set) ParseMetric(field, key string) (Metric, error) {
	name, evaluator, named := strings.Cut(key, ":")
	largest := 0
	if named {
		judge, ok := s.Evaluator(evaluator)
		if largest = judge.Samples; !ok {
			return Metric{}, &benchmark.InputError{Field: field, Problem: "nothing was judged by " + quote(evaluator) + " on " + s.Label, Mend: "choose a cell of the table of correlations"}
		}
	}
	if digits, ok := strings.CutPrefix(name, passKey); ok {
		k, err := strconv.Atoi(digits)
		if err != nil || k < 1 || k > largest || !named {
			return Metric{}, &benchmark.InputError{Field: field, Problem: quote(key) + " is not pass@k under an evaluator, k being at most its samples", Mend: "write for example pass@1:NAME"}
		}
		return Metric{K: k, Evaluator: evaluator}, nil
	}
	m, ok := measures.Lookup(measures.Key(name))
	switch {
	case !ok:
		return Metric{}, measures.NoMeasure(field, quoted(name))
	case m.OfReplies() && !named:
		return Metric{}, &benchmark.InputError{Field: field, Problem: quote(key) + " is of what an evaluator wrote, and none is named", Mend: fmt.Sprintf("write %s:NAME", key)}
	case !m.OfReplies() && named:
		return Metric{}, &benchmark.InputError{Field: field, Problem: quote(name) + " does not depend on an evaluator", Mend: "write " + name}
	}
	return Metric{Measure: m, Evaluator: evaluator}, nil
}

// quoted is a text cut to what fits an error that quotes it itself.
func quoted(s string) string { return strings.TrimSuffix(strings.TrimPrefix(quote(s), "“"), "”") }
