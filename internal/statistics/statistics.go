// Package statistics says how sure a number on the leaderboard is: means over
// repositories and tasks with their intervals, paired differences of systems,
// proportions, a bootstrap, and ranks that respect all of these; how measures
// go together, and what tests of significance say of a difference. It imports
// nothing else of the project.
//
// Tasks of one repository resemble each other, so what varies at random is
// which repositories were drawn: every standard error here is over
// repositories, and with fewer than two of them there is none.
package statistics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// Level is the confidence level of every interval.
const Level = 0.95

// upper is the quantile that a two-sided interval of Level takes.
const upper = (1 + Level) / 2

// A Score is what a system achieved on one task: pass@k, F1, or the difference
// of two of them. A repository of which only the mean is known is one Score
// with an empty Task.
type Score struct {
	Repository string
	Task       string
	Value      float64 // finite
	Weight     float64 // of the task in the Weighted average, such as its number of tests
}

// An Interval covers the true value with confidence Level. It is not cut off
// at the bounds of the score: the interval of a mean near 1 may reach above 1.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// negligible is a distance that may be rounding: differences of scores such as
// 0.3 − 0.2 and 0.1 − 0.2 do not add up to 0 exactly.
const negligible = 1e-12

// Excludes reports whether x lies outside, by more than rounding could make it.
func (i Interval) Excludes(x float64) bool {
	return x < i.Low-negligible || x > i.High+negligible
}

// An Estimate is an average and how sure it is.
type Estimate struct {
	Value        float64   `json:"value"`               // 0 without any task
	SE           float64   `json:"se"`                  // standard error of Value; 0 when Interval is nil
	Interval     *Interval `json:"interval"`            // nil when it is undefined
	Undefined    string    `json:"undefined,omitempty"` // why Interval is nil
	Tasks        int       `json:"tasks"`
	Repositories int       `json:"repositories"`
}

// Why an interval is undefined.
const (
	NoTask        = "no task has a score"
	OneRepository = "with one repository it is unknown how much repositories differ"
)

// undefined is why there is no interval over so many repositories, "" when
// there is one.
func undefined(repositories int) string {
	switch repositories {
	case 0:
		return NoTask
	case 1:
		return OneRepository
	}
	return ""
}

// studentT is the quantile of Student's t with so many degrees of freedom.
func studentT(freedom int) float64 {
	if known, ok := quantiles.Load(freedom); ok {
		return known.(float64)
	}
	q := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}.Quantile(upper)
	quantiles.Store(freedom, q)
	return q
}

// quantiles are those that were asked for: finding one takes longer than all
// else that an interval needs.
var quantiles sync.Map

// sorted is the scores by repository and task, so that no result depends on
// the order in which they come. A value that is not finite and a task that
// occurs twice are errors.
func sorted(scores []Score) ([]Score, error) {
	s := slices.Clone(scores)
	slices.SortFunc(s, byTask)
	for i, score := range s {
		if math.IsNaN(score.Value) || math.IsInf(score.Value, 0) {
			return nil, fmt.Errorf("the score of %s is %v, not a finite number", score.name(), score.Value)
		}
		if i > 0 && byTask(s[i-1], score) == 0 {
			return nil, fmt.Errorf("%s has two scores", score.name())
		}
	}
	return s, nil
}

func byTask(a, b Score) int {
	return cmp.Or(cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.Task, b.Task))
}

func (s Score) name() string {
	if s.Task == "" {
		return s.Repository
	}
	return s.Repository + " " + s.Task
}

// finite says which of the values is not a finite number, from 0 on.
func finite(what string, values []float64) error {
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s %d is %v, not a finite number", what, i, v)
		}
	}
	return nil
}

func total(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum
}
