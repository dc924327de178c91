package doctocode

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/release"
)

// Names of the files of a release.
const (
	ReleaseFile      = release.ManifestFile
	RepositoriesFile = release.RepositoriesFile
	TasksFile        = release.TasksFile
	DroppedFile      = release.DroppedFile
	TimingsFile      = "timings.jsonl" // differs from build to build; not among Release.Files
)

// Dataset is a release opened from disk.
type Dataset struct {
	Dir          string
	Release      Release
	Repositories []Repository
	Tasks        []Task
	Dropped      []Dropped
	seconds      map[string]map[string]float64 // repository → test
}

// OpenDataset reads a release and checks every file against its SHA-256.
// Errors are *benchmark.InputError when the folder holds no whole release.
func OpenDataset(dir string) (*Dataset, error) {
	data, err := os.ReadFile(filepath.Join(dir, ReleaseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &benchmark.InputError{File: dir, Problem: "holds no release (there is no " + ReleaseFile + ")",
			Mend: "give the folder that `touchstone dataset build --out` wrote; an unfinished build goes on when the same command is run again"}
	}
	if err != nil {
		return nil, err
	}
	d := &Dataset{Dir: dir, seconds: map[string]map[string]float64{}}
	if err := json.Unmarshal(data, &d.Release); err != nil {
		return nil, &benchmark.InputError{File: filepath.Join(dir, ReleaseFile), Problem: err.Error(), Mend: "build the release again"}
	}
	if d.Release.Format != 1 {
		return nil, &benchmark.InputError{File: filepath.Join(dir, ReleaseFile), Field: "format",
			Problem: fmt.Sprintf("%d is not a format this version reads", d.Release.Format), Mend: "build the release again"}
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
	if d.Dropped, err = release.ReadLines[Dropped](dir, DroppedFile); err != nil {
		return nil, err
	}
	if err := d.fits(); err != nil {
		return nil, err
	}
	return d, d.readTimings()
}

// fits checks that repositories and tasks name what the release has.
func (d *Dataset) fits() error {
	bad := func(file string, line int, problem string) error {
		return &benchmark.InputError{File: filepath.Join(d.Dir, file), Line: line, Problem: problem, Mend: "build the release again"}
	}
	known := map[string]bool{}
	for i, r := range d.Repositories {
		if _, err := benchmark.ParseRepository(r.Name); err != nil {
			return bad(RepositoriesFile, i+1, fmt.Sprintf("%q is not a repository name", r.Name))
		}
		known[r.Name] = true
	}
	tasked := map[string]bool{}
	for i, t := range d.Tasks {
		id, err := benchmark.ParseTaskID(t.ID)
		switch {
		case err != nil:
			return bad(TasksFile, i+1, fmt.Sprintf("%q is not a task id", t.ID))
		case !known[id.Repository]:
			return bad(TasksFile, i+1, fmt.Sprintf("the release has no repository %s", id.Repository))
		case !slices.Contains(Strategies, t.Strategy):
			return bad(TasksFile, i+1, fmt.Sprintf("%q is not a strategy", t.Strategy))
		case len(t.Tests) == 0:
			return bad(TasksFile, i+1, "the task has no tests")
		}
		tasked[id.Repository] = true
	}
	for i, r := range d.Repositories {
		for _, name := range []string{r.Archive, r.Index, r.Requirement} {
			if tasked[r.Name] && d.Release.Files[name] == "" {
				return bad(RepositoriesFile, i+1, fmt.Sprintf("%q is not among the release's files", name))
			}
		}
	}
	return nil
}

// readTimings: without the file, or where a test is not in it, a test counts as instant.
func (d *Dataset) readTimings() error {
	timings, err := release.ReadLines[Timing](d.Dir, TimingsFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, t := range timings {
		if t.Test == "" {
			continue
		}
		if d.seconds[t.Repository] == nil {
			d.seconds[t.Repository] = map[string]float64{}
		}
		d.seconds[t.Repository][t.Test] = t.Seconds
	}
	return nil
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

// TasksOf are the tasks of a repository, in the release's order.
func (d *Dataset) TasksOf(repository string) []Task {
	var tasks []Task
	for _, t := range d.Tasks {
		if strings.HasPrefix(t.ID, repository+":") {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// Seconds is how long the tests of a task took on the original, where the
// release was built.
func (d *Dataset) Seconds(repository string, tests []string) float64 {
	var sum float64
	for _, t := range tests {
		sum += d.seconds[repository][t]
	}
	return sum
}

// Index reads the definitions of a repository's files.
func (d *Dataset) Index(r Repository) ([]*SourceFile, error) {
	return release.ReadLines[*SourceFile](d.Dir, r.Index)
}

// ID is name@version.
func (r Release) ID() string { return r.Name + "@" + r.Version }

// Contents are the files of a release while it is written: path → data.
type Contents map[string][]byte

// PutLines adds a file of JSON lines.
func PutLines[T any](c Contents, name string, values []T) (err error) {
	c[name], err = release.Lines(values)
	return err
}

// Write puts the release into dir, release.json, which names all files with
// their SHA-256, last. All is written beside what is there before anything of
// that is replaced, so that a full disk leaves an earlier release whole. Files
// of an earlier release that this one does not have are removed.
func (c Contents) Write(dir string, r Release) (err error) {
	named := maps.Clone(c)
	delete(named, TimingsFile)
	r.Files = release.Sums(named)
	manifest, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(c))
	all := maps.Clone(c)
	all[ReleaseFile] = append(manifest, '\n')
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	defer func() {
		if err != nil {
			for name := range all {
				os.Remove(at(name) + release.NewSuffix)
			}
		}
	}()
	for name, data := range all {
		if err := release.WriteNew(at(name), data); err != nil {
			return err
		}
	}
	if err := os.Remove(at(ReleaseFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, folder := range []string{"index", "sources", "environments"} {
		if err := all.sweep(dir, folder); err != nil {
			return err
		}
	}
	for _, name := range append(names, ReleaseFile) {
		if err := os.Rename(at(name)+release.NewSuffix, at(name)); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes what an earlier release left in a folder of the release.
func (c Contents) sweep(dir, folder string) error {
	var folders []string
	err := filepath.WalkDir(filepath.Join(dir, folder), func(p string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			folders = append(folders, p)
			return nil
		}
		relative, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		if _, keep := c[strings.TrimSuffix(filepath.ToSlash(relative), release.NewSuffix)]; keep {
			return nil
		}
		return os.Remove(p)
	})
	slices.Reverse(folders)
	for _, p := range folders {
		os.Remove(p) // only when it is empty
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Paths of a repository's files in a release.
func ArchivePath(repository string) string {
	return path.Join("sources", folderName(repository)+".tar.zst")
}
func IndexPath(repository string) string { return path.Join("index", folderName(repository)+".jsonl") }
func EnvironmentPath(repository string) string {
	return path.Join("environments", folderName(repository))
}

func folderName(repository string) string { return strings.Replace(repository, "/", "__", 1) }
