package store

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"touchstone/internal/benchmark"
)

// An OpenEvaluation is one that has work left.
type OpenEvaluation struct {
	EvaluationID uint64
	SubmissionID uint64
	AccountID    uint64
	Remaining    int // samples without a verdict
	State        State
}

// OpenEvaluations are those that are queued or running, oldest first.
func (s *Store) OpenEvaluations(ctx context.Context) ([]OpenEvaluation, error) {
	var all []OpenEvaluation
	err := s.Read(ctx).Table("evaluations AS e").
		Select("e.id AS evaluation_id, e.submission_id, s.account_id, e.total - e.done AS remaining, e.state").
		Joins("JOIN submissions AS s ON s.id = e.submission_id").
		Where("e.state IN ?", []State{Queued, Running}).Order("e.id").Scan(&all).Error
	return all, err
}

// ReadyUnits are an evaluation's at a stage whose time has come, in order,
// those in out left out.
func (s *Store) ReadyUnits(ctx context.Context, evaluation uint64, stage Stage, now time.Time, out []uint64, limit int) ([]Unit, error) {
	q := s.Read(ctx).Where("evaluation_id = ? AND stage = ? AND not_before <= ?", evaluation, stage, now.UnixMilli())
	if len(out) > 0 {
		q = q.Where("id NOT IN ?", out)
	}
	var units []Unit
	err := q.Order("position").Limit(limit).Find(&units).Error
	return units, err
}

// UnfinishedUnits is how many units of an evaluation are not done.
func (s *Store) UnfinishedUnits(ctx context.Context, evaluation uint64) (int64, error) {
	var n int64
	err := s.Read(ctx).Model(&Unit{}).Where("evaluation_id = ? AND stage <> ?", evaluation, StageDone).Count(&n).Error
	return n, err
}

// TroubledUnits are those of some evaluations whose last attempt failed and that
// are not done, the most often failed first.
func (s *Store) TroubledUnits(ctx context.Context, evaluations ...uint64) ([]Unit, error) {
	var units []Unit
	if len(evaluations) == 0 {
		return nil, nil
	}
	err := s.Read(ctx).Where("evaluation_id IN ? AND stage <> ? AND error <> ''", evaluations, StageDone).
		Order("tries DESC, id").Find(&units).Error
	return units, err
}

// Unit is one by its id.
func (s *Store) Unit(ctx context.Context, id uint64) (Unit, error) {
	var u Unit
	err := s.Read(ctx).First(&u, id).Error
	return u, err
}

// Replied keeps the replies of a unit and sends it on to be executed. It does
// nothing when the unit is no longer at that stage: another attempt was first.
func (s *Store) Replied(ctx context.Context, unit uint64, completions []Completion, cost float64) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		moved := tx.Model(&Unit{}).Where("id = ? AND stage = ?", unit, StageGenerate).
			Updates(map[string]any{"stage": StageExecute, "tries": 0, "not_before": 0, "error": ""})
		if moved.Error != nil || moved.RowsAffected == 0 {
			return moved.Error
		}
		var prompt, completion int64
		for _, c := range completions {
			prompt += int64(c.PromptTokens)
			completion += int64(c.CompletionTokens)
		}
		if len(completions) > 0 {
			if err := tx.Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(completions, 100).Error; err != nil {
				return err
			}
		}
		return tx.Model(&Evaluation{}).Where("id = (?)", tx.Model(&Unit{}).Select("evaluation_id").Where("id = ?", unit)).
			Updates(map[string]any{
				"prompt_tokens":     gorm.Expr("prompt_tokens + ?", prompt),
				"completion_tokens": gorm.Expr("completion_tokens + ?", completion),
				"cost":              gorm.Expr("cost + ?", cost),
			}).Error
	})
}

// Executed keeps the verdicts of a unit and ends it. It does nothing when the
// unit has ended already: so each sample has one verdict, written once.
func (s *Store) Executed(ctx context.Context, unit uint64, verdicts []Verdict) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		moved := tx.Model(&Unit{}).Where("id = ? AND stage = ?", unit, StageExecute).
			Updates(map[string]any{"stage": StageDone, "error": ""})
		if moved.Error != nil || moved.RowsAffected == 0 {
			return moved.Error
		}
		var seconds float64
		for _, v := range verdicts {
			seconds += v.Seconds
		}
		if len(verdicts) > 0 {
			if err := tx.CreateInBatches(verdicts, 100).Error; err != nil {
				return err
			}
		}
		return tx.Model(&Evaluation{}).Where("id = (?)", tx.Model(&Unit{}).Select("evaluation_id").Where("id = ?", unit)).
			Updates(map[string]any{"done": gorm.Expr("done + ?", len(verdicts)), "seconds": gorm.Expr("seconds + ?", seconds)}).Error
	})
}

// UnitFailed notes a failed attempt; the unit is ready again at a time.
func (s *Store) UnitFailed(ctx context.Context, unit uint64, reason string, again time.Time) (tries int, err error) {
	err = s.Write(ctx, func(tx *gorm.DB) error {
		failed := tx.Model(&Unit{}).Where("id = ? AND stage <> ?", unit, StageDone).
			Updates(map[string]any{"tries": gorm.Expr("tries + 1"), "not_before": again.UnixMilli(), "error": reason})
		if failed.Error != nil {
			return failed.Error
		}
		return tx.Model(&Unit{}).Where("id = ?", unit).Pluck("tries", &tries).Error
	})
	return tries, err
}

// Completions are an evaluation's of some tasks; of all when none is named.
func (s *Store) Completions(ctx context.Context, evaluation uint64, tasks ...uint64) ([]Completion, error) {
	q := s.Read(ctx).Where("evaluation_id = ?", evaluation)
	if len(tasks) > 0 {
		q = q.Where("task_id IN ?", tasks)
	}
	var all []Completion
	err := q.Order("task_id, sample").Find(&all).Error
	return all, err
}

// Verdicts are an evaluation's of some tasks; of all when none is named.
func (s *Store) Verdicts(ctx context.Context, evaluation uint64, tasks ...uint64) ([]Verdict, error) {
	q := s.Read(ctx).Where("evaluation_id = ?", evaluation)
	if len(tasks) > 0 {
		q = q.Where("task_id IN ?", tasks)
	}
	var all []Verdict
	err := q.Order("task_id, sample").Find(&all).Error
	return all, err
}

// A Tally is how many samples of a repository have a verdict.
type Tally struct {
	EvaluationID uint64
	RepositoryID uint64
	Verdict      benchmark.Verdict
	Samples      int
}

// Tallies count the verdicts of running evaluations by repository, for their
// live view; finished ones have their counts materialised.
func (s *Store) Tallies(ctx context.Context, evaluations ...uint64) ([]Tally, error) {
	if len(evaluations) == 0 {
		return nil, nil
	}
	var all []Tally
	err := s.Read(ctx).Table("verdicts AS v").
		Select("v.evaluation_id, t.repository_id, v.verdict, COUNT(*) AS samples").
		Joins("JOIN tasks AS t ON t.id = v.task_id").
		Where("v.evaluation_id IN ?", evaluations).
		Group("v.evaluation_id, t.repository_id, v.verdict").Scan(&all).Error
	return all, err
}
