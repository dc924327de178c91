package store

import (
	"time"

	"touchstone/internal/benchmark"
)

// A Release is a benchmark release that was imported.
type Release struct {
	ID           uint64          `gorm:"primaryKey"`
	Track        benchmark.Track `gorm:"not null;size:32;uniqueIndex:release_identity"`
	Name         string          `gorm:"not null;size:200;uniqueIndex:release_identity"`
	Version      string          `gorm:"not null;size:100;uniqueIndex:release_identity"`
	Dir          string          `gorm:"not null"` // folder below the data folder's releases
	SHA256       string          `gorm:"not null;size:64"`
	Context      string          `gorm:"not null"` // context policy
	Prompt       string          `gorm:"not null"` // prompt version
	ToolVersion  string          `gorm:"not null"`
	Candidates   int             // n_candidates, by the paper's definition
	AllTasks     int             // n_all_tasks, by the paper's definition
	Targets      int             // non-test functions that a passing test reaches
	Tasks        int
	Tests        int
	Repositories []Repository
	CreatedAt    time.Time
	Hidden       bool `gorm:"not null;default:false"`
}

// Label is name@version.
func (r Release) Label() string { return r.Name + "@" + r.Version }

// A Repository is one of a release's.
type Repository struct {
	ID         uint64 `gorm:"primaryKey"`
	ReleaseID  uint64 `gorm:"not null;uniqueIndex:repository_identity"`
	Name       string `gorm:"not null;size:300;uniqueIndex:repository_identity;index"` // owner/name
	Source     string
	Commit     string
	License    string
	Python     string
	Candidates int
	AllTasks   int
	Targets    int
	Tasks      int
	Tests      int
}

// A Task is one function that a submission is judged on.
type Task struct {
	ID           uint64  `gorm:"primaryKey"`
	ReleaseID    uint64  `gorm:"not null;uniqueIndex:task_identity"`
	RepositoryID uint64  `gorm:"not null;index"`
	Key          string  `gorm:"not null;size:1000;uniqueIndex:task_identity"` // owner/name:path::qualname
	Position     int     `gorm:"not null"`                                     // in the release, from 0
	Tests        int     `gorm:"not null"`
	Seconds      float64 `gorm:"not null"` // of its tests on the original, where the release was built
	Strategy     string  `gorm:"not null;size:16"`
}

// A Drop is a target, test or repository that left a release.
type Drop struct {
	ID         uint64 `gorm:"primaryKey"`
	ReleaseID  uint64 `gorm:"not null;index"`
	Repository string `gorm:"not null"`
	Kind       string `gorm:"not null;size:16"` // task, test, repository or pull request
	Key        string `gorm:"not null"`
	Reason     string `gorm:"not null;size:40"`
	Detail     string
}

// A System is what is judged: an agent and the model that it ran on.
type System struct {
	ID        uint64 `gorm:"primaryKey"`
	Slug      string `gorm:"not null;size:200;uniqueIndex"`
	Name      string `gorm:"not null;size:300"`
	Model     string `gorm:"not null;size:300"` // documentation model; "" when there is none
	Link      string `gorm:"not null;size:1000"`
	CreatedAt time.Time
}

// A State is where a submission or an evaluation stands.
type State string

const (
	Draft     State = "draft" // a submission whose preflight nobody has confirmed
	Queued    State = "queued"
	Running   State = "running"
	Finished  State = "finished"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Over reports whether nothing will happen any more by itself.
func (s State) Over() bool { return s == Finished || s == Failed || s == Cancelled }

// Where a submission's docstrings are.
const (
	DocsFile     = "file"     // in the uploaded file
	DocsOriginal = "original" // the repositories' own: the control that the paper calls default
	DocsNone     = "none"     // nowhere: the control no-docs
)

// A Submission is one upload of a system's output for one release.
type Submission struct {
	ID          uint64          `gorm:"primaryKey"`
	PublicID    string          `gorm:"not null;size:32;uniqueIndex"` // in addresses
	Track       benchmark.Track `gorm:"not null;size:32;index"`
	ReleaseID   uint64          `gorm:"not null;index"`
	SystemID    uint64          `gorm:"not null;index"`
	AccountID   uint64          `gorm:"not null;index"`
	Version     string          `gorm:"not null;size:200"` // of the system
	Notes       string          `gorm:"not null"`
	Docs        string          `gorm:"not null;size:16"` // where the docstrings are: one of the Docs constants
	Blob        string          `gorm:"not null"`         // key of the uploaded file
	FileName    string          `gorm:"not null;size:300"`
	FileBytes   int64           `gorm:"not null"`
	SHA256      string          `gorm:"not null;size:64"` // of the file
	State       State           `gorm:"not null;size:16;index"`
	Tasks       int             `gorm:"not null"` // of the release
	Documented  int             `gorm:"not null"` // tasks that the file has a docstring for
	Report      []byte          // preflight, JSON
	Error       string          // why it failed, for its owner
	CreatedAt   time.Time       `gorm:"index"`
	ConfirmedAt *time.Time
	FinishedAt  *time.Time
	Hidden      bool `gorm:"not null;default:false"`

	System  System  `gorm:"constraint:OnDelete:RESTRICT"`
	Release Release `gorm:"constraint:OnDelete:RESTRICT"`
	Account Account `gorm:"constraint:OnDelete:RESTRICT"`
}

// A Docstring is what a submission says of one task.
type Docstring struct {
	SubmissionID uint64 `gorm:"primaryKey;autoIncrement:false"`
	TaskID       uint64 `gorm:"primaryKey;autoIncrement:false"`
	Text         string `gorm:"not null"`
}

// The kinds of evaluators.
const (
	KindModel    = "model"
	KindRecorded = "recorded"
	KindControl  = "control"
)

// An Evaluator is a fixed judge.
type Evaluator struct {
	ID          uint64          `gorm:"primaryKey"`
	Track       benchmark.Track `gorm:"not null;size:32;uniqueIndex:evaluator_identity"`
	Name        string          `gorm:"not null;size:100;uniqueIndex:evaluator_identity"`
	Kind        string          `gorm:"not null;size:16"`
	Description string          `gorm:"not null"`
	Fingerprint string          `gorm:"not null"` // changes with everything that determines replies
	Samples     int             `gorm:"not null"` // per task
	Enabled     bool            `gorm:"not null"`
	Position    int             `gorm:"not null"` // in tables
}

// An Evaluation is one submission under one evaluator.
type Evaluation struct {
	ID               uint64  `gorm:"primaryKey"`
	SubmissionID     uint64  `gorm:"not null;uniqueIndex:evaluation_identity"`
	EvaluatorID      uint64  `gorm:"not null;uniqueIndex:evaluation_identity"`
	State            State   `gorm:"not null;size:16;index"`
	Samples          int     `gorm:"not null"` // per task
	Total            int     `gorm:"not null"` // samples in all
	Done             int     `gorm:"not null"` // samples with a verdict
	Missing          int     `gorm:"not null"` // samples that the evaluator has no reply for
	PromptTokens     int64   `gorm:"not null"`
	CompletionTokens int64   `gorm:"not null"`
	Cost             float64 `gorm:"not null"` // in the unit of the evaluator's prices
	Seconds          float64 `gorm:"not null"` // inside candidates' processes
	Verdicts         []byte  // counts by verdict, JSON; when finished
	Error            string
	CreatedAt        time.Time
	StartedAt        *time.Time
	FinishedAt       *time.Time `gorm:"index"`

	Evaluator  Evaluator  `gorm:"constraint:OnDelete:RESTRICT"`
	Submission Submission `gorm:"constraint:OnDelete:CASCADE"`
}

// A Stage is what a unit waits for or is in.
type Stage string

const (
	StageGenerate Stage = "generate" // its replies are asked for
	StageExecute  Stage = "execute"  // its bodies are executed
	StageDone     Stage = "done"
)

// A Unit is a batch of samples of one repository: all samples of some of its
// tasks.
type Unit struct {
	ID           uint64 `gorm:"primaryKey"`
	EvaluationID uint64 `gorm:"not null;index:unit_next,priority:1"`
	RepositoryID uint64 `gorm:"not null"`
	Position     int    `gorm:"not null"`
	FirstTask    int    `gorm:"not null"` // positions in the release, the last one included
	LastTask     int    `gorm:"not null"`
	Samples      int    `gorm:"not null"`
	Stage        Stage  `gorm:"not null;size:16;index:unit_next,priority:2"`
	Tries        int    `gorm:"not null"` // attempts at this stage that failed
	NotBefore    int64  `gorm:"not null"` // Unix milliseconds: backoff after a failure
	Error        string // of the last failed attempt
}

// A Completion is an evaluator's reply for one sample, and the body in it.
type Completion struct {
	EvaluationID     uint64 `gorm:"primaryKey;autoIncrement:false"`
	TaskID           uint64 `gorm:"primaryKey;autoIncrement:false"`
	Sample           int    `gorm:"primaryKey;autoIncrement:false"`
	Reply            string `gorm:"not null"`
	Body             string `gorm:"not null"`
	Changes          []byte // what extraction did, JSON
	Model            string `gorm:"not null"`
	PromptTokens     int    `gorm:"not null"`
	CompletionTokens int    `gorm:"not null"`
	ReasoningTokens  int    `gorm:"not null"`
	Cached           bool   `gorm:"not null"`
	Missing          string // why there is no reply
	MissingVerdict   string // what that means for the sample; "" when there is a reply
}

// A Verdict is what happened when a sample ran. There is one for a sample,
// written once.
type Verdict struct {
	EvaluationID uint64            `gorm:"primaryKey;autoIncrement:false"`
	TaskID       uint64            `gorm:"primaryKey;autoIncrement:false"`
	Sample       int               `gorm:"primaryKey;autoIncrement:false"`
	Verdict      benchmark.Verdict `gorm:"not null;size:16"`
	Test         string            // the first that did not pass
	Detail       string
	Seconds      float64 `gorm:"not null"` // wall time, from fork to the end
	CallSeconds  float64 `gorm:"not null"` // inside the test functions
	Ran          int     `gorm:"not null"` // tests begun
	Strategy     string  `gorm:"not null;size:16"`
	Flags        string  `gorm:"not null"` // of the static screen, separated by spaces
	Recheck      string  `gorm:"not null;size:16"`
	RecheckNote  string
	CreatedAt    time.Time
}

// A TaskScore is how many of a task's samples count and how many passed.
type TaskScore struct {
	EvaluationID uint64 `gorm:"primaryKey;autoIncrement:false"`
	TaskID       uint64 `gorm:"primaryKey;autoIncrement:false"`
	RepositoryID uint64 `gorm:"not null"`
	Samples      int    `gorm:"not null"`
	Passed       int    `gorm:"not null"`
	Documented   bool   `gorm:"not null"`
}

// A RepositoryScore is pass@k over the tasks of one repository.
type RepositoryScore struct {
	EvaluationID uint64  `gorm:"primaryKey;autoIncrement:false"`
	RepositoryID uint64  `gorm:"primaryKey;autoIncrement:false"`
	K            int     `gorm:"primaryKey;autoIncrement:false"`
	Value        float64 `gorm:"not null"`
	Tasks        int     `gorm:"not null"` // that the mean is over; 0 means that there is no pass@k
	Missing      int     `gorm:"not null"` // with fewer than k samples that count
	Documented   int     `gorm:"not null"`
}

// An Aggregation is how tasks become one number.
type Aggregation string

const (
	ByRepository Aggregation = "repository" // mean over tasks within a repository, then over repositories: the headline
	ByTask       Aggregation = "task"       // mean over all tasks
	ByTests      Aggregation = "tests"      // mean over all tasks, weighted by their number of tests
)

// Aggregations lists them in the order in which pages offer them.
var Aggregations = []Aggregation{ByRepository, ByTask, ByTests}

// A Score is pass@k of an evaluation.
type Score struct {
	EvaluationID uint64      `gorm:"primaryKey;autoIncrement:false"`
	Aggregation  Aggregation `gorm:"primaryKey;size:16"`
	K            int         `gorm:"primaryKey;autoIncrement:false"`
	Value        float64     `gorm:"not null"`
	Low          *float64    // of the 95 % interval; nil when there is none
	High         *float64
	Repositories int `gorm:"not null"` // that it is over
	Tasks        int `gorm:"not null"`
	Documented   int `gorm:"not null"`
}

// A PublishedScore is a number from a paper.
type PublishedScore struct {
	ID         uint64          `gorm:"primaryKey"`
	Source     string          `gorm:"not null;size:100"`
	Table      int             `gorm:"not null;column:table_number"`
	Track      benchmark.Track `gorm:"not null;size:32;index"`
	System     string          `gorm:"not null"`
	Model      string          `gorm:"not null"`
	Evaluator  string          `gorm:"not null"`
	Repository string          `gorm:"not null;index"` // "" for an aggregate
	Metric     string          `gorm:"not null"`       // pass@1, precision …
	Level      string          `gorm:"not null"`       // of the prompt, localization
	Condition  string          `gorm:"not null"`       // arm, localization
	Value      float64         `gorm:"not null"`
	Decimals   int             `gorm:"not null"` // that the paper prints
}

// A PublishedRepository is what a paper says of a repository.
type PublishedRepository struct {
	ID         uint64          `gorm:"primaryKey"`
	Source     string          `gorm:"not null;size:100"`
	Track      benchmark.Track `gorm:"not null;size:32"`
	Name       string          `gorm:"not null;index"`
	Stars      int             `gorm:"not null"`
	Forks      int             `gorm:"not null"`
	Candidates int             `gorm:"not null"`
	AllTasks   int             `gorm:"not null"`
	Tasks      int             `gorm:"not null"`
}

// An Event is a line of a submission's log.
type Event struct {
	ID           uint64 `gorm:"primaryKey"`
	SubmissionID uint64 `gorm:"not null;index"`
	EvaluationID uint64 `gorm:"not null"` // 0 when it concerns all of it
	At           time.Time
	Level        string `gorm:"not null;size:8"` // info, warn or error
	Text         string `gorm:"not null"`
}

// An Account is a submitter or an operator.
type Account struct {
	ID        uint64 `gorm:"primaryKey"`
	Name      string `gorm:"not null;size:200;uniqueIndex"`
	Role      string `gorm:"not null;size:16"`
	CreatedAt time.Time
}

// A Token lets a program or a browser act for an account. Only its hash is kept.
type Token struct {
	ID         uint64 `gorm:"primaryKey"`
	AccountID  uint64 `gorm:"not null;index"`
	Hash       string `gorm:"not null;size:64;uniqueIndex"` // SHA-256, hexadecimal
	CreatedAt  time.Time
	LastUsedAt *time.Time
	RevokedAt  *time.Time

	Account Account `gorm:"constraint:OnDelete:CASCADE"`
}

// A Setting is one value of the site's own state.
type Setting struct {
	Key   string `gorm:"primaryKey;size:100"`
	Value string `gorm:"not null"`
}
