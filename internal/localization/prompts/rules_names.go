package prompts

import (
	"strings"

	"touchstone/internal/localization"
)

func changedPaths(f *Facts, r *reading, _ localization.Level) (found []span) {
	text := strings.Map(func(c rune) rune {
		if c == '\\' {
			return '/'
		}
		return c
	}, r.lower)
	for _, path := range f.paths {
		found = append(found, r.occurrences(text, path)...)
	}
	return outermost(found)
}

// fewWords that are ordinary are prose even where a name joins them.
const fewWords = 4

// longestName bounds the parts of a name that are looked for.
const longestName = 12

// named finds the names of a set, however they are joined: StringSet,
// string_set, string-set, STRINGSETS. Words that stand apart are a name, too,
// unless there are few and each is ordinary in the snapshot: that is prose.
// With whole, a name inside a longer one does not count.
func named(set func(f *Facts) map[string]string, whole bool) func(*Facts, *reading, localization.Level) []span {
	return func(f *Facts, r *reading, _ localization.Level) (found []span) {
		names := set(f)
		if len(names) == 0 {
			return nil
		}
		for i := range r.units {
			if whole && !r.units[i].first {
				continue
			}
			joined, gaps, ordinary := "", 0, true
			for j := i; j < len(r.units) && j < i+longestName; j++ {
				if j > i {
					gap := r.folded.text[r.units[j-1].end:r.units[j].start]
					if r.units[j].word != r.units[j-1].word {
						if strings.Trim(gap, "_-./:\\'\"`*>()") != "" {
							if strings.TrimSpace(gap) != "" {
								break
							}
							gaps++
						}
					}
				}
				joined += r.units[j].text
				ordinary = ordinary && f.snapshot.Ordinary(r.units[j].text)
				if gaps > 0 && ordinary && j-i < fewWords || whole && !r.units[j].last {
					continue
				}
				if _, ok := names[singular(joined)]; ok {
					found = append(found, span{r.units[i].start, r.units[j].end})
				}
			}
		}
		return outermost(found)
	}
}

var changedFunction = named(func(f *Facts) map[string]string { return f.functions }, true)

func changedFunctions(f *Facts, r *reading, level localization.Level) []span {
	if level == localization.Guided {
		return nil
	}
	return changedFunction(f, r, level)
}

func addedLiterals(f *Facts, r *reading, _ localization.Level) (found []span) {
	// Line breaks of a prompt are blanks; each is one byte as a blank is.
	text := strings.NewReplacer("\n", " ", "\t", " ").Replace(r.lower)
	for _, literal := range f.literals {
		found = append(found, r.occurrences(text, literal)...)
	}
	return outermost(found)
}

func codeRuns(f *Facts, r *reading, _ localization.Level) (found []span) {
	var window [runLength]uint64
	for n, t := range r.tokens {
		window[n%runLength] = exact(strings.ToLower(t.text))
		if n+1 < runLength || !f.runs[runKey(&window, n+1)] {
			continue
		}
		start := r.tokens[n+1-runLength].start
		if last := len(found) - 1; last >= 0 && start < found[last].end {
			found[last].end = t.end
		} else {
			found = append(found, span{start, t.end})
		}
	}
	return found
}

// outermost leaves out what lies in another span.
func outermost(all []span) (kept []span) {
	for i, s := range all {
		inside := false
		for j, o := range all {
			if i != j && o.start <= s.start && s.end <= o.end && (o != s || j < i) {
				inside = true
				break
			}
		}
		if !inside {
			kept = append(kept, s)
		}
	}
	return kept
}
