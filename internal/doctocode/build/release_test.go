package build

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"touchstone/internal/doctocode"
)

// calculator has a function that only runs anew when the package is imported,
// and tests that leave something to drop of every kind.
var calculator = map[string]string{
	"calc/__init__.py": `from typing import Optional


def add(a: int, b: int) -> int:
    """The sum."""
    return a + b


def squares(n) -> "list[int]":
    """The first n squares."""
    return [i * i for i in range(n)]


SQUARES = squares(4)


class Stack:
    """Last in, first out."""

    def __init__(self):
        self.items = []

    def top(self) -> Optional[int]:
        """What was put on it last."""
        if self.items:
            return self.items[-1]


def empty():
    """Nothing."""


def noted(x):
    """Is looked at by no test."""
    return repr(x)
`,
	"tests/test_calc.py": `import random, time
import pytest
import calc


@pytest.mark.parametrize("a,b,c", [(1, 2, 3), (0, 0, 0)])
def test_add(a, b, c):
    assert calc.add(a, b) == c


def test_squares():
    calc.squares(1)
    assert calc.SQUARES == [0, 1, 4, 9]


def test_stack():
    s = calc.Stack()
    assert s.top() is None
    s.items.append(7)
    assert s.top() == 7


def test_little():
    calc.empty()
    calc.noted(object())


@pytest.mark.skip(reason="not now")
def test_skipped():
    pass


def test_unsteady():
    assert (object(), time.time(), random.random()) == 1
`,
}

const (
	addTask     = "acme/tool:calc/__init__.py::add"
	squaresTask = "acme/tool:calc/__init__.py::squares"
)

// calculatorRelease is the folder of calculator's release, built once, and the
// options that built it. It is not to be changed.
func calculatorRelease(t *testing.T) Options {
	t.Helper()
	calculatorOnce.Lock()
	defer calculatorOnce.Unlock()
	o := options(t, calculator)
	o.Out = filepath.Join(derived.Root(), "calculator-release")
	if _, err := os.Stat(o.Out); err != nil {
		built(t, o)
	}
	return o
}

var calculatorOnce sync.Mutex

// TestTheSameInputMakesTheSameRelease, however often the build is interrupted
// on the way.
func TestTheSameInputMakesTheSameRelease(t *testing.T) {
	t.Parallel()
	o := calculatorRelease(t)
	d := opened(t, o.Out)
	wantCalculator(t, d)
	interrupted := o
	interrupted.Out = filepath.Join(t.TempDir(), "a folder with spaces")
	interrupted.Workers = 1 // is of no account, either
	for _, step := range []string{"source", "resolving the requirements", "collecting the tests", "index", "tests", "trace", "stubs", "strategies"} {
		ctx, cancel := context.WithCancel(t.Context())
		interrupted.Progress = func(_, now string, done, _ int) {
			if now == step && (done > 0 || step != "tests" && step != "stubs" && step != "strategies") {
				cancel()
			}
		}
		if _, err := Build(ctx, interrupted); !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted at %s, it ended with %v", step, err)
		}
		if _, err := os.Stat(filepath.Join(interrupted.Out, doctocode.ReleaseFile)); err == nil {
			t.Fatalf("interrupted at %s, there is a release", step)
		}
	}
	first := map[string]int{} // what each step first says is done
	interrupted.Progress = func(_, now string, done, _ int) {
		if _, begun := first[now]; !begun {
			first[now] = done
		}
	}
	opened := built(t, interrupted)
	if first["stubs"] < 1 || first["strategies"] < 1 {
		t.Errorf("progress does not begin with what was found finished: %v", first)
	}
	if want, got := contents(t, d.Dir), contents(t, opened.Dir); !maps.EqualFunc(want, got, bytes.Equal) {
		for name := range want {
			if !bytes.Equal(want[name], got[name]) {
				t.Errorf("%s differs:\n%.2000s\n\n%.2000s", name, want[name], got[name])
			}
		}
		t.Errorf("the files are %q and %q", slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
	}
}

// wantCalculator checks the release by the rules, line by line.
func wantCalculator(t *testing.T, d *doctocode.Dataset) {
	t.Helper()
	strategies := map[string]doctocode.Strategy{}
	for _, task := range d.Tasks {
		strategies[task.ID] = task.Strategy
		if p := task.Proof; p.Reference != 1 || p.Stubs < 1 || task.Failing == 0 {
			t.Errorf("%s: %+v", task.ID, task)
		}
		if task.Strategy == doctocode.Hooked && !strings.Contains(task.Proof.Rejected[doctocode.Swapped], "while the package is imported") {
			t.Errorf("%s: %v", task.ID, task.Proof.Rejected)
		}
	}
	want := map[string]doctocode.Strategy{
		addTask: doctocode.Swapped, squaresTask: doctocode.Hooked,
		"acme/tool:calc/__init__.py::Stack.__init__": doctocode.Swapped, "acme/tool:calc/__init__.py::Stack.top": doctocode.Swapped,
	}
	if !maps.Equal(strategies, want) {
		t.Errorf("the strategies are %v, want %v", strategies, want)
	}
	var dropped []string
	for _, x := range d.Dropped {
		dropped = append(dropped, x.Reason+" "+x.ID)
	}
	if want := []string{"skipped tests/test_calc.py::test_skipped", "failing tests/test_calc.py::test_unsteady",
		"no_body acme/tool:calc/__init__.py::empty", "vacuous_tests acme/tool:calc/__init__.py::noted"}; !slices.Equal(dropped, want) {
		t.Errorf("dropped were %q, want %q", dropped, want)
	}
	c := d.Release.Counts
	if c.Targets != 6 || c.Tasks != 4 || c.Tests != 5 || !maps.Equal(c.Dropped, map[string]int{"skipped": 1, "failing": 1, "no_body": 1, "vacuous_tests": 1}) {
		t.Errorf("the counts are %+v", c)
	}
}

// TestVerify spoils a release: one task gets a strategy that errs, another a
// test that does not exist.
func TestVerify(t *testing.T) {
	t.Parallel()
	o := calculatorRelease(t)
	out := filepath.Join(t.TempDir(), "release")
	if err := os.CopyFS(out, os.DirFS(o.Out)); err != nil {
		t.Fatal(err)
	}
	o.Out = out
	d := opened(t, o.Out)
	verify := func(readOnly bool) Verification {
		t.Helper()
		v, err := Verify(t.Context(), VerifyOptions{Dataset: opened(t, o.Out), Cache: derived, Sandbox: o.Sandbox, Workers: 2,
			Progress: func(string, int, int) {}, ReadOnly: readOnly})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := contents(t, o.Out)
	for i := range d.Tasks {
		switch task := &d.Tasks[i]; task.ID {
		case squaresTask:
			task.Strategy = doctocode.Swapped
		case addTask:
			task.Tests = append(task.Tests, "tests/test_calc.py::test_gone")
		}
	}
	if err := rewrite(d, map[string]doctocode.Task{d.Tasks[0].ID: d.Tasks[0]}, nil); err != nil {
		t.Fatal(err)
	}
	spoiled := contents(t, o.Out)
	want := Verification{Tasks: 4, Reference: 1, Stub: 0, Repaired: []string{squaresTask}, Dropped: []string{addTask}}
	if v := verify(true); v.String() != want.String() {
		t.Errorf("spoiled, to be reported only: %s, want %s", v, want)
	}
	if !maps.EqualFunc(spoiled, contents(t, o.Out), bytes.Equal) {
		t.Error("the release was changed")
	}
	if v := verify(false); v.String() != want.String() {
		t.Errorf("spoiled: %s, want %s", v, want)
	}
	mended := opened(t, o.Out)
	for _, task := range mended.Tasks {
		if task.ID == addTask {
			t.Error("the task with a test that does not exist is still there")
		}
		if task.ID == squaresTask && (task.Strategy != doctocode.Hooked || !strings.HasPrefix(task.Proof.Rejected[doctocode.Swapped], "a control erred: stub ended as passed")) {
			t.Errorf("%s was not repaired: %+v", task.ID, task)
		}
	}
	last := mended.Dropped[len(mended.Dropped)-1]
	if last.ID != addTask || last.Reason != doctocode.ReasonControl || !strings.HasPrefix(last.Detail, "reference ended as error") {
		t.Errorf("the drop is recorded as %+v", last)
	}
	if c := mended.Release.Counts; c.Tasks != 3 || c.Dropped[doctocode.ReasonControl] != 1 || c.Targets != 6 {
		t.Errorf("the counts are %+v", c)
	}
	after := contents(t, o.Out)
	for name := range before {
		if changed := !bytes.Equal(before[name], after[name]); changed && !slices.Contains([]string{doctocode.TasksFile, doctocode.DroppedFile,
			doctocode.RepositoriesFile, doctocode.ReleaseFile}, name) {
			t.Errorf("%s was changed", name)
		}
	}
	if v := verify(false); v.Tasks != 3 || v.Reference != 1 || v.Stub != 0 || len(v.Repaired)+len(v.Dropped) > 0 {
		t.Errorf("mended: %s", v)
	}
}

// contents are the files of a release, timings left out.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == doctocode.TimingsFile {
			return err
		}
		all[name], err = fs.ReadFile(root, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
