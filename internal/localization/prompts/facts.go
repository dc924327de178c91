package prompts

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Least lengths of what a rule looks for, in characters.
const (
	minStem       = 4 // letters of a file's stem
	minLiteral    = 6
	minIdentifier = 3
	runLength     = 5 // code tokens
)

// Facts are what a pull request tells: in words, for writers, and by its diff,
// which a prompt must not tell. They are made once for each pull request and
// do not change then.
type Facts struct {
	snapshot *Snapshot
	changes  []Change

	title  headline
	body   []sentence
	areas  []string // components, in words; the one that changes most first
	nature nature

	paths       []string          // changed paths, their basenames and folders of two segments or more, folded and lower-case
	stems       map[string]string // name key → the stem as it is written
	identifiers map[string]string // introduced by the pull request
	functions   map[string]string // changed
	literals    []string          // from added lines, folded, lower-case, blanks collapsed
	runs        map[uint64]bool   // hashes of five code tokens in a row

	before map[string]bool // names that the diff shows to have been there
}

// NewFacts reads a pull request's diff against the snapshot.
func NewFacts(p *Pull, s *Snapshot) *Facts {
	f := &Facts{snapshot: s, changes: p.Changes,
		stems: map[string]string{}, identifiers: map[string]string{}, functions: map[string]string{}, runs: map[uint64]bool{}, before: map[string]bool{}}
	for _, c := range p.Changes {
		for _, lines := range [][]string{c.Removed, c.Kept, c.Hunks} {
			for _, line := range lines {
				eachWord(line, func(w word) { f.before[w.text] = true })
			}
		}
	}
	paths, literals := map[string]bool{}, map[string]bool{}
	for i := range p.Changes {
		c := &p.Changes[i]
		for _, name := range []string{c.Old, c.New} {
			if name != "" {
				f.addPath(name, paths)
			}
		}
		f.addLines(c, literals)
	}
	f.before = nil
	f.paths, f.literals = sortedKeys(paths), sortedKeys(literals)
	f.title, f.body = readTitle(p.Title), sentences(p.Body)
	f.areas, f.nature = f.findAreas(), f.findNature()
	return f
}

func sortedKeys(m map[string]bool) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// comparable is the form in which paths and literals are looked for.
func comparable(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(fold(text).text)), " ")
}

func (f *Facts) addPath(name string, paths map[string]bool) {
	paths[comparable(name)] = true
	base := path.Base(name)
	paths[comparable(base)] = true
	for dir := path.Dir(name); strings.Contains(strings.Trim(dir, "/"), "/"); dir = path.Dir(dir) {
		paths[comparable(dir)] = true
	}
	for _, stem := range stems(base) {
		key := nameKey(stem)
		letters := strings.IndexFunc(stem, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 || countLetters(stem) >= minStem
		if letters && key != "" && !f.snapshot.Ordinary(stem) {
			f.stems[key] = stem
		}
	}
}

func countLetters(s string) (n int) {
	for _, r := range s {
		if onlyLetters(string(r)) {
			n++
		}
	}
	return n
}

// stems are what is left of a basename without its last extension, and without
// all of them: watch.spec and watch of watch.spec.ts.
func stems(base string) []string {
	base = strings.TrimLeft(base, ".")
	last, first := base, base
	if at := strings.LastIndexByte(base, '.'); at > 0 {
		last = base[:at]
	}
	if at := strings.IndexByte(base, '.'); at > 0 {
		first = base[:at]
	}
	if first == last {
		return []string{first}
	}
	return []string{last, first}
}

// nameKey is how names are compared: however their parts are joined, in
// singular.
func nameKey(name string) string { return singular(squash(foldName(name))) }

func (f *Facts) addLines(c *Change, literals map[string]bool) {
	file := c.New
	if file == "" {
		file = c.Old
	}
	l := lexerOf(file)
	for _, heading := range c.Hunks {
		if !l.prose {
			f.addFunction(opens(heading))
		}
	}
	if l.prose {
		return
	}
	for _, line := range c.Kept { // near what changes, if not around it
		f.addFunction(declares(line))
	}
	for _, line := range c.Removed {
		f.addFunction(declares(line))
		f.addRuns(l, line, nil, func(string) {})
	}
	for _, line := range c.Added {
		f.addFunction(declares(line))
		f.addRuns(l, line, f.addIdentifier, func(text string) {
			excused := f.excused(strings.TrimSpace(text))
			if text = comparable(text); utf8.RuneCountInString(text) >= minLiteral && squash(text) != "" && !excused {
				literals[text] = true
			}
		})
	}
	// A number is a literal, too.
	for _, line := range c.Added {
		if !strings.ContainsAny(line, digits) {
			continue
		}
		for _, number := range numbers.FindAllString(line, -1) {
			if len(number) >= minLiteral {
				literals[strings.ToLower(number)] = true
			}
		}
	}
}

var numbers = regexp.MustCompile(`\b\d[\w.]*\b`)

func (f *Facts) addRuns(l lexer, line string, name func(t token), literal func(string)) {
	var window [runLength]uint64
	var places, marks [runLength]bool // in code; no plain word
	n := 0
	l.line(line, func(t token) {
		if name != nil && wordRune(rune(t.text[0])) {
			name(t)
		}
		window[n%runLength] = exact(strings.ToLower(foldName(t.text)))
		places[n%runLength] = t.place == inCode
		marks[n%runLength] = codey(t.text)
		n++
		if n < runLength {
			return
		}
		// Five words of a comment are prose; five tokens of code are not, nor is
		// code in a comment.
		if slices.Contains(places[:], true) || slices.Contains(marks[:], true) {
			f.runs[runKey(&window, n)] = true
		}
	}, literal)
}

// runKey hashes the tokens in the order in which they came; n of them did.
func runKey(window *[runLength]uint64, n int) uint64 {
	hash := uint64(14695981039346656037)
	for i := range runLength {
		hash = (hash ^ window[(n+i)%runLength]) * 1099511628211
		hash ^= hash >> 29
	}
	return hash
}

// codey: prose does not use this token.
func codey(text string) bool {
	if wordRune(rune(text[0])) || text[0] >= utf8.RuneSelf {
		return compound(text)
	}
	return !strings.Contains(`.,;:!?'"()-`, text)
}

// addIdentifier notes a name that neither the snapshot nor the lines before the
// change hold. In comments and
// strings only names that look like ones count.
func (f *Facts) addIdentifier(t token) {
	name := strings.TrimLeft(t.text, "$")
	if utf8.RuneCountInString(name) < minIdentifier || name[0] >= '0' && name[0] <= '9' || t.place != inCode && !compound(name) ||
		keywords[name] || f.before[t.text] || f.snapshot.Knows(name) || f.snapshot.Knows(t.text) || f.excused(name) {
		return
	}
	f.identifiers[nameKey(name)] = name
}

func (f *Facts) addFunction(name string) {
	if utf8.RuneCountInString(name) >= 2 && !keywords[name] && !f.excused(name) {
		f.functions[nameKey(name)] = name
	}
}

// excused: a single word that is ordinary in the snapshot gives nothing away
// by being a name or a literal as well, else functions called "add" or "value"
// would make English impossible.
func (f *Facts) excused(name string) bool {
	return onlyLetters(name) && len(parts(name)) == 1 && f.snapshot.Ordinary(name)
}

var (
	declaration = regexp.MustCompile(`\b(?:func|function|def|fn|fun|sub|proc)\b\*?\s*(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)`)
	arrow       = regexp.MustCompile(`\b(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]*)?=\s*(?:async\b\s*)?(?:function\b|\(|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)`)
	called      = regexp.MustCompile(`([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:<[^<>()]*>)?\(`)
	definition  = regexp.MustCompile(`^(?:[\p{L}_][\p{L}\p{N}_:<>,*&\s\[\]]*[\s*&])?(?:[\p{L}_][\p{L}\p{N}_<>]*::)*~?([\p{L}_][\p{L}\p{N}_]*)\s*\([^;]*(?:\{|\)|,)\s*$`)
)

// opens is the function that a hunk's heading names, or "".
func opens(heading string) string {
	if name := declares(heading); name != "" {
		return name
	}
	for _, m := range called.FindAllStringSubmatch(heading, -1) {
		if !keywords[m[1]] {
			return m[1]
		}
	}
	return ""
}

// declares is the function that a line declares, or "".
func declares(line string) string {
	if strings.Contains(line, "f") || strings.Contains(line, "sub") || strings.Contains(line, "proc") { // func, def, fn, fun
		if m := declaration.FindStringSubmatch(line); m != nil && !keywords[m[1]] {
			return m[1]
		}
	}
	if strings.Contains(line, "=") {
		if m := arrow.FindStringSubmatch(line); m != nil && !keywords[m[1]] {
			return m[1]
		}
	}
	// C and its kin: a declaration stands at the margin.
	if line != "" && line[0] != ' ' && line[0] != '\t' && strings.Contains(line, "(") {
		if m := definition.FindStringSubmatch(line); m != nil && !keywords[m[1]] {
			return m[1]
		}
	}
	return ""
}
