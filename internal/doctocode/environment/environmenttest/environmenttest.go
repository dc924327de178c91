// Package environmenttest gives tests a Python environment with pytest. It is
// made once and kept in the user's cache folder.
package environmenttest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"touchstone/internal/doctocode/environment"
	"touchstone/internal/sandbox/sandboxtest"
)

// Cache is the folder that tests may keep derived files in from run to run.
func Cache(t testing.TB) string {
	t.Helper()
	user, err := os.UserCacheDir()
	if err != nil {
		sandboxtest.Missing(t, err)
	}
	dir := filepath.Join(user, "touchstone")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		sandboxtest.Missing(t, err)
	}
	return dir
}

// Pytest is an environment with pytest for the interpreter that
// TOUCHSTONE_TEST_PYTHON names (a version or a path; python3 when it is not
// set). The test is skipped when it cannot be had, unless TOUCHSTONE_REQUIRE is
// all.
func Pytest(t testing.TB) environment.Environment {
	t.Helper()
	e, err := shared(t)
	if err != nil {
		sandboxtest.Missing(t, fmt.Sprintf("no environment with pytest: %v", err))
	}
	return e
}

var (
	once      sync.Once
	made      environment.Environment
	errMaking error
)

func shared(t testing.TB) (environment.Environment, error) {
	cache := Cache(t)
	once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		made, errMaking = makePytest(ctx, cache)
	})
	return made, errMaking
}

// makePytest asks the index only once for each interpreter: the lock is kept
// beside the environment.
func makePytest(ctx context.Context, cache string) (environment.Environment, error) {
	python, err := environment.FindPython(ctx, os.Getenv("TOUCHSTONE_TEST_PYTHON"))
	if err != nil {
		return environment.Environment{}, err
	}
	file := filepath.Join(cache, "tests", "pytest-"+python.ABI+"-"+python.Version+".lock")
	lock, err := readLock(file)
	if err != nil {
		if lock, err = environment.Resolve(ctx, python, []environment.Requirement{{Text: "pytest"}}, environment.LockOptions{}); err != nil {
			return environment.Environment{}, err
		}
		if err := writeLock(file, lock); err != nil {
			return environment.Environment{}, err
		}
	}
	return environment.Create(ctx, python, lock, filepath.Join(cache, "environments"), environment.CreateOptions{})
}

func readLock(file string) (environment.Lock, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return environment.Lock{}, err
	}
	return environment.ParseLock(file, string(text))
}

// writeLock renames the lock into place, since several tests may make it at once.
func writeLock(file string, lock environment.Lock) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(file), "new-")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	if _, err := temporary.WriteString(lock.String()); err != nil {
		temporary.Close()
		return err
	}
	if err := temporary.Close(); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), file)
}
