package docagent_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"touchstone/internal/measure/docagent"
)

// lines reads the lines of a file in testdata.
func lines(t testing.TB, file string) [][]byte {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all [][]byte
	for s := bufio.NewScanner(f); s.Scan(); {
		all = append(all, append([]byte(nil), s.Bytes()...))
	}
	if len(all) < 25 {
		t.Fatalf("%s has only %d lines", file, len(all))
	}
	return all
}

// A vector is what DocAgent says of a definition.
type vector struct {
	ID        string
	Source    string
	Docstring *string
	Required  map[string]bool
	Elements  map[string]bool
	Score     float64
}

func completenessVectors(t testing.TB) []vector {
	t.Helper()
	var all []vector
	for _, line := range lines(t, "docagent_completeness.jsonl") {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

func answer(t testing.TB, line []byte) docagent.Answer {
	t.Helper()
	a, err := docagent.ParseAnswer(line)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestCompletenessIsThatOfDocAgent(t *testing.T) {
	facts := lines(t, "facts.jsonl")
	for i, v := range completenessVectors(t) {
		a := answer(t, facts[i])
		if a.ID != v.ID || len(a.Definitions) == 0 {
			t.Fatalf("line %d of the facts is of %q, not of %q: %+v", i+1, a.ID, v.ID, a)
		}
		docstring := ""
		if v.Docstring != nil {
			docstring = *v.Docstring
		}
		got := docagent.ScoreCompleteness(a.Definitions[0], docstring)
		if math.Abs(got.Score-v.Score) > 1e-9 {
			t.Errorf("%s: %v, want %v", v.ID, got.Score, v.Score)
		}
		if len(got.Sections) != len(v.Required) {
			t.Errorf("%s: %d sections, want %d", v.ID, len(got.Sections), len(v.Required))
		}
		for _, s := range got.Sections {
			if s.Required != v.Required[s.Name] || s.Satisfied != v.Elements[s.Name] {
				t.Errorf("%s: %+v, want required %v, satisfied %v", v.ID, s, v.Required[s.Name], v.Elements[s.Name])
			}
		}
	}
}

func TestCompletenessOfUnusualDefinitions(t *testing.T) {
	plain := docagent.Facts{Kind: docagent.Function, Name: "load", Returns: true}
	for _, c := range []struct {
		why       string
		facts     docagent.Facts
		docstring string
		want      float64
	}{
		{"an __init__ without a docstring", docagent.Facts{Kind: docagent.Function, Name: "__init__"}, "", 1},
		{"a class called __init__ is a class", docagent.Facts{Kind: docagent.Class, Name: "__init__"}, "", 0},
		{"no docstring", plain, "", 0},
		{"a docstring of white space", plain, " \n\x1c\n", 0},
		{"a summary", plain, "Load.", 0.25},
		{"labels in any case and anywhere", plain, "Load, it ReTurns: rows.", 0.5},
		{"a label with a dotted İ is none", plain, "Load, the usage exampleİs: rows.", 0.25},
		{"a paragraph that begins with a label is no description", plain, "Load.\n\n  Returns: rows", 0.5},
		{"lines of white space part paragraphs", plain, "Load.\n \x1f\t\nMore.", 0.5},
		{"the same content in Google's style", plain, "Load.\n\nMore.\n\nReturns:\n    rows\n\nExample:\n    load()", 1},
		{"the same content in NumPy's style", plain, "Load.\n\nMore.\n\nReturns\n-------\nrows\n\nExamples\n--------\nload()", 0.5},
	} {
		if got := docagent.ScoreCompleteness(c.facts, c.docstring).Score; got != c.want {
			t.Errorf("%s: %v, want %v", c.why, got, c.want)
		}
	}
}

func TestAnswersThatMakeNoSense(t *testing.T) {
	for _, c := range []struct{ why, line, word string }{
		{"no JSON", "Traceback", "facts"},
		{"an unknown kind", `{"id":"a","definitions":[{"qualname":"f","kind":"module"}]}`, `"module"`},
		{"nothing at all", `{"id":"a"}`, `"a"`},
	} {
		if _, err := docagent.ParseAnswer([]byte(c.line)); err == nil || !strings.Contains(err.Error(), c.word) {
			t.Errorf("%s: %v", c.why, err)
		}
	}
}

func FuzzScoreCompleteness(f *testing.F) {
	for _, line := range lines(f, "facts.jsonl") {
		f.Add(line, "Load.\n\nMore.\n\nArgs:\n    x: y")
	}
	f.Fuzz(func(t *testing.T, line []byte, docstring string) {
		a, err := docagent.ParseAnswer(line)
		if err != nil {
			return
		}
		for _, facts := range a.Definitions {
			if s := docagent.ScoreCompleteness(facts, docstring).Score; !(s >= 0 && s <= 1) {
				t.Errorf("%+v with %q scores %v", facts, docstring, s)
			}
		}
	})
}
