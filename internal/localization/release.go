package localization

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/release"
)

// Names of the files of a release. The lists of the snapshots' files stand in
// FilesFolder, one for each repository.
const (
	ReleaseFile      = release.ManifestFile
	RepositoriesFile = release.RepositoriesFile
	TasksFile        = release.TasksFile
	DroppedFile      = release.DroppedFile
	FilesFolder      = "files"
)

// ID is name@version.
func (r Release) ID() string { return r.Name + "@" + r.Version }

// TaskID names the task that a pull request is, as predictions name it:
// owner__name-number.
func TaskID(repository string, number int) string {
	return folderName(repository) + "-" + strconv.Itoa(number)
}

// FilesPath is where a release keeps the list of files of a repository's snapshot.
func FilesPath(repository string) string {
	return path.Join(FilesFolder, folderName(repository)+".txt")
}

func folderName(repository string) string { return strings.Replace(repository, "/", "__", 1) }

// Dataset is a release opened from disk.
type Dataset struct {
	Dir          string
	Release      Release
	Repositories []Repository
	Tasks        []Task
	Dropped      []Drop
}

// OpenDataset reads a release, checks every file against its SHA-256, and that
// what the files say fits together. Errors are *benchmark.InputError when the
// folder holds no whole release.
func OpenDataset(dir string) (*Dataset, error) {
	manifest := filepath.Join(dir, ReleaseFile)
	data, err := os.ReadFile(manifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &benchmark.InputError{File: dir, Problem: "holds no release (there is no " + ReleaseFile + ")",
			Mend: "give the folder that `touchstone localization build --out` wrote"}
	}
	if err != nil {
		return nil, err
	}
	bad := func(field, problem string) (*Dataset, error) {
		return nil, &benchmark.InputError{File: manifest, Field: field, Problem: problem, Mend: "build the release again"}
	}
	d := &Dataset{Dir: dir}
	if err := json.Unmarshal(data, &d.Release); err != nil {
		return bad("", err.Error())
	}
	if d.Release.Track != benchmark.Localization {
		return nil, &benchmark.InputError{File: manifest, Field: "track", Problem: fmt.Sprintf("%q is not localization", d.Release.Track), Mend: "give a release of the localization track"}
	}
	if d.Release.Format != 1 {
		return bad("format", fmt.Sprintf("%d is not a format this version reads", d.Release.Format))
	}
	if err := release.Check(dir, d.Release.Files); err != nil {
		return nil, err
	}
	if d.Repositories, err = release.ReadLines[Repository](dir, RepositoriesFile); err != nil {
		return nil, err
	}
	if d.Tasks, err = release.ReadLines[Task](dir, TasksFile); err != nil {
		return nil, err
	}
	if d.Dropped, err = release.ReadLines[Drop](dir, DroppedFile); err != nil {
		return nil, err
	}
	return d, d.fits()
}

// Repository is the release's repository of a name.
func (d *Dataset) Repository(name string) (Repository, error) {
	for _, r := range d.Repositories {
		if r.Name == name {
			return r, nil
		}
	}
	return Repository{}, &benchmark.InputError{Field: "repository", Problem: fmt.Sprintf("%q is not in the release %s", name, d.Release.ID())}
}

// TasksOf are the tasks of a repository, in the order in which they were merged.
func (d *Dataset) TasksOf(repository string) []Task {
	var tasks []Task
	for _, t := range d.Tasks {
		if t.Repository == repository {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// Files are the paths of a repository's snapshot, in the order of their bytes.
func (d *Dataset) Files(r Repository) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(d.Dir, filepath.FromSlash(r.Files)))
	if err != nil || len(data) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), nil
}
