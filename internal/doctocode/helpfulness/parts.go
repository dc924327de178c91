package helpfulness

import (
	"regexp"
	"strings"

	"touchstone/internal/measure/pystr"
)

// The parts that are graded.
const (
	Summary     = "summary"
	Description = "description"
	Parameters  = "parameters"
)

// Names lists them.
var Names = []string{Summary, Description, Parameters}

// Parts are those of a docstring, "" where there is none.
type Parts struct{ Summary, Description, Parameters string }

// Of is the part of that name.
func (p Parts) Of(name string) string {
	return map[string]string{Summary: p.Summary, Description: p.Description, Parameters: p.Parameters}[name]
}

// sections are the headings of Google's and NumPy's styles, in lower case, and
// whether parameters stand below them.
var sections = map[string]bool{
	"args": true, "arguments": true, "parameters": true, "params": true, "other parameters": true, "keyword args": true, "keyword arguments": true,
	"returns": false, "return": false, "yields": false, "yield": false, "receives": false, "raises": false, "raise": false, "exceptions": false, "throws": false,
	"warns": false, "warnings": false, "warning": false, "example": false, "examples": false, "usage": false, "note": false, "notes": false,
	"see also": false, "references": false, "attributes": false, "methods": false,
}

var (
	// field is how a field of reStructuredText begins.
	field = regexp.MustCompile(`^:(\w+)[^:\n]*:`)
	// fieldsOfParameters are those that say something of a parameter.
	fieldsOfParameters = map[string]bool{"param": true, "parameter": true, "arg": true, "argument": true, "key": true, "keyword": true, "type": true}
	underline          = regexp.MustCompile(`^(-{3,}|={3,}|~{3,})$`)
)

// Split finds the parts of a docstring without its margin: the first paragraph,
// what else stands outside sections, and the sections and fields about
// parameters, in the styles of Google, NumPy and reStructuredText.
func Split(docstring string) Parts {
	s := splitter{lines: strings.Split(docstring, "\n")}
	s.place = &s.summary
	for i := 0; i < len(s.lines); i++ {
		i += s.take(i)
	}
	return Parts{text(s.summary), text(s.description), text(s.parameters)}
}

// A splitter knows which part the lines belong to.
type splitter struct {
	lines                                   []string
	summary, description, parameters, other []string
	place                                   *[]string // where lines go
	inside                                  ending    // what ends the section that they are in
	indent                                  int       // of what began it
}

// An ending is what a section goes on to.
type ending int

const (
	none     ending = iota // there is no section
	atMargin               // a line that stands no further right than the heading (Google)
	atTitle                // the next heading (NumPy)
	atBlank                // a blank line (a field)
)

// take puts line i where it belongs and says how many more it has used up.
func (s *splitter) take(i int) (more int) {
	line := s.lines[i]
	stripped := pystr.TrimSpace(line)
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	if stripped == "" {
		if s.inside == atBlank || s.inside == none && len(s.summary) > 0 {
			s.place, s.inside = &s.description, none
		}
		*s.place = append(*s.place, "")
		return 0
	}
	name := strings.ToLower(strings.TrimSuffix(stripped, ":"))
	parameters, known := sections[name]
	underlined := i+1 < len(s.lines) && underline.MatchString(pystr.TrimSpace(s.lines[i+1]))
	switch {
	case known && underlined:
		s.enter(parameters, atTitle, indent)
		return 1
	case known && strings.HasSuffix(stripped, ":") && !(s.inside == atMargin && indent > s.indent):
		s.enter(parameters, atMargin, indent)
		return 0
	}
	if m := field.FindStringSubmatch(stripped); m != nil && s.inside != atTitle {
		s.enter(fieldsOfParameters[strings.ToLower(m[1])], atBlank, indent)
	} else if s.inside == atMargin && indent <= s.indent {
		s.place, s.inside = &s.description, none
	}
	*s.place = append(*s.place, line)
	return 0
}

func (s *splitter) enter(parameters bool, until ending, indent int) {
	s.place, s.inside, s.indent = &s.other, until, indent
	if parameters {
		s.place = &s.parameters
	}
}

// text joins lines without blank ones around them.
func text(lines []string) string { return pystr.TrimSpace(strings.Join(lines, "\n")) }
