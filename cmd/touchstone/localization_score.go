package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/jsonlines"
	"touchstone/internal/localization"
)

type localizationScoreCommand struct {
	Release     string             `help:"Folder of the release." required:"" type:"path" placeholder:"DIR"`
	Predictions []string           `help:"File of predictions; may be given several times." type:"path" sep:"none" placeholder:"FILE"`
	Augmented   []string           `help:"File whose lines are of the augmented arm unless they name their condition." type:"path" sep:"none" placeholder:"FILE"`
	Level       localization.Level `help:"The level of lines that name none: minimal, concise, contextual or guided." default:"contextual" placeholder:"LEVEL"`
	Gold        localization.Gold  `help:"Which gold files have to be found: all, or source without tests, documentation and generated files." default:"all" placeholder:"KIND"`
	Micro       bool               `help:"Give precision, recall and F1 of all files as one set, too."`
}

func (localizationScoreCommand) Help() string {
	return `Examples:

    touchstone localization score --release gin --predictions mine.jsonl
    touchstone localization score --release gin --predictions without.jsonl --augmented with.jsonl --gold source

A line of predictions is {"instance_id":"…","found_files":["a/b.py"]}, the
likeliest file first, with "prompt" and "condition" where they are not those of
the flags; or SWE-bench's {"instance_id":"…","model_name_or_path":"…",
"model_patch":"…"}. The scores go to standard output as a JSON object, which
docs/commands.md describes. A task without a prediction is an empty one.`
}

// Run prints the scores.
func (c localizationScoreCommand) Run(p *place) error {
	if err := c.check(); err != nil {
		return err
	}
	dataset, err := localization.OpenDataset(c.Release)
	if err != nil {
		return err
	}
	predictions, err := c.read(p, dataset)
	if err != nil {
		return err
	}
	outside, err := dataset.Outside(predictions)
	if err != nil {
		return err
	}
	for _, line := range listed(outside, func(x localization.OutsidePath) string {
		return fmt.Sprintf("%s: the snapshot has no file %q, so it counts as wrong; paths begin at the repository's root", x.Task, x.Path)
	}) {
		p.say("%s", line)
	}
	score, err := localization.ScoreOf(dataset.Tasks, predictions, c.Gold)
	if err != nil {
		return err
	}
	contrasts, err := score.Contrasts()
	if err != nil {
		return err
	}
	for _, arm := range score.Arms {
		if missing := arm.Summary.Tasks - arm.Answered; missing > 0 {
			p.say("%s, %s: %d of %s have no prediction and count as empty ones", arm.Level, arm.Condition, missing, many(arm.Summary.Tasks, "task", "tasks"))
		}
	}
	for _, contrast := range contrasts {
		p.say("%s", inWords(contrast))
	}
	if text := cannotTell(contrasts); text != "" {
		p.say("%s", text)
	}
	return json.NewEncoder(p.stdout).Encode(scoreLine(dataset.Release.ID(), score, contrasts, c.Micro))
}

func (c localizationScoreCommand) check() error {
	if len(c.Predictions)+len(c.Augmented) == 0 {
		return usageError("give --predictions FILE")
	}
	if !slices.Contains(localization.Levels, c.Level) {
		return usageError(fmt.Sprintf("--level: %q is not a level; give minimal, concise, contextual or guided", c.Level))
	}
	if !slices.Contains(localization.Golds, c.Gold) {
		return usageError(fmt.Sprintf("--gold: %q is not a kind of gold files; give all or source", c.Gold))
	}
	return nil
}

// read reads all files. Bad lines are named, and are an error when all were read.
func (c localizationScoreCommand) read(p *place, dataset *localization.Dataset) ([]localization.Prediction, error) {
	all := localization.NewPredictions(dataset.Tasks)
	rejected, unmatched := 0, 0
	for _, part := range []struct {
		files     []string
		condition localization.Condition
	}{{c.Predictions, localization.Baseline}, {c.Augmented, localization.Augmented}} {
		for _, name := range part.files {
			report, err := readPredictions(all, name, localization.Arm{Level: c.Level, Condition: part.condition})
			if err != nil {
				return nil, err
			}
			for _, line := range aboutPredictions(report) {
				p.say("%s", line)
			}
			rejected += report.Rejected.Count
			unmatched += report.Unmatched.Count
		}
	}
	predictions := all.All()
	switch {
	case rejected > 0:
		return nil, fmt.Errorf("%s cannot be read; mend them; nothing was scored", many(rejected, "line", "lines"))
	case len(predictions) == 0:
		return nil, fmt.Errorf("no line is for one of the %d tasks of %s; their ids are in the release's tasks.jsonl", len(dataset.Tasks), dataset.Release.ID())
	}
	return predictions, nil
}

func readPredictions(all *localization.Predictions, name string, otherwise localization.Arm) (*localization.PredictionReport, error) {
	file, err := os.Open(name)
	if os.IsNotExist(err) {
		return nil, &benchmark.InputError{Field: "predictions", Problem: fmt.Sprintf("there is no file %q", name), Mend: "give a file of predictions, one JSON object a line"}
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return all.Read(file, name, otherwise)
}

// aboutPredictions is what a person should know of a file.
func aboutPredictions(r *localization.PredictionReport) []string {
	lines := listed(r.Rejected, func(x jsonlines.Rejection) string {
		return (&benchmark.InputError{File: r.File, Line: x.Line, Field: x.Field, Problem: x.Problem, Mend: x.Mend}).Error()
	})
	lines = append(lines, listed(r.Unmatched, func(x localization.UnmatchedPrediction) string {
		near := ""
		if len(x.Nearest) > 0 {
			near = "; did you mean " + strings.Join(x.Nearest, " or ") + "?"
		}
		return fmt.Sprintf("%s:%d: instance_id: the release has no task %q%s", r.File, x.Line, x.ID, near)
	})...)
	lines = append(lines, listed(r.Superseded, func(x localization.SupersededPrediction) string {
		return fmt.Sprintf("%s:%d: replaced by %s:%d, a later line for %s (%s, %s)", x.File, x.Line, r.File, x.By, x.ID, x.Level, x.Condition)
	})...)
	lines = append(lines, listed(r.Normalised, func(x localization.NormalisedPath) string {
		return fmt.Sprintf("%s:%d: %q is read as %q", r.File, x.Line, x.Path, x.Read)
	})...)
	for _, note := range []struct {
		n    int
		what string
	}{
		{r.Level, "without a prompt, scored at the level of --level"},
		{r.Empty, "without a file"},
	} {
		if note.n > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s %s", r.File, many(note.n, "prediction", "predictions"), note.what))
		}
	}
	if r.Added > 0 {
		lines = append(lines, fmt.Sprintf("%s: %s that patches add are no predictions: the snapshot does not have them", r.File, many(r.Added, "file", "files")))
	}
	return lines
}

// inWords says what knowledge changes at a level.
func inWords(c localization.Contrast) string {
	interval := "no interval"
	if i := c.Interval.Interval; i != nil {
		interval = fmt.Sprintf("95 %% interval %+.3f to %+.3f", i.Low, i.High)
	}
	return fmt.Sprintf("%s: F1 %.3f augmented, %.3f baseline: %+.3f (%s; %d tasks better, %d worse; p %.3g by sign flips, %.3g adjusted)",
		c.Level, c.Augmented, c.Baseline, c.Difference, interval, c.Better, c.Worse, c.SignFlip.P, c.SignFlipHolm)
}

// cannotTell says that no difference can be told from chance, "" where one can.
func cannotTell(contrasts []localization.Contrast) string {
	i := slices.IndexFunc(contrasts, localization.Contrast.TooFewRepositories)
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("%d repositories are too few to tell a difference from chance, whatever the intervals; score a release of one repository, where tasks vary, or of %d or more",
		contrasts[i].Repositories, localization.FewestRepositories)
}
