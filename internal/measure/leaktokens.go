package measure

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leakToken reads code and prose alike. What begins with a double quote, or
// with three of either kind, and ends is one token; single quotes stand alone,
// since prose has apostrophes. Names are ASCII, so any other letter is a token.
var leakToken = regexp.MustCompile(`(?i:[bfru]{0,2})(?:"""(?s:.*?)"""|'''(?s:.*?)'''|"(?:[^"\\\n]|\\[^\n])*")` +
	`|[A-Za-z_][A-Za-z0-9_]*` +
	`|0[xX][0-9A-Fa-f_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?` +
	`|\*\*=|//=|>>=|<<=|\.\.\.|\*\*|//|<<|>>|->|:=|[-+*/%@&|^=!<>]=` +
	`|[^\s\x0b\x1c-\x1f\x{85}\pZ]`)

func leakTokens(text string) []string { return leakToken.FindAllString(text, -1) }

// isWord reports whether a token is a name or a keyword.
func isWord(token string) bool {
	c := token[0]
	return !isString(token) && (c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
}

// isOperator reports whether a token is punctuation of any kind or a symbol.
func isOperator(token string) bool {
	if isString(token) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(token)
	return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
}

func isString(token string) bool {
	return len(token) > 1 && (token[len(token)-1] == '"' || token[len(token)-1] == '\'')
}

// fence is a line that opens or closes a block of code, and holds none.
var fence = regexp.MustCompile("^(?:`{3,}|~{3,})\\s*[A-Za-z0-9_+.#{}-]*$")

// withoutMarkup takes out of a docstring what marks code in it: lines of
// fences, prompts and backticks.
func withoutMarkup(docstring string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(docstring, "\n") {
		text := strings.TrimSpace(line)
		if fence.MatchString(text) {
			continue
		}
		for _, prompt := range []string{">>>", "..."} {
			if code, ok := strings.CutPrefix(text, prompt); ok && (code == "" || code[0] == ' ') {
				text = code
			}
		}
		b.WriteString(strings.ReplaceAll(text, "`", " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// withoutComments takes the comments out of a body. A # inside a string begins
// none; a string that its line cuts off ends there.
func withoutComments(body string) string {
	var b strings.Builder
	for i := 0; i < len(body); {
		switch c := body[i]; c {
		case '"', '\'':
			end := stringEnd(body, i)
			b.WriteString(body[i:end])
			i = end
		case '#':
			for i < len(body) && body[i] != '\n' && body[i] != '\r' {
				i++
			}
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// stringEnd is behind the string literal that begins at start with its quote.
func stringEnd(body string, start int) int {
	quote := body[start : start+1]
	long := strings.HasPrefix(body[start:], strings.Repeat(quote, 3))
	if long {
		quote = body[start : start+3]
	}
	for i := start + len(quote); i < len(body); i++ {
		switch {
		case body[i] == '\\':
			i++
		case strings.HasPrefix(body[i:], quote):
			return i + len(quote)
		case !long && (body[i] == '\n' || body[i] == '\r'):
			return i
		}
	}
	return len(body)
}
