package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/environment"
	"touchstone/internal/sandbox"
)

// maxRounds bounds how often an environment is made again because collecting
// the tests showed that something was missing.
const maxRounds = 5

// A PlanInput is what an environment is planned from.
type PlanInput struct {
	Sandbox  sandbox.Sandbox
	Python   environment.Python
	Source   Source
	Recipe   RepositoryRecipe // corrections; the zero value is none
	CacheDir string           // where environments are kept
	Limits   Limits           // the zero value is the defaults
	Progress Progress         // may be nil
}

// An EnvironmentPlan is how a repository's tests are run: with which
// interpreter and packages, on which path, with which arguments. It notes
// everything that was left out, added or changed on the way.
type EnvironmentPlan struct {
	Python       environment.Python
	Environment  environment.Environment
	Requirements []environment.Requirement // that Lock was resolved from
	Lock         environment.Lock
	Wheels       []string // that were built from source inside the sandbox, as files of the host
	PythonPath   []string
	PytestArgs   []string
	Metadata     doctocode.Metadata
	License      string
	Tests        []string // node ids of the collected tests
	Uncollected  []Uncollected
	Notes        []Note
}

// An Uncollected is a test file that is left out of every run, since it could
// not be collected.
type Uncollected struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// PlanEnvironment finds out how a fetched source's tests are run, and makes
// the environment. It collects the tests inside the sandbox, adds what they
// miss, and repeats that a few times. Version files that the repository's
// build would generate are written into the source's tree. No test collected
// is not an error: Tests is empty then and the notes say why. An error is an
// *benchmark.InputError (the interpreter does not fit), a *SuiteError (pytest is
// built on the repository), an *environment.IndexError, or the sandbox's.
func PlanEnvironment(ctx context.Context, in PlanInput) (EnvironmentPlan, error) {
	in.Progress.report("reading the repository", 0, 0)
	d, err := Discover(ctx, in.Sandbox, in.Python, in.Source)
	if err != nil {
		return EnvironmentPlan{}, err
	}
	if !d.PythonFits {
		return EnvironmentPlan{}, &benchmark.InputError{Field: "python",
			Problem: fmt.Sprintf("the repository needs Python %s, this is %s", d.RequiresPython, in.Python.Version),
			Mend:    "choose another Python for it"}
	}
	scratch, err := os.MkdirTemp("", "touchstone-plan-")
	if err != nil {
		return EnvironmentPlan{}, err
	}
	defer os.RemoveAll(scratch)
	p, err := newPlanner(in, d, scratch)
	if err != nil {
		return EnvironmentPlan{}, err
	}
	if err := p.settle(ctx); err != nil {
		return EnvironmentPlan{}, err
	}
	return p.finish(), nil
}

// A planner holds what changes from round to round.
type planner struct {
	in        PlanInput
	discovery Discovery
	collector collector
	wheels    environment.WheelBuilder
	addopts   []string
	wanted    []environment.Requirement
	asked     map[string]int  // how often a distribution was asked for
	never     map[string]bool // the repository itself and what the recipe leaves out
	built     map[string]bool // requirements whose wheel was built, or could not be
	oddFiles  bool            // tests are in files that pytest does not look into by itself
	anyPytest bool            // the repository's own constraint on pytest was given up
	fatal     []Uncollected   // test files that hung, or ended the process, while they were collected
	found     collection
	plan      EnvironmentPlan
}

func newPlanner(in PlanInput, d Discovery, scratch string) (*planner, error) {
	p := &planner{in: in, discovery: d,
		wheels: environment.WheelBuilder{Sandbox: in.Sandbox, Python: in.Python, Dir: filepath.Join(scratch, "wheels"), CacheDir: in.CacheDir},
		asked:  map[string]int{}, never: map[string]bool{environment.NormalName(d.Name): true}, built: map[string]bool{}}
	p.plan = EnvironmentPlan{Python: in.Python, PythonPath: d.PythonPath, Metadata: d.Metadata(), License: d.License}
	p.note(in.Source.Notes...)
	p.note(d.Notes...)
	if len(in.Recipe.PythonPath) > 0 {
		p.plan.PythonPath = in.Recipe.PythonPath
	}
	if err := p.writeVersionFiles(); err != nil {
		return nil, err
	}
	kept, notes := cleanAddopts(d.Pytest.Addopts)
	p.addopts = kept
	if len(in.Recipe.PytestArgs) == 0 {
		p.note(notes...)
	}
	p.wanted, notes = wantedRequirements(d, in.Recipe.Requirements, in.Recipe.Without)
	p.note(notes...)
	for _, r := range p.wanted {
		p.asked[r.Name()] = 1
	}
	for _, name := range in.Recipe.Without {
		p.never[environment.NormalName(name)] = true
	}
	metadata := filepath.Join(scratch, "meta")
	if err := environment.WriteMetadata(metadata, p.plan.Metadata); err != nil {
		return nil, err
	}
	p.collector = collector{box: in.Sandbox, tree: in.Source.Dir, metadata: metadata, pythonPath: p.plan.PythonPath,
		wall: in.Limits.withDefaults().Collection}
	return p, nil
}

func (p *planner) note(notes ...Note) { p.plan.Notes = append(p.plan.Notes, notes...) }

func (p *planner) noteCollection(subject, text string) {
	n := Note{Step: "collection", Subject: subject, Text: text}
	if !slices.Contains(p.plan.Notes, n) {
		p.note(n)
	}
}

// writeVersionFiles writes what the build would have made from version control.
func (p *planner) writeVersionFiles() error {
	root, err := os.OpenRoot(p.in.Source.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range p.discovery.VersionFiles {
		name := filepath.Clean(f.Path)
		if _, err := root.Stat(filepath.Dir(name)); err != nil {
			continue // the build would make it elsewhere
		}
		if err := root.WriteFile(name, []byte(f.Text), 0o644); err != nil {
			return err
		}
		if err := root.Chtimes(name, doctocode.TreeTime, doctocode.TreeTime); err != nil {
			return err
		}
		if err := root.Chtimes(filepath.Dir(name), doctocode.TreeTime, doctocode.TreeTime); err != nil {
			return err
		}
		p.note(Note{Step: "discovery", Subject: f.Path, Text: "written as the repository's build would: its code imports it"})
	}
	return nil
}

// settle repeats: resolve, make the environment, collect, add what is missing.
func (p *planner) settle(ctx context.Context) error {
	for round := range maxRounds + 1 {
		if err := p.prepare(ctx, round); err != nil {
			return err
		}
		p.in.Progress.report(again("collecting the tests", round), 0, 0)
		changed, err := p.collectOnce(ctx)
		if err != nil || !changed {
			return err
		}
	}
	p.noteCollection("", fmt.Sprintf("something was still missing after the environment was made again %d times", maxRounds))
	return nil
}

// again names a step of a further round.
func again(step string, round int) string {
	if round == 0 {
		return step
	}
	return fmt.Sprintf("%s again (%d)", step, round)
}

// prepare resolves the wanted requirements and makes their environment.
func (p *planner) prepare(ctx context.Context, round int) error {
	p.in.Progress.report(again("resolving the requirements", round), 0, 0)
	r := resolver{resolve: func(ctx context.Context, q []environment.Requirement) (environment.Lock, error) {
		return environment.Resolve(ctx, p.in.Python, q, environment.LockOptions{Wheels: p.wheels.Folder()})
	}}
	if p.in.Recipe.AllowSourceBuilds {
		r.mend = func(ctx context.Context, _ environment.Requirement, why *environment.UnresolvedError) bool {
			return p.buildWheel(ctx, why)
		}
	}
	kept, lock, err := r.all(ctx, p.wanted)
	if err != nil {
		return err
	}
	p.note(r.dropped...)
	p.wanted = kept
	lock, own := withoutOwn(lock, p.discovery.Name)
	if own {
		n := Note{Step: "requirements", Subject: p.discovery.Name, Text: "another requirement depends on the repository itself; its own tree is used, no second copy is installed"}
		if !slices.Contains(p.plan.Notes, n) {
			p.note(n)
		}
	}
	if own || p.discovery.Name == "pytest" {
		if err := p.refusePytestsOwn(ctx); err != nil {
			return err
		}
	}
	p.in.Progress.report(again("making the environment", round), 0, 0)
	e, err := environment.Create(ctx, p.in.Python, lock, p.in.CacheDir, environment.CreateOptions{Wheels: p.wheels.Folder()})
	if err != nil {
		return err
	}
	p.plan.Lock, p.plan.Environment, p.plan.Requirements = lock, e, kept
	return nil
}

// refusePytestsOwn refuses pytest and what it is built on: the copy that runs
// the tests would hold the original bodies.
func (p *planner) refusePytestsOwn(ctx context.Context) error {
	l, err := environment.Resolve(ctx, p.in.Python, []environment.Requirement{{Text: "pytest"}}, environment.LockOptions{})
	if err != nil || l.Version(p.discovery.Name) == "" {
		return err
	}
	return &SuiteError{fmt.Sprintf("pytest, which runs the tests, is itself built on %s: its functions cannot be taken out of the copy that runs them", p.discovery.Name)}
}

// buildWheel builds what has no wheel inside the sandbox, and reports whether
// it is worth resolving again.
func (p *planner) buildWheel(ctx context.Context, why *environment.UnresolvedError) bool {
	if why.Kind != environment.NoWheel || p.built[why.Requirement] {
		return false
	}
	p.built[why.Requirement] = true
	p.in.Progress.report("building a wheel of "+why.Requirement, 0, 0)
	wheel, err := p.wheels.Build(ctx, why.Requirement)
	if err != nil {
		p.note(Note{Step: "requirements", Subject: why.Requirement, Text: "building its wheel inside the sandbox failed: " + err.Error()})
		return false
	}
	p.note(Note{Step: "requirements", Subject: why.Requirement, Text: "its wheel " + wheel + " was built from source inside the sandbox"})
	return true
}

// noteNoTests says why there is no test, where nothing else does.
func (p *planner) noteNoTests() {
	switch {
	case p.found.Status == pytestInternalError || p.found.Status == pytestUsageError:
		p.noteCollection("", "pytest could not work"+closingWords(p.found.output, 4))
	case p.found.Status == pytestNoTests && len(p.found.Errors) == 0 && len(p.fatal) == 0:
		where := "no file that pytest looks into holds one"
		if p.oddFiles {
			where = "no file that pytest looks into holds one, nor does one called test.py, tests.py or the like"
			p.plan.Notes = slices.DeleteFunc(p.plan.Notes, func(n Note) bool { return n.Text == lookedElsewhere })
		}
		p.noteCollection("", where+"; a package without tests cannot be used, since its tests are what judges a body")
	}
}

// finish notes what could not be collected and settles the arguments.
func (p *planner) finish() EnvironmentPlan {
	p.plan.Tests, p.plan.Wheels, p.plan.Uncollected = p.found.Tests, p.wheels.Built, p.fatal
	for _, e := range p.found.Errors {
		text := "it could not be collected"
		if e.Path != "" && len(p.found.Tests) > 0 {
			text += " and is left out"
		}
		p.noteCollection(e.Path, text+": "+e.reason())
		if e.Path != "" {
			p.plan.Uncollected = append(p.plan.Uncollected, Uncollected{Path: e.Path, Why: e.reason()})
		}
	}
	if len(p.found.Fixtures) > 0 {
		p.noteCollection(strings.Join(p.found.Fixtures, ", "), "no plugin is known to bring these fixtures; the tests that use them do not pass")
	}
	if len(p.found.Tests) == 0 {
		p.noteNoTests()
		p.plan.PytestArgs = p.args(nil)
		return p.plan
	}
	p.plan.PytestArgs = p.args(p.found.ignored())
	return p.plan
}
