package doctocode

import (
	"strings"

	"touchstone/internal/doctocode/pytoken"
)

// Spliced is a file with a candidate body in it.
type Spliced struct {
	Segment string // the new text of the outermost enclosing function, [Outer, OuterEnd) of the original
	Text    string // the whole new file
}

// Lookup finds a definition by its qualified name and its place among those of
// the same name.
func (f *SourceFile) Lookup(qualname string, ordinal int) (*Definition, bool) {
	for i := range f.Definitions {
		if d := &f.Definitions[i]; d.Qualname == qualname && d.Ordinal == ordinal {
			return d, true
		}
	}
	return nil, false
}

// OriginalBody is the body of a definition in canonical form: dedented, lines
// ended by \n, without blank lines at its ends and without a final line end.
func (f *SourceFile) OriginalBody(d *Definition) string {
	cut := f.cut(d)
	if cut.rewritten {
		// A suite behind a colon or a docstring: "; return 1", or behind a backslash.
		rest := strings.TrimLeft(f.Text[cut.end:d.Body[1]], " \t\f;\\\r\n")
		return CanonicalBody(rest)
	}
	return CanonicalBody(f.Text[d.Body[0]:d.Body[1]])
}

// CanonicalBody brings a body into the form that Splice takes.
func CanonicalBody(body string) string {
	return pytoken.Dedent(trimBlankLines(unixLines(body)))
}

// Splice puts a canonical body in the place of a definition's own. The body is
// indented as the original is and gets the file's line ends; blank lines above
// it, the docstring and all else in the file stay. A suite on the header's
// line moves to lines of its own, as a body of several lines could not stand
// there. Splicing the original body gives the original text, unless it was
// such a suite or has comments or continued lines left of its statements.
func (f *SourceFile) Splice(d *Definition, body string) Spliced {
	cut := f.cut(d)
	eol := f.LineEnd(d)
	body = trimBlankLines(unixLines(body))
	var b strings.Builder
	b.WriteString(cut.head)
	if !cut.rewritten {
		b.WriteString(f.Text[d.Body[0]:skipBlankLines(f.Text, d.Body[0], d.Body[1])])
	}
	if body != "" {
		text := pytoken.Indent(body, f.BodyIndent(d))
		if eol != "\n" {
			text = strings.ReplaceAll(text, "\n", eol)
		}
		b.WriteString(text)
		if old := f.Text[:d.Body[1]]; strings.HasSuffix(old, "\n") || strings.HasSuffix(old, "\r") {
			b.WriteString(eol)
		}
	}
	middle := b.String()
	return Spliced{
		Segment: f.Text[d.Outer:d.Start] + middle + f.Text[d.Body[1]:d.OuterEnd],
		Text:    f.Text[:d.Start] + middle + f.Text[d.Body[1]:],
	}
}

// Head is a definition's text from its first decorator to where a body goes,
// as it stands once a body is spliced in: through the line of the docstring,
// or of the header, its line end included. doc is where in it the docstring's
// literal begins, -1 when there is none.
func (f *SourceFile) Head(d *Definition) (text string, doc int) {
	cut := f.cut(d)
	if !d.HasDoc() {
		return cut.head, -1
	}
	if !cut.rewritten {
		return cut.head, d.Doc[0] - d.Start
	}
	return cut.head, len(cut.head) - len(f.LineEnd(d)) - (d.Doc[1] - d.Doc[0])
}

// BodyIndent is the white space that Splice puts before a body's statements.
// A form feed resets the column, so what stands before it does not count.
func (f *SourceFile) BodyIndent(d *Definition) string {
	return d.Indent[strings.LastIndexByte(d.Indent, '\f')+1:]
}

// cut is where the text of a definition ends and its body begins.
type cut struct {
	head      string // text of the definition up to the body, with a line end
	end       int    // offset where what the head holds of the original ends
	rewritten bool   // the head is not the original's text: the suite had no lines of its own
}

func (f *SourceFile) cut(d *Definition) cut {
	eol := f.LineEnd(d)
	end := d.HeaderEnd
	if d.HasDoc() {
		end = d.Doc[1]
	}
	if !d.Inline && !continued(f.Text[end:d.Body[0]]) {
		return cut{head: f.Text[d.Start:d.Body[0]], end: d.Body[0]}
	}
	if !d.HasDoc() {
		return cut{head: f.Text[d.Start:d.HeaderEnd] + eol, end: end, rewritten: true}
	}
	between := f.Text[d.HeaderEnd:d.Doc[0]]
	if !strings.ContainsAny(between, "\r\n") || continued(between) {
		between = eol + f.BodyIndent(d)
	}
	return cut{head: f.Text[d.Start:d.HeaderEnd] + between + f.Text[d.Doc[0]:d.Doc[1]] + eol, end: end, rewritten: true}
}

// continued reports whether the text between a header and its suite joins
// their lines with a backslash.
func continued(between string) bool {
	return strings.Contains(between, "\\") && !strings.Contains(between, "#")
}

// LineEnd is the line end at a definition's header, else the file's first.
func (f *SourceFile) LineEnd(d *Definition) string {
	for _, text := range []string{f.Text[d.HeaderEnd:], f.Text} {
		i := strings.IndexAny(text, "\r\n")
		switch {
		case i < 0:
		case strings.HasPrefix(text[i:], "\r\n"):
			return "\r\n"
		default:
			return text[i : i+1]
		}
	}
	return "\n"
}

// unixLines replaces every line end that Python knows by \n.
func unixLines(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// trimBlankLines removes the blank lines at both ends of a body and its final
// line end.
func trimBlankLines(body string) string {
	body = body[skipBlankLines(body, 0, len(body)):]
	for {
		i := strings.LastIndexByte(body, '\n')
		if strings.Trim(body[i+1:], " \t\f") != "" {
			return body
		}
		if i < 0 {
			return ""
		}
		body = body[:i]
	}
}

// skipBlankLines returns where the first line of text[from:to] begins that is
// not blank.
func skipBlankLines(text string, from, to int) int {
	for at := from; at < to; {
		switch text[at] {
		case ' ', '\t', '\f':
			at++
		case '\n', '\r':
			at++
			from = at
		default:
			return from
		}
	}
	return from
}
