package build

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"touchstone/internal/doctocode/environment"
)

// wantedRequirements are the requirements to resolve, those that matter most
// first: the recipe's, pytest, the package's own, its tests'. What developers
// use is taken only when the repository says nothing of its tests.
func wantedRequirements(d Discovery, extra, without []string) (wanted []environment.Requirement, notes []Note) {
	note := func(subject, text string) {
		notes = append(notes, Note{Step: "requirements", Subject: subject, Text: text})
	}
	left := map[string]bool{}
	for _, name := range without {
		left[environment.NormalName(name)] = true
	}
	own := environment.NormalName(d.Name)
	var dropped []string
	add := func(r environment.Requirement, keepTools bool) {
		name := r.Name()
		switch {
		case slices.ContainsFunc(wanted, func(w environment.Requirement) bool { return w.Text == r.Text }):
		case name != "" && name == own:
			note(r.Text, "it is the repository itself, which is not installed a second time")
		case left[name]:
			note(r.Text, "left out by the recipe")
		case !keepTools && isTool(name):
			if !slices.Contains(dropped, name) {
				dropped = append(dropped, name)
			}
		default:
			wanted = append(wanted, r)
		}
	}
	for _, text := range extra {
		add(environment.Requirement{Text: text, From: "recipe"}, true)
	}
	for _, r := range d.Requirements {
		if r.Name() == "pytest" {
			add(r.Requirement, true)
		}
	}
	if !requires(wanted, "pytest") && own != "pytest" {
		add(environment.Requirement{Text: "pytest", From: "the tests are run by it"}, true)
	}
	kinds := []RequirementKind{RuntimeRequirement, TestRequirement}
	if !saysTests(d.Requirements) {
		kinds = append(kinds, DevRequirement)
	}
	for _, kind := range kinds {
		for _, r := range d.Requirements {
			if r.Kind == kind && r.Name() != "pytest" {
				add(r.Requirement, kind == RuntimeRequirement)
			}
		}
	}
	for _, name := range d.Pytest.RequiredPlugins {
		add(environment.Requirement{Text: name, From: d.Pytest.File + " required_plugins"}, true)
	}
	for _, option := range d.Pytest.Options {
		if plugin := pluginOfSetting[strings.ToLower(option)]; plugin != "" && !requires(wanted, plugin) {
			add(environment.Requirement{Text: plugin, From: d.Pytest.File + " " + option}, true)
		}
	}
	if len(dropped) > 0 {
		slices.Sort(dropped)
		note("", "tools that tests do without were left out: "+strings.Join(dropped, ", "))
	}
	return wanted, notes
}

// saysTests reports whether the repository names what its tests need, beyond
// what runs and measures them.
func saysTests(requirements []Wanted) bool {
	return slices.ContainsFunc(requirements, func(r Wanted) bool {
		return r.Kind == TestRequirement && !isTool(r.Name())
	})
}

func requires(requirements []environment.Requirement, name string) bool {
	return slices.ContainsFunc(requirements, func(r environment.Requirement) bool {
		return r.Name() == environment.NormalName(name)
	})
}

// A resolver finds the largest part of a list of requirements that can be had
// together, in the order of the list.
type resolver struct {
	resolve func(context.Context, []environment.Requirement) (environment.Lock, error)
	// mend, when not nil, may make a requirement that has no wheel resolvable.
	mend    func(context.Context, environment.Requirement, *environment.UnresolvedError) bool
	dropped []Note
}

// all resolves what can be resolved. A requirement that cannot be had, or that
// conflicts with an earlier one, is dropped with its reason and hides no other.
// An *environment.IndexError ends it: then nothing can be said of any.
func (r *resolver) all(ctx context.Context, requirements []environment.Requirement) ([]environment.Requirement, environment.Lock, error) {
	return r.add(ctx, nil, environment.Lock{}, requirements)
}

// add tries a group at once and halves it when it fails.
func (r *resolver) add(ctx context.Context, kept []environment.Requirement, lock environment.Lock, group []environment.Requirement) ([]environment.Requirement, environment.Lock, error) {
	if len(group) == 0 {
		return kept, lock, nil
	}
	together := slices.Concat(kept, group)
	l, err := r.resolve(ctx, together)
	if err == nil {
		return together, l, nil
	}
	var index *environment.IndexError
	if errors.As(err, &index) || ctx.Err() != nil {
		return kept, lock, err
	}
	var unresolved *environment.UnresolvedError
	isUnresolved := errors.As(err, &unresolved)
	if len(group) == 1 {
		if isUnresolved && r.mend != nil && r.mend(ctx, group[0], unresolved) {
			return r.add(ctx, kept, lock, group)
		}
		r.drop(group[0], err)
		return kept, lock, nil
	}
	if isUnresolved {
		// Often pip names the culprit: the others need not be halved.
		if i := slices.IndexFunc(group, func(q environment.Requirement) bool {
			return sameRequirement(q, unresolved.Requirement) || unresolved.NeededBy != "" && q.Name() == unresolved.NeededBy
		}); i >= 0 {
			rest := slices.Concat(group[:i], group[i+1:])
			if kept, lock, err = r.add(ctx, kept, lock, rest); err != nil {
				return kept, lock, err
			}
			return r.add(ctx, kept, lock, group[i:i+1])
		}
	}
	half := len(group) / 2
	if kept, lock, err = r.add(ctx, kept, lock, group[:half]); err != nil {
		return kept, lock, err
	}
	return r.add(ctx, kept, lock, group[half:])
}

func (r *resolver) drop(q environment.Requirement, err error) {
	r.dropped = append(r.dropped, Note{Step: "requirements", Subject: q.Text, Text: fmt.Sprintf("dropped (%s): %v", q.From, err)})
}

// sameRequirement compares without white space, as pip writes requirements anew.
func sameRequirement(r environment.Requirement, text string) bool {
	bare := func(s string) string {
		s, _, _ = strings.Cut(s, ";")
		return strings.ToLower(strings.Join(strings.Fields(s), ""))
	}
	return text != "" && bare(r.Text) == bare(text)
}

// withoutOwn takes the repository's own distribution out of a lock, where a
// dependency brought it: a second copy would hold the original bodies.
func withoutOwn(l environment.Lock, name string) (environment.Lock, bool) {
	own := environment.NormalName(name)
	packages := slices.DeleteFunc(slices.Clone(l.Packages), func(p environment.Package) bool { return p.Name == own })
	return environment.Lock{Packages: packages}, len(packages) < len(l.Packages)
}
