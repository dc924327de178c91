package build

import (
	"fmt"
	"reflect"
	"testing"

	"touchstone/internal/doctocode"
)

// TestTargets traces a small repository by hand.
func TestTargets(t *testing.T) {
	function := func(name string, line int, candidate bool) doctocode.Definition {
		return doctocode.Definition{Qualname: name, Kind: "function", Line: line, FirstLine: line, Candidate: candidate}
	}
	second := function("C.size", 9, true)
	second.Ordinal = 1
	asynchronous := function("wait", 20, false)
	asynchronous.Kind = "async"
	class := function("C", 5, false)
	class.Kind = "class"
	index := []*doctocode.SourceFile{
		{Path: "a.py", Definitions: []doctocode.Definition{
			function("plain", 1, true), class, function("C.size", 7, true), second,
			function("outer.<locals>.inner", 12, true), function("conditional", 15, false), asynchronous,
			function("unreached", 30, true), function("only_import", 33, true), function("only_failing", 36, true),
		}},
		{Path: "test/helper.py", Test: true, Definitions: []doctocode.Definition{function("help", 1, true)}},
		{Path: "test_a.py", Test: true, Definitions: []doctocode.Definition{function("test_x", 1, true)}},
		{Path: "deep/tests/test_b.py", Test: true, Definitions: []doctocode.Definition{function("test_y", 1, true)}},
	}
	reached := []reachedPlace{
		{"a.py", "plain", 1, []string{"y", "x", "bad"}},
		{"a.py", "C", 5, []string{""}},
		{"a.py", "size", 7, []string{"x", ""}},
		{"a.py", "size", 9, []string{"z"}},
		{"a.py", "inner", 12, []string{"z"}},
		{"a.py", "conditional", 15, []string{"z"}},
		{"a.py", "wait", 20, []string{"x"}},
		{"a.py", "only_import", 33, []string{""}},
		{"a.py", "only_failing", 36, []string{"bad"}},
		{"a.py", "<lambda>", 40, []string{"x"}},
		{"gone.py", "plain", 1, []string{"x"}},
		{"test/helper.py", "help", 1, []string{"x"}},
		{"test_a.py", "test_x", 1, []string{"x"}},
		{"deep/tests/test_b.py", "test_y", 1, []string{"y"}},
	}
	found, counts := targets("acme/tool", index, reached, []string{"x", "y", "z"})
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%s %v at import %t", f.ID, f.Tests, f.AtImport))
	}
	want := []string{ // in the order of the files, their tests in the suite's order
		"acme/tool:a.py::plain [x y] at import false",
		"acme/tool:a.py::C.size [x] at import true",
		"acme/tool:a.py::C.size#1 [z] at import false",
		"acme/tool:a.py::outer.<locals>.inner [z] at import false",
		"acme/tool:a.py::conditional [z] at import false",
		"acme/tool:a.py::wait [x] at import false",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the targets are\n%q, want\n%q", got, want)
	}
	wantCounts := doctocode.Counts{
		Candidates: 10, // neither async nor under an if; tests included
		AllTasks:   6,  // candidates that passing tests reach: plain, both sizes, inner, help, test_x; not deep/tests
		Targets:    6,
		Tests:      3,
		Dropped:    map[string]int{},
	}
	if !reflect.DeepEqual(counts, wantCounts) {
		t.Errorf("the counts are %+v, want %+v", counts, wantCounts)
	}
}

func TestUnderTests(t *testing.T) {
	for path, want := range map[string]bool{
		"tests/a.py": true, "deep/tests/a.py": true, "tests/deep/a.py": true,
		"test/a.py": false, "test_a.py": false, "conftest.py": false, "mytests/a.py": false, "tests.py": false,
	} {
		if underTests(path) != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
}
