package measure

import (
	"strings"

	"touchstone/internal/measure/pystr"
)

// Tokens13a splits a text as mteval-v13a does, the tokenizer of both variants
// of BLEU: ASCII punctuation stands alone, periods and commas too unless they
// are between digits, and dashes behind a digit.
func Tokens13a(text string) []string {
	text = strings.ReplaceAll(text, "<skipped>", "")
	text = strings.ReplaceAll(text, "-\n", "")
	text = strings.ReplaceAll(text, "\n", " ")
	if strings.Contains(text, "&") {
		// One after the other: &amp;lt; becomes <.
		text = strings.ReplaceAll(text, "&quot;", `"`)
		text = strings.ReplaceAll(text, "&amp;", "&")
		text = strings.ReplaceAll(text, "&lt;", "<")
		text = strings.ReplaceAll(text, "&gt;", ">")
	}
	padded := make([]byte, 0, len(text)+2)
	padded = append(padded, ' ')
	padded = append(padded, text...)
	padded = append(padded, ' ')
	return pystr.Fields(string(splitDashes(splitBefore(splitBehind(splitPunctuation(padded))))))
}

// The four passes are the tokenizer's regular expressions. Each takes what the
// one before made, and none looks at a byte twice: what a match took is not
// there for the next match. They work on bytes because every class holds all
// of what is not ASCII, or none of it.

// splitPunctuation puts spaces around ASCII punctuation except ' , - and the
// period: ([\{-\~\[-\` -\&\(-\+\:-\@\/]).
func splitPunctuation(in []byte) []byte {
	out := make([]byte, 0, len(in)+len(in)/2)
	for _, c := range in {
		if isPunctuation(c) {
			out = append(out, ' ', c, ' ')
		} else {
			out = append(out, c)
		}
	}
	return out
}

func isPunctuation(c byte) bool {
	switch {
	case c >= '!' && c <= '&', c >= '(' && c <= '+', c == '/', c >= ':' && c <= '@', c >= '[' && c <= '`', c >= '{' && c <= '~':
		return true
	}
	return false
}

// splitBehind splits a period or comma from what is no digit before it:
// ([^0-9])([\.,]).
func splitBehind(in []byte) []byte {
	out := make([]byte, 0, len(in)+len(in)/4)
	for i := 0; i < len(in); i++ {
		if i+1 < len(in) && !isDigit(in[i]) && isStop(in[i+1]) {
			out = append(out, in[i], ' ', in[i+1], ' ')
			i++
		} else {
			out = append(out, in[i])
		}
	}
	return out
}

// splitBefore splits a period or comma from what is no digit behind it:
// ([\.,])([^0-9]).
func splitBefore(in []byte) []byte {
	out := make([]byte, 0, len(in)+len(in)/4)
	for i := 0; i < len(in); i++ {
		if i+1 < len(in) && isStop(in[i]) && !isDigit(in[i+1]) {
			out = append(out, ' ', in[i], ' ', in[i+1])
			i++
		} else {
			out = append(out, in[i])
		}
	}
	return out
}

// splitDashes splits a dash from a digit before it: ([0-9])(-).
func splitDashes(in []byte) []byte {
	out := make([]byte, 0, len(in)+len(in)/4)
	for i := 0; i < len(in); i++ {
		if i+1 < len(in) && isDigit(in[i]) && in[i+1] == '-' {
			out = append(out, in[i], ' ', '-', ' ')
			i++
		} else {
			out = append(out, in[i])
		}
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isStop(c byte) bool { return c == '.' || c == ',' }
