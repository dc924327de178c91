package build

import (
	"path/filepath"
	"slices"
	"strings"

	"touchstone/internal/doctocode/environment"
)

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
