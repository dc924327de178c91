package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"touchstone/internal/benchmark"
)

// A Measurement is one measure of all tasks of a release: of a submission's
// docstrings, or of what one of its evaluations wrote. It never changes: a
// newer one takes its place under another ID, so that whoever keeps Values in
// memory knows by the ID whether they are still true.
type Measurement struct {
	ID           uint64 `gorm:"primaryKey"`
	SubmissionID uint64 `gorm:"not null;uniqueIndex:measurement_identity"`
	EvaluationID uint64 `gorm:"not null;uniqueIndex:measurement_identity"` // 0: of the docstrings
	Measure      string `gorm:"not null;size:100;uniqueIndex:measurement_identity"`
	Version      string `gorm:"not null;size:200"` // of what computed it
	Provenance   string `gorm:"not null"`          // of values that were imported: who computed them and how; "" for the site's own
	Values       []byte // packed, a task each in the release's order; nil when nothing was computed
	Reason       string `gorm:"not null"` // why values are missing, all or some; "" when none is
	CreatedAt    time.Time
}

// PutMeasurements keeps measurements in place of those of the same submission,
// evaluation and measure. Those that say the same as what is there are left
// out, so that pages stay as they are.
func (s *Store) PutMeasurements(ctx context.Context, all []Measurement) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		changed := false
		for _, m := range all {
			var old Measurement
			found := tx.Where("submission_id = ? AND evaluation_id = ? AND measure = ?", m.SubmissionID, m.EvaluationID, m.Measure).Limit(1).Find(&old)
			if found.Error != nil {
				return found.Error
			}
			if found.RowsAffected > 0 {
				same := old.Version == m.Version && old.Provenance == m.Provenance && old.Reason == m.Reason && string(old.Values) == string(m.Values)
				if same {
					continue
				}
				if err := tx.Delete(&Measurement{}, old.ID).Error; err != nil {
					return err
				}
			}
			m.ID = 0
			if err := tx.Create(&m).Error; err != nil {
				return err
			}
			changed = true
		}
		if !changed {
			return nil
		}
		return bump(tx)
	})
}

// RemoveMeasurement forgets a measure of a submission's docstrings, or of an
// evaluation; ErrNotFound when there is none.
func (s *Store) RemoveMeasurement(ctx context.Context, subject Subject, measure string) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		done := tx.Where("submission_id = ? AND evaluation_id = ? AND measure = ?", subject.SubmissionID, subject.EvaluationID, measure).Delete(&Measurement{})
		if done.Error != nil {
			return done.Error
		}
		if done.RowsAffected == 0 {
			return ErrNotFound
		}
		return bump(tx)
	})
}

// MeasurementHeads are the measurements of some submissions and their
// evaluations, without values.
func (s *Store) MeasurementHeads(ctx context.Context, submissions ...uint64) ([]Measurement, error) {
	if len(submissions) == 0 {
		return nil, nil
	}
	var all []Measurement
	err := s.Read(ctx).Omit("Values").Where("submission_id IN ?", submissions).Order("submission_id, evaluation_id, measure").Find(&all).Error
	return all, err
}

// ShownMeasurements are the heads of all measurements of a track's submissions
// that are not hidden.
func (s *Store) ShownMeasurements(ctx context.Context, track benchmark.Track) ([]Measurement, error) {
	var all []Measurement
	err := s.Read(ctx).Model(&Measurement{}).Select("measurements.id, measurements.submission_id, measurements.evaluation_id, measurements.measure, "+
		"measurements.version, measurements.provenance, measurements.reason").
		Joins("JOIN submissions AS s ON s.id = measurements.submission_id").
		Where("s.track = ? AND NOT s.hidden", track).Order("measurements.id").Find(&all).Error
	return all, err
}

// MeasurementValues are the packed values of measurements by their ids, and
// nil of those that have none.
func (s *Store) MeasurementValues(ctx context.Context, ids []uint64) (map[uint64][]byte, error) {
	found := make(map[uint64][]byte, len(ids))
	for len(ids) > 0 {
		some := ids[:min(len(ids), batch)]
		ids = ids[len(some):]
		rows, err := s.Read(ctx).Raw(`SELECT id, "values" FROM measurements WHERE id IN ?`, some).Rows()
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			var id uint64
			var data []byte
			if err := rows.Scan(&id, &data); err != nil {
				rows.Close()
				return nil, err
			}
			found[id] = data
		}
		if err := rows.Close(); err != nil {
			return nil, err
		}
		if err := rows.Err(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// EachTaskScore calls do with how every task of some evaluations fared, by
// evaluation and in the order of tasks.
func (s *Store) EachTaskScore(ctx context.Context, evaluations []uint64, do func(evaluation, task uint64, samples, passed int)) error {
	for len(evaluations) > 0 {
		some := evaluations[:min(len(evaluations), batch)]
		evaluations = evaluations[len(some):]
		rows, err := s.Read(ctx).Raw("SELECT evaluation_id, task_id, samples, passed FROM task_scores WHERE evaluation_id IN ? ORDER BY evaluation_id, task_id", some).Rows()
		if err != nil {
			return err
		}
		for rows.Next() {
			var evaluation, task uint64
			var samples, passed int
			if err := rows.Scan(&evaluation, &task, &samples, &passed); err != nil {
				rows.Close()
				return err
			}
			do(evaluation, task, samples, passed)
		}
		if err := rows.Close(); err != nil {
			return err
		}
		if err := rows.Err(); err != nil {
			return err
		}
	}
	return nil
}

// A Subject is what is measured: a submission's docstrings, or the replies of
// one of its evaluations.
type Subject struct {
	SubmissionID uint64
	EvaluationID uint64 // 0: the docstrings
}

// Subjects are all confirmed submissions of a track, and all its finished
// evaluations.
func (s *Store) Subjects(ctx context.Context, track benchmark.Track) ([]Subject, error) {
	var all, replies []Subject
	err := s.Read(ctx).Model(&Submission{}).Select("id AS submission_id, 0 AS evaluation_id").
		Where("track = ? AND state <> ?", track, Draft).Order("id").Scan(&all).Error
	if err != nil {
		return nil, err
	}
	err = s.Read(ctx).Table("evaluations AS e").Select("e.submission_id, e.id AS evaluation_id").
		Joins("JOIN submissions AS s ON s.id = e.submission_id").Where("s.track = ? AND e.state = ?", track, Finished).Order("e.id").Scan(&replies).Error
	return append(all, replies...), err
}

// Bodies are what the replies of an evaluation held, by task.
func (s *Store) Bodies(ctx context.Context, evaluation uint64) (map[uint64][]string, error) {
	rows, err := s.Read(ctx).Raw("SELECT task_id, body FROM completions WHERE evaluation_id = ? AND body <> '' ORDER BY task_id, sample", evaluation).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[uint64][]string{}
	for rows.Next() {
		var task uint64
		var body string
		if err := rows.Scan(&task, &body); err != nil {
			return nil, err
		}
		found[task] = append(found[task], body)
	}
	return found, rows.Err()
}
