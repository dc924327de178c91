package store

import (
	"context"
	"errors"
	"strconv"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

const resultsVersion = "results_version"

// bump says that published results have changed: what was rendered of them is
// out of date.
func bump(tx *gorm.DB) error {
	return tx.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "key"}},
		DoUpdates: clause.Assignments(map[string]any{"value": gorm.Expr("CAST(CAST(settings.value AS INTEGER) + 1 AS TEXT)")}),
	}).Create(&Setting{Key: resultsVersion, Value: "1"}).Error
}

// ResultsVersion grows whenever published results change.
func (s *Store) ResultsVersion(ctx context.Context) (uint64, error) {
	value, err := s.Setting(ctx, resultsVersion)
	if err != nil || value == "" {
		return 0, err
	}
	return strconv.ParseUint(value, 10, 64)
}

// Setting is a value of the site's own state, "" when it was never set.
func (s *Store) Setting(ctx context.Context, key string) (string, error) {
	var setting Setting
	err := s.Read(ctx).Where("key = ?", key).First(&setting).Error
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	return setting.Value, err
}

// Set keeps a value.
func (s *Store) Set(ctx context.Context, key, value string) error {
	return s.Write(ctx, func(tx *gorm.DB) error { return set(tx, key, value) })
}

func set(tx *gorm.DB, key, value string) error {
	return tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "key"}}, UpdateAll: true}).Create(&Setting{Key: key, Value: value}).Error
}
