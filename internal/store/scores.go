package store

import (
	"context"

	"touchstone/internal/benchmark"
)

// Scores are all scores of a track's finished evaluations.
func (s *Store) Scores(ctx context.Context, track benchmark.Track) ([]Score, error) {
	var all []Score
	err := s.Read(ctx).Model(&Score{}).Joins("JOIN evaluations AS e ON e.id = scores.evaluation_id").
		Joins("JOIN submissions AS s ON s.id = e.submission_id").
		Where("s.track = ? AND NOT s.hidden AND e.state = ?", track, Finished).
		Order("scores.evaluation_id, scores.aggregation, scores.k").Find(&all).Error
	return all, err
}

// RepositoryScores are those of a track's finished evaluations.
func (s *Store) RepositoryScores(ctx context.Context, track benchmark.Track) ([]RepositoryScore, error) {
	var all []RepositoryScore
	err := s.Read(ctx).Model(&RepositoryScore{}).Joins("JOIN evaluations AS e ON e.id = repository_scores.evaluation_id").
		Joins("JOIN submissions AS s ON s.id = e.submission_id").
		Where("s.track = ? AND NOT s.hidden AND e.state = ?", track, Finished).
		Order("repository_scores.evaluation_id, repository_scores.repository_id, repository_scores.k").Find(&all).Error
	return all, err
}

// TaskScores are an evaluation's, in the order of its release's tasks.
func (s *Store) TaskScores(ctx context.Context, evaluation uint64) ([]TaskScore, error) {
	var all []TaskScore
	err := s.Read(ctx).Where("evaluation_id = ?", evaluation).Order("task_id").Find(&all).Error
	return all, err
}

// ScoresOf are the scores of some evaluations.
func (s *Store) ScoresOf(ctx context.Context, evaluations ...uint64) ([]Score, error) {
	var all []Score
	if len(evaluations) == 0 {
		return nil, nil
	}
	err := s.Read(ctx).Where("evaluation_id IN ?", evaluations).Order("evaluation_id, aggregation, k").Find(&all).Error
	return all, err
}

// RepositoryScoresOf are those of some evaluations.
func (s *Store) RepositoryScoresOf(ctx context.Context, evaluations ...uint64) ([]RepositoryScore, error) {
	var all []RepositoryScore
	if len(evaluations) == 0 {
		return nil, nil
	}
	err := s.Read(ctx).Where("evaluation_id IN ?", evaluations).Order("evaluation_id, repository_id, k").Find(&all).Error
	return all, err
}

// TaskCounts are what TaskScores will be of an evaluation that has not
// finished, counted from its verdicts; Documented is left out.
func (s *Store) TaskCounts(ctx context.Context, evaluation uint64) ([]TaskScore, error) {
	var all []TaskScore
	err := s.Read(ctx).Table("verdicts AS v").
		Select("v.evaluation_id, v.task_id, t.repository_id, SUM(CASE WHEN v.verdict <> ? THEN 1 ELSE 0 END) AS samples, "+
			"SUM(CASE WHEN v.verdict = ? THEN 1 ELSE 0 END) AS passed", benchmark.InfraError, benchmark.Passed).
		Joins("JOIN tasks AS t ON t.id = v.task_id").Where("v.evaluation_id = ?", evaluation).
		Group("v.evaluation_id, v.task_id, t.repository_id").Order("v.task_id").Scan(&all).Error
	return all, err
}

// FirstVerdicts are what became of the first sample of each task of an
// evaluation, by task; tasks whose first sample has none are left out.
func (s *Store) FirstVerdicts(ctx context.Context, evaluation uint64) (map[uint64]benchmark.Verdict, error) {
	var all []Verdict
	err := s.Read(ctx).Select("task_id", "verdict").Where("evaluation_id = ? AND sample = 0", evaluation).Find(&all).Error
	found := make(map[uint64]benchmark.Verdict, len(all))
	for _, v := range all {
		found[v.TaskID] = v.Verdict
	}
	return found, err
}
