package prompts

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A sentence of a pull request's body, stripped.
type sentence struct {
	text  string
	words int
	place int // in the body, from 0 on
	about int // how much it tells of functionality, usage or failure
	inner int // how much it tells of the implementation
}

var (
	fencedBlock = regexp.MustCompile("(?ms)^[ \t>]*(```+|~~~+).*?(?:^[ \t>]*(?:```+|~~~+)[ \t]*$|\\z)")
	comment     = regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)`)
	trailer     = regexp.MustCompile(`^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+|Fixes|Closes|Refs?|Bug|Change-Id|Resolves):\s`)
	bullet      = regexp.MustCompile(`^\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s*)?(.*)$`)
	heading     = regexp.MustCompile(`^\s*#{1,6}\s`)
	ruler       = regexp.MustCompile(`^\s*(?:[-=*_]\s*){3,}$`)
	quotation   = regexp.MustCompile(`^\s*>\s?`)
	noise       = regexp.MustCompile(`(?i)^(?:(?:fix|chore|style|test|ci|docs?|refactor)?(?:\([^)]*\))?:?\s*)?(?:address(?:ed)?|apply|applied|fix(?:e[sd])?|review|pr|code review|update|clean ?up|lint|typos?|format(?:ting)?|wip|tests?|merge|rebase|nits?|suggestions?|[ ,]|from|the|comments?|feedback|by|after|more|some|changes?|autofix(?:es)?|small)+[.!]?$|^(?:merge (?:branch|pull|remote)|bump version|co-authored|signed-off|generated (?:with|by)|for more information)|^(?:depends on|todo\b)`)
	chatty      = regexp.MustCompile(`(?i)\b(?:I|I'm|I've|we'll|my|lgtm|next (?:stage|pr|step)|follow-?up|will be added|this is (?:a|the) (?:first|second|third))\b`)
	ending      = regexp.MustCompile(`[.!?]["')\]]*\s+`)
)

// sentences reads a body: blocks of code, tables, trailers, quotations and the
// lines that a squash leaves of its reviews are no sentences; nor is what had
// an address, a hash or the like in its midst, which is lame without it.
func sentences(body string) []sentence {
	body = strings.ReplaceAll(body, "\r\n", "\n")
	body = comment.ReplaceAllString(body, "")
	body = fencedBlock.ReplaceAllString(body, "\n")
	var texts []string
	var open []string // lines of the paragraph or bullet that goes on
	end := func() {
		if len(open) > 0 {
			texts = append(texts, split(stripped(unmarked(strings.Join(open, " ")), " "+string(gap)+" "))...)
		}
		open = nil
	}
	indented := false // the paragraph is code
	for line := range strings.SplitSeq(body, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "", ruler.MatchString(line):
			end()
			indented = false
		case trailer.MatchString(trimmed), heading.MatchString(line), quotation.MatchString(line), strings.HasPrefix(trimmed, "|"):
			end()
		case bullet.MatchString(line):
			end()
			open = []string{bullet.FindStringSubmatch(line)[1]}
		case indented || len(open) == 0 && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")):
			indented = true
		default:
			open = append(open, trimmed)
		}
	}
	end()
	var list []sentence
	seen := map[string]bool{}
	for _, text := range texts {
		text = strings.Trim(text, " ;,:-*")
		if conventional.MatchString(text) {
			if h := readTitle(text); h.Type != "" {
				text = h.Text
			}
		}
		s := sentence{text: sentenceCase(text), words: len(strings.Fields(text)), place: len(list)}
		if s.words < 4 || s.words > 60 || seen[text] || strings.ContainsRune(text, gap) || noise.MatchString(text) || !readable(text) {
			continue
		}
		seen[text] = true
		s.weigh()
		list = append(list, s)
	}
	return list
}

// split cuts prose where a sentence ends: not at e.g. and not before a
// lower-case word.
func split(text string) []string {
	var list []string
	start := 0
	for _, m := range ending.FindAllStringIndex(text, -1) {
		before := strings.ToLower(text[start:m[0]])
		next := []rune(text[m[1]:])
		if len(next) > 0 && unicode.IsLower(next[0]) || strings.HasSuffix(before, "e.g") || strings.HasSuffix(before, "i.e") ||
			strings.HasSuffix(before, "etc") || strings.HasSuffix(before, " vs") {
			continue
		}
		list = append(list, strings.TrimSpace(text[start:m[1]]))
		start = m[1]
	}
	return append(list, strings.TrimSpace(text[start:]))
}

// readable: most of the text is words, not code, options or numbers.
func readable(text string) bool {
	letters, all := 0, 0
	for _, r := range text {
		all++
		if unicode.IsLetter(r) || unicode.IsSpace(r) {
			letters++
		}
	}
	return letters*100 >= all*80
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// What sentences are told by. A failure says most of what a request is for.
var (
	failureWords = set(`crash crashes crashed crashing fail fails failed failing failure error errors wrong wrongly incorrect incorrectly
		leak leaks deadlock race overflow hang hangs hung timeout panic bug broken breaks stale corrupt corrupted corruption lost missing
		invalid unexpected unexpectedly never infinite undefined null regression issue problem segfault assert assertion duplicate
		instead cannot can't doesn't don't isn't wasn't inconsistent flaky slow underflow violates rejected ignored`)
	usageWords = set(`when if user users client clients allow allows support supports enable enables command option because so causes
		causing caused previously before currently now should must expected behavior behaviour result return returns returned
		while without during after until needed need needs provide provides available`)
	innerWords = set(`refactor refactored rename renamed renames move moved moves extract extracted helper helpers struct class method
		function functions field member members variable variables constructor parameter parameters template macro introduce introduces
		replace replaces replaced split inline implementation interface implement wire wired cleanup pass passing override overload
		test tests testing unit regression-test coverage ci assertions`)
)

func (s *sentence) weigh() {
	for word := range strings.FieldsFuncSeq(strings.ToLower(s.text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '-' }) {
		switch {
		case failureWords[word]:
			s.about += 3
		case usageWords[word]:
			s.about += 2
		case innerWords[word]:
			s.inner += 2
		}
	}
	eachWord(s.text, func(w word) {
		if compound(w.text) {
			s.inner++
		}
	})
	if s.place == 0 {
		s.about += 3 // what comes first is the gist
	}
	if chatty.MatchString(s.text) {
		s.about -= 4
	}
	if s.words > 35 {
		s.about--
	}
}

// choose takes the sentences of the highest weight that fit into a number of
// words, in the order of the body.
func choose(list []sentence, weight func(s sentence) int, words int) []sentence {
	byWeight := slices.Clone(list)
	slices.SortStableFunc(byWeight, func(a, b sentence) int { return weight(b) - weight(a) })
	var chosen []sentence
	for _, s := range byWeight {
		if weight(s) > 0 && s.words <= words {
			chosen = append(chosen, s)
			words -= s.words
		}
	}
	slices.SortFunc(chosen, func(a, b sentence) int { return a.place - b.place })
	return chosen
}
