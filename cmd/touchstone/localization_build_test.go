package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchstone/internal/localization"
	"touchstone/internal/localization/history/historytest"
	"touchstone/internal/localization/prompts"
)

// pastAndFuture is a history with one commit before 2026 and two pull requests in it.
func pastAndFuture(t *testing.T) *historytest.History {
	h := historytest.New(t, time.Date(2025, 12, 1, 0, 0, 0, 0, time.UTC))
	h.Write("src/reader.go", "package src\n").Write("src/writer.go", "package src\n").Commit("Begin")
	h.At(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	h.Write("src/reader.go", "package src\n\n// more\n").Commit("Read more carefully (#2)\n\nA careless reader loses what it reads.")
	h.Write("src/new.go", "package src\n").Commit("Something new (#3)")
	return h
}

func TestABuiltReleaseIsSummedUpInOneLine(t *testing.T) {
	h := pastAndFuture(t)
	out := filepath.Join(t.TempDir(), "release")
	var stdout, stderr bytes.Buffer
	if status := run([]string{"localization", "build", "--repo", h.Dir, "--name", "acme/tool", "--t0", "2026-01-01", "--t1", "2030-01-01T00:00:00Z", "--out", out}, &stdout, &stderr); status != exitDone {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	var line struct {
		Release      string
		Repositories int
		Counts       localization.Counts
	}
	if err := json.Unmarshal(stdout.Bytes(), &line); err != nil || strings.Count(stdout.String(), "\n") != 1 {
		t.Fatalf("%v: %s", err, stdout.String())
	}
	if line.Release != "tool@1" || line.Repositories != 1 || line.Counts.Tasks != 1 || line.Counts.Dropped["no_gold"] != 1 || line.Counts.PullRequests != 2 {
		t.Errorf("%+v", line)
	}
	if !strings.Contains(stderr.String(), "acme/tool commits 2/2") || !strings.Contains(stderr.String(), "T1 is after the last commit, of 2026-01-01T02:00:00Z") {
		t.Errorf("standard error has\n%s", stderr.String())
	}
	if d, err := localization.OpenDataset(out); err != nil || d.Tasks[0].ID != "acme__tool-2" {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestAnInterruptedLocalizationBuildBeginsAnew(t *testing.T) {
	h := pastAndFuture(t)
	var stdout, stderr bytes.Buffer
	p := &place{stdout: &stdout, stderr: newMeter(&stderr)}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	command := localizationBuildCommand{Repo: h.Dir, Name: "acme/tool", T0: "2026-01-01", T1: "2026-02-01", Writer: prompts.ExtractiveV1, Out: filepath.Join(t.TempDir(), "out")}
	if status := p.end(ctx, command.Run(ctx, p)); status != exitFailed || !strings.HasSuffix(stderr.String(), "touchstone: interrupted; nothing was written; the same command begins anew\n") {
		t.Errorf("status %d: %s", status, stderr.String())
	}
	if _, err := os.Stat(command.Out); err == nil {
		t.Error("there is a release")
	}
}

func TestWrongLocalizationBuildsAreRefused(t *testing.T) {
	h := pastAndFuture(t)
	shallow := filepath.Join(t.TempDir(), "shallow")
	h.Git("clone", "--quiet", "--depth=1", "file://"+h.Dir, shallow)
	export := filepath.Join(t.TempDir(), "pulls.jsonl")
	if err := os.WriteFile(export, []byte("{\"number\":2,\"title\":\"x\"}\n{\"number\":3}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		args   string // REPO is the history
		status int
		want   string
	}{
		{"nothing", "", exitUsage, "--out"},
		{"no clone", "--out OUT", exitUsage, "give --repo DIR with --name OWNER/NAME"},
		{"no name", "--repo REPO --t0 2026-01-01 --t1 2026-02-01 --out OUT", exitUsage, "--name is missing: say what repository"},
		{"no dates", "--repo REPO --name acme/tool --t0 2026-01-01 --out OUT", exitUsage, "--t0 and --t1 are needed"},
		{"a clone and a recipe", "--repo REPO --recipe x.toml --out OUT", exitUsage, "not both"},
		{"no such recipe", "--recipe nowhere.toml --out OUT", exitFailed, "recipe: there is no file"},
		{"a name without owner", "--repo REPO --name tool --t0 2026-01-01 --t1 2026-02-01 --out OUT", exitFailed, `touchstone: name: "tool" is not a repository name; write it as owner/name`},
		{"a date of another form", "--repo REPO --name acme/tool --t0 01/01/2026 --t1 2026-02-01 --out OUT", exitFailed, `touchstone: t0: "01/01/2026" is not a date; write it as 2026-01-31`},
		{"T0 after T1", "--repo REPO --name acme/tool --t0 2026-02-01 --t1 2026-01-01 --out OUT", exitFailed, "touchstone: t1: 2026-01-01 is not after t0, 2026-02-01"},
		{"T0 before the first commit", "--repo REPO --name acme/tool --t0 2020-01-01 --t1 2026-02-01 --out OUT", exitFailed, "touchstone: t0: 2020-01-01 is before the first commit, which is of 2025-12-01"},
		{"an empty window", "--repo REPO --name acme/tool --t0 2025-12-15 --t1 2025-12-20 --out OUT", exitFailed, "touchstone: t1: there is no commit after 2025-12-15 and up to 2025-12-20"},
		{"a shallow clone", "--repo " + shallow + " --name acme/tool --t0 2026-01-01 --t1 2026-02-01 --out OUT", exitFailed, "is a shallow clone"},
		{"no repository", "--repo " + t.TempDir() + " --name acme/tool --t0 2026-01-01 --t1 2026-02-01 --out OUT", exitFailed, "is not a git repository"},
		{"no branch", "--repo REPO --branch nowhere --name acme/tool --t0 2026-01-01 --t1 2026-02-01 --out OUT", exitFailed, `has no commit "nowhere"`},
		{"a bad export", "--repo REPO --pulls " + export + " --name acme/tool --t0 2026-01-01 --t1 2026-02-01 --out OUT", exitFailed, "pulls.jsonl:2: title: is missing or blank"},
		{"a folder in use", "--repo REPO --name acme/tool --t0 2026-01-01 --t1 2026-02-01 --out REPO", exitFailed, "holds something else"},
	} {
		out := filepath.Join(t.TempDir(), "out")
		args := strings.Fields(strings.NewReplacer("REPO", h.Dir, "OUT", out).Replace(c.args))
		var stdout, stderr bytes.Buffer
		status := run(append([]string{"localization", "build"}, args...), &stdout, &stderr)
		if status != c.status || !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 && c.status == exitFailed {
			t.Errorf("%s: status %d, %s; want %d and %q", c.name, status, stderr.String(), c.status, c.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: %s was made", c.name, out)
		}
	}
}
