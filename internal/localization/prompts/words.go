package prompts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// lookalikes are letters of other scripts that are drawn like Latin ones.
var lookalikes = func() map[rune]rune {
	m := map[rune]rune{}
	for _, pair := range []struct{ other, latin string }{
		{"аеорсухіјѕԁһԛԝвкмнт", "aeopcyxijsdhqwbkmht"}, // Cyrillic
		{"АВЕКМНОРСТУХІЈЅ", "ABEKMHOPCTYXIJS"},
		{"οανρτυικχγ", "oavptuikxy"}, // Greek
		{"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"},
		{"‐‑‒–—−∕⁄＿", "------//_"}, // hyphens, strokes
		{"‘’‚“”„′″", "'''\"\"\"'\""},
	} {
		latin := []rune(pair.latin)
		for i, r := range []rune(pair.other) {
			m[r] = latin[i]
		}
	}
	return m
}()

// invisible are characters that are drawn as nothing.
func invisible(r rune) bool { return unicode.Is(unicode.Cf, r) || r == '\u034f' || r == '\ufe0f' }

// folded is a text in the form in which texts are compared: compatibility forms
// resolved, look-alikes made Latin, invisible characters gone, a run of blanks
// one blank or line feed. Case stays.
type folded struct {
	text string
	at   []int // byte of text → byte of the original; one more for the end
}

func fold(original string) folded {
	var b strings.Builder
	at := make([]int, 0, len(original)+1)
	blank := false // the last character was one
	var it norm.Iter
	it.InitString(norm.NFKC, valid(original))
	for !it.Done() {
		start := it.Pos()
		for _, r := range string(it.Next()) {
			if invisible(r) {
				continue
			}
			if latin, ok := lookalikes[r]; ok {
				r = latin
			}
			if unicode.IsSpace(r) {
				if r != '\n' {
					r = ' '
				}
				if blank {
					continue
				}
			}
			blank = unicode.IsSpace(r)
			for range utf8.RuneLen(r) {
				at = append(at, start)
			}
			b.WriteRune(r)
		}
	}
	return folded{b.String(), append(at, len(original))}
}

// foldName is a name in the form in which texts are compared.
func foldName(name string) string {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return fold(name).text
		}
	}
	return name
}

// valid is a text with each byte that is no UTF-8 replaced by one that is.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	b := []byte(text)
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			b[i] = '?'
		}
		i += size
	}
	return string(b)
}

// original is where text[start:end] stands in the original.
func (f folded) original(start, end int) (int, int) { return f.at[start], f.at[end] }

// wordRune says what names are made of in most languages.
func wordRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// A word is a run of letters, digits, _ and $.
type word struct {
	text       string
	start, end int
}

// eachWord visits the words of a text in order.
func eachWord(text string, visit func(w word)) {
	start := -1
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if wordRune(r) {
			if start < 0 {
				start = i
			}
		} else if start >= 0 {
			visit(word{text[start:i], start, i})
			start = -1
		}
		i += size
	}
	if start >= 0 {
		visit(word{text[start:], start, len(text)})
	}
}

// parts splits a name where its writer did: at _ and other marks, and where
// the case says that a word begins. They are lower-case: HTTPServer_v2 is http,
// server, v2.
func parts(name string) []part {
	var list []part
	runes := []rune(name)
	offset, start := 0, -1
	var b strings.Builder
	end := func(at int) {
		if start >= 0 {
			list = append(list, part{b.String(), start, at})
			b.Reset()
			start = -1
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			end(offset)
			offset += utf8.RuneLen(r)
			continue
		case unicode.IsUpper(r) && i > 0:
			before := runes[i-1]
			next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			plural := i+1 < len(runes) && runes[i+1] == 's' && (i+2 == len(runes) || !unicode.IsLetter(runes[i+2]))
			if unicode.IsLower(before) || unicode.IsDigit(before) || unicode.IsUpper(before) && next && !plural {
				end(offset)
			}
		}
		if start < 0 {
			start = offset
		}
		b.WriteRune(unicode.ToLower(r))
		offset += utf8.RuneLen(r)
	}
	end(offset)
	return list
}

// A part of a name, and where it stands in it.
type part struct {
	text       string
	start, end int
}

// squash is a name without its writer's way of joining: StringSet, string_set
// and string-set are all stringset.
func squash(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// singular takes the plural's ending away, roughly, but the same way from all
// that is compared.
func singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 4 && (strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "sses")):
		return w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		return w[:len(w)-1]
	}
	return w
}

// onlyLetters: the name is a word that a dictionary could hold.
func onlyLetters(name string) bool {
	for _, r := range name {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return name != ""
}

// compound: the name is written as programs write names, not as prose writes
// words: two_parts, twoParts, part2.
func compound(name string) bool {
	if strings.ContainsAny(strings.Trim(name, "_"), "_$") {
		return true
	}
	lower, digit := false, false
	for _, r := range name {
		switch {
		case unicode.IsUpper(r) && lower:
			return true
		case unicode.IsLower(r):
			lower = true
		case unicode.IsDigit(r):
			digit = true
		}
	}
	return digit && lower
}
