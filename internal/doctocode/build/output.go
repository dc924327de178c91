package build

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
)

// journalFolder holds an unfinished build, inside the output folder.
const journalFolder = ".build"

// openWork makes the folder of the unfinished build and keeps other processes
// out of it until release is called. What the output folder holds otherwise is
// not ours to overwrite.
func openWork(out string) (work string, release func(), err error) {
	bad := func(problem, mend string) (string, func(), error) {
		return "", nil, &benchmark.InputError{Field: "out", Problem: problem, Mend: mend}
	}
	const writable = "give a folder that can be written to"
	work = filepath.Join(out, journalFolder)
	entries, err := os.ReadDir(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return bad(err.Error(), writable)
	}
	holds := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	}
	switch {
	case holds(doctocode.ReleaseFile):
		return bad(out+" holds a finished release already", "choose another folder, or remove it first")
	case len(entries) > 0 && !holds(journalFolder):
		return bad(out+" holds something else, such as "+entries[0].Name(), "choose a new or an empty folder")
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return bad(err.Error(), writable)
	}
	lock, err := os.OpenFile(filepath.Join(work, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return bad(err.Error(), writable)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		return bad("another build is under way in "+out, "wait for its end, or choose another folder")
	}
	return work, func() { lock.Close() }, nil
}
