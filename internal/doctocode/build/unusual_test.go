package build

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"touchstone/internal/doctocode"
)

// tool is an ordinary module with a test.
const (
	tool     = "def double(x):\n    \"\"\"Twice x.\"\"\"\n    return x + x\n"
	toolTest = "import tool\ndef test_double():\n    assert tool.double(2) == 4\n"
)

// TestUnusualTests builds one release of a repository whose tests do what
// tests should not. What can be used is, and the release says what it lacks.
func TestUnusualTests(t *testing.T) {
	cases := []struct {
		what    string
		files   map[string]string
		task    string   // that is in the release all the same
		dropped []string // lines of dropped.jsonl, "reason id: words of the detail"
		note    string
	}{
		{
			what:  "an ordinary one",
			files: map[string]string{"tool.py": tool, "test_tool.py": toolTest},
			task:  "tool.py::double",
		},
		{
			what:    "one hangs",
			files:   map[string]string{"test_hang.py": "import time\ndef test_hang(): time.sleep(1000)\n"},
			dropped: []string{"failing test_hang.py::test_hang: runs longer than 4s"},
			note:    "test test_hang.py::test_hang runs longer than 4s and was taken out",
		},
		{
			what:    "one ends the process",
			files:   map[string]string{"test_exit.py": "import os\ndef test_exit(): os._exit(0)\n"},
			dropped: []string{"failing test_exit.py::test_exit: ends the process"},
			note:    "test test_exit.py::test_exit ends the process and was taken out",
		},
		{
			what: "one kills its parent, another its group",
			files: map[string]string{"test_kill.py": "import os, signal\ndef test_parent():\n    os.kill(os.getppid(), signal.SIGKILL)\n" +
				"def test_group():\n    os.kill(0, signal.SIGKILL)\n"},
			dropped: []string{"failing test_kill.py::test_group: ends the process"},
		},
		{
			what:    "one takes all the memory",
			files:   map[string]string{"test_memory.py": "def test_memory():\n    bytearray(1 << 40)\n"},
			dropped: []string{"failing test_memory.py::test_memory: MemoryError"},
		},
		{
			what:    "a file hangs while it is collected",
			files:   map[string]string{"test_slow_import.py": "while True: pass\n"},
			dropped: []string{"failing test_slow_import.py: not collected: collection did not end within its time limit at test_slow_import.py"},
			note:    "test_slow_import.py: it is left out",
		},
		{
			what:    "a file ends the process while it is collected",
			files:   map[string]string{"test_exit_import.py": "import os\nos._exit(3)\n"},
			dropped: []string{"failing test_exit_import.py: not collected: collection ended with status 3 at test_exit_import.py"},
		},
		{
			what:    "a file needs a system library",
			files:   map[string]string{"test_gl.py": lacksLibrary + "def test_gl(): pass\n"},
			dropped: []string{"failing test_gl.py: libXYZ.so.1: cannot open shared object file"},
			note:    "libXYZ.so.1: this shared library is missing: install the system package that has it",
		},
		{
			what:  "a module does not parse",
			files: map[string]string{"new.py": "def f(:\n"},
			note:  "new.py, line 1, cannot be read by this Python: invalid syntax\n",
		},
		{
			what:    "a file does not parse",
			files:   map[string]string{"test_new.py": "def test(:\n"},
			dropped: []string{"failing test_new.py: SyntaxError"},
			note:    "test_new.py: it could not be collected and is left out",
		},
		{
			what: "one writes into the tree",
			files: map[string]string{"written.py": "def half(x):\n    return x / 2\n",
				"test_write.py": "import os, written\nHERE = os.path.dirname(os.path.abspath(__file__))\n" +
					"def test_write():\n    with open(os.path.join(HERE, 'written.py'), 'w') as f: f.write('')\n" +
					"    with open(os.path.join(HERE, 'count'), 'a+') as f:\n        f.seek(0)\n        assert f.read() == ''\n        f.write('1')\n" +
					"    assert written.half(2) == 1\n"},
			task: "written.py::half",
		},
		{
			what:    "one uses the network",
			files:   map[string]string{"test_net.py": "import urllib.request\ndef test_net(): urllib.request.urlopen('http://example.com/')\n"},
			dropped: []string{"failing test_net.py::test_net: failed in call: "},
			note:    "1 tests need the network, which the sandbox does not have",
		},
		{
			what: "sources are not UTF-8, one of them without saying so",
			files: map[string]string{"latin.py": "# -*- coding: latin-1 -*-\ndef shout(x):\n    return x + '\xe9!'\n", "odd.py": "x = '\xe9'\n",
				"test_latin.py": "import latin\ndef test_shout():\n    assert latin.shout('a') == 'a\\u00e9!'\n"},
			task: "latin.py::shout",
			note: "odd.py cannot be read by this Python",
		},
		{
			what:  "links lead round in circles",
			files: map[string]string{"a": "->b", "b": "->a", "deep/self": "->self"},
			note:  "a symbolic link that leads out of the tree or nowhere was left out",
		},
		{
			what:    "ids hold addresses",
			files:   map[string]string{"test_ids.py": "import pytest\nclass C: pass\n@pytest.mark.parametrize('c', [C(), C()], ids=repr)\ndef test_c(c): pass\n"},
			dropped: []string{"flaky test_ids.py::test_c[<test_ids.C object at …>]: its id is another in every run"},
		},
		{
			what: "one reports several results",
			files: map[string]string{"test_sub.py": "import unittest\nclass T(unittest.TestCase):\n    def test_sub(self):\n" +
				"        for n in range(2):\n            with self.subTest(n=n): pass\n"},
			dropped: []string{"failing test_sub.py::T::test_sub: 5 results of setup, call and teardown instead of one each"},
		},
		{
			what: "one is skipped, one expected to fail, one passes against expectation",
			files: map[string]string{"test_skip.py": "import pytest\n@pytest.mark.skip(reason='too slow')\ndef test_skip(): pass\n" +
				"@pytest.mark.xfail\ndef test_xfail(): assert 0\n@pytest.mark.xfail\ndef test_xpass(): pass\n"},
			dropped: []string{"skipped test_skip.py::test_skip: too slow", "skipped test_skip.py::test_xfail: assert 0", "skipped test_skip.py::test_xpass: "},
		},
	}
	files := map[string]string{}
	var tasks []string
	for _, c := range cases {
		maps.Copy(files, c.files)
		if c.task != "" {
			tasks = append(tasks, "acme/tool:"+c.task)
		}
	}
	t.Parallel()
	o := options(t, files)
	o.Limits = Limits{Collection: 8 * time.Second, Test: 4 * time.Second}
	result, err := Build(t.Context(), o)
	skipOffline(t, err)
	if err != nil {
		t.Fatal(err)
	}
	d := opened(t, o.Out)
	notes := strings.Join(result.Repositories[0].Notes, "\n")
	lines := 0
	for _, c := range cases {
		t.Run(c.what, func(t *testing.T) {
			if c.task != "" && !slices.ContainsFunc(d.Tasks, func(task doctocode.Task) bool { return task.ID == "acme/tool:"+c.task }) {
				t.Errorf("%s is no task", c.task)
			}
			for _, want := range c.dropped {
				lines++
				head, words, _ := strings.Cut(want, ": ")
				if !slices.ContainsFunc(d.Dropped, func(x doctocode.Dropped) bool {
					return x.Kind == "test" && x.Reason+" "+x.ID == head && strings.Contains(x.Detail, words)
				}) {
					t.Errorf("%q is not among what was dropped", want)
				}
			}
			wantWords(t, notes, []string{c.note})
		})
	}
	if len(d.Tasks) != len(tasks) || len(d.Dropped) != lines {
		t.Errorf("there are %d tasks, want %q", len(d.Tasks), tasks)
		for _, x := range d.Dropped {
			t.Logf("dropped: %s %s: %s", x.Reason, x.ID, x.Detail)
		}
	}
}

// TestUnusableRepositories: no release is made, and the error says why.
func TestUnusableRepositories(t *testing.T) {
	for _, c := range []struct {
		what   string
		files  map[string]string
		limits Limits
		words  []string
		once   string // words that are not said twice
	}{
		{
			what: "more tests hang than are taken out",
			files: map[string]string{"test_hang.py": "import time, pytest\n@pytest.mark.parametrize('n', range(9))\n" +
				"def test_hang(n): time.sleep(1000)\n"},
			limits: Limits{Test: time.Second, Removed: 1},
			words:  []string{"1 tests that hang or end the process were taken out", `"test_hang.py::test_hang[1]" still runs longer than 1s`},
		},
		{
			what: "the suite as a whole does not end",
			files: map[string]string{"test_slow.py": "import time, pytest\n@pytest.mark.parametrize('n', range(1000))\n" +
				"def test_slow(n): time.sleep(0.5)\n"},
			limits: Limits{Suite: 5 * time.Second},
			words:  []string{"the suite did not end within 5s", "it was at test_slow.py::test_slow", "deselect slow tests"},
		},
		{
			what:   "conftest.py hangs",
			files:  map[string]string{"conftest.py": "while True: pass\n", "test_tool.py": toolTest},
			limits: Limits{Collection: 5 * time.Second},
			words:  []string{"no test was collected", "collection did not end within its time limit"},
		},
		{
			what:  "a system library is missing everywhere",
			files: map[string]string{"tool.py": lacksLibrary + tool, "test_tool.py": toolTest},
			words: []string{"no test was collected", "libXYZ.so.1: this shared library is missing: install the system package that has it"},
		},
		{
			what:  "there are no tests",
			files: map[string]string{"tool.py": tool},
			words: []string{"no test was collected: no file that pytest looks into holds one, nor does one called test.py, tests.py or the like; " +
				"a package without tests cannot be used, since its tests are what judges a body"},
			once: "no test was collected",
		},
		{
			what:  "the package does not parse",
			files: map[string]string{"tool/__init__.py": tool + "def broken(:\n", "tests/test_tool.py": toolTest},
			words: []string{"no test was collected: tests/test_tool.py: it could not be collected: SyntaxError: invalid syntax (tool/__init__.py, line 4)"},
			once:  "no test was collected",
		},
		{
			what:  "the package raises",
			files: map[string]string{"tool/__init__.py": tool + "raise RuntimeError('not today')\n", "tests/test_tool.py": toolTest},
			words: []string{"RuntimeError: not today (tool/__init__.py, line 4)"},
		},
		{
			what: "pytest itself needs the package",
			files: map[string]string{"pyproject.toml": "[project]\nname = \"pluggy\"\nversion = \"1.5.0\"\n",
				"pluggy/__init__.py": "def hook(x):\n    return x + 1\n", "test_pluggy.py": "import pluggy\ndef test_hook():\n    assert pluggy.hook(1) == 2\n"},
			words: []string{"pytest, which runs the tests, is itself built on pluggy"},
		},
		{
			what:  "every test is skipped",
			files: map[string]string{"tool.py": tool, "test_tool.py": "import pytest, tool\n@pytest.mark.skip(reason='too slow')\ndef test_double(): pass\n"},
			words: []string{"all of the 1 tests are skipped or expected to fail", "test_tool.py::test_double", "too slow"},
		},
		{
			what:  "no test reaches a function",
			files: map[string]string{"tool.py": tool, "test_tool.py": "def test(): pass\n"},
			words: []string{"no function outside the tests is reached by a passing test"},
		},
		{
			what:  "no test looks at a result",
			files: map[string]string{"tool.py": tool, "test_tool.py": "import tool\ndef test(): tool.double(2)\n"},
			words: []string{"none of 1 functions is left as a task (vacuous_tests 1)"},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			o := options(t, c.files)
			o.Limits = c.limits
			_, err := Build(t.Context(), o)
			skipOffline(t, err)
			var suite *SuiteError
			if !errors.As(err, &suite) {
				t.Fatalf("the error is %v, want a *SuiteError", err)
			}
			t.Log(err)
			wantWords(t, err.Error(), c.words)
			if c.once != "" && strings.Count(err.Error(), c.once) > 1 {
				t.Errorf("%q is said twice in: %v", c.once, err)
			}
			if _, err := doctocode.OpenDataset(o.Out); err == nil {
				t.Error("there is a release all the same")
			}
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
