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
	Evaluator evaluator.Evaluator
	Samples   int    // per task
	Out       string // folder for the results; "" keeps none
	Cache     *cache.Folder
	Sandbox   sandbox.Sandbox
	Workers   int                // candidates executed at once
	Requests  int                // replies asked for at once
	Strategy  doctocode.Strategy // "" takes each task's own
	Progress  func(step string, done, total int)
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
	Missing int           // samples for which the evaluator has no reply; they do not count
	Flagged int           // passes that the screen flagged and that could not be confirmed
	Ran     int           // samples executed by this call
	Took    time.Duration // this call
}

// Tokens are what the evaluator's provider counted.
type Tokens struct {
	Prompt     int `json:"prompt"`
	Completion int `json:"completion"`
	Reasoning  int `json:"reasoning"`
}

// unit is one sample on its way.
type unit struct {
	task       doctocode.Task
	target     evaluator.Target
	prompt     string
	documented bool
	sample     int
}

// made is a unit with its reply.
type made struct {
	unit
	reply      Reply
	extraction evaluator.Extraction
	missing    string            // why there is no reply
	verdict    benchmark.Verdict // what that means for the sample
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
	prompt, err := evaluator.LookupPrompt(o.Dataset.Release.Prompt)
	if err != nil {
		return Result{}, err
	}
	book, err := openBook(o)
	if err != nil {
		return Result{}, err
	}
	defer book.close()
	run := &run{Options: o, prompt: prompt, book: book, total: len(o.Dataset.Tasks) * o.Samples}
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
	prompt evaluator.Prompt
	book   *book
	total  int

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
	index, err := r.Dataset.Index(repository)
	if err != nil {
		return err
	}
	units, err := r.units(repository.Name, tasks, index, documented)
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
				m, err := r.ask(ctx, u)
				if err != nil {
					cancel(fmt.Errorf("%s, sample %d: %w", u.task.ID, u.sample, err))
					continue
				}
				select {
				case ready <- m:
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
					cancel(fmt.Errorf("%s, sample %d: %w", m.task.ID, m.sample, err))
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
func (r *run) units(repository string, tasks []doctocode.Task, index []*doctocode.SourceFile, documented map[string]bool) ([]unit, error) {
	files := make(map[string]*doctocode.SourceFile, len(index))
	for _, f := range index {
		files[f.Path] = f
	}
	var units []unit
	for _, t := range tasks {
		id, err := benchmark.ParseTaskID(t.ID)
		if err != nil {
			return nil, err
		}
		file := files[id.Path]
		if file == nil {
			return nil, fmt.Errorf("the release has no definitions of %s", id.Path)
		}
		d, ok := file.Lookup(id.Qualname, id.Ordinal)
		if !ok {
			return nil, fmt.Errorf("the release has no definition %s", t.ID)
		}
		target := evaluator.Target{ID: t.ID, Repository: repository, File: file, Definition: d, Docs: r.Docs}
		_, has := target.Docstring()
		documented[t.ID] = has
		text, err := evaluator.Context(r.Dataset.Release.Context, target)
		if err != nil {
			return nil, err
		}
		filled := r.prompt.Fill(text)
		for j := range r.Samples {
			if r.book.has(t.ID, j) {
				r.advance(false)
				continue
			}
			units = append(units, unit{task: t, target: target, prompt: filled, documented: has, sample: j})
		}
	}
	return units, nil
}

// ask gets the reply of one sample.
func (r *run) ask(ctx context.Context, u unit) (made, error) {
	c, err := r.Evaluator.Complete(ctx, evaluator.Request{Target: u.target, Prompt: u.prompt, Sample: u.sample})
	m := made{unit: u, reply: Reply{Task: u.task.ID, Sample: u.sample}}
	switch {
	case errors.Is(err, evaluator.ErrNoCompletion):
		m.missing, m.verdict = err.Error(), benchmark.InfraError
		return m, nil
	case errors.Is(err, evaluator.ErrContextTooLong):
		// It counts: or else a docstring could be made too long wherever it would fail.
		m.missing, m.verdict = err.Error(), benchmark.NoCode
		return m, nil
	case err != nil:
		return m, err
	}
	m.reply = Reply{Task: u.task.ID, Sample: u.sample, Completion: c.Text, Model: c.Model,
		PromptTokens: c.PromptTokens, CompletionTokens: c.CompletionTokens, ReasoningTokens: c.ReasoningTokens}
	m.extraction = evaluator.Extract(c.Text, u.target.File, u.target.Definition)
	return m, nil
}

// infraRetries is how often a sample is tried when the machine fails.
const infraRetries = 3

func (r *run) execute(ctx context.Context, runner *execute.Runner, repository string, m made) error {
	s := Sample{Task: m.task.ID, Sample: m.sample, Changes: m.extraction.Changes}
	if m.missing != "" {
		s.Verdict, s.Detail = m.verdict, m.missing
		r.advance(true)
		return r.book.put(s, m.reply, m.verdict != benchmark.InfraError)
	}
	strategy := m.task.Strategy
	if r.Strategy != "" {
		strategy = r.Strategy
	}
	c := execute.Candidate{Task: m.task.ID, Body: m.extraction.Body, Tests: m.task.Tests, Strategy: strategy,
		Wall: execute.Wall(r.Dataset.Seconds(repository, m.task.Tests))}
	var outcome execute.Outcome
	var err error
	for try := range infraRetries {
		if outcome, err = runner.Run(ctx, c); err == nil || ctx.Err() != nil {
			break
		}
		select {
		case <-time.After(time.Duration(try+1) * 200 * time.Millisecond):
		case <-ctx.Done():
		}
	}
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
	return r.book.put(s, m.reply, true)
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
