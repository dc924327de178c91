package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"touchstone/data"
	"touchstone/internal/benchmark"
	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluate"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/llm"
)

type evaluateCommand struct {
	Release     *string `help:"Folder of a release; default starter, the one that comes with the program." placeholder:"DIR"`
	Docs        string  `help:"A docs.jsonl; original for the repository's own docstrings; none for no docstring; or sample:detailed, sample:summary, sample:vague for the samples of the starter release." required:"" placeholder:"FILE|original|none"`
	Evaluator   string  `help:"reference, stub, verbatim, recorded, or a model's configuration such as gpt-5-mini." required:"" placeholder:"NAME"`
	Completions string  `help:"Replies for --evaluator recorded; without it, the starter release's own for --docs sample:… and original." type:"existingfile" placeholder:"FILE"`
	Config      string  `help:"A TOML file with further evaluators." type:"existingfile" placeholder:"FILE" env:"TOUCHSTONE_EVALUATORS"`
	BaseURL     string  `help:"API address of the model, instead of the configured one." placeholder:"URL"`
	Samples     count   `help:"Samples for each task, at most 1000; default the evaluator's." placeholder:"M"`
	Out         string  `help:"Folder for verdicts, completions and scores; an interrupted evaluation goes on there." type:"path" placeholder:"DIR"`
	Strategy    string  `help:"Execute every candidate so, instead of by each task's own strategy: swapped, hooked, forked or fresh." enum:",swapped,hooked,forked,fresh" default:"" placeholder:"NAME"`
	workshopFlags
}

func (evaluateCommand) Help() string {
	return `Examples:

    touchstone evaluate --docs sample:detailed --evaluator recorded
    touchstone evaluate --release schema-release --docs docs.jsonl --evaluator gpt-5-mini --samples 5 --out results

Every task of the release is judged, also one without a docstring; the ids of the
tasks are in the release's tasks.jsonl. The summary goes to standard output as one
JSON object. The exit status is 1 when a sample has no verdict, though the score of
the others is printed. docs/commands.md describes every file, field and limit.`
}

func (c evaluateCommand) Run(ctx context.Context, p *place) error {
	if c.Samples > llm.MaxSamples {
		return usageError(fmt.Sprintf("--samples: %d is more than %d", c.Samples, llm.MaxSamples))
	}
	w, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer w.close()
	dataset, err := c.dataset(w.cache)
	if err != nil {
		return err
	}
	docs, err := c.readDocs(ctx, dataset)
	if err != nil {
		return err
	}
	if err := docs.tell(p); err != nil {
		return err
	}
	judge, requests, err := c.evaluator(w.cache, dataset, p)
	if err != nil {
		return err
	}
	samples := int(c.Samples)
	if samples == 0 {
		samples = judge.Samples()
	}
	result, err := evaluate.Run(ctx, evaluate.Options{
		Dataset: dataset, Docs: docs.docs, DocsKey: docs.key, DocsName: c.Docs, Evaluator: judge, Samples: samples, Out: c.Out, Cache: w.cache,
		Sandbox: w.box, Workers: w.jobs, Requests: requests, Strategy: doctocode.Strategy(c.Strategy), Progress: w.meter.show,
	})
	w.meter.close()
	if errors.Is(err, context.Canceled) && c.Out == "" {
		return errors.Join(err, errNothingKept)
	}
	if err != nil {
		return err
	}
	if err := json.NewEncoder(p.stdout).Encode(summary(dataset, judge, docs.report, result)); err != nil {
		return err
	}
	return incomplete(result, c.Evaluator == recordedName, c.Out != "")
}

// starterName is the release that comes with the program.
const starterName = "starter"

func (c evaluateCommand) starter() bool { return c.Release == nil || *c.Release == starterName }

func (c evaluateCommand) dataset(files *cache.Folder) (*doctocode.Dataset, error) {
	if !c.starter() {
		return openRelease(*c.Release)
	}
	dir, err := data.Install(files, "starter/release")
	if err != nil {
		return nil, err
	}
	return doctocode.OpenDataset(dir)
}

// openRelease says of what is no folder what it is.
func openRelease(dir string) (*doctocode.Dataset, error) {
	const mend = "give the folder that `touchstone dataset build --out` wrote, or leave --release out for the starter release"
	if dir == "" {
		return nil, usageError("--release: is empty; " + mend)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &benchmark.InputError{Field: "release", Problem: fmt.Sprintf("there is no folder %q", dir), Mend: mend}
	case err == nil && !info.IsDir():
		return nil, &benchmark.InputError{Field: "release", Problem: fmt.Sprintf("%q is a file, not a folder", dir), Mend: mend}
	}
	return doctocode.OpenDataset(dir)
}

// recordedName is the evaluator that plays replies from a file.
const recordedName = "recorded"

// evaluator is the judge, and how many replies it is asked for at once.
func (c evaluateCommand) evaluator(files *cache.Folder, dataset *doctocode.Dataset, p *place) (evaluator.Evaluator, int, error) {
	for _, control := range evaluator.Controls {
		if control.Name() == c.Evaluator {
			return control, 1, nil
		}
	}
	if c.Evaluator == recordedName {
		recorded, err := c.recorded(dataset, p)
		return recorded, 1, err
	}
	catalogue, err := llm.LoadCatalogue(c.Config)
	if err != nil {
		return nil, 0, err
	}
	config, err := catalogue.Lookup(c.Evaluator)
	if err != nil {
		return nil, 0, fmt.Errorf("%w; or reference, stub, verbatim, recorded", err)
	}
	completions, err := llm.OpenCache(filepath.Join(files.Root(), "completions"))
	if err != nil {
		return nil, 0, err
	}
	model, err := evaluator.NewOpenAI(config, llm.Options{BaseURL: c.BaseURL, Cache: completions, Log: p.log})
	if err != nil {
		return nil, 0, err
	}
	return model, max(1, model.Config().Concurrency), model.Ready()
}

func (c evaluateCommand) recorded(dataset *doctocode.Dataset, p *place) (evaluator.Evaluator, error) {
	if c.Completions != "" {
		file, err := os.Open(c.Completions)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		recorded, err := evaluator.ReadRecorded(file, c.Completions)
		if err != nil {
			return nil, err
		}
		tellUnmatchedReplies(p, c.Completions, recorded, dataset)
		return recorded, nil
	}
	name := c.Docs
	if sample, ok := data.SampleOf(c.Docs); ok {
		name = sample
	}
	if c.starter() {
		if file, err := data.Completions(name); err == nil {
			defer file.Close()
			return evaluator.ReadRecorded(file, name)
		}
	}
	return nil, usageError("--evaluator recorded needs --completions FILE")
}

// tellUnmatchedReplies warns of replies that no task will ask for.
func tellUnmatchedReplies(p *place, file string, recorded *evaluator.Recorded, dataset *doctocode.Dataset) {
	tasks := make(map[string]bool, len(dataset.Tasks))
	for _, t := range dataset.Tasks {
		tasks[t.ID] = true
	}
	rows := recorded.Unmatched(func(task string) bool { return tasks[task] })
	for _, r := range rows[:min(len(rows), mostLines)] {
		p.say("%s:%d: no task %s", file, r.Line, r.Task)
	}
	if len(rows) > 0 {
		p.say("%s: %s for no task of %s", file, many(len(rows), "reply is", "replies are"), dataset.Release.ID())
	}
}
