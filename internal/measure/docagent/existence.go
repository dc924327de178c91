package docagent

import "strings"

// Components are the functions, methods and classes of a repository, by the
// last parts of their names.
type Components struct {
	names  map[string]bool
	joined string // one a line
}

// NewComponents takes names with dots, such as a.py's module or a qualname.
func NewComponents(names []string) Components {
	c := Components{names: make(map[string]bool, len(names))}
	var b strings.Builder
	for _, name := range names {
		if name = lastPart(name); !c.names[name] {
			c.names[name] = true
			b.WriteString(name + "\n")
		}
	}
	c.joined = b.String()
	return c
}

// An Existence counts the names that docstrings mention and those that the
// repository has. Counts of several docstrings are added up before a ratio is
// taken.
type Existence struct {
	Mentioned int
	Strict    int // that are the name of a component
	DocAgent  int // that are part of the name of a component, which is how DocAgent asks
}

// Check looks for what a docstring mentions, by the last part of each name.
func (c Components) Check(mentions []string) Existence {
	e := Existence{Mentioned: len(mentions)}
	for _, m := range mentions {
		name := lastPart(m)
		if c.names[name] {
			e.Strict++
		}
		if strings.Contains(c.joined, name) {
			e.DocAgent++
		}
	}
	return e
}

// Add adds the counts of a further docstring.
func (e *Existence) Add(o Existence) {
	e.Mentioned += o.Mentioned
	e.Strict += o.Strict
	e.DocAgent += o.DocAgent
}

// StrictRatio is the share of the mentioned names that exist, 0 when nothing
// was mentioned (existence_strict).
func (e Existence) StrictRatio() float64 { return ratio(e.Strict, e.Mentioned) }

// DocAgentRatio is the share that exists in DocAgent's reading, 0 when nothing
// was mentioned (existence_docagent). It is never below StrictRatio.
func (e Existence) DocAgentRatio() float64 { return ratio(e.DocAgent, e.Mentioned) }

func ratio(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}
