package leaderboard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/statistics"
)

// Key names a row in an address: the id of its submission, or paper:SYSTEM/MODEL
// for a published one. Within a name, a slash
// is %2F and a percent sign is %25.
func (r *Row) Key() string {
	if r.Submission != "" {
		return r.Submission
	}
	key := "paper:" + withinKey.Replace(r.System)
	if r.Model != "" {
		key += "/" + withinKey.Replace(r.Model)
	}
	return key
}

var withinKey = strings.NewReplacer("%", "%25", "/", "%2F")

// A Side is one of two rows that are compared, with the set that it is of.
type Side struct {
	*Row
	Set *Set
}

// Row finds a row by its key. Where two papers print a row of the same name it
// is the first one's.
func (b *Board) Row(key string) (Side, bool) {
	for _, set := range b.Sets {
		for _, row := range set.Rows {
			if row.Key() == key {
				return Side{row, set}, true
			}
		}
	}
	return Side{}, false
}

// NoRow is the error for a key of which there is no row.
func NoRow(field, key string) error {
	return &benchmark.InputError{Field: field, Problem: "no row of the leaderboard is " + quote(key),
		Mend: "choose one of the list; a submission is on it when an evaluation of it has finished"}
}

// A Comparison is the paired difference of two rows, the first minus the
// second, under one evaluator. It is of tasks where both are submissions for
// one release, and of repositories where only these are known.
type Comparison struct {
	First, Second Side
	Evaluator     string
	K             int
	Evaluators    []string // that judged both
	Ks            []int    // for which the evaluator has scores of both

	Repositories          []RepositoryDifference // that both have, by name
	OnlyFirst, OnlySecond int                    // repositories that the other one has no score on
	MeanFirst, MeanSecond float64                // over these repositories
	Difference            statistics.Estimate    // mean over tasks within a repository, then over repositories
	SignFlip              statistics.Permutation // of the repositories' differences
	Wilcoxon              statistics.Wilcoxon    // of the same
	Effect                statistics.Effect      // d_z of the same
	LeastSignFlip         float64                // p of the sign-flip test below which so few repositories cannot get
	Wins, Equal, Losses   int                    // repositories on which the first is better, the same, worse
	Tasks                 *TaskComparison        // nil when tasks are not known of both
}

// A RepositoryDifference is the paired difference on one repository.
type RepositoryDifference struct {
	Name          string
	First, Second Cell
	Difference    float64
	// Interval is over the repository's tasks, each by itself; nil when there
	// are no two of them or only their mean is known.
	Interval            *statistics.Interval
	Tasks               int // that both have a score on; 0 when tasks are not known
	Wins, Equal, Losses int // tasks
	OnlyFirst           int // tasks of which the first sample passed for the first row alone
	OnlySecond          int
}

// signSeed is what the signs of permutation tests are drawn with.
const signSeed = 1

// equally is a difference that may be rounding.
const equally = 1e-12

// Compare sets two rows of the current board side by side. An evaluator of ""
// is the first that judged both; a k of 0 is 1. What cannot be compared is an
// InputError with field a, b, evaluator or k.
func (b *Boards) Compare(ctx context.Context, first, second, evaluator string, k int) (*Comparison, error) {
	board, err := b.Current(ctx)
	if err != nil {
		return nil, err
	}
	c, err := board.pairUp(first, second, evaluator, k)
	if err != nil {
		return nil, err
	}
	outcomes, err := b.outcomes(ctx, c)
	if err != nil {
		return nil, err
	}
	if outcomes == nil {
		return c, c.byRepository()
	}
	return c, c.byTask(outcomes)
}

// pairUp finds two rows, an evaluator and a k that they have in common.
func (b *Board) pairUp(first, second, evaluator string, k int) (*Comparison, error) {
	c := &Comparison{Evaluator: evaluator, K: max(1, k)}
	for _, x := range []struct {
		field, key string
		side       *Side
	}{{"a", first, &c.First}, {"b", second, &c.Second}} {
		found, ok := b.Row(x.key)
		if !ok {
			return nil, NoRow(x.field, x.key)
		}
		*x.side = found
	}
	for _, e := range c.First.Set.Evaluators {
		if c.First.Results[e.Name] != nil && c.Second.Results[e.Name] != nil {
			c.Evaluators = append(c.Evaluators, e.Name)
		}
	}
	switch {
	case len(c.Evaluators) == 0:
		return nil, &benchmark.InputError{Field: "b", Problem: fmt.Sprintf("no evaluator judged both: %s was judged by %s, %s by %s",
			c.First.Name(), judges(c.First), c.Second.Name(), judges(c.Second)), Mend: "choose two rows with an evaluator in common"}
	case evaluator == "":
		c.Evaluator = c.Evaluators[0]
	case !slices.Contains(c.Evaluators, evaluator):
		return nil, &benchmark.InputError{Field: "evaluator", Problem: quote(evaluator) + " did not judge both", Mend: "choose " + strings.Join(c.Evaluators, " or ")}
	}
	one, other := c.First.Results[c.Evaluator], c.Second.Results[c.Evaluator]
	for k := 1; k <= min(one.Samples, other.Samples); k++ {
		if len(one.byRepo[k]) > 0 && len(other.byRepo[k]) > 0 {
			c.Ks = append(c.Ks, k)
		}
	}
	if len(c.Ks) == 0 || !slices.Contains(c.Ks, c.K) {
		mend := "choose another evaluator"
		if len(c.Ks) > 0 {
			mend = "choose k = " + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(c.Ks)), ", "), "[]")
		}
		return nil, &benchmark.InputError{Field: "k", Problem: fmt.Sprintf("there is no pass@%d of both under %s", c.K, c.Evaluator), Mend: mend}
	}
	return c, nil
}

func judges(s Side) string {
	var names []string
	for _, e := range s.Set.Evaluators {
		if s.Results[e.Name] != nil {
			names = append(names, e.Name)
		}
	}
	if len(names) == 0 {
		return "nobody"
	}
	return strings.Join(names, " and ")
}

// byRepository compares means over repositories' tasks.
func (c *Comparison) byRepository() error {
	one, other := c.First.Results[c.Evaluator], c.Second.Results[c.Evaluator]
	var first, second []statistics.Score
	for i, r := range c.First.Set.Repositories {
		if cell := one.On(i, c.K); cell.Known {
			first = append(first, statistics.Score{Repository: r.Name, Value: cell.Value})
		}
	}
	for i, r := range c.Second.Set.Repositories {
		if cell := other.On(i, c.K); cell.Known {
			second = append(second, statistics.Score{Repository: r.Name, Value: cell.Value})
		}
	}
	paired, err := statistics.Pair(first, second)
	if err != nil {
		return err
	}
	for _, d := range paired.Scores {
		i, _ := c.First.Set.Index(d.Repository)
		j, _ := c.Second.Set.Index(d.Repository)
		c.Repositories = append(c.Repositories, RepositoryDifference{Name: d.Repository, First: one.On(i, c.K), Second: other.On(j, c.K), Difference: d.Value})
	}
	c.OnlyFirst, c.OnlySecond = paired.OnlyFirst, paired.OnlySecond
	return c.conclude(paired)
}

// conclude computes what the paired differences come to.
func (c *Comparison) conclude(paired statistics.Paired) error {
	if len(c.Repositories) == 0 {
		return &benchmark.InputError{Field: "b", Problem: fmt.Sprintf("%s and %s have no repository in common, so nothing pairs them", c.First.Name(), c.Second.Name()),
			Mend: "choose two rows of one release or paper"}
	}
	var err error
	if c.Difference, err = statistics.Macro.Of(paired.Scores); err != nil {
		return err
	}
	var means statistics.Paired
	for _, r := range c.Repositories {
		c.MeanFirst += r.First.Value / float64(len(c.Repositories))
		c.MeanSecond += r.Second.Value / float64(len(c.Repositories))
		means.Scores = append(means.Scores, statistics.Score{Repository: r.Name, Value: r.Difference})
		tally(r.Difference, &c.Wins, &c.Equal, &c.Losses)
	}
	differences := means.Differences()
	if c.Wilcoxon, err = statistics.SignedRank(differences); err != nil {
		return err
	}
	if c.Effect, err = statistics.CohenDz(differences); err != nil {
		return err
	}
	c.LeastSignFlip = leastSignFlip(differences)
	c.SignFlip, err = signFlip(differences)
	return err
}

// leastSignFlip is 2 of the 2ⁿ ways to give n differences signs: all as they
// are and all turned. Where a difference is 0 its sign changes nothing.
func leastSignFlip(differences []float64) float64 {
	least := 2.0
	for _, d := range differences {
		if d > equally || d < -equally {
			least /= 2
		}
	}
	return min(1, least)
}

// signFlip is the permutation test of differences. Its signs are drawn in the
// order of the differences, so it is run on those that are positive on the
// whole: two rows the other way round have the same p.
func signFlip(differences []float64) (statistics.Permutation, error) {
	turned := make([]float64, len(differences))
	var sum float64
	for i, d := range differences {
		sum += d
		turned[i] = -d
	}
	if sum >= 0 {
		return statistics.SignFlip(differences, signSeed)
	}
	p, err := statistics.SignFlip(turned, signSeed)
	p.Mean = -p.Mean
	return p, err
}

func tally(difference float64, wins, equal, losses *int) {
	switch {
	case difference > equally:
		*wins++
	case difference < -equally:
		*losses++
	default:
		*equal++
	}
}
