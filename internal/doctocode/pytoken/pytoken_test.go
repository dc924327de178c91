package pytoken

import (
	"slices"
	"strings"
	"testing"
)

// TestLines marks every line: code (.), inside a string (s), joined to the line before (j).
func TestLines(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"statements begin lines", "a\nb\n", ".."},
		{"the last line may lack its end", "a\nb", ".."},
		{"no text, no line", "", ""},
		{"all three line ends", "a\r\nb\rc\n", "..."},
		{"a form feed ends no line", "a\fb\nc", ".."},
		{"triple quotes span lines", "x = '''a\nb\n'''\ny", ".ss."},
		{"so do double ones", "x = \"\"\"a\nb\"\"\"\ny", ".s."},
		{"an escaped quote does not close", `x = """\"""` + "\n\"\"\"\ny", ".s."},
		{"nor in a raw string", `x = r"""\"""` + "\n\"\"\"\ny", ".s."},
		{"a comment's quotes open nothing", "# it's '''\nb", ".."},
		{"a hash in a string is no comment", "x = '#'\ny", ".."},
		{"brackets join", "f(a,\n  b)\nc", ".j."},
		{"brackets in strings do not", "f('(')\nc", ".."},
		{"a backslash joins", "x = 1 + \\\n  2\ny", ".j."},
		{"in a string too", "x = 'a\\\n  b'\ny", ".s."},
		{"a line end cuts a single quote off", "x = 'a\ny", ".."},
		{"a triple quote runs to the end", "x = '''a\ny", ".s"},
		{"a prefix is part of the string", "x = Rb'''\n'''\ny", ".s."},
		{"a name before a quote is none", "xyz'''\n'''\ny", ".s."},
		{"a field may hold other quotes", "x = f'''{d[\"k\"]}\n'''\ny", ".s."},
		{"a field may hold the same quotes (3.12)", "x = f'{d['k']}'\ny", ".."},
		{"a field may hold line ends (3.12)", "x = f'{\n  d\n}'\ny", ".ss."},
		{"doubled braces are no field", "x = f'{{'\ny", ".."},
		{"a specification may hold a field", "x = f'{a:>{w}}'\ny", ".."},
		{"a named character is no field", `x = f"\N{DASH}"` + "\ny", ".."},
		{"a brace behind a backslash is", `x = rf"\{a}"` + "\ny", ".."},
		{"a broken field leaves a plain string", "x = f'{'\ny", ".."},
		{"too many closing brackets", "x)\ny", ".."},
		{"a bracket that is never closed", "f(\nx\ny", ".jj"},
	} {
		var got strings.Builder
		for _, l := range Lines(c.text) {
			switch {
			case l.InString:
				got.WriteByte('s')
			case l.Joined:
				got.WriteByte('j')
			default:
				got.WriteByte('.')
			}
		}
		if got.String() != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.rule, c.text, got.String(), c.want)
		}
	}
}

func TestHeader(t *testing.T) {
	for _, c := range []struct{ rule, text, keyword, name, rest string }{
		{"a function", "def f(a):\n", "def", "f", ""},
		{"an async one", "async def f(a):\n", "def", "f", ""},
		{"a class", "class A(B):\n", "class", "A", ""},
		{"a class without bases", "class A:\n", "class", "A", ""},
		{"a suite on the line", "def f(): return 1\n", "def", "f", " return 1\n"},
		{"annotations have colons", "def f(a: int = 1, *, b: 'x:y') -> dict[str, int]: pass\n", "def", "f", " pass\n"},
		{"so have lambdas", "def f(a=lambda x: x): pass\n", "def", "f", " pass\n"},
		{"even as an annotation", "def f() -> lambda: 1: pass\n", "def", "f", " pass\n"},
		{"slices and dictionaries", "def f(a=b[1:2], c={1: 2}): pass\n", "def", "f", " pass\n"},
		{"type parameters", "def f[T: int](a: T): pass\n", "def", "f", " pass\n"},
		{"several lines with comments", "def f(\n    a,  # one: two\n    b,\n):\n", "def", "f", ""},
		{"a colon in a comment is none", "def f()  # :\n", "", "", ""},
		{"a header cut off", "def f(a", "", "", ""},
		{"another statement", "define = 1\n", "", "", ""},
	} {
		s := Statements(c.text)
		h, ok := s[0].Header(c.text)
		if h.Keyword != c.keyword || h.Name != c.name || ok != (c.name != "") {
			t.Errorf("%s: %q gives %+v, %v", c.rule, c.text, h, ok)
			continue
		}
		if ok && strings.TrimRight(c.text[h.Colon:], "\n") != strings.TrimRight(c.rest, "\n") {
			t.Errorf("%s: %q leaves %q, want %q", c.rule, c.text, c.text[h.Colon:], c.rest)
		}
	}
}

func TestStatements(t *testing.T) {
	text := "# comment\n\n@d\ndef f(a,\n      b):\n\n    '''doc\n  x'''\n    return a + \\\n  b\n"
	var got []string
	for _, s := range Statements(text) {
		got = append(got, s.Indent+"|"+text[s.Start:s.End])
	}
	want := []string{"|@d\n", "|def f(a,\n      b):\n", "    |    '''doc\n  x'''\n", "    |    return a + \\\n  b\n"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestDedent: what Dedent takes away, Indent gives back.
func TestDedent(t *testing.T) {
	for _, c := range []struct{ rule, body, want, indent string }{
		{"the common indentation goes", "    a\n      b\n    c\n", "a\n  b\nc\n", "    "},
		{"tabs too", "\ta\n\t\tb\n", "a\n\tb\n", "\t"},
		{"tabs and spaces that agree", "\t  a\n\t    b\n", "a\n  b\n", "\t  "},
		{"no margin, no change", "a\n  b\n", "a\n  b\n", ""},
		{"strings keep every byte", "    x = '''\n  a\n        b'''\n    y\n", "x = '''\n  a\n        b'''\ny\n", "    "},
		{"blank lines stay as they are", "    a\n  \n\n    b\n", "a\n  \n\nb\n", "    "},
		{"continued lines move along", "    f(a,\n      b)\n", "f(a,\n  b)\n", "    "},
		{"a form feed resets the column", "\f    a\n    b\n", "\fa\nb\n", "    "},
		{"carriage returns stay", "    a\r\n    b\r\n", "a\r\nb\r\n", "    "},
		{"no final line end", "    a\n    b", "a\nb", "    "},
	} {
		got := Dedent(c.body)
		if got != c.want {
			t.Errorf("%s: Dedent(%q) = %q, want %q", c.rule, c.body, got, c.want)
		}
		if back := Indent(got, c.indent); back != c.body {
			t.Errorf("%s: Indent gives %q, want %q", c.rule, back, c.body)
		}
		if m := Margin(c.body); m != c.indent {
			t.Errorf("%s: Margin is %q, want %q", c.rule, m, c.indent)
		}
	}
}

// TestDedentLeftComments: what stands left of the statements loses what it has.
func TestDedentLeftComments(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"    a\n# left\n  # half\n    b\n", "a\n# left\n# half\nb\n"},
		{"    f(\n  a)\n    b\n", "f(\na)\nb\n"},
		{"        # only\n    # comments\n", "    # only\n# comments\n"},
	} {
		if got := Dedent(c.body); got != c.want {
			t.Errorf("Dedent(%q) = %q, want %q", c.body, got, c.want)
		}
	}
}

func TestBalanced(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "x = 'a'": true, "x = '''a\n'''": true,
		"x = 'a": false, "x = '''a": false, "it's": false, "# it's": true,
	} {
		if Balanced(text) != want {
			t.Errorf("Balanced(%q) is not %v", text, want)
		}
	}
}

func FuzzLexer(f *testing.F) {
	for _, s := range []string{"def f(a):\n  '''x'''\n", "f'{a!r:>{w}}' f\"{", "\\", "x = '''\r\n", "f'{f\"{f'''{", "\f\t\\\r"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lexer := NewLexer(text)
		at := 0
		for tok, ok := lexer.Next(); ok; tok, ok = lexer.Next() {
			if tok.Start < at || tok.End <= tok.Start || tok.End > len(text) || tok.Depth < 0 {
				t.Fatalf("token %+v behind %d of %q", tok, at, text)
			}
			if strings.Trim(text[at:tok.Start], " \t\f") != "" {
				t.Fatalf("%q was passed over", text[at:tok.Start])
			}
			at = tok.End
		}
		end := 0
		for _, l := range Lines(text) {
			if l.Start != end || l.End < l.Start || l.Next < l.End {
				t.Fatalf("line %+v behind %d", l, end)
			}
			end = l.Next
		}
		if end != len(text) {
			t.Fatalf("lines end at %d of %d", end, len(text))
		}
		end = 0
		for _, s := range Statements(text) {
			if s.Start < end || s.End <= s.Start || len(s.Tokens) == 0 {
				t.Fatalf("statement %+v behind %d", s, end)
			}
			end = s.End
			if h, ok := s.Header(text); ok && (h.Colon <= s.Start || h.Colon > s.End || text[h.Colon-1] != ':') {
				t.Fatalf("header %+v", h)
			}
		}
	})
}

func FuzzDedent(f *testing.F) {
	for _, s := range []string{"    a\n    b\n", "\ta\n  b", "x = '''\n  y'''\n z", "\f a\n b", "# c\n  d\n"} {
		f.Add(s, "    ")
	}
	f.Add("a\n", "\t")
	f.Fuzz(func(t *testing.T, body, indent string) {
		dedented := Dedent(body)
		if again := Dedent(dedented); again != dedented {
			t.Fatalf("Dedent(%q) = %q, again %q", body, dedented, again)
		}
		if strings.Trim(indent, " \t") != "" || len(Statements(dedented)) == 0 || Margin(dedented) != "" {
			return
		}
		if back := Dedent(Indent(dedented, indent)); back != dedented {
			t.Fatalf("%q indented and dedented is %q", dedented, back)
		}
	})
}
