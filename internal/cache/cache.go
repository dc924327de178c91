// Package cache is the folder of derived files: environments, unpacked trees,
// masked trees, the harness. What is in it is named by its content and never
// changes once it is there, so that any number of processes can share it, and
// a process that is killed leaves nothing that a later one would mistake for
// whole: what it was making lies in a temporary folder, which the next process
// removes.
package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// temporaries is the folder of what is being made. It lies in the cache, so
// that renaming out of it never crosses file systems.
const temporaries = "tmp"

// Folder is a cache on disk.
type Folder struct {
	root string

	mu   sync.Mutex
	own  string // this process's temporary folder, "" until it needs one
	lock *os.File
}

// Open makes the folder, if it is not there, and removes what processes that
// have ended were making in it.
func Open(root string) (*Folder, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	f := &Folder{root: root}
	if err := os.MkdirAll(filepath.Join(root, temporaries), 0o755); err != nil {
		return nil, fmt.Errorf("making the cache folder: %w", err)
	}
	return f, f.sweep()
}

// Root is the folder's path.
func (f *Folder) Root() string { return f.root }

// Path is where a kind of thing with a key is, or would be.
func (f *Folder) Path(kind, key string) string { return filepath.Join(f.root, kind, key) }

// Once returns the folder of a kind and key, which fill makes when it is not
// there yet. The key has to name all that determines the content. fill gets an
// empty folder that becomes the result only when it returns nil.
func (f *Folder) Once(kind, key string, fill func(dir string) error) (string, error) {
	target := f.Path(kind, key)
	if _, err := os.Stat(target); err == nil {
		return target, nil
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return "", err
	}
	made, release, err := f.Temporary()
	if err != nil {
		return "", err
	}
	defer release()
	if err := fill(made); err != nil {
		return "", err
	}
	if err := os.Rename(made, target); err != nil {
		if _, there := os.Stat(target); there == nil {
			return target, nil // another process was quicker
		}
		return "", err
	}
	return target, nil
}

// Temporary returns a new empty folder and what removes it. A process that is
// killed before leaves the removal to the next one.
func (f *Folder) Temporary() (dir string, release func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.own == "" {
		if err := f.claim(); err != nil {
			return "", nil, err
		}
	}
	if dir, err = os.MkdirTemp(f.own, ""); err != nil {
		return "", nil, err
	}
	// Readable by the sandbox's user.
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", nil, err
	}
	return dir, func() { os.RemoveAll(dir) }, nil
}

// claim makes this process's temporary folder and locks it for as long as the
// process lives.
func (f *Folder) claim() error {
	for {
		lock, err := os.CreateTemp(filepath.Join(f.root, temporaries), "*"+lockSuffix)
		if err != nil {
			return err
		}
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			lock.Close() // a sweeper was quicker than this process; it removes the file
			continue
		}
		if _, err := os.Stat(lock.Name()); err != nil {
			lock.Close() // and has done so already
			continue
		}
		own := lock.Name()[:len(lock.Name())-len(lockSuffix)]
		if err := os.Mkdir(own, 0o755); err != nil {
			lock.Close()
			return err
		}
		f.own, f.lock = own, lock
		return nil
	}
}

const lockSuffix = ".lock"

// sweep removes the temporary folders whose lock nobody holds any more.
func (f *Folder) sweep() error {
	locks, err := filepath.Glob(filepath.Join(f.root, temporaries, "*"+lockSuffix))
	if err != nil {
		return err
	}
	for _, path := range locks {
		lock, err := os.OpenFile(path, os.O_RDWR, 0)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			continue // another process sweeps, or another user's
		}
		if err != nil {
			return err
		}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			err = errors.Join(os.RemoveAll(path[:len(path)-len(lockSuffix)]), os.Remove(path))
		}
		lock.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing what a killed process left: %w", err)
		}
	}
	return nil
}

// Close removes this process's temporary folder.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.own == "" {
		return nil
	}
	err := errors.Join(os.RemoveAll(f.own), os.Remove(f.own+lockSuffix), f.lock.Close())
	f.own, f.lock = "", nil
	return err
}
