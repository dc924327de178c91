package environment

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A fileLock is held by one process at a time; the system releases it when
// that process ends, however it ends.
type fileLock struct{ f *os.File }

var errHeld = errors.New("held by another process")

func tryLock(name string) (fileLock, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return fileLock{}, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return fileLock{}, errHeld
		}
		return fileLock{}, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return fileLock{f}, nil
}

// waitForLock waits until the lock is free or the context ends.
func waitForLock(ctx context.Context, name string) (fileLock, error) {
	for {
		l, err := tryLock(name)
		if !errors.Is(err, errHeld) {
			return l, err
		}
		select {
		case <-ctx.Done():
			return fileLock{}, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// release gives the lock back. The file stays: were it removed, a process that
// waits for it could hold a lock on a file that is no longer there.
func (l fileLock) release() { l.f.Close() }

// removeLeftovers removes half-made environments whose maker is gone.
func removeLeftovers(cacheDir string) {
	found, _ := filepath.Glob(filepath.Join(cacheDir, "*"+buildingSuffix))
	for _, building := range found {
		held, err := tryLock(strings.TrimSuffix(building, buildingSuffix) + lockSuffix)
		if err != nil {
			continue // it is being made
		}
		os.RemoveAll(building)
		held.release()
	}
}
