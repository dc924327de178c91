// Package evaluate runs docstrings under an evaluator on a release: prompts
// out, replies in, bodies executed, verdicts kept as they come, so that an
// interrupted evaluation goes on without repeating a finished sample.
package evaluate

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"sync"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/sandbox"
)

// Options say what is evaluated, and with what.
type Options struct {
	Dataset   *doctocode.Dataset
	Docs      evaluator.Docs
	DocsKey   string // names the content of Docs
	DocsName  string // what a person calls them, such as a file's name
	Evaluator evaluator.Evaluator
	Samples   int    // per task
	Out       string // folder for the results; "" keeps none
	Cache     *cache.Folder
	Sandbox   sandbox.Sandbox
	Workers   int                // candidates executed at once
	Requests  int                // replies asked for at once
	Strategy  doctocode.Strategy // "" takes each task's own
	// Progress is told how many samples are done; first, how many Out held.
	Progress func(step string, done, total int)
}

// Sample is a line of verdicts.jsonl.
type Sample struct {
	Task        string             `json:"task"`
	Sample      int                `json:"sample"`
	Verdict     benchmark.Verdict  `json:"verdict"`
	Seconds     float64            `json:"seconds"` // from fork to the end of the last process
	Detail      string             `json:"detail,omitempty"`
	Test        string             `json:"test,omitempty"` // the first that did not pass
	CallSeconds float64            `json:"call_seconds"`   // inside the test functions
	Strategy    doctocode.Strategy `json:"strategy,omitempty"`
	Flags       []string           `json:"flags,omitempty"`
	Recheck     execute.Recheck    `json:"recheck,omitempty"`
	RecheckNote string             `json:"recheck_note,omitempty"`
	Changes     []evaluator.Change `json:"changes,omitempty"` // what extraction did to the reply
}

// Reply is a line of completions.jsonl; the recorded evaluator reads the same.
type Reply struct {
	Task             string `json:"task_id"`
	Sample           int    `json:"sample"`
	Completion       string `json:"completion"`
	Model            string `json:"model"`
	PromptTokens     int    `json:"prompt_tokens,omitempty"`
	CompletionTokens int    `json:"completion_tokens,omitempty"`
	ReasoningTokens  int    `json:"reasoning_tokens,omitempty"`
}

// Result is a finished evaluation.
type Result struct {
	Score   doctocode.Score
	Samples []Sample // in the order of the release's tasks
	Tokens  Tokens
	Missing Missing
	Flagged int           // passes that the screen flagged and that could not be confirmed
	Ran     int           // samples executed by this call
	Took    time.Duration // this call
}

// Missing are the samples without a verdict, which count neither for nor
// against. The machine failed those that have a reply.
type Missing struct {
	Samples int      // all of them
	Replies int      // of these, those for which the evaluator has no reply
	Tasks   []string // without any reply, in the release's order
}

// Tokens are what the evaluator's provider counted.
type Tokens struct {
	Prompt     int `json:"prompt"`
	Completion int `json:"completion"`
	Reasoning  int `json:"reasoning"`
}

// unit is one sample on its way.
type unit struct {
	Question
	sample int
}

// made is a unit with its reply.
type made struct {
	unit
	Answer
}

// Run evaluates. What cannot be mended by carrying on (a budget that is spent,
// a key that is refused, a machine without a sandbox) ends it with an error;
// what was finished by then is kept in Options.Out.
func Run(ctx context.Context, o Options) (Result, error) {
	started := time.Now()
	if o.Samples < 1 {
		return Result{}, &benchmark.InputError{Field: "samples", Problem: fmt.Sprintf("%d is less than 1", o.Samples)}
	}
	o.Workers, o.Requests = max(1, o.Workers), max(1, o.Requests)
	book, err := openBook(o)
	if err != nil {
		return Result{}, err
	}
	defer book.close()
	if err := book.adopt(ctx); err != nil {
		return Result{}, err
	}
	run := &run{Options: o, book: book, total: len(o.Dataset.Tasks) * o.Samples, done: book.found()}
	o.Progress("samples", run.done, run.total)
	documented := map[string]bool{}
	for _, r := range o.Dataset.Repositories {
		if err := run.repository(ctx, r, documented); err != nil {
			return Result{}, err
		}
	}
	result, err := book.finish(documented)
	result.Took, result.Ran = time.Since(started), run.ran
	return result, err
}

type run struct {
	Options
	book  *book
	total int

	mu   sync.Mutex
	done int
	ran  int
}

func (r *run) advance(executed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	if executed {
		r.ran++
	}
	r.Progress("samples", r.done, r.total)
}

// repository evaluates the tasks of one repository: its replies are asked for
// and executed side by side.
func (r *run) repository(ctx context.Context, repository doctocode.Repository, documented map[string]bool) error {
	tasks := r.Dataset.TasksOf(repository.Name)
	if len(tasks) == 0 {
		return nil
	}
	units, err := r.units(repository, documented)
	if err != nil || len(units) == 0 {
		return err
	}
	w, err := execute.PrepareFrom(ctx, r.Dataset, repository.Name, r.Cache)
	if err != nil {
		return err
	}
	if err := w.Warm(ctx, r.Sandbox); err != nil {
		return fmt.Errorf("collecting the tests of %s: %w", repository.Name, err)
	}
	runner, err := w.NewRunner(r.Sandbox, r.Workers, tasks)
	if err != nil {
		return err
	}
	defer runner.Close()

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asked, ready := make(chan unit), make(chan made, 2*r.Workers)
	var asking, executing sync.WaitGroup
	for range r.Requests {
		asking.Go(func() {
			for u := range asked {
				answer, err := Ask(ctx, r.Evaluator, u.Question, u.sample)
				if err != nil {
					cancel(fmt.Errorf("%s, sample %d: %w", u.Task.ID, u.sample, err))
					continue
				}
				select {
				case ready <- made{u, answer}:
				case <-ctx.Done():
				}
			}
		})
	}
	for range r.Workers {
		executing.Go(func() {
			for m := range ready {
				if ctx.Err() != nil {
					continue
				}
				if err := r.execute(ctx, runner, repository.Name, m); err != nil {
					cancel(fmt.Errorf("%s, sample %d: %w", m.Task.ID, m.sample, err))
				}
			}
		})
	}
	for _, u := range units {
		select {
		case asked <- u:
		case <-ctx.Done():
		}
	}
	close(asked)
	asking.Wait()
	close(ready)
	executing.Wait()
	return context.Cause(ctx)
}

// units are the samples of a repository that have no verdict yet.
func (r *run) units(repository doctocode.Repository, documented map[string]bool) ([]unit, error) {
	questions, err := Questions(r.Dataset, repository, r.Docs)
	if err != nil {
		return nil, err
	}
	var units []unit
	for _, q := range questions {
		documented[q.Task.ID] = q.Documented
		for j := range r.Samples {
			if !r.book.has(q.Task.ID, j) {
				units = append(units, unit{q, j})
			}
		}
	}
	return units, nil
}

func (r *run) execute(ctx context.Context, runner *execute.Runner, repository string, m made) error {
	reply := Reply{Task: m.Task.ID, Sample: m.sample, Completion: m.Completion.Text, Model: m.Completion.Model,
		PromptTokens: m.Completion.PromptTokens, CompletionTokens: m.Completion.CompletionTokens, ReasoningTokens: m.Completion.ReasoningTokens}
	s := Sample{Task: m.Task.ID, Sample: m.sample, Changes: m.Extraction.Changes}
	if m.Missing != "" {
		s.Verdict, s.Detail = m.Verdict, m.Missing
		r.advance(false)
		return r.book.put(s, reply, m.Verdict != benchmark.InfraError)
	}
	strategy := m.Task.Strategy
	if r.Strategy != "" {
		strategy = r.Strategy
	}
	outcome, err := runner.RunPatiently(ctx, execute.Candidate{Task: m.Task.ID, Body: m.Extraction.Body, Tests: m.Task.Tests, Strategy: strategy,
		Wall: execute.Wall(r.Dataset.Seconds(repository, m.Task.Tests))})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var unavailable *sandbox.UnavailableError
	if errors.As(err, &unavailable) {
		return err
	}
	if err != nil {
		outcome = execute.Outcome{Verdict: benchmark.InfraError, Detail: err.Error(), Strategy: strategy}
	}
	s.Verdict, s.Detail, s.Test, s.Seconds, s.CallSeconds = outcome.Verdict, outcome.Detail, outcome.Test, outcome.Seconds, outcome.CallSeconds
	s.Strategy, s.Flags, s.Recheck, s.RecheckNote = outcome.Strategy, outcome.Flags, outcome.Recheck, outcome.RecheckNote
	r.advance(true)
	return r.book.put(s, reply, true)
}

// sorted puts the samples into the order of the release's tasks.
func sorted(d *doctocode.Dataset, samples []Sample) []Sample {
	rank := make(map[string]int, len(d.Tasks))
	for i, t := range d.Tasks {
		rank[t.ID] = i
	}
	sort.SliceStable(samples, func(i, j int) bool {
		a, b := samples[i], samples[j]
		if a.Task != b.Task {
			return rank[a.Task] < rank[b.Task]
		}
		return a.Sample < b.Sample
	})
	return samples
}
