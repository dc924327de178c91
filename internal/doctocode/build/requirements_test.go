package build

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/doctocode/environment"
)

func TestWantedRequirements(t *testing.T) {
	want := func(kind RequirementKind, text string) Wanted {
		return Wanted{Requirement: environment.Requirement{Text: text, From: "here"}, Kind: kind}
	}
	for _, c := range []struct {
		what           string
		d              Discovery
		extra, without []string
		want           string
		noted          string
	}{
		{what: "pytest is always there", want: "pytest"},
		{what: "the repository's own constraint on pytest holds", d: Discovery{Requirements: []Wanted{want(TestRequirement, "pytest<8")}}, want: "pytest<8"},
		{what: "the recipe comes first", extra: []string{"pytest==7.4", "numpy"}, want: "pytest==7.4|numpy"},
		{what: "the package's own come before its tests'", want: "pytest|six|mock",
			d: Discovery{Requirements: []Wanted{want(TestRequirement, "mock"), want(RuntimeRequirement, "six")}}},
		{what: "developers' are taken when nothing is said of tests", want: "pytest|six|hypothesis",
			d: Discovery{Requirements: []Wanted{want(RuntimeRequirement, "six"), want(DevRequirement, "hypothesis"), want(DevRequirement, "flake8"), want(TestRequirement, "pytest-cov")}}, noted: "flake8, pytest-cov"},
		{what: "and not when something is", want: "pytest|mock",
			d: Discovery{Requirements: []Wanted{want(TestRequirement, "mock"), want(DevRequirement, "hypothesis")}}},
		{what: "a tool that the package itself needs stays", want: "pytest|coverage", d: Discovery{Requirements: []Wanted{want(RuntimeRequirement, "coverage")}}},
		{what: "what only tells a version is not wanted", want: "pytest", d: Discovery{Requirements: []Wanted{want(HintRequirement, "numpy==1.0")}}},
		{what: "the repository itself is not", want: "pytest", d: Discovery{Name: "Acme.Tool", Requirements: []Wanted{want(TestRequirement, "acme_tool[x]")}}, noted: "not installed a second time"},
		{what: "nor what the recipe leaves out", want: "pytest", without: []string{"NumPy"}, d: Discovery{Requirements: []Wanted{want(RuntimeRequirement, "numpy>=1")}}, noted: "left out by the recipe"},
		{what: "settings bring their plugins", want: "pytest|pytest-mock>=3|pytest-asyncio",
			d: Discovery{Pytest: PytestConfig{Options: []string{"asyncio_mode"}, RequiredPlugins: []string{"pytest-mock>=3"}}}},
	} {
		wanted, notes := wantedRequirements(c.d, c.extra, c.without)
		if got := texts(wanted); got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, got, c.want)
		}
		if got := noteText(notes); !strings.Contains(got, c.noted) || c.noted == "" && got != "" {
			t.Errorf("%s: the notes are %q, want %q", c.what, got, c.noted)
		}
	}
}

func texts(requirements []environment.Requirement) string {
	var all []string
	for _, r := range requirements {
		all = append(all, r.Text)
	}
	return strings.Join(all, "|")
}

func noteText(notes []Note) string {
	var all []string
	for _, n := range notes {
		all = append(all, n.String())
	}
	return strings.Join(all, "\n")
}

// fakeIndex resolves by rules: what is bad cannot be had, and each pair of
// conflicts cannot be had together.
type fakeIndex struct {
	bad       []string
	conflicts [][2]string
	asked     int
}

func (f *fakeIndex) resolve(_ context.Context, requirements []environment.Requirement) (environment.Lock, error) {
	f.asked++
	has := func(text string) bool {
		return slices.ContainsFunc(requirements, func(r environment.Requirement) bool { return r.Text == text })
	}
	for _, b := range f.bad {
		if has(b) {
			return environment.Lock{}, &environment.UnresolvedError{Requirement: b, Kind: environment.NoWheel}
		}
	}
	for _, c := range f.conflicts {
		if has(c[0]) && has(c[1]) {
			return environment.Lock{}, &environment.UnresolvedError{Kind: environment.Conflict}
		}
	}
	var l environment.Lock
	for _, r := range requirements {
		l.Packages = append(l.Packages, environment.Package{Name: r.Text, Version: "1"})
	}
	return l, nil
}

func TestResolverKeepsWhatCanBeHad(t *testing.T) {
	for _, c := range []struct {
		what, wanted string
		index        fakeIndex
		kept         string
		most         int // questions
	}{
		{"all at once", "a b c", fakeIndex{}, "a|b|c", 1},
		{"one that cannot be had hides no other", "a b c d", fakeIndex{bad: []string{"b"}}, "a|c|d", 3},
		{"several", "a b c d e f", fakeIndex{bad: []string{"b", "e"}}, "a|c|d|f", 5},
		{"of two that conflict the first stays", "a b c d", fakeIndex{conflicts: [][2]string{{"b", "d"}}}, "a|b|c", 6},
		{"none", "a", fakeIndex{bad: []string{"a"}}, "", 1},
	} {
		var wanted []environment.Requirement
		for _, text := range strings.Fields(c.wanted) {
			wanted = append(wanted, environment.Requirement{Text: text})
		}
		r := resolver{resolve: c.index.resolve}
		kept, lock, err := r.all(t.Context(), wanted)
		if err != nil || texts(kept) != c.kept || len(lock.Packages) != len(kept) {
			t.Errorf("%s: %q is kept (%v), want %q", c.what, texts(kept), err, c.kept)
		}
		if len(kept)+len(r.dropped) != len(wanted) {
			t.Errorf("%s: there are %d notes on what was dropped", c.what, len(r.dropped))
		}
		if c.index.asked > c.most {
			t.Errorf("%s: pip was asked %d times, want at most %d", c.what, c.index.asked, c.most)
		}
	}
}

func TestResolverStopsWithoutIndex(t *testing.T) {
	r := resolver{resolve: func(context.Context, []environment.Requirement) (environment.Lock, error) {
		return environment.Lock{}, &environment.IndexError{Package: "a", Detail: "it cannot be reached"}
	}}
	_, _, err := r.all(t.Context(), []environment.Requirement{{Text: "a"}, {Text: "b"}})
	var index *environment.IndexError
	if !errors.As(err, &index) || len(r.dropped) > 0 {
		t.Errorf("got %v and dropped %v", err, r.dropped)
	}
}

func TestWithoutOwn(t *testing.T) {
	l := environment.Lock{Packages: []environment.Package{{Name: "acme-tool"}, {Name: "six"}}}
	if got, own := withoutOwn(l, "Acme.Tool"); !own || len(got.Packages) != 1 || len(l.Packages) != 2 {
		t.Errorf("got %v, %v; the lock itself is %v", got, own, l)
	}
}
