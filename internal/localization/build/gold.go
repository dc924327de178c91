package build

import (
	"slices"

	"touchstone/internal/localization/history"
)

// A tracker follows the files of the snapshot along the main line, so that
// what a later commit changes can be said in paths of the snapshot.
type tracker struct {
	snapshot map[string]bool   // the files at T0
	at       map[string]string // where a file of the snapshot is now → its path at T0
	held     map[string]bool   // paths at T0 whose file is still somewhere
}

func newTracker(files []history.File) *tracker {
	t := &tracker{snapshot: make(map[string]bool, len(files)), at: make(map[string]string, len(files)), held: make(map[string]bool, len(files))}
	for _, f := range files {
		t.snapshot[f.Path], t.at[f.Path], t.held[f.Path] = true, f.Path, true
	}
	return t
}

// step follows one commit. gold are the files of the snapshot that it
// modifies, renames or deletes; added the paths of files that it adds. Both are sorted.
//
// A file that was added after T0 is never gold, under whatever name. A file
// that was deleted and is added again under its path at T0, as by a revert of
// a revert, is that file again for the commits that follow. Submodules are no
// files: only where one takes a file's place, the file is gone.
func (t *tracker) step(changes []history.Change) (gold, added []string) {
	type arrival struct{ path, origin string }
	var arrivals []arrival
	for _, c := range changes {
		origin, known := "", false
		if isFile(c.OldKind) {
			origin, known = t.at[c.Old]
		}
		if known {
			gold = append(gold, origin)
			// All departures come before all arrivals: two files may trade places.
			delete(t.at, c.Old)
			delete(t.held, origin)
		}
		switch {
		case !isFile(c.NewKind):
		case known:
			arrivals = append(arrivals, arrival{c.New, origin})
		case !isFile(c.OldKind):
			if history.Nameable(c.New) {
				added = append(added, c.New)
			}
			arrivals = append(arrivals, arrival{c.New, ""})
		}
	}
	for _, a := range arrivals {
		if a.origin != "" {
			t.at[a.path] = a.origin
			t.held[a.origin] = true
		}
	}
	for _, a := range arrivals {
		if a.origin == "" && t.snapshot[a.path] && !t.held[a.path] {
			t.at[a.path] = a.path
			t.held[a.path] = true
		}
	}
	slices.Sort(gold)
	slices.Sort(added)
	return gold, added
}

func isFile(k history.Kind) bool { return k == history.Regular || k == history.Link }
