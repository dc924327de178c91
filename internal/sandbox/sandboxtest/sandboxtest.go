// Package sandboxtest gives tests a sandbox and a cache of derived files.
package sandboxtest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"touchstone/internal/cache"
	"touchstone/internal/sandbox"
)

// Main is the TestMain of a package whose tests start a local sandbox: the test
// binary is what becomes one.
func Main(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

// MainWithCache is Main with a cache of this run's own, which *folder is set to
// and which is removed in the end: what an earlier run derived would hide a
// mistake in deriving it.
func MainWithCache(m *testing.M, folder **cache.Folder) {
	sandbox.Init()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "touchstone-test-")
		if err == nil {
			defer os.RemoveAll(dir)
			*folder, err = cache.Open(dir)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer (*folder).Close()
		return m.Run()
	}())
}

// Missing skips the test because of what this machine does not have, or fails
// it where everything is required.
func Missing(t testing.TB, why any) {
	t.Helper()
	if os.Getenv("TOUCHSTONE_REQUIRE") == "all" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// Local is the local sandbox of this machine.
func Local(t testing.TB) *sandbox.Local {
	t.Helper()
	box, err := sandbox.NewLocal()
	usable(t, err)
	return box
}

// Named is the sandbox that TOUCHSTONE_TEST_SANDBOX names, local when it is not
// set.
func Named(t testing.TB) sandbox.Sandbox {
	t.Helper()
	box, err := sandbox.Open(t.Context(), cmp.Or(os.Getenv("TOUCHSTONE_TEST_SANDBOX"), "local"), sandbox.DockerConfig{Image: sandbox.DefaultImage})
	usable(t, err)
	return box
}

// usable ends the test when opening its sandbox gave an error.
func usable(t testing.TB, err error) {
	t.Helper()
	var unavailable *sandbox.UnavailableError
	if errors.As(err, &unavailable) {
		Missing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Cache is the cache that all tests share, so that environments are made once.
func Cache(t testing.TB) *cache.Folder {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := cache.Open(filepath.Join(dir, "touchstone", "tests"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	return folder
}
