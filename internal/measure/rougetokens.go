package measure

import (
	"strings"
	"unicode/utf8"
)

// ROUGETokens splits a text as google's rouge_score does without stemming:
// ASCII letters, lowered, and digits make tokens, everything else separates
// them.
func ROUGETokens(text string) (tokens []string) {
	w := borrow()
	defer w.giveBack()
	w.eachROUGE(text, func(token []byte) { tokens = append(tokens, string(token)) })
	return tokens
}

func (w *workspace) eachROUGE(text string, tell func(token []byte)) {
	token := w.token[:0]
	for i := 0; i < len(text); {
		if c := rougeLowered[text[i]]; c != 0 {
			token = append(token, c)
			i++
			continue
		}
		ends, width := true, 1
		if text[i] >= utf8.RuneSelf {
			var c byte
			if c, ends, width = beyondASCII(text[i:]); c != 0 {
				token = append(token, c)
			}
		}
		if ends && len(token) > 0 {
			tell(token)
			token = token[:0]
		}
		i += width
	}
	if len(token) > 0 {
		tell(token)
	}
	w.token = token
}

// rougeLowered is what a byte adds to a token; 0 when it separates or is no
// ASCII.
var rougeLowered = func() (lowered [256]byte) {
	for c := range lowered {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			lowered[c] = byte(c)
		case c >= 'A' && c <= 'Z':
			lowered[c] = byte(c) - 'A' + 'a'
		}
	}
	return lowered
}()

// beyondASCII is what the character that a text begins with adds to a token,
// whether it ends the token, and its bytes. Only two outside of ASCII have ASCII
// in their lower case: the sign of kelvin a k, and İ an i that in Python has a
// dot above behind it, which separates.
func beyondASCII(text string) (adds byte, ends bool, width int) {
	switch {
	case strings.HasPrefix(text, "\u212a"):
		return 'k', false, len("\u212a")
	case strings.HasPrefix(text, "İ"):
		return 'i', true, len("İ")
	}
	return 0, true, 1
}
