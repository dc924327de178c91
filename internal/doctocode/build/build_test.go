package build

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
)

func TestSteadyLeavesOutWhatDiffersFromRunToRun(t *testing.T) {
	for text, want := range map[string]string{
		"<C object at 0x7f9a00112233>": "<C object at …>",
		"not done after 3.1 s":         "not done after …",
		"took 12.345 seconds":          "took …",
		"in 0.02s":                     "in …",
		"version 3.12 of it":           "version 3.12 of it",
		"0xff is 255":                  "0xff is 255",
		"3 s at most":                  "3 s at most",
		`File "/home/me/3.11.7/lib/python3.11/unittest/case.py", line 873`: `File "…/unittest/case.py", line 873`,
		"/env/lib/python3.11/site-packages/a.py:1: /repo/lib/b.py":         "…/site-packages/a.py:1: /repo/lib/b.py",
	} {
		if got := steady(text); got != want {
			t.Errorf("steady(%q) is %q, want %q", text, got, want)
		}
	}
}

// TestBuildRefuses: what cannot go well ends before anything is done.
func TestBuildRefuses(t *testing.T) {
	needPython(t)
	source := t.TempDir()
	writeFiles(t, source, map[string]string{"tool.py": tool})
	for _, c := range []struct {
		what   string
		out    map[string]string // what the output folder holds
		source string
		python string
		want   string
	}{
		{"a finished release", map[string]string{doctocode.ReleaseFile: "{}", "sources/a": "x"}, source, "", "holds a finished release already; choose another folder"},
		{"somebody's folder", map[string]string{"sources/mine.c": "int x;"}, source, "", "holds something else, such as sources; choose a new or an empty folder"},
		{"a source that is not there", nil, filepath.Join(source, "nowhere"), "", "second/tool: source: there is no folder"},
		{"a Python that is not there", nil, source, "3.99", "second/tool: python: "},
	} {
		out := filepath.Join(t.TempDir(), "a folder")
		writeFiles(t, out, c.out)
		_, err := Build(t.Context(), Options{Out: out, Recipe: Recipe{Repositories: []RepositoryRecipe{
			{Name: "acme/tool", Source: source}, {Name: "second/tool", Source: c.source, Python: c.python}}}})
		var input *benchmark.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.what, err, c.want)
		}
		for name, content := range c.out {
			if data, err := os.ReadFile(filepath.Join(out, name)); err != nil || string(data) != content {
				t.Errorf("%s: %s was touched: %v", c.what, name, err)
			}
		}
	}
}

func TestBuildRefusesAFolderThatCannotBeWritten(t *testing.T) {
	needPython(t)
	source := t.TempDir()
	file := filepath.Join(source, "file")
	writeFiles(t, source, map[string]string{"file": ""})
	_, err := Build(t.Context(), Options{Out: filepath.Join(file, "out"), Recipe: Recipe{Repositories: []RepositoryRecipe{{Name: "acme/tool", Source: source}}}})
	var input *benchmark.InputError
	if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), "out: ") {
		t.Errorf("got %v", err)
	}
}

// TestOneBuildAtATime: a folder is one process's until it is released.
func TestOneBuildAtATime(t *testing.T) {
	out := t.TempDir()
	_, release, err := openWork(out)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := openWork(out); err == nil || !strings.Contains(err.Error(), "another build is under way in "+out) {
		t.Errorf("the second: %v", err)
	}
	release()
	_, release, err = openWork(out)
	if err != nil {
		t.Fatalf("afterwards: %v", err)
	}
	release()
}

func TestNoTaskSaysWhy(t *testing.T) {
	counts := doctocode.Counts{Targets: 3, Dropped: map[string]int{"vacuous_tests": 2, "no_body": 1}}
	for _, c := range []struct {
		repositories []RepositoryResult
		want         string
	}{
		{[]RepositoryResult{{Failed: "no test was collected"}}, "no test was collected"},
		{[]RepositoryResult{{}}, "no function outside the tests is reached by a passing test"},
		{[]RepositoryResult{{Counts: counts}}, "none of 3 functions is left as a task (no_body 1, vacuous_tests 2)"},
		{[]RepositoryResult{{}, {}}, "no task is left in any repository"},
	} {
		if got := noTask(c.repositories); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
