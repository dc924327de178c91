package build

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"touchstone/internal/doctocode"
)

// tool is an ordinary package with a test; what is unusual stands beside it.
const (
	tool     = "def double(x):\n    \"\"\"Twice x.\"\"\"\n    return x + x\n"
	toolTest = "import tool\ndef test_double():\n    assert tool.double(2) == 4\n"
)

const toolTask = "acme/tool:tool.py::double"

// TestUnusualRepositories builds releases of repositories that misbehave. Each
// ends in a release that says what it lacks, or in none and a reason.
func TestUnusualRepositories(t *testing.T) {
	const fine = toolTask
	for _, c := range []struct {
		what    string
		files   map[string]string // beside tool.py; "tool.py" replaces it
		limits  Limits
		tasks   []string
		dropped []string // reason, id and detail of lines of dropped.jsonl, "reason id: words of the detail"
		notes   []string
		fails   []string // words of the error; no release is made
	}{
		{
			what:    "a test hangs",
			files:   map[string]string{"test_hang.py": "import time\ndef test_hang(): time.sleep(1000)\n", "test_tool.py": toolTest},
			limits:  Limits{Test: 4 * time.Second},
			tasks:   []string{fine},
			dropped: []string{"failing test_hang.py::test_hang: runs longer than 4s"},
			notes:   []string{"test test_hang.py::test_hang runs longer than 4s and was taken out"},
		},
		{
			what: "more tests hang than are taken out",
			files: map[string]string{"test_hang.py": "import time, pytest\n@pytest.mark.parametrize('n', range(9))\n" +
				"def test_hang(n): time.sleep(1000)\n"},
			limits: Limits{Test: time.Second, Removed: 1},
			fails:  []string{"1 tests that hang or end the process were taken out", `"test_hang.py::test_hang[1]" still runs longer than 1s`},
		},
		{
			what: "the suite as a whole does not end",
			files: map[string]string{"test_hang.py": "import time, pytest\n@pytest.mark.parametrize('n', range(1000))\n" +
				"def test_slow(n): time.sleep(0.5)\n"},
			limits: Limits{Suite: 5 * time.Second},
			fails:  []string{"the suite did not end within 5s", "it was at test_hang.py::test_slow", "deselect slow tests"},
		},
		{
			what:    "a test file hangs while it is collected",
			files:   map[string]string{"test_hang.py": "while True: pass\n", "test_tool.py": toolTest},
			limits:  Limits{Collection: 8 * time.Second},
			tasks:   []string{fine},
			dropped: []string{"failing test_hang.py: collection did not end within its time limit at test_hang.py"},
			notes:   []string{"test_hang.py: it is left out"},
		},
		{
			what:   "conftest.py hangs",
			files:  map[string]string{"conftest.py": "while True: pass\n", "test_tool.py": toolTest},
			limits: Limits{Collection: 5 * time.Second},
			fails:  []string{"no test was collected", "collection did not end within its time limit"},
		},
		{
			what:    "a test file ends the process while it is collected",
			files:   map[string]string{"test_exit.py": "import os\nos._exit(3)\n", "test_tool.py": toolTest},
			tasks:   []string{fine},
			dropped: []string{"failing test_exit.py: collection ended with status 3 at test_exit.py"},
		},
		{
			what:  "a system library is missing everywhere",
			files: map[string]string{"tool.py": lacksLibrary + tool, "test_tool.py": toolTest},
			fails: []string{"no test was collected", "libXYZ.so.1: this shared library is missing: install the system package that has it"},
		},
		{
			what:    "a system library is missing in a test file",
			files:   map[string]string{"test_gl.py": lacksLibrary + "def test_gl(): pass\n", "test_tool.py": toolTest},
			tasks:   []string{fine},
			dropped: []string{"failing test_gl.py: libXYZ.so.1: cannot open shared object file"},
			notes:   []string{"libXYZ.so.1: this shared library is missing"},
		},
		{
			what:  "there are no tests",
			files: map[string]string{},
			fails: []string{"no test was collected"},
		},
		{
			what:  "there is no Python at all",
			files: map[string]string{"tool.py": "->nowhere", "README": "A tool.\n"},
			fails: []string{"no test was collected"},
		},
		{
			what:  "a module does not parse",
			files: map[string]string{"new.py": "def f(:\n", "test_tool.py": toolTest},
			tasks: []string{fine},
			notes: []string{"new.py cannot be read by this Python: "},
		},
		{
			what:    "a test file does not parse",
			files:   map[string]string{"test_new.py": "def test(:\n", "test_tool.py": toolTest},
			tasks:   []string{fine},
			dropped: []string{"failing test_new.py: SyntaxError"},
			notes:   []string{"test_new.py: it could not be collected and is left out"},
		},
		{
			what: "tests write into the tree",
			files: map[string]string{"test_write.py": "import os, tool\nHERE = os.path.dirname(os.path.abspath(__file__))\n" +
				"def test_write():\n    with open(os.path.join(HERE, 'tool.py'), 'w') as f: f.write('def double(x): return 5\\n')\n" +
				"    with open(os.path.join(HERE, 'count'), 'a+') as f:\n        f.seek(0)\n        assert f.read() == ''\n        f.write('1')\n" +
				"    assert tool.double(2) == 4\n"},
			tasks: []string{fine},
		},
		{
			what: "tests use the network",
			files: map[string]string{"test_net.py": "import urllib.request\ndef test_net(): urllib.request.urlopen('http://example.com/')\n",
				"test_tool.py": toolTest},
			tasks:   []string{fine},
			dropped: []string{"failing test_net.py::test_net: "},
			notes:   []string{"1 tests need the network, which the sandbox does not have"},
		},
		{
			what:    "a test ends the process",
			files:   map[string]string{"test_exit.py": "import os\ndef test_exit(): os._exit(0)\n", "test_tool.py": toolTest},
			tasks:   []string{fine},
			dropped: []string{"failing test_exit.py::test_exit: ends the process"},
		},
		{
			what: "a test kills what it can",
			files: map[string]string{"test_kill.py": "import os, signal\ndef test_parent():\n    os.kill(os.getppid(), signal.SIGKILL)\n" +
				"def test_group():\n    os.kill(0, signal.SIGKILL)\n", "test_tool.py": toolTest},
			tasks:   []string{fine},
			dropped: []string{"failing test_kill.py::test_group: ends the process"},
		},
		{
			what:  "a source is not UTF-8",
			files: map[string]string{"latin.py": "# -*- coding: latin-1 -*-\ndef shout(x):\n    return x + '\xe9!'\n", "bad.py": "x = '\xe9'\n", "test_latin.py": "import latin\ndef test_shout():\n    assert latin.shout('a') == 'a\\u00e9!'\n"},
			tasks: []string{"acme/tool:latin.py::shout"},
			notes: []string{"bad.py cannot be read by this Python"},
		},
		{
			what:  "links lead round in circles",
			files: map[string]string{"deep/loop": "->..", "a": "->b", "b": "->a", "test_tool.py": toolTest},
			tasks: []string{fine},
		},
		{
			what: "pytest itself needs the package",
			files: map[string]string{"pyproject.toml": "[project]\nname = \"pluggy\"\nversion = \"1.5.0\"\n",
				"pluggy/__init__.py": "def hook(x):\n    return x + 1\n", "test_pluggy.py": "import pluggy\ndef test_hook():\n    assert pluggy.hook(1) == 2\n"},
			fails: []string{"pytest"},
		},
		{
			what: "ids hold addresses",
			files: map[string]string{"test_ids.py": "import pytest\nclass C: pass\n@pytest.mark.parametrize('c', [C(), C()], ids=repr)\ndef test_c(c): pass\n",
				"test_tool.py": toolTest},
			tasks:   []string{fine},
			dropped: []string{"flaky test_ids.py::test_c[<test_ids.C object at …>]: its id is another in every run"},
		},
		{
			what:  "every test is skipped",
			files: map[string]string{"test_tool.py": "import pytest, tool\n@pytest.mark.skip(reason='too slow')\ndef test_double(): pass\n"},
			fails: []string{"all of the 1 tests are skipped or expected to fail", "test_tool.py::test_double", "too slow"},
		},
		{
			what:  "no test reaches a function",
			files: map[string]string{"test_tool.py": "def test(): pass\n"},
			fails: []string{"no function outside the tests is reached by a passing test"},
		},
		{
			what:  "no test looks at a result",
			files: map[string]string{"test_tool.py": "import tool\ndef test(): tool.double(2)\n"},
			fails: []string{"none of 1 functions is left as a task (vacuous_tests 1)"},
		},
		{
			what: "a test takes all the memory",
			files: map[string]string{"test_memory.py": "def test_memory():\n    x = []\n    while True: x.append(bytearray(1 << 26))\n",
				"test_tool.py": toolTest},
			tasks:   []string{fine},
			dropped: []string{"failing test_memory.py::test_memory: MemoryError"},
		},
		{
			what: "a test has subtests",
			files: map[string]string{"test_tool.py": "import unittest, tool\nclass T(unittest.TestCase):\n    def test_double(self):\n" +
				"        for n in range(3):\n            with self.subTest(n=n):\n                self.assertEqual(tool.double(n), 2 * n)\n"},
			tasks: []string{fine},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"tool.py": tool}
			for name, content := range c.files {
				files[name] = content
			}
			o := options(t, files)
			o.Workers, o.Limits = 1, c.limits
			result, err := Build(t.Context(), o)
			skipOffline(t, err)
			if len(c.fails) > 0 {
				var suite *SuiteError
				if !errors.As(err, &suite) {
					t.Fatalf("the error is %v, want a *SuiteError", err)
				}
				wantWords(t, err.Error(), c.fails)
				if _, err := doctocode.OpenDataset(o.Out); err == nil {
					t.Error("there is a release all the same")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			d := opened(t, o.Out)
			var tasks, dropped []string
			for _, task := range d.Tasks {
				tasks = append(tasks, task.ID)
			}
			if !slices.Equal(tasks, c.tasks) {
				t.Errorf("the tasks are %q, want %q", tasks, c.tasks)
			}
			for _, x := range d.Dropped {
				dropped = append(dropped, x.Reason+" "+x.ID+": "+x.Detail)
			}
			for _, want := range c.dropped {
				id, words, _ := strings.Cut(want, ": ")
				if !slices.ContainsFunc(dropped, func(got string) bool { return strings.HasPrefix(got, id+": ") && strings.Contains(got, words) }) {
					t.Errorf("%q is not among what was dropped:\n%s", want, strings.Join(dropped, "\n"))
				}
			}
			if len(c.dropped) != len(dropped) {
				t.Errorf("dropped were:\n%s", strings.Join(dropped, "\n"))
			}
			wantWords(t, strings.Join(result.Repositories[0].Notes, "\n"), c.notes)
		})
	}
}

// lacksLibrary fails as an extension module does whose library is not there.
const lacksLibrary = "raise ImportError('libXYZ.so.1: cannot open shared object file: No such file or directory')\n"

func wantWords(t *testing.T, text string, words []string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("there is no %q in:\n%s", w, text)
		}
	}
}
