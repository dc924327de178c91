// Package data holds what ships with the program: the starter release, its
// sample submissions and their recorded completions; and a release of the
// localization track with the predictions of the reference baselines.
package data

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"touchstone/internal/cache"
)

//go:embed all:starter/release starter/submissions starter/completions localization
var files embed.FS

const samplePrefix = "sample:"

// SampleOf is the name of a sample submission in sample:NAME.
func SampleOf(s string) (string, bool) { return strings.CutPrefix(s, samplePrefix) }

// Samples are the names of the sample submissions, best first.
func Samples() []string { return []string{"detailed", "summary", "vague"} }

// Submission is the docs.jsonl of a sample submission.
func Submission(name string) (io.ReadCloser, error) { return joined("submissions", name) }

// Completions are the recorded replies for a sample submission, or for
// "original", the starter repositories' own docstrings.
func Completions(name string) (io.ReadCloser, error) { return joined("completions", name) }

// Replies are the recorded replies for everything that comes with the starter
// release: each names the docstring that it was written for.
func Replies() (io.ReadCloser, error) {
	var all []io.Reader
	for _, name := range append(Samples(), "original") {
		part, err := Completions(name)
		if err != nil {
			return nil, err
		}
		all = append(all, part)
	}
	return io.NopCloser(io.MultiReader(all...)), nil
}

// joined is the files of a folder one after the other, in the order of their names.
func joined(kind, name string) (io.ReadCloser, error) {
	dir := "starter/" + kind + "/" + name
	entries, err := fs.ReadDir(files, dir)
	if err != nil || strings.ContainsAny(name, "/\\.") {
		return nil, fmt.Errorf("there are no %s called %q", kind, name)
	}
	var all bytes.Buffer
	for _, e := range entries {
		data, err := files.ReadFile(dir + "/" + e.Name())
		if err != nil {
			return nil, err
		}
		all.Write(data)
		if len(data) > 0 && data[len(data)-1] != '\n' {
			all.WriteByte('\n')
		}
	}
	return io.NopCloser(&all), nil
}

// Install writes an embedded folder into the cache and returns where it is.
func Install(c *cache.Folder, dir string) (string, error) {
	return install(c, dir, func(_ string, data []byte) (string, []byte, error) { return "", data, nil })
}

// install writes a folder file by file; unpack may give a file another name,
// and its content another form.
func install(c *cache.Folder, dir string, unpack func(name string, data []byte) (renamed string, unpacked []byte, err error)) (string, error) {
	sum := sha256.New()
	contents := map[string][]byte{}
	err := fs.WalkDir(files, dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(path, dir+"/")
		renamed, data, err := unpack(name, data)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if renamed != "" {
			name = renamed
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(data))
		sum.Write(data)
		contents[name] = data
		return nil
	})
	if err != nil {
		return "", err
	}
	return c.Once("data", hex.EncodeToString(sum.Sum(nil))[:24], func(made string) error {
		for name, data := range contents {
			path := filepath.Join(made, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				return err
			}
		}
		return nil
	})
}
