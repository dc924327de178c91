package prompts

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A place is where in a line of code a token stands.
type place byte

const (
	inCode place = iota
	inString
	inComment
)

// A token is a name, a number or a single mark of a line of code.
type token struct {
	text       string
	start, end int
	place      place
}

// A lexer cuts lines into tokens. It knows just enough of a language to tell
// code from comments and strings on one line; what it cannot tell it takes for
// code, which is what the rules are strictest about.
type lexer struct {
	comments []string // what begins a comment to the end of the line
	prose    bool     // the file is documentation, not code
}

var proseFiles = map[string]bool{".md": true, ".mdx": true, ".markdown": true, ".rst": true, ".adoc": true, ".txt": true, ".tex": true}

var (
	hashComments  = []string{"#"}
	dashComments  = []string{"--"}
	slashComments = []string{"//", "/*", "<!--"}
	commentsOf    = map[string][]string{
		".py": hashComments, ".pyi": hashComments, ".rb": hashComments, ".sh": hashComments, ".bash": hashComments,
		".yml": hashComments, ".yaml": hashComments, ".toml": hashComments, ".pl": hashComments, ".r": hashComments,
		".cmake": hashComments, ".mk": hashComments, ".ex": hashComments, ".exs": hashComments, ".conf": hashComments, ".cfg": hashComments,
		".sql": dashComments, ".lua": dashComments, ".hs": dashComments, ".elm": dashComments,
	}
)

func lexerOf(file string) lexer {
	ext := strings.ToLower(path.Ext(file))
	l := lexer{comments: commentsOf[ext], prose: proseFiles[ext] && path.Base(file) != "CMakeLists.txt"}
	switch base := path.Base(file); {
	case l.comments != nil:
	case base == "Makefile", base == "Dockerfile", base == "CMakeLists.txt", strings.HasPrefix(base, "."):
		l.comments = hashComments
	default:
		l.comments = slashComments
	}
	return l
}

// line cuts a line and visits the tokens in order, and every string literal
// that ends on it, without its quotes.
func (l lexer) line(text string, visit func(t token), literal func(text string)) {
	where := inCode
	if l.continuesComment(text) {
		where = inComment
	}
	stringEnd := 0 // of the literal that is being passed
	for i := 0; i < len(text); {
		if where == inString && i >= stringEnd {
			where = inCode
		}
		if where == inCode {
			if l.beginsComment(text, i) {
				where = inComment
			} else if end := closing(text, i); end > 0 {
				quote := quoteLength(text, i)
				literal(text[i+quote : end-quote])
				where, stringEnd = inString, end
			}
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		start := i
		i += size
		switch {
		case unicode.IsSpace(r) || r == utf8.RuneError:
			continue
		case wordRune(r):
			for i < len(text) {
				next, size := utf8.DecodeRuneInString(text[i:])
				if !wordRune(next) {
					break
				}
				i += size
			}
		}
		visit(token{text[start:i], start, i, where})
	}
}

// continuesComment: lines of a block comment begin with a star by custom.
func (l lexer) continuesComment(text string) bool {
	text = strings.TrimLeft(text, " \t")
	return len(l.comments) > 1 && (text == "*" || strings.HasPrefix(text, "* ") || strings.HasPrefix(text, "*/"))
}

func (l lexer) beginsComment(text string, i int) bool {
	for _, mark := range l.comments {
		if strings.HasPrefix(text[i:], mark) {
			// https:// and a#b begin none.
			return mark == "/*" || i == 0 || text[i-1] != ':' && (mark[0] != '#' || text[i-1] == ' ' || text[i-1] == '\t')
		}
	}
	return false
}

func quoteLength(text string, i int) int {
	if q := text[i : i+1]; i+3 <= len(text) && text[i:i+3] == strings.Repeat(q, 3) {
		return 3
	}
	return 1
}

// closing is the end of the string literal that begins at i, or 0.
func closing(text string, i int) int {
	quote := text[i]
	if quote != '"' && quote != '\'' && quote != '`' {
		return 0
	}
	if quote == '\'' && i > 0 { // an apostrophe, unless a prefix as in b'…'
		start := i
		for start > 0 && (text[start-1] >= utf8.RuneSelf || wordRune(rune(text[start-1]))) {
			start--
		}
		if prefix := text[start:i]; len(prefix) > 2 || strings.Trim(prefix, "bBrRuUfFlL8") != "" {
			return 0
		}
	}
	length := quoteLength(text, i)
	if length == 3 && !strings.Contains(text[i+3:], text[i:i+3]) {
		if i+6 > len(text) || text[i:i+2] == text[i+1:i+3] {
			return 0 // a literal of several lines begins
		}
	}
	for j := i + length; j < len(text); j++ {
		switch {
		case text[j] == '\\':
			j++
		case strings.HasPrefix(text[j:], text[i:i+length]):
			return j + length
		}
	}
	return 0
}

// keywords are no names of functions, though a parenthesis follows them.
var keywords = func() map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(`if else for while do switch case catch try return sizeof typeof func function fn def class struct
		enum interface impl trait match when with await async yield new delete throw raise except and or not in is lambda
		elif elseif unless until static const let var export default public private protected void int bool auto assert
		defined defer go select template typename decltype alignas noexcept explicit operator super self this import from print`) {
		m[word] = true
	}
	return m
}()
