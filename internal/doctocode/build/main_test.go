package build

import (
	"errors"
	"path/filepath"
	"testing"

	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/environment"
	"touchstone/internal/sandbox/sandboxtest"
)

// derived is a cache that all tests share, so that an environment is made once.
var derived *cache.Folder

func TestMain(m *testing.M) { sandboxtest.MainWithCache(m, &derived) }

func needPython(t *testing.T) environment.Python {
	t.Helper()
	p, err := environment.FindPython(t.Context(), "")
	if err != nil {
		sandboxtest.Missing(t, err)
	}
	return p
}

// skipOffline skips the test when the package index did not answer.
func skipOffline(t *testing.T, err error) {
	t.Helper()
	var index *environment.IndexError
	if errors.As(err, &index) {
		sandboxtest.Missing(t, err)
	}
}

// options build the repository acme/tool, whose files are written first, into
// a new folder.
func options(t *testing.T, files map[string]string) Options {
	t.Helper()
	box := sandboxtest.Local(t)
	needPython(t)
	dir := t.TempDir()
	writeFiles(t, filepath.Join(dir, "tool"), files)
	recipe, err := Single("tool", RepositoryRecipe{Name: "acme/tool", Source: filepath.Join(dir, "tool")})
	if err != nil {
		t.Fatal(err)
	}
	return Options{Recipe: recipe, Out: filepath.Join(dir, "release"), Cache: derived, Sandbox: box, Workers: 2, Tool: "test",
		Progress: func(string, string, int, int) {}}
}

// built is the release that the options make.
func built(t *testing.T, o Options) *doctocode.Dataset {
	t.Helper()
	_, err := Build(t.Context(), o)
	skipOffline(t, err)
	if err != nil {
		t.Fatal(err)
	}
	return opened(t, o.Out)
}

func opened(t *testing.T, dir string) *doctocode.Dataset {
	t.Helper()
	d, err := doctocode.OpenDataset(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
