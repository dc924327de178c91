package build

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"touchstone/internal/benchmark"
	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/sandbox"
)

// AgreementOptions say how the strategies of a release are held against a
// fresh process.
type AgreementOptions struct {
	Dataset  *doctocode.Dataset
	Cache    *cache.Folder
	Sandbox  sandbox.Sandbox
	Workers  int
	Mutants  int    // of each task, at most
	Seed     uint32 // mutants other than those of the build come from another seed
	Progress Progress
}

// A Disagreement is a mutant on which a task's strategy errs.
type Disagreement struct {
	Task     string             `json:"task"`
	Strategy doctocode.Strategy `json:"strategy"`
	Operator string             `json:"operator"`
	Body     string             `json:"body"`
	Fresh    benchmark.Verdict  `json:"fresh"`
	Got      benchmark.Verdict  `json:"got"`
	Detail   string             `json:"detail"`
}

// An Agreement sums up how often the strategies gave a fresh process's verdict.
type Agreement struct {
	Repository    string                     `json:"repository"`
	Mutants       int                        `json:"mutants"`
	Killed        int                        `json:"killed"` // mutants that do not pass
	ByStrategy    map[doctocode.Strategy]int `json:"by_strategy"`
	Disagreements []Disagreement             `json:"disagreements"`
}

// WriteMutants writes, for every task of a repository, its original body and
// mutants as lines of recorded completions: replies that are not a model's, for
// trying an installation. Sample 0 is the original body.
func WriteMutants(ctx context.Context, o AgreementOptions, repository string, out io.Writer) error {
	w, runner, err := o.runner(ctx, repository)
	if err != nil {
		return err
	}
	defer runner.Close()
	lines := json.NewEncoder(out)
	for _, t := range o.Dataset.TasksOf(repository) {
		id, err := benchmark.ParseTaskID(t.ID)
		if err != nil {
			return err
		}
		file, d, err := w.Find(id.Path, id.Qualname, id.Ordinal)
		if err != nil {
			return err
		}
		mutants, err := runner.Mutants(ctx, t.ID, o.Mutants, Seed(t.ID)^o.Seed)
		if err != nil {
			return err
		}
		bodies := []string{file.OriginalBody(d)}
		for _, m := range mutants {
			bodies = append(bodies, m.Body)
		}
		for i, body := range bodies {
			line := map[string]any{"task_id": t.ID, "sample": i, "completion": evaluator.Fence(body), "model": "mutants"}
			if err := lines.Encode(line); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o AgreementOptions) runner(ctx context.Context, repository string) (*execute.Workspace, *execute.Runner, error) {
	w, err := execute.PrepareFrom(ctx, o.Dataset, repository, o.Cache)
	if err != nil {
		return nil, nil, err
	}
	if err := w.Warm(ctx, o.Sandbox); err != nil {
		return nil, nil, err
	}
	runner, err := w.NewRunner(o.Sandbox, o.Workers, o.Dataset.TasksOf(repository))
	return w, runner, err
}

// Agree runs mutants of every task of a repository under the task's strategy
// and in a fresh process each.
func Agree(ctx context.Context, o AgreementOptions, repository string) (Agreement, error) {
	a := Agreement{Repository: repository, ByStrategy: map[doctocode.Strategy]int{}, Disagreements: []Disagreement{}}
	tasks := o.Dataset.TasksOf(repository)
	_, runner, err := o.runner(ctx, repository)
	if err != nil {
		return a, err
	}
	defer runner.Close()
	var mu sync.Mutex
	done := 0
	err = spread(ctx, o.Workers, len(tasks), func(ctx context.Context, i int) error {
		t := tasks[i]
		if t.Strategy == doctocode.Fresh {
			return nil
		}
		mutants, err := runner.Mutants(ctx, t.ID, o.Mutants, Seed(t.ID)^o.Seed)
		if err != nil {
			return err
		}
		for _, m := range mutants {
			wall := execute.Wall(o.Dataset.Seconds(repository, t.Tests))
			c := execute.Candidate{Task: t.ID, Body: m.Body, Tests: t.Tests, Strategy: t.Strategy, Wall: wall, NoJudge: true}
			got, err := runner.Run(ctx, c)
			if err != nil {
				return fmt.Errorf("%s: %w", t.ID, err)
			}
			c.Strategy = doctocode.Fresh
			truth, err := runner.Run(ctx, c)
			if err != nil {
				return fmt.Errorf("%s: %w", t.ID, err)
			}
			mu.Lock()
			a.Mutants++
			a.ByStrategy[got.Strategy]++
			if truth.Verdict != benchmark.Passed {
				a.Killed++
			}
			if got.Verdict != truth.Verdict {
				a.Disagreements = append(a.Disagreements, Disagreement{Task: t.ID, Strategy: got.Strategy, Operator: m.Operator, Body: m.Body,
					Fresh: truth.Verdict, Got: got.Verdict, Detail: lastLines(got.Detail+"\n--\n"+truth.Detail, 12)})
			}
			mu.Unlock()
		}
		return nil
	}, func() {
		done++
		o.Progress(repository+" mutants", done, len(tasks))
	})
	return a, err
}
