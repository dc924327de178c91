// Package sandboxtest gives tests a sandbox and a cache of derived files.
package sandboxtest

import (
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
	if err != nil {
		Missing(t, err)
	}
	return box
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
