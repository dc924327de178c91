package docagent

import (
	"strings"

	"touchstone/internal/measure/pystr"
)

// The sections that a docstring may need.
const (
	Summary     = "summary"
	Description = "description"
	Args        = "args" // of a function
	Returns     = "returns"
	Raises      = "raises"
	Attributes  = "attributes" // of a class
	Params      = "parameters" // of a class
	Examples    = "examples"
)

// A Section is one of them for one docstring.
type Section struct {
	Name      string
	Required  bool
	Satisfied bool // only of a required one
}

// A Completeness is the share of the required sections that a docstring has,
// each counting the same. It knows sections by Google's labels only, so the
// same content scores a third in NumPy's style of what it does in Google's.
type Completeness struct {
	Score    float64 // from 0 to 1
	Sections []Section
}

// labels are what a section is recognised by: in lower case, anywhere.
var labels = map[string][]string{
	Args:       {"args:", "arguments:", "parameters:", "params:"},
	Returns:    {"returns:", "return:", "return value:", "return type:", "yields:", "yield:"},
	Raises:     {"raises:", "exceptions:", "throws:"},
	Attributes: {"attributes:", "members:", "member variables:", "instance variables:", "properties:"},
	Params:     {"parameters:", "params:", "args:", "arguments:"},
	Examples:   {"example:", "examples:", "usage:", "usage example:", "usage examples:"},
}

// ScoreCompleteness is the completeness of a definition's docstring, "" when
// there is none: that scores 0. An __init__ scores 1 whatever it has.
func ScoreCompleteness(f Facts, docstring string) Completeness {
	if f.Kind == Function && f.Name == "__init__" {
		return Completeness{Score: 1}
	}
	sections := required(f)
	needed, satisfied := 0, 0
	for i, s := range sections {
		if !s.Required {
			continue
		}
		needed++
		if docstring != "" && has(docstring, s.Name, sections) {
			sections[i].Satisfied = true
			satisfied++
		}
	}
	return Completeness{Score: float64(satisfied) / float64(needed), Sections: sections}
}

// required are all sections of a definition of this kind.
func required(f Facts) []Section {
	public := !strings.HasPrefix(f.Name, "_")
	if f.Kind == Class {
		return []Section{
			{Name: Summary, Required: true},
			{Name: Description, Required: true},
			{Name: Params, Required: f.Init != nil && f.Init.documented()},
			{Name: Attributes, Required: f.Assigns || f.InitAssigns || f.Enum},
			{Name: Examples, Required: public},
		}
	}
	return []Section{
		{Name: Summary, Required: true},
		{Name: Description, Required: true},
		{Name: Args, Required: f.documented()},
		{Name: Returns, Required: f.Returns || f.Yields},
		{Name: Raises, Required: f.Raises || f.Calls},
		{Name: Examples, Required: public},
	}
}

// has reports whether a docstring has a section.
func has(docstring, section string, all []Section) bool {
	switch section {
	case Summary:
		return pystr.TrimSpace(docstring) != "" // then its first line is not blank
	case Description:
		return described(docstring, all)
	}
	text := pystr.Lower(docstring)
	for _, label := range labels[section] {
		if strings.Contains(text, label) {
			return true
		}
	}
	return false
}

// described reports whether a second paragraph follows that does not begin with
// a section's label.
func described(docstring string, all []Section) bool {
	blank := false
	for line := range strings.SplitSeq(pystr.TrimSpace(docstring), "\n") {
		line = pystr.TrimSpace(line)
		if line != "" && blank {
			return !labelled(pystr.Lower(line), all)
		}
		blank = blank || line == ""
	}
	return false
}

func labelled(line string, all []Section) bool {
	for _, s := range all {
		for _, label := range labels[s.Name] {
			if strings.HasPrefix(line, label) {
				return true
			}
		}
	}
	return false
}
