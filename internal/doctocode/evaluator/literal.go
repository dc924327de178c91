package evaluator

import (
	"fmt"
	"strings"
)

// docLiteral writes a docstring as a Python string literal that stands at the
// given indentation, with the file's line ends. Whatever the text holds, the
// literal is valid and, cleaned as Python's inspect.cleandoc does, has the
// text's value; only tabs inside lines may reach other columns.
func docLiteral(text, indent, eol string) string {
	lines := cleanDoc(text)
	last := len(lines) - 1
	joined := strings.Join(lines, "\n")
	raw := strings.Contains(joined, `\`) && rawDoc(joined, last > 0)
	var b strings.Builder
	if raw {
		b.WriteByte('r')
	}
	b.WriteString(`"""`)
	if restIsIndented(lines) {
		// Beside the quotes the first line would not count, and the others lose their margin.
		b.WriteString(eol + indent)
	}
	for i, line := range lines {
		if i > 0 {
			b.WriteString(eol)
			if line != "" {
				b.WriteString(indent)
			}
		}
		if !raw {
			open, quoted := strings.CutSuffix(line, `"`)
			if line = escapeDoc(line); quoted && last == 0 {
				line = escapeDoc(open) + `\"`
			}
		}
		b.WriteString(line)
	}
	if last > 0 {
		b.WriteString(eol + indent)
	}
	b.WriteString(`"""`)
	return b.String()
}

// restIsIndented reports whether all lines but the first have a margin.
func restIsIndented(lines []string) bool {
	indented := false
	for _, line := range lines[1:] {
		if line != "" && line[0] != ' ' {
			return false
		}
		indented = indented || line != ""
	}
	return indented
}

// CleanDoc is a docstring without the margin that its lines share and without
// blank lines at its ends, as PEP 257 has it.
func CleanDoc(text string) string { return strings.Join(cleanDoc(text), "\n") }

// cleanDoc splits a docstring into lines without the margin that they share
// and without blank lines at its ends, as PEP 257 has it. The result has at
// least one line.
func cleanDoc(text string) []string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	margin, found := "", false
	for i, line := range lines {
		code := strings.TrimLeft(line, " \t")
		lines[i] = strings.Repeat(" ", columnOf(line[:len(line)-len(code)])) + code
	}
	for _, line := range lines[1:] {
		code := strings.TrimLeft(line, " ")
		if code == "" {
			continue
		}
		indent := line[:len(line)-len(code)]
		if !found {
			margin, found = indent, true
		}
		for !strings.HasPrefix(indent, margin) {
			margin = margin[:len(margin)-1]
		}
	}
	lines[0] = strings.TrimLeft(lines[0], " ")
	for i := range lines {
		if i > 0 {
			lines[i] = strings.TrimPrefix(lines[i], margin)
		}
		if strings.Trim(lines[i], " ") == "" {
			lines[i] = ""
		}
	}
	for len(lines) > 1 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// rawDoc reports whether a text can stand in a raw literal as it is.
func rawDoc(text string, closesOnItsOwnLine bool) bool {
	if strings.Contains(text, `"""`) || strings.ContainsFunc(text, isControl) {
		return false
	}
	return closesOnItsOwnLine || !strings.HasSuffix(text, `\`) && !strings.HasSuffix(text, `"`)
}

func escapeDoc(line string) string {
	line = strings.ReplaceAll(line, `\`, `\\`)
	line = strings.ReplaceAll(line, `"""`, `\"\"\"`)
	if !strings.ContainsFunc(line, isControl) {
		return line
	}
	var b strings.Builder
	for _, r := range line {
		if isControl(r) {
			fmt.Fprintf(&b, `\x%02x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isControl reports characters that would change or break the source: a null
// ends it, a carriage return ends a line, a form feed looks like a page.
func isControl(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r == 0x7f }
