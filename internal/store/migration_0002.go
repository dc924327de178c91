package store

import (
	"time"

	"gorm.io/gorm"
)

// measurement0002 is Measurement as migration 0002 made it.
type measurement0002 struct {
	ID           uint64 `gorm:"primaryKey"`
	SubmissionID uint64 `gorm:"not null;uniqueIndex:measurement_identity"`
	EvaluationID uint64 `gorm:"not null;uniqueIndex:measurement_identity"`
	Measure      string `gorm:"not null;size:100;uniqueIndex:measurement_identity"`
	Version      string `gorm:"not null;size:200"`
	Provenance   string `gorm:"not null"`
	Values       []byte
	Reason       string `gorm:"not null"`
	CreatedAt    time.Time
}

func (measurement0002) TableName() string { return "measurements" }

func measurements0002(tx *gorm.DB) error { return tx.AutoMigrate(&measurement0002{}) }
