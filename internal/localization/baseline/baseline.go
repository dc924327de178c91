// Package baseline is the reference systems of the localization track, which
// need no model: BM25 over the files of the snapshot, and the same augmented
// with what the history up to T0 tells. They are the two arms of one system.
package baseline

import (
	"context"
	"fmt"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
	"touchstone/internal/localization/history"
)

// Names of the agents.
const (
	BM25        = "bm25"         // content and paths of the snapshot's files
	BM25History = "bm25+history" // and definitions, past commits, churn, files that change together
)

// Conditions are the agents and the arm that each is.
var Conditions = map[string]localization.Condition{BM25: localization.Baseline, BM25History: localization.Augmented}

// An Agent predicts which files a prompt is about. It does not change and may
// be asked by several at once.
type Agent struct {
	paths   []string
	signals []signal
	past    *past // nil without history
}

// A signal says how much speaks for each file, given a prompt.
type signal struct {
	weight float64
	scores func(prompt string) []float64 // none below 0
}

// The weights of signals whose best file has 1. They were chosen, with the
// policy of choose, by the mean F1 over the four levels and five repositories
// (those of data/recipes/localization.toml, in windows that end at or before
// its T0s). One set serves all repositories and levels.
const (
	contentWeight = 1.0
	pathWeight    = 0.7

	symbolWeight   = 0.25
	messageWeight  = 0.8
	similarWeight  = 0.5
	churnWeight    = 0.4
	togetherWeight = 0.6
)

// New makes an agent of the repository at dir, as its HEAD stands, which is
// meant to be a history.Snapshot: dir is all that it is told, so what dir does
// not hold it cannot know. tell, unless nil, hears how far the reading is.
func New(ctx context.Context, name, dir string, tell func(step string, done, total int)) (*Agent, error) {
	if _, known := Conditions[name]; !known {
		return nil, &benchmark.InputError{Field: "agent", Problem: fmt.Sprintf("there is no agent %q", name), Mend: "give " + BM25 + " or " + BM25History}
	}
	if tell == nil {
		tell = func(string, int, int) {}
	}
	repository, err := history.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	head, err := repository.Resolve(ctx, "HEAD")
	if err != nil {
		return nil, err
	}
	files, err := readFiles(ctx, repository, head, name == BM25History, tell)
	if err != nil {
		return nil, err
	}
	a := &Agent{paths: files.paths, signals: []signal{{contentWeight, files.content.Scores}, {pathWeight, files.path.Scores}}}
	if name == BM25 {
		return a, nil
	}
	if a.past, err = readPast(ctx, repository, head, files.paths, tell); err != nil {
		return nil, err
	}
	a.signals = append(a.signals,
		signal{symbolWeight, files.symbols.Scores},
		signal{messageWeight, a.past.messages.Scores},
		signal{similarWeight, a.past.similar},
		signal{churnWeight, func(string) []float64 { return a.past.recent }})
	return a, nil
}

// Files is how many files the snapshot has.
func (a *Agent) Files() int { return len(a.paths) }

// Predict names the files that a prompt is likely about, the likeliest first.
// There may be none.
func (a *Agent) Predict(prompt string) []string {
	total := make([]float64, len(a.paths))
	for _, s := range a.signals {
		add(total, s.weight, s.scores(prompt))
	}
	if a.past != nil {
		a.past.spread(total, a.paths)
	}
	return choose(total, a.paths)
}

// add adds scores, scaled so that the best is worth weight.
func add(total []float64, weight float64, scores []float64) {
	best := 0.0
	for _, s := range scores {
		best = max(best, s)
	}
	if best == 0 {
		return
	}
	for i, s := range scores {
		total[i] += weight * s / best
	}
}
