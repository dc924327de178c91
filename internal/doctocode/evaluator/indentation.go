package evaluator

import (
	"strings"

	"touchstone/internal/doctocode/pytoken"
)

// tabWidth is what a tab is worth where a reply mixes tabs with spaces.
const tabWidth = 4

// fixIndentation mends what models commonly get wrong at the edges of a body:
// a first line without the indentation that all others have, as the prompt
// ends where that indentation would stand; tabs mixed with spaces; and code
// behind the body, left of it.
func (x *extraction) fixIndentation(code string) string {
	code = x.expandTabs(code)
	code = x.alignFirstLine(code)
	return x.cutBehind(code)
}

// expandTabs replaces the tabs before statements when they cannot be compared
// with the indentation of other statements.
func (x *extraction) expandTabs(code string) string {
	longest := ""
	mixed := false
	for _, s := range pytoken.Statements(code) {
		switch {
		case strings.HasPrefix(s.Indent, longest):
			longest = s.Indent
		case !strings.HasPrefix(longest, s.Indent):
			mixed = true
		}
	}
	if !mixed || !strings.Contains(code, "\t") {
		return code
	}
	var b strings.Builder
	for _, l := range pytoken.Lines(code) {
		line := code[l.Start:l.Next]
		if !l.InString {
			rest := strings.TrimLeft(line, " \t")
			b.WriteString(strings.ReplaceAll(line[:len(line)-len(rest)], "\t", strings.Repeat(" ", tabWidth)))
			line = rest
		}
		b.WriteString(line)
	}
	if b.String() == code {
		return code
	}
	x.changed(ExpandedTabs, "tabs before statements became %d spaces, as spaces are used beside them", tabWidth)
	return b.String()
}

// alignFirstLine gives the first statement the indentation of its block.
func (x *extraction) alignFirstLine(code string) string {
	s := pytoken.Statements(code)
	if len(s) < 2 {
		return code
	}
	first, second := columnOf(s[0].Indent), columnOf(s[1].Indent)
	indent := s[0].Indent
	if opensBlock(code, s[0]) {
		// Legal by itself, unless a later statement stands between it and its block.
		for _, later := range s[2:] {
			column := columnOf(later.Indent)
			if column < second && column > first {
				indent = later.Indent
			}
			if column < second {
				break
			}
		}
	} else if second > first {
		indent = s[1].Indent
	} else if second < first && (len(s) == 2 || columnOf(s[2].Indent) >= second) && !beginsDefinition(code, s[1]) {
		indent = s[1].Indent
	}
	if indent == s[0].Indent {
		return code
	}
	x.changed(IndentedFirstLine, "the first line was indented by %s, its block by %s", inWords(s[0].Indent), inWords(indent))
	return code[:s[0].Tokens[0].Start-len(s[0].Indent)] + indent + code[s[0].Tokens[0].Start:]
}

// cutBehind ends the body before a statement that stands left of its first
// one, when it begins a definition or a blank line sets it apart. Where it
// does not, the body is badly indented and stays so.
func (x *extraction) cutBehind(code string) string {
	statements := pytoken.Statements(code)
	for i, s := range statements {
		if columnOf(s.Indent) >= columnOf(statements[0].Indent) {
			continue
		}
		if beginsDefinition(code, s) || hasBlankLine(code[statements[i-1].End:s.Start]) {
			x.changed(RemovedAfter, "%s left of the body left out", count(len(statements)-i, "statement"))
			return code[:statements[i-1].End]
		}
	}
	return code
}

func hasBlankLine(between string) bool {
	for line := range strings.Lines(between) {
		if strings.TrimSpace(line) == "" {
			return true
		}
	}
	return false
}

func opensBlock(code string, s pytoken.Statement) bool { return s.Is(code, len(s.Tokens)-1, ":") }

func beginsDefinition(code string, s pytoken.Statement) bool {
	_, defines := s.Header(code)
	return defines || s.Is(code, 0, "@")
}
