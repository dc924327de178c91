package localization

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/release"
)

// Contents are what a release is made of, before it is written.
type Contents struct {
	Release      Release // Format, Track, Counts and Files are filled in
	Repositories []Repository
	Tasks        []Task
	Dropped      []Drop
	Files        map[string][]string // repository → paths of its snapshot
}

// Vacant checks that a release can be written into a folder: that it is not
// there, is empty, or holds what an interrupted Write left.
func Vacant(dir string) error {
	bad := func(problem, mend string) error {
		return &benchmark.InputError{Field: "out", Problem: problem, Mend: mend}
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return bad(err.Error(), "give a folder that can be written to")
	}
	own := []string{RepositoriesFile, TasksFile, DroppedFile, FilesFolder}
	for _, e := range entries {
		switch name := strings.TrimSuffix(e.Name(), release.NewSuffix); {
		case e.Name() == ReleaseFile:
			return bad(dir+" holds a finished release already", "choose another folder, or remove it first")
		case !slices.Contains(own, name) && name != ReleaseFile:
			return bad(dir+" holds something else, such as "+e.Name(), "choose a new or an empty folder")
		}
	}
	return nil
}

// Write puts the release into a folder that is Vacant. Each file appears whole
// or not at all; release.json, without which there is no release, comes last
// and names the others with their SHA-256. The same contents give the same
// bytes. It returns the release as it was written.
func (c Contents) Write(dir string) (Release, error) {
	written := c.Release
	if err := Vacant(dir); err != nil {
		return written, err
	}
	files, err := c.render()
	if err != nil {
		return written, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := release.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), files[name]); err != nil {
			return written, err
		}
	}
	written.Format, written.Track, written.Counts = 1, benchmark.Localization, Counts{Dropped: map[string]int{}}
	for _, r := range c.Repositories {
		written.Counts.Add(r.Counts)
	}
	written.Files = release.Sums(files)
	var manifest bytes.Buffer
	encoder := json.NewEncoder(&manifest)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(written); err != nil {
		return written, err
	}
	return written, release.WriteFile(filepath.Join(dir, ReleaseFile), manifest.Bytes())
}

func (c Contents) render() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, r := range c.Repositories {
		var list strings.Builder
		for _, name := range c.Files[r.Name] {
			list.WriteString(name + "\n")
		}
		files[FilesPath(r.Name)] = []byte(list.String())
	}
	var err error
	if files[RepositoriesFile], err = release.Lines(c.Repositories); err != nil {
		return nil, err
	}
	if files[TasksFile], err = release.Lines(c.Tasks); err != nil {
		return nil, err
	}
	files[DroppedFile], err = release.Lines(c.Dropped)
	return files, err
}
