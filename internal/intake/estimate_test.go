package intake

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/llm"
)

func TestTokensAreRoundedUp(t *testing.T) {
	for _, c := range []struct {
		bytes  int
		tokens int64
	}{{0, 0}, {1, 1}, {3, 1}, {4, 2}, {7, 2}, {8, 3}, {36, 10}, {37, 11}, {3_600_000_000, 1_000_000_000}} {
		if got := Tokens(c.bytes); got != c.tokens {
			t.Errorf("%d bytes: %d tokens, want %d", c.bytes, got, c.tokens)
		}
	}
}

// TestPromptsAreThoseThatAreSent: rendered one by one, they add up.
func TestPromptsAreThoseThatAreSent(t *testing.T) {
	r, docs := preflight(t, submission(t, "detailed"))
	prompt, err := evaluator.LookupPrompt(starter.Release.Prompt)
	if err != nil {
		t.Fatal(err)
	}
	want := Prompts{Policy: "prefix-v1", Version: "a2-v1", Tasks: 83}
	for _, repository := range starter.Repositories {
		sources, err := starter.Index(repository)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range sources {
			for i := range f.Definitions {
				d := &f.Definitions[i]
				id := benchmark.TaskID{Repository: repository.Name, Path: f.Path, Qualname: d.Qualname, Ordinal: d.Ordinal}.String()
				if !isTask(id) {
					continue
				}
				text, err := evaluator.Context("prefix-v1", evaluator.Target{ID: id, Repository: repository.Name, File: f, Definition: d, Docs: docs})
				if err != nil {
					t.Fatal(err)
				}
				tokens := int64(math.Ceil(float64(len(prompt.Fill(text))) / 3.6))
				want.InputTokens += tokens
				want.OutputTokens += int64(math.Ceil(float64(len(f.OriginalBody(d))) / 3.6))
				if tokens > want.Longest {
					want.Longest, want.LongestTask = tokens, id
				}
			}
		}
	}
	if r.Prompts != want {
		t.Errorf("got  %+v\nwant %+v", r.Prompts, want)
	}
	bare, _ := preflight(t, hull)
	if bare.Prompts.Tasks != 83 || bare.Prompts.InputTokens >= want.InputTokens || bare.Prompts.OutputTokens != want.OutputTokens {
		t.Errorf("with one docstring: %+v", bare.Prompts)
	}
}

func isTask(id string) bool {
	for _, t := range starter.Tasks {
		if t.ID == id {
			return true
		}
	}
	return false
}

func TestEstimate(t *testing.T) {
	r := &Report{Prompts: Prompts{Tasks: 10, InputTokens: 20_000, OutputTokens: 3_000, Longest: 4000}}
	money := func(m float64) *float64 { return &m }
	for _, c := range []struct {
		rule   string
		config llm.Config
		want   Estimate
	}{
		{"without prices the cost is unknown", llm.Config{Name: "a", Samples: 5, ContextTokens: 4000},
			Estimate{Evaluator: "a", Samples: 5, Requests: 50, InputTokens: 100_000, OutputTokens: 15_000, ContextTokens: 4000, Fits: true}},
		{"prices are for a million tokens", llm.Config{Name: "b", Samples: 1, Price: llm.Price{Input: 0.25, Output: 2}, ContextTokens: 3999},
			Estimate{Evaluator: "b", Samples: 1, Requests: 10, InputTokens: 20_000, OutputTokens: 3_000, Cost: money(0.005 + 0.006), ContextTokens: 3999}},
		{"an unknown window fits", llm.Config{Name: "c", Samples: 2, Price: llm.Price{Output: 1}},
			Estimate{Evaluator: "c", Samples: 2, Requests: 20, InputTokens: 40_000, OutputTokens: 6_000, Cost: money(0.006), Fits: true}},
	} {
		got := r.Estimate(c.config)
		if (got.Cost == nil) != (c.want.Cost == nil) || got.Cost != nil && math.Abs(*got.Cost-*c.want.Cost) > 1e-12 {
			t.Errorf("%s: %+v", c.rule, got)
		}
		got.Cost = c.want.Cost
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.rule, got, c.want)
		}
	}
}

// TestAHugeFileIsNotRendered: its prompts count as if they showed all of it.
func TestAHugeFileIsNotRendered(t *testing.T) {
	text := strings.Repeat("long ", 200_000)
	r, docs := preflight(t, line("src/spans/notation.py", "parse_interval", text[:700<<10]))
	if docs.Len() != 1 || r.Long.Count != 1 {
		t.Fatalf("%d docstrings, %+v", docs.Len(), r.Long)
	}
	prompt, err := evaluator.LookupPrompt("a2-v1")
	if err != nil {
		t.Fatal(err)
	}
	const whole = 2109 // bytes of notation.py
	if want := Tokens(len(prompt.Text) + whole + 700<<10); r.Prompts.Longest != want {
		t.Errorf("%d tokens, want %d", r.Prompts.Longest, want)
	}
	if e := r.Estimate(llm.Config{Samples: 1, ContextTokens: 32_768}); e.Fits {
		t.Errorf("%d tokens fit", r.Prompts.Longest)
	}
}

func TestPromptsEndWithTheirContext(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := prompts(gone, starter, evaluator.Docs{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestAReleaseMustHaveItsTasks: a task without a definition, an unknown prompt
// and an unknown policy are named.
func TestAReleaseMustHaveItsTasks(t *testing.T) {
	for _, c := range []struct {
		rule   string
		change func(d *doctocode.Dataset)
		want   string
	}{
		{"a task without a definition", func(d *doctocode.Dataset) {
			d.Tasks = append(d.Tasks[:len(d.Tasks):len(d.Tasks)], doctocode.Task{ID: "touchstone/spans:src/spans/none.py::f"})
		}, "index: has no definition of the task touchstone/spans:src/spans/none.py::f; build the release again"},
		{"an unknown prompt", func(d *doctocode.Dataset) { d.Release.Prompt = "a3" }, `prompt: "a3" is not a prompt version; use one of a2-v1`},
		{"an unknown policy", func(d *doctocode.Dataset) { d.Release.Context = "all" }, `context: "all" is not a context policy; use one of prefix-v1, scope-v1`},
	} {
		d := *starter
		c.change(&d)
		_, _, err := Preflight(t.Context(), strings.NewReader(hull), "docs.jsonl", &d, Limits{})
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s: %v", c.rule, err)
		}
	}
}
