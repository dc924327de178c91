// Package pystr does to text what Python's str methods do, where Go's strings
// package differs: the measures are defined by programs in Python, and differ
// from them in the last digit or not at all.
package pystr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsSpace reports whether str.isspace, str.split and str.strip take r to be
// white space: Unicode's, and the four separators U+001C to U+001F.
func IsSpace(r rune) bool {
	if r >= 0 && r < utf8.RuneSelf {
		return asciiSpaces[r]
	}
	return unicode.IsSpace(r)
}

var asciiSpaces = [utf8.RuneSelf]bool{
	'\t': true, '\n': true, '\v': true, '\f': true, '\r': true, 0x1c: true, 0x1d: true, 0x1e: true, 0x1f: true, ' ': true,
}

// Fields is str.split().
func Fields(s string) []string {
	fields := make([]string, 0, len(s)/4+1)
	eachField(s, func(field string) { fields = append(fields, field) })
	return fields
}

// EachField tells what Fields lists, without copying it.
func EachField(s []byte, tell func(field []byte)) { eachField(s, tell) }

func eachField[T string | []byte](s T, tell func(T)) {
	start := -1
	for i := 0; i < len(s); {
		r, width := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, width = utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		}
		switch space := IsSpace(r); {
		case !space && start < 0:
			start = i
		case space && start >= 0:
			tell(s[start:i])
			start = -1
		}
		i += width
	}
	if start >= 0 {
		tell(s[start:])
	}
}

// TrimSpace is str.strip().
func TrimSpace(s string) string { return strings.TrimFunc(s, IsSpace) }

// TrimRight is str.rstrip().
func TrimRight(s string) string { return strings.TrimRightFunc(s, IsSpace) }

// Lower is str.lower(), except that a capital sigma at the end of a word
// becomes σ, not ς. Unlike strings.ToLower it makes two characters of İ.
func Lower(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "İ", "i\u0307"))
}

// tabWidth is that of str.expandtabs().
const tabWidth = 8

// Dedent takes the indentation out of a docstring, as inspect.cleandoc of
// Python up to 3.12 does and as PEP 257 describes: tabs become spaces, the
// first line loses its leading white space, the others lose what they have in
// common, and empty lines at both ends go.
func Dedent(docstring string) string {
	lines := strings.Split(expandTabs(docstring), "\n")
	margin := -1 // in characters, not bytes
	for _, line := range lines[1:] {
		indent := 0
		for _, r := range line {
			if !IsSpace(r) {
				if margin < 0 || indent < margin {
					margin = indent
				}
				break
			}
			indent++
		}
	}
	lines[0] = strings.TrimLeftFunc(lines[0], IsSpace)
	if margin > 0 {
		for i, line := range lines[1:] {
			lines[i+1] = after(line, margin)
		}
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	return strings.Join(lines, "\n")
}

// after is what stands behind the first n characters.
func after(line string, n int) string {
	for i := range line {
		if n == 0 {
			return line[i:]
		}
		n--
	}
	return ""
}

// expandTabs is str.expandtabs(): a column is a character, and a line feed or
// a carriage return begins a new line.
func expandTabs(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	column := 0
	for _, r := range s {
		switch r {
		case '\t':
			n := tabWidth - column%tabWidth
			b.WriteString(strings.Repeat(" ", n))
			column += n
			continue
		case '\n', '\r':
			column = -1
		}
		b.WriteRune(r)
		column++
	}
	return b.String()
}
