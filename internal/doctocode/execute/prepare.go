package execute

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/environment"
	"touchstone/internal/sandbox"
)

// Preparation is what a repository's workspace is made from.
type Preparation struct {
	Repository doctocode.Repository
	Tree       string // folder with the unchanged repository
	Python     environment.Python
	Lock       environment.LockFile
	Index      []*doctocode.SourceFile // may be set later
	Cache      *cache.Folder
}

// Prepare makes the environment, unless the cache has it, and opens the tree.
func Prepare(ctx context.Context, p Preparation) (*Workspace, error) {
	e, err := environment.Create(ctx, p.Python, p.Lock.Lock, p.Cache.Path("environments", ""),
		environment.CreateOptions{Wheels: p.Lock.WheelsDir()})
	if err != nil {
		return nil, fmt.Errorf("making the environment of %s: %w", p.Repository.Name, err)
	}
	metadata, err := metadataFolder(p.Cache, p.Repository.Metadata)
	if err != nil {
		return nil, err
	}
	return Open(Recipe{
		Name: p.Repository.Name, Tree: p.Tree, Interpreter: e.Interpreter(), Environ: e.Environ(p.Repository.PythonPath),
		Mounts:     append(e.Mounts(), sandbox.Mount{Source: metadata, Target: environment.MetadataDir}),
		PytestArgs: p.Repository.PytestArgs, Index: p.Index, Cache: p.Cache, Key: e.Key,
	})
}

// PrepareFrom makes the workspace of a repository of a release.
func PrepareFrom(ctx context.Context, d *doctocode.Dataset, name string, c *cache.Folder) (*Workspace, error) {
	r, err := d.Repository(name)
	if err != nil {
		return nil, err
	}
	lock, err := environment.ReadLockFile(filepath.Join(d.Dir, doctocode.EnvironmentPath(name)))
	if err != nil {
		return nil, err
	}
	python, err := findPython(ctx, r, lock.Python)
	if err != nil {
		return nil, err
	}
	index, err := d.Index(r)
	if err != nil {
		return nil, err
	}
	archive := filepath.Join(d.Dir, filepath.FromSlash(r.Archive))
	tree, err := unpackedTree(archive, d.Release.Files[r.Archive], c)
	if err != nil {
		return nil, fmt.Errorf("unpacking %s: %w", r.Archive, err)
	}
	return Prepare(ctx, Preparation{Repository: r, Tree: tree, Python: python, Lock: lock, Index: index, Cache: c})
}

// findPython is the interpreter that the release names, or the machine's own
// when the repository allows later ones.
func findPython(ctx context.Context, r doctocode.Repository, version string) (environment.Python, error) {
	python, err := environment.FindPython(ctx, version)
	if err == nil || !r.AnyPython {
		return python, err
	}
	other, otherErr := environment.FindPython(ctx, "")
	if otherErr != nil || !later(other.Minor(), version) {
		return python, err
	}
	return other, nil
}

// later compares versions such as 3.9 and 3.12.
func later(a, b string) bool {
	var x, y [2]int
	fmt.Sscanf(a, "%d.%d", &x[0], &x[1])
	fmt.Sscanf(b, "%d.%d", &y[0], &y[1])
	return x[0] > y[0] || x[0] == y[0] && x[1] >= y[1]
}

// unpackedTree is the cache's folder of an archive, named by its SHA-256.
func unpackedTree(archive, sum string, c *cache.Folder) (string, error) {
	dir, err := c.Once("unpacked", sum[:24], func(dir string) error {
		file, err := os.Open(archive)
		if err != nil {
			return err
		}
		defer file.Close()
		return doctocode.UnpackTree(file, filepath.Join(dir, "tree"))
	})
	return filepath.Join(dir, "tree"), err
}

// metadataFolder is the cache's folder of a distribution's metadata.
func metadataFolder(c *cache.Folder, m doctocode.Metadata) (string, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return c.Once("metadata", hex.EncodeToString(sum[:])[:24], func(dir string) error { return environment.WriteMetadata(dir, m) })
}
