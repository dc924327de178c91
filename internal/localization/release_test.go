package localization

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// contents is a release of one repository with two tasks.
func contents() Contents {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	task := func(number int, gold ...string) Task {
		t := Task{ID: TaskID("acme/tool", number), Repository: "acme/tool", Number: number, Commit: "c", Base: "b", MergedAt: at.AddDate(0, 0, number)}
		for _, g := range gold {
			t.Gold = append(t.Gold, GoldFile{Path: g, Label: Source})
		}
		return t
	}
	return Contents{
		Release: Release{Name: "tool", Version: "1", ToolVersion: "test", Policy: Policy{MaxGold: 30}},
		Repositories: []Repository{{Name: "acme/tool", T0: at, T1: at.AddDate(1, 0, 0), Snapshot: "s", Head: "h", Files: FilesPath("acme/tool"),
			Counts: Counts{Commits: 9, PullRequests: 3, Tasks: 2, Dropped: map[string]int{ReasonBot: 1}, Gold: 3, Files: 3}}},
		Tasks:   []Task{task(1, "a <b>.go", "b.go"), task(2, "b.go")},
		Dropped: []Drop{{Repository: "acme/tool", Number: 3, Commit: "d", Reason: ReasonBot}},
		Files:   map[string][]string{"acme/tool": {"a <b>.go", "b.go", "é.md"}},
	}
}

func TestAReleaseIsReadAsItWasWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	if _, err := contents().Write(dir); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDataset(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := d.Repository("acme/tool")
	if err != nil || d.Release.ID() != "tool@1" || len(d.TasksOf("acme/tool")) != 2 || len(d.TasksOf("acme/other")) != 0 || d.Tasks[0].ID != "acme__tool-1" || d.Release.Counts.Gold != 3 {
		t.Errorf("%+v, %v", d, err)
	}
	if files, err := d.Files(r); err != nil || strings.Join(files, "|") != "a <b>.go|b.go|é.md" {
		t.Errorf("%q, %v", files, err)
	}
	if _, err := d.Repository("acme/other"); err == nil {
		t.Error("a repository that is not there was found")
	}
	if data, err := os.ReadFile(filepath.Join(dir, TasksFile)); err != nil || !strings.Contains(string(data), "a <b>.go") || strings.Contains(string(data), "prompts") {
		t.Errorf("%s, %v", data, err)
	}
}

func TestAReleaseThatSaysTwoThingsIsRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Contents)
		want   string
	}{
		{"gold that is not in the snapshot", func(c *Contents) { c.Tasks[0].Gold[1].Path = "c.go" }, `tasks.jsonl:1: the gold file "c.go" of acme__tool-1 is not in the snapshot`},
		{"no gold", func(c *Contents) { c.Tasks[1].Gold = nil }, "tasks.jsonl:2: acme__tool-2 has no gold file"},
		{"gold twice", func(c *Contents) { c.Tasks[0].Gold[0] = c.Tasks[0].Gold[1] }, "stands there twice"},
		{"gold in no order", func(c *Contents) {
			c.Tasks[0].Gold[0], c.Tasks[0].Gold[1] = c.Tasks[0].Gold[1], c.Tasks[0].Gold[0]
		}, "are not in order"},
		{"a label of no kind", func(c *Contents) { c.Tasks[0].Gold[0].Label = "code" }, `"code" is no label`},
		{"another's id", func(c *Contents) { c.Tasks[1].ID = "acme__tool-7" }, `the task "acme__tool-7" is not of the pull request 2`},
		{"a task twice", func(c *Contents) { c.Tasks[1] = c.Tasks[0] }, "tasks.jsonl:2: acme__tool-1 stands there twice"},
		{"a task of no repository", func(c *Contents) { c.Tasks[1].Repository = "acme/other" }, `has no repository "acme/other"`},
		{"some prompts", func(c *Contents) { c.Tasks[0].Prompts = map[Level]string{Minimal: "x"} }, "acme__tool-1 has no concise prompt, but others"},
		{"a reason that is none", func(c *Contents) { c.Dropped[0].Reason = "mood" }, `dropped.jsonl:1: "mood" is no reason`},
		{"a drop of no repository", func(c *Contents) { c.Dropped[0].Repository = "acme/other" }, "dropped.jsonl:1: the release has no repository"},
		{"wrong counts", func(c *Contents) { c.Repositories[0].Counts.Tasks++ }, "repositories.jsonl:1: the counts of acme/tool are not those of the files"},
		{"a file twice", func(c *Contents) { c.Files["acme/tool"][2] = "b.go" }, "names a file twice"},
		{"a repository twice", func(c *Contents) { c.Repositories = append(c.Repositories, c.Repositories[0]) }, "repositories.jsonl:2: acme/tool stands there twice"},
		{"no repository name", func(c *Contents) { c.Repositories[0].Name = "tool" }, "repositories.jsonl:1: repository"},
		{"T1 before T0", func(c *Contents) { c.Repositories[0].T1 = c.Repositories[0].T0 }, "t1 is not after t0"},
		{"another's files", func(c *Contents) { c.Repositories[0].Files = "../x" }, `"../x" is not among the release's files`},
	} {
		contents, dir := contents(), t.TempDir()
		c.change(&contents)
		if _, err := contents.Write(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenDataset(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestAReleaseThatWasChangedIsRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(dir string) error
		want   string
	}{
		{"an empty folder", func(dir string) error { return os.RemoveAll(dir) }, "holds no release (there is no release.json)"},
		{"a changed file", func(dir string) error { return os.WriteFile(filepath.Join(dir, TasksFile), []byte("{}\n"), 0o644) }, "tasks.jsonl: was changed since the release was made"},
		{"a missing file", func(dir string) error { return os.Remove(filepath.Join(dir, FilesPath("acme/tool"))) }, "acme__tool.txt: is missing"},
		{"a manifest that breaks off", func(dir string) error { return os.WriteFile(filepath.Join(dir, ReleaseFile), []byte(`{"for`), 0o644) }, "build the release again"},
		{"another track's", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ReleaseFile), []byte(`{"format":1,"track":"doc-to-code"}`), 0o644)
		}, `track: "doc-to-code" is not localization`},
		{"another format", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ReleaseFile), []byte(`{"format":2,"track":"localization"}`), 0o644)
		}, "format: 2 is not a format this version reads"},
		{"a manifest that names too little", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ReleaseFile), []byte(`{"format":1,"track":"localization","files":{}}`), 0o644)
		}, `release.json: files: "repositories.jsonl" is not among the files`},
		{"a path that leads out", func(dir string) error {
			data, err := os.ReadFile(filepath.Join(dir, ReleaseFile))
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, ReleaseFile), []byte(strings.Replace(string(data), "files/acme__tool.txt", "../../secret", 1)), 0o644)
		}, `"../../secret" leads out of the release`},
	} {
		dir := filepath.Join(t.TempDir(), "release")
		if _, err := contents().Write(dir); err != nil {
			t.Fatal(err)
		}
		if err := c.change(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenDataset(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}
