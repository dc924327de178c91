package measure

import "strings"

// ROUGETokens splits a text as google's rouge_score does without stemming:
// ASCII letters, lowered, and digits make tokens, everything else separates
// them.
func ROUGETokens(text string) []string {
	return appendROUGETokens(make([]string, 0, len(text)/5+1), text)
}

func appendROUGETokens(tokens []string, text string) []string {
	start, lower := -1, true // of the token that is being read
	for i := 0; i < len(text); {
		class, width := rougeClasses[text[i]], 1
		if class == beyondASCII {
			class, width = rougeClass(text[i:])
		}
		if class != separator {
			if start < 0 {
				start = i
			}
			lower = lower && class == lowerPart
			i += width
		}
		if start >= 0 && (class == separator || class == lastPart) {
			tokens = append(tokens, rougeToken(text[start:i], lower))
			start, lower = -1, true
		}
		if class == separator {
			i += width
		}
	}
	if start >= 0 {
		tokens = append(tokens, rougeToken(text[start:], lower))
	}
	return tokens
}

func rougeToken(token string, lower bool) string {
	if lower {
		return token
	}
	return strings.ToLower(token)
}

// What a byte, or the character that begins with it, is to a token.
const (
	separator = iota
	lowerPart
	upperPart
	lastPart // a part that ends the token
	beyondASCII
)

var rougeClasses = func() (classes [256]uint8) {
	for c := range classes {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			classes[c] = lowerPart
		case c >= 'A' && c <= 'Z':
			classes[c] = upperPart
		case c >= 0x80:
			classes[c] = beyondASCII
		}
	}
	return classes
}()

// rougeClass is that of the character a text begins with, and its bytes. Only
// two outside of ASCII have ASCII in their lower case: the sign of kelvin a k,
// and İ an i that in Python has a dot above behind it, which separates.
func rougeClass(text string) (class uint8, width int) {
	switch {
	case strings.HasPrefix(text, "\u212a"):
		return upperPart, len("\u212a")
	case strings.HasPrefix(text, "İ"):
		return lastPart, len("İ")
	}
	return separator, 1
}
