package prompts

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"touchstone/internal/localization"
)

// A Rejection says which rule a prompt breaks, and by what.
type Rejection struct {
	Rule       string
	Level      localization.Level
	What       string // as the prompt says it, "" where the prompt as a whole breaks the rule
	Attempt    int    // draft, from 0 on
	start, end int    // bytes of What in the prompt
}

func (r Rejection) String() string {
	if r.What == "" {
		return fmt.Sprintf("%s: %s", r.Rule, ruleNamed(r.Rule).Says)
	}
	return fmt.Sprintf("%s: %q: %s", r.Rule, r.What, ruleNamed(r.Rule).Says)
}

// A Rule is one thing that a prompt must not do.
type Rule struct {
	Name string
	Says string
	// find names the offences.
	find func(f *Facts, r *reading, level localization.Level) []span
}

// A span is an offence in a prompt's folded text. The zero span is the whole.
type span struct{ start, end int }

// Rules lists all rules, in the order in which rejections are reported.
var Rules = []Rule{
	{"words", "a prompt has 2 words or more, and no more than its level allows", tooManyWords},
	{"fence", "a prompt holds no block of code", matches(fences)},
	{"url", "a prompt holds no address", matches(urls)},
	{"reference", "a prompt holds no number of an issue or pull request", matches(references)},
	{"hash", "a prompt holds no hash", hashes},
	{"handle", "a prompt holds no handle or mail address", matches(handles)},
	{"date", "a prompt holds no date", matches(dates)},
	{"path", "a prompt names no changed path, basename or folder path", changedPaths},
	{"stem", "a prompt names no changed file's stem, unless that is an ordinary word", named(func(f *Facts) map[string]string { return f.stems }, false)},
	{"identifier", "a prompt names no identifier that the pull request introduces", named(func(f *Facts) map[string]string { return f.identifiers }, true)},
	{"function", "a prompt below guided names no changed function", changedFunctions},
	{"literal", "a prompt holds no literal of added lines", addedLiterals},
	{"code", "a prompt holds no five code tokens of the diff in a row", codeRuns},
}

func ruleNamed(name string) Rule {
	for _, r := range Rules {
		if r.Name == name {
			return r
		}
	}
	panic("no rule " + name)
}

// Check names every offence of a prompt.
func (f *Facts) Check(level localization.Level, prompt string) []Rejection {
	r := newReading(prompt)
	var all []Rejection
	for _, rule := range Rules {
		for _, s := range rule.find(f, r, level) {
			one := Rejection{Rule: rule.Name, Level: level}
			if s != (span{}) {
				one.start, one.end = r.folded.original(s.start, s.end)
				one.What = prompt[one.start:one.end]
			}
			all = append(all, one)
		}
	}
	return all
}

// A reading is a prompt as the rules look at it.
type reading struct {
	prompt string
	folded folded
	lower  string // of the folded text, byte for byte where lower case is as long
	units  []unit
	tokens []token
}

// A unit is a part of a name or a whole plain word, with the number of the
// word that it belongs to.
type unit struct {
	text       string
	start, end int
	word       int
	first      bool // of its word
	last       bool
}

func newReading(prompt string) *reading {
	r := &reading{prompt: prompt, folded: fold(prompt)}
	text := r.folded.text
	r.lower = lowerInPlace(text)
	n := 0
	eachWord(text, func(w word) {
		list := parts(w.text)
		for i, p := range list {
			r.units = append(r.units, unit{p.text, w.start + p.start, w.start + p.end, n, i == 0, i == len(list)-1})
		}
		n++
	})
	lexer{}.line(text, func(t token) { r.tokens = append(r.tokens, t) }, func(string) {})
	return r
}

// lowerInPlace is lower case with every byte where it was.
func lowerInPlace(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, c := range text {
		low := []rune(strings.ToLower(string(c)))
		if len(low) == 1 && utf8.RuneLen(low[0]) == utf8.RuneLen(c) {
			c = low[0]
		}
		b.WriteRune(c)
	}
	return b.String()
}

// occurrences finds what stands by itself in the lower-case text: no letter,
// digit or _ may go on where what begins or ends with one.
func (r *reading) occurrences(text, what string) (found []span) {
	for from := 0; what != "" && from < len(text); {
		at := strings.Index(text[from:], what)
		if at < 0 {
			break
		}
		start := from + at
		end := start + len(what)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		first, _ := utf8.DecodeRuneInString(what)
		last, _ := utf8.DecodeLastRuneInString(what)
		if !(start > 0 && wordRune(first) && wordRune(before)) && !(end < len(text) && wordRune(last) && wordRune(after)) {
			found = append(found, span{start, end})
		}
		from = end
	}
	return found
}
