package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"touchstone/internal/benchmark"
)

// ConfirmPredictions queues a draft of the localization track with what it
// answers. The error is ErrNotFound when it is no draft any more.
func (s *Store) ConfirmPredictions(ctx context.Context, submission uint64, predictions []Prediction) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		if err := confirm(tx, submission); err != nil {
			return err
		}
		if err := insert(tx, predictions); err != nil {
			return err
		}
		return note(tx, submission, 0, "info", "queued")
	})
}

// Unscored are the confirmed submissions of the localization track that wait
// for their scores, oldest first, without their reports.
func (s *Store) Unscored(ctx context.Context) ([]Submission, error) {
	var all []Submission
	err := s.Read(ctx).Omit("Report").Where("track = ? AND state IN ?", benchmark.Localization, []State{Queued, Running}).Order("id").Find(&all).Error
	return all, err
}

// FinishScoring writes the scores of a submission of the localization track and
// ends it, all or nothing. Nothing happens to one that is over.
func (s *Store) FinishScoring(ctx context.Context, submission uint64, scores []LocalizationScore, tasks []LocalizationTaskScore) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		ended := tx.Model(&Submission{}).Where("id = ? AND state IN ?", submission, []State{Queued, Running}).
			Updates(map[string]any{"state": Finished, "finished_at": tx.NowFunc(), "error": ""})
		if ended.Error != nil || ended.RowsAffected == 0 {
			return ended.Error
		}
		for _, table := range []any{&LocalizationScore{}, &LocalizationTaskScore{}} {
			if err := tx.Where("submission_id = ?", submission).Delete(table).Error; err != nil {
				return err
			}
		}
		if err := insert(tx, scores); err != nil {
			return err
		}
		if err := insert(tx, tasks); err != nil {
			return err
		}
		if err := note(tx, submission, 0, "info", "scored"); err != nil {
			return err
		}
		return bump(tx)
	})
}

// FailScoring ends a submission of the localization track that cannot be
// scored; reason is for people.
func (s *Store) FailScoring(ctx context.Context, submission uint64, reason string) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		ended := tx.Model(&Submission{}).Where("id = ? AND state IN ?", submission, []State{Queued, Running}).
			Updates(map[string]any{"state": Failed, "finished_at": tx.NowFunc(), "error": reason})
		if ended.Error != nil || ended.RowsAffected == 0 {
			return ended.Error
		}
		return note(tx, submission, 0, "error", "scoring failed: "+reason)
	})
}

// Rescore queues a submission of the localization track again that failed or
// was cancelled; ErrNotFound when it is none such.
func (s *Store) Rescore(ctx context.Context, submission uint64) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		queued := tx.Model(&Submission{}).Where("id = ? AND track = ? AND state IN ?", submission, benchmark.Localization, []State{Failed, Cancelled}).
			Updates(map[string]any{"state": Queued, "finished_at": nil, "error": ""})
		if queued.Error != nil {
			return queued.Error
		}
		if queued.RowsAffected == 0 {
			return ErrNotFound
		}
		return note(tx, submission, 0, "info", "queued again")
	})
}

// CancelScoring ends a submission of the localization track that is not over.
func (s *Store) CancelScoring(ctx context.Context, submission uint64) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		ended := tx.Model(&Submission{}).Where("id = ? AND track = ? AND state IN ?", submission, benchmark.Localization, []State{Queued, Running}).
			Updates(map[string]any{"state": Cancelled, "finished_at": tx.NowFunc()})
		if ended.Error != nil || ended.RowsAffected == 0 {
			return ended.Error
		}
		return note(tx, submission, 0, "warn", "cancelled")
	})
}

// Predictions are all of a submission, by task.
func (s *Store) Predictions(ctx context.Context, submission uint64) ([]Prediction, error) {
	var all []Prediction
	err := s.Read(ctx).Where("submission_id = ?", submission).Order("task_id, level, condition").Find(&all).Error
	return all, err
}

// TaskPredictions are what the finished submissions that pages show answer for
// one task, the oldest submission first.
func (s *Store) TaskPredictions(ctx context.Context, task uint64) ([]Prediction, error) {
	var all []Prediction
	err := shown(s.Read(ctx), "predictions").Where("predictions.task_id = ?", task).
		Order("predictions.submission_id, predictions.level, predictions.condition").Find(&all).Error
	return all, err
}

// shown leaves out rows of a table whose submission is hidden or not finished.
func shown(q *gorm.DB, table string) *gorm.DB {
	return q.Joins("JOIN submissions AS s ON s.id = "+table+".submission_id").Where("NOT s.hidden AND s.state = ?", Finished)
}

// LocalizationScores are all of the submissions that pages show: of each
// repository, and of all (repository 0).
func (s *Store) LocalizationScores(ctx context.Context) ([]LocalizationScore, error) {
	var all []LocalizationScore
	err := shown(s.Read(ctx).Model(&LocalizationScore{}), "localization_scores").
		Order("localization_scores.submission_id, localization_scores.repository_id, localization_scores.gold, localization_scores.level, localization_scores.condition").
		Find(&all).Error
	return all, err
}

// LocalizationScoresOf are those of one submission, hidden or not.
func (s *Store) LocalizationScoresOf(ctx context.Context, submission uint64) ([]LocalizationScore, error) {
	var all []LocalizationScore
	err := s.Read(ctx).Where("submission_id = ?", submission).Order("repository_id, gold, level, condition").Find(&all).Error
	return all, err
}

// LocalizationTaskScoresOf are those of one submission with one kind of gold
// files, by task.
func (s *Store) LocalizationTaskScoresOf(ctx context.Context, submission uint64, gold string) ([]LocalizationTaskScore, error) {
	var all []LocalizationTaskScore
	err := s.Read(ctx).Where("submission_id = ? AND gold = ?", submission, gold).Order("task_id, level, condition").Find(&all).Error
	return all, err
}

// TaskLocalizationScores are what every shown submission's answers for one task
// are worth, the oldest submission first.
func (s *Store) TaskLocalizationScores(ctx context.Context, task uint64) ([]LocalizationTaskScore, error) {
	var all []LocalizationTaskScore
	err := shown(s.Read(ctx).Model(&LocalizationTaskScore{}), "localization_task_scores").Where("localization_task_scores.task_id = ?", task).
		Order("localization_task_scores.submission_id, localization_task_scores.gold, localization_task_scores.level, localization_task_scores.condition").
		Find(&all).Error
	return all, err
}

// A LocalizationPair is the row of one system on one release: the arms without
// and with knowledge, which one submission has or several have together, those
// of the same account, system, version and release.
type LocalizationPair struct {
	System      System
	Release     Release
	Account     Account
	Version     string
	Submissions []Submission   // of the pair, oldest first, without reports; each has an arm that counts
	Arms        map[Arm]uint64 // the submission that counts for an arm: the latest that has it
}

// Latest is when the pair's newest submission was confirmed.
func (p LocalizationPair) Latest() time.Time {
	if at := p.Submissions[len(p.Submissions)-1].ConfirmedAt; at != nil {
		return *at
	}
	return time.Time{}
}

// LocalizationPairs are those of the submissions that pages show, the oldest
// first.
func (s *Store) LocalizationPairs(ctx context.Context) ([]LocalizationPair, error) {
	var finished []Submission
	err := s.Read(ctx).Omit("Report").Joins("System").Joins("Release").Joins("Account").
		Where("submissions.track = ? AND submissions.state = ? AND NOT submissions.hidden", benchmark.Localization, Finished).
		Order("submissions.id").Find(&finished).Error
	if err != nil {
		return nil, err
	}
	var arms []struct {
		SubmissionID uint64
		Arm
	}
	err = s.Read(ctx).Model(&LocalizationScore{}).Distinct("submission_id", "level", "condition").Where("repository_id = 0").Scan(&arms).Error
	if err != nil {
		return nil, err
	}
	of := map[uint64][]Arm{}
	for _, a := range arms {
		of[a.SubmissionID] = append(of[a.SubmissionID], a.Arm)
	}
	return pairs(finished, of), nil
}

// pairs joins submissions, oldest first, that have the given arms.
func pairs(submissions []Submission, arms map[uint64][]Arm) []LocalizationPair {
	type identity struct {
		system, release, account uint64
		version                  string
	}
	var all []LocalizationPair
	at := map[identity]int{}
	for _, sub := range submissions {
		id := identity{sub.SystemID, sub.ReleaseID, sub.AccountID, sub.Version}
		i, known := at[id]
		if !known {
			i = len(all)
			at[id] = i
			all = append(all, LocalizationPair{System: sub.System, Release: sub.Release, Account: sub.Account, Version: sub.Version, Arms: map[Arm]uint64{}})
		}
		all[i].Submissions = append(all[i].Submissions, sub)
		for _, arm := range arms[sub.ID] {
			all[i].Arms[arm] = sub.ID
		}
	}
	for i := range all {
		all[i].dropSuperseded()
	}
	return all
}

// dropSuperseded leaves out submissions all of whose arms a later one has.
func (p *LocalizationPair) dropSuperseded() {
	counts := map[uint64]bool{}
	for _, id := range p.Arms {
		counts[id] = true
	}
	var kept []Submission
	for _, sub := range p.Submissions {
		if counts[sub.ID] {
			kept = append(kept, sub)
		}
	}
	if len(kept) > 0 {
		p.Submissions = kept
	}
}
