package execute_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/environment/environmenttest"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/pyharness"
	"touchstone/internal/sandbox/sandboxtest"
)

// derived holds the derived files of one run of the tests.
var derived *cache.Folder

func TestMain(m *testing.M) { sandboxtest.MainWithCache(m, &derived) }

// workspaceOf opens a folder of testdata as a repository and indexes it.
func workspaceOf(t testing.TB, tree string) *execute.Workspace {
	t.Helper()
	e := environmenttest.Pytest(t)
	tree, err := filepath.Abs(tree)
	if err != nil {
		t.Fatal(err)
	}
	w, err := execute.Open(execute.Recipe{
		Name: "test/" + filepath.Base(tree), Tree: tree, Interpreter: e.Interpreter(), Environ: e.Environ([]string{"."}),
		Mounts: e.Mounts(), Cache: derived, Key: e.Key,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.SetIndex(index(t, w).Files)
	return w
}

type indexed struct {
	Files      []*doctocode.SourceFile `json:"files"`
	Unreadable []struct {
		Path string `json:"path"`
		Why  string `json:"why"`
	} `json:"unreadable"`
}

func index(t testing.TB, w *execute.Workspace) indexed {
	t.Helper()
	server, err := w.Start(context.Background(), sandboxtest.Named(t), pyharness.Private, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	var answer indexed
	if err := server.Call(context.Background(), "index", map[string]any{"wall": 120}, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

var fixture struct {
	sync.Once
	workspace *execute.Workspace
}

// fixtureWorkspace is testdata/fixture, warm.
func fixtureWorkspace(t testing.TB) *execute.Workspace {
	t.Helper()
	fixture.Do(func() {
		w := workspaceOf(t, "testdata/fixture")
		if err := w.Warm(context.Background(), sandboxtest.Named(t)); err != nil {
			t.Fatal(err)
		}
		fixture.workspace = w
	})
	if fixture.workspace == nil {
		sandboxtest.Missing(t, "the fixture could not be made")
	}
	return fixture.workspace
}

// The tests that reach the functions of the fixture.
var fixtureTests = map[string][]string{
	"parcel/plain.py::scale": {"plain::test_scale", "plain::test_scale_by[1-expected0]", "plain::test_scale_by[-1-expected1]",
		"plain::test_scale_by[10-expected2]", "plain::test_scale_zero", "plain::TestScale::test_floats", "plain::TestScale::test_length"},
	"parcel/plain.py::one_line":              {"plain::test_one_line"},
	"parcel/plain.py::countdown":             {"plain::test_countdown"},
	"parcel/plain.py::fetch":                 {"plain::test_fetch"},
	"parcel/plain.py::counter":               {"plain::test_counter"},
	"parcel/plain.py::counter.<locals>.step": {"plain::test_counter"},
	"parcel/plain.py::greet":                 {"plain::test_greet"},
	"parcel/plain.py::note":                  {"plain::test_note"},
	"parcel/plain.py::home":                  {"plain::test_home"},
	"parcel/plain.py::fill":                  {"plain::test_fill"},
	"parcel/plain.py::version":               {"plain::test_version"},
	"parcel/shapes.py::Shape.__init__":       {"shapes::TestShape::test_init"},
	"parcel/shapes.py::Shape.describe":       {"shapes::TestShape::test_describe", "shapes::test_square"},
	"parcel/shapes.py::Shape.sides":          {"shapes::TestShape::test_sides"},
	"parcel/shapes.py::Shape.sides#1":        {"shapes::TestShape::test_sides", "shapes::TestShape::test_negative_sides"},
	"parcel/shapes.py::Shape.named":          {"shapes::TestShape::test_named"},
	"parcel/shapes.py::Shape.unit":           {"shapes::TestShape::test_unit"},
	"parcel/shapes.py::Shape.Corner.turn":    {"shapes::TestShape::test_turn"},
	"parcel/shapes.py::Shape.__eq__":         {"shapes::TestShape::test_equal"},
	"parcel/shapes.py::Square.describe":      {"shapes::test_square"},
	"parcel/latin.py::umlauts":               {"plain::test_umlauts"},
	"parcel/windows.py::join":                {"plain::test_join"},
	"parcel/registry.py::register":           {"plain::test_registry", "plain::test_register"},
	"parcel/__main__.py::shout":              {"plain::test_shout"},
}

// taskTests expands the short names above to node ids.
func taskTests(short []string) []string {
	var tests []string
	for _, s := range short {
		file, rest, _ := strings.Cut(s, "::")
		tests = append(tests, "tests/test_"+file+".py::"+rest)
	}
	return tests
}

func taskID(short string) string { return "test/fixture:" + short }

func fixtureTasks() []doctocode.Task {
	var tasks []doctocode.Task
	for name, tests := range fixtureTests {
		tasks = append(tasks, doctocode.Task{ID: taskID(name), Tests: taskTests(tests)})
	}
	return tasks
}

// fixtureRunner runs candidates of the fixture, within limits that a test
// machine can bear.
func fixtureRunner(t testing.TB, workers int) *execute.Runner {
	t.Helper()
	runner, err := fixtureWorkspace(t).NewRunner(sandboxtest.Named(t), workers, fixtureTasks())
	if err != nil {
		t.Fatal(err)
	}
	runner.Limits = execute.Limits{Memory: 600 << 20, FileSize: 8 << 20, Processes: 40}
	t.Cleanup(runner.Close)
	return runner
}

// original is the canonical body of a task as the fixture has it.
func original(t testing.TB, w *execute.Workspace, short string) string {
	t.Helper()
	var id struct {
		path, name string
		ordinal    int
	}
	id.path, id.name, _ = strings.Cut(short, "::")
	id.name, _, _ = strings.Cut(id.name, "#")
	if strings.HasSuffix(short, "#1") {
		id.ordinal = 1
	}
	file, d, err := w.Find(id.path, id.name, id.ordinal)
	if err != nil {
		t.Fatal(err)
	}
	return file.OriginalBody(d)
}

func run(t testing.TB, runner *execute.Runner, c execute.Candidate) execute.Outcome {
	t.Helper()
	if c.Wall == 0 {
		c.Wall = 20 * time.Second
	}
	outcome, err := runner.Run(context.Background(), c)
	if err != nil {
		t.Fatalf("the machine failed: %v", err)
	}
	return outcome
}

func show(o execute.Outcome) string {
	text, _ := json.Marshal(o)
	return string(text)
}

func pythonVersion(t testing.TB) string { return environmenttest.Pytest(t).Python.Version }
