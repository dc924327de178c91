package history_test

import (
	"context"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"touchstone/internal/localization/history"
	"touchstone/internal/localization/history/historytest"
)

var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Whatever is asked of the snapshot, nothing later than its commit is there.
func TestASnapshotHoldsNothingLater(t *testing.T) {
	h := historytest.New(t, begin)
	h.Write("a.txt", "one\n").Commit("First")
	h.Write("a.txt", "two\n")
	at := h.Commit("Second")
	h.Git("tag", "old")
	h.Write("a.txt", "three\n").Write("planted.txt", "the answer\n")
	later := h.Commit("Planted")
	h.Git("tag", "-a", "-m", "later", "new")
	h.Branch("side").Write("side.txt", "aside\n")
	side := h.Commit("On a branch")
	h.Git("gc", "--quiet") // one pack for all, from which a clone could copy too much

	path, cleanup, err := history.Snapshot(context.Background(), h.Dir, at)
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	ask := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"-C", path}, args...)...).CombinedOutput()
		return string(out), err
	}
	for _, object := range []string{later, later + "^{tree}", h.Git("rev-parse", later+":planted.txt"), h.Git("rev-parse", later+":a.txt"), side, h.Git("rev-parse", "new"), "new", "side", "HEAD@{1}"} {
		if out, err := ask("cat-file", "-p", object); err == nil {
			t.Errorf("%s can be read: %s", object, out)
		}
	}
	refs, _ := ask("for-each-ref", "--format=%(refname) %(objectname)")
	if refs != history.SnapshotBranch+" "+at+"\n" {
		t.Errorf("the refs are %q", refs)
	}
	all, _ := ask("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
	reachable := h.Git("rev-list", "--objects", "--no-object-names", at)
	if strings.Count(all, "\n") != strings.Count(reachable, "\n")+1 {
		t.Errorf("it holds\n%s\nand what is reachable is\n%s", all, reachable)
	}
	if out, err := ask("fsck", "--strict", "--full"); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := ask("log", "--format=%s"); err != nil || out != "Second\nFirst\n" {
		t.Errorf("%v: %s", err, out)
	}
	if out, _ := ask("remote", "-v"); out != "" {
		t.Errorf("it has the remote %s", out)
	}
	if out, err := exec.Command("find", path, "-name", "alternates", "-o", "-type", "f", "-links", "+1").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
	if h.Git("cat-file", "-t", later) != "commit" {
		t.Error("the repository itself has lost its later commit")
	}
}

func TestASnapshotIsOfACommitThatTheRepositoryHolds(t *testing.T) {
	h := historytest.New(t, begin)
	commit := h.Write("a.txt", "one\n").Commit("First")
	for _, c := range []struct{ dir, commit, want string }{
		{h.Dir, "HEAD", "commit: \"HEAD\" is not the full SHA"},
		{h.Dir, strings.Repeat("1", 40), "does not hold the commit 1111"},
		{h.Dir, h.Git("rev-parse", "HEAD:a.txt"), "does not hold the commit"},
		{t.TempDir(), commit, "is not a git repository"},
		{h.Dir + "/nothing", commit, "there is no folder"},
	} {
		if _, _, err := history.Snapshot(context.Background(), c.dir, c.commit); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s at %s: got %v, want %q", c.dir, c.commit, err, c.want)
		}
	}
}

func TestTheFilesOfACommitAreReadWithTheirContents(t *testing.T) {
	h := historytest.New(t, begin)
	h.Write("b/x.go", "package b\n").Write("a.txt", "").Write("ünïcode name.md", "…\n").Write("line\nbreak", "x").Link("link", "a.txt")
	h.Submodule("sub", strings.Repeat("1", 40))
	h.Git("add", "--all")
	h.Submodule("sub", strings.Repeat("1", 40))
	h.Git("commit", "--quiet", "-m", "All kinds")
	commit := h.Git("rev-parse", "HEAD")
	h.Write("a.txt", "later").Commit("Later")

	r, err := history.Open(context.Background(), h.Dir)
	if err != nil {
		t.Fatal(err)
	}
	files, unnamed, err := r.Files(context.Background(), commit)
	if err != nil || unnamed != 1 {
		t.Fatalf("%v, %d unnamed", err, unnamed)
	}
	var got strings.Builder
	lacking, err := r.Contents(context.Background(), files, func(f history.File, size int64, content io.Reader) error {
		got.WriteString(f.Path + "=")
		if f.Path != "b/x.go" { // what is not read is passed over
			if n, err := io.Copy(&got, content); err != nil || n != size {
				t.Errorf("%s has %d bytes of %d: %v", f.Path, n, size, err)
			}
		}
		got.WriteString(";")
		return nil
	})
	if want := "a.txt=;b/x.go=;link=a.txt;ünïcode name.md=…\n;"; err != nil || lacking != 0 || got.String() != want {
		t.Errorf("got %q, %d lacking, %v; want %q", got.String(), lacking, err, want)
	}
}
