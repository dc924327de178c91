package execute_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
)

// TestOriginalBodies: every function passes with the body that it had, by
// every strategy that can run it.
func TestOriginalBodies(t *testing.T) {
	w := fixtureWorkspace(t)
	for _, strategy := range doctocode.Strategies {
		t.Run(string(strategy), func(t *testing.T) {
			t.Parallel()
			runner := fixtureRunner(t, 1)
			for name, tests := range fixtureTests {
				got := run(t, runner, execute.Candidate{Task: taskID(name), Body: original(t, w, name), Tests: taskTests(tests), Strategy: strategy})
				if got.Verdict != benchmark.Passed || len(got.Flags) > 0 || got.Strategy != strategy || got.Ran != len(tests) {
					t.Errorf("%s: %s", name, show(got))
				}
			}
		})
	}
}

// TestVerdicts: a body has the same verdict by every strategy, unless the
// table says otherwise.
func TestVerdicts(t *testing.T) {
	const scale, sides = "parcel/plain.py::scale", "parcel/shapes.py::Shape.sides#1"
	cases := []struct {
		what   string
		task   string
		body   string
		want   benchmark.Verdict
		detail string   // part of what a person is told
		tests  []string // other than the task's
	}{
		{"another way to the same result", scale, "if not factor:\n    raise ValueError\nreturn list(map(factor.__mul__, values))", "", "", nil},
		{"the same result in another way", scale, "if factor:\n    return [factor * v for v in values]\nraise ValueError(factor)", benchmark.Passed, "", nil},
		{"a wrong result", scale, "return values", benchmark.Failed, "test_scale", nil},
		{"an exception", scale, "return undefined", benchmark.Failed, "NameError: name 'undefined' is not defined", nil},
		{"the expected exception alone", scale, "raise ValueError('no')", benchmark.Failed, "ValueError: no", nil},
		{"nothing", scale, "pass", benchmark.Failed, "", nil},
		{"a comment and nothing", scale, "# nothing to do\npass", benchmark.Failed, "", nil},
		{"no code", scale, "  \n", benchmark.NoCode, "", nil},
		{"a comment only", scale, "# to be written", benchmark.SyntaxError, "", nil},
		{"no Python", scale, "return [", benchmark.SyntaxError, "", nil},
		{"a return in the wrong place is no Python", scale, "yield from 1 = 2", benchmark.SyntaxError, "", nil},
		{"a name both local and global", scale, "x = 1\nglobal x\nreturn x", benchmark.SyntaxError, "", nil},
		{"a null byte", scale, "return '\x00'", benchmark.SyntaxError, "", nil},
		{"too deep to parse", scale, "return " + strings.Repeat("(", 5000) + strings.Repeat(")", 5000), benchmark.SyntaxError, "", nil},
		{"characters beyond the encoding", "parcel/latin.py::umlauts", "return {'→': text}['→'].replace('ä', 'ae').replace('ö', 'oe').replace('ü', 'ue')", benchmark.Passed, "", nil},
		{"surrogates in what is raised", scale, `raise RuntimeError("\ud800 \udcff ẞ \x1b[31m")`, benchmark.Failed, "RuntimeError", nil},
		{"output that is not UTF-8", scale, "import os\nos.write(1, b'\\xff\\xfe\\n')\nreturn 1", benchmark.Failed, "", nil},

		{"an assignment to a property", sides, "if value < 0:\n    raise ValueError\nself.__sides = value", benchmark.Passed, "", nil},
		{"a name that is not mangled", sides, "if value < 0:\n    raise ValueError\nself.sides_ = value", benchmark.Failed, "", nil},
		{"a generator that is none", "parcel/plain.py::countdown", "return list(range(n, 0, -1))", benchmark.Failed, "", nil},
		{"another generator", "parcel/plain.py::countdown", "yield from range(n, 0, -1)", benchmark.Passed, "", nil},
		{"a coroutine that waits", "parcel/plain.py::fetch", "import asyncio\nawait asyncio.sleep(delay)\nreturn key.upper()", benchmark.Passed, "", nil},
		{"another nested function", "parcel/plain.py::counter", "from itertools import count\nlast = [start]\ndef step(by=1):\n    last[0] += by\n    return last[0]\nreturn step", benchmark.Passed, "", nil},
		{"a closure without its variable", "parcel/plain.py::counter.<locals>.step", "return by", benchmark.Failed, "", nil},
		{"a decorated function", "parcel/plain.py::greet", "return f'{greeting} {name}'", benchmark.Passed, "", nil},
		{"super", "parcel/shapes.py::Square.describe", "return 2 * super().describe()", benchmark.Passed, "", nil},
		{"super in another spelling", "parcel/shapes.py::Square.describe", "return 2 * super(Square, self).describe()", benchmark.Passed, "", nil},
		{"a file in the tree", "parcel/plain.py::note", "with open(path, 'a') as f:\n    print(text, file=f)", "", "", []string{"plain::test_note_in_tree"}},

		{"a setup that fails", "parcel/shapes.py::Shape.__init__", "raise TypeError('no shape')", benchmark.Error, "no shape", []string{"shapes::TestShape::test_describe"}},
		{"a test that is skipped", "parcel/plain.py::version", "return 3", benchmark.Error, "", []string{"plain::test_skipped"}},
		{"a test that is expected to fail", "parcel/plain.py::version", "return 3", benchmark.Failed, "", []string{"plain::test_expected_failure"}},
		{"a test that was not expected to pass", "parcel/plain.py::version", "return 2", benchmark.Failed, "", []string{"plain::test_expected_failure"}},
		{"a test that is not there", scale, "return values", benchmark.Error, "1 of 2 tests were not collected", []string{"plain::test_version", "plain::test_gone"}},

		{"a loop without end", scale, "while True:\n    pass", benchmark.Timeout, "not done after", nil},
		{"a sleep without end", scale, "import time\ntime.sleep(1000)", benchmark.Timeout, "", nil},
		{"a recursion without end", scale, "return scale(values, factor)", benchmark.Failed, "RecursionError", nil},
		{"too much memory at once", scale, "return [0] * (1 << 32)", benchmark.ResourceLimit, "", nil},
		{"too much memory bit by bit", scale, "chunks = []\nwhile True:\n    chunks.append(bytearray(1 << 24))", benchmark.ResourceLimit, "", nil},
		{"too much output", scale, "import os\nwhile True:\n    os.write(2, b'x' * 65536)", benchmark.ResourceLimit, "more output than is allowed", nil},
		{"too large a file", scale, "with open('/tmp/large', 'wb') as f:\n    for _ in range(1000):\n        f.write(bytes(1 << 20))", "", "", nil},

		{"code behind the function", scale, "return values\n\n\ndef test_scale():\n    pass", benchmark.Failed, "", nil},
	}
	for _, strategy := range doctocode.Strategies {
		t.Run(string(strategy), func(t *testing.T) {
			t.Parallel()
			runner := fixtureRunner(t, 1)
			for _, c := range cases {
				tests := c.tests
				if tests == nil {
					tests = fixtureTests[c.task]
				}
				got := run(t, runner, execute.Candidate{Task: taskID(c.task), Body: c.body, Tests: taskTests(tests), Strategy: strategy, Wall: 2 * time.Second, NoJudge: true})
				if got.Verdict != c.want || !strings.Contains(got.Detail, c.detail) {
					t.Errorf("%s: want %s (%q), got %s", c.what, c.want, c.detail, show(got))
				}
			}
		})
	}
	_ = slices.Sorted[string]
}
