// Package indextest finds the definitions of Python files for tests, without
// Python: from the tokens alone, so it wants files that Python accepts.
package indextest

import (
	"strings"

	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/pytoken"
)

// Index is the file with its definitions, as the index of a release has them;
// Test, Candidate, DocText and Returns are left empty.
func Index(path, text string) *doctocode.SourceFile {
	f := &doctocode.SourceFile{Path: path, Encoding: "utf-8", Text: text}
	statements := pytoken.Statements(text)
	var around []scope
	ordinals := map[string]int{}
	for i, s := range statements {
		column := column(s.Indent)
		for len(around) > 0 && around[len(around)-1].column >= column {
			around = around[:len(around)-1]
		}
		h, ok := s.Header(text)
		if !ok {
			continue
		}
		d := define(text, statements, i, h)
		d.Outer, d.OuterEnd = d.Start, d.Body[1]
		prefix := ""
		for _, o := range around {
			prefix += o.prefix
			if o.def && !d.Nested {
				d.Nested = true
				d.Outer, d.OuterEnd = o.start, o.end
			}
		}
		d.Qualname = prefix + h.Name
		d.Ordinal = ordinals[d.Qualname]
		ordinals[d.Qualname]++
		f.Definitions = append(f.Definitions, d)
		inside := h.Name + "."
		if h.Keyword == "def" {
			inside += "<locals>."
		}
		around = append(around, scope{column, inside, h.Keyword == "def", d.Start, d.Body[1]})
	}
	return f
}

type scope struct {
	column     int
	prefix     string // of the qualified names inside
	def        bool
	start, end int
}

// define describes the definition whose header is statements[i].
func define(text string, statements []pytoken.Statement, i int, h pytoken.Header) doctocode.Definition {
	s := statements[i]
	first := i
	for first > 0 && statements[first-1].Is(text, 0, "@") && column(statements[first-1].Indent) == column(s.Indent) {
		first--
	}
	d := doctocode.Definition{Kind: "function", HeaderEnd: h.Colon, Start: statements[first].Start,
		Line: lineNumber(text, s.Start), FirstLine: lineNumber(text, statements[first].Start)}
	if h.Keyword == "class" {
		d.Kind = "class"
	} else if s.Is(text, 0, "async") {
		d.Kind = "async"
	}
	suite, end := s.Tokens[h.Rest:], s.End
	oneLine := len(suite) > 0
	for _, later := range statements[i+1:] {
		if oneLine || column(later.Indent) <= column(s.Indent) {
			break
		}
		if len(suite) == 0 {
			suite = later.Tokens
		}
		end = later.End
	}
	if len(suite) > 0 {
		first := suite[0].Start
		if first < endOfLine(text, h.Colon) {
			d.Indent = lineIndent(text, s.Start) + "    "
		} else {
			d.Indent = lineIndent(text, strings.LastIndexAny(text[:first], "\r\n")+1)
		}
	}
	strs := 0
	for strs < len(suite) && suite[strs].Kind == pytoken.String {
		strs++
	}
	behind := h.Colon
	if strs > 0 && (strs == len(suite) || text[suite[strs].Start] == ';') {
		d.Doc = [2]int{suite[0].Start, suite[strs-1].End}
		behind = d.Doc[1]
		suite = suite[strs:]
		for len(suite) > 0 && text[suite[0].Start] == ';' {
			suite = suite[1:]
		}
	}
	lineEnd := endOfLine(text, behind)
	if d.Inline = oneLine && d.HasDoc() && !strings.ContainsAny(text[h.Colon:d.Doc[0]], "\r\n") ||
		len(suite) > 0 && suite[0].Start < lineEnd; d.Inline {
		d.Body = [2]int{behind, end}
	} else {
		d.Body = [2]int{min(lineEnd, end), end}
	}
	return d
}

func lineIndent(text string, start int) string {
	line := text[start:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t\f"))]
}

func lineNumber(text string, at int) int {
	n := 1
	for _, l := range pytoken.Lines(text[:at]) {
		if l.Next > l.End {
			n++
		}
	}
	return n
}

// endOfLine is behind the end of the line that holds at.
func endOfLine(text string, at int) int {
	i := strings.IndexAny(text[at:], "\r\n")
	switch {
	case i < 0:
		return len(text)
	case strings.HasPrefix(text[at+i:], "\r\n"):
		return at + i + 2
	}
	return at + i + 1
}

// column is where an indentation leads: a tab goes to the next multiple of eight.
func column(indent string) int {
	n := 0
	for _, c := range indent {
		if n++; c == '\t' {
			n += (8 - n%8) % 8
		}
	}
	return n
}
