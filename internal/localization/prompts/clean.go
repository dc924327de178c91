package prompts

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// strip takes out of a text what leads away from the repository or straight
// into the pull request: addresses, numbers of issues, hashes, handles, dates.
func strip(text string) string { return stripped(text, " ") }

// gap is what stands in a sentence where something was stripped out of it.
const gap = '\ufffc'

// stripped leaves mark where it takes something out.
func stripped(text, mark string) string {
	text = norm.NFKC.String(valid(text))
	text = strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		if r != '\n' && unicode.IsSpace(r) || unicode.IsControl(r) && r != '\n' {
			return ' '
		}
		return r
	}, text)
	text = emptied.ReplaceAllString(text, "")
	for range 3 { // what is taken out may join what stood around it
		before := text
		if strings.Contains(text, "#") {
			text = closes.ReplaceAllString(text, " ")
		}
		for _, s := range strippable {
			if strings.ContainsAny(text, s.needs) {
				text = s.pattern.ReplaceAllString(text, mark)
			}
		}
		text = hexadecimal.ReplaceAllStringFunc(text, func(h string) string {
			if isHash(h) {
				return mark
			}
			return h
		})
		if text == before {
			break
		}
	}
	return tidy(text)
}

// strippable are patterns with characters of which a match has at least one.
var strippable = []struct {
	needs   string
	pattern *regexp.Regexp
}{{"`~", fences}, {"/.", urls}, {digits, references}, {"@", handles}, {digits, dates}}

const digits = "0123456789"

var (
	emptied = regexp.MustCompile(`(?i)\((?:[a-z]+ )?(?:[\w.-]+/[\w.-]+)?#\d+(?:,? (?:and )?#\d+)*\)`) // (#123), (fix #123)
	closes  = regexp.MustCompile(`(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|re(?:fs?|lated to|lates to)|part of|see|follow-up to)\b:? *(?:[\w.-]+/[\w.-]+)?#\d+(?:(?:,| and| &) *#\d+)*`)

	blanks     = regexp.MustCompile(`[ \t]+`)
	hollow     = regexp.MustCompile(`(?i)\((?:see|cf\.?|from|in|by|\s|[,;:\x{fffc}])*\)|\[\s*\]|<\s*>|"\s*"`)
	beforeMark = regexp.MustCompile(` +([,.;:?)\]]|!(?:\s|$))`)
	afterMark  = regexp.MustCompile(`([(\[]) +`)
	doubled    = regexp.MustCompile(`([,;:])(?:\s+[,;:])+`)
)

// tidy mends what stripping leaves: hollow brackets, blanks before commas.
func tidy(text string) string {
	text = blanks.ReplaceAllString(text, " ")
	text = hollow.ReplaceAllString(text, "")
	text = beforeMark.ReplaceAllString(text, "$1")
	text = afterMark.ReplaceAllString(text, "$1")
	text = doubled.ReplaceAllString(text, "$1")
	text = blanks.ReplaceAllString(text, " ")
	return strings.TrimSpace(text)
}

// A headline is what a title says beside its words: "fix(parser)!: …".
type headline struct {
	Type  string // fix, feat, chore … lower-case; "" when the title has none
	Scope string // parser
	Text  string // the rest, stripped, without a full stop
}

var conventional = regexp.MustCompile(`^\s*\[?([A-Za-z]+)\]?\s*(?:\(([^)]*)\))?\s*!?\s*:\s+(.+)$`)

// types are the kinds of change that titles are headed by.
var types = map[string]string{
	"fix": "fix", "bugfix": "fix", "hotfix": "fix", "bug": "fix", "feat": "feat", "feature": "feat", "perf": "perf", "refactor": "refactor",
	"refact": "refactor", "chore": "chore", "test": "test", "tests": "test", "docs": "docs", "doc": "docs", "ci": "ci", "build": "build",
	"style": "style", "revert": "revert", "types": "types", "dx": "dx", "deps": "chore", "wip": "chore", "release": "chore", "workflow": "ci",
}

func readTitle(title string) headline {
	title = strings.TrimSpace(strings.SplitN(title, "\n", 2)[0])
	h := headline{Text: title}
	if m := conventional.FindStringSubmatch(title); m != nil {
		if kind, ok := types[strings.ToLower(m[1])]; ok {
			h = headline{kind, strings.TrimSpace(m[2]), m[3]}
		} else if m[2] == "" && onlyLetters(m[1]) {
			h = headline{"", m[1], m[3]} // "cluster: …" names an area
		}
	}
	if h.Type == "revert" {
		h.Text = "Revert " + readTitle(h.Text).Text
	}
	h.Text = dangling.ReplaceAllString(strings.TrimRight(prose(h.Text), " .…,;:-"), "")
	h.Scope = strip(h.Scope)
	return h
}

var (
	links    = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	tags     = regexp.MustCompile(`</?[a-zA-Z][^<>]*>|<!--.*?-->`)
	emphasis = regexp.MustCompile(`(\*\*|__|~~)(\S(?:.*?\S)?)(\*\*|__|~~)`)
	emoji    = regexp.MustCompile(`:[a-z_]{3,}:`)
)

// prose takes Markdown's marks out of a line and strips it.
func prose(line string) string { return strip(unmarked(line)) }

// unmarked is a line without Markdown's marks.
func unmarked(line string) string {
	line = links.ReplaceAllString(line, "$1")
	line = tags.ReplaceAllString(line, " ")
	line = emphasis.ReplaceAllString(line, "$2")
	line = emoji.ReplaceAllString(line, " ")
	return strings.ReplaceAll(line, "`", "")
}

// sentenceCase begins a text with a capital, unless its first word is written
// in a way of its own.
func sentenceCase(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	word := text
	if at := strings.IndexFunc(text, unicode.IsSpace); at > 0 {
		word = text[:at]
	}
	if !unicode.IsLower(first) || compound(word) || strings.ContainsAny(word, "./:()") {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}
