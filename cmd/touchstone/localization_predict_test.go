package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchstone/internal/localization"
	"touchstone/internal/localization/history/historytest"
)

// pullRequests builds a release of a history in which the commits before T0
// tell which files the pull requests behind it change.
func pullRequests(t *testing.T, more ...string) (h *historytest.History, release string) {
	t.Helper()
	h = historytest.New(t, time.Date(2025, 12, 1, 0, 0, 0, 0, time.UTC))
	for _, name := range []string{"reader", "writer", "parser", "printer", "clock", "wheel"} {
		h.Write("src/"+name+".go", "package src\n\nvar "+name+" int\n")
	}
	h.Commit("Begin")
	for i := range 4 {
		h.Write("src/clock.go", fmt.Sprintf("package src\n\nvar clock = %d\n", i)).Commit(fmt.Sprintf("Entries expire later than they should in case %d (#%d)", i, i+2))
	}
	h.At(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	h.Write("src/clock.go", "package src\n\nvar clock = 12\n").Commit("Entries that expire are kept too long (#10)\n\nWhoever waits for them to go waits for ever.")
	h.Write("src/writer.go", "package src\n\nvar writer = 1\n").Commit("What is written arrives twice (#11)\n\nThe writer repeats itself.")
	release = filepath.Join(t.TempDir(), "release")
	localized(t, append([]string{"build", "--repo", h.Dir, "--name", "acme/tool", "--t0", "2026-01-01", "--t1", "2026-02-01", "--out", release}, more...)...)
	return h, release
}

// localized runs a command of the track that has to be done and gives what it wrote.
func localized(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, messages bytes.Buffer
	if status := run(append([]string{"localization"}, args...), &out, &messages); status != exitDone {
		t.Fatalf("%q: status %d: %s", args, status, messages.String())
	}
	return out.String(), messages.String()
}

func TestTheBaselinesPredictForEveryPromptAndAreScored(t *testing.T) {
	h, release := pullRequests(t)
	files := map[string]string{"bm25": filepath.Join(t.TempDir(), "baseline.jsonl"), "bm25+history": filepath.Join(t.TempDir(), "augmented.jsonl")}
	for agent, file := range files {
		out, _ := localized(t, "predict", "--release", release, "--repo", h.Dir, "--agent", agent, "--out", file)
		var sum predicted
		if err := json.Unmarshal([]byte(out), &sum); err != nil || sum.Tasks != 2 || sum.Predictions != 8 || sum.Agent != agent || sum.WithoutPrompts != 0 {
			t.Errorf("%v: %s", err, out)
		}
	}
	out, messages := localized(t, "score", "--release", release, "--predictions", files["bm25"], "--predictions", files["bm25+history"], "--micro")
	var line scored
	if err := json.Unmarshal([]byte(out), &line); err != nil || strings.Count(out, "\n") != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	if line.Release != "tool@1" || line.Tasks != 2 || line.Level != localization.Contextual || line.Condition != localization.Baseline || len(line.Arms) != 8 || len(line.AB) != 4 || line.Micro == nil {
		t.Errorf("%s", out)
	}
	// Only past commits tell where entries expire.
	for _, contrast := range line.AB {
		if contrast.Better != 1 || contrast.Worse != 0 {
			t.Errorf("%+v", contrast)
		}
	}
	if !strings.Contains(messages, "minimal: F1 ") || !strings.Contains(messages, " augmented, ") {
		t.Errorf("standard error has\n%s", messages)
	}
}

// predict hands the agent nothing that is later than T0: the same predictions
// come out of a clone in which the future is another one.
func TestPredictionsDoNotDependOnWhatFollowedT0(t *testing.T) {
	h, release := pullRequests(t)
	predict := func() string {
		file := filepath.Join(t.TempDir(), "p.jsonl")
		localized(t, "predict", "--release", release, "--repo", h.Dir, "--agent", "bm25+history", "--out", file)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	before := predict()
	for i := range 5 {
		h.Write("src/wheel.go", fmt.Sprintf("package src\n\n// written entries that arrive twice, expire too long %d\n", i)).Commit("Entries that expire are kept too long, what is written arrives twice")
	}
	if after := predict(); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
}

func TestScoresTellWhatWasPassedOver(t *testing.T) {
	_, release := pullRequests(t)
	file := filepath.Join(t.TempDir(), "p.jsonl")
	text := `{"instance_id":"acme__tool-10","found_files":["src\\clock.go","src/clock.go"]}
{"instance_id":"acme__tool-12","found_files":[]}
{"instance_id":"acme__tool-11","found_files":[]}
{"instance_id":"acme__tool-11","model_patch":"--- a/src/writer.go\n+++ b/src/writer.go\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/new.go\n@@ -0,0 +1 @@\n+a\n"}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	out, messages := localized(t, "score", "--release", release, "--predictions", file)
	for _, want := range []string{
		`p.jsonl:2: instance_id: the release has no task "acme__tool-12"; did you mean acme__tool-10 or acme__tool-11?`,
		`p.jsonl:3: replaced by ` + file + `:4, a later line for acme__tool-11 (contextual, baseline)`,
		`p.jsonl:1: "src\\clock.go" is read as "src/clock.go"`,
		`p.jsonl: 3 predictions without a prompt, scored at the level of --level`,
		`p.jsonl: 1 file that patches add are no predictions`,
	} {
		if !strings.Contains(messages, want) {
			t.Errorf("%q is not in\n%s", want, messages)
		}
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(out), &line); err != nil || line["f1"] != 1.0 || line["precision"] != 1.0 || line["tasks"] != 2.0 || line["ab"] != nil || line["micro"] != nil {
		t.Errorf("%v: %s", err, out)
	}
	one := filepath.Join(t.TempDir(), "one.jsonl")
	if err := os.WriteFile(one, []byte(`{"instance_id":"acme__tool-10","found_files":["src/clock.go","tool/src/clock.go"]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	out, messages = localized(t, "score", "--release", release, "--augmented", one, "--level", "guided")
	if !strings.Contains(out, `"prompt":"guided","condition":"augmented","tasks":2,"answered":1,"precision":0.25`) ||
		!strings.Contains(messages, `acme__tool-10: the snapshot has no file "tool/src/clock.go"`) ||
		!strings.Contains(messages, "guided, augmented: 1 of 2 tasks have no prediction and count as empty ones") {
		t.Errorf("%s%s", out, messages)
	}
}

func TestWrongPredictAndScoreCommandsAreRefused(t *testing.T) {
	h, release := pullRequests(t)
	_, facts := pullRequests(t, "--facts")
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	bad := write("bad.jsonl", `{"instance_id":"acme__tool-10","found_files":["/etc/passwd"]}`+"\n[]\n")
	other := write("other.jsonl", `{"instance_id":"x-1","found_files":[]}`+"\n")
	empty := write("empty.jsonl", "")
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"no release", []string{"score", "--predictions", bad}, exitUsage, "--release"},
		{"no predictions", []string{"score", "--release", release}, exitUsage, "give --predictions FILE"},
		{"not a release", []string{"score", "--release", dir, "--predictions", bad}, exitFailed, "holds no release"},
		{"no such file", []string{"score", "--release", release, "--predictions", dir + "/nothing"}, exitFailed, "there is no file"},
		{"an empty file", []string{"score", "--release", release, "--predictions", empty}, exitFailed, "empty.jsonl: is empty"},
		{"bad lines", []string{"score", "--release", release, "--predictions", bad}, exitFailed, `bad.jsonl:1: found_files[0]: "/etc/passwd" is an absolute path`},
		{"all bad lines", []string{"score", "--release", release, "--predictions", bad}, exitFailed, "2 lines cannot be read; mend them; nothing was scored"},
		{"predictions of something else", []string{"score", "--release", release, "--predictions", other}, exitFailed, "no line is for one of the 2 tasks of tool@1"},
		{"no such level", []string{"score", "--release", release, "--predictions", other, "--level", "most"}, exitUsage, `--level: "most" is not a level`},
		{"no such gold", []string{"score", "--release", release, "--predictions", bad, "--gold", "tests"}, exitUsage, `--gold: "tests" is not a kind of gold files; give all or source`},
		{"no clone", []string{"predict", "--release", release, "--agent", "bm25", "--out", dir + "/o"}, exitUsage, "give --repo DIR"},
		{"no such agent", []string{"predict", "--release", release, "--repo", h.Dir, "--agent", "bm26", "--out", dir + "/o"}, exitUsage, `there is no agent "bm26"`},
		{"a clone of something else", []string{"predict", "--release", release, "--repo", historytest.New(t, time.Now()).Dir, "--agent", "bm25", "--out", dir + "/o"}, exitFailed, "does not hold the commit"},
		{"no clone in the mirror", []string{"predict", "--release", release, "--mirror", dir, "--agent", "bm25", "--out", dir + "/o"}, exitFailed, "there is no clone of acme/tool"},
		{"no prompts", []string{"predict", "--release", facts, "--repo", h.Dir, "--agent", "bm25", "--out", dir + "/o"}, exitFailed, "has no prompts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if status := run(append([]string{"localization"}, c.args...), &stdout, &stderr); status != c.status || !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 {
				t.Errorf("status %d, %s%s", status, stdout.String(), stderr.String())
			}
		})
	}
	if left, _ := filepath.Glob(dir + "/o*"); len(left) != 1 { // other.jsonl
		t.Errorf("left behind: %q", left)
	}
}
