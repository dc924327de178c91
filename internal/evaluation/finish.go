package evaluation

import (
	"context"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/measure"
	"touchstone/internal/statistics"
	"touchstone/internal/store"
)

// averages are the store's aggregations in the words of statistics.
var averages = map[store.Aggregation]statistics.Average{
	store.ByRepository: statistics.Macro,
	store.ByTask:       statistics.Micro,
	store.ByTests:      statistics.Weighted,
}

// finish scores an evaluation all of whose units are done.
func (e *Engine) finish(ctx context.Context, id uint64) error {
	row, err := e.Store.Evaluation(ctx, id)
	if err != nil || row.State.Over() {
		return err
	}
	if left, err := e.Store.UnfinishedUnits(ctx, id); err != nil || left > 0 {
		return err
	}
	release, err := e.releases.get(ctx, row.Submission.ReleaseID)
	if err != nil {
		return err
	}
	verdicts, err := e.Store.Verdicts(ctx, id)
	if err != nil {
		return err
	}
	documented, err := e.documented(ctx, row.Submission, release)
	if err != nil {
		return err
	}
	f, err := score(release, verdicts, documented, row.Samples, id)
	if err != nil {
		return err
	}
	if err := e.Store.FinishEvaluation(ctx, id, f); err != nil {
		return err
	}
	e.announceEvaluation(ctx, id)
	e.wakeMeasuring()
	return nil
}

// score makes everything that pages show of an evaluation from its verdicts.
func score(release *Opened, verdicts []store.Verdict, documented map[uint64]bool, samples int, evaluation uint64) (store.Finish, error) {
	byTask := map[uint64][]benchmark.Verdict{}
	for _, v := range verdicts {
		byTask[v.TaskID] = append(byTask[v.TaskID], v.Verdict)
	}
	var f store.Finish
	results := make([]doctocode.TaskResult, len(release.Tasks))
	for i, t := range release.Tasks {
		id, err := benchmark.ParseTaskID(t.Key)
		if err != nil {
			return f, err
		}
		results[i] = doctocode.TaskResult{Task: id, Verdicts: byTask[t.ID], Documented: documented[t.ID]}
		counted, passed := results[i].Counted()
		f.Tasks = append(f.Tasks, store.TaskScore{EvaluationID: evaluation, TaskID: t.ID, RepositoryID: t.RepositoryID,
			Samples: counted, Passed: passed, Documented: documented[t.ID]})
	}
	total := doctocode.ScoreOf(results, samples)
	f.Verdicts, f.Missing = total.Verdicts, total.Verdicts[benchmark.InfraError]
	repositories := map[string]uint64{}
	for _, r := range release.Row.Repositories {
		repositories[r.Name] = r.ID
	}
	for _, r := range total.Repositories {
		for _, p := range r.PassAt {
			f.Repositories = append(f.Repositories, store.RepositoryScore{EvaluationID: evaluation, RepositoryID: repositories[r.Repository],
				K: p.K, Value: p.Value, Tasks: p.Tasks, Missing: p.Missing, Documented: r.Documented})
		}
	}
	for k := 1; k <= samples; k++ {
		scores, err := passAt(release, f.Tasks, k)
		if err != nil {
			return f, err
		}
		if len(scores) == 0 {
			continue // no task has k samples that count: there is no pass@k
		}
		for _, aggregation := range store.Aggregations {
			estimate, err := averages[aggregation].Of(scores)
			if err != nil {
				return f, err
			}
			s := store.Score{EvaluationID: evaluation, Aggregation: aggregation, K: k, Value: estimate.Value,
				Repositories: estimate.Repositories, Tasks: estimate.Tasks, Documented: total.Documented}
			if estimate.Interval != nil {
				s.Low, s.High = &estimate.Interval.Low, &estimate.Interval.High
			}
			f.Scores = append(f.Scores, s)
		}
	}
	return f, nil
}

// passAt is pass@k of each task that has one, weighted by its number of tests.
func passAt(release *Opened, tasks []store.TaskScore, k int) ([]statistics.Score, error) {
	var scores []statistics.Score
	for i, t := range tasks {
		if t.Samples < k {
			continue
		}
		value, err := measure.PassAtK(t.Samples, t.Passed, k)
		if err != nil {
			return nil, err
		}
		row := release.Tasks[i]
		id, err := benchmark.ParseTaskID(row.Key)
		if err != nil {
			return nil, err
		}
		scores = append(scores, statistics.Score{Repository: id.Repository, Task: row.Key, Value: value, Weight: float64(row.Tests)})
	}
	return scores, nil
}
