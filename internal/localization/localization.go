// Package localization is the second track: which files does a task change? A
// task is a pull request that was merged after a snapshot T0 of its repository,
// told at four levels of detail; an answer is a list of files of the snapshot
// (the localization paper, sections 3 and 4). This package holds the release
// format and how answers are scored; its subpackages read histories, write
// prompts, and are the baselines.
package localization

import (
	"time"

	"touchstone/internal/benchmark"
)

// A Level is how much a prompt tells (the localization paper, section 3.1).
type Level string

const (
	Minimal    Level = "minimal"    // the title's words, no more
	Concise    Level = "concise"    // and the component
	Contextual Level = "contextual" // and what it does, when it is used, how it fails: the headline
	Guided     Level = "guided"     // and the nature of the change
)

// Levels lists them from the least to the most told.
var Levels = []Level{Minimal, Concise, Contextual, Guided}

// A Condition is an arm of the matched comparison: the same agent on the same
// prompts, without and with knowledge derived from the repository up to T0
// (section 3.2).
type Condition string

const (
	Baseline  Condition = "baseline"
	Augmented Condition = "augmented"
)

// Conditions lists both, the one that is compared against first.
var Conditions = []Condition{Baseline, Augmented}

// A Label says what kind of file a gold file is, so that scores can be shown
// with and without tests, documentation and generated files.
type Label string

const (
	Source        Label = "source"
	Test          Label = "test"
	Documentation Label = "docs"
	Generated     Label = "generated"
)

// Labels lists them in the order in which tables show them.
var Labels = []Label{Source, Test, Documentation, Generated}

// Release is release.json of a release of this track.
type Release struct {
	Format      int               `json:"format"` // 1
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Track       benchmark.Track   `json:"track"` // localization
	ToolVersion string            `json:"tool_version"`
	Policy      Policy            `json:"policy"`
	Prompts     Prompts           `json:"prompts,omitzero"` // absent where a release ships facts alone
	Counts      Counts            `json:"counts"`
	Files       map[string]string `json:"files"` // path in the release → SHA-256
}

// Policy declares which pull requests are no tasks.
type Policy struct {
	MaxGold int  `json:"max_gold"` // a pull request of more gold files is left out; 30
	Bots    bool `json:"bots"`     // whether pull requests of bots stay
	Reverts bool `json:"reverts"`  // whether reverts stay
}

// Prompts says how the prompts were written.
type Prompts struct {
	Writer    string            `json:"writer"`             // extractive-v1, or the model that wrote
	Templates map[Level]string  `json:"templates"`          // level → SHA-256 of its template
	Rejected  map[string]int    `json:"rejected"`           // rule/level → prompts that it rejected
	Residual  map[Level]float64 `json:"residual,omitempty"` // level → macro F1 of BM25 given the prompt alone
	Model     map[string]any    `json:"model,omitempty"`    // sampling parameters of the model
}

// Counts sums a release or one of its repositories up.
type Counts struct {
	Commits      int            `json:"commits"`       // first-parent commits in (T0, T1]
	PullRequests int            `json:"pull_requests"` // recognised among them: tasks and dropped
	Tasks        int            `json:"tasks"`
	Dropped      map[string]int `json:"dropped"` // reason → pull requests
	Gold         int            `json:"gold"`    // gold files of all tasks
	Files        int            `json:"files"`   // of the snapshot
}

// Add sums another repository's counts up into c.
func (c *Counts) Add(other Counts) {
	c.Commits += other.Commits
	c.PullRequests += other.PullRequests
	c.Tasks += other.Tasks
	c.Gold += other.Gold
	c.Files += other.Files
	if c.Dropped == nil {
		c.Dropped = map[string]int{}
	}
	for reason, n := range other.Dropped {
		c.Dropped[reason] += n
	}
}

// Repository is a line of repositories.jsonl.
type Repository struct {
	Name     string    `json:"name"`             // owner/name
	Source   string    `json:"source,omitempty"` // the URL it is cloned from
	T0       time.Time `json:"t0"`
	T1       time.Time `json:"t1"`
	Snapshot string    `json:"snapshot"` // the last first-parent commit at or before T0
	Head     string    `json:"head"`     // the last first-parent commit at or before T1
	Files    string    `json:"files"`    // path in the release of the snapshot's list of files, a path a line
	Counts   Counts    `json:"counts"`
}

// A Task is a line of tasks.jsonl: a pull request that was merged in (T0, T1].
type Task struct {
	ID         string           `json:"instance_id"` // owner__name-number, as predictions name it
	Repository string           `json:"repo"`
	Number     int              `json:"number"` // of the pull request
	Commit     string           `json:"commit"` // that merged it
	Base       string           `json:"base"`   // its first parent
	MergedAt   time.Time        `json:"merged_at"`
	Gold       []GoldFile       `json:"gold"`              // files of the snapshot that it modifies or deletes, sorted
	Added      []string         `json:"added,omitempty"`   // files that it adds: never gold
	Prompts    map[Level]string `json:"prompts,omitempty"` // absent where a release ships facts alone
}

// A GoldFile is a file that has to be found.
type GoldFile struct {
	Path  string `json:"path"` // at T0, from the repository's root, with forward slashes
	Label Label  `json:"label"`
}

// A Drop is a line of dropped.jsonl: a pull request that is no task.
type Drop struct {
	Repository string `json:"repo"`
	Number     int    `json:"number"`
	Commit     string `json:"commit"`
	Reason     string `json:"reason"` // one of the Reason constants
	Detail     string `json:"detail,omitempty"`
}

// Reasons why a pull request is no task. The first that holds is given.
const (
	ReasonRevert   = "revert"         // it takes another change back, or puts it back in
	ReasonRepeated = "repeated"       // a commit before it bears the same number: that one counts
	ReasonBot      = "bot"            // a program's, such as a dependency update
	ReasonUntitled = "untitled"       // neither the history nor an export tells its title
	ReasonNoGold   = "no_gold"        // it changes no file of the snapshot
	ReasonTooMany  = "too_many_files" // it changes more files of the snapshot than the policy allows
	ReasonTooLarge = "too_large"      // its diff is too large for the leak filters to read
	ReasonLeak     = "leak"           // a prompt of some level gives the change away, whatever the writer tries
)

// Reasons lists them in the order in which tables show them.
var Reasons = []string{ReasonRevert, ReasonRepeated, ReasonBot, ReasonUntitled, ReasonNoGold, ReasonTooMany, ReasonTooLarge, ReasonLeak}

// A Prediction is what a system answered for one task at one level and in one
// condition.
type Prediction struct {
	Task      string    `json:"instance_id"`
	Level     Level     `json:"prompt,omitempty"`
	Condition Condition `json:"condition,omitempty"`
	Files     []string  `json:"found_files"` // the likeliest first, where the system ranks
}
