package evaluator

import (
	"cmp"
	"slices"
	"strings"

	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/pytoken"
)

// scope writes scope-v1. What surrounds the target stands before it: of the
// module and the enclosing classes also what follows the target in the file.
// Of an enclosing function there is what precedes the target, statements
// included: those are the names that the target sees.
func (v *view) scope() string {
	var b strings.Builder
	from, to, indent := 0, len(v.File.Text), ""
	surroundings := func(d *doctocode.Definition) {
		b.WriteString(v.outline(from, d.Start))
		// Under an if or a try nothing more can be said before the definition.
		if v.indentOf(d) == indent {
			b.WriteString(v.outline(d.Body[1], to))
		}
	}
	for _, d := range v.enclosing() {
		surroundings(d)
		if d.Kind != "class" {
			b.WriteString(v.render(d.Start, v.Definition.Start))
			b.WriteString(v.targetHead())
			return b.String()
		}
		b.WriteString(v.head(d) + v.eol)
		from, to, indent = d.Body[0], d.Body[1], v.File.BodyIndent(d)
	}
	surroundings(v.Definition)
	b.WriteString(v.targetHead())
	return b.String()
}

// enclosing lists the definitions around the target, outermost first.
func (v *view) enclosing() []*doctocode.Definition {
	var around []*doctocode.Definition
	for i := range v.File.Definitions {
		d := &v.File.Definitions[i]
		if d.Start < v.Definition.Start && d.Body[1] >= v.Definition.Body[1] {
			around = append(around, d)
		}
	}
	slices.SortFunc(around, func(a, b *doctocode.Definition) int { return cmp.Compare(a.Start, b.Start) })
	return around
}

func (v *view) indentOf(d *doctocode.Definition) string {
	line := v.File.Text[d.Start:]
	space := line[:len(line)-len(strings.TrimLeft(line, " \t\f"))]
	return space[strings.LastIndexByte(space, '\f')+1:]
}

// outline writes a part of the file that holds whole statements, functions
// without their bodies.
func (v *view) outline(from, to int) string {
	o := outline{view: v}
	var functions []*doctocode.Definition
	for i := range v.File.Definitions {
		if d := &v.File.Definitions[i]; d.Kind != "class" && d.Start >= from && d.Body[1] <= to {
			functions = append(functions, d)
		}
	}
	slices.SortFunc(functions, func(a, b *doctocode.Definition) int { return cmp.Compare(a.Start, b.Start) })
	at := from
	for _, d := range functions {
		if d.Start < at {
			continue // inside the one before
		}
		o.statements(at, d.Start)
		o.function(d)
		at = d.Body[1]
	}
	o.statements(at, to)
	return o.text.String()
}

// An outline collects what scope-v1 keeps of a part of the file.
type outline struct {
	*view
	text    strings.Builder
	omitted string // indentation of the `...` that ends the text so far
	open    bool   // whether one does
}

func (o *outline) function(d *doctocode.Definition) {
	o.open = false
	o.text.WriteString(o.head(d) + o.eol)
	if strings.TrimSpace(o.File.Text[d.Body[0]:d.Body[1]]) != "" {
		o.text.WriteString(o.File.BodyIndent(d) + "..." + o.eol)
	}
	o.text.WriteString(o.eol)
}

// statements writes the text between functions.
func (o *outline) statements(from, to int) {
	text := o.File.Text[from:to]
	for _, s := range pytoken.Statements(text) {
		if keeps(text, s) {
			o.open = false
			kept := o.render(from+s.Start, from+s.End)
			o.text.WriteString(strings.TrimRight(kept, "\r\n") + o.eol)
		} else if !o.open || o.omitted != s.Indent {
			o.open, o.omitted = true, s.Indent
			o.text.WriteString(s.Indent + "..." + o.eol)
		}
	}
}

// keeps reports whether scope-v1 shows a statement: imports, assignments,
// headers of classes and other blocks, decorators and string literals, which
// are docstrings of the module, of classes and of attributes.
func keeps(text string, s pytoken.Statement) bool {
	first := text[s.Tokens[0].Start:s.Tokens[0].End]
	if first == "import" || first == "from" || first == "@" {
		return true
	}
	strs := true
	for i, t := range s.Tokens {
		strs = strs && t.Kind == pytoken.String
		if t.Depth > 0 || t.Kind != pytoken.Operator {
			continue
		}
		switch text[t.Start] {
		case ':': // a block or an annotation
			return true
		case '=':
			comparison := i > 0 && strings.ContainsAny(text[t.Start-1:t.Start], "=!<>") || strings.HasPrefix(text[t.End:], "=")
			if !comparison {
				return true
			}
		}
	}
	return strs
}
