// Package release is what the releases of both tracks have in common: a folder
// whose release.json names every other file with its SHA-256, files of JSON
// lines, and the recipes that releases are built from.
package release

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"touchstone/internal/benchmark"
)

// Names of the files that every release has.
const (
	ManifestFile     = "release.json"
	RepositoriesFile = "repositories.jsonl"
	TasksFile        = "tasks.jsonl"
	DroppedFile      = "dropped.jsonl"
)

// longestLine bounds a line of a release's files, in bytes.
const longestLine = 64 << 20

// Sums are the SHA-256 of files, as a manifest names them.
func Sums(files map[string][]byte) map[string]string {
	sums := make(map[string]string, len(files))
	for name, data := range files {
		sum := sha256.Sum256(data)
		sums[name] = hex.EncodeToString(sum[:])
	}
	return sums
}

// Check holds every file that a manifest names against its SHA-256. The files
// that every release has must be among them. What is wrong with the folder is a
// *benchmark.InputError.
func Check(dir string, files map[string]string) error {
	manifest := func(name, problem string) error {
		return &benchmark.InputError{File: filepath.Join(dir, ManifestFile), Field: "files", Problem: fmt.Sprintf("%q %s", name, problem),
			Mend: "get the release from where it was made"}
	}
	for _, name := range []string{RepositoriesFile, TasksFile, DroppedFile} {
		if files[name] == "" {
			return manifest(name, "is not among the files")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		local := filepath.FromSlash(name)
		if !filepath.IsLocal(local) {
			return manifest(name, "leads out of the release")
		}
		got, err := sumOf(filepath.Join(dir, local))
		if errors.Is(err, fs.ErrNotExist) {
			return &benchmark.InputError{File: filepath.Join(dir, local), Problem: "is missing", Mend: "build the release again, or copy it whole"}
		}
		if err != nil {
			return err
		}
		if got != files[name] {
			return &benchmark.InputError{File: filepath.Join(dir, local), Problem: "was changed since the release was made (its SHA-256 is " + got + ")",
				Mend: "restore it, or build the release again"}
		}
	}
	return nil
}

func sumOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// ReadLines reads a file of JSON lines. A line that does not fit, a key too
// many included, is a *benchmark.InputError.
func ReadLines[T any](dir, name string) ([]T, error) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, longestLine)
	var values []T
	for n := 1; scanner.Scan(); n++ {
		var value T
		decoder := json.NewDecoder(bytes.NewReader(scanner.Bytes()))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(&value)
		if err == nil && decoder.More() {
			err = errors.New("there is something behind the JSON object")
		}
		if err != nil {
			return nil, &benchmark.InputError{File: path, Line: n, Problem: err.Error(), Mend: "build the release again"}
		}
		values = append(values, value)
	}
	return values, scanner.Err()
}

// Lines are values as a file of JSON lines.
func Lines[T any](values []T) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for _, v := range values {
		if err := encoder.Encode(v); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// NewSuffix marks a file that is being written. The name is always the same,
// so that a process which is killed leaves nothing for long.
const NewSuffix = ".new"

// WriteFile writes a file whole or not at all, and the folders above it.
func WriteFile(name string, data []byte) error {
	if err := WriteNew(name, data); err != nil {
		return err
	}
	return os.Rename(name+NewSuffix, name)
}

// WriteNew writes what is to become a file beside it, under NewSuffix.
func WriteNew(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name+NewSuffix, data, 0o644)
}
