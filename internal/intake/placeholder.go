package intake

import (
	_ "embed"
	"regexp"
	"strings"
	"unicode"
)

// Why a docstring is taken for a placeholder.
const (
	NoWord   = "has no word"
	OnlyName = "says only the name"
	StandsIn = "stands for a docstring that is missing"
)

//go:embed placeholders.txt
var placeholderList string

// placeholders are whole docstrings in the form of plainWords, with NAME for
// the function's name.
var placeholders = func() map[string]string {
	set := map[string]string{"": NoWord}
	for line := range strings.Lines(placeholderList) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			set[line] = StandsIn
		}
	}
	for _, form := range []string{"NAME", "NAME function", "NAME method", "function NAME", "method NAME",
		"the NAME function", "the NAME method", "the function NAME", "this is the NAME function", "this is the NAME method"} {
		set[form] = OnlyName
	}
	return set
}()

// note is a line that announces a docstring: the word in capitals, or in any
// case with a colon or dash behind it.
var note = regexp.MustCompile(`^(?:(?:TODO|FIXME|TBD|XXX)\b|(?i:todo|fixme|tbd|xxx) ?(?:\([^)\n]*\) ?)?[:\-–—])[^\n]*$`)

// forAnything is "docstring for foo", whatever foo is.
var forAnything = regexp.MustCompile(`^(?:docstring|doc string|documentation) (?:for|of) \S+$`)

// placeholder says why a docstring of a function of this name documents
// nothing, "" when it may document something. A blank one is none.
func placeholder(text, qualname string) string {
	if len(text) > longestPlaceholder {
		return ""
	}
	if note.MatchString(strings.TrimSpace(text)) {
		return StandsIn
	}
	name := qualname[strings.LastIndexByte(qualname, '.')+1:]
	words := plainWords(strings.ToLower(text))
	for i, w := range words {
		if w = strings.TrimSuffix(w, "()"); w == bare(strings.ToLower(name)) || w == bare(strings.ToLower(qualname)) {
			words[i] = "NAME"
		}
	}
	plain := strings.Join(words, " ")
	if why, ok := placeholders[plain]; ok {
		return why
	}
	if forAnything.MatchString(plain) {
		return StandsIn
	}
	return ""
}

// longestPlaceholder is in bytes; a name may be long.
const longestPlaceholder = 400

// plainWords are the words of a text without the marks around them.
func plainWords(text string) []string {
	words := strings.Fields(text)
	kept := words[:0]
	for _, w := range words {
		if w = bare(w); w != "" {
			kept = append(kept, w)
		}
	}
	return kept
}

// bare takes the marks around a word away, a call's parentheses left out.
func bare(word string) string {
	call := strings.TrimRightFunc(word, func(r rune) bool { return r != ')' && isMark(r) })
	if called := strings.TrimFunc(strings.TrimSuffix(call, "()"), isMark); called != "" && strings.HasSuffix(call, "()") {
		return called + "()"
	}
	return strings.TrimFunc(word, isMark)
}

func isMark(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
