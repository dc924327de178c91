package evaluator

import (
	"fmt"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
)

// The context policies that a release can state.
const (
	// PrefixV1 shows the file from its start through the target's docstring.
	PrefixV1 = "prefix-v1"
	// ScopeV1 shows the whole file without the bodies of its functions, the
	// target last: imports, assignments and class headers, signatures with
	// their docstrings, and `...` for what is left out.
	ScopeV1 = "scope-v1"
)

// Policies lists the context policies.
var Policies = []string{PrefixV1, ScopeV1}

// Context is what the prompt shows of the target's file. Docstrings that the
// submission documents stand in place of the file's own; the target's is the
// one it is judged by, or absent. The text ends with the line of the target's
// docstring, or of its header, without its line end. An unknown policy is a
// *benchmark.InputError.
func Context(policy string, t Target) (string, error) {
	v := &view{Target: t, eol: t.File.LineEnd(t.Definition)}
	v.edits = v.docEdits()
	switch policy {
	case PrefixV1:
		return v.render(0, t.Definition.Start) + v.targetHead(), nil
	case ScopeV1:
		return v.scope(), nil
	}
	return "", &benchmark.InputError{Field: "context", Problem: fmt.Sprintf("%q is not a context policy", policy),
		Mend: "use one of " + strings.Join(Policies, ", ")}
}

// A view is the target's file with the docstrings under which it is judged.
type view struct {
	Target
	eol   string
	edits []edit // in the order of the text
}

// An edit replaces a part of the file's text.
type edit struct {
	start, end int
	text       string
}

// docEdits puts the submission's docstrings into every definition but the
// target.
func (v *view) docEdits() []edit {
	if v.Docs.Len() == 0 {
		return nil
	}
	var edits []edit
	for i := range v.File.Definitions {
		d := &v.File.Definitions[i]
		if d.Start == v.Definition.Start {
			continue
		}
		if text, ok := v.Docs.of(v.Repository, v.File, d); ok {
			edits = append(edits, v.docEdit(d, text))
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	return edits
}

// docEdit replaces a definition's docstring or gives it one.
func (v *view) docEdit(d *doctocode.Definition, text string) edit {
	indent := v.File.BodyIndent(d)
	literal := docLiteral(text, indent, v.eol)
	if d.HasDoc() {
		return edit{d.Doc[0], d.Doc[1], literal}
	}
	end, alone := headerLineEnd(v.File, d)
	if alone {
		return edit{end, end, v.eol + indent + literal}
	}
	// A suite on the header's line moves below the docstring.
	rest := v.File.Text[end:d.Body[1]]
	first := end + len(rest) - len(strings.TrimLeft(rest, " \t\f\\\r\n"))
	return edit{end, first, v.eol + indent + literal + v.eol + indent}
}

// headerLineEnd is where the header's line ends, its line end left out; or
// where the header itself ends, when it does not stand alone on its line.
func headerLineEnd(f *doctocode.SourceFile, d *doctocode.Definition) (end int, alone bool) {
	line := f.Text[d.HeaderEnd:]
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	if code := strings.TrimLeft(line, " \t\f"); code == "" || code[0] == '#' {
		return d.HeaderEnd + len(line), true
	}
	return d.HeaderEnd, false
}

// targetHead is the target from its first decorator through its docstring, as
// a model is to continue it.
func (v *view) targetHead() string {
	text, documented := v.Docstring()
	switch {
	case !documented:
		end, _ := headerLineEnd(v.File, v.Definition)
		return v.File.Text[v.Definition.Start:end]
	case v.Docs.kind == original:
		return v.ownHead(v.Definition)
	}
	return v.newHead(v.Definition, text)
}

// head is any other definition through its docstring.
func (v *view) head(d *doctocode.Definition) string {
	if text, ok := v.Docs.of(v.Repository, v.File, d); ok {
		return v.newHead(d, text)
	}
	return v.ownHead(d)
}

// ownHead leaves the docstring as the file has it.
func (v *view) ownHead(d *doctocode.Definition) string {
	head, _ := v.File.Head(d)
	return strings.TrimRight(head, "\r\n")
}

// newHead gives the definition another docstring. Comments around the old one
// stay.
func (v *view) newHead(d *doctocode.Definition, text string) string {
	indent := v.File.BodyIndent(d)
	literal := docLiteral(text, indent, v.eol)
	head, at := v.File.Head(d)
	if at < 0 {
		end, _ := headerLineEnd(v.File, d)
		return v.File.Text[d.Start:end] + v.eol + indent + literal
	}
	return strings.TrimRight(head[:at]+literal+head[at+d.Doc[1]-d.Doc[0]:], "\r\n")
}

// render is a part of the file with the edits that begin in it.
func (v *view) render(from, to int) string {
	var b strings.Builder
	at := from
	for _, e := range v.edits {
		if e.start < at || e.start >= to {
			continue
		}
		b.WriteString(v.File.Text[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	if at < to {
		b.WriteString(v.File.Text[at:to])
	}
	return b.String()
}
