package leaderboard

import (
	"strconv"

	"touchstone/internal/statistics"
)

// Sheet is a comparison as a file: a line for the whole, one for it without the
// tasks that leak, where they are known, one for each
// repository and, where tasks are known, one for each task.
func (c *Comparison) Sheet() Sheet {
	return Sheet{
		Header: []string{"a", "b", "evaluator", "k", "scope", "repository", "task_id", "a_pass_at_k", "b_pass_at_k", "difference", "low", "high",
			"repositories", "tasks", "a_better", "equal", "b_better", "only_a_first_sample", "only_b_first_sample", "sign_flip_p", "wilcoxon_p", "d_z", "mcnemar_p"},
		Rows: func(yield func([]string) bool) {
			if !yield(c.overall()) {
				return
			}
			if c.Tasks != nil && c.Tasks.Leaks.Unknown == "" && !yield(c.withoutLeaks()) {
				return
			}
			for _, r := range c.Repositories {
				if !yield(c.repository(r)) {
					return
				}
			}
			if c.Tasks == nil {
				return
			}
			for _, t := range c.Tasks.All {
				if !yield(c.task(t)) {
					return
				}
			}
		},
	}
}

// Places in a line.
const (
	atRepository = 5 + iota
	atTask
	atFirst
	atSecond
	atDifference
	atLow
	atHigh
	atRepositories
	atTasks
	atBetter
	atEqual
	atWorse
	atOnlyFirst
	atOnlySecond
	atSignFlip
	atWilcoxon
	atEffect
	atMcNemar
	lineLength
)

func (c *Comparison) line(scope string) []string {
	return append([]string{c.First.Key(), c.Second.Key(), c.Evaluator, strconv.Itoa(c.K), scope}, make([]string, lineLength-atRepository)...)
}

func setInterval(line []string, i *statistics.Interval) {
	if i != nil {
		line[atLow], line[atHigh] = decimal(i.Low), decimal(i.High)
	}
}

func (c *Comparison) overall() []string {
	line := c.line("all")
	line[atFirst], line[atSecond], line[atDifference] = decimal(c.MeanFirst), decimal(c.MeanSecond), decimal(c.Difference.Value)
	setInterval(line, c.Difference.Interval)
	line[atRepositories] = strconv.Itoa(len(c.Repositories))
	line[atSignFlip], line[atWilcoxon] = decimal(c.SignFlip.P), decimal(c.Wilcoxon.P)
	if c.Effect.Value != nil {
		line[atEffect] = decimal(*c.Effect.Value)
	}
	if c.Tasks != nil {
		line[atTasks] = strconv.Itoa(c.Tasks.Compared)
		counts(line[atBetter:], c.Tasks.Wins, c.Tasks.Equal, c.Tasks.Losses, c.Tasks.OnlyFirst, c.Tasks.OnlySecond)
		line[atMcNemar] = decimal(c.Tasks.McNemar)
	}
	return line
}

// withoutLeaks is the whole without the tasks that leak.
func (c *Comparison) withoutLeaks() []string {
	e := c.Tasks.Leaks
	line := c.line("without leaks")
	if e.Difference.Tasks > 0 {
		line[atDifference] = decimal(e.Difference.Value)
		setInterval(line, e.Difference.Interval)
	}
	line[atRepositories], line[atTasks] = strconv.Itoa(e.Difference.Repositories), strconv.Itoa(e.Difference.Tasks)
	return line
}

func (c *Comparison) repository(r RepositoryDifference) []string {
	line := c.line("repository")
	line[atRepository], line[atFirst], line[atSecond], line[atDifference] = r.Name, r.First.Text(), r.Second.Text(), decimal(r.Difference)
	setInterval(line, r.Interval)
	line[atRepositories] = "1"
	if c.Tasks != nil {
		line[atTasks] = strconv.Itoa(r.Tasks)
		counts(line[atBetter:], r.Wins, r.Equal, r.Losses, r.OnlyFirst, r.OnlySecond)
	}
	return line
}

func (c *Comparison) task(t TaskDifference) []string {
	line := c.line("task")
	line[atRepository], line[atTask] = t.Repository, t.Key
	for at, o := range map[int]TaskOutcome{atFirst: t.First, atSecond: t.Second} {
		if o.Samples >= c.K {
			line[at] = decimal(o.PassAt)
		}
	}
	line[atTasks] = "1"
	if t.Compared {
		var better, equal, worse int
		tally(t.Difference, &better, &equal, &worse)
		line[atDifference] = decimal(t.Difference)
		counts(line[atBetter:], better, equal, worse)
	}
	if t.First.FirstCounts && t.Second.FirstCounts {
		counts(line[atOnlyFirst:], max(0, t.PassedAlone()), max(0, -t.PassedAlone()))
	}
	return line
}

func counts(cells []string, numbers ...int) {
	for i, n := range numbers {
		cells[i] = strconv.Itoa(n)
	}
}
