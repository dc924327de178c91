package doctocode

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
)

// small is a release of one repository with one task.
func small(t *testing.T) (Contents, Release) {
	t.Helper()
	c := Contents{
		"sources/acme__tool.tar.zst":                  []byte("packed"),
		"environments/acme__tool/requirements.lock":   []byte("pytest==1\n"),
		"environments/acme__tool/wheels/tool-1.0.whl": []byte("wheel"),
	}
	repository := Repository{Name: "acme/tool", Archive: ArchivePath("acme/tool"), Index: IndexPath("acme/tool"),
		Requirement: EnvironmentPath("acme/tool") + "/requirements.lock"}
	err := errors.Join(
		PutLines(c, RepositoriesFile, []Repository{repository}),
		PutLines(c, TasksFile, []Task{{ID: "acme/tool:tool.py::f", Tests: []string{"test_tool.py::test"}, Strategy: Swapped}}),
		PutLines(c, DroppedFile, []Dropped{{Repository: "acme/tool", Kind: "test", ID: "test_tool.py::slow", Reason: ReasonSkipped, Detail: "<skip>"}}),
		PutLines(c, TimingsFile, []Timing{{Repository: "acme/tool", Test: "test_tool.py::test", Seconds: 2}, {Repository: "acme/tool", Step: "build", Seconds: 90}}),
		PutLines(c, repository.Index, []*SourceFile{{Path: "tool.py", Text: "def f(): pass\n"}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return c, Release{Format: 1, Name: "tool", Version: "1"}
}

func written(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a release")
	c, r := small(t)
	if err := c.Write(dir, r); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAReleaseIsReadAsItWasWritten(t *testing.T) {
	d, err := OpenDataset(written(t))
	if err != nil {
		t.Fatal(err)
	}
	if d.Release.ID() != "tool@1" || len(d.Repositories) != 1 || len(d.Dropped) != 1 || d.Dropped[0].Detail != "<skip>" {
		t.Errorf("read was %+v", d)
	}
	if tasks := d.TasksOf("acme/tool"); len(tasks) != 1 || tasks[0].Strategy != Swapped {
		t.Errorf("the tasks are %+v", tasks)
	}
	if tasks := d.TasksOf("acme/too"); tasks != nil {
		t.Errorf("another repository has the tasks %+v", tasks)
	}
	if s := d.Seconds("acme/tool", []string{"test_tool.py::test", "test_tool.py::unknown"}); s != 2 {
		t.Errorf("the tests take %g s, want 2", s)
	}
	index, err := d.Index(d.Repositories[0])
	if err != nil || len(index) != 1 || index[0].Path != "tool.py" {
		t.Errorf("the index is %v, %v", index, err)
	}
	if _, ok := d.Release.Files[TimingsFile]; ok {
		t.Error("timings, which differ from build to build, are among the files")
	}
	var input *benchmark.InputError
	if _, err := d.Repository("acme/other"); !errors.As(err, &input) {
		t.Errorf("an unknown repository: %v", err)
	}
}

// TestTimingsMayBeAbsent: without them every test counts as instant.
func TestTimingsMayBeAbsent(t *testing.T) {
	dir := written(t)
	if err := os.Remove(filepath.Join(dir, TimingsFile)); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDataset(dir)
	if err != nil || d.Seconds("acme/tool", []string{"test_tool.py::test"}) != 0 {
		t.Errorf("got %v", err)
	}
}

// TestOpenDatasetRefuses: a release is whole and unchanged or not opened.
func TestOpenDatasetRefuses(t *testing.T) {
	manifest := func(change func(*Release)) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, ReleaseFile)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var r Release
			if err := json.Unmarshal(data, &r); err != nil {
				t.Fatal(err)
			}
			change(&r)
			if data, err = json.Marshal(r); err != nil {
				t.Fatal(err)
			}
			put(t, path, string(data))
		}
	}
	// rewritten is a release with other lines in a file, and the right SHA-256.
	rewritten := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			c, r := small(t)
			c[name] = []byte(text)
			if err := c.Write(dir, r); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		what   string
		damage func(*testing.T, string)
		want   string
	}{
		{"nothing is there", func(t *testing.T, dir string) { os.RemoveAll(dir) }, "holds no release (there is no release.json); give the folder"},
		{"no manifest", remove(ReleaseFile), "holds no release"},
		{"half a manifest", overwrite(ReleaseFile, `{"format": 1, "na`), "release.json: unexpected end of JSON input; build the release again"},
		{"a format to come", manifest(func(r *Release) { r.Format = 2 }), "format: 2 is not a format this version reads"},
		{"a file is missing", remove("sources/acme__tool.tar.zst"), "sources/acme__tool.tar.zst: is missing; build the release again, or copy it whole"},
		{"a file was changed", overwrite(TasksFile, "{}\n"), "tasks.jsonl: was changed since the release was made"},
		{"a path leads out", manifest(func(r *Release) { r.Files["../secret"] = "00" }), `files: "../secret" leads out of the release`},
		{"an absolute path", manifest(func(r *Release) { r.Files["/etc/passwd"] = "00" }), `files: "/etc/passwd" leads out of the release`},
		{"the tasks are not vouched for", manifest(func(r *Release) { delete(r.Files, TasksFile) }), `files: "tasks.jsonl" is not among the files`},
		{"the archive is not vouched for", manifest(func(r *Release) { delete(r.Files, "sources/acme__tool.tar.zst") }),
			`repositories.jsonl:1: "sources/acme__tool.tar.zst" is not among the release's files`},
		{"a line is no JSON", rewritten(DroppedFile, "{}\nnonsense\n"), "dropped.jsonl:2: "},
		{"a task of nothing", rewritten(TasksFile, "{}\n"), `tasks.jsonl:1: "" is not a task id`},
		{"a task of another repository", rewritten(TasksFile, `{"id":"acme/other:a.py::f","tests":["t"],"strategy":"fresh"}`), "tasks.jsonl:1: the release has no repository acme/other"},
		{"a strategy to come", rewritten(TasksFile, `{"id":"acme/tool:tool.py::f","tests":["t"],"strategy":"guessed"}`), `tasks.jsonl:1: "guessed" is not a strategy`},
		{"a task without tests", rewritten(TasksFile, `{"id":"acme/tool:tool.py::f","strategy":"fresh"}`), "tasks.jsonl:1: the task has no tests"},
		{"a repository without a name", rewritten(RepositoriesFile, `{"name":"../.."}`), `repositories.jsonl:1: "../.." is not a repository name`},
	} {
		dir := written(t)
		c.damage(t, dir)
		_, err := OpenDataset(dir)
		var input *benchmark.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.what, err, c.want)
		}
	}
}

// TestWriteLeavesNothingOfAnEarlierRelease, and nothing else alone.
func TestWriteLeavesNothingOfAnEarlierRelease(t *testing.T) {
	dir := written(t)
	put(t, filepath.Join(dir, "notes.txt"), "mine")
	c, r := small(t)
	for name := range c {
		if strings.HasPrefix(name, "environments/acme__tool/wheels") {
			delete(c, name)
		}
	}
	c["index/acme__tool.jsonl"] = []byte("{}\n")
	if err := c.Write(dir, r); err != nil {
		t.Fatal(err)
	}
	want := append(slices.Collect(maps.Keys(c)), ReleaseFile, "notes.txt", "index", "sources", "environments", "environments/acme__tool")
	slices.Sort(want)
	if got := entries(t, dir); !reflect.DeepEqual(got, want) {
		t.Errorf("there are\n%q, want\n%q", got, want)
	}
	if _, err := OpenDataset(dir); err != nil {
		t.Error(err)
	}
}

// TestAWriteThatFailsLeavesTheEarlierRelease whole.
func TestAWriteThatFailsLeavesTheEarlierRelease(t *testing.T) {
	dir := written(t)
	before := entries(t, dir)
	c, r := small(t)
	c[TasksFile] = nil
	c["release.json/impossible"] = []byte("below a file")
	if err := c.Write(dir, r); err == nil {
		t.Fatal("no error")
	}
	if got := entries(t, dir); !reflect.DeepEqual(got, before) {
		t.Errorf("there are\n%q, want\n%q", got, before)
	}
	if d, err := OpenDataset(dir); err != nil || len(d.Tasks) != 1 {
		t.Errorf("the earlier release is gone: %v", err)
	}
}

func TestTheSameContentsMakeTheSameRelease(t *testing.T) {
	a, b := written(t), written(t)
	for _, name := range entries(t, a) {
		left, err := os.ReadFile(filepath.Join(a, name))
		if err != nil {
			continue // a folder
		}
		if right, err := os.ReadFile(filepath.Join(b, name)); err != nil || string(left) != string(right) {
			t.Errorf("%s differs: %v", name, err)
		}
	}
}

func remove(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func overwrite(name, text string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { put(t, filepath.Join(dir, name), text) }
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// entries are the files and folders below dir.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, _ fs.DirEntry, err error) error {
		if name != "." {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}
