package localization

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"touchstone/internal/benchmark"
	"touchstone/internal/measure"
	"touchstone/internal/statistics"
)

// Gold says which of the gold files have to be found.
type Gold string

const (
	AllGold    Gold = "all"
	SourceGold Gold = "source" // without tests, documentation and generated files
)

// Golds lists them.
var Golds = []Gold{AllGold, SourceGold}

// divide tells the files that have to be found from those that may be.
func (g Gold) divide(files []GoldFile) (wanted, apart []string) {
	for _, f := range files {
		if g == SourceGold && f.Label != Source {
			apart = append(apart, f.Path)
		} else {
			wanted = append(wanted, f.Path)
		}
	}
	return wanted, apart
}

// A TaskScore is what was predicted for one task, and what that is worth.
type TaskScore struct {
	Task       string
	Repository string
	Answered   bool // without an answer the prediction is empty
	Predicted  []string
	measure.FileScore
	Ranked []measure.RankedScore // at measure.RankedCutoffs
}

// A Summary is the score of a set of tasks: means over them, as the paper has
// them (its equation 3), and beside them what the sums of right and wrong files
// give (Micro).
type Summary struct {
	measure.FileScores
	Answered int                   // tasks with an answer; the others count as empty predictions
	Micro    measure.Overlap       // precision, recall and F1 of all files as one set
	Ranked   []measure.RankedScore // at measure.RankedCutoffs
	Interval statistics.Bootstrap  // of the mean F1, drawing repositories, or the tasks of a single one
}

// A RepositorySummary is the score of one repository's tasks.
type RepositorySummary struct {
	Repository string
	Summary
}

// An ArmScore is the score of one level and condition.
type ArmScore struct {
	Arm
	Summary
	Repositories []RepositorySummary // in the order of their names
	Tasks        []TaskScore         // in the order of the release
}

// A Score is that of a system on a release.
type Score struct {
	Gold    Gold
	Tasks   int        // that are scored
	LeftOut int        // tasks without a gold file of the kind that counts
	Arms    []ArmScore // those with predictions: by level, the baseline first
}

// Seed is that of every resampling of this track's scores.
const Seed = 20260327

// ScoreOf scores predictions against the tasks of a release. In every arm that
// has a prediction all tasks are scored, those without one as empty
// predictions. A predicted file that is gold, but of a kind that does not
// count, counts neither for nor against. Predictions for other tasks, two for
// one task and arm, and arms that there are not are errors, and so is a release
// that has nothing to score.
func ScoreOf(tasks []Task, predictions []Prediction, gold Gold) (Score, error) {
	if !slices.Contains(Golds, gold) {
		return Score{}, &benchmark.InputError{Field: "gold", Problem: fmt.Sprintf("%q is not a kind of gold files", gold), Mend: "give all or source"}
	}
	arms, err := byArm(tasks, predictions)
	if err != nil {
		return Score{}, err
	}
	s := Score{Gold: gold}
	var counted []Task
	for _, t := range tasks {
		if wanted, _ := gold.divide(t.Gold); len(wanted) > 0 {
			counted = append(counted, t)
		}
	}
	s.Tasks, s.LeftOut = len(counted), len(tasks)-len(counted)
	switch {
	case len(tasks) == 0:
		return Score{}, errors.New("localization: the release has no task")
	case len(counted) == 0:
		return Score{}, &benchmark.InputError{Field: "gold", Problem: "no task has a gold file that is source", Mend: "score with all gold files"}
	}
	for arm, answers := range arms {
		scored := ArmScore{Arm: arm}
		for _, t := range counted {
			one, err := scoreTask(t, answers, gold)
			if err != nil {
				return Score{}, fmt.Errorf("%s: %w", t.ID, err)
			}
			scored.Tasks = append(scored.Tasks, one)
		}
		if err := scored.sum(); err != nil {
			return Score{}, err
		}
		s.Arms = append(s.Arms, scored)
	}
	slices.SortFunc(s.Arms, func(a, b ArmScore) int { return compareArms(a.Arm, b.Arm) })
	return s, nil
}

// byArm sorts predictions by arm and task.
func byArm(tasks []Task, predictions []Prediction) (map[Arm]map[string]Prediction, error) {
	known := make(map[string]bool, len(tasks))
	for _, t := range tasks {
		known[t.ID] = true
	}
	arms := map[Arm]map[string]Prediction{}
	for _, p := range predictions {
		arm := Arm{p.Level, p.Condition}
		answers := arms[arm]
		if answers == nil {
			if !slices.Contains(Levels, arm.Level) || !slices.Contains(Conditions, arm.Condition) {
				return nil, fmt.Errorf("localization: a prediction for %s is of prompt %q and condition %q", p.Task, p.Level, p.Condition)
			}
			answers = map[string]Prediction{}
			arms[arm] = answers
		}
		if _, twice := answers[p.Task]; twice || !known[p.Task] {
			return nil, fmt.Errorf("localization: a prediction for %s is given twice, or for no task of the release", p.Task)
		}
		answers[p.Task] = p
	}
	return arms, nil
}

func scoreTask(t Task, answers map[string]Prediction, gold Gold) (TaskScore, error) {
	answer, answered := answers[t.ID]
	wanted, apart := gold.divide(t.Gold)
	predicted := slices.DeleteFunc(measure.Paths(answer.Files), func(path string) bool { return slices.Contains(apart, path) })
	s := TaskScore{Task: t.ID, Repository: t.Repository, Answered: answered, Predicted: predicted}
	var err error
	if s.FileScore, err = measure.ScoreFiles(predicted, wanted); err != nil {
		return s, err
	}
	for _, k := range measure.RankedCutoffs {
		ranked, err := measure.ScoreRanking(predicted, wanted, k)
		if err != nil {
			return s, err
		}
		s.Ranked = append(s.Ranked, ranked)
	}
	return s, nil
}

// sum sums an arm's tasks up, all and repository by repository.
func (a *ArmScore) sum() error {
	tasks := slices.SortedStableFunc(slices.Values(a.Tasks), func(x, y TaskScore) int { return cmp.Compare(x.Repository, y.Repository) })
	for from := 0; from < len(tasks); {
		to := from
		for to < len(tasks) && tasks[to].Repository == tasks[from].Repository {
			to++
		}
		summary, err := Sum(tasks[from:to])
		if err != nil {
			return err
		}
		a.Repositories = append(a.Repositories, RepositorySummary{tasks[from].Repository, summary})
		from = to
	}
	var err error
	a.Summary, err = Sum(tasks)
	return err
}

// Sum sums up scores of tasks, of which there has to be one.
func Sum(tasks []TaskScore) (Summary, error) {
	var s Summary
	var files []measure.FileScore
	for _, t := range tasks {
		files = append(files, t.FileScore)
		if t.Answered {
			s.Answered++
		}
	}
	var err error
	if s.FileScores, err = measure.MeanFiles(files); err != nil {
		return s, err
	}
	s.Micro = measure.PooledFiles(files)
	for i := range measure.RankedCutoffs {
		var ranked []measure.RankedScore
		for _, t := range tasks {
			ranked = append(ranked, t.Ranked[i])
		}
		mean, err := measure.MeanRanking(ranked)
		if err != nil {
			return s, err
		}
		s.Ranked = append(s.Ranked, mean)
	}
	s.Interval, err = statistics.Micro.Bootstrap(units(tasks, func(t TaskScore) float64 { return t.F }), Seed)
	return s, err
}

// units are values of tasks under what varies at random: the repository where
// there are several, else the task.
func units(tasks []TaskScore, value func(TaskScore) float64) []statistics.Score {
	single := true
	for _, t := range tasks {
		single = single && t.Repository == tasks[0].Repository
	}
	scores := make([]statistics.Score, len(tasks))
	for i, t := range tasks {
		scores[i] = statistics.Score{Repository: t.Repository, Task: t.Task, Value: value(t)}
		if single {
			scores[i].Repository = t.Task
		}
	}
	return scores
}
