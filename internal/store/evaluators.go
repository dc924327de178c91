package store

import (
	"context"

	"gorm.io/gorm"

	"touchstone/internal/benchmark"
)

// SyncEvaluator keeps what is known of an evaluator, by its track and name. A
// new one is enabled as given; one that is there already stays as the operator
// left it.
func (s *Store) SyncEvaluator(ctx context.Context, e *Evaluator) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		var known Evaluator
		found := tx.Where("track = ? AND name = ?", e.Track, e.Name).Limit(1).Find(&known)
		if found.Error != nil {
			return found.Error
		}
		if found.RowsAffected == 0 {
			return tx.Create(e).Error
		}
		e.ID, e.Enabled = known.ID, known.Enabled
		return tx.Save(e).Error
	})
}

// EnableEvaluator switches an evaluator on or off for what is submitted from now on.
func (s *Store) EnableEvaluator(ctx context.Context, track benchmark.Track, name string, enabled bool) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		done := tx.Model(&Evaluator{}).Where("track = ? AND name = ?", track, name).Update("enabled", enabled)
		if done.Error == nil && done.RowsAffected == 0 {
			return ErrNotFound
		}
		return done.Error
	})
}

// Evaluators are a track's, in the order of tables.
func (s *Store) Evaluators(ctx context.Context, track benchmark.Track) ([]Evaluator, error) {
	var all []Evaluator
	err := s.Read(ctx).Where("track = ?", track).Order("position, name").Find(&all).Error
	return all, err
}
