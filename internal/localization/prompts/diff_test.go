package prompts

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization/history/historytest"
)

// TestADiffIsReadAsGitWritesIt, file by file.
func TestADiffIsReadAsGitWritesIt(t *testing.T) {
	for _, c := range []struct {
		rule, diff string
		want       []Change
	}{
		{"nothing", "", nil},
		{"a changed file", "diff --git a/src/a.go b/src/a.go\nindex 1..2 100644\n--- a/src/a.go\n+++ b/src/a.go\n@@ -1,2 +1,3 @@ func Open(name string) error {\n kept\n-old\n+new\n+more\n",
			[]Change{{Kind: Modified, Old: "src/a.go", New: "src/a.go", Added: []string{"new", "more"}, Removed: []string{"old"}, Kept: []string{"kept"}, Hunks: []string{"func Open(name string) error {"}}}},
		{"an added and a deleted file", "diff --git a/a b/a\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\ndiff --git a/b b/b\ndeleted file mode 100644\n--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n",
			[]Change{{Kind: Added, New: "a", Added: []string{"x"}}, {Kind: Deleted, Old: "b", Removed: []string{"y"}}}},
		{"a rename without changes", "diff --git a/old name b/new name\nsimilarity index 100%\nrename from old name\nrename to new name\n",
			[]Change{{Kind: Renamed, Old: "old name", New: "new name"}}},
		{"a copy", "diff --git a/x b/y\nsimilarity index 90%\ncopy from x\ncopy to y\n", []Change{{Kind: Copied, Old: "x", New: "y"}}},
		{"a change of mode", "diff --git a/run me b/run me\nold mode 100644\nnew mode 100755\n", []Change{{Kind: Modified, Old: "run me", New: "run me"}}},
		{"quoted paths", `diff --git "a/gr\303\274n \"a\".txt" "b/gr\303\274n \"a\".txt"` + "\nindex 1..2\n@@ -1 +1 @@\n-a\n+b\n",
			[]Change{{Kind: Modified, Old: `grün "a".txt`, New: `grün "a".txt`, Added: []string{"b"}, Removed: []string{"a"}}}},
		{"a path quoted on one side", `diff --git a/plain "b/\303\244"` + "\nsimilarity index 100%\nrename from plain\nrename to " + `"\303\244"` + "\n",
			[]Change{{Kind: Renamed, Old: "plain", New: "ä"}}},
		{"binary files", "diff --git a/i.png b/i.png\nindex 1..2\nBinary files a/i.png and b/i.png differ\n", []Change{{Kind: Modified, Old: "i.png", New: "i.png", Binary: true}}},
		{"a binary patch", "diff --git a/i.png b/i.png\nindex 1..2\nGIT binary patch\nliteral 5\nMcmZQzWMXDvWJ\n\nliteral 0\nHcmV?d00001\n\n", []Change{{Kind: Modified, Old: "i.png", New: "i.png", Binary: true}}},
		{"no newline at the end", "diff --git a/a b/a\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n",
			[]Change{{Kind: Modified, Old: "a", New: "a", Added: []string{"b"}, Removed: []string{"a"}}}},
		{"lines that look like headings", "diff --git a/a b/a\n@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n diff --git a/q b/q\n",
			[]Change{{Kind: Modified, Old: "a", New: "a", Added: []string{"++ b/x"}, Removed: []string{"-- a/x"}, Kept: []string{"diff --git a/q b/q"}}}},
		{"an empty line that lost its blank", "diff --git a/a b/a\n@@ -1,2 +1,2 @@\n\n-a\n+b\n", []Change{{Kind: Modified, Old: "a", New: "a", Added: []string{"b"}, Removed: []string{"a"}, Kept: []string{""}}}},
		{"Windows line ends", "diff --git a/a b/a\n@@ -1 +1 @@\n-a\r\n+b\r\n", []Change{{Kind: Modified, Old: "a", New: "a", Added: []string{"b\r"}, Removed: []string{"a\r"}}}},
		{"a heading of git show", "commit 0123456789012345678901234567890123456789\nAuthor: A\n\n    diff --git a/no b/no\n\ndiff --git a/a b/a\nold mode 1\nnew mode 2\n", []Change{{Kind: Modified, Old: "a", New: "a"}}},
		{"an empty added file", "diff --git a/a b/a\nnew file mode 100644\nindex 0..e\n", []Change{{Kind: Added, New: "a"}}},
		{"no prefix", "diff --git src/a src/a\n@@ -1 +1 @@\n-a\n+b\n", []Change{{Kind: Modified, Old: "src/a", New: "src/a", Added: []string{"b"}, Removed: []string{"a"}}}},
	} {
		got, err := ParseDiff(strings.NewReader(c.diff))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", c.rule, err, got, c.want)
		}
	}
}

// TestADiffThatCannotBeReadIsRefused with its line.
func TestADiffThatCannotBeReadIsRefused(t *testing.T) {
	for _, c := range []struct {
		rule, diff string
		line       int
	}{
		{"a combined diff", "diff --cc a.go\nindex 1,2..3\n", 1},
		{"a combined hunk", "diff --git a/a b/a\n@@@ -1 -1 +1 @@@\n", 2},
		{"a broken quotation", `diff --git "a/x b/x` + "\n", 1},
		{"a bad escape", `diff --git "a/\q" "b/\q"` + "\n", 1},
		{"one path", "diff --git onlyone\n", 1},
		{"a hunk without numbers", "diff --git a/a b/a\n@@ x @@\n", 2},
		{"a hunk too short", "diff --git a/a b/a\n@@ -1,3 +1,3 @@\n a\n", 3},
		{"a hunk too long", "diff --git a/a b/a\n@@ -1 +1,0 @@\n a\n", 3},
		{"a line that is none of a hunk", "diff --git a/a b/a\n@@ -1 +1 @@\n?\n", 3},
		{"a hunk of more lines than numbers go", "diff --git a/a b/a\n@@ -1,99999999999999999999 +1 @@\n", 2},
	} {
		_, err := ParseDiff(strings.NewReader(c.diff))
		bad, ok := errors.AsType[*benchmark.InputError](err)
		if !ok || bad.Line != c.line || bad.Mend == "" {
			t.Errorf("%s: %v", c.rule, err)
		}
	}
}

// TestTheLogOfAHistoryIsReadCommitByCommit from git itself.
func TestTheLogOfAHistoryIsReadCommitByCommit(t *testing.T) {
	h := historytest.New(t, time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC))
	h.Write("a.txt", "one\ntwo\n")
	h.Write("ü b.txt", "x\n")
	h.Commit("first")
	h.Write("a.txt", "one\n2\n")
	h.Commit("second")
	h.Git("mv", "ü b.txt", "c ü.txt")
	h.Commit("third")
	out := h.Git("log", "-p", "-M", "--format=commit %H%n%n    a message") + "\n"
	var seen []string
	err := ReadLog(strings.NewReader(out), func(commit string, changes []Change) error {
		if len(commit) != 40 {
			t.Errorf("the commit is %q", commit)
		}
		for _, c := range changes {
			seen = append(seen, string(c.Kind)+" "+c.Old+">"+c.New+" +"+strings.Join(c.Added, "|")+" -"+strings.Join(c.Removed, "|"))
		}
		seen = append(seen, ".")
		return nil
	})
	want := []string{"renamed ü b.txt>c ü.txt + -", ".", "modified a.txt>a.txt +2 -two", ".", "added >a.txt +one|two -", "added >ü b.txt +x -", "."}
	if err != nil || !reflect.DeepEqual(seen, want) {
		t.Errorf("%v\n got %q\nwant %q", err, seen, want)
	}
	stop := errors.New("enough")
	if err := ReadLog(strings.NewReader(out), func(string, []Change) error { return stop }); err != stop {
		t.Errorf("the caller's error came back as %v", err)
	}
}

// FuzzParseDiff: whatever comes, no panic; what is read has paths, and the
// limits of its kind.
func FuzzParseDiff(f *testing.F) {
	f.Add("diff --git a/a b/a\nindex 1..2\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@ func f()\n-a\n+b\n+c\n")
	f.Add("diff --git \"a/\\303\\274\" \"b/\\303\\274\"\nrename from \"\\303\\274\"\nrename to x\n")
	f.Add("commit 0123456789012345678901234567890123456789\n\ndiff --git a/a b/a\nBinary files a/a and b/a differ\n")
	f.Add("diff --cc a\n@@@ -1 -1 +1 @@@\n")
	f.Fuzz(func(t *testing.T, text string) {
		changes, err := ParseDiff(strings.NewReader(text))
		if err != nil {
			if _, ok := errors.AsType[*benchmark.InputError](err); !ok {
				t.Fatalf("%v is no input error", err)
			}
			return
		}
		for _, c := range changes {
			if c.Old == "" && c.New == "" || c.Kind == Added && c.Old != "" || c.Kind == Deleted && c.New != "" {
				t.Fatalf("%+v", c)
			}
		}
		NewFacts(&Pull{Changes: changes}, NewSnapshot()).Check("minimal", text)
	})
}
