package measures_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/llm"
)

// A grader is a server of an OpenAI-compatible API for tests.
type grader struct {
	*httptest.Server
	mu       sync.Mutex
	requests []map[string]any
}

// newGrader answers a prompt with a status and the model's reply.
func newGrader(t *testing.T, answer func(prompt string) (status int, reply string)) *grader {
	g := &grader{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var request map[string]any
		if err := json.Unmarshal(body, &request); err != nil {
			t.Error(err)
		}
		g.mu.Lock()
		g.requests = append(g.requests, request)
		g.mu.Unlock()
		status, reply := answer(request["messages"].([]any)[0].(map[string]any)["content"].(string))
		w.WriteHeader(status)
		if status != http.StatusOK {
			io.WriteString(w, `{"error":{"message":"`+reply+`"}}`)
			return
		}
		data, _ := json.Marshal(reply)
		fmt.Fprintf(w, `{"model":"m","choices":[{"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5}}`, data)
	}))
	t.Cleanup(g.Close)
	return g
}

func judge(t *testing.T, g *grader, change func(*llm.Config)) measures.Helpfulness {
	t.Helper()
	retries := 0
	config := llm.Config{Name: "judge", Model: "m", BaseURL: g.URL, Samples: 5, Retries: &retries, Concurrency: 1}
	if change != nil {
		change(&config)
	}
	replies, err := llm.OpenCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	client, err := llm.New(measures.Judging(config), llm.Options{Cache: replies, FirstDelay: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return measures.Helpfulness{Judge: client}
}

// judged are items of one function with these docstrings.
func judged(docstrings ...string) measures.Repository {
	const header = "def load(path):"
	file := &doctocode.SourceFile{Path: "a.py", Text: header + "\n    return path\n", Definitions: []doctocode.Definition{{Qualname: "load", HeaderEnd: len(header)}}}
	r := measures.Repository{Name: "acme/tool"}
	for i, d := range docstrings {
		x := item(d, "", "return path")
		x.Task, x.File, x.Definition = fmt.Sprintf("acme/tool:a.py::f%d", i), file, &file.Definitions[0]
		r.Items = append(r.Items, x)
	}
	return r
}

func TestAModelGradesThePartsOfADocstring(t *testing.T) {
	g := newGrader(t, func(prompt string) (int, string) {
		switch {
		case strings.Contains(prompt, "Mumble."):
			return 200, "It is quite helpful."
		case strings.Contains(prompt, "<parameters>"):
			return 200, `{"summary": 2, "parameters": 5}`
		}
		return 200, `{"summary": 4, "description": 1}`
	})
	h := judge(t, g, nil)
	r := judged("Load.\n\nArgs:\n    path: where", "", "Load.\n\nMore.", "Mumble.", "Returns:\n    a path")
	columns, missing, err := h.Compute(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if missing != `1 unparsable reply; the first is acme/tool:a.py::f3: the judge's reply holds no grades (there is no JSON object with a grade): "It is quite helpful."` {
		t.Error(missing)
	}
	u, n := measures.Undefined, measures.NotComputed
	for i, want := range [][]float64{{3.5, u, 2.5, n, u}, {2, u, 4, n, u}, {u, u, 1, n, u}, {5, u, u, n, u}} {
		for j, v := range want {
			if have := columns[i][j]; measures.StateOf(have) != measures.StateOf(v) || !math.IsNaN(v) && have != v {
				t.Errorf("%s of item %d is %v, want %v", h.Measures()[i], j, have, v)
			}
		}
	}
	if len(g.requests) != 3 || g.requests[0]["temperature"] != 0.1 || !strings.Contains(fmt.Sprint(g.requests[0]["messages"]), "def load(path):\nreturn path") {
		t.Errorf("%d requests, the first %v", len(g.requests), g.requests[0])
	}
	// What was paid for is kept, also where it holds no grade.
	if again, _, err := h.Compute(t.Context(), r); err != nil || again[0][0] != 3.5 || len(g.requests) != 3 {
		t.Errorf("asked %d times; %v", len(g.requests), err)
	}
}

func TestAJudgeThatCannotGoOnIsNotAskedOn(t *testing.T) {
	many := make([]string, 12)
	for i := range many {
		many[i] = fmt.Sprintf("Load %d.", i)
	}
	for _, c := range []struct {
		name   string
		change func(*llm.Config)
		status int
		asked  int
		reason string
	}{
		{"a refused key", nil, http.StatusUnauthorized, 1, "12 tasks without a reply; the first is acme/tool:a.py::f0: "},
		{"a request that is always refused", nil, http.StatusBadRequest, 5, "12 tasks without a reply"},
		{"a spent budget", func(c *llm.Config) { c.Budget.Tokens, c.MaxTokens = 560, 30 }, http.StatusOK, 0, "budget exhausted"},
	} {
		g := newGrader(t, func(string) (int, string) { return c.status, `{"summary": 4}` })
		if c.status != http.StatusOK {
			g = newGrader(t, func(string) (int, string) { return c.status, "no" })
		}
		columns, missing, err := judge(t, g, c.change).Compute(t.Context(), judged(many...))
		if err != nil || !strings.Contains(missing, c.reason) || c.asked > 0 && len(g.requests) != c.asked {
			t.Errorf("%s: %d requests; %q, %v", c.name, len(g.requests), missing, err)
			continue
		}
		last := columns[0][len(many)-1]
		if measures.StateOf(last) != measures.IsNotComputed || c.asked == 0 && columns[0][0] != 4 {
			t.Errorf("%s: %v", c.name, columns[0])
		}
	}
}

func TestWithoutAJudgeNothingIsGraded(t *testing.T) {
	h := measures.Helpfulness{}
	if err := h.Ready(t.Context()); err == nil || err.Error() != "no judge is configured; name a model of the configuration: touchstone serve --judge NAME" {
		t.Error(err)
	}
	if _, _, err := h.Compute(t.Context(), judged("Load.")); err == nil {
		t.Error("it was graded")
	}
	with := judge(t, newGrader(t, nil), nil).Version()
	other := judge(t, newGrader(t, nil), func(c *llm.Config) { c.Model = "another" }).Version()
	if with == h.Version() || with == other || !strings.HasPrefix(with, "helpfulness-v1 ") {
		t.Errorf("%q, %q, %q", with, other, h.Version())
	}
}
