package evaluator

import (
	"context"
	"strings"

	"touchstone/internal/doctocode/pytoken"
	"touchstone/internal/llm"
)

// Controls are evaluators that need no model. They reply in a fence, and their
// replies go the same way as a model's. Any docstrings do for Reference and
// Stub; Verbatim reads those that it is asked about.
var (
	// Reference replies with the original body: it must score 1.
	Reference Evaluator = control{"reference", func(t Target) string { return t.File.OriginalBody(t.Definition) }}
	// Stub replies with pass: it must score 0.
	Stub Evaluator = control{"stub", func(Target) string { return "pass" }}
	// Verbatim replies with the code that it finds in the docstring, which
	// measures how much of the body the docstring gives away.
	Verbatim Evaluator = control{"verbatim", func(t Target) string {
		text, _ := t.Docstring()
		return codeInDocstring(text)
	}}
)

// Controls lists the controls that are evaluators.
var Controls = []Evaluator{Reference, Stub, Verbatim}

type control struct {
	name  string
	reply func(Target) string
}

func (c control) Name() string { return c.name }

// Fingerprint carries a number that changes with what the control replies.
func (c control) Fingerprint() string { return "control/" + c.name + "/1" }

func (c control) Samples() int { return 1 }

func (c control) Complete(ctx context.Context, r Request) (llm.Completion, error) {
	if err := ctx.Err(); err != nil {
		return llm.Completion{}, err
	}
	return llm.Completion{Text: Fence(c.reply(r.Target)), Model: c.name, FinishReason: "stop"}, nil
}

// codeInDocstring is the code in a docstring: its fenced blocks tagged python
// or not at all; else the literal blocks behind a line that ends with ::;
// else the input lines of its doctests. "" when there is none.
func codeInDocstring(text string) string {
	text = CleanDoc(text)
	var parts []string
	for _, b := range fencedBlocks(text, "`~") {
		if b.python || b.tag == "" {
			parts = append(parts, withoutPrompts(pytoken.Dedent(strings.Trim(b.text, "\n"))))
		}
	}
	if len(parts) == 0 {
		parts = literalBlocks(text)
	}
	if len(parts) == 0 {
		parts = append(parts, doctestInput(text))
	}
	return strings.Trim(strings.Join(parts, "\n"), "\n")
}

// literalBlocks finds reStructuredText's literal blocks and code directives:
// the indented lines behind a line that ends with ::, or that begins with
// ".. code" and names a language behind ::.
func literalBlocks(text string) []string {
	lines := strings.Split(text, "\n")
	indentOf := func(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
	var blocks []string
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if !strings.HasSuffix(line, "::") && !(strings.HasPrefix(line, ".. code") && strings.Contains(line, "::")) {
			continue
		}
		margin := indentOf(lines[i])
		var block []string
		for i+1 < len(lines) && (strings.TrimSpace(lines[i+1]) == "" || indentOf(lines[i+1]) > margin) {
			i++
			block = append(block, lines[i])
		}
		if code := strings.Trim(strings.Join(block, "\n"), "\n"); strings.TrimSpace(code) != "" {
			blocks = append(blocks, withoutPrompts(pytoken.Dedent(code)))
		}
	}
	return blocks
}

// withoutPrompts keeps the input of an interactive session, and code that is
// none as it is.
func withoutPrompts(code string) string {
	if input := doctestInput(code); input != "" {
		return input
	}
	return code
}

// doctestInput is what a person typed in the interactive sessions of a text.
func doctestInput(text string) string {
	var input []string
	session := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		prompt := strings.HasPrefix(line, ">>>")
		session = prompt || session && strings.HasPrefix(line, "...")
		if session {
			input = append(input, strings.TrimPrefix(line[3:], " "))
		}
	}
	return strings.Join(input, "\n")
}
