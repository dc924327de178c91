package leaderboard

import (
	"context"
	"maps"
	"slices"

	"touchstone/internal/benchmark"
	"touchstone/internal/measure"
	"touchstone/internal/statistics"
)

// A TaskComparison is what two submissions for one release say of its tasks.
type TaskComparison struct {
	All                 []TaskDifference // of the release, in its order
	Compared            int              // tasks of which both have k samples that count
	Wins, Equal, Losses int              // of these, by pass@k
	// The first sample of a task either passed or did not: McNemar's test is
	// of the tasks that it passed on for one submission alone.
	BothPass, OnlyFirst, OnlySecond, NeitherPass int
	McNemar                                      float64
	Leaks                                        LeakEffect
}

// A TaskDifference is one task under both submissions.
type TaskDifference struct {
	Repository    string
	Key           string // owner/name:path::qualname
	First, Second TaskOutcome
	Compared      bool    // both have k samples that count
	Difference    float64 // of pass@k, when compared
}

// A TaskOutcome is what became of a task's samples.
type TaskOutcome struct {
	Samples     int // that count
	Passed      int
	PassAt      float64 // pass@k; 0 when fewer than k samples count
	FirstCounts bool    // the first sample has a verdict that counts
	FirstPassed bool
}

// PassedAlone is 1 when the first sample passed for the first submission
// alone, −1 when it did for the second alone, and 0 otherwise.
func (t TaskDifference) PassedAlone() int {
	switch {
	case !t.First.FirstCounts || !t.Second.FirstCounts || t.First.FirstPassed == t.Second.FirstPassed:
		return 0
	case t.First.FirstPassed:
		return 1
	}
	return -1
}

// outcomes are the tasks of two submissions for one release, nil where tasks
// are not known of both.
func (b *Boards) outcomes(ctx context.Context, c *Comparison) ([]TaskDifference, error) {
	first, second := c.First.Results[c.Evaluator].Evaluation, c.Second.Results[c.Evaluator].Evaluation
	if c.First.Set != c.Second.Set || first == 0 || second == 0 {
		return nil, nil
	}
	one, err := b.taskOutcomes(ctx, first, c.K)
	if err != nil {
		return nil, err
	}
	other, err := b.taskOutcomes(ctx, second, c.K)
	if err != nil || len(one) == 0 || len(other) == 0 {
		return nil, err
	}
	evaluation, err := b.store.Evaluation(ctx, first)
	if err != nil {
		return nil, err
	}
	tasks, err := b.store.Tasks(ctx, evaluation.Submission.ReleaseID)
	if err != nil {
		return nil, err
	}
	var all []TaskDifference
	for _, task := range tasks {
		id, err := benchmark.ParseTaskID(task.Key)
		if err != nil {
			return nil, err
		}
		t := TaskDifference{Repository: id.Repository, Key: task.Key, First: one[task.ID], Second: other[task.ID]}
		t.Compared = t.First.Samples >= c.K && t.Second.Samples >= c.K
		if t.Compared {
			t.Difference = t.First.PassAt - t.Second.PassAt
		}
		all = append(all, t)
	}
	return all, nil
}

func (b *Boards) taskOutcomes(ctx context.Context, evaluation uint64, k int) (map[uint64]TaskOutcome, error) {
	scores, err := b.store.TaskScores(ctx, evaluation)
	if err != nil {
		return nil, err
	}
	verdicts, err := b.store.FirstVerdicts(ctx, evaluation)
	if err != nil {
		return nil, err
	}
	found := make(map[uint64]TaskOutcome, len(scores))
	for _, s := range scores {
		t := TaskOutcome{Samples: s.Samples, Passed: s.Passed}
		if s.Samples >= k {
			if t.PassAt, err = measure.PassAtK(s.Samples, s.Passed, k); err != nil {
				return nil, err
			}
		}
		v, ok := verdicts[s.TaskID]
		t.FirstCounts, t.FirstPassed = ok && v != benchmark.InfraError, v == benchmark.Passed
		found[s.TaskID] = t
	}
	return found, nil
}

// byTask compares two submissions task by task.
func (c *Comparison) byTask(tasks []TaskDifference) error {
	c.Tasks = &TaskComparison{All: tasks}
	byRepository := map[string]*RepositoryDifference{}
	scores := map[string][]statistics.Score{} // by repository; each task stands for itself
	var paired statistics.Paired
	known := map[string][2]bool{}
	for _, t := range tasks {
		has := known[t.Repository]
		known[t.Repository] = [2]bool{has[0] || t.First.Samples >= c.K, has[1] || t.Second.Samples >= c.K}
		r := byRepository[t.Repository]
		if r == nil {
			r = &RepositoryDifference{Name: t.Repository}
			byRepository[t.Repository] = r
		}
		c.Tasks.first(t, r)
		if !t.Compared {
			continue
		}
		c.Tasks.Compared++
		tally(t.Difference, &c.Tasks.Wins, &c.Tasks.Equal, &c.Tasks.Losses)
		tally(t.Difference, &r.Wins, &r.Equal, &r.Losses)
		r.Tasks++
		r.First.Value += t.First.PassAt
		r.Second.Value += t.Second.PassAt
		paired.Scores = append(paired.Scores, statistics.Score{Repository: t.Repository, Task: t.Key, Value: t.Difference})
		scores[t.Repository] = append(scores[t.Repository], statistics.Score{Repository: t.Key, Value: t.Difference})
	}
	for _, name := range slices.Sorted(maps.Keys(byRepository)) {
		r := byRepository[name]
		if r.Tasks == 0 {
			if known[name][0] {
				c.OnlyFirst++
			}
			if known[name][1] {
				c.OnlySecond++
			}
			continue
		}
		r.First = Cell{Known: true, Value: r.First.Value / float64(r.Tasks), Tasks: r.Tasks}
		r.Second = Cell{Known: true, Value: r.Second.Value / float64(r.Tasks), Tasks: r.Tasks}
		within, err := statistics.Macro.Of(scores[name])
		if err != nil {
			return err
		}
		r.Difference, r.Interval = within.Value, within.Interval
		c.Repositories = append(c.Repositories, *r)
	}
	var err error
	if c.Tasks.McNemar, err = statistics.McNemar(c.Tasks.OnlyFirst, c.Tasks.OnlySecond); err != nil {
		return err
	}
	if err := c.leaks(); err != nil {
		return err
	}
	return c.conclude(paired)
}

// first counts how the first sample of a task fared.
func (t *TaskComparison) first(task TaskDifference, r *RepositoryDifference) {
	if !task.First.FirstCounts || !task.Second.FirstCounts {
		return
	}
	switch alone := task.PassedAlone(); {
	case alone > 0:
		t.OnlyFirst++
		r.OnlyFirst++
	case alone < 0:
		t.OnlySecond++
		r.OnlySecond++
	case task.First.FirstPassed:
		t.BothPass++
	default:
		t.NeitherPass++
	}
}

// FirstSamples is how many tasks have a first sample that counts for both.
func (t *TaskComparison) FirstSamples() int {
	return t.BothPass + t.OnlyFirst + t.OnlySecond + t.NeitherPass
}
