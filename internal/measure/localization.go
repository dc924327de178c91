package measure

import (
	"errors"
	"path"
	"strings"

	"touchstone/internal/measure/pystr"
	"touchstone/internal/statistics"
)

// Paths normalises paths of a repository's files and leaves out repetitions
// and empty ones. Backslashes become slashes, and "./", "//" and "x/.." go; the
// order stays, and so do upper and lower case.
func Paths(names []string) []string {
	seen := make(map[string]bool, len(names))
	kept := make([]string, 0, len(names))
	for _, name := range names {
		name = clean(strings.ReplaceAll(name, `\`, "/"))
		if name != "." && !seen[name] {
			seen[name] = true
			kept = append(kept, name)
		}
	}
	return kept
}

// clean gives "." for a name of nothing. Behind a "./" there may be a space.
func clean(name string) string {
	for {
		cleaned := path.Clean(pystr.TrimSpace(name))
		if cleaned == name {
			return name
		}
		name = cleaned
	}
}

// A FileScore is how well predicted files meet the gold files of one task.
type FileScore struct {
	TruePositives  int // predicted and gold
	FalsePositives int // predicted, not gold
	FalseNegatives int // gold, not predicted
	Overlap            // all 0 when nothing was predicted
}

// ErrNoGold says that a task has no gold file: it cannot be scored, and does
// not belong in a release.
var ErrNoGold = errors.New("localization: the task has no gold file")

// ScoreFiles compares sets of files, after Paths. Without a gold file it is
// ErrNoGold.
func ScoreFiles(predicted, gold []string) (FileScore, error) {
	predicted, gold = Paths(predicted), Paths(gold)
	if len(gold) == 0 {
		return FileScore{}, ErrNoGold
	}
	hits := 0
	for _, hit := range found(predicted, gold) {
		hits += one(hit)
	}
	return FileScore{
		TruePositives:  hits,
		FalsePositives: len(predicted) - hits,
		FalseNegatives: len(gold) - hits,
		Overlap:        overlap(hits, len(predicted), len(gold)),
	}, nil
}

// PooledFiles takes all predicted files of all tasks as one set, so that tasks
// of many files weigh more: the micro average.
func PooledFiles(scores []FileScore) Overlap {
	var hits, predicted, gold int
	for _, s := range scores {
		hits += s.TruePositives
		predicted += s.TruePositives + s.FalsePositives
		gold += s.TruePositives + s.FalseNegatives
	}
	return overlap(hits, predicted, gold)
}

// found says of each predicted file whether it is gold.
func found(predicted, gold []string) []bool {
	wanted := make(map[string]bool, len(gold))
	for _, name := range gold {
		wanted[name] = true
	}
	hits := make([]bool, len(predicted))
	for i, name := range predicted {
		hits[i] = wanted[name]
	}
	return hits
}

// A Share is a proportion of tasks with its Wilson interval.
type Share struct {
	Count    int
	Rate     float64
	Interval statistics.Interval
}

// FileScores sum up the tasks of a set. Precision, recall and F1 are means over
// the tasks, each by itself: F1 is the mean of the tasks' F1, which is not the
// F1 of the means and never above it. As an empty prediction has a precision of
// 0, ZeroPrecision and ZeroRecall are the same tasks; the paper shows both.
type FileScores struct {
	Tasks         int
	Mean          Overlap
	ZeroPrecision Share // no predicted file is gold, or none was predicted
	ZeroRecall    Share // no gold file was predicted
	FullRecall    Share // every gold file was predicted
	Exact         Share // F1 is 1: every gold file and no other was predicted
}

// MeanFiles sums up the scores of tasks. It needs one at least.
func MeanFiles(scores []FileScore) (FileScores, error) {
	if len(scores) == 0 {
		return FileScores{}, errors.New("localization: there is no task to take the mean of")
	}
	s := FileScores{Tasks: len(scores)}
	for _, x := range scores {
		s.Mean.Precision += x.Precision
		s.Mean.Recall += x.Recall
		s.Mean.F += x.F
		for _, extreme := range []struct {
			share *Share
			is    bool
		}{
			{&s.ZeroPrecision, x.TruePositives == 0},
			{&s.ZeroRecall, x.TruePositives == 0},
			{&s.FullRecall, x.FalseNegatives == 0},
			{&s.Exact, x.FalseNegatives == 0 && x.FalsePositives == 0},
		} {
			extreme.share.Count += one(extreme.is)
		}
	}
	n := float64(len(scores))
	s.Mean.Precision /= n
	s.Mean.Recall /= n
	s.Mean.F /= n
	for _, share := range []*Share{&s.ZeroPrecision, &s.ZeroRecall, &s.FullRecall, &s.Exact} {
		interval, err := statistics.Wilson(share.Count, len(scores))
		if err != nil {
			return FileScores{}, err
		}
		share.Rate, share.Interval = float64(share.Count)/n, interval
	}
	return s, nil
}
