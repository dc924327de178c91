// Package pytoken reads Python text just closely enough to know what is string
// and what is code: which lines begin inside a string literal or a bracket,
// where statements begin, and where the colon stands that ends a header. It
// accepts any text, broken code included, because that is what models write.
package pytoken

import "strings"

// A Kind says what a token is.
type Kind uint8

const (
	Name     Kind = iota + 1 // an identifier, keyword or number
	String                   // a whole string literal with its prefix; it may span lines
	Operator                 // one character of code that is nothing else
	Comment                  // from # to the end of the line
	Newline                  // a line end outside a string
	Join                     // a backslash with the line end behind it
)

// A Token is a piece of text other than white space. Depth counts the brackets
// around it; a bracket itself has the depth of what stands outside.
type Token struct {
	Kind       Kind
	Start, End int // bytes into the text
	Depth      int
	// Unterminated marks a string that the line's or the text's end cut off.
	Unterminated bool
}

// A Lexer gives the tokens of a text one by one.
type Lexer struct {
	text     string
	pos      int
	depth    int
	misreads int // f-strings that did not end when read with their fields
}

// NewLexer returns a lexer that stands at the beginning of text.
func NewLexer(text string) *Lexer { return &Lexer{text: text} }

// Next returns the next token, or false at the end of the text.
func (l *Lexer) Next() (Token, bool) {
	for l.pos < len(l.text) && isSpace(l.text[l.pos]) {
		l.pos++
	}
	if l.pos >= len(l.text) {
		return Token{}, false
	}
	t := Token{Start: l.pos, Depth: l.depth}
	switch c := l.text[l.pos]; {
	case c == '\n' || c == '\r':
		t.Kind, l.pos = Newline, l.pos+lineEnd(l.text[l.pos:])
	case c == '#':
		t.Kind, l.pos = Comment, endOfLine(l.text, l.pos)
	case c == '\\' && lineEnd(l.text[l.pos+1:]) > 0:
		t.Kind, l.pos = Join, l.pos+1+lineEnd(l.text[l.pos+1:])
	case c == '"' || c == '\'':
		t.Kind = String
		l.pos, t.Unterminated = l.stringEnd(l.pos, "")
	case isWord(c):
		t.Kind = Name
		word := wordEnd(l.text, l.pos)
		if prefix := l.text[l.pos:word]; word < len(l.text) && isQuote(l.text[word]) && isPrefix(prefix) {
			t.Kind = String
			l.pos, t.Unterminated = l.stringEnd(word, prefix)
		} else {
			l.pos = word
		}
	default:
		t.Kind = Operator
		l.pos++
		switch c {
		case '(', '[', '{':
			l.depth++
		case ')', ']', '}':
			l.depth = max(0, l.depth-1)
			t.Depth = l.depth
		}
	}
	t.End = l.pos
	return t, true
}

// maxMisreads bounds the time spent on texts made of broken f-strings.
const maxMisreads = 8

// stringEnd finds the end of the literal whose opening quote stands at quote.
func (l *Lexer) stringEnd(quote int, prefix string) (end int, unterminated bool) {
	if strings.ContainsAny(prefix, "fFtT") && l.misreads < maxMisreads {
		if end, ok := formattedEnd(l.text, quote, strings.ContainsAny(prefix, "rR"), 0); ok {
			return end, false
		}
		l.misreads++
	}
	return plainEnd(l.text, quote)
}

// plainEnd ends a literal that has no fields. A line end closes a
// single-quoted one, as nothing else would.
func plainEnd(text string, quote int) (end int, unterminated bool) {
	mark := quoteMark(text, quote)
	for i := quote + len(mark); i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i += max(1, lineEnd(text[i+1:]))
		case len(mark) == 1 && (c == '\n' || c == '\r'):
			return i, true
		case strings.HasPrefix(text[i:], mark):
			return i + len(mark), false
		}
	}
	return len(text), true
}

// maxNesting bounds f-strings inside the fields of f-strings.
const maxNesting = 50

// formattedEnd ends an f-string or t-string by the rules of Python 3.12, under
// which a field may hold any expression, the same quotes and line ends
// included. Every f-string of older versions reads the same.
func formattedEnd(text string, quote int, raw bool, nesting int) (end int, ok bool) {
	if nesting > maxNesting {
		return 0, false
	}
	mark := quoteMark(text, quote)
	for i := quote + len(mark); i < len(text); {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], mark):
			return i + len(mark), true
		case len(mark) == 1 && (c == '\n' || c == '\r'):
			return 0, false
		case c == '\\' && !raw && strings.HasPrefix(text[i+1:], "N{"):
			i += 3 // the name's closing brace alone ends nothing
		case c == '\\' && i+1 < len(text) && text[i+1] != '{' && text[i+1] != '}':
			i += 1 + max(1, lineEnd(text[i+1:]))
		case c == '{' && strings.HasPrefix(text[i+1:], "{"):
			i += 2
		case c == '{':
			if i, ok = fieldEnd(text, i+1, mark, nesting); !ok {
				return 0, false
			}
		default:
			i++
		}
	}
	return 0, false
}

// fieldEnd returns the place behind the brace that ends the field whose inside
// begins at i.
func fieldEnd(text string, i int, mark string, nesting int) (end int, ok bool) {
	if nesting > maxNesting {
		return 0, false
	}
	depth := 0
	for i < len(text) {
		switch c := text[i]; {
		case c == '}' && depth == 0:
			return i + 1, true
		case c == ':' && depth == 0:
			return specificationEnd(text, i+1, mark, nesting+1)
		case c == '(' || c == '[' || c == '{':
			depth++
			i++
		case c == ')' || c == ']' || c == '}':
			depth--
			i++
		case c == '#':
			i = endOfLine(text, i)
		case isQuote(c) || isWord(c):
			word := wordEnd(text, i)
			prefix := text[i:word]
			switch {
			case word >= len(text) || !isQuote(text[word]) || prefix != "" && !isPrefix(prefix):
				i = word
			case strings.ContainsAny(prefix, "fFtT"):
				if i, ok = formattedEnd(text, word, strings.ContainsAny(prefix, "rR"), nesting+1); !ok {
					return 0, false
				}
			default:
				var unterminated bool
				if i, unterminated = plainEnd(text, word); unterminated {
					return 0, false
				}
			}
		default:
			i++
		}
	}
	return 0, false
}

// specificationEnd returns the place behind the brace that ends a field, from
// inside its format specification.
func specificationEnd(text string, i int, mark string, nesting int) (end int, ok bool) {
	if nesting > maxNesting {
		return 0, false
	}
	for i < len(text) {
		switch c := text[i]; {
		case c == '}':
			return i + 1, true
		case c == '{':
			if i, ok = fieldEnd(text, i+1, mark, nesting+1); !ok {
				return 0, false
			}
		case strings.HasPrefix(text[i:], mark) || len(mark) == 1 && (c == '\n' || c == '\r'):
			return 0, false
		default:
			i++
		}
	}
	return 0, false
}

// quoteMark is the quote at a place: one character, or three.
func quoteMark(text string, quote int) string {
	if q := text[quote : quote+1]; strings.HasPrefix(text[quote:], q+q+q) {
		return text[quote : quote+3]
	}
	return text[quote : quote+1]
}

func isPrefix(word string) bool {
	switch strings.ToLower(word) {
	case "r", "u", "b", "f", "t", "br", "rb", "fr", "rf", "tr", "rt":
		return true
	}
	return false
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\f' }

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func wordEnd(text string, i int) int {
	for i < len(text) && isWord(text[i]) {
		i++
	}
	return i
}

// lineEnd is the length of the line end at the beginning of text, 0 when there
// is none. As Python reads source, \n, \r\n and \r end a line, nothing else.
func lineEnd(text string) int {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return 2
	case text != "" && (text[0] == '\n' || text[0] == '\r'):
		return 1
	}
	return 0
}

func endOfLine(text string, i int) int {
	if j := strings.IndexAny(text[i:], "\r\n"); j >= 0 {
		return i + j
	}
	return len(text)
}
