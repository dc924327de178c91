// Package docagent computes the measures of docstrings that DocAgent (Yang et
// al., 2025) proposed, as its published code does: completeness, and the
// existence of what a docstring mentions. They are shown beside pass@k to be
// compared with it, never to rank by.
package docagent

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// FactsScript is a Python program that reads Requests from its standard input,
// one JSON object a line, and answers each by a line that ParseAnswer reads. It
// only parses what it is given, and needs nothing but Python 3.8 or later; a
// hostile source may still bring the interpreter down, so it belongs inside the
// sandbox.
//
//go:embed facts.py
var FactsScript string

// A Request asks for the facts of one definition, or of all.
type Request struct {
	ID       string `json:"id"`
	Source   string `json:"source"`             // of a file or a definition
	Qualname string `json:"qualname,omitempty"` // of the definition; "" for all
	Ordinal  int    `json:"ordinal,omitempty"`  // which of several of that name, from 0 on
}

// An Answer has the facts that a Request asked for, in the order of the source.
type Answer struct {
	ID          string  `json:"id"`
	Definitions []Facts `json:"definitions"`
	Error       string  `json:"error"` // why there are none; "" when there are
}

// A Kind is that of a definition.
type Kind string

const (
	Function Kind = "function" // or method, async ones too
	Class    Kind = "class"
)

// Facts are what Python's ast says about a definition.
type Facts struct {
	Qualname string `json:"qualname"`
	Ordinal  int    `json:"ordinal"`
	Kind     Kind   `json:"kind"`
	Name     string `json:"name"`

	// Of a function, with what is nested in it.
	Parameters
	Returns bool `json:"returns"` // it returns a value; None too, when it is written
	Yields  bool `json:"yields"`
	Raises  bool `json:"raises"` // somewhere outside of except clauses
	Calls   bool `json:"calls"`  // somewhere outside of except clauses

	// Of a class.
	Assigns     bool        `json:"assigns"` // in the body of the class
	Enum        bool        `json:"enum"`    // a base is called Enum
	Init        *Parameters `json:"init"`    // nil without an __init__ of its own
	InitAssigns bool        `json:"init_assigns"`
}

// Parameters are the names of a function's parameters.
type Parameters struct {
	PositionalOnly []string `json:"positional_only"`
	Positional     []string `json:"positional"` // that may be given by name, too
	Variadic       []string `json:"variadic"`   // *args and **kwargs, without stars
	KeywordOnly    []string `json:"keyword_only"`
}

// All are the names in the order of the four kinds.
func (p Parameters) All() []string {
	var all []string
	for _, names := range [][]string{p.PositionalOnly, p.Positional, p.Variadic, p.KeywordOnly} {
		all = append(all, names...)
	}
	return all
}

// documented reports whether completeness asks for a section about them: a
// positional one is not called self, or one is keyword-only.
func (p Parameters) documented() bool {
	for _, name := range p.Positional {
		if name != "self" {
			return true
		}
	}
	return len(p.KeywordOnly) > 0
}

// ParseAnswer reads a line that FactsScript wrote. That the script could not
// read the source is Answer.Error, not an error of ParseAnswer.
func ParseAnswer(line []byte) (Answer, error) {
	var a Answer
	if err := json.Unmarshal(line, &a); err != nil {
		return Answer{}, fmt.Errorf("facts of a docstring's code: %w", err)
	}
	for _, f := range a.Definitions {
		if f.Kind != Function && f.Kind != Class {
			return Answer{}, fmt.Errorf("facts of a docstring's code: %q is of the unknown kind %q", f.Qualname, f.Kind)
		}
	}
	if a.Error == "" && a.Definitions == nil {
		return Answer{}, fmt.Errorf("facts of a docstring's code: the answer to %q has neither definitions nor an error", a.ID)
	}
	return a, nil
}
