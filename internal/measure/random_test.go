package measure_test

import (
	"math/rand/v2"
	"strings"
)

// pieces are what random texts are made of: words that come again and again,
// and everything that tokenizers treat differently.
var pieces = []string{
	"return", "the", "the", "value", "of", "a", "key", "Return", "THE", "if", "not", "None", "x", "self.items", "snake_case", "CamelCase", "__init__",
	"1", "2.5", "1,000", "3-4", "-5", "1e-9", "0xFF", "v1.2.3", "10%", "$4.50", "e.g.", "i.e.,", "...", "..", ",,", "a,b", "a.b", ".5", "5.", "--", "-",
	"naïve", "größe", "İstanbul", "ISTANBUL", "ı", "\u212a", "300\u212a", "Σίσυφος", "ΟΔΟΣ", "返回", "池。", "🚀", "👩\u200d💻", "e\u0301", "\u00e9", "ﬁ", "Å",
	"&amp;", "&lt;", "&gt;", "&quot;", "&amp;lt;", "&apos;", "&#39;", "&", "<skipped>", "<skipped", "&am<skipped>p;",
	"\"", "'", "`code`", "``rst``", "(", ")", "[0]", "{}", "|", "\\", "/", "@", "#", "*", "**", "==", "->", ":=", "~", "^", "_", "don't", "it's",
	"\x1c", "\x1d", "\x1e", "\x1f", "\x0b", "\x0c", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u3000", "\u200b", "\ufeff", "\x00", "\u180e",
	"-\n", "\n", "\n", "\n\n", "\r\n", "\r", "\t", "  ", " \n ", ">>> f(1)", "Args:\n    x (int): the value\n", "Returns:\n\tint: it\n",
	"for i in range(10):\n    print(i ** 2, end=', ')\n", "if a < b and c > d: return {k: v for k, v in m.items()}\n",
	":param path: file\n", "Parameters\n----------\nx : ndarray\n",
}

// randomText is a text of up to 60 pieces, often of few different ones,
// sometimes empty or one piece again and again.
func randomText(rng *rand.Rand) string {
	from := pieces
	switch rng.IntN(10) {
	case 0:
		return ""
	case 1:
		return strings.Repeat(pieces[rng.IntN(len(pieces))], rng.IntN(80))
	case 2, 3, 4:
		from = pieces[:20]
	case 5, 6:
		start := rng.IntN(len(pieces) - 8)
		from = pieces[start : start+8]
	}
	var b strings.Builder
	for range rng.IntN(60) {
		b.WriteString(from[rng.IntN(len(from))])
		if rng.IntN(5) > 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// randomEdit is the text with a few pieces left out, put in or moved, so that
// much of it stays.
func randomEdit(rng *rand.Rand, text string) string {
	words := strings.SplitAfter(text, " ")
	for range 1 + rng.IntN(6) {
		i := rng.IntN(len(words))
		switch rng.IntN(3) {
		case 0:
			words[i] = ""
		case 1:
			words[i] += pieces[rng.IntN(len(pieces))] + " "
		case 2:
			j := rng.IntN(len(words))
			words[i], words[j] = words[j], words[i]
		}
	}
	return strings.Join(words, "")
}
