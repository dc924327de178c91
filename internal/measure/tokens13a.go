package measure

import (
	"strings"

	"touchstone/internal/measure/pystr"
)

// Tokens13a splits a text as mteval-v13a does, the tokenizer of both variants
// of BLEU: ASCII punctuation stands alone, periods and commas too unless they
// are between digits, and dashes behind a digit.
func Tokens13a(text string) (tokens []string) {
	w := borrow()
	defer w.giveBack()
	w.each13a(text, func(token []byte) { tokens = append(tokens, string(token)) })
	return tokens
}

// numbered13a are the numbers of a text's tokens.
func (w *workspace) numbered13a(text string, number func([]byte) int32) []int32 {
	var ids []int32
	w.each13a(text, func(token []byte) {
		if ids == nil {
			ids = w.numbers.take(len(w.padded) / 2)[:0] // at least a space stands between two
		}
		ids = append(ids, number(token))
	})
	return ids
}

func (w *workspace) each13a(text string, tell func(token []byte)) {
	text = strings.ReplaceAll(text, "<skipped>", "")
	text = strings.ReplaceAll(text, "-\n", "") // what ends a line otherwise is white space as good as any
	if strings.Contains(text, "&") {
		// One after the other: &amp;lt; becomes <.
		text = strings.ReplaceAll(text, "&quot;", `"`)
		text = strings.ReplaceAll(text, "&amp;", "&")
		text = strings.ReplaceAll(text, "&lt;", "<")
		text = strings.ReplaceAll(text, "&gt;", ">")
	}
	w.padded = append(append(append(w.padded[:0], ' '), text...), ' ')
	for _, pass := range []func(to, from []byte) []byte{splitPunctuation, splitBehind, splitBefore, splitDashes} {
		w.padded, w.spare = pass(w.spare[:0], w.padded), w.padded
	}
	pystr.EachField(w.padded, tell)
}

// The four passes are the tokenizer's regular expressions. Each takes what the
// one before made, and none looks at a byte twice: what a match took is not
// there for the next match. They work on bytes because every class holds all
// of what is not ASCII, or none of it.

// splitPunctuation puts spaces around ASCII punctuation except ' , - and the
// period: ([\{-\~\[-\` -\&\(-\+\:-\@\/]).
func splitPunctuation(to, from []byte) []byte {
	for _, c := range from {
		if punctuation[c] {
			to = append(to, ' ', c, ' ')
		} else {
			to = append(to, c)
		}
	}
	return to
}

var punctuation = func() (is [256]bool) {
	for _, c := range []byte("!\"#$%&()*+/:;<=>?@[\\]^_`{|}~") {
		is[c] = true
	}
	return is
}()

// splitBehind splits a period or comma from what is no digit before it:
// ([^0-9])([\.,]).
func splitBehind(to, from []byte) []byte {
	for i := 0; i < len(from); i++ {
		if c := from[i]; i+1 < len(from) && isStop(from[i+1]) && !isDigit(c) {
			i++
			to = append(to, c, ' ', from[i], ' ')
		} else {
			to = append(to, c)
		}
	}
	return to
}

// splitBefore splits a period or comma from what is no digit behind it:
// ([\.,])([^0-9]).
func splitBefore(to, from []byte) []byte {
	for i := 0; i < len(from); i++ {
		if c := from[i]; isStop(c) && i+1 < len(from) && !isDigit(from[i+1]) {
			i++
			to = append(to, ' ', c, ' ', from[i])
		} else {
			to = append(to, c)
		}
	}
	return to
}

// splitDashes splits a dash from a digit before it: ([0-9])(-).
func splitDashes(to, from []byte) []byte {
	for i := 0; i < len(from); i++ {
		if c := from[i]; isDigit(c) && i+1 < len(from) && from[i+1] == '-' {
			i++
			to = append(to, c, ' ', '-', ' ')
		} else {
			to = append(to, c)
		}
	}
	return to
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isStop(c byte) bool { return c == '.' || c == ',' }
