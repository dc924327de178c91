package store

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"touchstone/internal/benchmark"
)

// SystemNamed is the system of a slug, made when it is not there.
func (s *Store) SystemNamed(ctx context.Context, system System) (System, error) {
	err := s.Write(ctx, func(tx *gorm.DB) error {
		if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&system).Error; err != nil {
			return err
		}
		slug := system.Slug
		system = System{}
		return tx.Where("slug = ?", slug).First(&system).Error
	})
	return system, err
}

// AddSubmission keeps a draft.
func (s *Store) AddSubmission(ctx context.Context, sub *Submission) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		return tx.Omit("System", "Release", "Account").Create(sub).Error
	})
}

// Confirm queues a draft: its docstrings, its evaluations and their units are
// kept together. The error is ErrNotFound when it is no draft any more.
func (s *Store) Confirm(ctx context.Context, submission uint64, docstrings []Docstring, evaluations []Evaluation, units [][]Unit) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		if err := confirm(tx, submission); err != nil {
			return err
		}
		if err := insert(tx, docstrings); err != nil {
			return err
		}
		for i := range evaluations {
			if err := tx.Omit("Evaluator", "Submission").Create(&evaluations[i]).Error; err != nil {
				return err
			}
			for j := range units[i] {
				units[i][j].EvaluationID = evaluations[i].ID
			}
			if len(units[i]) > 0 {
				if err := tx.CreateInBatches(units[i], batch).Error; err != nil {
					return err
				}
			}
		}
		return note(tx, submission, 0, "info", "queued")
	})
}

// confirm turns a draft into what is queued; ErrNotFound when it is no draft.
func confirm(tx *gorm.DB, submission uint64) error {
	done := tx.Model(&Submission{}).Where("id = ? AND state = ?", submission, Draft).
		Updates(map[string]any{"state": Queued, "confirmed_at": tx.NowFunc()})
	if done.Error == nil && done.RowsAffected == 0 {
		return ErrNotFound
	}
	return done.Error
}

// note adds a line to a submission's log.
func note(tx *gorm.DB, submission, evaluation uint64, level, text string) error {
	return tx.Create(&Event{SubmissionID: submission, EvaluationID: evaluation, At: tx.NowFunc(), Level: level, Text: text}).Error
}

// Note adds a line to a submission's log. Level is info, warn or error.
func (s *Store) Note(ctx context.Context, submission, evaluation uint64, level, text string) error {
	return s.Write(ctx, func(tx *gorm.DB) error { return note(tx, submission, evaluation, level, text) })
}

// Events are a submission's log, oldest first.
func (s *Store) Events(ctx context.Context, submission uint64) ([]Event, error) {
	var events []Event
	err := s.Read(ctx).Where("submission_id = ?", submission).Order("id").Find(&events).Error
	return events, err
}

// SubmissionByPublicID is one with its system, release and account.
func (s *Store) SubmissionByPublicID(ctx context.Context, id string) (Submission, error) {
	var sub Submission
	err := s.Read(ctx).Joins("System").Joins("Release").Joins("Account").Where("submissions.public_id = ?", id).First(&sub).Error
	return sub, err
}

// Submission is one by its id.
func (s *Store) Submission(ctx context.Context, id uint64) (Submission, error) {
	var sub Submission
	err := s.Read(ctx).Joins("System").Joins("Release").Joins("Account").Where("submissions.id = ?", id).First(&sub).Error
	return sub, err
}

// A SubmissionFilter chooses submissions. Zero fields choose all.
type SubmissionFilter struct {
	Track   benchmark.Track
	States  []State
	Account uint64
	System  uint64
	Text    string // that the system's name or model, or the version, contains, in any case
	Drafts  bool   // drafts, too, which only their owners see
	Offset  int
	Limit   int
}

// Submissions are those a filter chooses, newest first, without their reports,
// and how many there are in all.
func (s *Store) Submissions(ctx context.Context, f SubmissionFilter) ([]Submission, int64, error) {
	q := s.Read(ctx).Model(&Submission{}).Where("NOT submissions.hidden")
	if f.Track != "" {
		q = q.Where("submissions.track = ?", f.Track)
	}
	if len(f.States) > 0 {
		q = q.Where("submissions.state IN ?", f.States)
	}
	if f.Account != 0 {
		q = q.Where("submissions.account_id = ?", f.Account)
	}
	if f.System != 0 {
		q = q.Where("submissions.system_id = ?", f.System)
	}
	if f.Text != "" {
		pattern := containing(f.Text)
		named := s.Read(ctx).Model(&System{}).Select("id").Where(`LOWER(name) LIKE ? ESCAPE '\' OR LOWER(model) LIKE ? ESCAPE '\'`, pattern, pattern)
		q = q.Where(`submissions.system_id IN (?) OR LOWER(submissions.version) LIKE ? ESCAPE '\'`, named, pattern)
	}
	if !f.Drafts {
		q = q.Where("submissions.state <> ?", Draft)
	}
	q = q.Session(&gorm.Session{})
	var total int64
	if err := q.Count(&total).Error; err != nil {
		return nil, 0, err
	}
	if f.Limit > 0 {
		q = q.Limit(f.Limit).Offset(f.Offset)
	}
	var all []Submission
	err := q.Omit("Report").Joins("System").Joins("Release").Joins("Account").Order("submissions.id DESC").Find(&all).Error
	return all, total, err
}

// containing is a LIKE pattern for texts that contain one, in lower case.
func containing(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(strings.ToLower(text)) + "%"
}

// Docstrings are what a submission says of a release's tasks.
func (s *Store) Docstrings(ctx context.Context, submission uint64) ([]Docstring, error) {
	var all []Docstring
	err := s.Read(ctx).Where("submission_id = ?", submission).Order("task_id").Find(&all).Error
	return all, err
}

// DocumentedTasks are the ids of the tasks that a submission is judged on with
// a docstring.
func (s *Store) DocumentedTasks(ctx context.Context, submission uint64) ([]uint64, error) {
	var ids []uint64
	err := s.Read(ctx).Model(&Docstring{}).Where("submission_id = ?", submission).Order("task_id").Pluck("task_id", &ids).Error
	return ids, err
}

// DeleteDraft removes a draft; ErrNotFound when it is none, or none any more.
func (s *Store) DeleteDraft(ctx context.Context, submission uint64) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		done := tx.Where("id = ? AND state = ?", submission, Draft).Delete(&Submission{})
		if done.Error == nil && done.RowsAffected == 0 {
			return ErrNotFound
		}
		return done.Error
	})
}

// DeleteDrafts removes drafts that nobody confirmed and returns their public ids.
func (s *Store) DeleteDrafts(ctx context.Context, before time.Time) (ids []string, err error) {
	err = s.Write(ctx, func(tx *gorm.DB) error {
		old := tx.Model(&Submission{}).Where("state = ? AND created_at < ?", Draft, before).Session(&gorm.Session{})
		if err := old.Pluck("public_id", &ids).Error; err != nil {
			return err
		}
		return old.Delete(&Submission{}).Error
	})
	return ids, err
}

// Hide takes a submission off the site, or puts it back.
func (s *Store) Hide(ctx context.Context, publicID string, hidden bool) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		done := tx.Model(&Submission{}).Where("public_id = ?", publicID).Update("hidden", hidden)
		if done.Error != nil {
			return done.Error
		}
		if done.RowsAffected == 0 {
			return ErrNotFound
		}
		return bump(tx)
	})
}
