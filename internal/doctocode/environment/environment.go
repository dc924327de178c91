// Package environment makes the Python environments in which repositories are
// tested: it finds an interpreter, resolves requirements into a lock, and
// fills a virtual environment from wheels. Nothing that it installs is ever
// run here: packages are unpacked by the host's pip, and first imported inside
// the sandbox.
package environment

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"touchstone/internal/sandbox"
)

// Where things are inside the sandbox.
const (
	RepositoryDir = "/repo" // the repository's tree
	MetadataDir   = "/meta" // the repository's dist-info and console scripts
	mountDir      = "/env"
)

// An Environment is a finished virtual environment on the host.
type Environment struct {
	Dir    string // on the host
	Python Python
	Key    string // names its content: the interpreter's version and every locked package
	Lock   Lock
}

// Mounts are what the sandbox must show for Interpreter to work: the
// environment at /env, and the base interpreter at its own path unless that is
// under /usr, which is always there.
func (e Environment) Mounts() []sandbox.Mount {
	return append([]sandbox.Mount{{Source: e.Dir, Target: mountDir}}, e.Python.Mounts()...)
}

// Mounts are what the sandbox must show for the interpreter itself to run.
func (p Python) Mounts() []sandbox.Mount {
	if p.Prefix == "/usr" || strings.HasPrefix(p.Prefix, "/usr/") {
		return nil
	}
	return []sandbox.Mount{{Source: p.Prefix, Target: p.Prefix}}
}

// Interpreter is the path of the environment's Python inside the sandbox.
func (e Environment) Interpreter() string { return mountDir + "/bin/python" }

// Environ is the whole environment of a process that tests the repository.
// pythonPath holds the folders of its tree that are put on Python's path, "."
// for the root.
func (e Environment) Environ(pythonPath []string) []string {
	folders := make([]string, 0, len(pythonPath)+1)
	for _, p := range pythonPath {
		folders = append(folders, path.Join(RepositoryDir, filepath.ToSlash(p)))
	}
	return []string{
		"PATH=" + mountDir + "/bin:" + MetadataDir + "/bin:/usr/local/bin:/usr/bin:/bin",
		"HOME=/tmp",
		"TMPDIR=/tmp",
		"LANG=C.UTF-8",
		"LC_ALL=C.UTF-8",
		"TZ=UTC",
		"TERM=dumb",
		"VIRTUAL_ENV=" + mountDir,
		"PYTHONPATH=" + strings.Join(append(folders, MetadataDir), ":"),
		"PYTHONHASHSEED=0",
		"PYTHONNOUSERSITE=1",
		"PYTHONDONTWRITEBYTECODE=1", // the tree is read-only
		"PYTHONUNBUFFERED=1",
	}
}

// sitePackages is the folder of an environment that holds its packages.
func sitePackages(dir string, p Python) string {
	return filepath.Join(dir, "lib", "python"+p.Minor(), "site-packages")
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
