package execute_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/doctocode/environment/environmenttest"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/sandbox/sandboxtest"
)

// TestSplicingOriginalBodies: where the harness says that a body stands, the
// original body put back leaves the file as it was. The files are those of the
// standard library.
func TestSplicingOriginalBodies(t *testing.T) {
	e := environmenttest.Pytest(t)
	files, err := filepath.Glob(filepath.Join(e.Python.Prefix, "lib", "python"+e.Python.Minor(), "[a-z]*.py"))
	if err != nil || len(files) < 100 {
		sandboxtest.Missing(t, "the standard library has no sources here")
	}
	tree := filepath.Join(t.TempDir(), "library")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(tree, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(tree, filepath.Base(file)), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := workspaceOf(t, tree)
	if len(w.Index) != len(files) {
		t.Errorf("%d of %d files indexed", len(w.Index), len(files))
	}
	functions := 0
	for _, f := range w.Index {
		for i := range f.Definitions {
			d := &f.Definitions[i]
			if d.Kind == "class" || d.Inline {
				continue // a suite on the header's line moves below it
			}
			if strings.Contains(f.Text[d.Body[0]:d.Body[1]], "\n#") {
				continue // comments left of the statements are moved among them
			}
			functions++
			spliced := f.Splice(d, f.OriginalBody(d))
			if spliced.Text != f.Text {
				t.Errorf("%s: %s is not as it was", f.Path, d.Qualname)
			}
			if spliced.Segment != f.Text[d.Outer:d.OuterEnd] {
				t.Errorf("%s: the segment of %s is not as it was", f.Path, d.Qualname)
			}
		}
	}
	if functions < 3000 {
		t.Errorf("only %d functions seen", functions)
	}
}

// TestMutants: they are the same every time, and no two alike.
func TestMutants(t *testing.T) {
	w := fixtureWorkspace(t)
	runner := fixtureRunner(t, 1)
	mutants := func(seed uint32) []execute.Mutant {
		found, err := runner.Mutants(context.Background(), taskID("parcel/plain.py::scale"), 5, seed)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	first, again, other := mutants(1), mutants(1), mutants(2)
	bodies := func(found []execute.Mutant) string {
		var all []string
		for _, m := range found {
			all = append(all, m.Operator+": "+m.Body)
		}
		return strings.Join(all, "\n\n")
	}
	if len(first) != 5 || bodies(first) != bodies(again) || bodies(first) == bodies(other) {
		t.Errorf("seed 1:\n%s\nseed 1:\n%s\nseed 2:\n%s", bodies(first), bodies(again), bodies(other))
	}
	for _, m := range first {
		if m.Body == original(t, w, "parcel/plain.py::scale") {
			t.Error("the original is no mutant of itself")
		}
	}
}
