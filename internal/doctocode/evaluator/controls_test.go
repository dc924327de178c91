package evaluator

import (
	"context"
	"testing"
)

// TestControls: the reply goes the way of a model's.
func TestControls(t *testing.T) {
	body := func(e Evaluator, tg Target) string {
		t.Helper()
		c, err := e.Complete(context.Background(), Request{Target: tg})
		if err != nil {
			t.Fatal(err)
		}
		return Extract(c.Text, tg.File, tg.Definition).Body
	}
	tg := target(t, module, "Shelf.count", docs())
	if got, want := body(Reference, tg), tg.File.OriginalBody(tg.Definition); got != want {
		t.Errorf("reference is %q, want %q", got, want)
	}
	if got := body(Stub, tg); got != "pass" {
		t.Errorf("stub is %q", got)
	}
	for _, c := range []struct{ rule, doc, want string }{
		{"no docstring, no code", "", ""},
		{"a docstring without code", "Counts the books.\n\nReturns an int.", ""},
		{"a fenced block", "Counts.\n\n```python\nreturn len(self.books)\n```\n", "return len(self.books)"},
		{"a fenced block without a tag", "Counts.\n\n```\nreturn 1\n```\n", "return 1"},
		{"not one of another language", "Counts.\n\n```bash\nls\n```\n", ""},
		{"all blocks in their order", "```python\nn = 1\n```\nand\n```py\nreturn n\n```", "n = 1\nreturn n"},
		{"an indented literal block", "Counts::\n\n    n = 1\n    return n\n\nDone.", "n = 1\nreturn n"},
		{"a code directive", "Counts.\n\n.. code-block:: python\n\n    return 1\n", "return 1"},
		{"a doctest, its output left out", "Counts.\n\n>>> for x in y:\n...     x\n3\n>>> z\n", "for x in y:\n    x\nz"},
		{"a doctest in a fence", "```\n>>> f(1)\n2\n```", "f(1)"},
		{"a fence in a docstring of a file", "Counts.\n\n        ```python\n        return 1\n        ```\n        ", "return 1"},
	} {
		tg.Docs = docs("Shelf.count", c.doc)
		if got := body(Verbatim, tg); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.rule, c.doc, got, c.want)
		}
	}
	tg = target(t, "def f():\n    \"\"\"Do.\n\n    >>> 1\n    \"\"\"\n    return 1\n", "f", Original())
	if got := body(Verbatim, tg); got != "1" {
		t.Errorf("verbatim of the original docstring is %q", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, e := range Controls {
		if _, err := e.Complete(ctx, Request{Target: tg}); err == nil {
			t.Errorf("%s replies when it is cancelled", e.Name())
		}
	}
}
