package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/sandbox/sandboxtest"
)

// pythonTree writes files, by names and texts in turn, into a folder.
func pythonTree(t *testing.T, namesAndTexts ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(namesAndTexts); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, namesAndTexts[i]), []byte(namesAndTexts[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTwoDocumentedTreesAreComparedFunctionByFunction(t *testing.T) {
	sandboxtest.Local(t)
	reference := pythonTree(t, "a.py", "def f():\n    '''One two\n    three four.'''\n\ndef g():\n    'Gone.'\n\ndef h():\n    pass\n", "broken.py", "def (:\n")
	candidate := pythonTree(t, "a.py", "class C:\n    def new(self):\n        'New.'\n\ndef f():\n        '''One two\n        three four.'''\n\ndef h():\n    'Now.'\n")
	measure := func(status int, more ...string) (lines []string, said string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if got := run(append([]string{"measure", "--reference", reference, "--candidate", candidate, "--measure", "rouge1,words"}, more...), &stdout, &stderr); got != status {
			t.Fatalf("status %d: %s", got, stderr.String())
		}
		return strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n"), stderr.String()
	}
	lines, said := measure(exitDone)
	want := []string{
		`{"id":"a.py::f","standing":"paired","rouge1":1,"rouge1_precision":1,"rouge1_recall":1,"words":4,"reference_words":4}`,
		`{"id":"a.py::g","standing":"not_in_candidate"}`,
		`{"id":"a.py::h","standing":"no_reference_docstring"}`,
		`{"id":"a.py::C.new","standing":"not_in_reference"}`,
		`{"summary":{"functions":4,"paired":1,"no_candidate_docstring":0,"no_reference_docstring":1,"no_docstrings":0,"not_in_candidate":1,"not_in_reference":1,"unreadable_files":1,"rouge1":1,"rouge1_precision":1,"rouge1_recall":1,"words":4,"reference_words":4}}`,
	}
	for i, line := range want {
		if i >= len(lines) || lines[i] != line || !json.Valid([]byte(lines[i])) {
			t.Fatalf("line %d of %q, want %s", i, lines, line)
		}
	}
	for _, words := range []string{"broken.py: cannot be read by Python", "a.py::g is in the reference only", "a.py::C.new is in the candidate only"} {
		if !strings.Contains(said, words) {
			t.Errorf("%q is not said: %s", words, said)
		}
	}
	if lines, _ := measure(exitDone, "--means"); len(lines) != 1 || lines[0] != want[4] {
		t.Errorf("%q", lines)
	}
	candidate = pythonTree(t, "b.py", "def f():\n    'Elsewhere.'\n")
	if lines, said := measure(exitFailed); len(lines) != 5 || !strings.Contains(said, "no function has a docstring in both folders: 3 in the reference, 1 in the candidate") {
		t.Errorf("%q %s", lines, said)
	}
	candidate = filepath.Join(reference, "a.py")
	if _, said := measure(exitUsage); !strings.Contains(said, "give two of a kind") {
		t.Error(said)
	}
	candidate = filepath.Join(reference, "none")
	if _, said := measure(exitUsage); !strings.Contains(said, "--candidate: ") {
		t.Error(said)
	}
}
