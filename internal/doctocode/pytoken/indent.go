package pytoken

import "strings"

// Dedent removes the indentation that all statements of a body have in common.
// Lines that begin inside a string literal keep every byte, and so do blank
// lines. Comments and continued lines that stand further left than the
// statements lose what indentation they have.
func Dedent(body string) string {
	lines := Lines(body)
	margin := margin(body, lines)
	if margin == "" {
		return body
	}
	return rewrite(body, lines, func(indent string) string {
		return indent[commonPrefix(indent, margin):]
	})
}

// Indent puts indent before every line of a body, except blank lines and lines
// that begin inside a string literal. Dedent undoes it for a body whose
// statements have no indentation in common.
func Indent(body, indent string) string {
	return rewrite(body, Lines(body), func(old string) string { return indent + old })
}

// Margin is the indentation that all statements of a body have in common; of
// its comments when it holds no statement.
func Margin(body string) string { return margin(body, Lines(body)) }

func margin(body string, lines []Line) string {
	statement, comment := "", ""
	statements, comments := 0, 0
	shared := func(sum string, n int, indent string) string {
		if n == 0 {
			return indent
		}
		return sum[:commonPrefix(sum, indent)]
	}
	for _, l := range lines {
		text := body[l.Start:l.End]
		code := strings.TrimLeft(text, " \t\f")
		if l.InString || l.Joined || code == "" {
			continue
		}
		indent := indentation(text[:len(text)-len(code)])
		if code[0] == '#' {
			comment = shared(comment, comments, indent)
			comments++
		} else {
			statement = shared(statement, statements, indent)
			statements++
		}
	}
	if statements == 0 {
		return comment
	}
	return statement
}

// rewrite changes the indentation of the lines that have one.
func rewrite(body string, lines []Line, change func(indent string) string) string {
	var b strings.Builder
	b.Grow(len(body) + 4*len(lines))
	for _, l := range lines {
		text := body[l.Start:l.Next]
		code := strings.TrimLeft(text, " \t\f")
		if l.InString || strings.Trim(code, "\r\n") == "" {
			b.WriteString(text)
			continue
		}
		space := text[:len(text)-len(code)]
		indent := indentation(space)
		b.WriteString(space[:len(space)-len(indent)])
		b.WriteString(change(indent))
		b.WriteString(code)
	}
	return b.String()
}

// indentation is the part of a line's leading white space that counts: a form
// feed sets Python's column back to zero.
func indentation(space string) string {
	return space[strings.LastIndexByte(space, '\f')+1:]
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
