package pyharness

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Install writes the harness into a folder of the cache that is named by its
// content, and returns the folder. A folder that is there already is used as
// it is; it is renamed into place, so it is never half-written.
func Install(cache string) (string, error) {
	sum := sha256.New()
	type file struct {
		path string
		data []byte
	}
	var files []file
	err := fs.WalkDir(sources, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := sources.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %d\n", path, len(data))
		sum.Write(data)
		files = append(files, file{path, data})
		return nil
	})
	if err != nil {
		return "", err
	}
	target := filepath.Join(cache, "harness", hex.EncodeToString(sum.Sum(nil))[:16])
	if _, err := os.Stat(target); err == nil {
		return target, nil
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return "", err
	}
	temporary, err := os.MkdirTemp(filepath.Dir(target), "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temporary)
	if err := os.Chmod(temporary, 0o755); err != nil {
		return "", err
	}
	for _, f := range files {
		path := filepath.Join(temporary, f.path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, f.data, 0o644); err != nil {
			return "", err
		}
	}
	if err := os.Rename(temporary, target); err != nil {
		if _, there := os.Stat(target); there == nil {
			return target, nil // another process was quicker
		}
		return "", err
	}
	return target, nil
}
