package prompts

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A nature is what a diff does, in general terms.
type nature struct {
	Does      []string // adds a condition, handles errors …, at most maxHints
	Modified  int      // files
	Added     int
	Deleted   int
	Renamed   int
	Tests     bool
	Docs      bool
	Functions []string // that it changes and that the snapshot knows
}

const (
	maxHints     = 3
	maxFunctions = 6
)

// hints are told by words of which the change's code has more than before.
var hints = []struct {
	says string
	by   map[string]bool
}{
	{"adds a condition", set("if elif elseif unless switch match case when")},
	{"handles errors", set(`try catch except rescue finally throw throws raise panic recover err error errors status iserror haserror
		runtimeerror valueerror typeerror exception opstatus`)},
	{"adds an option", set("absl_flag add_argument getenv environ stringvar boolvar intvar flagset addflag")},
	{"guards shared state", set("mutex lock unlock lock_guard unique_lock atomic synchronized semaphore rwlock rwmutex rlock runlock trylock")},
	{"adds a loop", set("for while foreach loop")},
	{"adds logging", set("log logger logging console vlog slog dvlog printf println")},
	{"adds counters or metrics", set("metric metrics counter counters histogram gauge prometheus")},
	{"declares types", set("class struct interface enum typedef trait")},
}

// hintsOf is, for a word, the hints that it is a sign of.
var hintsOf = func() map[string][]int {
	m := map[string][]int{}
	for i, h := range hints {
		for word := range h.by {
			m[word] = append(m[word], i)
		}
	}
	return m
}()

var (
	testPath = regexp.MustCompile(`(?i)(?:^|/)(?:tests?|__tests?__|specs?|testdata|e2e)(?:/|$)|[._-](?:test|tests|spec|test-d)\.|(?:^|/)test[_-]|_test\.`)
	// statement is a heading in which a function is called, not declared.
	statement = regexp.MustCompile(`^\s*(?:[})\]]|(?:if|for|while|else|switch|case|return|await|expect|it|describe|test)\b)|^[^(]*\.\w+\(`)
	docsPath  = regexp.MustCompile(`(?i)\.(?:md|mdx|rst|adoc)$|(?:^|/)docs?/`)
)

// data are files that declare no functions, whatever stands in brackets there.
var data = set(".mod .sum .json .yml .yaml .toml .lock .xml .ini .cfg .conf .csv .svg .html .css .scss")

func (f *Facts) findNature() nature {
	var n nature
	added, removed := make([]int, len(hints)), make([]int, len(hints))
	lines := [2]int{}
	functions := map[string]int{} // → lines of source that it heads
	for i := range f.changes {
		c := &f.changes[i]
		name := c.New
		if name == "" {
			name = c.Old
		}
		switch c.Kind {
		case Added, Copied:
			n.Added++
		case Deleted:
			n.Deleted++
		case Renamed:
			n.Renamed++
		default:
			n.Modified++
		}
		switch {
		case testPath.MatchString(name):
			n.Tests = true
			continue
		case docsPath.MatchString(name) || proseFiles[strings.ToLower(path.Ext(name))]:
			n.Docs = true
			continue
		}
		lines[0] += len(c.Added)
		lines[1] += len(c.Removed)
		countHints(lexerOf(name), c.Added, added)
		countHints(lexerOf(name), c.Removed, removed)
		if data[strings.ToLower(path.Ext(name))] {
			continue
		}
		for _, heading := range c.Hunks {
			if name := opens(heading); f.tellable(name) && !statement.MatchString(heading) {
				functions[name] += 2
			}
		}
		for _, line := range slices.Concat(c.Removed, c.Added) {
			if name := declares(line); f.tellable(name) {
				functions[name] += 3
			}
		}
	}
	type counted struct{ hint, more int }
	var more []counted
	for h := range hints {
		if d := added[h] - removed[h]; d > 0 {
			more = append(more, counted{h, d})
		}
	}
	slices.SortStableFunc(more, func(a, b counted) int { return b.more - a.more })
	for _, m := range more[:min(maxHints, len(more))] {
		n.Does = append(n.Does, hints[m.hint].says)
	}
	if lines[1] > 2*lines[0] && lines[1] > 10 {
		n.Does = append([]string{"mostly removes code"}, n.Does[:min(len(n.Does), maxHints-1)]...)
	}
	for name := range functions {
		n.Functions = append(n.Functions, name)
	}
	slices.SortFunc(n.Functions, func(a, b string) int {
		if d := functions[b] - functions[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	n.Functions = n.Functions[:min(len(n.Functions), maxFunctions)]
	return n
}

// countHints adds, for each hint, the words of code that are signs of it.
func countHints(l lexer, lines []string, counts []int) {
	for _, line := range lines {
		l.line(line, func(t token) {
			if t.place == inCode {
				for _, h := range hintsOf[strings.ToLower(t.text)] {
					counts[h]++
				}
			}
		}, func(string) {})
	}
}

// tellable: a function's name may be told at guided when the snapshot knows it
// and it says something.
func (f *Facts) tellable(name string) bool {
	return len(name) >= 4 && f.snapshot.Knows(name) && strings.IndexFunc(name, unicode.IsLower) >= 0
}

// sentences tell the nature in words; component may be "".
func (n nature) sentences(component string) []string {
	var list []string
	if len(n.Does) > 0 {
		list = append(list, "The change "+enumerate(n.Does)+in(component)+".")
	}
	var files []string
	for _, part := range []struct {
		n     int
		verbs string
	}{{n.Modified, "modifies"}, {n.Added, "adds"}, {n.Deleted, "deletes"}, {n.Renamed, "renames"}} {
		switch {
		case part.n == 1:
			files = append(files, part.verbs+" one file")
		case part.n > 1:
			files = append(files, fmt.Sprintf("%s %s files", part.verbs, roughly(part.n)))
		}
	}
	if len(files) > 0 {
		text := "It " + enumerate(files)
		switch {
		case n.Tests && n.Docs:
			text += "; tests and documentation change with it"
		case n.Tests:
			text += "; tests change with it"
		case n.Docs:
			text += "; documentation changes with it"
		}
		list = append(list, text+".")
	}
	return list
}

func in(component string) string {
	if component == "" {
		return ""
	}
	return " in " + component
}

// roughly tells a count without inviting to stop at exactly so many files.
func roughly(n int) string {
	switch {
	case n <= 3:
		return "a few"
	case n <= 10:
		return "several"
	}
	return "many"
}

// enumerate is a, b and c.
func enumerate(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
