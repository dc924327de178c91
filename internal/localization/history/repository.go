// Package history reads the history of a git repository for the localization
// track: the snapshot at T0, the commits that follow it on the main line, the
// files of a commit, what a pull request changed, and a clone that ends at T0.
// It never writes to the repository.
package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/git"
)

// A Repository is a folder whose history can be read whole: a work tree, a
// bare repository or a mirror.
type Repository struct {
	dir string // as it was given, for messages
	// own is the folder of the objects and refs. git is run there, and not in
	// the work tree, whose .gitattributes would change patches.
	own string
}

var fullSHA = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// Open checks that dir is a git repository with its whole history. A folder
// inside a work tree is not one: its history would be that of another project.
// What is wrong is a *benchmark.InputError of the field repo.
func Open(ctx context.Context, dir string) (Repository, error) {
	bad := func(problem, mend string) (Repository, error) {
		return Repository{}, &benchmark.InputError{Field: "repo", Problem: problem, Mend: mend}
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return bad(fmt.Sprintf("there is no folder %q", dir), "give the folder of a clone")
	}
	if !isRepository(dir) {
		return bad(dir+" is not a git repository", "give the root of a clone, bare or with files")
	}
	out, err := git.Output(ctx, dir, "rev-parse", "--absolute-git-dir", "--is-shallow-repository")
	if err != nil {
		return Repository{}, unreadable(dir, err)
	}
	own, shallow, _ := strings.Cut(strings.TrimSuffix(string(out), "\n"), "\n")
	if shallow == "true" {
		return bad(dir+" is a shallow clone: its history is cut off", "fetch the rest with `git fetch --unshallow`, or clone again without --depth")
	}
	return Repository{dir: dir, own: own}, nil
}

func isRepository(dir string) bool {
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	return exists(".git") || exists("objects") && exists("HEAD") && (exists("refs") || exists("packed-refs"))
}

// unreadable tells a person that git refuses a repository.
func unreadable(dir string, err error) error {
	var failed *git.Error
	switch {
	case errors.Is(err, git.ErrMissing):
		return &benchmark.InputError{Field: "repo", Problem: err.Error(), Mend: "install git"}
	case errors.As(err, &failed) && isPartial(failed.Stderr):
		return &benchmark.InputError{Field: "repo", Problem: fmt.Sprintf("%s lacks objects of its history: %s", dir, failed.Words()), Mend: "clone it again without --filter"}
	case errors.As(err, &failed):
		return &benchmark.InputError{Field: "repo", Problem: fmt.Sprintf("git cannot read %s: %s", dir, failed.Words()), Mend: "check that it is a whole git repository that you own"}
	}
	return err
}

func isPartial(stderr string) bool {
	for _, words := range []string{"promisor", "unable to read", "missing blob", "missing tree", "could not fetch", "lazy fetching disabled"} {
		if strings.Contains(stderr, words) {
			return true
		}
	}
	return false
}

// Resolve returns the full SHA of the commit that a revision names.
func (r Repository) Resolve(ctx context.Context, revision string) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err == nil {
		return strings.TrimSpace(string(out)), nil
	}
	var failed *git.Error
	if !errors.As(err, &failed) {
		return "", unreadable(r.dir, err)
	}
	if revision == "HEAD" {
		return "", &benchmark.InputError{Field: "repo", Problem: r.dir + " has no commit on its main branch", Mend: "name a branch that has some"}
	}
	return "", &benchmark.InputError{Field: "branch", Problem: fmt.Sprintf("%s has no commit %q, or more than one begins so", r.dir, revision), Mend: "give a branch, or the full SHA of a commit that it holds"}
}

func (r Repository) git(ctx context.Context, args ...string) ([]byte, error) {
	return git.Output(ctx, r.own, r.here(args)...)
}

// here are the arguments of a git in the repository's own folder.
func (r Repository) here(args []string) []string { return append([]string{"--git-dir=."}, args...) }
