package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"touchstone/data"
	"touchstone/internal/benchmark"
	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluate"
	"touchstone/internal/doctocode/evaluator"
)

type evaluateCommand struct {
	Release     string `help:"Folder of a release, or starter for the one that comes with the program." default:"starter" placeholder:"DIR"`
	Docs        string `help:"A docs.jsonl; original for the repository's own docstrings; none for no docstring; or sample:detailed, sample:summary, sample:vague for the samples of the starter release." required:"" placeholder:"FILE|original|none"`
	Evaluator   string `help:"reference, stub, verbatim, recorded, or a model's configuration such as gpt-5-mini." required:"" placeholder:"NAME"`
	Completions string `help:"Replies for --evaluator recorded; without it, the starter release's own for --docs sample:… and original." type:"existingfile" placeholder:"FILE"`
	Config      string `help:"A TOML file with further evaluators." type:"existingfile" placeholder:"FILE" env:"TOUCHSTONE_EVALUATORS"`
	BaseURL     string `help:"API address of the model, instead of the configured one." placeholder:"URL"`
	Samples     int    `help:"Samples for each task; default the evaluator's." placeholder:"M"`
	Out         string `help:"Folder for verdicts, completions and scores; an interrupted evaluation goes on there." type:"path" placeholder:"DIR"`
	Strategy    string `help:"Execute every candidate so, instead of by each task's own strategy." enum:",swapped,hooked,forked,fresh" default:""`
	workshopFlags
}

func (evaluateCommand) Help() string {
	return `Examples:

    touchstone evaluate --docs sample:detailed --evaluator recorded
    touchstone evaluate --release schema-release --docs docs.jsonl --evaluator gpt-5-mini --samples 5 --out results

The summary goes to standard output as one JSON object.`
}

func (c evaluateCommand) Run(ctx context.Context, p *place) error {
	w, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer w.close()
	dataset, err := c.dataset(w.cache)
	if err != nil {
		return err
	}
	docs, docsKey, err := c.docs(dataset, p)
	if err != nil {
		return err
	}
	judge, requests, err := c.evaluator(w.cache, p)
	if err != nil {
		return err
	}
	samples := c.Samples
	if samples == 0 {
		samples = judge.Samples()
	}
	result, err := evaluate.Run(ctx, evaluate.Options{
		Dataset: dataset, Docs: docs, DocsKey: docsKey, Evaluator: judge, Samples: samples, Out: c.Out, Cache: w.cache,
		Sandbox: w.box, Workers: w.jobs, Requests: requests, Strategy: doctocode.Strategy(c.Strategy), Progress: w.meter.show,
	})
	w.meter.close()
	if errors.Is(err, context.Canceled) && c.Out == "" {
		return errors.Join(err, errNothingKept)
	}
	if err != nil {
		return err
	}
	if result.Missing > 0 {
		fmt.Fprintf(p.stderr, "touchstone: %d samples have no verdict and count neither for nor against (see infra_error in the verdicts)\n", result.Missing)
	}
	return json.NewEncoder(p.stdout).Encode(summary(dataset, judge, result))
}

// starterName is the release that comes with the program.
const starterName = "starter"

func (c evaluateCommand) dataset(files *cache.Folder) (*doctocode.Dataset, error) {
	if c.Release != starterName {
		return doctocode.OpenDataset(c.Release)
	}
	dir, err := data.Install(files, "starter/release")
	if err != nil {
		return nil, err
	}
	return doctocode.OpenDataset(dir)
}

func (c evaluateCommand) docs(dataset *doctocode.Dataset, p *place) (evaluator.Docs, string, error) {
	switch c.Docs {
	case "original":
		return evaluator.Original(), c.Docs, nil
	case "none":
		return evaluator.NoDocs(), c.Docs, nil
	}
	var file io.ReadCloser
	var err error
	if sample, ok := data.SampleOf(c.Docs); ok {
		file, err = data.Submission(sample)
	} else {
		file, err = os.Open(c.Docs)
	}
	if err != nil {
		return evaluator.Docs{}, "", &benchmark.InputError{Field: "docs", Problem: err.Error(), Mend: "give a docs.jsonl, original, none, or sample:NAME"}
	}
	defer file.Close()
	sum := sha256.New()
	docs, report, err := evaluator.ReadDocs(io.TeeReader(file, sum), c.Docs)
	if err != nil {
		return docs, "", err
	}
	matched := 0
	for _, t := range dataset.Tasks {
		id, err := benchmark.ParseTaskID(t.ID)
		if err != nil {
			return docs, "", err
		}
		if _, ok := docs.Get(id); ok {
			matched++
		}
	}
	if matched == 0 {
		return docs, "", &benchmark.InputError{File: c.Docs, Problem: fmt.Sprintf("none of its %d docstrings is for a task of %s", report.Rows, dataset.Release.ID()),
			Mend: "check repo, path and qualname against the release's tasks.jsonl"}
	}
	p.log.Info("docstrings read", "rows", report.Rows, "blank", report.Blank, "duplicates", report.Duplicates,
		"tasks", len(dataset.Tasks), "documented", matched)
	return docs, hex.EncodeToString(sum.Sum(nil)), nil
}

// evaluator is the judge, and how many replies it is asked for at once.
func (c evaluateCommand) evaluator(files *cache.Folder, p *place) (evaluator.Evaluator, int, error) {
	for _, control := range evaluator.Controls {
		if control.Name() == c.Evaluator {
			return control, 1, nil
		}
	}
	if c.Evaluator == "recorded" {
		recorded, err := c.recorded()
		return recorded, 1, err
	}
	catalogue, err := evaluator.LoadCatalogue(c.Config)
	if err != nil {
		return nil, 0, err
	}
	config, err := catalogue.Lookup(c.Evaluator)
	if err != nil {
		return nil, 0, fmt.Errorf("%w; or reference, stub, verbatim, recorded", err)
	}
	completions, err := evaluator.OpenCache(filepath.Join(files.Root(), "completions"))
	if err != nil {
		return nil, 0, err
	}
	model, err := evaluator.NewOpenAI(config, evaluator.Options{BaseURL: c.BaseURL, Cache: completions, Log: p.log})
	if err != nil {
		return nil, 0, err
	}
	return model, max(1, model.Config().Concurrency), model.Ready()
}

func (c evaluateCommand) recorded() (evaluator.Evaluator, error) {
	if c.Completions != "" {
		file, err := os.Open(c.Completions)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return evaluator.ReadRecorded(file, c.Completions)
	}
	name := c.Docs
	if sample, ok := data.SampleOf(c.Docs); ok {
		name = sample
	}
	if c.Release == starterName {
		if file, err := data.Completions(name); err == nil {
			defer file.Close()
			return evaluator.ReadRecorded(file, name)
		}
	}
	return nil, usageError("--evaluator recorded needs --completions FILE")
}

// summary is the line that a program reads.
func summary(d *doctocode.Dataset, judge evaluator.Evaluator, r evaluate.Result) map[string]any {
	at := map[string]float64{}
	for _, p := range r.Score.PassAt {
		if p.Tasks > 0 {
			at[fmt.Sprint(p.K)] = p.Value
		}
	}
	line := map[string]any{
		"release": d.Release.ID(), "evaluator": judge.Name(), "tasks": r.Score.Tasks, "samples": len(r.Samples),
		"documented": r.Score.Documented, "pass@1": nil, "pass@k": at, "verdicts": r.Score.Verdicts,
		"suspicious": r.Flagged, "tokens": r.Tokens, "seconds": r.Took.Seconds(), "candidates_per_second": nil,
	}
	if v, ok := doctocode.At(r.Score.PassAt, 1); ok {
		line["pass@1"] = v
	}
	if r.Ran > 0 {
		line["candidates_per_second"] = float64(r.Ran) / r.Took.Seconds()
	}
	return line
}
