package docagent

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"touchstone/internal/measure/pystr"
)

// commonNames.txt holds what any Python repository may mention without having
// defined it: Python 3.11's own names, and others of five kinds.
//
//go:embed common_names.txt
var commonNames string

var common = func() map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(commonNames) {
		if !strings.HasPrefix(line, "#") {
			for _, name := range strings.Fields(line) {
				names[name] = true
			}
		}
	}
	return names
}()

var (
	// A span in backticks, as Markdown and reStructuredText have them.
	span = regexp.MustCompile("``([^`\n]+)``|`([^`\n]+)`")
	// A role's text may show something else than what it refers to.
	target = regexp.MustCompile(`<([^<>]+)>$`)
	// A name with what it belongs to, and whether it is called.
	dotted = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*(?:\(\))?`)
	// All of a span that is one name, called or not.
	whole = regexp.MustCompile(`^[~!.]*([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)(\([^()]*\))?$`)

	address = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://\S+|\S+@\S+\.\S+`)
	hump    = regexp.MustCompile(`[a-z0-9][A-Z]|[A-Z]{2}[a-z]`)
	inner   = regexp.MustCompile(`[A-Za-z0-9]_[A-Za-z0-9]`)
	file    = regexp.MustCompile(`\.(?:py|pyi|js|ts|c|h|cpp|go|rs|java|rb|sh|json|jsonl|ya?ml|toml|cfg|ini|csv|tsv|txt|md|rst|html?|css|xml|sql|db|log|lock|gz|zip|tar|png|jpe?g|svg|pdf|com|org|net|io|dev)$`)
	heading = regexp.MustCompile(`^[-=~]{3,}$`)
)

// Mentions are the names of the repository's own functions, methods and classes
// that a docstring speaks of, as far as that can be told from the text: each
// once, in the order of their first mention, with dots where it has them and
// without self. DocAgent asks a model for them; this is deterministic.
//
// Names are what is in backticks and what looks like code outside of them:
// called with (), with an underscore inside, or with capitals inside. Left out
// are examples, addresses, files, special methods, names all in capitals
// (constants, acronyms), attributes of self, names of Python and of well-known
// packages, and what is in known: the function's own parameters.
func Mentions(docstring string, known ...string) []string {
	var found []string
	seen := map[string]bool{}
	note := func(name string, called bool) {
		if name, ok := own(name, called, known); ok && !seen[name] {
			seen[name] = true
			found = append(found, name)
		}
	}
	text := withoutExamples(docstring)
	if strings.Contains(text, "://") || strings.Contains(text, "@") {
		text = address.ReplaceAllString(text, " ")
	}
	at := 0
	for _, place := range span.FindAllStringSubmatchIndex(text, -1) {
		noteShaped(text[at:place[0]], note)
		at = place[1]
		content := pystr.TrimSpace(strings.Trim(text[place[0]:place[1]], "`"))
		if m := target.FindStringSubmatch(content); m != nil {
			content = m[1]
		}
		if m := whole.FindStringSubmatch(content); m != nil {
			note(m[1], m[2] != "")
		} else {
			noteShaped(content, note)
		}
	}
	noteShaped(text[at:], note)
	return found
}

// noteShaped notes the names in a text that look like code.
func noteShaped(text string, note func(name string, called bool)) {
	for _, place := range dotted.FindAllStringIndex(text, -1) {
		if place[0] > 0 && continues(text[place[0]-1]) || place[1] < len(text) && continues(text[place[1]]) {
			continue // part of something else: -flag, path/name, größe
		}
		name, called := strings.CutSuffix(text[place[0]:place[1]], "()")
		if called || inner.MatchString(name) || slices.ContainsFunc(strings.Split(name, "."), hump.MatchString) {
			note(name, called)
		}
	}
}

// continues reports whether a name that stands beside this byte is part of
// something longer. Slashes part paths; every byte of a letter outside of ASCII
// is 0x80 or more.
func continues(c byte) bool {
	return c == '/' || c == '\\' || c == '-' || c == '$' || c == '@' || c >= 0x80 || c >= '0' && c <= '9'
}

// own is the name without self, and whether it can be the repository's own.
func own(name string, called bool, known []string) (string, bool) {
	for _, self := range []string{"self.", "cls."} {
		if rest, ok := strings.CutPrefix(name, self); ok {
			if name = rest; !called {
				return "", false
			}
		}
	}
	first, _, _ := strings.Cut(name, ".")
	last := lastPart(name)
	switch {
	case common[first], slices.Contains(known, first),
		len(last) == 1,
		strings.HasPrefix(last, "__") && strings.HasSuffix(last, "__"),
		strings.ToUpper(last) == last,
		!called && file.MatchString(name):
		return "", false
	}
	return name, true
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// exampleLabels begin a section of examples in any style.
var exampleLabels = append([]string{"example", "examples", "usage"}, labels[Examples]...)

// withoutExamples leaves out sections of examples, which end where another
// section begins, blocks between fences, and what is typed at a prompt with
// what it prints.
func withoutExamples(docstring string) string {
	var kept []string
	lines := strings.Split(docstring, "\n")
	example, fenced, prompt := false, false, false
	for i, line := range lines {
		text := pystr.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, "```") && strings.Count(text, "```") == 1:
			fenced = !fenced
			continue
		case fenced:
			continue
		case strings.HasPrefix(text, ">>>"):
			prompt = true
		case text == "":
			prompt = false
		}
		underlined := i+1 < len(lines) && heading.MatchString(pystr.TrimSpace(lines[i+1]))
		if name, ok := sectionName(text, underlined); ok {
			example, prompt = slices.Contains(exampleLabels, name), false
		}
		if !example && !prompt {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// sectionName is the lowered label of a line that begins a section: one of the
// known ones, or anything underlined.
func sectionName(text string, underlined bool) (string, bool) {
	lower := pystr.Lower(text)
	if underlined {
		return lower, true
	}
	for _, section := range []string{Examples, Args, Returns, Raises, Attributes} {
		for _, label := range labels[section] {
			if strings.HasPrefix(lower, label) {
				return label, true
			}
		}
	}
	return "", false
}
