package history_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchstone/internal/localization/history"
	"touchstone/internal/localization/history/historytest"
)

func open(t *testing.T, dir string) history.Repository {
	t.Helper()
	r, err := history.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told writes commits down as a table of cases can hold them.
func told(t *testing.T, r history.Repository, after, upTo string) string {
	t.Helper()
	var b strings.Builder
	err := r.Log(context.Background(), after, upTo, func(c history.Commit) error {
		title, _, _ := strings.Cut(c.Message, "\n")
		fmt.Fprintf(&b, "%s |", title)
		for _, f := range c.Changes {
			fmt.Fprintf(&b, " %q>%q", f.Old, f.New)
			if f.OldKind > history.Regular || f.NewKind > history.Regular {
				fmt.Fprintf(&b, "(%d>%d)", f.OldKind, f.NewKind)
			}
		}
		b.WriteString("\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTheLogTellsWhatEachCommitOfTheMainLineChanged(t *testing.T) {
	h := historytest.New(t, begin)
	lines := strings.Repeat("a line that is long enough to be found again\n", 20)
	h.Write("a.txt", lines).Write("b.txt", "b\n").Write("c d.txt", "c\n")
	first := h.Commit("First")
	h.Git("config", "diff.renames", "false") // the repository's own wishes do not count
	h.Git("config", "diff.noprefix", "true")
	h.Git("config", "log.showSignature", "true")
	h.Move("a.txt", "moved.txt").Remove("b.txt").Write("c d.txt", "c2\n").Write("new", "n\n")
	h.Commit("All kinds\n\nwith a body\n:100644 that looks like a change")
	h.Commit("Nothing")
	h.Branch("side").Write("side1", "1\n").Commit("Unseen")
	h.Write("side2", "2\n").Commit("Unseen, too")
	h.Merge("side", "Merge of side")
	h.Remove("c d.txt").Link("c d.txt", "new")
	h.Commit("A link")
	h.Submodule("sub", strings.Repeat("1", 40))
	last := h.Commit("A submodule")

	want := `All kinds | "b.txt">"" "c d.txt">"c d.txt" "a.txt">"moved.txt" "">"new"
Nothing |
Merge of side | "">"side1" "">"side2"
A link | "c d.txt">"c d.txt"(1>2)
A submodule | "">"sub"(0>3)
`
	r := open(t, h.Dir)
	if got := told(t, r, first, last); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := told(t, r, "", last); got != `First | "">"a.txt" "">"b.txt" "">"c d.txt"`+"\n"+want {
		t.Errorf("from the first commit on it is\n%s", got)
	}
	if got := told(t, r, last, last); got != "" {
		t.Errorf("behind the last commit there is %s", got)
	}
	bare := t.TempDir()
	h.Git("clone", "--quiet", "--bare", h.Dir, bare)
	if got := told(t, open(t, bare), first, last); got != want {
		t.Errorf("a bare clone tells\n%s", got)
	}
}

func TestALogCommitKnowsItsPeopleAndParents(t *testing.T) {
	h := historytest.New(t, begin)
	first := h.Commit("First")
	h.Branch("side").CommitBy("Bö [bot] <b@example.org>", "Side")
	merged := h.Merge("side", "Merge\n\n"+strings.Repeat("long ", 300_000))
	var got history.Commit
	if err := open(t, h.Dir).Log(context.Background(), first, merged, func(c history.Commit) error { got = c; return nil }); err != nil {
		t.Fatal(err)
	}
	if len(got.Message) != 1<<20 || !strings.HasPrefix(got.Message, "Merge\n\nlong") {
		t.Errorf("the message has %d bytes", len(got.Message))
	}
	got.Message = ""
	want := history.Commit{SHA: merged, Parent: first, Merge: true, Time: begin.Add(3 * time.Hour), Author: "Ada Example", Email: "ada@example.org"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestPatchesComeInTheOrderInWhichTheyAreAskedFor(t *testing.T) {
	h := historytest.New(t, begin)
	first := h.Write("a", "1\n").Commit("First")
	second := h.Write("a", "2\n").Commit("Second")
	h.Branch("side").Write("b", "x\n").Commit("Side")
	third := h.Merge("side", "Third")
	var got strings.Builder
	err := open(t, h.Dir).Patches(context.Background(), []string{third, first, second}, func(out io.Reader) error {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if line := lines.Text(); strings.HasPrefix(line, "commit ") || strings.HasPrefix(line, "+") {
				got.WriteString(line + "\n")
			}
		}
		return nil
	})
	want := "commit " + third + "\n+++ b/b\n+x\ncommit " + first + "\n+++ b/a\n+1\ncommit " + second + "\n+++ b/a\n+2\n"
	if err != nil || got.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got.String(), want)
	}
}

// TestAHunkIsHeadedWithTheFunctionAroundIt, not with its class.
func TestAHunkIsHeadedWithTheFunctionAroundIt(t *testing.T) {
	h := historytest.New(t, begin)
	h.Write("a.py", "class Ledger:\n    def close(self):\n        a = 1\n        b = 2\n        c = 3\n        return a\n").Commit("First")
	second := h.Write("a.py", "class Ledger:\n    def close(self):\n        a = 1\n        b = 2\n        c = 3\n        return b\n").Commit("Second")
	err := open(t, h.Dir).Patches(context.Background(), []string{second}, func(out io.Reader) error {
		text, err := io.ReadAll(out)
		if !strings.Contains(string(text), "@@ def close(self):\n") {
			t.Errorf("no heading in\n%s", text)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A work tree has attributes that a bare clone does not read; both tell the same.
func TestPatchesDoNotDependOnTheWorkTree(t *testing.T) {
	h := historytest.New(t, begin)
	h.Write(".gitattributes", "*.go -diff\n*.txt diff=python\n").Write("a.go", "package a\n").Write("b.txt", "def f():\n"+strings.Repeat("  x\n", 9)).Commit("First")
	last := h.Write("a.go", "package b\n").Write("b.txt", "def f():\n"+strings.Repeat("  x\n", 8)+"  y\n").Commit("Second")
	bare, linked := t.TempDir(), filepath.Join(t.TempDir(), "linked")
	h.Git("clone", "--quiet", "--bare", h.Dir, bare)
	h.Git("worktree", "add", "--quiet", linked)
	patch := func(dir string) string {
		t.Helper()
		var text []byte
		err := open(t, dir).Patches(context.Background(), []string{last}, func(out io.Reader) (err error) {
			text, err = io.ReadAll(out)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := patch(bare)
	if !strings.Contains(want, "+package b") {
		t.Errorf("the bare clone's patch is\n%s", want)
	}
	for _, dir := range []string{h.Dir, linked} {
		if got := patch(dir); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestTheWindowFollowsTheMainLine(t *testing.T) {
	day := func(n int) time.Time { return begin.AddDate(0, 0, n-1) }
	h := historytest.New(t, begin)
	at := map[string]string{}
	commit := func(name string, when time.Time) {
		t.Helper()
		h.At(when.Add(-time.Hour)) // Commit moves the clock on by an hour
		at[name] = h.Commit(name)
	}
	commit("1", day(1))
	commit("ahead", day(9)) // a clock that was wrong
	commit("2", day(2))
	commit("3", day(3))
	h.Branch("side")
	commit("side", day(3))
	h.At(day(4).Add(-time.Hour))
	at["4"] = h.Merge("side", "4")
	commit("late", day(20)) // another one
	commit("5", day(5))
	commit("6", day(6))
	r := open(t, h.Dir)
	for _, c := range []struct {
		name, branch   string
		t0, t1         time.Time
		snapshot, head string
		commits        int
		early, late    int
	}{
		{"a window", "HEAD", day(2), day(5), "2", "5", 4, 1, 1},
		{"T0 is in the snapshot, T1 in the window", "HEAD", day(3), day(4), "3", "4", 1, 1, 0},
		{"a moment before", "HEAD", day(3).Add(-time.Second), day(4).Add(-time.Second), "2", "3", 1, 1, 0},
		{"T1 after the last commit", "HEAD", day(5), day(300), "5", "6", 1, 2, 0},
		{"a branch", "side", day(2), day(300), "2", "side", 2, 1, 0},
		{"a commit as a branch", at["3"], day(2), day(300), "2", "3", 1, 1, 0},
	} {
		w, err := r.Window(context.Background(), c.branch, c.t0, c.t1)
		if err != nil || w.Snapshot != at[c.snapshot] || w.Head != at[c.head] || w.Commits != c.commits || w.Early != c.early || w.Late != c.late {
			t.Errorf("%s: %+v, %v; want %+v (%s, %s)", c.name, w, err, c, at[c.snapshot], at[c.head])
		}
		if n := strings.Count(told(t, r, w.Snapshot, w.Head), "\n"); n != c.commits {
			t.Errorf("%s: the log has %d commits, the window %d", c.name, n, c.commits)
		}
	}
	for _, c := range []struct {
		name, branch string
		t0, t1       time.Time
		want         string
	}{
		{"T0 after T1", "HEAD", day(5), day(4), "t1: 2026-01-04 is not after t0, 2026-01-05"},
		{"T0 is T1", "HEAD", day(5), day(5), "t1: 2026-01-05 is not after t0"},
		{"T0 before the first commit", "HEAD", day(0), day(4), "t0: 2025-12-31 is before the first commit, which is of 2026-01-01"},
		{"an empty window", "HEAD", day(2), day(2).Add(time.Minute), "t1: there is no commit after 2026-01-02 and up to 2026-01-02T00:01:00Z"},
		{"a window after the end", "HEAD", day(100), day(101), "the last one of the branch is of 2026-01-06"},
		{"no such branch", "nowhere", day(2), day(3), `branch: ` + h.Dir + ` has no commit "nowhere"`},
	} {
		if _, err := r.Window(context.Background(), c.branch, c.t0, c.t1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestWhatIsNoWholeRepositoryIsRefused(t *testing.T) {
	h := historytest.New(t, begin)
	h.Write("folder/a", "1\n").Commit("First")
	h.Write("folder/a", "2\n").Commit("Second")
	shallow := t.TempDir()
	h.Git("clone", "--quiet", "--depth=1", "file://"+h.Dir, shallow)
	empty := historytest.New(t, begin)
	file := h.Dir + "/folder/a"
	for _, c := range []struct{ dir, want string }{
		{shallow, "is a shallow clone: its history is cut off; fetch the rest with `git fetch --unshallow`"},
		{h.Dir + "/folder", "is not a git repository"},
		{file, "there is no folder"},
		{h.Dir + "/nowhere", "there is no folder"},
		{t.TempDir(), "is not a git repository"},
	} {
		if _, err := history.Open(context.Background(), c.dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.dir, err, c.want)
		}
	}
	if _, err := open(t, empty.Dir).Window(context.Background(), "HEAD", begin, begin.Add(time.Hour)); err == nil || !strings.Contains(err.Error(), "has no commit on its main branch") {
		t.Errorf("an empty repository: %v", err)
	}
}

// A clone without contents cannot tell renames; git is not let fetch them.
func TestAPartialCloneIsNamedAsOne(t *testing.T) {
	h := historytest.New(t, begin)
	first := h.Write("a", strings.Repeat("line\n", 50)).Commit("First")
	last := h.Remove("a").Write("b", strings.Repeat("line\n", 49)+"other\n").Commit("Moved")
	h.Git("config", "uploadpack.allowFilter", "true")
	partial := t.TempDir()
	h.Git("clone", "--quiet", "--bare", "--filter=blob:none", "file://"+h.Dir, partial)
	if err := os.RemoveAll(h.Dir + "/.git/objects"); err != nil { // nothing could be fetched from there
		t.Fatal(err)
	}
	err := open(t, partial).Log(context.Background(), first, last, func(history.Commit) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "lacks objects of its history") || !strings.Contains(err.Error(), "clone it again without --filter") {
		t.Errorf("got %v", err)
	}
}

func TestDatesAreDaysOrInstants(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-01-01":                begin,
		"2026-01-01T01:30:00+01:30": begin,
		"2026-01-01T00:00:00.5Z":    begin.Add(500 * time.Millisecond),
	} {
		if got, err := history.ParseDate("t0", text); err != nil || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "2026", "01/02/2026", "2026-13-01", "2026-02-30", "2026-01-01 10:00", "yesterday"} {
		if _, err := history.ParseDate("t0", text); err == nil || err.Error() != fmt.Sprintf("t0: %q is not a date; write it as 2026-01-31 or 2026-01-31T12:00:00Z", text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestALogThatIsGivenUpEndsGit(t *testing.T) {
	h := historytest.New(t, begin)
	h.Commit("First")
	h.Commit("Second")
	stop := fmt.Errorf("enough")
	begun := time.Now()
	if err := open(t, h.Dir).Log(context.Background(), "", "HEAD", func(history.Commit) error { return stop }); err != stop {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := open(t, h.Dir).Log(ctx, "", "HEAD", func(history.Commit) error { return nil }); err == nil || time.Since(begun) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
}
