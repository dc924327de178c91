package measures_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/sandbox/sandboxtest"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

// library is a file with a function, a method and a test, as an index has it.
func library(text string) *doctocode.SourceFile {
	return &doctocode.SourceFile{Path: "a.py", Text: text, Definitions: []doctocode.Definition{
		{Qualname: "load_table", Kind: "function"}, {Qualname: "Store", Kind: "class"}, {Qualname: "Store.put_row", Kind: "function"}}}
}

const libraryText = `
def load_table(path, strict):
    if strict:
        raise ValueError(path)
    return open(path)

class Store:
    def put_row(self, row):
        self.row = row
`

func docAgentItems(file *doctocode.SourceFile, docs ...string) []measures.Item {
	var items []measures.Item
	for i, qualname := range []string{"load_table", "Store.put_row"} {
		item := measures.Item{Task: "acme/tool:a.py::" + qualname, File: file, Definition: &file.Definitions[2*i]}
		if i < len(docs) && docs[i] != "" {
			item.Docstring = measures.Text{Text: docs[i], There: true}
		}
		items = append(items, item)
	}
	return items
}

func TestPythonSaysWhichSectionsADocstringNeeds(t *testing.T) {
	folder, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	c := measures.DocAgent{Facts: &measures.FactFinder{Box: sandboxtest.Local(t), Cache: folder}}
	if err := c.Ready(t.Context()); err != nil {
		sandboxtest.Missing(t, err)
	}
	file := library(libraryText)
	tests := &doctocode.SourceFile{Path: "test_a.py", Test: true, Definitions: []doctocode.Definition{{Qualname: "read_it_all", Kind: "function"}}}
	r := measures.Repository{Name: "acme/tool", Index: []*doctocode.SourceFile{file, tests},
		Items: docAgentItems(file, "Load a table.\n\nArgs:\n    path: of the file\n\nUses `put_row()`, load_tab and read_it_all.")}
	compute := func() [][]float64 {
		t.Helper()
		columns, missing, err := c.Compute(t.Context(), r)
		if err != nil || missing != "" {
			t.Fatal(missing, err)
		}
		return columns
	}
	got := compute()
	// Summary and args of six; the description begins with a section.
	want := [][]float64{{2.0 / 6, 0}, {1.0 / 3, math.NaN()}, {2.0 / 3, math.NaN()}, {3, math.NaN()}}
	for i, key := range c.Measures() {
		for j, v := range want[i] {
			if math.IsNaN(v) != (measures.StateOf(got[i][j]) == measures.IsUndefined) || !math.IsNaN(v) && math.Abs(got[i][j]-v) > 1e-12 {
				t.Errorf("%s of item %d is %v, want %v", key, j, got[i][j], v)
			}
		}
	}
	// The second time the answers come from the cache.
	kept, err := filepath.Glob(filepath.Join(folder.Root(), "facts", "*", "facts.json"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v, %v", kept, err)
	}
	if err := os.WriteFile(kept[0], []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, missing, err := c.Compute(t.Context(), r); err != nil || !strings.Contains(missing, "no such function") {
		t.Errorf("Python was asked again: %q, %v", missing, err)
	}
}

func TestAFileThatPythonCannotReadIsSaidToBeSo(t *testing.T) {
	c := measures.DocAgent{Facts: &measures.FactFinder{Box: sandboxtest.Local(t), Cache: sandboxtest.Cache(t)}}
	if err := c.Ready(t.Context()); err != nil {
		sandboxtest.Missing(t, err)
	}
	for _, x := range []struct{ text, reason string }{
		{"def load_table(:\n", "Python cannot read a.py"},
		{"def other():\n    pass\n", "Python sees no such function"},
	} {
		file := library(x.text)
		columns, missing, err := c.Compute(t.Context(), measures.Repository{Name: "acme/tool", Index: []*doctocode.SourceFile{file}, Items: docAgentItems(file, "text")})
		if err != nil || !strings.Contains(missing, x.reason) {
			t.Errorf("%q, %v", missing, err)
			continue
		}
		for i, key := range c.Measures() {
			if measures.StateOf(columns[i][0]) != measures.IsNotComputed {
				t.Errorf("%s is %v", key, columns[i][0])
			}
		}
	}
}
