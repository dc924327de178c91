// Package historytest writes small git histories for tests, with dates and
// people of their own, so that every commit has the same name every time.
package historytest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A History is a work tree that grows commit by commit.
type History struct {
	Dir string
	t   testing.TB
	now time.Time
}

// Person is who commits unless a commit says otherwise.
const Person = "Ada Example <ada@example.org>"

// New begins a history on the branch main at a time. The test is skipped
// where there is no git, or fails where everything is required.
func New(t testing.TB, begin time.Time) *History {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("TOUCHSTONE_REQUIRE") == "all" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	h := &History{Dir: t.TempDir(), t: t, now: begin}
	h.Git("init", "--quiet", "--template=", "--initial-branch=main")
	return h
}

// Git runs git in the work tree and returns what it wrote, without its last
// line break.
func (h *History) Git(args ...string) string {
	h.t.Helper()
	return h.run(Person, args...)
}

func (h *History) run(person string, args ...string) string {
	h.t.Helper()
	name, email, _ := strings.Cut(strings.TrimSuffix(person, ">"), " <")
	date := h.now.UTC().Format(time.RFC3339)
	cmd := exec.Command("git", append([]string{"-C", h.Dir}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "HOME=" + h.Dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_ALLOW_PROTOCOL=file",
		"GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + email, "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=" + name, "GIT_COMMITTER_EMAIL=" + email, "GIT_COMMITTER_DATE=" + date}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		h.t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n")
}

// At sets the clock of the commits that follow.
func (h *History) At(when time.Time) *History {
	h.now = when
	return h
}

// Later moves the clock on.
func (h *History) Later(d time.Duration) *History { return h.At(h.now.Add(d)) }

// Write writes a file.
func (h *History) Write(path, content string) *History {
	h.t.Helper()
	full := filepath.Join(h.Dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		h.t.Fatal(err)
	}
	return h
}

// Link makes a symbolic link.
func (h *History) Link(path, target string) *History {
	h.t.Helper()
	full := filepath.Join(h.Dir, filepath.FromSlash(path))
	os.Remove(full)
	if err := os.Symlink(target, full); err != nil {
		h.t.Fatal(err)
	}
	return h
}

// Remove removes a file.
func (h *History) Remove(path string) *History {
	h.t.Helper()
	if err := os.Remove(filepath.Join(h.Dir, filepath.FromSlash(path))); err != nil {
		h.t.Fatal(err)
	}
	return h
}

// Move renames a file.
func (h *History) Move(from, to string) *History {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(h.Dir, filepath.FromSlash(to))), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(h.Dir, filepath.FromSlash(from)), filepath.Join(h.Dir, filepath.FromSlash(to))); err != nil {
		h.t.Fatal(err)
	}
	return h
}

// Submodule sets a submodule to a commit.
func (h *History) Submodule(path, commit string) *History {
	h.t.Helper()
	h.Git("update-index", "--add", "--cacheinfo", "160000,"+commit+","+path)
	if err := os.MkdirAll(filepath.Join(h.Dir, path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	return h
}

// Commit commits everything an hour after the commit before, and returns its SHA.
func (h *History) Commit(message string) string {
	h.t.Helper()
	return h.CommitBy(Person, message)
}

// CommitBy is Commit by somebody else, written as Name <address>.
func (h *History) CommitBy(person, message string) string {
	h.t.Helper()
	h.Later(time.Hour)
	h.run(person, "add", "--all", "--ignore-errors")
	h.run(person, "commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "-F", h.file(message))
	return h.Git("rev-parse", "HEAD")
}

// Branch begins a branch here and goes on there.
func (h *History) Branch(name string) *History {
	h.t.Helper()
	h.Git("checkout", "--quiet", "-b", name)
	return h
}

// Merge goes back to main and merges a branch with a merge commit.
func (h *History) Merge(branch, message string) string {
	h.t.Helper()
	h.Later(time.Hour)
	h.Git("checkout", "--quiet", "main")
	h.Git("merge", "--quiet", "--no-ff", "-F", h.file(message), branch)
	return h.Git("rev-parse", "HEAD")
}

// file keeps a message, which may be longer than an argument can be.
func (h *History) file(message string) string {
	h.t.Helper()
	name := filepath.Join(h.t.TempDir(), "message")
	if err := os.WriteFile(name, []byte(message), 0o644); err != nil {
		h.t.Fatal(err)
	}
	return name
}
