package environment

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"touchstone/internal/benchmark"
)

// A LockFile is the folder environments/<owner>__<name> of a release: what is
// needed to make a repository's environment again.
type LockFile struct {
	Python       string        `json:"python"`      // 3.11: what an evaluation needs
	Interpreter  string        `json:"interpreter"` // 3.11.7: what the release was built with
	Platform     string        `json:"platform"`    // the wheels' hashes hold for it
	ABI          string        `json:"abi"`
	Key          string        `json:"key"`          // of the environment that it was built with
	Requirements []Requirement `json:"requirements"` // as asked for, with where each was found
	Lock         Lock          `json:"-"`            // requirements.lock
	// Wheels are the wheels that were built inside the sandbox, as files of
	// the host; Write copies them, ReadLockFile finds them.
	Wheels []string `json:"-"`
}

const (
	lockName        = "requirements.lock"
	environmentName = "environment.json"
	wheelsName      = "wheels"
)

// NewLockFile describes the environment of a lock. Wheels is left to the caller.
func NewLockFile(p Python, requirements []Requirement, l Lock) LockFile {
	return LockFile{Python: p.Minor(), Interpreter: p.Version, Platform: p.Platform, ABI: p.ABI, Key: Key(p, l),
		Requirements: requirements, Lock: l}
}

// FolderName is the name that a repository's files have in a release: owner/name
// becomes owner__name.
func FolderName(repository string) string { return strings.Replace(repository, "/", "__", 1) }

// WheelsDir is the folder, in the folder of a lock file, that CreateOptions
// needs to make the environment again; "" when every wheel is on the index.
func (f LockFile) WheelsDir() string {
	if len(f.Wheels) == 0 {
		return ""
	}
	return filepath.Dir(f.Wheels[0])
}

// Write writes the files into the folder dir, which is made when absent.
func (f LockFile) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, environmentName), append(text, '\n'), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, lockName), []byte(f.Lock.String()), 0o644); err != nil {
		return err
	}
	for _, w := range f.Wheels {
		if err := os.MkdirAll(filepath.Join(dir, wheelsName), 0o755); err != nil {
			return err
		}
		if err := copyFile(filepath.Join(dir, wheelsName, filepath.Base(w)), w); err != nil {
			return err
		}
	}
	return nil
}

// ReadLockFile reads what Write wrote. What is missing or malformed is an
// *benchmark.InputError.
func ReadLockFile(dir string) (LockFile, error) {
	var f LockFile
	file := filepath.Join(dir, environmentName)
	text, err := readSmall(file)
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return f, &benchmark.InputError{File: file, Problem: "is not a description of an environment: " + err.Error(), Mend: "build the release again"}
	}
	if f.Python == "" {
		return f, &benchmark.InputError{File: file, Field: "python", Problem: "is missing", Mend: "build the release again"}
	}
	file = filepath.Join(dir, lockName)
	if text, err = readSmall(file); err != nil {
		return f, err
	}
	if f.Lock, err = ParseLock(file, string(text)); err != nil {
		return f, err
	}
	f.Wheels, err = filepath.Glob(filepath.Join(dir, wheelsName, "*.whl"))
	return f, err
}

// readSmall reads a file of at most 4 MiB.
func readSmall(file string) ([]byte, error) {
	const limit = 4 << 20
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &benchmark.InputError{File: file, Problem: "is missing", Mend: "build the release again"}
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, &benchmark.InputError{File: file, Problem: fmt.Sprintf("is larger than %d MiB", limit>>20), Mend: "build the release again"}
	}
	return os.ReadFile(file)
}
