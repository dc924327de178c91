// Package doctocode is the first track: a docstring is good when somebody who
// reads it can write the function body again so that the repository's own
// tests pass. This package holds the release format; its subpackages build
// releases, turn docstrings into candidate bodies and turn those into verdicts.
package doctocode

import (
	"touchstone/internal/benchmark"
)

// Release is release.json: what a benchmark release is made of and under which
// policies it was built.
type Release struct {
	Format      int               `json:"format"` // 1
	Name        string            `json:"name"`   // starter
	Version     string            `json:"version"`
	Track       benchmark.Track   `json:"track"`
	Context     string            `json:"context"` // prefix-v1 or scope-v1
	Prompt      string            `json:"prompt"`  // a2-v1
	MaxSeconds  float64           `json:"max_seconds"`
	ToolVersion string            `json:"tool_version"`
	Counts      Counts            `json:"counts"`
	Files       map[string]string `json:"files"` // path in the release → SHA-256, timings left out
}

// Counts sums a release or one of its repositories up.
type Counts struct {
	Candidates int            `json:"n_candidates"` // the paper's definition
	AllTasks   int            `json:"n_all_tasks"`  // the paper's definition, before any filter
	Targets    int            `json:"n_targets"`    // our own targets: non-test functions that a passing test reaches
	Tasks      int            `json:"n_tasks"`      // targets that survived every filter
	Tests      int            `json:"n_tests"`      // tests that pass three times of three
	Dropped    map[string]int `json:"dropped"`      // reason → targets and tests dropped for it
}

// Add sums another repository's counts up into c.
func (c *Counts) Add(other Counts) {
	c.Candidates += other.Candidates
	c.AllTasks += other.AllTasks
	c.Targets += other.Targets
	c.Tasks += other.Tasks
	c.Tests += other.Tests
	if c.Dropped == nil {
		c.Dropped = map[string]int{}
	}
	for reason, n := range other.Dropped {
		c.Dropped[reason] += n
	}
}

// Repository is a line of repositories.jsonl.
type Repository struct {
	Name        string   `json:"name"` // owner/name
	Source      string   `json:"source"`
	Commit      string   `json:"commit,omitempty"`
	License     string   `json:"license,omitempty"`
	Python      string   `json:"python"`               // 3.11: the interpreter that the environment needs
	AnyPython   bool     `json:"any_python,omitempty"` // or a later one
	Requirement string   `json:"requirements"`         // path in the release of the locked requirements
	Archive     string   `json:"archive"`              // path in the release of the source archive
	Index       string   `json:"index"`                // path in the release of the definitions
	PythonPath  []string `json:"python_path"`          // folders of the tree put on the path, "." for its root
	PytestArgs  []string `json:"pytest_args"`          // given to every pytest run
	Metadata    Metadata `json:"metadata"`             // distribution metadata shown to importlib.metadata
	Counts      Counts   `json:"counts"`
}

// Metadata is what importlib.metadata answers for the repository's own
// distribution, so that no second, installed copy of its code is needed.
type Metadata struct {
	Name        string                       `json:"name,omitempty"`
	Version     string                       `json:"version,omitempty"`
	EntryPoints map[string]map[string]string `json:"entry_points,omitempty"` // group → name → module:attribute
}

// Strategy is how a candidate of a task is executed. From fast to slow:
type Strategy string

const (
	// Swapped: tests collected beforehand, the function's code object exchanged in a forked child.
	Swapped Strategy = "swapped"
	// Hooked: a forked child imports the package anew, its loader serving the candidate's source.
	Hooked Strategy = "hooked"
	// Forked: a forked child runs pytest over a freshly written tree.
	Forked Strategy = "forked"
	// Fresh: a new interpreter runs pytest over a freshly written tree. It is the truth the others are held against.
	Fresh Strategy = "fresh"
)

// Strategies lists the strategies from fast to slow.
var Strategies = []Strategy{Swapped, Hooked, Forked, Fresh}

// Task is a line of tasks.jsonl.
type Task struct {
	ID       string   `json:"id"`
	Tests    []string `json:"tests"`   // node ids; those that the stub failed stand first
	Failing  int      `json:"failing"` // how many of Tests the stub failed
	Strategy Strategy `json:"strategy"`
	Proof    Proof    `json:"proof"`
}

// Proof says on how many bodies a task's strategy gave the same verdict as a
// fresh process, and why the faster strategies were not taken.
type Proof struct {
	Reference int                 `json:"reference"` // runs of the original body
	Stubs     int                 `json:"stubs"`
	Mutants   int                 `json:"mutants"`
	Rejected  map[Strategy]string `json:"rejected,omitempty"`
}

// Dropped is a line of dropped.jsonl: a target or a test that left the release.
type Dropped struct {
	Repository string `json:"repository"`
	Kind       string `json:"kind"` // task, test or repository
	ID         string `json:"id"`
	Reason     string `json:"reason"` // one of the Reason constants
	Detail     string `json:"detail,omitempty"`
}

// Reasons why something leaves a release.
const (
	ReasonFlaky      = "flaky"               // a test that did not pass three of three runs, but passed some
	ReasonSkipped    = "skipped"             // a test that the suite skips or expects to fail
	ReasonFailing    = "failing"             // a test that never passed, or a file whose tests cannot be collected
	ReasonAmbiguous  = "ambiguous"           // a test that shares its id with others
	ReasonSlow       = "slow"                // the task's tests run longer than the release's limit
	ReasonVacuous    = "vacuous_tests"       // every test passes with the stub
	ReasonDefault    = "vacuous_for_default" // every test passes with a default of the annotated type
	ReasonReference  = "reference_fails"     // the original body does not pass in a fresh process
	ReasonControl    = "control"             // reference or stub erred when the release was verified
	ReasonEmptyBody  = "no_body"             // nothing but a docstring
	ReasonRepository = "repository"          // the repository as a whole could not be used
)

// Timing is a line of timings.jsonl, the one file of a release that differs
// between builds of the same input.
type Timing struct {
	Repository string  `json:"repository"`
	Test       string  `json:"test,omitempty"` // node id; empty for a build step
	Step       string  `json:"step,omitempty"`
	Seconds    float64 `json:"seconds"`
}
