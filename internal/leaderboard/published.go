package leaderboard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/statistics"
	"touchstone/internal/store"
)

// Tables of the documentation paper.
const (
	totals       = 1 // pass@k by configuration and evaluator
	byRepository = 3 // the same on each repository
)

// publishedSets are the papers' rows, a set for each paper. A paper prints means
// over repositories; their intervals are computed here from its numbers for the
// single repositories, and so are means over tasks.
func publishedSets(ctx context.Context, s *store.Store) ([]*Set, error) {
	scores, err := s.PublishedScores(ctx, benchmark.DocToCode)
	if err != nil {
		return nil, err
	}
	facts, err := s.PublishedRepositories(ctx, benchmark.DocToCode)
	if err != nil {
		return nil, err
	}
	var sets []*Set
	for _, source := range sources(scores) {
		set, err := publishedSet(source, scores, facts)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}

func sources(scores []store.PublishedScore) []string {
	var found []string
	for _, s := range scores {
		if !slices.Contains(found, s.Source) {
			found = append(found, s.Source)
		}
	}
	return found
}

func publishedSet(source string, scores []store.PublishedScore, facts []store.PublishedRepository) (*Set, error) {
	set := &Set{Key: source, Label: strings.ReplaceAll(source, "-", " "), Provenance: Published}
	place := map[string]int{}
	for _, f := range facts {
		if f.Source == source {
			set.Tasks += f.Tasks
			set.Repositories = append(set.Repositories, Repository{Name: f.Name, Tasks: f.Tasks, Candidates: f.Candidates, AllTasks: f.AllTasks,
				Stars: &f.Stars, Forks: &f.Forks})
		}
	}
	slices.SortFunc(set.Repositories, func(a, b Repository) int { return cmp.Compare(a.Name, b.Name) })
	for i, r := range set.Repositories {
		place[r.Name] = i
	}
	rows := map[string]*Row{}
	for _, v := range scores {
		var k int
		if _, err := fmt.Sscanf(v.Metric, "pass@%d", &k); err != nil || v.Source != source {
			continue
		}
		name := v.System + "\x00" + v.Model
		row := rows[name]
		if row == nil {
			row = &Row{Provenance: Published, System: v.System, Model: v.Model, Slug: benchmark.Slug(v.System, v.Model), Tasks: set.Tasks, Documented: -1,
				Leak: Leak{Unknown: "the paper does not print its docstrings"}, Results: map[string]*Result{}}
			rows[name] = row
			set.Rows = append(set.Rows, row)
		}
		result := row.Results[v.Evaluator]
		if result == nil {
			result = &Result{Evaluator: v.Evaluator, scores: map[scoreKey]Estimate{}, byRepo: map[int][]Cell{}}
			row.Results[v.Evaluator] = result
		}
		result.Samples = max(result.Samples, k)
		set.meet(Evaluator{Name: v.Evaluator, Samples: k, Description: "Model " + v.Evaluator + ", as the paper ran it."})
		switch v.Table {
		case totals:
			result.scores[scoreKey{store.ByRepository, k}] = Estimate{Value: v.Value, Decimals: v.Decimals}
		case byRepository:
			i, ok := place[v.Repository]
			if !ok {
				return nil, fmt.Errorf("%s has a score on %s, of which it says nothing else", source, v.Repository)
			}
			if result.byRepo[k] == nil {
				result.byRepo[k] = make([]Cell, len(set.Repositories))
			}
			result.byRepo[k][i] = Cell{Known: true, Value: v.Value, Tasks: set.Repositories[i].Tasks, Decimals: v.Decimals}
		}
	}
	for _, row := range set.Rows {
		for _, result := range row.Results {
			if err := complete(set, result); err != nil {
				return nil, err
			}
		}
	}
	return set, nil
}

// complete adds what follows from the numbers for the single repositories.
func complete(set *Set, result *Result) error {
	for k, cells := range result.byRepo {
		scores := repositoryScores(set, cells)
		estimate, err := statistics.Macro.Of(scores)
		if err != nil {
			return err
		}
		printed, ok := result.scores[scoreKey{store.ByRepository, k}]
		if !ok {
			printed.Value = estimate.Value
		}
		printed.Repositories, printed.Tasks = estimate.Repositories, set.Tasks
		if estimate.Interval != nil {
			printed.Low, printed.High = &estimate.Interval.Low, &estimate.Interval.High
		}
		result.scores[scoreKey{store.ByRepository, k}] = printed
		// A mean over tasks is the mean over repositories, weighted by their tasks.
		if estimate, err = statistics.Weighted.Of(scores); err != nil {
			return err
		}
		byTask := Estimate{Value: estimate.Value, Repositories: estimate.Repositories, Tasks: set.Tasks}
		if estimate.Interval != nil {
			byTask.Low, byTask.High = &estimate.Interval.Low, &estimate.Interval.High
		}
		result.scores[scoreKey{store.ByTask, k}] = byTask
	}
	return nil
}

// repositoryScores are a result's on each repository, weighted by their tasks.
func repositoryScores(set *Set, cells []Cell) []statistics.Score {
	var scores []statistics.Score
	for i, c := range cells {
		if c.Known {
			scores = append(scores, statistics.Score{Repository: set.Repositories[i].Name, Value: c.Value, Weight: float64(c.Tasks)})
		}
	}
	return scores
}
