package build

import (
	"strings"
	"testing"

	"touchstone/internal/localization/history"
)

// change reads "M a", "A a", "D a", "R a b"; a path that begins with @ is a
// submodule.
func change(text string) history.Change {
	fields := strings.Fields(text)
	kind := func(path string) (string, history.Kind) {
		if name, ok := strings.CutPrefix(path, "@"); ok {
			return name, history.Submodule
		}
		return path, history.Regular
	}
	var c history.Change
	if fields[0] != "A" {
		c.Old, c.OldKind = kind(fields[1])
	}
	if fields[0] != "D" {
		c.New, c.NewKind = kind(fields[len(fields)-1])
	}
	return c
}

func TestGoldFilesAreThoseOfTheSnapshot(t *testing.T) {
	for _, c := range []struct {
		name    string
		commits string // changes apart by commas, commits by semicolons
		gold    string // of the last commit
		added   string
	}{
		{"modified, deleted, renamed", "M b, D a, R c d", "a b c", ""},
		{"added", "A x, M a", "a", "x"},
		{"a file added later is never gold", "A x; M x", "", ""},
		{"under whatever name", "A x; R x y; M y", "", ""},
		{"nor is a file that takes a later one's place", "A x; D x", "", ""},
		{"a renamed file is its path at T0", "R a x; M x", "a", ""},
		{"renamed twice", "R a x; R x y; D y", "a", ""},
		{"and back again", "R a x; R x a; M a", "a", ""},
		{"what moves to a renamed file's path is not that file", "R a x, A a; M a", "", ""},
		{"but the renamed file is", "R a x, A a; M x", "a", ""},
		{"two files trade places", "R a b, R b a; M a", "b", ""},
		{"a ring of three", "R a b, R b c, R c a; M b, D c", "a b", ""},
		{"one file takes the place of another", "D b, R a b; M b", "a", ""},
		{"a deleted file that comes back is itself", "D a; A a; M a", "a", ""},
		{"though not where it comes back", "D a; A a", "", "a"},
		{"and not while the first is still there", "R a x; A a; M a", "", ""},
		{"deleted and forgotten", "D a; M b", "b", ""},
		{"a submodule is no file", "M @sub, A @more", "", ""},
		{"a file that becomes a submodule is gone", "R b @b", "b", ""},
		{"a link is a file", "M link", "link", ""},
		{"a submodule that becomes a file adds it", "D @sub, A sub", "", "sub"},
		{"nothing", "M x", "", ""},
	} {
		var files []history.File
		for _, name := range []string{"a", "b", "c", "link"} {
			files = append(files, history.File{Path: name})
		}
		tracker := newTracker(files)
		var gold, added []string
		for commit := range strings.SplitSeq(c.commits, ";") {
			var changes []history.Change
			for text := range strings.SplitSeq(commit, ",") {
				changes = append(changes, change(text))
			}
			gold, added = tracker.step(changes)
		}
		if strings.Join(gold, " ") != c.gold || strings.Join(added, " ") != c.added {
			t.Errorf("%s: gold %q, added %q; want %q and %q", c.name, gold, added, c.gold, c.added)
		}
	}
}
