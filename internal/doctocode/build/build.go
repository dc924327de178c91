// Package build makes benchmark releases out of Python repositories: it
// fetches the source, makes an environment, runs and traces the tests, keeps
// the functions that tests discriminate, and proves for each how it can be
// executed fast.
package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/environment"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/release"
	"touchstone/internal/sandbox"
)

// format changes when the same input would give another release.
const format = 3

// Options say what is built, where, and with what.
type Options struct {
	Recipe   Recipe
	Out      string
	Cache    *cache.Folder
	Sandbox  sandbox.Sandbox
	Workers  int
	Tool     string // version of this program, recorded in the release
	Limits   Limits // the zero value is the defaults
	Progress func(repository, step string, done, total int)
}

// A Result is what a build has made.
type Result struct {
	Release      doctocode.Release
	Repositories []RepositoryResult
}

// RepositoryResult is what became of one repository.
type RepositoryResult struct {
	Name   string
	Counts doctocode.Counts
	Notes  []string
	Failed string // why it is not in the release; "" when it is
}

// Build makes the release in o.Out, a folder that is absent, empty or holds an
// unfinished build: that goes on where it was when the options are the same. A
// repository that cannot be used is named in the release with its reason; when
// none can be, there is no release and the error is a *SuiteError.
func Build(ctx context.Context, o Options) (Result, error) {
	for _, r := range o.Recipe.Repositories {
		_, err := ParseSource(r.Source, r.Commit)
		if err == nil {
			_, err = environment.FindPython(ctx, r.Python)
		}
		if err != nil {
			return Result{}, fmt.Errorf("%s: %w", r.Name, err)
		}
	}
	work, release, err := openWork(o.Out)
	if err != nil {
		return Result{}, err
	}
	defer release()
	o.Workers = max(1, o.Workers)
	result := Result{Release: doctocode.Release{
		Format: 1, Name: o.Recipe.Release.Name, Version: o.Recipe.Release.Version, Track: benchmark.DocToCode,
		Context: o.Recipe.Release.Context, Prompt: "a2-v1", MaxSeconds: o.Recipe.Release.MaxSeconds, ToolVersion: o.Tool,
		Counts: doctocode.Counts{Dropped: map[string]int{}},
	}}
	contents := doctocode.Contents{}
	lines := releaseLines{}
	for _, r := range o.Recipe.Repositories {
		one, err := buildRepository(ctx, o, r, work, contents, &lines)
		if err != nil {
			dropped, own := unusable(r.Name, err)
			if !own {
				return result, fmt.Errorf("%s: %w", r.Name, err)
			}
			lines.dropped = append(lines.dropped, dropped)
			one = RepositoryResult{Name: r.Name, Failed: err.Error()}
			result.Release.Counts.Dropped[doctocode.ReasonRepository]++
		}
		result.Repositories = append(result.Repositories, one)
		result.Release.Counts.Add(one.Counts)
	}
	if len(lines.tasks) == 0 {
		return result, &SuiteError{noTask(result.Repositories)}
	}
	if err := lines.put(contents); err != nil {
		return result, err
	}
	if err := contents.Write(o.Out, result.Release); err != nil {
		return result, err
	}
	return result, os.RemoveAll(work)
}

// noTask says why nothing is left to make a release of.
func noTask(repositories []RepositoryResult) string {
	if len(repositories) > 1 {
		return "no task is left in any repository"
	}
	r := repositories[0]
	switch {
	case r.Failed != "":
		return r.Failed
	case r.Counts.Targets == 0:
		return "no function outside the tests is reached by a passing test"
	}
	var reasons []string
	for _, reason := range slices.Sorted(maps.Keys(r.Counts.Dropped)) {
		reasons = append(reasons, fmt.Sprintf("%s %d", reason, r.Counts.Dropped[reason]))
	}
	return fmt.Sprintf("none of %d functions is left as a task (%s)", r.Counts.Targets, strings.Join(reasons, ", "))
}

// planned is what the journal keeps of an environment plan, beside the packed
// source and the lock.
type planned struct {
	PythonPath []string           `json:"python_path"`
	PytestArgs []string           `json:"pytest_args"`
	Metadata   doctocode.Metadata `json:"metadata"`
	License    string             `json:"license"`
	Commit     string             `json:"commit"`
	Notes      []string           `json:"notes"`
	Left       []Uncollected      `json:"left"`
}

// Names in a repository's journal.
const (
	journalSource = "source.tar.zst"
	journalLock   = "environment"
	journalTree   = "tree"
)

func buildRepository(ctx context.Context, o Options, r RepositoryRecipe, work string, contents doctocode.Contents, lines *releaseLines) (RepositoryResult, error) {
	started := time.Now()
	progress := func(step string, done, total int) { o.Progress(r.Name, step, done, total) }
	folder := environment.FolderName(r.Name)
	spec, err := ParseSource(r.Source, r.Commit)
	if err != nil {
		return RepositoryResult{}, err
	}
	progress("source", 0, 1)
	fetched := filepath.Join(work, folder+".source")
	if err := os.RemoveAll(fetched); err != nil {
		return RepositoryResult{}, err
	}
	defer os.RemoveAll(fetched)
	source, err := Fetch(ctx, spec, fetched)
	if err != nil {
		return RepositoryResult{}, err
	}
	key, err := sourceKey(source, r, o)
	if err != nil {
		return RepositoryResult{}, err
	}
	j, err := openJournal(filepath.Join(work, folder), key)
	if err != nil {
		return RepositoryResult{}, err
	}
	python, err := environment.FindPython(ctx, r.Python)
	if err != nil {
		return RepositoryResult{}, err
	}
	plan, err := once(j, "plan", func() (planned, error) {
		return makePlan(ctx, o, r, python, source, j.dir, progress)
	})
	if err != nil {
		return RepositoryResult{}, err
	}
	lock, err := environment.ReadLockFile(filepath.Join(j.dir, journalLock))
	if err != nil {
		return RepositoryResult{}, err
	}
	archive, tree := filepath.Join(j.dir, journalSource), filepath.Join(j.dir, journalTree)
	if err := unpack(archive, tree); err != nil {
		return RepositoryResult{}, err
	}
	record := doctocode.Repository{
		Name: r.Name, Source: source.Spec.Public(), Commit: plan.Commit, License: plan.License, Python: lock.Python, AnyPython: r.AnyPython,
		Requirement: doctocode.EnvironmentPath(r.Name) + "/requirements.lock", Archive: doctocode.ArchivePath(r.Name), Index: doctocode.IndexPath(r.Name),
		PythonPath: plan.PythonPath, PytestArgs: plan.PytestArgs, Metadata: plan.Metadata,
	}
	workspace, err := execute.Prepare(ctx, execute.Preparation{
		Repository: record, Tree: tree, Python: python, Lock: lock, Cache: o.Cache,
	})
	if err != nil {
		return RepositoryResult{}, err
	}
	b := &builder{name: r.Name, box: o.Sandbox, workspace: workspace, journal: j, progress: progress, workers: o.Workers,
		maxSeconds: o.Recipe.Release.MaxSeconds, limits: o.Limits.withDefaults(), deselect: r.Deselect, left: plan.Left}
	f, err := b.build(ctx)
	if err != nil {
		return RepositoryResult{}, err
	}
	record.Counts = f.Counts
	if len(f.Tasks) > 0 {
		if err := keepFiles(contents, r.Name, j.dir, f.Index); err != nil {
			return RepositoryResult{}, err
		}
	}
	lines.repositories = append(lines.repositories, record)
	lines.tasks = append(lines.tasks, f.Tasks...)
	lines.dropped = append(lines.dropped, f.Dropped...)
	for _, id := range testsOf(f.Tasks) {
		lines.timings = append(lines.timings, doctocode.Timing{Repository: r.Name, Test: id, Seconds: f.Seconds[id]})
	}
	lines.timings = append(lines.timings, doctocode.Timing{Repository: r.Name, Step: "build", Seconds: time.Since(started).Seconds()})
	return RepositoryResult{Name: r.Name, Counts: f.Counts, Notes: append(plan.Notes, f.Notes...)}, nil
}

func makePlan(ctx context.Context, o Options, r RepositoryRecipe, python environment.Python, source Source, dir string, progress Progress) (planned, error) {
	p, err := PlanEnvironment(ctx, PlanInput{Sandbox: o.Sandbox, Python: python, Source: source, Recipe: r,
		CacheDir: o.Cache.Path("environments", ""), Limits: o.Limits, Progress: progress})
	if err != nil {
		return planned{}, err
	}
	if len(p.Tests) == 0 {
		// Not kept: what is missing may be there the next time.
		return planned{}, &SuiteError{"no test was collected" + because(p.Notes)}
	}
	var notes []string
	for _, n := range p.Notes {
		notes = append(notes, n.String())
	}
	var packed bytes.Buffer
	if err := doctocode.PackTree(source.Dir, &packed); err != nil {
		return planned{}, err
	}
	if err := release.WriteFile(filepath.Join(dir, journalSource), packed.Bytes()); err != nil {
		return planned{}, err
	}
	lock := environment.NewLockFile(p.Python, p.Requirements, p.Lock)
	lock.Wheels = p.Wheels
	if err := lock.Write(filepath.Join(dir, journalLock)); err != nil {
		return planned{}, err
	}
	return planned{PythonPath: p.PythonPath, PytestArgs: p.PytestArgs, Metadata: p.Metadata, License: p.License, Commit: source.Commit,
		Notes: notes, Left: p.Uncollected}, nil
}

// because are the notes of a collection that found nothing.
func because(notes []Note) string {
	if len(notes) == 0 {
		return ""
	}
	var words []string
	for _, n := range notes {
		if n.Step == "collection" {
			n.Step = ""
		}
		words = append(words, n.String())
	}
	return ": " + strings.Join(words, "; ")
}

// sourceKey names everything that determines a repository's part of the release.
func sourceKey(s Source, r RepositoryRecipe, o Options) (string, error) {
	var tree bytes.Buffer
	if err := doctocode.PackTree(s.Dir, &tree); err != nil {
		return "", err
	}
	r.Source, r.Notes = "", ""
	data, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%d %s %s %g %s\n%s\n", format, o.Tool, o.Sandbox.Name(), o.Recipe.Release.MaxSeconds, s.Commit, data)
	sum.Write(tree.Bytes())
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func unpack(archive, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	return doctocode.UnpackTree(file, dir)
}

// keepFiles puts the packed source, the lock with the wheels built for it, and
// the index into the release.
func keepFiles(c doctocode.Contents, repository, journal string, index []*doctocode.SourceFile) error {
	var err error
	if c[doctocode.ArchivePath(repository)], err = os.ReadFile(filepath.Join(journal, journalSource)); err != nil {
		return err
	}
	locks := os.DirFS(filepath.Join(journal, journalLock))
	err = fs.WalkDir(locks, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(locks, name)
		c[doctocode.EnvironmentPath(repository)+"/"+name] = data
		return err
	})
	if err != nil {
		return err
	}
	return doctocode.PutLines(c, doctocode.IndexPath(repository), index)
}

// testsOf are the tests that any task uses, each once, in order of first use.
func testsOf(tasks []doctocode.Task) []string {
	seen := map[string]bool{}
	var all []string
	for _, t := range tasks {
		for _, id := range t.Tests {
			if !seen[id] {
				seen[id] = true
				all = append(all, id)
			}
		}
	}
	return all
}
