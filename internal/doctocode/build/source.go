// Package build turns a Python repository into a benchmark release: source →
// environment → trace → stub filter → release.
package build

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
)

// A Progress is told what is being done, and how many of how many; total is 0
// when it is not known.
type Progress func(step string, done, total int)

func (p Progress) report(step string, done, total int) {
	if p != nil {
		p(step, done, total)
	}
}

// A Note is something that a reader of the release should know: what was left
// out or changed, and why.
type Note struct {
	Step    string `json:"step"`              // source, discovery, requirements, collection
	Subject string `json:"subject,omitempty"` // the file, requirement or option that it is about
	Text    string `json:"text"`
}

func (n Note) String() string {
	words := slices.DeleteFunc([]string{n.Step, n.Subject, n.Text}, func(w string) bool { return w == "" })
	return strings.Join(words, ": ")
}

// A SourceKind is where a repository's tree comes from.
type SourceKind string

const (
	FolderSource  SourceKind = "folder"  // a folder as it is
	GitSource     SourceKind = "git"     // a commit of a git repository, in a folder or at a URL
	ArchiveSource SourceKind = "archive" // the source archive of a distribution on the package index
)

// A SourceSpec is what the SOURCE of a command line or a recipe asks for.
type SourceSpec struct {
	Kind     SourceKind
	Location string // the folder or URL
	Commit   string // a commit, tag or branch; "" for HEAD
	Name     string // of the distribution
	Version  string
}

// String is the form in which ParseSource reads it, without the commit.
func (s SourceSpec) String() string {
	if s.Kind == ArchiveSource {
		return archivePrefix + s.Name + "==" + s.Version
	}
	return s.Location
}

const archivePrefix = "pypi:"

var (
	distributionForm = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	versionForm      = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.!+_-]*$`)
	urlForm          = regexp.MustCompile(`^(https?|ssh|git|file)://[^\s]+$`)
	scpForm          = regexp.MustCompile(`^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:[^\s]+$`)
	revisionForm     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/+-]*$`)
)

// ParseSource reads a SOURCE and the commit given with it. A folder that is a
// git repository is read at its commit, HEAD unless another is given; any
// other folder is taken as it is. What is neither a folder, a git URL nor
// pypi:NAME==VERSION is an *benchmark.InputError.
func ParseSource(source, commit string) (SourceSpec, error) {
	bad := func(field, problem, mend string) (SourceSpec, error) {
		return SourceSpec{}, &benchmark.InputError{Field: field, Problem: problem, Mend: mend}
	}
	if commit != "" && (!revisionForm.MatchString(commit) || strings.Contains(commit, "..")) {
		return bad("commit", fmt.Sprintf("%q is not a commit", commit), "give its SHA, or the name of a tag or branch")
	}
	if rest, ok := strings.CutPrefix(source, archivePrefix); ok {
		name, version, ok := strings.Cut(rest, "==")
		switch {
		case !ok || !distributionForm.MatchString(name) || !versionForm.MatchString(version):
			return bad("source", fmt.Sprintf("%q does not name a source archive", source), "write it as pypi:NAME==VERSION, for example pypi:schema==0.7.7")
		case commit != "":
			return bad("commit", "a source archive has no commits", "leave the commit out, or give the git repository")
		}
		return SourceSpec{Kind: ArchiveSource, Name: name, Version: version}, nil
	}
	if u, err := url.Parse(source); err == nil && u.User != nil {
		if _, secret := u.User.Password(); secret {
			return bad("source", "the URL holds a password, which a release would show", "leave it out and let git ask its credential helper")
		}
	}
	if urlForm.MatchString(source) || scpForm.MatchString(source) && !isFolder(source) {
		return SourceSpec{Kind: GitSource, Location: source, Commit: commit}, nil
	}
	switch {
	case source == "":
		return bad("source", "is missing", "give a folder, a git URL, or pypi:NAME==VERSION")
	case strings.Contains(source, "://") || strings.Contains(source, "::"):
		return bad("source", fmt.Sprintf("%q is not a URL that git is allowed to read", source), "use https, ssh, git or file")
	case exists(source) && !isFolder(source):
		return bad("source", fmt.Sprintf("%q is a file, not a folder", source), "give the folder that it is unpacked to, a git URL, or pypi:NAME==VERSION")
	case !isFolder(source):
		return bad("source", fmt.Sprintf("there is no folder %q", source), "give a folder, a git URL, or pypi:NAME==VERSION")
	}
	dir, err := filepath.Abs(source)
	if err != nil {
		return SourceSpec{}, err
	}
	if isGitRepository(dir) {
		return SourceSpec{Kind: GitSource, Location: dir, Commit: commit}, nil
	}
	if commit != "" {
		return bad("commit", fmt.Sprintf("%q is not a git repository", source), "leave the commit out, or give a repository")
	}
	return SourceSpec{Kind: FolderSource, Location: dir}, nil
}

// A Source is a repository's tree on disk, normalised: no .git, no bytecode,
// no metadata of an installed copy, modes 0644 and 0755, one constant time.
type Source struct {
	Spec   SourceSpec
	Dir    string
	Commit string // the full SHA, for git
	SHA256 string // of the source archive, for pypi
	// Version is what the source itself tells of its version: a tag on the
	// commit, or the archive's version; "" when it tells nothing.
	Version string
	// Info holds the metadata that a source archive was published with, by
	// file name: PKG-INFO, requires.txt, entry_points.txt.
	Info  map[string]string
	Notes []Note
}

// Fetch brings the source's tree into the folder dir, which must be absent or
// empty. Nothing of the repository is run: no hook, no filter, no build. What
// a person can mend (an unknown commit, a version that does not exist) is an
// *benchmark.InputError, a tree beyond the limits a *doctocode.TreeError.
func Fetch(ctx context.Context, spec SourceSpec, dir string) (Source, error) {
	s := Source{Spec: spec, Dir: dir, Info: map[string]string{}}
	var err error
	switch spec.Kind {
	case FolderSource:
		err = s.fetchFolder(ctx)
	case GitSource:
		err = s.fetchGit(ctx)
	case ArchiveSource:
		err = s.fetchArchive(ctx)
	default:
		err = &benchmark.InputError{Field: "source", Problem: fmt.Sprintf("%q is not a kind of source", spec.Kind)}
	}
	if err != nil {
		return Source{}, fmt.Errorf("fetching %s: %w", spec, err)
	}
	return s, nil
}

func (s *Source) note(subject, text string) {
	s.Notes = append(s.Notes, Note{Step: "source", Subject: subject, Text: text})
}

// noteDropped says which links Close left out.
func (s *Source) noteDropped(links []string) {
	for _, l := range links {
		s.note(l, "a symbolic link that leads out of the tree or nowhere was left out")
	}
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// Public is the source as a release names it: a folder by its last name only,
// since its place on the builder's machine is nobody's business.
func (s SourceSpec) Public() string {
	if s.Kind == ArchiveSource || strings.Contains(s.Location, "://") || scpForm.MatchString(s.Location) {
		return s.String()
	}
	return string(s.Kind) + ":" + filepath.Base(s.Location)
}
