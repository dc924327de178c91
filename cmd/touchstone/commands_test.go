package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a person gets wrong on the command line is said in words that name it,
// with the exit status that scripts rely on.
func TestWrongCommandLines(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "foreign.jsonl")
	if err := os.WriteFile(foreign, []byte(`{"repo":"a/b","path":"c.py","qualname":"d","docstring":"e"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		args   []string
		status int
		words  []string
	}{
		{"no command", nil, exitUsage, []string{"expected one of"}},
		{"unknown command", []string{"evalute"}, exitUsage, []string{"evalute", "did you mean \"evaluate\""}},
		{"unknown flag", []string{"evaluate", "--doc", "none"}, exitUsage, []string{"--doc"}},
		{"missing flags", []string{"evaluate"}, exitUsage, []string{"--docs", "--evaluator"}},
		{"no source", []string{"dataset", "build", "--out", dir}, exitUsage, []string{"SOURCE", "--recipe"}},
		{"source and recipe", []string{"dataset", "build", "pypi:a==1", "--recipe", "commands_test.go", "--out", dir}, exitUsage, []string{"not both"}},
		{"no such source", []string{"dataset", "build", dir + "/nothing", "--name", "a/b", "--out", dir + "/out"}, exitFailed, []string{"nothing", "pypi:NAME==VERSION"}},
		{"a name without owner", []string{"dataset", "build", dir, "--name", "b", "--out", dir + "/out"}, exitFailed, []string{`"b"`, "owner/name"}},
		{"not a release", []string{"dataset", "verify", dir}, exitFailed, []string{dir, "release.json"}},
		{"no docs", []string{"evaluate", "--docs", dir + "/nothing", "--evaluator", "stub"}, exitFailed, []string{"docs", "nothing"}},
		{"no such sample", []string{"evaluate", "--docs", "sample:best", "--evaluator", "stub"}, exitFailed, []string{"best"}},
		{"no such evaluator", []string{"evaluate", "--docs", "none", "--evaluator", "gpt"}, exitFailed, []string{`"gpt"`, "gpt-5-mini", "reference"}},
		{"no completions", []string{"evaluate", "--docs", "none", "--evaluator", "recorded"}, exitUsage, []string{"--completions"}},
		{"docs of something else", []string{"evaluate", "--docs", foreign, "--evaluator", "stub"}, exitFailed, []string{"none of its 1 docstrings", "starter@1"}},
		{"no mutants", []string{"dataset", "agreement", dir, "--mutants", "0"}, exitUsage, []string{"--mutants"}},
		{"negative jobs", []string{"evaluate", "--docs", "none", "--evaluator", "stub", "--jobs=-1"}, exitUsage, []string{"--jobs"}},
		{"negative samples", []string{"evaluate", "--docs", "none", "--evaluator", "stub", "--samples=-1"}, exitFailed, []string{"samples", "less than 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if status := run(c.args, &stdout, &stderr); status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			for _, w := range c.words {
				if !strings.Contains(stderr.String(), w) {
					t.Errorf("%q is not in %q", w, stderr.String())
				}
			}
			if stdout.Len() > 0 {
				t.Errorf("standard output: %q", stdout.String())
			}
		})
	}
}

// The controls hold on the release that comes with the program.
func TestStarterControls(t *testing.T) {
	needs(t)
	for _, c := range []struct {
		evaluator, strategy string
		want                float64
	}{{"reference", "", 1}, {"stub", "", 0}, {"reference", "forked", 1}} {
		out := resultOf(t, program("evaluate", "--docs", "original", "--evaluator", c.evaluator, "--strategy="+c.strategy, "--sandbox", "local"))
		var line struct {
			Tasks    int            `json:"tasks"`
			PassAt1  float64        `json:"pass@1"`
			Verdicts map[string]int `json:"verdicts"`
		}
		if err := json.Unmarshal(out, &line); err != nil {
			t.Fatal(err)
		}
		if line.Tasks < 60 || line.PassAt1 != c.want {
			t.Errorf("%s %s: %s", c.evaluator, c.strategy, out)
		}
	}
}
