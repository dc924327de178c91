package prompts

import (
	"regexp"
	"strings"

	"touchstone/internal/localization"
)

// Limits are the most words that a prompt of each level may have.
var Limits = map[localization.Level]int{
	localization.Minimal: 25, localization.Concise: 50, localization.Contextual: 150, localization.Guided: 250,
}

// minWords is the least that can be understood as a request.
const minWords = 2

func tooManyWords(_ *Facts, r *reading, level localization.Level) []span {
	if n := len(strings.Fields(r.prompt)); n < minWords || n > Limits[level] {
		return []span{{}}
	}
	return nil
}

// What is stripped from a pull request's text and must not come back. They are
// matched against folded text.
var (
	fences = regexp.MustCompile("(?m)^[ \t>]*(?:```+|~~~+)[^\n]*(?:\n|$)|```")
	urls   = regexp.MustCompile(`(?i)\b(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>()\[\]"'` + "`" + `]+` +
		`|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app)/[^\s<>()\[\]"'` + "`" + `]*`)
	references = regexp.MustCompile(`(?i)(?:\b[\w.-]+/[\w.-]+)?#\d+\b|\bGH-\d+\b|\b(?:pull request|pull|pr|issue|issues|ticket|bug)s?[ \t:]+(?:no\.? ?|number )?#?\d+\b`)
	handles    = regexp.MustCompile(`(?i)\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:^|[^\w/@])@[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?(?:/[\w.-]+)?`)
	months     = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`
	dates      = regexp.MustCompile(`(?i)\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d{2}\b` +
		`|\b` + months + `\.? \d{1,2}(?:st|nd|rd|th)?\b(?:,? (?:19|20)\d{2}\b)?|\b\d{1,2}(?:st|nd|rd|th)? ` + months + `\b(?:,? (?:19|20)\d{2}\b)?|\b` + months + `\.?,? (?:19|20)\d{2}\b`)
	hexadecimal = regexp.MustCompile(`(?i)\b(?:sha\d*:)?[0-9a-f]{7,64}\b`)
)

func matches(pattern *regexp.Regexp) func(*Facts, *reading, localization.Level) []span {
	return func(_ *Facts, r *reading, _ localization.Level) (found []span) {
		for _, m := range pattern.FindAllStringIndex(r.folded.text, -1) {
			found = append(found, span{m[0], m[1]})
		}
		return found
	}
}

// hashes: seven hexadecimal digits and more, letters and digits among them, or
// they would be a word or a number.
func hashes(_ *Facts, r *reading, _ localization.Level) (found []span) {
	for _, m := range hexadecimal.FindAllStringIndex(r.folded.text, -1) {
		if isHash(r.folded.text[m[0]:m[1]]) {
			found = append(found, span{m[0], m[1]})
		}
	}
	return found
}

func isHash(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.ContainsAny(text, "abcdefABCDEF") || len(text) >= 40
}
