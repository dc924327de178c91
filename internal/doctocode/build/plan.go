package build

import (
	"context"
	"errors"
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

// collectOnce collects the tests and reports whether it changed what is
// wanted, so that another round is worth it.
func (p *planner) collectOnce(ctx context.Context) (changed bool, err error) {
	for {
		found, err := p.collector.collect(ctx, p.plan.Environment, p.args(nil), false)
		var inside *InsideError
		if errors.As(err, &inside) {
			if p.leaveOut(inside) {
				continue
			}
			p.noteCollection("", inside.Error())
			return false, nil
		}
		if err != nil {
			return false, err
		}
		p.found = found
		if !p.dropUnknownOptions() {
			break
		}
	}
	if p.addMissing() {
		return true, nil
	}
	if p.relaxPytest() || p.olderPytest() {
		return true, nil
	}
	if p.lookElsewhere() {
		return true, nil
	}
	if len(p.found.Tests) == 0 {
		return false, nil
	}
	// Fixtures are only looked for when a test is set up.
	planned, err := p.collector.collect(ctx, p.plan.Environment, p.args(p.found.ignored()), true)
	var inside *InsideError
	if errors.As(err, &inside) {
		p.noteCollection("", "looking for fixtures: "+inside.Error())
		return false, nil
	}
	if err != nil {
		return false, err
	}
	p.found.Fixtures = planned.Fixtures
	return p.addMissing(), nil
}

// mostFatal is how many files that end the collection are left out before the
// repository is given up.
const mostFatal = 4

// leaveOut leaves the file out at which the collection ended early, and
// reports whether another try without it is worth it.
func (p *planner) leaveOut(e *InsideError) bool {
	known := slices.ContainsFunc(p.fatal, func(u Uncollected) bool { return u.Path == e.At })
	if e.At == "" || known || len(p.fatal) == mostFatal {
		return false
	}
	p.fatal = append(p.fatal, Uncollected{Path: e.At, Why: e.Error()})
	p.noteCollection(e.At, "it is left out: "+e.Error())
	return true
}

// args are the arguments of a pytest run that leaves the given files out, and
// those that end it.
func (p *planner) args(ignored []string) []string {
	args := append([]string{}, p.in.Recipe.PytestArgs...)
	if len(args) == 0 {
		if len(p.discovery.Pytest.Addopts) > 0 {
			args = pytestArgs(p.addopts)
		}
		if p.oddFiles {
			args = append(args, "-o", "python_files="+oddFiles)
		}
	}
	for _, u := range p.fatal {
		args = append(args, "--ignore="+u.Path)
	}
	for _, file := range ignored {
		args = append(args, "--ignore="+file)
	}
	return args
}

// dropUnknownOptions adds the plugin of an option that pytest does not know,
// or drops the option; it reports whether pytest is worth another try now.
func (p *planner) dropUnknownOptions() bool {
	dropped := false
	for _, option := range p.found.options() {
		if plugin := longestPrefix(pluginOfOption, option); plugin != "" && p.want(plugin, "the pytest option "+option) {
			continue
		}
		rest := dropOption(p.addopts, option)
		if len(rest) == len(p.addopts) {
			continue
		}
		p.addopts, dropped = rest, true
		p.noteCollection(option, "this pytest option was dropped: no plugin of the environment knows it")
	}
	return dropped
}

// addMissing asks for the distributions that the collection missed.
func (p *planner) addMissing() bool {
	added := len(p.found.options()) > 0 && p.pending()
	for _, module := range p.found.modules() {
		if p.ownModule(module) {
			p.noteCollection(module, "this module of the repository itself is not in its tree: "+p.whyNotThere())
			continue
		}
		d := distributionOf(module)
		if d == "" {
			p.noteCollection(module, "no distribution is known to bring this module")
			continue
		}
		added = p.want(d, "collection: No module named "+module) || added
	}
	for _, plugin := range p.found.plugins() {
		added = p.want(plugin, "collection: pytest misses its plugin") || added
	}
	for _, library := range p.found.libraries() {
		p.noteCollection(library, "this shared library is missing: install the system package that has it, then build again")
	}
	return added
}

// pending reports whether something wanted is not in the environment yet.
func (p *planner) pending() bool {
	return slices.ContainsFunc(p.wanted, func(r environment.Requirement) bool {
		return !slices.ContainsFunc(p.plan.Requirements, func(q environment.Requirement) bool { return q.Text == r.Text })
	})
}

// want asks for a distribution, first in the version that the repository asks
// for somewhere, then in any. It reports whether it is asked for anew.
func (p *planner) want(text, from string) bool {
	name := environment.Requirement{Text: text}.Name()
	if name == "" || p.never[name] || p.asked[name] > 1 || requires(p.wanted, name) || p.plan.Lock.Version(name) != "" {
		return false
	}
	r := environment.Requirement{Text: text, From: from}
	i := slices.IndexFunc(p.discovery.Requirements, func(w Wanted) bool { return w.Name() == name && !strings.Contains(w.Text, ";") })
	if i >= 0 && p.asked[name] == 0 {
		r.Text = p.discovery.Requirements[i].Text
		r.From += ", as in " + p.discovery.Requirements[i].From
	}
	p.asked[name]++
	p.wanted = append(p.wanted, r)
	return true
}

// ownModule reports whether a module belongs to the repository.
func (p *planner) ownModule(module string) bool {
	top, _, _ := strings.Cut(module, ".")
	for _, folder := range p.plan.PythonPath {
		dir := filepath.Join(p.in.Source.Dir, folder, top)
		if exists(filepath.Join(dir, "__init__.py")) || exists(dir+".py") {
			return true
		}
	}
	return false
}

func (p *planner) whyNotThere() string {
	if p.discovery.Compiled != "" {
		return "the repository has parts that have to be compiled (" + p.discovery.Compiled + "), which is not done"
	}
	return "its build may generate it"
}

// relaxPytest gives a pinned pytest up when it is too old for the interpreter.
func (p *planner) relaxPytest() bool {
	broken := p.found.Status == pytestInternalError || p.found.Status < 0 || len(p.found.Tests) == 0 && strings.Contains(p.found.text(), "_pytest/assertion/rewrite.py")
	i := slices.IndexFunc(p.wanted, func(r environment.Requirement) bool {
		return r.Name() == "pytest" && strings.ContainsAny(r.Text, "<=~")
	})
	if !broken || i < 0 || p.anyPytest {
		return false
	}
	p.anyPytest = true
	p.note(Note{Step: "requirements", Subject: p.wanted[i].Text, Text: "this pytest does not work with Python " + p.in.Python.Version + "; another is used"})
	p.wanted = slices.DeleteFunc(p.wanted, func(r environment.Requirement) bool { return r.Name() == "pytest" })
	p.wanted = slices.Insert(p.wanted, 0, environment.Requirement{Text: "pytest", From: "the repository's own does not work with this Python"})
	return true
}

// olderPytests are tried in this order when the repository says nothing of
// pytest's version and its plugins or conftest.py break the newest.
var olderPytests = []string{"pytest<9", "pytest<8", "pytest<7"}

// olderPytest goes back one major version of pytest when collection broke
// without saying what is missing.
func (p *planner) olderPytest() bool {
	broken := p.found.Status == pytestInternalError || p.found.Status == pytestUsageError || p.found.Status < 0
	i := slices.IndexFunc(p.wanted, func(r environment.Requirement) bool { return r.Name() == "pytest" })
	if !broken || len(p.found.Tests) > 0 || len(p.found.modules()) > 0 || i < 0 {
		return false
	}
	text, next := p.wanted[i].Text, olderPytests[0]
	if at := slices.Index(olderPytests, text); at >= 0 && at+1 < len(olderPytests) {
		next = olderPytests[at+1]
	} else if text != "pytest" {
		return false
	}
	p.noteCollection(text, "it cannot collect the tests, an older one is tried"+p.whyBroken())
	p.wanted[i] = environment.Requirement{Text: next, From: "newer ones cannot collect the tests"}
	return true
}

// whyBroken is what pytest said when it could not start.
func (p *planner) whyBroken() string {
	if len(p.found.Errors) > 0 {
		return ": " + p.found.Errors[0].reason()
	}
	return closingWords(p.found.output, 2)
}

// oddFiles are pytest's own patterns and the names of files that are usually
// run by unittest.
const oddFiles = "test_*.py *_test.py test.py tests.py *_tests.py tests_*.py"

// lookElsewhere widens the names of test files when pytest found no test and
// the repository does not say which they are.
func (p *planner) lookElsewhere() bool {
	c := p.found
	if len(c.Tests) > 0 || len(c.Errors) > 0 || c.Status != pytestNoTests || p.oddFiles || slices.Contains(p.discovery.Pytest.Options, "python_files") || len(p.in.Recipe.PytestArgs) > 0 {
		return false
	}
	p.oddFiles = true
	p.noteCollection("", lookedElsewhere)
	return true
}

const lookedElsewhere = "pytest found no test; files called test.py, tests.py and the like are looked into, too"

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
