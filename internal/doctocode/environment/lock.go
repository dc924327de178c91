package environment

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"touchstone/internal/benchmark"
)

// A Requirement is what a repository asks for, as PEP 508 writes it, and where
// it was found.
type Requirement struct {
	Text string `json:"requirement"`
	From string `json:"from"` // for example: pyproject.toml [project] dependencies
}

var requirementForm = regexp.MustCompile(`^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[A-Za-z0-9._,\s-]*\])?\s*\(?\s*(?:[<>=!~][A-Za-z0-9<>=!~.,*+_\s-]*)?\)?\s*(?:;[^\r\n]*)?$`)

// Name is the normalised name of the distribution that is required, "" when
// the text is not a requirement on an index: a URL, a path or an option.
func (r Requirement) Name() string {
	m := requirementForm.FindStringSubmatch(strings.TrimSpace(r.Text))
	if m == nil {
		return ""
	}
	return NormalName(m[1])
}

var separators = regexp.MustCompile(`[-_.]+`)

// NormalName is the form in which names of distributions are compared.
func NormalName(name string) string {
	return strings.ToLower(separators.ReplaceAllString(name, "-"))
}

// A Package is one distribution of a lock.
type Package struct {
	Name    string // normalised
	Version string
	Hashes  []string // SHA-256 of the wheels that may be installed, in hexadecimal, sorted
}

// A Lock names every package of an environment exactly.
type Lock struct {
	Packages []Package // sorted by name
}

// String is the lock as a requirements file with hashes.
func (l Lock) String() string {
	var b strings.Builder
	for _, p := range l.Packages {
		b.WriteString(p.Name + "==" + p.Version)
		for _, h := range p.Hashes {
			b.WriteString(" --hash=sha256:" + h)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Version is the locked version of a package, "" when it is not in the lock.
func (l Lock) Version(name string) string {
	name = NormalName(name)
	for _, p := range l.Packages {
		if p.Name == name {
			return p.Version
		}
	}
	return ""
}

var lockLine = regexp.MustCompile(`^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)==([A-Za-z0-9.!+_-]+)((?: --hash=sha256:[0-9a-f]{64})+)$`)

// ParseLock reads what Lock.String writes; empty lines and comments are
// allowed. Anything else is an *benchmark.InputError with its line: a lock
// holds no options, URLs or paths.
func ParseLock(file, text string) (Lock, error) {
	var l Lock
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := lockLine.FindStringSubmatch(line)
		if m == nil {
			return Lock{}, &benchmark.InputError{File: file, Line: i + 1, Problem: fmt.Sprintf("%q is not a locked requirement", line),
				Mend: "write name==version --hash=sha256:… with a normalised name"}
		}
		if l.Version(m[1]) != "" {
			return Lock{}, &benchmark.InputError{File: file, Line: i + 1, Problem: m[1] + " is locked twice", Mend: "keep one of the lines"}
		}
		p := Package{Name: m[1], Version: m[2]}
		for _, h := range strings.Fields(m[3]) {
			p.Hashes = append(p.Hashes, strings.TrimPrefix(h, "--hash=sha256:"))
		}
		slices.Sort(p.Hashes)
		l.Packages = append(l.Packages, p)
	}
	slices.SortFunc(l.Packages, func(a, b Package) int { return cmp.Compare(a.Name, b.Name) })
	return l, nil
}

// Unresolved says in which way requirements could not be resolved.
type Unresolved string

const (
	NoDistribution Unresolved = "no_distribution" // the index knows no such name
	NoWheel        Unresolved = "no_wheel"        // there are only source archives
	NoVersion      Unresolved = "no_version"      // no version with a wheel for this Python fits
	Conflict       Unresolved = "conflict"        // each may resolve alone, not together
	NotOnIndex     Unresolved = "not_on_index"    // a URL, a path or an option
)

// An UnresolvedError says which requirement could not be resolved, and why.
type UnresolvedError struct {
	Requirement string // as asked for, or the name of a package that it depends on; "" for a conflict
	NeededBy    string // the normalised name of the package that asks for it, "" when it was asked for directly
	Kind        Unresolved
	Detail      string
}

func (e *UnresolvedError) Error() string {
	switch e.Kind {
	case NoDistribution:
		return e.Requirement + ": the package index knows no such distribution"
	case NoWheel:
		return e.Requirement + ": there is no wheel for this Python, and building it from source would run its code; allow_source_builds in a recipe builds it inside the sandbox"
	case NoVersion:
		return e.Requirement + ": no version with a wheel for this Python fits" + e.Detail
	case NotOnIndex:
		return e.Requirement + ": only requirements on the package index are installed, no URL, path or option"
	}
	return "the requirements conflict" + e.Detail
}

// LockOptions say how requirements are resolved. The zero value is right for
// most repositories.
type LockOptions struct {
	Wheels  string        // a folder of wheels that were built here, "" when there is none
	Timeout time.Duration // 0: five minutes
}

// resolveTimeout bounds one resolution: pip's backtracking may not end.
const resolveTimeout = 5 * time.Minute

// Resolve resolves the requirements with pip, from wheels only, and returns every
// package that they need with the SHA-256 of its wheel. The lock fits the
// interpreter's version and platform. It is an *UnresolvedError when a
// requirement cannot be had, an *IndexError when the index does not answer.
func Resolve(ctx context.Context, p Python, requirements []Requirement, o LockOptions) (Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.Timeout, resolveTimeout))
	defer cancel()
	scratch, err := os.MkdirTemp("", "touchstone-lock-")
	if err != nil {
		return Lock{}, err
	}
	defer os.RemoveAll(scratch)
	report := filepath.Join(scratch, "report.json")
	args := []string{"install", "--dry-run", "--ignore-installed", "--report", report, "--only-binary", ":all:",
		"--target", filepath.Join(scratch, "target"), "--quiet", "--retries", "2"}
	if o.Wheels != "" {
		args = append(args, "--find-links", o.Wheels)
	}
	args = append(args, "--")
	for _, r := range requirements {
		if r.Name() == "" {
			return Lock{}, &UnresolvedError{Requirement: r.Text, Kind: NotOnIndex}
		}
		args = append(args, strings.TrimSpace(r.Text))
	}
	if len(requirements) == 0 {
		return Lock{}, nil
	}
	_, stderr, err := p.script(ctx, pipMain, scratch, args...)
	if err != nil {
		if ctx.Err() != nil {
			return Lock{}, fmt.Errorf("resolving the requirements: %w", err)
		}
		return Lock{}, p.whyUnresolved(ctx, stderr)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return Lock{}, err
	}
	return parseReport(text)
}

func parseReport(text []byte) (Lock, error) {
	var report struct {
		Install []struct {
			Metadata struct{ Name, Version string }
			Download struct {
				URL     string
				Archive struct {
					Hash   string
					Hashes map[string]string
				} `json:"archive_info"`
			} `json:"download_info"`
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return Lock{}, fmt.Errorf("pip's report cannot be read: %w", err)
	}
	var l Lock
	for _, i := range report.Install {
		hash := i.Download.Archive.Hashes["sha256"]
		if hash == "" {
			hash, _ = strings.CutPrefix(i.Download.Archive.Hash, "sha256=")
		}
		if len(hash) != 64 {
			return Lock{}, &IndexError{Package: i.Metadata.Name, Detail: "the index tells no SHA-256 of its wheel"}
		}
		l.Packages = append(l.Packages, Package{NormalName(i.Metadata.Name), i.Metadata.Version, []string{hash}})
	}
	slices.SortFunc(l.Packages, func(a, b Package) int { return cmp.Compare(a.Name, b.Name) })
	return l, nil
}

var (
	noMatch  = regexp.MustCompile(`No matching distribution found for ([^\n]+)`)
	fromPart = regexp.MustCompile(`\s*\(from ([A-Za-z0-9._-]*)[^)]*\)\s*$`)
	refused  = regexp.MustCompile(`there is no wheel of (\S+), and building it`) // by pip_guard.py
	pinned   = regexp.MustCompile(`===?\s*([A-Za-z0-9.!+_-]+)`)
)

// whyUnresolved turns pip's words into a typed error, asking the index again
// for what pip does not say: whether there is anything but wheels.
func (p Python) whyUnresolved(ctx context.Context, stderr string) error {
	if m := refused.FindStringSubmatch(stderr); m != nil {
		return &UnresolvedError{Requirement: m[1], Kind: NoWheel}
	}
	m := noMatch.FindStringSubmatch(stderr)
	if m == nil {
		if strings.Contains(stderr, "ResolutionImpossible") || strings.Contains(stderr, "conflicting dependencies") {
			return &UnresolvedError{Kind: Conflict, Detail: conflictDetail(stderr)}
		}
		if unreachable(stderr) {
			return &IndexError{Package: "the requirements", Detail: "it cannot be reached" + detail(stderr)}
		}
		return errors.New("pip could not resolve the requirements" + detail(stderr))
	}
	why := &UnresolvedError{Requirement: strings.TrimSpace(fromPart.ReplaceAllString(m[1], ""))}
	if from := fromPart.FindStringSubmatch(m[1]); from != nil {
		why.NeededBy = NormalName(from[1])
	}
	name := Requirement{Text: why.Requirement}.Name()
	if name == "" {
		why.Kind = NotOnIndex
		return why
	}
	wheels, sources, err := p.releases(ctx, name)
	if err != nil {
		return err
	}
	pin := pinned.FindStringSubmatch(why.Requirement)
	switch {
	case len(wheels)+len(sources) == 0:
		why.Kind = NoDistribution
	case len(wheels) == 0, pin != nil && slices.Contains(sources, pin[1]) && !slices.Contains(wheels, pin[1]):
		why.Kind = NoWheel
	default:
		why.Kind, why.Detail = NoVersion, "; the latest with one is "+wheels[len(wheels)-1]
	}
	return why
}

// conflictDetail is the lines in which pip says who wants what.
func conflictDetail(stderr string) string {
	var lines []string
	for line := range strings.SplitSeq(stderr, "\n") {
		line = strings.TrimSpace(strings.TrimPrefix(line, "ERROR:"))
		if strings.Contains(line, " depends on ") || strings.Contains(line, "requested ") || strings.HasPrefix(line, "Cannot install ") {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return ": " + strings.Join(lines[:min(len(lines), 6)], "; ")
}
