package cache

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestOnceFillsAFolderOnce(t *testing.T) {
	f := open(t, t.TempDir())
	fills := 0
	fill := func(dir string) error {
		fills++
		return os.WriteFile(filepath.Join(dir, "a"), []byte("1"), 0o644)
	}
	for range 3 {
		dir, err := f.Once("kind", "key", fill)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(filepath.Join(dir, "a")); err != nil || string(data) != "1" {
			t.Fatalf("content %q, %v", data, err)
		}
	}
	if fills != 1 {
		t.Errorf("filled %d times", fills)
	}
}

func TestAFailedFillLeavesNothing(t *testing.T) {
	f := open(t, t.TempDir())
	bad := errors.New("bad")
	if _, err := f.Once("kind", "key", func(string) error { return bad }); !errors.Is(err, bad) {
		t.Fatalf("error %v", err)
	}
	if _, err := os.Stat(f.Path("kind", "key")); !os.IsNotExist(err) {
		t.Error("the folder is there")
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if left := entries(t, filepath.Join(f.Root(), temporaries)); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestManyAtOnceAgreeOnOneFolder(t *testing.T) {
	root := t.TempDir()
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			f := open(t, root)
			if _, err := f.Once("kind", "key", func(dir string) error {
				return os.WriteFile(filepath.Join(dir, "a"), []byte("1"), 0o644)
			}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := entries(t, filepath.Join(root, "kind")); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestWhatAKilledProcessWasMakingIsRemoved(t *testing.T) {
	root := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestMakingForEver$")
	child.Env = append(os.Environ(), "TOUCHSTONE_CACHE_CHILD="+root)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Process.Kill()
	making := filepath.Join(root, temporaries)
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if found, _ := filepath.Glob(filepath.Join(making, "*", "*", "half")); len(found) == 1 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the child makes nothing")
		}
	}
	open(t, root)
	if len(entries(t, making)) == 0 {
		t.Fatal("the folder of a living process was removed")
	}
	child.Process.Kill()
	child.Wait()
	open(t, root)
	if left := entries(t, making); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestMakingForEver is the process that the test above kills.
func TestMakingForEver(t *testing.T) {
	root := os.Getenv("TOUCHSTONE_CACHE_CHILD")
	if root == "" {
		return
	}
	open(t, root).Once("kind", "key", func(dir string) error {
		if err := os.WriteFile(filepath.Join(dir, "half"), nil, 0o644); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		return nil
	})
}

func open(t *testing.T, root string) *Folder {
	t.Helper()
	f, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}
