package docagent_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"touchstone/internal/doctocode/environment"
	"touchstone/internal/measure/docagent"
	"touchstone/internal/sandbox/sandboxtest"
)

var python = sync.OnceValues(func() (environment.Python, error) {
	return environment.FindPython(context.Background(), os.Getenv("TOUCHSTONE_TEST_PYTHON"))
})

// ask runs the script on requests, one line each.
func ask(t *testing.T, requests ...any) []docagent.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	interpreter, err := python()
	if err != nil {
		sandboxtest.Missing(t, err)
	}
	var in, stderr bytes.Buffer
	for _, r := range requests {
		if line, ok := r.(string); ok {
			in.WriteString(line + "\n")
			continue
		}
		if err := json.NewEncoder(&in).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(ctx, interpreter.Executable, "-I", "-c", docagent.FactsScript)
	command.Stdin, command.Stderr = &in, &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var answers []docagent.Answer
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		answers = append(answers, answer(t, s.Bytes()))
	}
	if len(answers) != len(requests) {
		t.Fatalf("%d answers to %d requests:\n%s%s", len(answers), len(requests), out, stderr.String())
	}
	return answers
}

func TestFactsOfTheVectors(t *testing.T) {
	var requests []any
	for _, v := range completenessVectors(t) {
		requests = append(requests, docagent.Request{ID: v.ID, Source: v.Source})
	}
	want := lines(t, "facts.jsonl")
	for i, got := range ask(t, requests...) {
		if kept := answer(t, want[i]); !reflect.DeepEqual(got, kept) {
			t.Errorf("%s: %+v, kept are %+v", got.ID, got, kept)
		}
	}
}

const file = `
import os

def load(a, /, b, *rest, c=1, **more):
    return None

class Store(Enum):
    x: int

    def __init__(self, size, *, fast):
        self.size: int = size
        def later():
            self.fast = fast

    def load(self):
        try:
            yield self.x
        except KeyError:
            raise ValueError(str(self))
        else:
            del self.x

    class Inner(enum.Enum):
        async def __init__(self, size): ...

if os:
    def load(a):
        def inner():
            raise KeyError
`

func TestFactsOfDefinitionsInAFile(t *testing.T) {
	of := func(qualname string, ordinal int) docagent.Request {
		return docagent.Request{ID: qualname, Source: file, Qualname: qualname, Ordinal: ordinal}
	}
	cases := []struct {
		request docagent.Request
		want    docagent.Facts
	}{
		{of("load", 0), docagent.Facts{Kind: "function", Name: "load", Returns: true, Parameters: docagent.Parameters{
			PositionalOnly: []string{"a"}, Positional: []string{"b"}, Variadic: []string{"rest", "more"}, KeywordOnly: []string{"c"}}}},
		{of("load", 1), docagent.Facts{Kind: "function", Name: "load", Raises: true, Parameters: positional("a")}},
		{of("load.<locals>.inner", 0), docagent.Facts{Kind: "function", Name: "inner", Raises: true, Parameters: positional()}},
		{of("Store.load", 0), docagent.Facts{Kind: "function", Name: "load", Yields: true, Parameters: positional("self")}},
		{of("Store", 0), docagent.Facts{Kind: "class", Name: "Store", Assigns: true, Enum: true, InitAssigns: true,
			Init: &docagent.Parameters{PositionalOnly: []string{}, Positional: []string{"self", "size"}, Variadic: []string{}, KeywordOnly: []string{"fast"}}}},
		{of("Store.Inner", 0), docagent.Facts{Kind: "class", Name: "Inner"}},
		{docagent.Request{ID: "an indented method", Source: "    def f(self):\n        return 1\n"}, docagent.Facts{Qualname: "f", Kind: "function", Name: "f", Returns: true, Parameters: positional("self")}},
	}
	var requests []any
	for _, c := range cases {
		requests = append(requests, c.request)
	}
	for i, got := range ask(t, requests...) {
		c := cases[i]
		if c.want.Qualname == "" {
			c.want.Qualname, c.want.Ordinal = c.request.Qualname, c.request.Ordinal
		}
		if got.ID != c.request.ID || len(got.Definitions) != 1 || !reflect.DeepEqual(got.Definitions[0], c.want) {
			t.Errorf("%d: %+v, want %+v", i, got, c.want)
		}
	}
}

func positional(names ...string) docagent.Parameters {
	return docagent.Parameters{PositionalOnly: []string{}, Positional: append([]string{}, names...), Variadic: []string{}, KeywordOnly: []string{}}
}

func TestFactsOfAWholeFile(t *testing.T) {
	var names []string
	for _, f := range ask(t, docagent.Request{ID: "file", Source: file})[0].Definitions {
		names = append(names, f.Qualname)
	}
	want := "load Store Store.__init__ Store.__init__.<locals>.later Store.load Store.Inner Store.Inner.__init__ load load.<locals>.inner"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A source that cannot be read does not keep the others from their facts.
func TestFactsOfWhatCannotBeRead(t *testing.T) {
	deep := strings.Repeat("-", 100_000) + "1"
	requests := []any{
		docagent.Request{ID: "no Python", Source: "def f(:\n"},
		docagent.Request{ID: "NUL", Source: "x\x00"},
		docagent.Request{ID: "unknown name", Source: "def f(): pass", Qualname: "g"},
		docagent.Request{ID: "unknown ordinal", Source: "def f(): pass", Qualname: "f", Ordinal: 1},
		docagent.Request{ID: "deep", Source: deep},
		`{"id": "a number", "source": 1}`,
		`{"id": "half a pair", "source": "'\ud800'"}`,
		`{"source": ""}`,
		`[]`,
		`{`,
		docagent.Request{ID: "empty", Source: ""},
		docagent.Request{ID: "good", Source: "def f(): pass"},
	}
	answers := ask(t, requests...)
	last := len(answers) - 1
	for i, a := range answers[:last-1] {
		if a.Error == "" || a.Definitions != nil {
			t.Errorf("%v: %+v", requests[i], a)
		}
	}
	if a := answers[last-1]; a.Error != "" || a.Definitions == nil || len(a.Definitions) > 0 {
		t.Errorf("an empty file: %+v", a)
	}
	if a := answers[last]; a.Error != "" || len(a.Definitions) != 1 {
		t.Errorf("a good one behind bad ones: %+v", a)
	}
}
