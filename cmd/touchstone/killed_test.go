package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"touchstone/internal/doctocode/evaluate"
	"touchstone/internal/sandbox"
)

// asTouchstone makes this test's binary behave as the program itself.
const asTouchstone = "TOUCHSTONE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	sandbox.Init()
	if os.Getenv(asTouchstone) != "" {
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	status := m.Run()
	if evaluated != "" {
		os.RemoveAll(filepath.Dir(evaluated))
	}
	os.Exit(status)
}

// program is a command line of the program as a process.
func program(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asTouchstone+"=1")
	return c
}

func resultOf(t *testing.T, c *exec.Cmd) []byte {
	t.Helper()
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(c.Args[1:], " "), err, stderr.String())
	}
	return out
}

// needs skips the test without a sandbox and the package index, unless
// everything is required.
func needs(t *testing.T) {
	t.Helper()
	why := ""
	if _, err := sandbox.NewLocal(); err != nil {
		why = err.Error()
	} else if err := exec.Command("python3", "-m", "pip", "download", "--quiet", "--no-deps", "--dest", t.TempDir(), "iniconfig").Run(); err != nil {
		why = "the package index cannot be reached"
	}
	if why == "" {
		return
	}
	if os.Getenv("TOUCHSTONE_REQUIRE") == "all" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// An evaluation that is killed goes on where it was: at the end its verdicts
// are those of an undisturbed one, no sample was executed twice for nothing,
// and no process or temporary file is left. TOUCHSTONE_KILLS sets how often.
func TestAKilledEvaluationGoesOn(t *testing.T) {
	needs(t)
	kills := 3
	if n, err := strconv.Atoi(os.Getenv("TOUCHSTONE_KILLS")); err == nil {
		kills = n
	}
	dir := t.TempDir()
	args := func(out string) []string {
		return []string{"evaluate", "--docs", "sample:summary", "--evaluator", "recorded", "--samples", "2", "--sandbox", "local", "--out", filepath.Join(dir, out)}
	}
	start := time.Now()
	resultOf(t, program(args("whole")...))
	whole := time.Since(start)
	for i := range kills {
		wait := time.Duration(rand.Int64N(int64(whole)))
		left := killAfter(t, program(args("killed")...), wait)
		for _, pid := range left {
			t.Errorf("kill %d after %s left process %d: %s", i, wait, pid, commandOf(pid))
		}
	}
	resultOf(t, program(args("killed")...))
	want, got := verdicts(t, filepath.Join(dir, "whole")), verdicts(t, filepath.Join(dir, "killed"))
	if len(want) == 0 || len(want) != len(got) {
		t.Fatalf("%d samples undisturbed, %d killed", len(want), len(got))
	}
	for key, v := range want {
		if got[key] != v {
			t.Errorf("%s: %s undisturbed, %s killed", key, v, got[key])
		}
	}
	scores := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name, evaluate.ScoresFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if scores("whole") != scores("killed") {
		t.Errorf("scores differ:\n%s\n%s", scores("whole"), scores("killed"))
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "killed", "*.new")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	// Other tests may be running; their temporary folders are locked by living processes.
	for _, path := range unlocked(t, filepath.Join(cache, "touchstone", "tmp")) {
		t.Errorf("left: %s", path)
	}
}

// killAfter kills the process with -9 and returns which of its descendants are
// still there two seconds later.
func killAfter(t *testing.T, c *exec.Cmd, wait time.Duration) []int {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(wait)
	family := descendants(c.Process.Pid)
	c.Process.Kill()
	c.Wait()
	deadline := time.Now().Add(2 * time.Second)
	for {
		var alive []int
		for _, pid := range family {
			if syscall.Kill(pid, 0) == nil && !zombie(pid) {
				alive = append(alive, pid)
			}
		}
		if len(alive) == 0 || time.Now().After(deadline) {
			return alive
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func descendants(pid int) []int {
	var all []int
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		data, _ := os.ReadFile(task)
		for _, field := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(field); err == nil {
				all = append(append(all, child), descendants(child)...)
			}
		}
	}
	return all
}

func zombie(pid int) bool {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(data), ") ")
	return strings.HasPrefix(rest, "Z")
}

func commandOf(pid int) string {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.ReplaceAll(string(data), "\x00", " ")
}

// unlocked are the lock files that no process holds.
func unlocked(t *testing.T, dir string) []string {
	t.Helper()
	locks, err := filepath.Glob(filepath.Join(dir, "*.lock"))
	if err != nil {
		t.Fatal(err)
	}
	var free []string
	for _, path := range locks {
		file, err := os.Open(path)
		if err != nil {
			continue
		}
		if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			free = append(free, path)
		}
		file.Close()
	}
	return free
}

func verdicts(t *testing.T, dir string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, evaluate.VerdictsFile))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range bytes.Lines(data) {
		var s evaluate.Sample
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprintf("%s %d", s.Task, s.Sample)
		if _, twice := all[key]; twice {
			t.Errorf("%s stands twice", key)
		}
		all[key] = string(s.Verdict)
	}
	return all
}
