package intake

import (
	"context"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/llm"
)

// Prompts is what one sample of every task would send and receive, in
// estimated tokens: see Tokens. The prompts are those that an evaluator gets;
// a reply is taken to be as long as the original body.
type Prompts struct {
	Policy       string `json:"policy"`  // of the context
	Version      string `json:"version"` // of the prompt
	Tasks        int    `json:"tasks"`   // documented or not
	InputTokens  int64  `json:"input_tokens"`
	OutputTokens int64  `json:"output_tokens"`
	Longest      int64  `json:"longest"`      // tokens of the longest prompt
	LongestTask  string `json:"longest_task"` // its task
}

// Tokens estimates the tokens of so many bytes of text: one for every 3.6
// bytes, rounded up. It is a rule of thumb for English and code; models differ.
func Tokens(bytes int) int64 { return (int64(bytes)*10 + 35) / 36 }

// largestPrompt bounds what is rendered for an estimate. The prompts of a file
// that is larger with its docstrings count as if they showed all of it.
const largestPrompt = 512 << 10

// prompts renders the prompt of every task.
func prompts(ctx context.Context, d *doctocode.Dataset, docs evaluator.Docs) (Prompts, error) {
	p := Prompts{Policy: d.Release.Context, Version: d.Release.Prompt}
	prompt, err := evaluator.LookupPrompt(d.Release.Prompt)
	if err != nil {
		return p, err
	}
	for _, r := range d.Repositories {
		tasks := d.TasksOf(r.Name)
		if len(tasks) == 0 {
			continue
		}
		sources, err := d.Index(r)
		if err != nil {
			return p, err
		}
		files := map[string]*doctocode.SourceFile{}
		for _, f := range sources {
			files[f.Path] = f
		}
		for _, t := range tasks {
			if err := ctx.Err(); err != nil {
				return p, err
			}
			id, err := benchmark.ParseTaskID(t.ID)
			if err != nil {
				return p, err
			}
			target := evaluator.Target{ID: t.ID, Repository: r.Name, File: files[id.Path], Docs: docs}
			target.Definition, _ = target.File.Lookup(id.Qualname, id.Ordinal) // namesOf has found every task
			bytes, err := promptBytes(prompt, p.Policy, target)
			if err != nil {
				return p, err
			}
			p.add(t.ID, Tokens(bytes), Tokens(len(target.File.OriginalBody(target.Definition))))
		}
	}
	return p, nil
}

func (p *Prompts) add(task string, input, output int64) {
	p.Tasks++
	p.InputTokens += input
	p.OutputTokens += output
	if input > p.Longest {
		p.Longest, p.LongestTask = input, task
	}
}

func promptBytes(prompt evaluator.Prompt, policy string, t evaluator.Target) (int, error) {
	whole := len(t.File.Text)
	for i := range t.File.Definitions {
		d := &t.File.Definitions[i]
		text, _ := t.Docs.Get(benchmark.TaskID{Repository: t.Repository, Path: t.File.Path, Qualname: d.Qualname, Ordinal: d.Ordinal})
		whole += len(text)
	}
	if whole > largestPrompt {
		return len(prompt.Text) + whole, nil
	}
	text, err := evaluator.Context(policy, t)
	return len(prompt.Fill(text)), err
}

// An Estimate is what judging an upload by an evaluator would take.
type Estimate struct {
	Evaluator    string `json:"evaluator"`
	Samples      int    `json:"samples"`  // per task
	Requests     int    `json:"requests"` // samples × tasks
	InputTokens  int64  `json:"input_tokens"`
	OutputTokens int64  `json:"output_tokens"` // without what a model thinks before it replies
	// Cost is in the unit of the evaluator's prices, nil when it has none.
	Cost *float64 `json:"cost"`
	// ContextTokens is the model's window, 0 when it is not known; Fits is
	// false when the longest prompt is over it.
	ContextTokens int  `json:"context_tokens"`
	Fits          bool `json:"fits"`
}

// Estimate is for one evaluator; all samples are paid for, as if no completion
// were in the cache.
func (r *Report) Estimate(c llm.Config) Estimate {
	n := int64(c.Samples)
	e := Estimate{Evaluator: c.Name, Samples: c.Samples, Requests: c.Samples * r.Prompts.Tasks,
		InputTokens: n * r.Prompts.InputTokens, OutputTokens: n * r.Prompts.OutputTokens,
		ContextTokens: c.ContextTokens, Fits: c.ContextTokens == 0 || r.Prompts.Longest <= int64(c.ContextTokens)}
	if c.Price != (llm.Price{}) {
		cost := (float64(e.InputTokens)*c.Price.Input + float64(e.OutputTokens)*c.Price.Output) / 1e6
		e.Cost = &cost
	}
	return e
}
