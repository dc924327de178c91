package execute

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/pyharness"
	"touchstone/internal/sandbox"
)

func parseTask(id string) (benchmark.TaskID, error) { return benchmark.ParseTaskID(id) }

// Limits bound the processes of one candidate.
type Limits struct {
	Memory    int64 // bytes of address space of each, and of memory of all together
	FileSize  int64 // bytes of any one file
	Processes int
}

// DefaultLimits are what a new runner allows.
var DefaultLimits = Limits{Memory: 3 << 30, FileSize: 64 << 20, Processes: 128}

// Wall is the time limit for the tests of a task: relative to what they take
// on the original, with a floor that a busy machine does not reach.
func Wall(baseline float64) time.Duration {
	return 3*time.Second + time.Duration(5*baseline*float64(time.Second))
}

// A Candidate is a body to be tried.
type Candidate struct {
	Task     string             // id
	Body     string             // canonical text: dedented, without header and docstring
	Tests    []string           // in the order in which they run
	Strategy doctocode.Strategy // the task's; slower ones are taken where it cannot serve this body
	Wall     time.Duration      // for the tests, once they are collected
	All      bool               // run every test, instead of stopping at the first that does not pass
	NoJudge  bool               // leave a flagged pass as it is
}

// Recheck says what came of a second, split run of a flagged pass.
type Recheck string

const (
	NotRechecked Recheck = ""
	// Confirmed: the tests pass, too, when another process judges them.
	Confirmed Recheck = "confirmed"
	// Refuted: they do not, though they do for the reference: the verdict is tampered.
	Refuted Recheck = "refuted"
	// Suspicious: it cannot be decided; the pass stands and is shown as such.
	Suspicious Recheck = "suspicious"
)

// An Outcome is what became of a candidate.
type Outcome struct {
	Verdict     benchmark.Verdict
	Detail      string             // for a person: the failing test's output, the syntax error …
	Test        string             // the first test that did not pass
	Failed      []string           // with All: every test that did not pass
	Ran         int                // tests begun
	Seconds     float64            // wall time of the child, from fork to its end
	CallSeconds float64            // time inside the test functions
	Strategy    doctocode.Strategy // the one used
	Flags       []string           // of the static screen
	Recheck     Recheck
	RecheckNote string
}

// Runner executes candidates of one workspace, several at a time.
type Runner struct {
	Limits Limits // may be changed before the first Run

	workspace *Workspace
	box       sandbox.Sandbox
	mask      *Mask
	slots     chan *slot
	all       []*slot

	mu        sync.Mutex
	reference map[string]judged // task → how the reference fares in the split run
}

type judged struct {
	Outcome string `json:"outcome"`
	Why     string `json:"why"`
}

// slot holds the servers of one worker, started when first needed.
type slot struct {
	servers map[pyharness.Kind]*pyharness.Server
}

// NewRunner makes a runner with a number of workers. tasks are those whose
// bodies are masked; without them only the strategies over a tree of their own
// can be used.
func (w *Workspace) NewRunner(box sandbox.Sandbox, workers int, tasks []doctocode.Task) (*Runner, error) {
	r := &Runner{Limits: DefaultLimits, workspace: w, box: box, slots: make(chan *slot, workers), reference: map[string]judged{}}
	if len(tasks) > 0 {
		var err error
		if r.mask, err = w.Mask(tasks); err != nil {
			return nil, fmt.Errorf("masking the tree of %s: %w", w.Name, err)
		}
	}
	for range workers {
		s := &slot{servers: map[pyharness.Kind]*pyharness.Server{}}
		r.all = append(r.all, s)
		r.slots <- s
	}
	return r, nil
}

// Close ends every server. No Run may be under way.
func (r *Runner) Close() {
	for _, s := range r.all {
		for _, server := range s.servers {
			server.Close()
		}
	}
}

func kindOf(s doctocode.Strategy) pyharness.Kind {
	switch s {
	case doctocode.Swapped:
		return pyharness.Swapped
	case doctocode.Hooked:
		return pyharness.Hooked
	}
	return pyharness.Private
}

func (r *Runner) server(ctx context.Context, s *slot, kind pyharness.Kind) (*pyharness.Server, error) {
	if server := s.servers[kind]; server != nil && server.Alive() {
		return server, nil
	}
	if kind != pyharness.Private && r.mask == nil {
		return nil, errors.New("this runner has no masked tree")
	}
	// The server outlives the request that first needed it.
	server, err := r.workspace.Start(context.WithoutCancel(ctx), r.box, kind, r.mask)
	if err != nil {
		return nil, err
	}
	if old := s.servers[kind]; old != nil {
		old.Close()
	}
	s.servers[kind] = server
	return server, nil
}

// request is a candidate as the harness takes it.
type request struct {
	Strategy  doctocode.Strategy `json:"strategy"`
	Path      string             `json:"path"`
	Line      int                `json:"line"`
	FirstLine int                `json:"first_line"`
	Name      string             `json:"name"`
	Classes   []string           `json:"classes"`
	Outer     outer              `json:"outer"`
	Segment   string             `json:"segment"`
	Tests     []string           `json:"tests"`
	Wall      float64            `json:"wall"`
	Stop      bool               `json:"stop"`
	Memory    int64              `json:"memory"`
	FileSize  int64              `json:"file_size"`
	Processes int                `json:"processes"`

	original string // the segment with the original body
}

type outer struct {
	Name      string `json:"name"`
	FirstLine int    `json:"first_line"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
}

type reply struct {
	Verdict     benchmark.Verdict `json:"verdict"`
	Detail      string            `json:"detail"`
	Flags       []string          `json:"flags"`
	Seconds     float64           `json:"seconds"`
	CallSeconds float64           `json:"call_seconds"`
	Ran         int               `json:"ran"`
	FailedTests []string          `json:"failed_tests"`
	Test        string            `json:"test"`
	Unsupported string            `json:"unsupported"`
}

func (r *Runner) request(c Candidate) (request, error) {
	file, d, err := r.workspace.target(c.Task)
	if err != nil {
		return request{}, err
	}
	top, err := outermost(file, d)
	if err != nil {
		return request{}, err
	}
	scope := strings.Split(top.Qualname, ".")
	return request{
		Strategy: c.Strategy, Path: file.Path, Line: d.Line, FirstLine: d.FirstLine, Name: d.Name(),
		Classes: scope[:len(scope)-1],
		Outer:   outer{Name: top.Name(), FirstLine: top.FirstLine, Start: d.Outer, End: d.OuterEnd},
		Segment: file.Splice(d, c.Body).Segment, Tests: c.Tests, Wall: c.Wall.Seconds(), Stop: !c.All,
		Memory: r.Limits.Memory, FileSize: r.Limits.FileSize, Processes: r.Limits.Processes,
		original: file.Text[d.Outer:d.OuterEnd],
	}, nil
}

func outermost(file *doctocode.SourceFile, d *doctocode.Definition) (*doctocode.Definition, error) {
	for i := range file.Definitions {
		if o := &file.Definitions[i]; o.Start == d.Outer && o.Kind != "class" && !o.Nested {
			return o, nil
		}
	}
	return nil, fmt.Errorf("the index of %s has no definition at byte %d", file.Path, d.Outer)
}

// attempts is how often a candidate is tried when the server dies under it.
const attempts = 3

// Run executes one candidate. An error means that the machine failed, not the
// candidate: it is for the caller to retry.
func (r *Runner) Run(ctx context.Context, c Candidate) (Outcome, error) {
	if strings.TrimSpace(c.Body) == "" {
		return Outcome{Verdict: benchmark.NoCode, Detail: "the reply holds no code", Strategy: c.Strategy}, nil
	}
	if len(c.Tests) == 0 {
		return Outcome{}, fmt.Errorf("%s has no tests, so nothing can pass", c.Task)
	}
	var s *slot
	select {
	case s = <-r.slots:
		defer func() { r.slots <- s }()
	case <-ctx.Done():
		return Outcome{}, context.Cause(ctx)
	}
	q, err := r.request(c)
	if err != nil {
		return Outcome{}, err
	}
	outcome, err := r.run(ctx, s, q)
	if err != nil || outcome.Verdict != benchmark.Passed || len(outcome.Flags) == 0 || c.NoJudge {
		return outcome, err
	}
	return r.recheck(ctx, s, c, q, outcome)
}

// infraRetries is how often a sample is tried when the machine fails.
const infraRetries = 3

// RunPatiently is Run, tried again after a pause when the machine fails. A
// sandbox that this machine does not have is not tried again.
func (r *Runner) RunPatiently(ctx context.Context, c Candidate) (outcome Outcome, err error) {
	var unavailable *sandbox.UnavailableError
	for try := range infraRetries {
		if outcome, err = r.Run(ctx, c); err == nil || ctx.Err() != nil || errors.As(err, &unavailable) {
			break
		}
		select {
		case <-time.After(time.Duration(try+1) * 200 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return outcome, err
}

func (r *Runner) run(ctx context.Context, s *slot, q request) (Outcome, error) {
	for i := range doctocode.Strategies {
		if doctocode.Strategies[i] != q.Strategy {
			continue
		}
		var answer reply
		if err := r.call(ctx, s, kindOf(q.Strategy), "run", q, &answer, q.patience()); err != nil {
			var died *pyharness.DiedError
			if errors.As(err, &died) && ctx.Err() == nil && r.originalSurvives(ctx, s, q) {
				return Outcome{
					Verdict:  benchmark.Tampered,
					Detail:   fmt.Sprintf("the process that watches the candidate ended %d times of %d: %v", attempts, attempts, err),
					Strategy: q.Strategy,
				}, nil
			}
			return Outcome{}, err
		}
		if answer.Unsupported == "" {
			return Outcome{
				Verdict: answer.Verdict, Detail: answer.Detail, Test: answer.Test, Failed: answer.FailedTests, Ran: answer.Ran,
				Seconds: answer.Seconds, CallSeconds: answer.CallSeconds, Strategy: q.Strategy, Flags: answer.Flags,
			}, nil
		}
		if i+1 == len(doctocode.Strategies) {
			return Outcome{}, fmt.Errorf("no strategy can run it: %s", answer.Unsupported)
		}
		q.Strategy = doctocode.Strategies[i+1]
	}
	return Outcome{}, fmt.Errorf("%q is not a strategy", q.Strategy)
}

// originalSurvives tells a candidate that ends its server from a machine that
// does: there the original body does not come through, either.
func (r *Runner) originalSurvives(ctx context.Context, s *slot, q request) bool {
	q.Segment = q.original
	var answer reply
	return r.call(ctx, s, kindOf(q.Strategy), "run", q, &answer, q.patience()) == nil
}

// call asks a server of the slot, with a new one when it dies, has to leave or
// does not answer.
func (r *Runner) call(ctx context.Context, s *slot, kind pyharness.Kind, op string, q, answer any, patience time.Duration) error {
	var err error
	for range attempts {
		var server *pyharness.Server
		if server, err = r.server(ctx, s, kind); err != nil {
			return err
		}
		timed, cancel := context.WithTimeout(ctx, patience)
		err = server.Call(timed, op, q, answer)
		if timed.Err() != nil && ctx.Err() == nil {
			err = &pyharness.DiedError{Op: op, Exit: sandbox.Exit{Signal: "killed", TimedOut: true, Stderr: "it did not answer"}}
		}
		cancel()
		if err == nil || ctx.Err() != nil || server.Alive() {
			return err
		}
	}
	return err
}

// patience is how long a server may take to answer. It ends a run in time by
// itself, unless it has been slowed down.
func (q request) patience() time.Duration {
	return time.Minute + time.Duration(3*q.Wall*float64(time.Second))
}

// recheck runs a flagged pass again, the tests judged by a process that the
// candidate's code never enters.
func (r *Runner) recheck(ctx context.Context, s *slot, c Candidate, q request, outcome Outcome) (Outcome, error) {
	if r.mask == nil {
		outcome.Recheck, outcome.RecheckNote = Suspicious, "no second run is possible before the tree is masked"
		return outcome, nil
	}
	reference, err := r.judgeReference(ctx, s, c, q)
	if err != nil {
		return outcome, err
	}
	if reference.Outcome != "passed" {
		outcome.Recheck, outcome.RecheckNote = Suspicious, "the reference itself cannot be judged from outside: "+reference.Why
		return outcome, nil
	}
	var j judged
	if err := r.call(ctx, s, pyharness.Hooked, "judge", q, &j, q.patience()); err != nil {
		var died *pyharness.DiedError
		if !errors.As(err, &died) {
			return outcome, err
		}
		// The reference did not end the server.
		j = judged{"failed", "the process that watches the candidate ended: " + err.Error()}
	}
	switch j.Outcome {
	case "passed":
		outcome.Recheck = Confirmed
	case "failed":
		outcome.Recheck, outcome.RecheckNote = Refuted, j.Why
		outcome.Verdict = benchmark.Tampered
		outcome.Detail = "the tests pass only where the candidate's code can reach them; judged from another process: " + j.Why
	default:
		outcome.Recheck, outcome.RecheckNote = Suspicious, j.Why
	}
	return outcome, nil
}

func (r *Runner) judgeReference(ctx context.Context, s *slot, c Candidate, q request) (judged, error) {
	r.mu.Lock()
	known, ok := r.reference[c.Task]
	r.mu.Unlock()
	if ok {
		return known, nil
	}
	q.Segment = q.original
	var j judged
	if err := r.call(ctx, s, pyharness.Hooked, "judge", q, &j, q.patience()); err != nil {
		return judged{}, err
	}
	r.mu.Lock()
	r.reference[c.Task] = j
	r.mu.Unlock()
	return j, nil
}

// A Mutant is a small change to a function's body.
type Mutant struct {
	Operator string `json:"operator"`
	Body     string `json:"body"`
}

// Mutants are up to most changed bodies of a task's function; the same for the
// same seed.
func (r *Runner) Mutants(ctx context.Context, task string, most int, seed uint32) ([]Mutant, error) {
	file, d, err := r.workspace.target(task)
	if err != nil {
		return nil, err
	}
	var s *slot
	select {
	case s = <-r.slots:
		defer func() { r.slots <- s }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	question := map[string]any{"path": file.Path, "line": d.Line, "name": d.Name(), "most": most, "seed": seed, "wall": 60}
	var answer struct {
		Mutants []Mutant `json:"mutants"`
	}
	return answer.Mutants, r.call(ctx, s, pyharness.Private, "mutants", question, &answer, 2*time.Minute)
}
