package store

import (
	"context"
	"encoding/json"

	"gorm.io/gorm"

	"touchstone/internal/benchmark"
)

// withoutReport joins an evaluation's submission without what its preflight
// said, which may be long.
func withoutReport(q *gorm.DB) *gorm.DB {
	return q.Joins("Submission", q.Session(&gorm.Session{NewDB: true}).Omit("Report"))
}

// Evaluation is one by its id, with its evaluator and its submission, the
// report left out.
func (s *Store) Evaluation(ctx context.Context, id uint64) (Evaluation, error) {
	var e Evaluation
	err := withoutReport(s.Read(ctx).Joins("Evaluator")).Where("evaluations.id = ?", id).First(&e).Error
	return e, err
}

// Evaluations are those of some submissions, by submission and in the order
// of their evaluators.
func (s *Store) Evaluations(ctx context.Context, submissions ...uint64) ([]Evaluation, error) {
	var all []Evaluation
	if len(submissions) == 0 {
		return nil, nil
	}
	err := s.Read(ctx).Joins("Evaluator").Where("evaluations.submission_id IN ?", submissions).
		Order(`evaluations.submission_id, "Evaluator".position, evaluations.id`).Find(&all).Error
	return all, err
}

// FinishedEvaluations are a track's that pages show, with evaluator and
// submission, the report left out.
func (s *Store) FinishedEvaluations(ctx context.Context, track benchmark.Track) ([]Evaluation, error) {
	var all []Evaluation
	err := withoutReport(s.Read(ctx).Joins("Evaluator")).
		Where(`evaluations.state = ? AND "Submission".track = ? AND NOT "Submission".hidden`, Finished, track).
		Order("evaluations.id").Find(&all).Error
	return all, err
}

// Start marks an evaluation, and its submission, as running.
func (s *Store) Start(ctx context.Context, evaluation uint64) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		started := tx.Model(&Evaluation{}).Where("id = ? AND state = ?", evaluation, Queued).
			Updates(map[string]any{"state": Running, "started_at": tx.NowFunc()})
		if started.Error != nil || started.RowsAffected == 0 {
			return started.Error
		}
		e, err := evaluationNamed(tx, evaluation)
		if err != nil {
			return err
		}
		if err := tx.Model(&Submission{}).Where("id = ? AND state = ?", e.SubmissionID, Queued).Update("state", Running).Error; err != nil {
			return err
		}
		return note(tx, e.SubmissionID, e.ID, "info", "evaluation under "+e.Evaluator.Name+" began")
	})
}

func evaluationNamed(tx *gorm.DB, id uint64) (Evaluation, error) {
	var e Evaluation
	err := tx.Joins("Evaluator").Where("evaluations.id = ?", id).First(&e).Error
	return e, err
}

// A Finish is what a finished evaluation came to.
type Finish struct {
	Verdicts     map[benchmark.Verdict]int
	Missing      int // samples that the evaluator has no reply for
	Tasks        []TaskScore
	Repositories []RepositoryScore
	Scores       []Score
}

// FinishEvaluation writes the scores of an evaluation and ends it, in one
// transaction. Nothing happens to one that is not running.
func (s *Store) FinishEvaluation(ctx context.Context, evaluation uint64, f Finish) error {
	verdicts, err := json.Marshal(f.Verdicts)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx *gorm.DB) error {
		ended := tx.Model(&Evaluation{}).Where("id = ? AND state IN ?", evaluation, []State{Queued, Running}).
			Updates(map[string]any{"state": Finished, "finished_at": tx.NowFunc(), "verdicts": verdicts, "missing": f.Missing, "error": ""})
		if ended.Error != nil || ended.RowsAffected == 0 {
			return ended.Error
		}
		if err := dropScores(tx, evaluation); err != nil {
			return err
		}
		if err := insert(tx, f.Tasks); err != nil {
			return err
		}
		if err := insert(tx, f.Repositories); err != nil {
			return err
		}
		if err := insert(tx, f.Scores); err != nil {
			return err
		}
		e, err := evaluationNamed(tx, evaluation)
		if err != nil {
			return err
		}
		if err := note(tx, e.SubmissionID, e.ID, "info", "evaluation under "+e.Evaluator.Name+" finished"); err != nil {
			return err
		}
		if err := settle(tx, e.SubmissionID); err != nil {
			return err
		}
		return bump(tx)
	})
}

func insert[T any](tx *gorm.DB, rows []T) error {
	if len(rows) == 0 {
		return nil
	}
	return tx.CreateInBatches(rows, batch).Error
}

func dropScores(tx *gorm.DB, evaluation uint64) error {
	for _, table := range []any{&TaskScore{}, &RepositoryScore{}, &Score{}} {
		if err := tx.Where("evaluation_id = ?", evaluation).Delete(table).Error; err != nil {
			return err
		}
	}
	return nil
}

// FailEvaluation ends an evaluation that cannot go on; reason is for people.
func (s *Store) FailEvaluation(ctx context.Context, evaluation uint64, reason string) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		ended := tx.Model(&Evaluation{}).Where("id = ? AND state IN ?", evaluation, []State{Queued, Running}).
			Updates(map[string]any{"state": Failed, "finished_at": tx.NowFunc(), "error": reason})
		if ended.Error != nil || ended.RowsAffected == 0 {
			return ended.Error
		}
		e, err := evaluationNamed(tx, evaluation)
		if err != nil {
			return err
		}
		if err := note(tx, e.SubmissionID, e.ID, "error", "evaluation under "+e.Evaluator.Name+" failed: "+reason); err != nil {
			return err
		}
		return settle(tx, e.SubmissionID)
	})
}

// settle ends a submission when the last of its evaluations is over.
func settle(tx *gorm.DB, submission uint64) error {
	var states []State
	if err := tx.Model(&Evaluation{}).Where("submission_id = ?", submission).Pluck("state", &states).Error; err != nil {
		return err
	}
	end, reason := Finished, ""
	for _, state := range states {
		switch {
		case !state.Over():
			return nil
		case state == Failed:
			end, reason = Failed, "an evaluation failed"
		case state == Cancelled && end == Finished:
			end = Cancelled
		}
	}
	return tx.Model(&Submission{}).Where("id = ? AND state IN ?", submission, []State{Queued, Running}).
		Updates(map[string]any{"state": end, "finished_at": tx.NowFunc(), "error": reason}).Error
}

// Cancel ends what is not over of a submission and returns the evaluations it
// ended. Verdicts stay, so that a retry goes on from them.
func (s *Store) Cancel(ctx context.Context, submission uint64) (evaluations []uint64, err error) {
	err = s.Write(ctx, func(tx *gorm.DB) error {
		open := tx.Model(&Evaluation{}).Where("submission_id = ? AND state IN ?", submission, []State{Queued, Running}).Session(&gorm.Session{})
		if err := open.Pluck("id", &evaluations).Error; err != nil || len(evaluations) == 0 {
			return err
		}
		if err := open.Updates(map[string]any{"state": Cancelled, "finished_at": tx.NowFunc()}).Error; err != nil {
			return err
		}
		if err := note(tx, submission, 0, "warn", "cancelled"); err != nil {
			return err
		}
		return settle(tx, submission)
	})
	return evaluations, err
}

// Retry queues the failed and cancelled evaluations of a submission again;
// they go on from the samples that have a verdict. It returns how many.
func (s *Store) Retry(ctx context.Context, submission uint64) (n int64, err error) {
	err = s.Write(ctx, func(tx *gorm.DB) error {
		var ids []uint64
		ended := []State{Failed, Cancelled}
		if err := tx.Model(&Evaluation{}).Where("submission_id = ? AND state IN ?", submission, ended).Pluck("id", &ids).Error; err != nil || len(ids) == 0 {
			return err
		}
		n = int64(len(ids))
		if err := tx.Model(&Unit{}).Where("evaluation_id IN ? AND stage <> ?", ids, StageDone).
			Updates(map[string]any{"tries": 0, "not_before": 0, "error": ""}).Error; err != nil {
			return err
		}
		if err := tx.Model(&Evaluation{}).Where("id IN ?", ids).
			Updates(map[string]any{"state": Queued, "finished_at": nil, "error": ""}).Error; err != nil {
			return err
		}
		if err := tx.Model(&Submission{}).Where("id = ?", submission).
			Updates(map[string]any{"state": Queued, "finished_at": nil, "error": ""}).Error; err != nil {
			return err
		}
		return note(tx, submission, 0, "info", "queued again")
	})
	return n, err
}
