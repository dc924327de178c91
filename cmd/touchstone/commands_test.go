package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a person gets wrong on the command line is said in words that name it,
// with the exit status that scripts rely on.
func TestWrongCommandLines(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	foreign := write("foreign.jsonl", `{"repo":"a/b","path":"c.py","qualname":"d","docstring":"e"}`)
	blank := write("blank.jsonl", docLine("Interval.hull", "FIRST")+docLine("Interval.hull", "SECOND")+docLine("Interval.hull", ""))
	broken := write("broken.jsonl", docLine("Interval.hull", "good")+"{}\n"+docLine("Interval.cuts", "good")+"[]\n")
	empty := write("empty.jsonl", "")
	stub := func(more ...string) []string {
		return append([]string{"evaluate", "--docs", "none", "--evaluator", "stub"}, more...)
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
		{"a source without a name", []string{"dataset", "build", "./nothing", "--out", dir}, exitUsage, []string{"--name is missing", "--name OWNER/NAME", "./nothing"}},
		{"a file as source", []string{"dataset", "build", foreign, "--name", "a/b", "--out", dir + "/out"}, exitFailed, []string{"foreign.jsonl\" is a file, not a folder"}},
		{"source and recipe", []string{"dataset", "build", "pypi:a==1", "--recipe", "commands_test.go", "--out", dir}, exitUsage, []string{"not both"}},
		{"no such source", []string{"dataset", "build", dir + "/nothing", "--name", "a/b", "--out", dir + "/out"}, exitFailed, []string{"nothing", "pypi:NAME==VERSION"}},
		{"a name without owner", []string{"dataset", "build", dir, "--name", "b", "--out", dir + "/out"}, exitFailed, []string{`"b"`, "owner/name"}},
		{"not a release", []string{"dataset", "verify", dir}, exitFailed, []string{dir, "release.json"}},
		{"no docs", []string{"evaluate", "--docs", dir + "/nothing", "--evaluator", "stub"}, exitFailed, []string{"docs", "nothing"}},
		{"no such sample", []string{"evaluate", "--docs", "sample:best", "--evaluator", "stub"}, exitFailed, []string{"best"}},
		{"no such evaluator", []string{"evaluate", "--docs", "none", "--evaluator", "gpt"}, exitFailed, []string{`"gpt"`, "gpt-5-mini", "reference"}},
		{"no completions", []string{"evaluate", "--docs", "none", "--evaluator", "recorded"}, exitUsage, []string{"--completions"}},
		{"docs of something else", []string{"evaluate", "--docs", foreign, "--evaluator", "stub"}, exitFailed, []string{
			"foreign.jsonl:1: no task a/b:c.py::d: the release has no such repository", "documents none of the 83 tasks of starter@1 (1 row, 1 unmatched)",
			"--release was not given, so these were held against the starter release"}},
		{"docs of something else, and a release", []string{"evaluate", "--release", "starter", "--docs", foreign, "--evaluator", "stub"}, exitFailed,
			[]string{"the ids of the tasks are in the release's tasks.jsonl"}},
		{"the last of three rows is blank", []string{"evaluate", "--docs", blank, "--evaluator", "stub"}, exitFailed, []string{
			"blank.jsonl:1: replaced by line 3, which is blank: touchstone/spans:src/spans/interval.py::Interval.hull has no docstring", "blank.jsonl:2: replaced by line 3",
			"documents none of the 83 tasks of starter@1 (3 rows, 2 replaced by a later one, 1 blank); fill the blank docstrings in, or give --docs none"}},
		{"lines that cannot be read", []string{"evaluate", "--docs", broken, "--evaluator", "stub"}, exitFailed,
			[]string{"broken.jsonl:2: repo: is missing", "broken.jsonl:4: the line is not a JSON object", "2 lines cannot be read; mend them; nothing was judged"}},
		{"empty docs", []string{"evaluate", "--docs", empty, "--evaluator", "stub"}, exitFailed, []string{"empty.jsonl: is empty"}},
		{"a folder as docs", []string{"evaluate", "--docs", dir, "--evaluator", "stub"}, exitFailed, []string{"docs: ", "is a folder, not a file"}},
		{"empty completions", []string{"evaluate", "--docs", "none", "--evaluator", "recorded", "--completions", empty}, exitFailed, []string{"empty.jsonl: holds no completions"}},
		{"a release without a name", stub("--release", ""), exitUsage, []string{"--release: is empty"}},
		{"no such release", stub("--release", dir+"/nothing"), exitFailed, []string{"release: there is no folder", "nothing"}},
		{"a file as release", stub("--release", foreign), exitFailed, []string{"release: ", "foreign.jsonl\" is a file, not a folder"}},
		{"no mutants", []string{"dataset", "agreement", dir, "--mutants", "0"}, exitUsage, []string{"--mutants"}},
		{"negative jobs", stub("--jobs=-1"), exitUsage, []string{"--jobs: -1 is less than 1"}},
		{"negative jobs, apart", stub("--jobs", "-1"), exitUsage, []string{"--jobs: -1 is less than 1"}},
		{"negative jobs, short", stub("-j", "-1"), exitUsage, []string{"--jobs: -1 is less than 1"}},
		{"no jobs", stub("--jobs", "0"), exitUsage, []string{"--jobs: 0 is less than 1", "leave the flag out"}},
		{"too many jobs", stub("--jobs", "100000"), exitUsage, []string{"--jobs: 100000 is more than", "at most"}},
		{"jobs in words", stub("--jobs", "two"), exitUsage, []string{`--jobs: "two" is not a number`}},
		{"jobs and no number", stub("--jobs"), exitUsage, []string{"--jobs: no number is given"}},
		{"negative samples", stub("--samples=-1"), exitUsage, []string{"--samples: -1 is less than 1"}},
		{"no samples", stub("--samples=0"), exitUsage, []string{"--samples: 0 is less than 1"}},
		{"too many samples", stub("--samples=1001"), exitUsage, []string{"--samples: 1001 is more than 1000"}},
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

// docLine is a line of a docs.jsonl for the starter release.
func docLine(qualname, text string) string {
	return fmt.Sprintf("{\"repo\":\"touchstone/spans\",\"path\":\"src/spans/interval.py\",\"qualname\":%q,\"docstring\":%q}\n", qualname, text)
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
