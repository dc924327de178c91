package doctocode_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/indextest"
	"touchstone/internal/sandbox/sandboxtest"
)

// TestSplice: the body replaces the body, in the file's own layout, and
// nothing else changes. The target is the definition called f.
func TestSplice(t *testing.T) {
	const body = "if a:\n    return '''x\n  y'''\nreturn b"
	for _, c := range []struct{ rule, text, original, want string }{
		{"indented as the original is",
			"import os\n\ndef f(a):\n  return 1\n\nx = 2\n", "return 1",
			"import os\n\ndef f(a):\n  if a:\n      return '''x\n  y'''\n  return b\n\nx = 2\n"},
		{"by tabs where the original is",
			"class A:\n\tdef f(a):\n\t\treturn 1\n", "return 1",
			"class A:\n\tdef f(a):\n\t\tif a:\n\t\t    return '''x\n  y'''\n\t\treturn b\n"},
		{"the docstring stays, and the blank line below it",
			"def f(a):\n    '''Doc.\n\n    More.\n    '''  # noqa\n\n    return 1\n", "return 1",
			"def f(a):\n    '''Doc.\n\n    More.\n    '''  # noqa\n\n    if a:\n        return '''x\n  y'''\n    return b\n"},
		{"decorators and a header of several lines stay",
			"@d(\n  1)\nasync def f(\n    a,  # :\n) -> int:  # c\n    return 1\n", "return 1",
			"@d(\n  1)\nasync def f(\n    a,  # :\n) -> int:  # c\n    if a:\n        return '''x\n  y'''\n    return b\n"},
		{"a suite on the header's line moves below",
			"def f(a): return 1  # c\nx = 2\n", "return 1  # c",
			"def f(a):\n    if a:\n        return '''x\n  y'''\n    return b\nx = 2\n"},
		{"so does one behind a docstring there",
			"class A:\n    def f(a): 'Doc.'; return 1\n", "return 1",
			"class A:\n    def f(a):\n        'Doc.'\n        if a:\n            return '''x\n  y'''\n        return b\n"},
		{"and one behind a docstring of several lines",
			"def f(a):\n    '''Doc.\n    '''; return 1; pass\n", "return 1; pass",
			"def f(a):\n    '''Doc.\n    '''\n    if a:\n        return '''x\n  y'''\n    return b\n"},
		{"which may begin on the header's line",
			"def f(a): '''Doc.\n    '''; return 1\n", "return 1",
			"def f(a):\n    '''Doc.\n    '''\n    if a:\n        return '''x\n  y'''\n    return b\n"},
		{"a suite behind a backslash is one on the header's line",
			"def f(a): \\\n  return 1\n", "return 1",
			"def f(a):\n  if a:\n      return '''x\n  y'''\n  return b\n"},
		{"no final line end, none after",
			"def f(a):\n    return 1", "return 1",
			"def f(a):\n    if a:\n        return '''x\n  y'''\n    return b"},
		{"carriage returns, inside strings too",
			"def f(a):\r\n    return '''p\r\nq'''\r\n\r\nx = 2\r\n", "return '''p\nq'''",
			"def f(a):\r\n    if a:\r\n        return '''x\r\n  y'''\r\n    return b\r\n\r\nx = 2\r\n"},
		{"carriage returns without line feeds",
			"def f(a):\r    return 1\r", "return 1",
			"def f(a):\r    if a:\r        return '''x\r  y'''\r    return b\r"},
		{"a form feed before the header",
			"x = 1\n\f\ndef f(a):\n    return 1\n", "return 1",
			"x = 1\n\f\ndef f(a):\n    if a:\n        return '''x\n  y'''\n    return b\n"},
		{"a form feed before the body counts for nothing",
			"def f(a):\n\f    x = 1\n    return x\n", "\fx = 1\nreturn x",
			"def f(a):\n    if a:\n        return '''x\n  y'''\n    return b\n"},
		{"comments below the body stay",
			"def f(a):\n    return 1\n    # end\n\n# next\ndef g(): pass\n", "return 1",
			"def f(a):\n    if a:\n        return '''x\n  y'''\n    return b\n    # end\n\n# next\ndef g(): pass\n"},
		{"comments above it are part of it",
			"def f(a):\n    # first\n    return 1\n", "# first\nreturn 1",
			"def f(a):\n    if a:\n        return '''x\n  y'''\n    return b\n"},
		{"a docstring alone has no body",
			"def f(a):\n    'Doc.'\n\nx = 1\n", "",
			"def f(a):\n    'Doc.'\n    if a:\n        return '''x\n  y'''\n    return b\n\nx = 1\n"},
	} {
		file := indextest.Index("a.py", c.text)
		d := function(t, file, "f")
		if got := file.OriginalBody(d); got != c.original {
			t.Errorf("%s: the original body is %q, want %q", c.rule, got, c.original)
		}
		s := file.Splice(d, body)
		if s.Text != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.rule, s.Text, c.want)
		}
		if whole := file.Text[:d.Outer] + s.Segment + file.Text[d.OuterEnd:]; whole != s.Text {
			t.Errorf("%s: the segment does not fit: %q", c.rule, whole)
		}
		if framed := file.Splice(d, "\n\n"+body+"\n\n"); framed != s {
			t.Errorf("%s: blank lines around the body matter", c.rule)
		}
		back := file.Splice(d, file.OriginalBody(d)).Text
		if !d.Inline && !strings.Contains(c.text, "\\\n") && back != c.text {
			t.Errorf("%s: the original body gives\n     %q\nfrom %q", c.rule, back, c.text)
		}
	}
}

// TestSpliceNested: the segment is the text of the outermost function.
func TestSpliceNested(t *testing.T) {
	text := "def outer():\n    x = 1\n    def f():\n        return x\n    return f\n\ny = 1\n"
	file := indextest.Index("a.py", text)
	d := function(t, file, "f")
	got := file.Splice(d, "return 2")
	if want := "def outer():\n    x = 1\n    def f():\n        return 2\n    return f\n"; got.Segment != want {
		t.Errorf("segment %q, want %q", got.Segment, want)
	}
	if want := strings.Replace(text, "return x", "return 2", 1); got.Text != want {
		t.Errorf("text %q, want %q", got.Text, want)
	}
}

func TestLookup(t *testing.T) {
	file := indextest.Index("a.py", "class A:\n    def f(self): pass\n    def f(self, x): pass\n")
	if d, ok := file.Lookup("A.f", 1); !ok || d.Line != 3 {
		t.Errorf("the second A.f is %+v, %v", d, ok)
	}
	for _, missing := range []struct {
		name    string
		ordinal int
	}{{"A.f", 2}, {"f", 0}} {
		if d, ok := file.Lookup(missing.name, missing.ordinal); ok {
			t.Errorf("%s#%d is %+v", missing.name, missing.ordinal, d)
		}
	}
}

// TestSpliceIdentity: over real files, splicing each original body gives the
// file back; where the layout cannot be kept, Python reads the same.
func TestSpliceIdentity(t *testing.T) {
	python := requirePython(t)
	var relaid []map[string]string
	functions := 0
	for _, file := range realFiles(t, python, 120) {
		for i := range file.Definitions {
			d := &file.Definitions[i]
			if d.Kind == "class" {
				continue
			}
			functions++
			if s := file.Splice(d, file.OriginalBody(d)); s.Text != file.Text {
				relaid = append(relaid, map[string]string{"name": file.Path + "::" + d.Qualname, "old": file.Text, "new": s.Text})
			}
		}
	}
	t.Logf("%d functions, %d of them laid out anew", functions, len(relaid))
	if functions < 1000 {
		t.Fatal("too few functions for a proof")
	}
	input, err := json.Marshal(relaid)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-W", "ignore", "-c", `
import ast, json, sys
for case in json.load(sys.stdin):
    try:
        if ast.dump(ast.parse(case["old"])) != ast.dump(ast.parse(case["new"])):
            print(case["name"], "reads otherwise")
    except SyntaxError as error:
        print(case["name"], error)
`)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// FuzzSplice: whatever the body, the text around it stays.
func FuzzSplice(f *testing.F) {
	f.Add("def f(a):\n    'Doc.'\n    return 1\n", "return 2")
	f.Add("class A:\r\n\tdef f(a): 'Doc.'; return 1", "x = '''\r\n'''\n")
	f.Add("def f(): \\\n return 1\n", "")
	f.Fuzz(func(t *testing.T, text, body string) {
		file := indextest.Index("a.py", text)
		for i := range file.Definitions {
			d := &file.Definitions[i]
			for _, b := range []string{body, file.OriginalBody(d)} {
				s := file.Splice(d, b)
				if !strings.HasPrefix(s.Text, text[:d.HeaderEnd]) || !strings.HasSuffix(s.Text, text[d.Body[1]:]) {
					t.Fatalf("text around the body of %s changed: %q", d.Qualname, s.Text)
				}
				if text[:d.Outer]+s.Segment+text[d.OuterEnd:] != s.Text {
					t.Fatalf("segment %q does not fit", s.Segment)
				}
			}
		}
	})
}

func function(t *testing.T, file *doctocode.SourceFile, name string) *doctocode.Definition {
	t.Helper()
	for i := range file.Definitions {
		if d := &file.Definitions[i]; d.Qualname == name || strings.HasSuffix(d.Qualname, "."+name) {
			return d
		}
	}
	t.Fatalf("no %s in %q", name, file.Text)
	return nil
}

func requirePython(t *testing.T) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		sandboxtest.Missing(t, err)
	}
	return python
}

// realFiles are modules of Python's own library, in the order of their names.
func realFiles(t *testing.T, python string, n int) []*doctocode.SourceFile {
	t.Helper()
	out, err := exec.Command(python, "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := strings.TrimSpace(string(out))
	var files []*doctocode.SourceFile
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case len(files) == n:
			return fs.SkipAll
		case e.IsDir() && (e.Name() == "site-packages" || e.Name() == "test" || e.Name() == "lib2to3" || e.Name() == "dist-packages"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".py"):
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil && utf8.Valid(data) && len(data) < 100_000 {
			files = append(files, indextest.Index(path, string(data)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
