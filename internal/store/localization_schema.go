package store

import "time"

// The localization track keeps more of a release than the other, and other
// scores. Levels, conditions and kinds of gold files stand in the database as
// the package localization writes them: minimal, baseline, all and so on.

// A LocalizationRelease is what a release of this track has beyond a Release.
// Counts are sums over its repositories.
type LocalizationRelease struct {
	ReleaseID    uint64         `gorm:"primaryKey;autoIncrement:false"`
	Commits      int            `gorm:"not null"`                 // first-parent commits in (T0, T1]
	PullRequests int            `gorm:"not null"`                 // recognised among them
	Gold         int            `gorm:"not null"`                 // gold files of all tasks
	Files        int            `gorm:"not null"`                 // of the snapshots
	Dropped      map[string]int `gorm:"not null;serializer:json"` // reason → pull requests
	Manifest     []byte         // release.json, which has the policy and how the prompts were written
}

// A LocalizationRepository is what a repository of this track has beyond a
// Repository, whose Commit is the snapshot, too.
type LocalizationRepository struct {
	RepositoryID uint64 `gorm:"primaryKey;autoIncrement:false"`
	ReleaseID    uint64 `gorm:"not null;index"`
	T0           time.Time
	T1           time.Time
	Snapshot     string         `gorm:"not null;size:64"` // the last first-parent commit at or before T0
	Head         string         `gorm:"not null;size:64"` // the last first-parent commit at or before T1
	Commits      int            `gorm:"not null"`
	PullRequests int            `gorm:"not null"`
	Gold         int            `gorm:"not null"`
	Files        int            `gorm:"not null"` // of the snapshot
	Dropped      map[string]int `gorm:"not null;serializer:json"`
}

// A LocalizationTask is a pull request: what a task of this track has beyond a
// Task, whose Key is its instance id.
type LocalizationTask struct {
	TaskID       uint64 `gorm:"primaryKey;autoIncrement:false"`
	ReleaseID    uint64 `gorm:"not null;index"`
	RepositoryID uint64 `gorm:"not null"`
	Number       int    `gorm:"not null"`         // of the pull request
	Commit       string `gorm:"not null;size:64"` // that merged it
	Base         string `gorm:"not null;size:64"` // its first parent
	MergedAt     time.Time
	Gold         []GoldFile        `gorm:"not null;serializer:json"`
	Added        []string          `gorm:"not null;serializer:json"` // files that it adds: never gold
	Prompts      map[string]string `gorm:"not null;serializer:json"` // level → text; none where the release ships facts alone

	Task Task `gorm:"-"` // filled in by the readers
}

// A GoldFile is one that has to be found.
type GoldFile struct {
	Path  string `json:"path"`
	Label string `json:"label"` // source, test, docs or generated
}

// An Arm is what predictions are scored together for.
type Arm struct {
	Level     string `gorm:"primaryKey;size:16"` // minimal, concise, contextual or guided
	Condition string `gorm:"primaryKey;size:16"` // baseline or augmented
}

// A Prediction is what a submission answers for one task in one arm. A task
// without one counts as an empty prediction in every arm that has any.
type Prediction struct {
	SubmissionID uint64 `gorm:"primaryKey;autoIncrement:false"`
	TaskID       uint64 `gorm:"primaryKey;autoIncrement:false;index"`
	Arm
	Files []string `gorm:"not null;serializer:json"` // the likeliest first, where the system ranks
}

// A LocalizationTaskScore is what a prediction is worth: all tasks of the
// release in every arm of the submission, without those that have no gold file
// of the kind that counts.
type LocalizationTaskScore struct {
	SubmissionID uint64 `gorm:"primaryKey;autoIncrement:false"`
	TaskID       uint64 `gorm:"primaryKey;autoIncrement:false;index"`
	Arm
	Gold           string  `gorm:"primaryKey;size:16"` // all, or source: without tests, documentation and generated files
	RepositoryID   uint64  `gorm:"not null"`
	Answered       bool    `gorm:"not null"`
	TruePositives  int     `gorm:"not null"`
	FalsePositives int     `gorm:"not null"`
	FalseNegatives int     `gorm:"not null"`
	Precision      float64 `gorm:"not null"`
	Recall         float64 `gorm:"not null"`
	F1             float64 `gorm:"not null"`
}

// A LocalizationScore sums up one arm over a repository's tasks, or all tasks.
type LocalizationScore struct {
	SubmissionID uint64 `gorm:"primaryKey;autoIncrement:false"`
	RepositoryID uint64 `gorm:"primaryKey;autoIncrement:false"` // 0: all
	Arm
	Gold           string   `gorm:"primaryKey;size:16"`
	Tasks          int      `gorm:"not null"` // that are scored
	Answered       int      `gorm:"not null"` // of them with a prediction
	Precision      float64  `gorm:"not null"` // these three: macro, means over the tasks
	Recall         float64  `gorm:"not null"`
	F1             float64  `gorm:"not null"`
	Low            *float64 // of F1's 95 % interval; nil when there is none
	High           *float64
	MicroPrecision float64 `gorm:"not null"` // these three: of all files as one set
	MicroRecall    float64 `gorm:"not null"`
	MicroF1        float64 `gorm:"not null"`
	ZeroPrecision  int     `gorm:"not null"` // tasks that end so, these four
	ZeroRecall     int     `gorm:"not null"`
	FullRecall     int     `gorm:"not null"`
	Exact          int     `gorm:"not null"` // F1 is 1
}
