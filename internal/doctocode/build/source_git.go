package build

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/git"
	"touchstone/internal/spawn"
)

var (
	fullSHA    = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)
	versionTag = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z_-]*?[-_/])?v?(\d+(?:\.\d+)*(?:(?:a|b|rc|\.post|\.dev)\d+)?)$`)
)

// fetchGit writes the tree of one commit. It reads the objects themselves:
// git archive would leave out what the repository marks as not for export,
// often its tests, and a checkout would run filters.
func (s *Source) fetchGit(ctx context.Context) error {
	repository := s.Spec.Location
	if !filepath.IsAbs(repository) {
		scratch, err := os.MkdirTemp("", "touchstone-git-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(scratch)
		if err := cloneCommit(ctx, repository, s.Spec.Commit, scratch); err != nil {
			return err
		}
		repository = scratch
	}
	revision := s.Spec.Commit
	if revision == "" {
		revision = "HEAD"
	}
	commit, err := resolveCommit(ctx, repository, revision)
	if err != nil {
		return err
	}
	s.Commit = commit
	if s.Spec.Commit == "" && exists(filepath.Join(s.Spec.Location, ".git")) {
		// Whether there is any, only git status would tell, which may run filters.
		s.note("", "taken at the commit "+commit+"; what is not committed is not part of it")
	}
	s.Version = taggedVersion(ctx, repository, commit)
	return s.writeCommit(ctx, repository)
}

// isGitRepository reports whether dir itself is a work tree or a bare
// repository; a folder inside a work tree is not.
func isGitRepository(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		return true
	}
	return isFolder(filepath.Join(dir, "objects")) && isFolder(filepath.Join(dir, "refs")) && !isFolder(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "HEAD"))
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// cloneCommit brings a commit of a remote repository into an empty folder:
// alone when the server gives it, else with the whole history.
func cloneCommit(ctx context.Context, url, commit, dir string) error {
	if _, err := gitOutput(ctx, "", "init", "--quiet", "--bare", "--end-of-options", dir); err != nil {
		return err
	}
	wanted := commit
	if wanted == "" {
		wanted = "HEAD"
	}
	if commit == "" || fullSHA.MatchString(commit) {
		_, err := gitOutput(ctx, dir, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--end-of-options", url, wanted)
		if err == nil {
			_, err = gitOutput(ctx, dir, "update-ref", "--no-deref", "HEAD", "FETCH_HEAD")
			return err
		}
		if commit == "" || ctx.Err() != nil {
			return unreadable(url, err)
		}
	}
	_, err := gitOutput(ctx, dir, "fetch", "--quiet", "--no-recurse-submodules", "--end-of-options", url, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
	if err != nil {
		return unreadable(url, err)
	}
	return nil
}

func unreadable(url string, err error) error {
	var failed *git.Error
	if !errors.As(err, &failed) {
		return err
	}
	return &benchmark.InputError{Field: "source", Problem: fmt.Sprintf("git cannot read %s: %s", url, failed.Words()), Mend: "check the address and that it needs no password"}
}

// resolveCommit returns the full SHA of a revision.
func resolveCommit(ctx context.Context, repository, revision string) (string, error) {
	out, err := gitOutput(ctx, repository, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err == nil {
		return strings.TrimSpace(string(out)), nil
	}
	var failed *git.Error
	if !errors.As(err, &failed) {
		return "", err
	}
	if failed.Stderr != "" && !strings.Contains(failed.Stderr, "unknown revision") && !strings.Contains(failed.Stderr, "ambiguous argument") {
		return "", &benchmark.InputError{Field: "source", Problem: fmt.Sprintf("git cannot read %s: %s", repository, failed.Words()), Mend: "check that it is a whole git repository that you own"}
	}
	if revision == "HEAD" {
		return "", &benchmark.InputError{Field: "source", Problem: "the repository has no commit yet", Mend: "commit something, or give a folder without .git"}
	}
	return "", &benchmark.InputError{Field: "commit", Problem: fmt.Sprintf("the repository has no commit %q, or more than one begins so", revision), Mend: "give the full SHA of a commit that it holds"}
}

// taggedVersion is the version that a tag on the commit, or the nearest tag
// before it, tells; "" when there is none.
func taggedVersion(ctx context.Context, repository, commit string) string {
	for _, args := range [][]string{{"tag", "--points-at", commit}, {"describe", "--tags", "--abbrev=0", commit}} {
		out, err := gitOutput(ctx, repository, args...)
		if err != nil {
			continue
		}
		for tag := range strings.FieldsSeq(string(out)) {
			if m := versionTag.FindStringSubmatch(tag); m != nil {
				return m[1]
			}
		}
	}
	return ""
}

// writeCommit writes every file of the commit below the source's folder.
func (s *Source) writeCommit(ctx context.Context, repository string) error {
	listing, err := gitOutput(ctx, repository, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", s.Commit)
	if err != nil {
		return err
	}
	entries, err := s.parseTree(listing)
	if err != nil {
		return err
	}
	w, err := doctocode.NewTreeWriter(s.Dir, doctocode.DefaultTreeLimits, nil)
	if err != nil {
		return err
	}
	if err := s.writeObjects(ctx, repository, entries, w); err != nil {
		w.Abort()
		return err
	}
	dropped, err := w.Close()
	s.noteDropped(dropped)
	return err
}

type treeEntry struct {
	mode, object, name string
}

const (
	modeLink      = "120000"
	modeSubmodule = "160000"
	modeProgram   = "100755"
)

func (s *Source) parseTree(listing []byte) ([]treeEntry, error) {
	var entries []treeEntry
	for record := range bytes.SplitSeq(bytes.TrimSuffix(listing, []byte{0}), []byte{0}) {
		if len(record) == 0 {
			continue
		}
		about, name, ok := strings.Cut(string(record), "\t")
		fields := strings.Fields(about)
		if !ok || len(fields) != 3 {
			return nil, fmt.Errorf("git ls-tree wrote %q", record)
		}
		if fields[0] == modeSubmodule {
			s.note(name, "a submodule was left out")
			continue
		}
		if isDropped(name) {
			continue
		}
		entries = append(entries, treeEntry{fields[0], fields[2], name})
	}
	return entries, nil
}

// writeObjects reads the entries' contents through one git cat-file.
func (s *Source) writeObjects(ctx context.Context, repository string, entries []treeEntry, w *doctocode.TreeWriter) error {
	ctx, cancel := context.WithTimeout(ctx, git.Timeout)
	defer cancel()
	cmd := git.Command(ctx, repository, "cat-file", "--batch")
	var wanted bytes.Buffer
	for _, e := range entries {
		wanted.WriteString(e.object + "\n")
	}
	cmd.Stdin = &wanted
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := spawn.Start(cmd); err != nil {
		return err
	}
	err = s.readObjects(bufio.NewReaderSize(out, 1<<16), entries, w)
	if err != nil {
		cancel() // git would wait for somebody to read on
	}
	werr := cmd.Wait()
	if err == nil && werr != nil {
		err = git.Ended(ctx, werr, stderr.String(), "cat-file")
	}
	return err
}

func (s *Source) readObjects(r *bufio.Reader, entries []treeEntry, w *doctocode.TreeWriter) error {
	for _, e := range entries {
		header, err := r.ReadString('\n')
		if err != nil {
			return fmt.Errorf("git cat-file ended early: %w", err)
		}
		fields := strings.Fields(header)
		if len(fields) == 2 && fields[1] == "missing" && !strings.HasSuffix(e.name, ".py") {
			s.note(e.name, "the clone does not hold this file's content; it was left out")
			continue
		}
		if len(fields) != 3 || fields[1] != "blob" {
			return &benchmark.InputError{Field: "source", Problem: fmt.Sprintf("the repository does not hold the content of %s", e.name), Mend: "give a whole clone, not a partial one"}
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return fmt.Errorf("git cat-file wrote %q", header)
		}
		content := &io.LimitedReader{R: r, N: size}
		if e.mode == modeLink {
			err = s.writeLink(content, e, w)
		} else {
			err = s.writeFile(content, e, w)
		}
		if err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, r, content.N+1); err != nil { // the rest and a newline
			return fmt.Errorf("git cat-file ended early: %w", err)
		}
	}
	return nil
}

func (s *Source) writeLink(content io.Reader, e treeEntry, w *doctocode.TreeWriter) error {
	target, err := io.ReadAll(io.LimitReader(content, 4096))
	if err != nil {
		return err
	}
	return w.Link(e.name, string(target))
}

// lfsPointer begins the file that stands for one kept in large-file storage.
const lfsPointer = "version https://git-lfs."

func (s *Source) writeFile(content io.Reader, e treeEntry, w *doctocode.TreeWriter) error {
	head := make([]byte, len(lfsPointer))
	n, err := io.ReadFull(content, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if string(head[:n]) == lfsPointer {
		s.note(e.name, "it is kept in large-file storage; the tree holds only its pointer")
	}
	return w.File(e.name, e.mode == modeProgram, io.MultiReader(bytes.NewReader(head[:n]), content))
}

// gitOutput runs one git command; repository is "" for none.
func gitOutput(ctx context.Context, repository string, args ...string) ([]byte, error) {
	out, err := git.Output(ctx, repository, args...)
	if errors.Is(err, git.ErrMissing) {
		return nil, &benchmark.InputError{Field: "source", Problem: err.Error(), Mend: "install git, or give a folder or a source archive"}
	}
	return out, err
}
