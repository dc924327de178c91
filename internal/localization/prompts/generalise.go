package prompts

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"touchstone/internal/localization"
)

// offences are what a piece of a prompt would be rejected for at a level; the
// number of words is not one's own fault. They do not overlap.
func (f *Facts) offences(level localization.Level, text string) []Rejection {
	var list []Rejection
	for _, r := range f.Check(level, text) {
		if r.What != "" {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b Rejection) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var apart []Rejection
	for _, r := range list {
		if len(apart) == 0 || r.start >= apart[len(apart)-1].end {
			apart = append(apart, r)
		}
	}
	return apart
}

// generalise says what a text names in more general words: a function or a
// file becomes its component, a literal its kind. It reports whether nothing
// that offends is left.
func (f *Facts) generalise(level localization.Level, text, component string) (string, bool) {
	for range 4 { // a replacement may lay another offence open
		list := f.offences(level, text)
		if len(list) == 0 {
			return text, true
		}
		done := len(text) // what stands behind it is replaced
		for _, r := range slices.Backward(list) {
			if r.end > done {
				continue // a bracket that it ends in is gone
			}
			start, end := whole(text, r.start, r.end)
			if r.Rule == "code" {
				start, end = breaking(text, r.start, r.end)
			}
			if end > done {
				continue // written in one with what is replaced
			}
			done = start
			if inBrackets(text, start, end) {
				done--
			}
			text = substitute(text, start, end, f.inGeneral(r, text[start:end], component))
		}
		text = dangling.ReplaceAllString(tidy(merged(text, f.standIns(component))), "")
	}
	return text, len(f.offences(level, text)) == 0
}

// without takes what offends out of a text.
func (f *Facts) without(level localization.Level, text string) (string, bool) {
	for range 4 {
		list := f.offences(level, text)
		if len(list) == 0 {
			return text, true
		}
		done := len(text)
		for _, r := range slices.Backward(list) {
			start, end := whole(text, r.start, r.end)
			if end > done {
				continue
			}
			done = start
			text = text[:start] + " " + text[end:]
		}
		text = strings.TrimRight(dangling.ReplaceAllString(tidy(text), ""), " ,;:-(")
	}
	return text, len(f.offences(level, text)) == 0
}

// dangling are words that lead to something that is no longer there.
var dangling = regexp.MustCompile(`(?i)(?:\s+(?:in|of|for|to|from|with|by|on|at|the|a|an|and|or|when|into|via|using|as|during|inside|under))+$`)

func (f *Facts) inGeneral(r Rejection, text, component string) string {
	switch r.Rule {
	case "path", "stem", "function":
		return codeOf(component)
	case "identifier":
		switch {
		case strings.HasPrefix(text, "-"):
			return "a new option"
		case f.functions[nameKey(r.What)] != "" || strings.HasSuffix(text, ")"):
			return "a new function"
		case strings.ToUpper(text) == text:
			return "a new constant"
		case strings.IndexFunc(text, unicode.IsUpper) == 0:
			return "a new type"
		}
		return "a new name"
	case "literal":
		return literalKind(r.What)
	}
	return ""
}

func literalKind(text string) string {
	switch first, _ := utf8.DecodeRuneInString(text); {
	case unicode.IsDigit(first) && !strings.Contains(text, " "):
		return "a number"
	case strings.HasPrefix(text, "-"):
		return "an option"
	case strings.Contains(text, " "):
		return "a message"
	case strings.ToUpper(text) == text && strings.Contains(text, "."):
		return "a command"
	case strings.ToUpper(text) == text && strings.Contains(text, "_"):
		return "a setting"
	case strings.ToUpper(text) == text:
		return "a keyword"
	}
	return "a value"
}

// standIns are what inGeneral puts into a text.
func (f *Facts) standIns(component string) []string {
	return []string{codeOf(component), "a new option", "a new function", "a new constant", "a new type", "a new name", "a number", "an option", "a message", "a command", "a setting", "a keyword", "a value"}
}

// whole widens a name to what it is written in: StringSet::AddBatch() of
// AddBatch.
func whole(text string, start, end int) (int, int) {
	joins := func(r rune) bool { return wordRune(r) || strings.ContainsRune(`:.\/<>[]`, r) }
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:start])
		if !joins(r) && !(r == '-' && (start == size || text[start-size-1] == ' ' || text[start-size-1] == '-')) {
			break
		}
		start -= size
	}
	for end < len(text) {
		if strings.HasPrefix(text[end:], "()") {
			end += 2
			continue
		}
		r, size := utf8.DecodeRuneInString(text[end:])
		if !joins(r) {
			break
		}
		end += size
	}
	trimmed := strings.TrimRight(text[start:end], ":./\\<>[]")
	end = start + len(trimmed)
	start += len(trimmed) - len(strings.TrimLeft(trimmed, ":./\\<>[]"))
	for start > 0 && end < len(text) && strings.ContainsRune("\"'`", rune(text[start-1])) && text[start-1] == text[end] {
		start, end = start-1, end+1
	}
	return start, end
}

// breaking is what has to go for five tokens in a row to be none: the name
// among them that is written like code, else the middle word.
func breaking(text string, start, end int) (int, int) {
	var words []word
	eachWord(text[start:end], func(w word) { words = append(words, word{w.text, start + w.start, start + w.end}) })
	if len(words) == 0 {
		return start, end
	}
	chosen := words[len(words)/2]
	for _, w := range words {
		if compound(w.text) {
			chosen = w
			break
		}
	}
	return whole(text, chosen.start, chosen.end)
}

// determiners stand in place of an article.
var determiners = set("the a an this that these those its their new each every any no some another both all")

// goesOn are words that a name before them does not describe.
var goesOn = set(`is are was were be been being has have had does do did will would can could may might must should shall not in on at
	of for to from with without by into via using as and or but if when while so that which who whose than then because since during
	after before until inside under over it its they them we you i no only also still now just never always instead`)

// clauseHeads begin clauses, in which a name is the subject of a verb.
var clauseHeads = set("after when if while that because since until where before once as and but so whether now then")

// substitute puts a general word in place of a name. A name that describes the
// word behind it is left out: "the OpAdd path" is "the path". One in brackets
// by itself goes with them.
func substitute(text string, start, end int, general string) string {
	if inBrackets(text, start, end) {
		return text[:start-1] + text[end+1:]
	}
	before, after := strings.Fields(text[:start]), strings.Fields(text[end:])
	if len(after) > 0 && strings.HasPrefix(text[end:], " ") {
		next := strings.Trim(after[0], ".,;:!?)")
		ends := len(after) == 1 || next != after[0]
		verb := strings.HasSuffix(next, "s") && (len(before) == 0 || clauseHeads[strings.ToLower(before[len(before)-1])] || goesOn[strings.ToLower(before[len(before)-1])] && !ends)
		if onlyLetters(next) && strings.ToLower(next) == next && !goesOn[next] && !determiners[next] && !verb {
			return text[:start] + text[end+1:]
		}
	}
	article, rest, _ := strings.Cut(general, " ")
	for i := len(before) - 1; i >= max(0, len(before)-2) && article != general; i-- {
		word := strings.ToLower(before[i])
		if determiners[word] { // the name, or the fast name
			general = rest
			break
		}
		if goesOn[word] {
			break
		}
	}
	return text[:start] + general + text[end:]
}

func inBrackets(text string, start, end int) bool {
	return start > 0 && end < len(text) && text[start-1] == '(' && text[end] == ')'
}

// merged says once what stands several times in a row: x, x and x.
func merged(text string, phrases []string) string {
	for _, p := range phrases {
		for _, between := range []string{", ", " and ", ", and ", " in ", " of ", "/", " ", " or ", " and the ", "."} {
			for strings.Contains(text, p+between+p) {
				text = strings.ReplaceAll(text, p+between+p, p)
			}
		}
	}
	return text
}
