package execute_test

import (
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/sandbox/sandboxtest"
)

// TestRecheck: an honest body that raises a flag is confirmed wherever another
// process can judge it, and shown as suspicious where none can.
func TestRecheck(t *testing.T) {
	const flag = "import types\n" // what it takes to be flagged
	w, runner := fixtureWorkspace(t), fixtureRunner(t, 1)
	for _, c := range []struct {
		what string
		task string
		want execute.Recheck
		note string
	}{
		{"values and exceptions", "parcel/plain.py::scale", execute.Confirmed, ""},
		{"a suite on the header's line", "parcel/plain.py::one_line", execute.Confirmed, ""},
		{"a generator", "parcel/plain.py::countdown", execute.Confirmed, ""},
		{"a coroutine", "parcel/plain.py::fetch", execute.Confirmed, ""},
		{"a decorated function", "parcel/plain.py::greet", execute.Confirmed, ""},
		{"a file that is written", "parcel/plain.py::note", execute.Confirmed, ""},
		{"an argument that is changed", "parcel/plain.py::fill", execute.Confirmed, ""},
		{"the process's own state", "parcel/plain.py::home", execute.Confirmed, ""},
		{"a constructor", "parcel/shapes.py::Shape.__init__", execute.Confirmed, ""},
		{"a property", "parcel/shapes.py::Shape.sides", execute.Confirmed, ""},
		{"its setter", "parcel/shapes.py::Shape.sides#1", execute.Confirmed, ""},
		{"a class method", "parcel/shapes.py::Shape.named", execute.Confirmed, ""},
		{"a static method", "parcel/shapes.py::Shape.unit", execute.Confirmed, ""},
		{"a method of a class in a class", "parcel/shapes.py::Shape.Corner.turn", execute.Confirmed, ""},
		{"a comparison", "parcel/shapes.py::Shape.__eq__", execute.Confirmed, ""},
		{"super", "parcel/shapes.py::Square.describe", execute.Confirmed, ""},
		{"another encoding", "parcel/latin.py::umlauts", execute.Confirmed, ""},
		{"a function that returns a function", "parcel/plain.py::counter", execute.Suspicious, "cannot be named"},
		{"a function in a function", "parcel/plain.py::counter.<locals>.step", execute.Suspicious, "a nested function cannot be called from outside"},
		{"a function that changes its module", "parcel/registry.py::register", execute.Suspicious, "the reference itself cannot be judged"},
	} {
		body := original(t, w, c.task)
		got := run(t, runner, execute.Candidate{Task: taskID(c.task), Body: flag + body, Tests: taskTests(fixtureTests[c.task]), Strategy: doctocode.Hooked})
		if got.Verdict != benchmark.Passed || len(got.Flags) == 0 || got.Recheck != c.want || !strings.Contains(got.RecheckNote, c.note) {
			t.Errorf("%s: want %s, got %s", c.what, c.want, show(got))
		}
	}
}

// TestRecheckWithoutMask: before the tasks are known there is nothing to
// judge over, and nothing is refuted for that.
func TestRecheckWithoutMask(t *testing.T) {
	w := fixtureWorkspace(t)
	runner, err := w.NewRunner(sandboxtest.Named(t), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	const task = "parcel/plain.py::one_line"
	got := run(t, runner, execute.Candidate{Task: taskID(task), Body: "import types\nreturn x + 1", Tests: taskTests(fixtureTests[task]), Strategy: doctocode.Forked})
	if got.Verdict != benchmark.Passed || got.Recheck != execute.Suspicious {
		t.Error(show(got))
	}
}
