package documented_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"touchstone/internal/doctocode/documented"
	"touchstone/internal/sandbox/sandboxtest"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

// tree writes files into a folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, dir string) documented.Tree {
	t.Helper()
	found, err := documented.Reader{Box: sandboxtest.Local(t), Cache: sandboxtest.Cache(t)}.Read(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestFunctionsOfTwoTreesArePairedByPathAndName(t *testing.T) {
	reference := tree(t, map[string]string{
		"pkg/a.py": `
def load(path):
    """Load.

    Args:
        path: where
    """

class Store:
    """No function."""
    @property
    def row(self):
        "One row."
    @row.setter
    def row(self, value):
        pass

    async def put(self):
        def inner():
            '''Inside.'''
`,
		"pkg/gone.py":       "def gone():\n    'Gone.'\n",
		"pkg/old.py":        "# coding: latin-1\ndef caf\xe9():\n    'Caf\xe9.'\n",
		"tests/test_a.py":   "def test_load():\n    'A test.'\n",
		".venv/lib/deep.py": "def deep():\n    'Hidden.'\n",
		"notes.txt":         "def text(): pass",
	})
	candidate := tree(t, map[string]string{
		"pkg/a.py": `
def load(path):
    """Load it."""

def new():
    pass

class Store:
    @property
    def row(self):
        pass
    @row.setter
    def row(self, value):
        "Set the row."
    async def put(self):
        def inner():
            pass
`,
		"pkg/old.py": "# coding: latin-1\ndef caf\xe9():\n    'Cafe.'\n",
	})
	if err := os.Symlink(filepath.Join(reference, "pkg", "gone.py"), filepath.Join(candidate, "pkg", "gone.py")); err != nil {
		t.Fatal(err)
	}
	got := documented.Match(read(t, reference), read(t, candidate))
	want := []documented.Pair{
		{"pkg/a.py::load", documented.Paired, "Load.\n\nArgs:\n    path: where", "Load it."},
		{"pkg/a.py::Store.row", documented.CandidateSilent, "One row.", ""},
		{"pkg/a.py::Store.row#1", documented.ReferenceSilent, "", "Set the row."},
		{"pkg/a.py::Store.put", documented.BothSilent, "", ""},
		{"pkg/a.py::Store.put.<locals>.inner", documented.CandidateSilent, "Inside.", ""},
		{"pkg/gone.py::gone", documented.NoCandidate, "Gone.", ""},
		{"pkg/old.py::café", documented.Paired, "Café.", "Cafe."},
		{"pkg/a.py::new", documented.NoReference, "", ""},
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("pair %d of\n%+v\nwant\n%+v", i, got, want)
		}
	}
}

func TestAFileThatPythonCannotReadIsNamed(t *testing.T) {
	found := read(t, tree(t, map[string]string{"a.py": "def broken(:\n", "b.py": "def fine():\n    'Fine.'\n", "c.py": "x = '\x00'\n", "d.py": strings.Repeat("#", 5<<20)}))
	if len(found.Functions) != 1 || found.Functions[0].ID() != "b.py::fine" || len(found.Unreadable) != 3 {
		t.Fatalf("%+v", found)
	}
	for i, words := range []string{"a.py: cannot be read by Python: SyntaxError", "c.py: cannot be read by Python: ", "d.py: is larger than 4 MiB"} {
		if !strings.Contains(found.Unreadable[i].Error(), words) {
			t.Errorf("%v", found.Unreadable[i])
		}
	}
}

func TestAFolderWithoutCodeIsRefused(t *testing.T) {
	r := documented.Reader{Box: sandboxtest.Local(t), Cache: sandboxtest.Cache(t)}
	for _, dir := range []string{tree(t, nil), tree(t, map[string]string{"test_a.py": ""}), filepath.Join(t.TempDir(), "none")} {
		if _, err := r.Read(t.Context(), dir); err == nil {
			t.Errorf("%s was read", dir)
		}
	}
}
