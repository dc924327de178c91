package measure

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestLeakTokensAreThoseOfThePrototype(t *testing.T) {
	f, err := os.Open("testdata/leak.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var v struct {
			ID, Body, Doc string
			TokBody       []string `json:"tok_body"`
			TokDoc        []string `json:"tok_doc"`
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if got := leakTokens(withoutComments(v.Body)); !slices.Equal(got, v.TokBody) {
			t.Errorf("%s: body is %q, want %q", v.ID, got, v.TokBody)
		}
		if got := leakTokens(withoutMarkup(v.Doc)); !slices.Equal(got, v.TokDoc) {
			t.Errorf("%s: docstring is %q, want %q", v.ID, got, v.TokDoc)
		}
	}
	if n < 12 {
		t.Fatalf("only %d vectors", n)
	}
}

func TestLeakTokens(t *testing.T) {
	for _, c := range []struct{ why, text, want string }{
		{"a double-quoted string is one token", `f(b"a \" b", "")`, `f|(|b"a \" b"|,|""|)`},
		{"an apostrophe is none", `don't`, `don|'|t`},
		{"three quotes reach over lines", "'''a\nb''' \"\"\"c\nd\"\"\"", "'''a\nb'''|\"\"\"c\nd\"\"\""},
		{"a quote that does not end stands alone", "5\" disk\n\"x\"", `5|"|disk|"x"`},
		{"numbers", "1.5e-3 0xFF 1_000 x.1 5.", "1.5e-3|0xFF|1_000|x|.|1|5|."},
		{"long operators", "a**=b//c>>=d->e:=f...g!=h", "a|**=|b|//|c|>>=|d|->|e|:=|f|...|g|!=|h"},
		{"Python's white space", "a\x1cb\u00a0c\u2028d\x0be", "a|b|c|d|e"},
		{"letters outside of ASCII", "größe€", "gr|ö|ß|e|€"},
	} {
		if got := strings.Join(leakTokens(c.text), "|"); got != c.want {
			t.Errorf("%s: %q gives %s, want %s", c.why, c.text, got, c.want)
		}
	}
}

func TestWhatIsStrippedBeforeALeakIsLookedFor(t *testing.T) {
	for _, c := range []struct {
		why, text, want string
		strip           func(string) string
	}{
		{"comments", "x = 1  # one\n# two\ny", "x|=|1|y", withoutComments},
		{"no # of a string", `s.split('#') + "#" + """#` + "\n" + `"""  # c`, `s|.|split|(|'|#|'|)|+|"#"|+|"""#` + "\n" + `"""`, withoutComments},
		{"no # behind an escaped quote", `'\'#'  # c`, `'|\|'|#|'`, withoutComments},
		{"a string ends with its line", "x = 'a\ny  # b", "x|=|'|a|y", withoutComments},
		{"lines of fences", "a\n```python\nb\n```\n~~~\nc", "a|b|c", withoutMarkup},
		{"backticks around code on one line", "```return x```", "return|x", withoutMarkup},
		{"prompts", ">>> a\n... b\n    >>> c", "a|b|c", withoutMarkup},
		{"no dots inside a line", "a ... b", "a|...|b", withoutMarkup},
		{"backticks", "`a` and ``b``", "a|and|b", withoutMarkup},
	} {
		if got := strings.Join(leakTokens(c.strip(c.text)), "|"); got != c.want {
			t.Errorf("%s: %q leaves %s, want %s", c.why, c.text, got, c.want)
		}
	}
}
