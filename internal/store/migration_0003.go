package store

import (
	"time"

	"gorm.io/gorm"
)

// The tables of the localization track as migration 0003 made them.

type localizationRelease0003 struct {
	ReleaseID    uint64 `gorm:"primaryKey;autoIncrement:false"`
	Commits      int    `gorm:"not null"`
	PullRequests int    `gorm:"not null"`
	Gold         int    `gorm:"not null"`
	Files        int    `gorm:"not null"`
	Dropped      string `gorm:"not null"`
	Manifest     []byte
}

func (localizationRelease0003) TableName() string { return "localization_releases" }

type localizationRepository0003 struct {
	RepositoryID uint64 `gorm:"primaryKey;autoIncrement:false"`
	ReleaseID    uint64 `gorm:"not null;index"`
	T0           time.Time
	T1           time.Time
	Snapshot     string `gorm:"not null;size:64"`
	Head         string `gorm:"not null;size:64"`
	Commits      int    `gorm:"not null"`
	PullRequests int    `gorm:"not null"`
	Gold         int    `gorm:"not null"`
	Files        int    `gorm:"not null"`
	Dropped      string `gorm:"not null"`
}

func (localizationRepository0003) TableName() string { return "localization_repositories" }

type localizationTask0003 struct {
	TaskID       uint64 `gorm:"primaryKey;autoIncrement:false"`
	ReleaseID    uint64 `gorm:"not null;index"`
	RepositoryID uint64 `gorm:"not null"`
	Number       int    `gorm:"not null"`
	Commit       string `gorm:"not null;size:64"`
	Base         string `gorm:"not null;size:64"`
	MergedAt     time.Time
	Gold         string `gorm:"not null"`
	Added        string `gorm:"not null"`
	Prompts      string `gorm:"not null"`
}

func (localizationTask0003) TableName() string { return "localization_tasks" }

type prediction0003 struct {
	SubmissionID uint64 `gorm:"primaryKey;autoIncrement:false"`
	TaskID       uint64 `gorm:"primaryKey;autoIncrement:false;index"`
	Level        string `gorm:"primaryKey;size:16"`
	Condition    string `gorm:"primaryKey;size:16"`
	Files        string `gorm:"not null"`
}

func (prediction0003) TableName() string { return "predictions" }

type localizationTaskScore0003 struct {
	SubmissionID   uint64  `gorm:"primaryKey;autoIncrement:false"`
	TaskID         uint64  `gorm:"primaryKey;autoIncrement:false;index"`
	Level          string  `gorm:"primaryKey;size:16"`
	Condition      string  `gorm:"primaryKey;size:16"`
	Gold           string  `gorm:"primaryKey;size:16"`
	RepositoryID   uint64  `gorm:"not null"`
	Answered       bool    `gorm:"not null"`
	TruePositives  int     `gorm:"not null"`
	FalsePositives int     `gorm:"not null"`
	FalseNegatives int     `gorm:"not null"`
	Precision      float64 `gorm:"not null"`
	Recall         float64 `gorm:"not null"`
	F1             float64 `gorm:"not null"`
}

func (localizationTaskScore0003) TableName() string { return "localization_task_scores" }

type localizationScore0003 struct {
	SubmissionID   uint64  `gorm:"primaryKey;autoIncrement:false"`
	RepositoryID   uint64  `gorm:"primaryKey;autoIncrement:false"`
	Level          string  `gorm:"primaryKey;size:16"`
	Condition      string  `gorm:"primaryKey;size:16"`
	Gold           string  `gorm:"primaryKey;size:16"`
	Tasks          int     `gorm:"not null"`
	Answered       int     `gorm:"not null"`
	Precision      float64 `gorm:"not null"`
	Recall         float64 `gorm:"not null"`
	F1             float64 `gorm:"not null"`
	Low            *float64
	High           *float64
	MicroPrecision float64 `gorm:"not null"`
	MicroRecall    float64 `gorm:"not null"`
	MicroF1        float64 `gorm:"not null"`
	ZeroPrecision  int     `gorm:"not null"`
	ZeroRecall     int     `gorm:"not null"`
	FullRecall     int     `gorm:"not null"`
	Exact          int     `gorm:"not null"`
}

func (localizationScore0003) TableName() string { return "localization_scores" }

func localization0003(tx *gorm.DB) error {
	return tx.AutoMigrate(&localizationRelease0003{}, &localizationRepository0003{}, &localizationTask0003{},
		&prediction0003{}, &localizationTaskScore0003{}, &localizationScore0003{})
}
