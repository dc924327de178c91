package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
	"touchstone/internal/localization/baseline"
	"touchstone/internal/localization/build"
	"touchstone/internal/localization/history"
)

type localizationPredictCommand struct {
	Release string `help:"Folder of the release." required:"" type:"path" placeholder:"DIR"`
	Repo    string `help:"Folder of a clone of the release's repository, when it has one." type:"path" placeholder:"DIR"`
	Mirror  string `help:"Folder of clones of its repositories: OWNER/NAME, OWNER/NAME.git, OWNER__NAME or OWNER__NAME.git in it." type:"path" placeholder:"DIR"`
	Agent   string `help:"bm25 (content and paths of the snapshot's files: the baseline arm) or bm25+history (and what the history up to T0 tells: the augmented arm)." required:"" placeholder:"NAME"`
	Out     string `help:"File of the predictions." required:"" type:"path" placeholder:"FILE"`
}

func (localizationPredictCommand) Help() string {
	return `Examples:

    touchstone localization predict --release gin --repo ./gin --agent bm25 --out baseline.jsonl
    touchstone localization predict --release gin --repo ./gin --agent bm25+history --out augmented.jsonl
    touchstone localization score --release gin --predictions baseline.jsonl --predictions augmented.jsonl

An agent is given a copy of the clone that ends at T0. There is a line for each
task and level. A summary goes to standard output as a JSON object.`
}

// predicted sums a file of predictions up.
type predicted struct {
	Release        string                 `json:"release"`
	Agent          string                 `json:"agent"`
	Condition      localization.Condition `json:"condition"`
	Tasks          int                    `json:"tasks"`
	WithoutPrompts int                    `json:"without_prompts"` // tasks
	Predictions    int                    `json:"predictions"`
	Files          int                    `json:"files"` // of all predictions
	Empty          int                    `json:"empty"` // predictions without a file
	Seconds        float64                `json:"seconds"`
}

// Run writes the predictions.
func (c localizationPredictCommand) Run(ctx context.Context, p *place) error {
	began := time.Now()
	dataset, err := localization.OpenDataset(c.Release)
	if err != nil {
		return err
	}
	condition, known := baseline.Conditions[c.Agent]
	switch {
	case !known:
		return usageError(fmt.Sprintf("--agent: there is no agent %q; there are %s and %s", c.Agent, baseline.BM25, baseline.BM25History))
	case c.Repo == "" && c.Mirror == "" || c.Repo != "" && c.Mirror != "":
		return usageError("give --repo DIR, a clone of the release's repository, or --mirror DIR, a folder of clones")
	case c.Repo != "" && len(dataset.Repositories) != 1:
		return usageError(fmt.Sprintf("--repo: %s has %d repositories; give --mirror DIR, a folder of their clones", dataset.Release.ID(), len(dataset.Repositories)))
	}
	sum := predicted{Release: dataset.Release.ID(), Agent: c.Agent, Condition: condition, Tasks: len(dataset.Tasks)}
	for _, t := range dataset.Tasks {
		if len(t.Prompts) == 0 {
			sum.WithoutPrompts++
		}
	}
	if sum.WithoutPrompts == sum.Tasks {
		return &benchmark.InputError{File: c.Release, Problem: "has no prompts, so there is nothing to ask an agent", Mend: "build it from a clone with prompts (without --facts)"}
	}
	if sum.WithoutPrompts > 0 {
		p.say("%d of %s have no prompts: nothing is predicted for them", sum.WithoutPrompts, many(sum.Tasks, "task", "tasks"))
	}
	if err := c.write(ctx, p, dataset, &sum); err != nil {
		return err
	}
	sum.Seconds = time.Since(began).Seconds()
	return json.NewEncoder(p.stdout).Encode(sum)
}

// write puts the file in place when it is whole.
func (c localizationPredictCommand) write(ctx context.Context, p *place, dataset *localization.Dataset, sum *predicted) error {
	file, err := os.CreateTemp(filepath.Dir(c.Out), filepath.Base(c.Out)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // is gone when it was renamed
	defer file.Close()
	out := bufio.NewWriter(file)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for _, repository := range dataset.Repositories {
		if err := c.predict(ctx, p, repository, dataset.TasksOf(repository.Name), sum, lines); err != nil {
			return err
		}
	}
	p.stderr.close()
	if err := out.Flush(); err != nil {
		return err
	}
	if err := file.Chmod(0o644); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), c.Out)
}

// predict asks the agent for every prompt of one repository's tasks.
func (c localizationPredictCommand) predict(ctx context.Context, p *place, repository localization.Repository, tasks []localization.Task, sum *predicted, lines *json.Encoder) error {
	dir := c.Repo
	if dir == "" {
		var err error
		if dir, err = (build.RepositoryRecipe{Name: repository.Name, Source: repository.Source}).Clone(c.Mirror); err != nil {
			return err
		}
	}
	p.stderr.show(repository.Name+" copying up to T0", 0, 0)
	snapshot, cleanup, err := history.Snapshot(ctx, dir, repository.Snapshot)
	if err != nil {
		return err
	}
	defer cleanup()
	agent, err := baseline.New(ctx, c.Agent, snapshot, func(step string, done, total int) { p.stderr.show(repository.Name+" "+step, done, total) })
	if err != nil {
		return err
	}
	for i, task := range tasks {
		p.stderr.show(repository.Name+" predicting", i, len(tasks))
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, level := range localization.Levels {
			prompt, told := task.Prompts[level]
			if !told {
				continue
			}
			files := agent.Predict(prompt)
			sum.Predictions++
			sum.Files += len(files)
			if len(files) == 0 {
				sum.Empty++
				files = []string{} // null would be no list
			}
			if err := lines.Encode(localization.Prediction{Task: task.ID, Level: level, Condition: sum.Condition, Files: files}); err != nil {
				return err
			}
		}
	}
	p.stderr.show(repository.Name+" predicting", len(tasks), len(tasks))
	return nil
}
