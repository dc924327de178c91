package prompts

import (
	"touchstone/internal/localization"
	"touchstone/internal/measure"
)

// ResidualFiles is how many files the meter lets a ranker name for each task.
const ResidualFiles = 3

// A Ranker names the n likeliest files for a query, the likeliest first; fewer
// when fewer have anything to do with it.
type Ranker interface {
	Rank(query string, n int) []string
}

// A Residual measures what prompts still give away to somebody who only
// searches for their words: the macro F1 of a ranker that is given the prompt
// alone. The zero value is ready.
type Residual struct {
	sums  map[localization.Level]float64
	tasks map[localization.Level]int
}

// Add asks the ranker of a task's repository for each level.
func (r *Residual) Add(ranker Ranker, task localization.Task) error {
	if r.sums == nil {
		r.sums, r.tasks = map[localization.Level]float64{}, map[localization.Level]int{}
	}
	gold := make([]string, len(task.Gold))
	for i, file := range task.Gold {
		gold[i] = file.Path
	}
	for level, prompt := range task.Prompts {
		score, err := measure.ScoreFiles(ranker.Rank(prompt, ResidualFiles), gold)
		if err != nil {
			return err
		}
		r.sums[level] += score.F
		r.tasks[level]++
	}
	return nil
}

// F1 is the macro F1 of each level that a task was added with.
func (r *Residual) F1() map[localization.Level]float64 {
	f1 := map[localization.Level]float64{}
	for level, sum := range r.sums {
		f1[level] = sum / float64(r.tasks[level])
	}
	return f1
}
