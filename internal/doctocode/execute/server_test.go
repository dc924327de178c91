package execute_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/pyharness"
	"touchstone/internal/sandbox/sandboxtest"
)

// TestSeveralAtOnce: candidates of several workers do not disturb each other.
func TestSeveralAtOnce(t *testing.T) {
	runner := fixtureRunner(t, 3)
	const task = "parcel/plain.py::scale"
	var wait sync.WaitGroup
	for i := range 30 {
		body, want := "return values", benchmark.Failed
		switch i % 3 {
		case 0:
			body, want = "if factor == 0:\n    raise ValueError\nreturn [factor * v for v in values]", benchmark.Passed
		case 1:
			body, want = "import os\nos.kill(-1, 9)", benchmark.Failed // there is no other process
		}
		wait.Go(func() {
			got, err := runner.Run(context.Background(), execute.Candidate{Task: taskID(task), Body: body, Tests: taskTests(fixtureTests[task]),
				Strategy: doctocode.Strategies[i%2], Wall: 20 * time.Second})
			if err != nil || got.Verdict != want {
				t.Errorf("%d: want %s, got %s %v", i, want, show(got), err)
			}
		})
	}
	wait.Wait()
}

// TestServerDoesNotGrow: hundreds of candidates leave a server as it was.
func TestServerDoesNotGrow(t *testing.T) {
	w := fixtureWorkspace(t)
	mask, err := w.Mask(fixtureTasks())
	if err != nil {
		t.Fatal(err)
	}
	server, err := w.Start(t.Context(), sandboxtest.Named(t), pyharness.Swapped, mask)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	file, d, err := w.Find("parcel/plain.py", "scale", 0)
	if err != nil {
		t.Fatal(err)
	}
	request := map[string]any{"strategy": "swapped", "path": file.Path, "line": d.Line, "first_line": d.FirstLine, "name": "scale",
		"outer": map[string]any{"name": "scale", "first_line": d.FirstLine, "start": d.Start, "end": d.Body[1]},
		"tests": taskTests(fixtureTests["parcel/plain.py::scale"]), "wall": 20}
	var first, last struct {
		Resident int `json:"resident"`
		Files    int `json:"files"`
	}
	const rounds = 150
	for i := range rounds {
		request["segment"] = file.Splice(d, fmt.Sprintf("if not factor:\n    raise ValueError\nreturn [value * factor + %d for value in values]", i%2)).Segment
		var answer struct{ Verdict string }
		if err := server.Call(t.Context(), "run", request, &answer); err != nil {
			t.Fatal(err)
		}
		if want := [2]string{"passed", "failed"}[i%2]; answer.Verdict != want {
			t.Fatalf("candidate %d: %s", i, answer.Verdict)
		}
		if i == rounds/3 {
			if err := server.Call(t.Context(), "ping", nil, &first); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := server.Call(t.Context(), "ping", nil, &last); err != nil {
		t.Fatal(err)
	}
	if last.Resident > first.Resident+256<<10 || last.Files != first.Files {
		t.Errorf("after %d candidates %+v, after %d %+v", rounds/3, first, rounds, last)
	}
}

// TestServerEnds: whatever ends a server is told apart from what a request
// did wrong, and the next server is as good as new.
func TestServerEnds(t *testing.T) {
	w := fixtureWorkspace(t)
	start := func(t *testing.T) *pyharness.Server {
		server, err := w.Start(t.Context(), sandboxtest.Named(t), pyharness.Private, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Close)
		return server
	}
	t.Run("a request that makes no sense", func(t *testing.T) {
		server := start(t)
		var wrong *pyharness.RequestError
		err := server.Call(t.Context(), "run", map[string]any{"strategy": "forked", "path": "nowhere.py"}, nil)
		if !errors.As(err, &wrong) || !strings.Contains(wrong.Detail, "KeyError") || server.Alive() {
			t.Error(err, server.Alive())
		}
	})
	t.Run("a context that ends", func(t *testing.T) {
		server := start(t)
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		begun := time.Now()
		err := server.Call(ctx, "suite", map[string]any{"wall": 60}, nil)
		if !errors.Is(err, context.DeadlineExceeded) || server.Alive() || time.Since(begun) > 5*time.Second {
			t.Error(err, server.Alive())
		}
	})
	t.Run("a server that was closed", func(t *testing.T) {
		server := start(t)
		server.Close()
		var died *pyharness.DiedError
		if err := server.Call(t.Context(), "ping", nil, nil); !errors.As(err, &died) {
			t.Error(err)
		}
	})
	t.Run("a file that the interpreter cannot read", func(t *testing.T) {
		tree := t.TempDir()
		for name, text := range map[string]string{"good.py": "def f(): pass\n", "bad.py": "def f(:\n", "binary.py": "\x00", "coding.py": "# coding: nothing\n", "latin.py": "'\xe9'\n"} {
			if err := os.WriteFile(filepath.Join(tree, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		e := workspaceOf(t, tree)
		if len(e.Index) != 1 || e.Index[0].Path != "good.py" {
			t.Error(e.Index)
		}
		if found := index(t, e); len(found.Unreadable) != 4 {
			t.Error(found.Unreadable)
		}
	})
}

// TestSuite: the suite is run to its end whatever a test does, with each
// test's phases, and traced without a tracer's own marks.
func TestSuite(t *testing.T) {
	w := fixtureWorkspace(t)
	server, err := w.Start(t.Context(), sandboxtest.Named(t), pyharness.Private, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	var suite struct {
		Tests []struct {
			ID     string
			Phases []struct{ When, Outcome string }
		}
		Ended   bool
		Reached []struct {
			Path, Name string
			Line       int
			Tests      []string
		}
	}
	if err := server.Call(t.Context(), "trace", map[string]any{"wall": 60, "test_wall": 20}, &suite); err != nil {
		t.Fatal(err)
	}
	outcomes := map[string]string{}
	for _, test := range suite.Tests {
		for _, p := range test.Phases {
			outcomes[test.ID] += p.Outcome + " "
		}
	}
	for _, short := range fixtureTests {
		for _, test := range taskTests(short) {
			if outcomes[test] != "passed passed passed " {
				t.Errorf("%s: %s", test, outcomes[test])
			}
		}
	}
	if !suite.Ended || outcomes["tests/test_plain.py::test_skipped"] != "skipped passed " || outcomes["tests/test_plain.py::test_expected_failure"] != "passed skipped passed " {
		t.Error(suite.Ended, outcomes)
	}
	for name, short := range fixtureTests {
		path, qualname, _ := strings.Cut(name, "::")
		qualname, _, _ = strings.Cut(qualname, "#")
		file, d, err := w.Find(path, qualname, 0)
		if err != nil {
			t.Fatal(err)
		}
		reached := ""
		for _, r := range suite.Reached {
			if r.Path == file.Path && r.Name == d.Name() && r.Line == d.FirstLine {
				reached = strings.Join(r.Tests, " ")
			}
		}
		for _, test := range taskTests(short) {
			if !strings.Contains(reached, test) && !strings.HasSuffix(name, "#1") && test != "tests/test_plain.py::test_registry" {
				t.Errorf("%s is not seen to reach %s, but %s", test, name, reached)
			}
		}
	}
}
