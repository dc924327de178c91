package store

import (
	"context"

	"gorm.io/gorm"

	"touchstone/internal/benchmark"
)

// ReplacePublished puts the papers' numbers in the place of those that were
// imported before, when they differ by their version.
func (s *Store) ReplacePublished(ctx context.Context, version string, scores []PublishedScore, repositories []PublishedRepository) error {
	const key = "published_version"
	if known, err := s.Setting(ctx, key); err != nil || known == version {
		return err
	}
	return s.Write(ctx, func(tx *gorm.DB) error {
		for _, table := range []any{&PublishedScore{}, &PublishedRepository{}} {
			if err := tx.Session(&gorm.Session{AllowGlobalUpdate: true}).Delete(table).Error; err != nil {
				return err
			}
		}
		if err := tx.CreateInBatches(scores, batch).Error; err != nil {
			return err
		}
		if err := tx.CreateInBatches(repositories, batch).Error; err != nil {
			return err
		}
		if err := set(tx, key, version); err != nil {
			return err
		}
		return bump(tx)
	})
}

// PublishedScores are a track's, in the order of the papers' tables.
func (s *Store) PublishedScores(ctx context.Context, track benchmark.Track) ([]PublishedScore, error) {
	var all []PublishedScore
	err := s.Read(ctx).Where("track = ?", track).Order("id").Find(&all).Error
	return all, err
}

// PublishedRepositories are what the papers say of a track's repositories.
func (s *Store) PublishedRepositories(ctx context.Context, track benchmark.Track) ([]PublishedRepository, error) {
	var all []PublishedRepository
	err := s.Read(ctx).Where("track = ?", track).Order("id").Find(&all).Error
	return all, err
}
