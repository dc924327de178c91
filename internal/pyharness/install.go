package pyharness

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"touchstone/internal/cache"
)

// Install writes the harness into the cache and returns its folder.
func Install(c *cache.Folder) (string, error) {
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
	return c.Once("harness", hex.EncodeToString(sum.Sum(nil))[:16], func(dir string) error {
		for _, f := range files {
			path := filepath.Join(dir, f.path)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, f.data, 0o644); err != nil {
				return err
			}
		}
		return nil
	})
}
