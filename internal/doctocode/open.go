package doctocode

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
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"touchstone/internal/benchmark"
)

// Names of the files of a release.
const (
	ReleaseFile      = "release.json"
	RepositoriesFile = "repositories.jsonl"
	TasksFile        = "tasks.jsonl"
	DroppedFile      = "dropped.jsonl"
	TimingsFile      = "timings.jsonl" // differs from build to build; not among Release.Files
)

// longestLine bounds a line of a release's files.
const longestLine = 64 << 20

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
	if err := d.check(); err != nil {
		return nil, err
	}
	if d.Repositories, err = readLines[Repository](dir, RepositoriesFile); err != nil {
		return nil, err
	}
	if d.Tasks, err = readLines[Task](dir, TasksFile); err != nil {
		return nil, err
	}
	if d.Dropped, err = readLines[Dropped](dir, DroppedFile); err != nil {
		return nil, err
	}
	return d, d.readTimings()
}

func (d *Dataset) check() error {
	for name, want := range d.Release.Files {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return &benchmark.InputError{File: ReleaseFile, Field: "files", Problem: fmt.Sprintf("%q leads out of the release", name)}
		}
		file, err := os.Open(filepath.Join(d.Dir, filepath.FromSlash(name)))
		if err != nil {
			return &benchmark.InputError{File: filepath.Join(d.Dir, name), Problem: "is missing", Mend: "build the release again, or copy it whole"}
		}
		sum := sha256.New()
		_, err = io.Copy(sum, file)
		file.Close()
		if err != nil {
			return err
		}
		if got := hex.EncodeToString(sum.Sum(nil)); got != want {
			return &benchmark.InputError{File: filepath.Join(d.Dir, name), Problem: "was changed since the release was made (its SHA-256 is " + got + ")",
				Mend: "restore it, or build the release again"}
		}
	}
	return nil
}

// readTimings: without the file, or where a test is not in it, a test counts as instant.
func (d *Dataset) readTimings() error {
	timings, err := readLines[Timing](d.Dir, TimingsFile)
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
	return readLines[*SourceFile](d.Dir, r.Index)
}

// ID is name@version.
func (r Release) ID() string { return r.Name + "@" + r.Version }

func readLines[T any](dir, name string) ([]T, error) {
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, longestLine)
	var values []T
	for n := 1; scanner.Scan(); n++ {
		var value T
		if err := json.Unmarshal(scanner.Bytes(), &value); err != nil {
			return nil, &benchmark.InputError{File: filepath.Join(dir, name), Line: n, Problem: err.Error(), Mend: "build the release again"}
		}
		values = append(values, value)
	}
	return values, scanner.Err()
}

// Contents are the files of a release while it is written: path → data.
type Contents map[string][]byte

// PutLines adds a file of JSON lines.
func PutLines[T any](c Contents, name string, values []T) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for _, v := range values {
		if err := encoder.Encode(v); err != nil {
			return err
		}
	}
	c[name] = b.Bytes()
	return nil
}

// Write puts the release into dir: every file whole or not at all, and
// release.json, which names them all with their SHA-256, last. Files of an
// earlier release in dir that this one does not have are removed.
func (c Contents) Write(dir string, release Release) error {
	release.Files = map[string]string{}
	names := make([]string, 0, len(c))
	for name, data := range c {
		names = append(names, name)
		if name != TimingsFile {
			sum := sha256.Sum256(data)
			release.Files[name] = hex.EncodeToString(sum[:])
		}
	}
	sort.Strings(names)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, ReleaseFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, folder := range []string{"index", "sources", "environments"} {
		if err := c.sweep(dir, folder); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := WriteFile(filepath.Join(dir, filepath.FromSlash(name)), c[name]); err != nil {
			return err
		}
	}
	data, err := json.MarshalIndent(release, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, ReleaseFile), append(data, '\n'))
}

// sweep removes what an earlier release left in a folder of the release.
func (c Contents) sweep(dir, folder string) error {
	root := filepath.Join(dir, folder)
	err := filepath.WalkDir(root, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		if _, keep := c[filepath.ToSlash(relative)]; keep {
			return nil
		}
		return os.Remove(p)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// WriteFile writes a file whole or not at all. Its temporary name is always
// the same, so that a process which is killed leaves nothing for long.
func WriteFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", data, 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
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
