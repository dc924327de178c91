package build

import (
	"context"
	"errors"
	"slices"
)

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
