package evaluator

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/indextest"
)

const (
	repository = "acme/tool"
	module     = `"""Module."""
import os

LIMIT = 3


def first(a):
    # note
    """First."""  # noqa
    return a


def second(b): return b


class Shelf(Base):
    size: int = 0
    print(size)

    def take(self, name):
        """Take."""
        return self.books[name]

    @property
    def count(self):
        total = 0

        def inner(x):
            """Inner."""
            return x + total
        return inner(1)

    def last(self):
        return 9


print("loaded")


def end():
    pass
`
)

// target finds a definition of a file and the docstrings given by qualified name.
func target(t testing.TB, text, qualname string, docs Docs) Target {
	t.Helper()
	file := indextest.Index("a.py", text)
	for i := range file.Definitions {
		if d := &file.Definitions[i]; d.HasDoc() { // the test sources hold simple literals only
			d.DocText = strings.Trim(file.Text[d.Doc[0]:d.Doc[1]], `"'`)
		}
	}
	d, ok := file.Lookup(qualname, 0)
	if !ok {
		t.Fatalf("no %s", qualname)
	}
	id := benchmark.TaskID{Repository: repository, Path: "a.py", Qualname: qualname}
	return Target{ID: id.String(), Repository: repository, File: file, Definition: d, Docs: docs}
}

func docs(pairs ...string) Docs {
	var rows []benchmark.Docstring
	for i := 0; i < len(pairs); i += 2 {
		rows = append(rows, benchmark.Docstring{
			Task: benchmark.TaskID{Repository: repository, Path: "a.py", Qualname: pairs[i]}, Text: pairs[i+1]})
	}
	return NewDocs(rows)
}

// TestContextPrefix: the file from its start through the target's docstring.
func TestContextPrefix(t *testing.T) {
	through := func(s string) string { return module[:strings.Index(module, s)+len(s)] }
	replaced := func(text string, pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(text, pairs[i]) {
				t.Fatalf("nothing to replace: %q", pairs[i])
			}
			text = strings.Replace(text, pairs[i], pairs[i+1], 1)
		}
		return text
	}
	for _, c := range []struct {
		rule, qualname string
		docs           Docs
		want           string
	}{
		{"original is the text as it is, with what follows the docstring on its line",
			"first", Original(), through(`"""First."""  # noqa`)},
		{"original without a docstring ends with the header",
			"Shelf.last", Original(), through("def last(self):")},
		{"none takes the target's docstring away and leaves the others",
			"Shelf.take", NoDocs(), through("def take(self, name):")},
		{"so does a submission that does not document the target",
			"Shelf.take", docs("end", "End."), through("def take(self, name):")},
		{"the submission's docstring stands in place of the target's",
			"first", docs("first", "New."), replaced(through(`"""First."""  # noqa`), "First.", "New.")},
		{"or below its header",
			"Shelf.last", docs("Shelf.last", "New.\n\n  more"), through("def last(self):") +
				"\n        \"\"\"New.\n\n        more\n        \"\"\""},
		{"decorators belong to the target",
			"Shelf.count", docs("Shelf.count", "New."), through("def count(self):") + "\n        \"\"\"New.\"\"\""},
		{"docstrings before the target are replaced or put in",
			"Shelf.take", docs("first", "One.", "second", "Two.", "Shelf", "A shelf.", "Shelf.take", "New.", "end", "Never shown."),
			replaced(through(`"""Take."""`), "First.", "One.", "def second(b): return b", "def second(b):\n    \"\"\"Two.\"\"\"\n    return b",
				"class Shelf(Base):\n", "class Shelf(Base):\n    \"\"\"A shelf.\"\"\"\n", "Take.", "New.")},
		{"an enclosing function's statements stay",
			"Shelf.count.<locals>.inner", docs("Shelf.count", "Count.", "Shelf.count.<locals>.inner", "New."),
			replaced(through(`"""Inner."""`), "def count(self):\n", "def count(self):\n        \"\"\"Count.\"\"\"\n", "Inner.", "New.")},
		{"a suite on the header's line is not shown",
			"second", NoDocs(), through("def second(b):")},
		{"a docstring goes below such a header",
			"second", docs("second", "New."), through("def second(b):") + "\n    \"\"\"New.\"\"\""},
		{"a blank docstring is none",
			"first", docs("first", " \n"), through("def first(a):")},
	} {
		got, err := Context(PrefixV1, target(t, module, c.qualname, c.docs))
		if err != nil {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.rule, got, c.want)
		}
	}
}

func TestContextLayouts(t *testing.T) {
	for _, c := range []struct{ rule, text, qualname, want string }{
		{"carriage returns in what is put in", "class A:\r\n    def f(self):\r\n        pass\r\n", "A.f",
			"class A:\r\n    \"\"\"Of A.\r\n\r\n    More.\r\n    \"\"\"\r\n    def f(self):\r\n        \"\"\"Of f.\r\n\r\n        More.\r\n        \"\"\""},
		{"a class on one line", "class A(B): pass\ndef f(): pass\n", "f",
			"class A(B):\n    \"\"\"Of A.\n\n    More.\n    \"\"\"\n    pass\ndef f():\n    \"\"\"Of f.\n\n    More.\n    \"\"\""},
		{"a header with a comment", "class A:  # c\n    def f(self):  # d\n        return 1\n", "A.f",
			"class A:  # c\n    \"\"\"Of A.\n\n    More.\n    \"\"\"\n    def f(self):  # d\n        \"\"\"Of f.\n\n        More.\n        \"\"\""},
		{"tabs", "class A:\n\tdef f(self):\n\t\treturn 1\n", "A.f",
			"class A:\n\t\"\"\"Of A.\n\n\tMore.\n\t\"\"\"\n\tdef f(self):\n\t\t\"\"\"Of f.\n\n\t\tMore.\n\t\t\"\"\""},
		{"a docstring on the header's line", "class A: 'a'\ndef f(): 'b'; return 1\n", "f",
			"class A: \"\"\"Of A.\n\n    More.\n    \"\"\"\ndef f():\n    \"\"\"Of f.\n\n    More.\n    \"\"\""},
	} {
		got, err := Context(PrefixV1, target(t, c.text, c.qualname,
			docs("A", "Of A.\n\nMore.", "f", "Of f.\n\nMore.", "A.f", "Of f.\n\nMore.")))
		if err != nil {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.rule, got, c.want)
		}
	}
}

// TestContextScope: everything in scope, no bodies, the target last.
func TestContextScope(t *testing.T) {
	const want = `"""Module."""
import os
LIMIT = 3
def first(a):
    # note
    """First."""  # noqa
    ...

def second(b):
    ...

...
def end():
    """End."""
    ...

class Shelf(Base):
    """A shelf."""
    size: int = 0
    ...
    @property
    def count(self):
        ...

    def last(self):
        ...

    def take(self, name):
        """New."""`
	got, err := Context(ScopeV1, target(t, module, "Shelf.take", docs("Shelf", "A shelf.", "Shelf.take", "New.", "end", "End.")))
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// What precedes a nested function in its enclosing one is its scope.
	got, err = Context(ScopeV1, target(t, module, "Shelf.count.<locals>.inner", NoDocs()))
	if err != nil {
		t.Fatal(err)
	}
	if tail := "    @property\n    def count(self):\n        total = 0\n\n        def inner(x):"; !strings.HasSuffix(got, tail) {
		t.Errorf("got\n%s\nwant at its end\n%s", got, tail)
	}
	if _, err := Context("postfix-v1", target(t, module, "first", NoDocs())); err == nil || !strings.Contains(err.Error(), "prefix-v1, scope-v1") {
		t.Errorf("an unknown policy gives %v", err)
	}
}

// TestDocLiteral: whatever the text, Python reads the literal as that text.
func TestDocLiteral(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"one line", "Take it.", `"""Take it."""`},
		{"several lines are indented and closed below", "Take.\n\n    Now.\n      Then.", "\"\"\"Take.\n\n    Now.\n      Then.\n    \"\"\""},
		{"a backslash makes it raw", `\d+`, `r"""\d+"""`},
		{"unless it stands last", `ends \`, `"""ends \\"""`},
		{"a quote at the end is escaped", `say "no"`, `"""say "no\""""`},
		{"three quotes are", `a """ b`, `"""a \"\"\" b"""`},
		{"at the end too", `a """`, `"""a ""\""""`},
		{"a form feed, a null, a lone carriage return", "a\fb\x00c\rd", `"""a\x0cb\x00c\x0dd"""`},
		{"control characters with backslashes", "\x07\\", `"""\x07\\"""`},
		{"carriage returns before line feeds are line ends", "a\r\nb", "\"\"\"a\n    b\n    \"\"\""},
		{"bytes that are no text", "a\xff", "\"\"\"a\uFFFD\"\"\""},
		{"single quotes are left", `'''`, `"""'''"""`},
	} {
		if got := docLiteral(c.text, "    ", "\n"); got != c.want {
			t.Errorf("%s: %q gives %s, want %s", c.rule, c.text, got, c.want)
		}
	}
}

// TestContextParses holds literals and layouts against Python itself.
func TestContextParses(t *testing.T) {
	python := requirePython(t)
	texts := []string{"x", `"`, `""`, `"""`, `\`, `\"`, `\\"`, "\\\n\"", "a\n\"\"\"", "a\\\n  b\"", "\x00\x01\f\v\r", "é→\u2028", `\N{x} \u12 \x`,
		"\n\n  a\n    b\n\n", "\ta\n\tb", "'''", `r"""`, "`code`\n```\nx\n```"}
	type check struct{ Source, Name, Doc string }
	var checks []check
	for _, text := range texts {
		for _, layout := range []string{"def f(a):\n    return 1\n", "class A:\n\tdef f(self): return 1\n", "def f(a):\r\n    'old'\r\n    return 1\r\n", "def f(): 'old'; return 1"} {
			name := "f"
			if strings.HasPrefix(layout, "class") {
				name = "A.f"
			}
			tg := target(t, layout, name, docs("A", text, "f", text, "A.f", text))
			for _, policy := range Policies {
				source, err := Context(policy, tg)
				if err != nil {
					t.Fatal(err)
				}
				checks = append(checks, check{source, "f", text})
			}
		}
	}
	input, err := json.Marshal(checks)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-W", "error", "-c", `
import ast, inspect, json, sys
for case in json.load(sys.stdin):
    want = inspect.cleandoc(case["Doc"].replace("\r\n", "\n"))
    try:
        tree = ast.parse(case["Source"])
    except (SyntaxError, ValueError) as error:
        print(repr(case["Source"]), error)
        continue
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and (ast.get_docstring(node) or "").strip() != want.strip():
            print(repr(case["Source"]), repr(ast.get_docstring(node)), repr(want))
`)
	cmd.Stdin = strings.NewReader(string(input))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

func FuzzContext(f *testing.F) {
	f.Add(module, "text\n\\\"\"\"")
	f.Add("def f(): 'x'; return 1", "\x00")
	f.Fuzz(func(t *testing.T, text, doc string) {
		file := indextest.Index("a.py", text)
		var rows []benchmark.Docstring
		for _, d := range file.Definitions {
			rows = append(rows, benchmark.Docstring{Task: benchmark.TaskID{Repository: repository, Path: "a.py", Qualname: d.Qualname, Ordinal: d.Ordinal}, Text: doc})
		}
		for i := range file.Definitions {
			for _, policy := range Policies {
				for _, docs := range []Docs{NewDocs(rows), NoDocs(), Original()} {
					tg := Target{Repository: repository, File: file, Definition: &file.Definitions[i], Docs: docs}
					if _, err := Context(policy, tg); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	})
}
