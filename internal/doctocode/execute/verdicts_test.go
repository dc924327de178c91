package execute_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/pyharness"
	"touchstone/internal/sandbox/sandboxtest"
)

// TestOriginalBodies: every function passes with the body that it had, by
// every strategy.
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

// TestVerdicts: a body has the same verdict by every strategy that the row is
// about: all four, unless it names others.
func TestVerdicts(t *testing.T) {
	const scale, sides, version = "parcel/plain.py::scale", "parcel/shapes.py::Shape.sides#1", "parcel/plain.py::version"
	masked := []doctocode.Strategy{doctocode.Swapped, doctocode.Hooked}
	written := []doctocode.Strategy{doctocode.Forked, doctocode.Fresh}
	importing := []doctocode.Strategy{doctocode.Hooked, doctocode.Forked, doctocode.Fresh}
	cases := []struct {
		what   string
		task   string
		body   string
		want   benchmark.Verdict
		detail string               // part of what a person is told
		tests  []string             // other than the task's
		by     []doctocode.Strategy // other than all
	}{
		{what: "the same result in another way", task: scale, body: "if factor:\n    return [factor * v for v in values]\nraise ValueError(factor)", want: benchmark.Passed},
		{what: "a wrong result", task: scale, body: "return values", want: benchmark.Failed, detail: "test_scale"},
		{what: "an exception", task: scale, body: "return undefined", want: benchmark.Failed, detail: "Traceback (most recent call last):\n  File \"/repo/tests/test_plain.py\", line 19, in test_scale\n"},
		{what: "the expected exception alone", task: scale, body: "raise ValueError('no')", want: benchmark.Failed, detail: "ValueError: no"},
		{what: "nothing", task: scale, body: "pass", want: benchmark.Failed},
		{what: "a comment behind a docstring", task: scale, body: "# to be written", want: benchmark.Failed},
		{what: "a comment alone", task: version, body: "# to be written", want: benchmark.SyntaxError},
		{what: "no code", task: scale, body: "  \n", want: benchmark.NoCode},
		{what: "no Python", task: scale, body: "return [", want: benchmark.SyntaxError},
		{what: "what only the compiler refuses", task: scale, body: "x = 1\nglobal x\nreturn x", want: benchmark.SyntaxError},
		{what: "a null byte", task: scale, body: "return '\x00'", want: benchmark.SyntaxError},
		{what: "too deep to parse", task: scale, body: "return " + strings.Repeat("(", 5000) + strings.Repeat(")", 5000), want: benchmark.SyntaxError},
		{what: "a line continued into the next definition", task: scale, body: "return values \\", want: benchmark.SyntaxError},
		{what: "code that would like to stand behind the function", task: scale, body: "return values\n\fdef evil(): pass\n\r\vdef evil(): pass", want: benchmark.SyntaxError},
		{what: "code that stands inside it after all", task: scale, body: "return values\n\fdef evil(): pass", want: benchmark.Failed},
		{what: "a string below the docstring", task: scale, body: "'Another.'\nreturn values", want: benchmark.Failed},

		{what: "characters beyond the encoding", task: "parcel/latin.py::umlauts", body: "return text.replace('ä', {'→': 'ae'}['→']).replace('ö', 'oe').replace('ü', 'ue')", want: benchmark.Passed},
		{what: "a name beyond the encoding", task: "parcel/latin.py::umlauts", body: "λ = text\nreturn λ", want: benchmark.SyntaxError},
		{what: "surrogates in what is raised", task: scale, body: `raise RuntimeError("\ud800 \udcff ẞ \x1b[31m")`, want: benchmark.Failed, detail: "RuntimeError"},
		{what: "output that is not UTF-8", task: scale, body: `import os` + "\n" + `os.write(1, b'\xff\xfe\n')`, want: benchmark.Failed},
		{what: "Windows line ends", task: "parcel/windows.py::join", body: "return '''\n'''.join(\n    parts\n)", want: benchmark.Passed},

		{what: "an assignment to a property", task: sides, body: "if value < 0:\n    raise ValueError\nself.__sides = value", want: benchmark.Passed},
		{what: "a name that is not mangled", task: sides, body: "if value < 0:\n    raise ValueError\nself.sides_ = value", want: benchmark.Failed},
		{what: "a generator that is none", task: "parcel/plain.py::countdown", body: "return list(range(n, 0, -1))", want: benchmark.Failed},
		{what: "another generator", task: "parcel/plain.py::countdown", body: "yield from range(n, 0, -1)", want: benchmark.Passed},
		{what: "a coroutine that waits", task: "parcel/plain.py::fetch", body: "import asyncio\nawait asyncio.sleep(delay)\nreturn key.upper()", want: benchmark.Passed},
		{what: "another nested function", task: "parcel/plain.py::counter", body: "last = [start]\ndef step(by=1):\n    last[0] += by\n    return last[0]\nreturn step", want: benchmark.Passed},
		{what: "a nested function that forgets", task: "parcel/plain.py::counter.<locals>.step", body: "return count + by", want: benchmark.Failed},
		{what: "a nested function without its variable", task: "parcel/plain.py::counter.<locals>.step", body: "return by", want: benchmark.Failed},
		{what: "a decorated function", task: "parcel/plain.py::greet", body: "return f'{greeting} {name}'", want: benchmark.Passed},
		{what: "super", task: "parcel/shapes.py::Square.describe", body: "return 2 * super().describe()", want: benchmark.Passed},
		{what: "super spelled out", task: "parcel/shapes.py::Square.describe", body: "return 2 * super(Square, self).describe()", want: benchmark.Passed, by: importing},
		{what: "what runs at import", task: "parcel/registry.py::register", body: "KINDS[name.lower()] = code + 1\nreturn code", want: benchmark.Failed,
			tests: []string{"plain::test_registry"}, by: importing},
		{what: "an import that fails", task: "parcel/registry.py::register", body: "raise OSError('no register')", want: benchmark.Error, detail: "no register", by: importing},
		{what: "a program that a test starts", task: "parcel/__main__.py::shout", body: "return 'nothing'", want: benchmark.Failed, tests: []string{"plain::test_program"}, by: written},
		{what: "a file in the tree", task: "parcel/plain.py::note", body: "with open(path, 'a') as f:\n    print(text, file=f)", want: benchmark.Passed,
			tests: []string{"plain::test_note_in_tree"}, by: written},
		{what: "a file in a tree that cannot be written to", task: "parcel/plain.py::note", body: "with open(path, 'a') as f:\n    print(text, file=f)", want: benchmark.Failed,
			detail: "Read-only file system", tests: []string{"plain::test_note_in_tree"}, by: masked},

		{what: "a setup that fails", task: "parcel/shapes.py::Shape.__init__", body: "raise TypeError('no shape')", want: benchmark.Error, detail: "no shape",
			tests: []string{"shapes::TestShape::test_describe"}},
		{what: "a test that is skipped", task: version, body: "return 3", want: benchmark.Error, tests: []string{"plain::test_skipped"}},
		{what: "a test that is expected to fail, and does", task: version, body: "return 3", want: benchmark.Failed, tests: []string{"plain::test_expected_failure"}},
		{what: "a test that is expected to fail, and passes", task: version, body: "return 2", want: benchmark.Failed, tests: []string{"plain::test_expected_failure"}},
		{what: "a test that is not there", task: version, body: "return 3", want: benchmark.Error, detail: "1 of 2 tests were not collected",
			tests: []string{"plain::test_version", "plain::test_gone"}},

		{what: "a loop without end", task: scale, body: "while True:\n    pass", want: benchmark.Timeout, detail: "not done after"},
		{what: "a sleep without end", task: scale, body: "import time\ntime.sleep(1000)", want: benchmark.Timeout},
		{what: "a recursion without end", task: scale, body: "return scale(values, factor)", want: benchmark.Failed, detail: "RecursionError"},
		{what: "too much memory at once", task: scale, body: "return [0] * (1 << 32)", want: benchmark.ResourceLimit},
		{what: "too much memory bit by bit", task: scale, body: "chunks = []\nwhile True:\n    chunks.append(bytearray(1 << 24))", want: benchmark.ResourceLimit},
		{what: "too much output", task: scale, body: "import os\nwhile True:\n    os.write(2, b'x' * 65536)", want: benchmark.ResourceLimit, detail: "more output than is allowed"},
		{what: "too large a file", task: scale, body: "with open('/tmp/large', 'wb') as f:\n    f.write(bytes(9 << 20))", want: benchmark.ResourceLimit, detail: "File too large"},
		{what: "no room left", task: scale, body: "for i in range(100):\n    with open('/tmp/%d' % i, 'wb') as f:\n        f.write(bytes(8 << 20))", want: benchmark.ResourceLimit, detail: "No space left", by: []doctocode.Strategy{doctocode.Swapped}},
		{what: "a limit of the kernel", task: scale, body: "import os\nos.kill(os.getpid(), 24)", want: benchmark.ResourceLimit, detail: "SIGXCPU"},
	}
	for _, strategy := range doctocode.Strategies {
		t.Run(string(strategy), func(t *testing.T) {
			t.Parallel()
			runner := fixtureRunner(t, 1)
			for _, c := range cases {
				if len(c.by) > 0 && !slices.Contains(c.by, strategy) {
					continue
				}
				tests := c.tests
				if tests == nil {
					tests = fixtureTests[c.task]
				}
				wall := 20 * time.Second
				if c.want == benchmark.Timeout {
					wall = 300 * time.Millisecond
				}
				got := run(t, runner, execute.Candidate{Task: taskID(c.task), Body: c.body, Tests: taskTests(tests), Strategy: strategy, Wall: wall, NoJudge: true})
				if got.Verdict != c.want || !strings.Contains(got.Detail, c.detail) {
					t.Errorf("%s: want %s (%q), got %s", c.what, c.want, c.detail, show(got))
				}
			}
		})
	}
}

// TestSegments: what the splicing on this side would never produce, the
// harness refuses again on its own.
func TestSegments(t *testing.T) {
	w := fixtureWorkspace(t)
	server, err := w.Start(t.Context(), sandboxtest.Named(t), pyharness.Private, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	file, method, err := w.Find("parcel/shapes.py", "Shape.describe", 0)
	if err != nil {
		t.Fatal(err)
	}
	const head = "    def describe(self):\n        \"\"\"The name in brackets.\"\"\"\n"
	for _, c := range []struct {
		what, segment, verdict string
	}{
		{"the original", file.Text[method.Start:method.Body[1]], "passed"},
		{"code behind the method", head + "        return 1\n    made = 2\n", "tampered"},
		{"code behind the class", head + "        return 1\nmade = 2\n", "tampered"},
		{"code behind the class, on the same line", head + "        return 1\nmade = 2; made = 3\n", "tampered"},
		{"an else of the class's own header", head + "        return 1\nelse:\n    pass\n", "syntax_error"},
		{"code before the method", "    made = 2\n" + head + "        return 1\n", "tampered"},
		{"a decorator", "    @property\n" + head + "        return 1\n", "tampered"},
		{"another name", strings.Replace(head, "describe", "explain", 1) + "        return 1\n", "tampered"},
		{"another argument", strings.Replace(head, "self", "self, more=1", 1) + "        return 1\n", "tampered"},
		{"a default that runs", strings.Replace(head, "self", "self=print()", 1) + "        return 1\n", "tampered"},
		{"another docstring", strings.Replace(head, "brackets", "breakers", 1) + "        return 1\n", "tampered"},
		{"no docstring", "    def describe(self):\n        return 1\n", "tampered"},
		{"a coroutine", strings.Replace(head, "def", "async def", 1) + "        return 1\n", "tampered"},
		{"another method of the same name", head + "        return 1\n" + head + "        return 2\n", "tampered"},
		{"no method", "    pass\n", "tampered"},
		{"nothing", "", "syntax_error"},
		{"less indentation", "def describe(self):\n    return 1\n", "syntax_error"},
	} {
		request := map[string]any{"strategy": "forked", "path": file.Path, "line": method.Line, "first_line": method.FirstLine, "name": "describe",
			"classes": []string{"Shape"}, "segment": c.segment, "tests": taskTests(fixtureTests["parcel/shapes.py::Shape.describe"]), "wall": 20,
			"outer": map[string]any{"name": "describe", "first_line": method.FirstLine, "start": method.Start, "end": method.Body[1]}}
		var answer struct{ Verdict, Detail string }
		if err := server.Call(t.Context(), "run", request, &answer); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if answer.Verdict != c.verdict {
			t.Errorf("%s: want %s, got %s: %s", c.what, c.verdict, answer.Verdict, answer.Detail)
		}
	}
}
