package execute_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/sandbox/sandboxtest"
)

// A cheat is a file of testdata/cheats: a body under a head of comments. The
// first says what it tries, the second which outcomes are right; more may
// name the task (scale, when there is none) or the oldest Python.
type cheat struct {
	name   string
	what   string
	want   []string
	task   string
	python string
	body   string
}

func cheats(t testing.TB) []cheat {
	t.Helper()
	files, err := filepath.Glob("testdata/cheats/*.py")
	if err != nil || len(files) < 30 {
		t.Fatal(len(files), err)
	}
	var all []cheat
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		c := cheat{name: strings.TrimSuffix(filepath.Base(file), ".py"), task: "parcel/plain.py::scale"}
		c.what, c.want, lines = lines[0][2:], strings.Fields(lines[1][2:]), lines[2:]
		for len(lines) > 0 && strings.HasPrefix(lines[0], "# ") {
			key, value, _ := strings.Cut(lines[0][2:], ": ")
			switch key {
			case "task":
				c.task = value
			case "python":
				c.python = value
			}
			lines = lines[1:]
		}
		c.body = strings.Join(lines, "\n")
		all = append(all, c)
	}
	return all
}

// outcomeOf is the verdict, or how a flagged pass is shown.
func outcomeOf(o execute.Outcome) string {
	if o.Verdict == benchmark.Passed && o.Recheck != execute.NotRechecked {
		return string(o.Recheck)
	}
	return string(o.Verdict)
}

// TestCheats: no cheat passes without a flag, by whatever strategy; none is
// found afterwards in the server, its folders or the host, where an honest
// candidate has its honest verdict.
func TestCheats(t *testing.T) {
	w := fixtureWorkspace(t)
	all := cheats(t)
	before := hashes(t, "testdata", derived.Root(), w.Mounts[0].Source)
	t.Run("strategies", func(t *testing.T) {
		for _, strategy := range doctocode.Strategies {
			t.Run(string(strategy), func(t *testing.T) {
				if testing.Short() && strategy == doctocode.Fresh {
					t.Skip("a new interpreter for every cheat takes long")
				}
				t.Parallel()
				runner := fixtureRunner(t, 1)
				for _, c := range all {
					t.Run(c.name, func(t *testing.T) {
						tryCheat(t, runner, strategy, c, original(t, w, c.task))
					})
				}
			})
		}
	})
	for path, sum := range hashes(t, "testdata", derived.Root(), w.Mounts[0].Source) {
		if old, ok := before[path]; ok && old != sum {
			t.Errorf("%s on the host was changed", path)
		}
	}
}

func tryCheat(t *testing.T, runner *execute.Runner, strategy doctocode.Strategy, c cheat, honest string) {
	if !atLeastPython(t, c.python) {
		sandboxtest.Missing(t, fmt.Errorf("it needs Python %s", c.python))
	}
	candidate := execute.Candidate{Task: taskID(c.task), Body: c.body, Tests: taskTests(fixtureTests[c.task]), Strategy: strategy, Wall: 20 * time.Second}
	if slices.Contains(c.want, "timeout") {
		candidate.Wall = 500 * time.Millisecond
	}
	times := 1
	if strings.HasPrefix(c.name, "stash_") {
		times = 2 // the second finds what the first has left
	}
	for range times {
		started := time.Now()
		got := run(t, runner, candidate)
		if !slices.Contains(c.want, outcomeOf(got)) {
			t.Errorf("a candidate that %s: want %v, got %s", c.what, c.want, show(got))
		}
		t.Logf("%s: %s, %v, %.2f s\n%s%s", strategy, outcomeOf(got), got.Flags, time.Since(started).Seconds(), got.Detail, got.RecheckNote)
	}
	candidate.Body, candidate.Wall = honest, 20*time.Second
	if strategy == doctocode.Fresh {
		strategy, candidate.Strategy = doctocode.Forked, doctocode.Forked // the same server and tree, in less time
	}
	if got := run(t, runner, candidate); got.Verdict != benchmark.Passed || len(got.Flags) > 0 || got.Strategy != strategy {
		t.Errorf("the honest candidate afterwards: %s", show(got))
	}
}

func atLeastPython(t *testing.T, version string) bool {
	var major, minor, wanted int
	fmt.Sscanf(pythonVersion(t), "%d.%d", &major, &minor)
	fmt.Sscanf(version, "3.%d", &wanted)
	return minor >= wanted
}

// hashes is the content of every file in the folders.
func hashes(t *testing.T, folders ...string) map[string][32]byte {
	t.Helper()
	found := map[string][32]byte{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			found[path] = sha256.Sum256(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}
