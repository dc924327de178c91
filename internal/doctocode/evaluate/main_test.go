package evaluate

import (
	"errors"
	"path/filepath"
	"testing"

	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/build"
	"touchstone/internal/doctocode/environment"
	"touchstone/internal/release"
	"touchstone/internal/sandbox/sandboxtest"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

// tool has two functions, each with a test of its own.
var tool = map[string]string{
	"tool.py":      "def double(x):\n    \"\"\"Twice x.\"\"\"\n    return x + x\n\n\ndef bare(x):\n    return x - 1\n",
	"test_tool.py": "import tool\ndef test_double():\n    assert tool.double(2) == 4\ndef test_bare():\n    assert tool.bare(2) == 1\n",
}

const taskDouble, taskBare = "acme/tool:tool.py::double", "acme/tool:tool.py::bare"

// toolRelease builds the release of tool, or skips the test where that is not possible.
func toolRelease(t *testing.T) Options {
	t.Helper()
	box := sandboxtest.Local(t)
	dir := t.TempDir()
	for name, content := range tool {
		if err := release.WriteFile(filepath.Join(dir, "tool", name), []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	folder, err := cache.Open(filepath.Join(dir, "cache"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	recipe, err := build.Single("tool", build.RepositoryRecipe{Name: "acme/tool", Source: filepath.Join(dir, "tool")})
	if err != nil {
		t.Fatal(err)
	}
	_, err = build.Build(t.Context(), build.Options{Recipe: recipe, Out: filepath.Join(dir, "release"), Cache: folder, Sandbox: box,
		Workers: 2, Tool: "test", Progress: func(string, string, int, int) {}})
	var index *environment.IndexError
	if errors.As(err, &index) {
		sandboxtest.Missing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	d, err := doctocode.OpenDataset(filepath.Join(dir, "release"))
	if err != nil {
		t.Fatal(err)
	}
	return Options{Dataset: d, Cache: folder, Sandbox: box, Workers: 2, Requests: 2, Samples: 1, Progress: func(string, int, int) {}}
}
