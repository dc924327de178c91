package environment

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
)

func TestFindPythonSeesThroughShims(t *testing.T) {
	real := findPython(t)
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("python3", "#!/bin/sh\nexec "+real.Executable+" \"$@\"\n")
	// Like the shim of a version manager that has the version but did not select it.
	write("python"+real.Minor(), "#!/bin/sh\n[ \"$PYENV_VERSION\" = "+real.Minor()+" ] || { echo not selected >&2; exit 127; }\nexec "+real.Executable+" \"$@\"\n")
	t.Setenv("PATH", dir)
	for _, version := range []string{"", real.Minor(), real.Executable} {
		p, err := FindPython(t.Context(), version)
		if err != nil {
			t.Errorf("FindPython(%q): %v", version, err)
			continue
		}
		if p.Executable != real.Executable || p.Version != real.Version || p.Prefix != real.Prefix {
			t.Errorf("FindPython(%q) is %s (%s), want %s (%s)", version, p.Executable, p.Version, real.Executable, real.Version)
		}
	}
}

func TestFindPythonSaysWhatIsWrong(t *testing.T) {
	answer := func(version string) string {
		return "#!/bin/sh\necho '{\"executable\":\"'$0'\",\"prefix\":\"/opt\",\"version\":\"" + version + "\",\"implementation\":\"cpython\",\"venv\":true,\"pip\":{}}'\n"
	}
	for _, c := range []struct{ what, script, version, want string }{
		{"nothing on the path", "", "", "python3 is not on the PATH"},
		{"no such version", "", "3.11", "python3.11 is not on the PATH"},
		{"not a version", "", "three", "is not a version"},
		{"a version with too many parts", "", "3.11.7", "is not a version"},
		{"a path that is not there", "", "/nowhere/python", "does not run"},
		{"too old", answer("3.8.18"), "", "is Python 3.8.18; use Python 3.9 or later"},
		{"no pip", answer("3.11.7"), "", "has no pip"},
		{"something else", "#!/bin/sh\necho hello\n", "", "does not answer as a Python interpreter"},
		{"a broken one", "#!/bin/sh\necho out of order >&2; exit 3\n", "", "out of order"},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			if c.script != "" {
				if err := os.WriteFile(filepath.Join(dir, "python3"), []byte(c.script), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", dir)
			_, err := FindPython(t.Context(), c.version)
			var input *benchmark.InputError
			if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) || input.Mend == "" {
				t.Errorf("got %v, want an InputError with %q and a way to mend it", err, c.want)
			}
		})
	}
}
