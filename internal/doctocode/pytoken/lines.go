package pytoken

import "strings"

// A Line is a physical line.
type Line struct {
	Start, End int // bytes into the text, the line end left out
	Next       int // where the next line starts
	// InString is true when the line begins inside a string literal: its
	// leading white space is then part of a value.
	InString bool
	// Joined is true when the line begins inside brackets or behind a
	// backslash, so that its indentation means nothing.
	Joined bool
}

// Lines splits a text. The empty text has no line; a text's last line may lack
// its line end.
func Lines(text string) []Line {
	var lines []Line
	for i := 0; i < len(text); {
		end := endOfLine(text, i)
		next := end + lineEnd(text[end:])
		lines = append(lines, Line{Start: i, End: end, Next: next, InString: true})
		i = next
	}
	// Every line is inside a string except the first and those that a line end
	// outside strings leads to.
	if len(lines) > 0 {
		lines[0].InString = false
	}
	at := 0
	lexer := NewLexer(text)
	for t, ok := lexer.Next(); ok; t, ok = lexer.Next() {
		if t.Kind != Newline && t.Kind != Join {
			continue
		}
		for at < len(lines) && lines[at].Start < t.End {
			at++
		}
		if at < len(lines) {
			lines[at].InString = false
			lines[at].Joined = t.Kind == Join || t.Depth > 0
		}
	}
	return lines
}

// Balanced reports whether the text ends outside string literals, and no
// literal in it was cut off.
func Balanced(text string) bool {
	lexer := NewLexer(text)
	for t, ok := lexer.Next(); ok; t, ok = lexer.Next() {
		if t.Unterminated {
			return false
		}
	}
	return true
}

// A Statement is a logical line: one or more physical lines that Python reads
// as one, a suite behind its colon included. Blank lines and lines that hold
// nothing but a comment belong to none.
type Statement struct {
	Start, End int     // from the beginning of its first line to behind its last line's end
	Indent     string  // the white space before its first token
	Tokens     []Token // comments, line ends and joins left out
}

// Statements splits a text into its logical lines.
func Statements(text string) []Statement {
	var found []Statement
	var tokens []Token
	lexer := NewLexer(text)
	finish := func(end int) {
		if len(tokens) == 0 {
			return
		}
		start := strings.LastIndexAny(text[:tokens[0].Start], "\r\n") + 1
		found = append(found, Statement{Start: start, End: end,
			Indent: indentation(text[start:tokens[0].Start]), Tokens: tokens})
		tokens = nil
	}
	for t, ok := lexer.Next(); ok; t, ok = lexer.Next() {
		switch t.Kind {
		case Comment, Join:
		case Newline:
			if t.Depth == 0 {
				finish(t.End)
			}
		default:
			tokens = append(tokens, t)
		}
	}
	finish(len(text))
	return found
}

// A Header is the first part of a compound statement that defines a name.
type Header struct {
	Keyword string // def or class; an async def is a def
	Name    string
	Colon   int // just behind the colon that ends the header
	Rest    int // index of the first token behind the colon
}

// Header reads a statement as the header of a function or class; false when it
// is another statement or lacks its colon.
func (s Statement) Header(text string) (Header, bool) {
	word := func(i int) string {
		if i < len(s.Tokens) && s.Tokens[i].Kind == Name {
			return text[s.Tokens[i].Start:s.Tokens[i].End]
		}
		return ""
	}
	i := 0
	if word(0) == "async" && word(1) == "def" {
		i = 1
	}
	if word(i) != "def" && word(i) != "class" || word(i+1) == "" {
		return Header{}, false
	}
	h := Header{Keyword: word(i), Name: word(i + 1)}
	lambdas := 0 // each has a colon of its own
	for j := i + 2; j < len(s.Tokens); j++ {
		t := s.Tokens[j]
		switch {
		case t.Depth > 0:
		case word(j) == "lambda":
			lambdas++
		case t.Kind == Operator && text[t.Start] == ':':
			if lambdas == 0 {
				h.Colon, h.Rest = t.End, j+1
				return h, true
			}
			lambdas--
		}
	}
	return Header{}, false
}

// Is reports whether the statement's i-th token is the given text.
func (s Statement) Is(text string, i int, token string) bool {
	return i < len(s.Tokens) && text[s.Tokens[i].Start:s.Tokens[i].End] == token
}
