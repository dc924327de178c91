package jsonlines

import (
	"errors"

	"touchstone/internal/benchmark"
)

// Kept is how many entries of a list that a file makes long a report keeps.
// All are counted.
const Kept = 1000

// A Listed is a list of which the first Kept entries are kept.
type Listed[T any] struct {
	Count int `json:"count"`
	First []T `json:"first"` // never nil
}

// NewListed is an empty list, that JSON shows as [].
func NewListed[T any]() Listed[T] { return Listed[T]{First: []T{}} }

// Add counts an entry and makes it when it is kept.
func (l *Listed[T]) Add(entry func() T) {
	if l.Count++; len(l.First) < Kept {
		l.First = append(l.First, entry())
	}
}

// A Rejection is a line that could not be read. Field is "" when it is about
// the line as a whole.
type Rejection struct {
	Line    int    `json:"line"`
	Field   string `json:"field"`
	Problem string `json:"problem"`
	Mend    string `json:"mend"`
}

// RejectionOf says in a report why a line could not be read.
func RejectionOf(line int, err error) Rejection {
	bad, ok := errors.AsType[*benchmark.InputError](err)
	if !ok {
		return Rejection{Line: line, Problem: Clip(err.Error())}
	}
	return Rejection{Line: line, Field: Clip(bad.Field), Problem: Clip(bad.Problem), Mend: bad.Mend}
}

// shownText is how much of what somebody wrote a report repeats, in
// characters.
const shownText = 400

// Clip shortens a text for a report.
func Clip(text string) string {
	if len(text) <= shownText {
		return text
	}
	runes := 0
	for i := range text {
		if runes++; runes > shownText {
			return text[:i] + "…"
		}
	}
	return text
}
