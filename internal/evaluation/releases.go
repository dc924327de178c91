package evaluation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/localization"
	"touchstone/internal/store"
)

// Import copies a release of either track into the folder of releases and notes
// it in the database. One that is there already is left as it is, if it is the
// same; a different one of the same name and version is a *benchmark.InputError.
func Import(ctx context.Context, s *store.Store, folder, from string) (store.Release, error) {
	manifest, err := os.ReadFile(filepath.Join(from, doctocode.ReleaseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return store.Release{}, &benchmark.InputError{File: from, Problem: "holds no release (there is no " + doctocode.ReleaseFile + ")",
			Mend: "give the folder that `touchstone dataset build --out` or `touchstone localization build --out` wrote"}
	}
	if err != nil {
		return store.Release{}, err
	}
	r, add, err := readRelease(from, manifest)
	if err != nil {
		return store.Release{}, err
	}
	sum := sha256.Sum256(manifest)
	identity := hex.EncodeToString(sum[:])
	known, err := s.ReleaseByLabel(ctx, r.Track, r.Name, r.Version)
	if err == nil {
		if known.SHA256 != identity {
			return known, &benchmark.InputError{Field: "version", Problem: r.Label() + " is imported already, with other content",
				Mend: "a release never changes: give the new one another version"}
		}
		return known, nil
	}
	if !errors.Is(err, store.ErrNotFound) {
		return known, err
	}
	name := identity[:24]
	if err := copyFolder(from, filepath.Join(folder, name)); err != nil {
		return known, fmt.Errorf("copying the release: %w", err)
	}
	r.Dir, r.SHA256 = name, identity
	return r, add(ctx, s, &r)
}

// readRelease opens a release of the track that its manifest names: its row, and what
// keeps it with everything that belongs to it.
func readRelease(from string, manifest []byte) (store.Release, func(context.Context, *store.Store, *store.Release) error, error) {
	var of struct {
		Track benchmark.Track `json:"track"`
	}
	// What is no JSON at all is named by the reader of the track below.
	if err := json.Unmarshal(manifest, &of); err == nil && of.Track == benchmark.Localization {
		d, err := localization.OpenDataset(from)
		if err != nil {
			return store.Release{}, nil, err
		}
		r, tasks, drops, facts := localizationRows(d, manifest)
		return r, func(ctx context.Context, s *store.Store, r *store.Release) error {
			return s.AddLocalizationRelease(ctx, r, tasks, drops, facts)
		}, nil
	}
	d, err := doctocode.OpenDataset(from)
	if err != nil {
		return store.Release{}, nil, err
	}
	r, tasks, drops, err := rows(d)
	return r, func(ctx context.Context, s *store.Store, r *store.Release) error {
		return s.AddRelease(ctx, r, tasks, drops)
	}, err
}

// copyFolder copies all or nothing; a copy that is there already is kept.
func copyFolder(from, to string) error {
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(to), ".part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	copied := filepath.Join(part, "release")
	if err := os.CopyFS(copied, os.DirFS(from)); err != nil {
		return err
	}
	if err := os.Rename(copied, to); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// rows are a release as the database keeps it.
func rows(d *doctocode.Dataset) (store.Release, []store.Task, []store.Drop, error) {
	r := store.Release{
		Track: d.Release.Track, Name: d.Release.Name, Version: d.Release.Version, Context: d.Release.Context, Prompt: d.Release.Prompt,
		ToolVersion: d.Release.ToolVersion, Candidates: d.Release.Counts.Candidates, AllTasks: d.Release.Counts.AllTasks,
		Targets: d.Release.Counts.Targets, Tasks: d.Release.Counts.Tasks, Tests: d.Release.Counts.Tests,
	}
	place := map[string]uint64{}
	for i, repository := range d.Repositories {
		c := repository.Counts
		place[repository.Name] = uint64(i)
		r.Repositories = append(r.Repositories, store.Repository{
			Name: repository.Name, Source: repository.Source, Commit: repository.Commit, License: repository.License, Python: repository.Python,
			Candidates: c.Candidates, AllTasks: c.AllTasks, Targets: c.Targets, Tasks: c.Tasks, Tests: c.Tests,
		})
	}
	var tasks []store.Task
	for i, t := range d.Tasks {
		id, err := benchmark.ParseTaskID(t.ID)
		if err != nil {
			return r, nil, nil, err
		}
		tasks = append(tasks, store.Task{
			RepositoryID: place[id.Repository], Key: t.ID, Position: i, Tests: len(t.Tests),
			Seconds: d.Seconds(id.Repository, t.Tests), Strategy: string(t.Strategy),
		})
	}
	var drops []store.Drop
	for _, drop := range d.Dropped {
		drops = append(drops, store.Drop{Repository: drop.Repository, Kind: drop.Kind, Key: drop.ID, Reason: drop.Reason, Detail: drop.Detail})
	}
	return r, tasks, drops, nil
}

// An Opened release is one on disk and in the database.
type Opened struct {
	Row     store.Release
	Dataset *doctocode.Dataset
	Tasks   []store.Task // by position
	byKey   map[string]int
	byID    map[uint64]int
}

// Task is the database's row of a task of the release.
func (o *Opened) Task(key string) (store.Task, bool) {
	i, ok := o.byKey[key]
	if !ok {
		return store.Task{}, false
	}
	return o.Tasks[i], true
}

// TaskByID is the database's row of a task of the release.
func (o *Opened) TaskByID(id uint64) (store.Task, bool) {
	i, ok := o.byID[id]
	if !ok {
		return store.Task{}, false
	}
	return o.Tasks[i], true
}

// releases are opened once and kept: a release never changes.
type releases struct {
	store  *store.Store
	folder string
	mu     sync.Mutex
	open   map[uint64]*Opened
}

func newReleases(s *store.Store, folder string) *releases {
	return &releases{store: s, folder: folder, open: map[uint64]*Opened{}}
}

func (r *releases) get(ctx context.Context, id uint64) (*Opened, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if o := r.open[id]; o != nil {
		return o, nil
	}
	row, err := r.store.Release(ctx, id)
	if err != nil {
		return nil, err
	}
	d, err := doctocode.OpenDataset(filepath.Join(r.folder, row.Dir))
	if err != nil {
		return nil, err
	}
	tasks, err := r.store.Tasks(ctx, id)
	if err != nil {
		return nil, err
	}
	o := &Opened{Row: row, Dataset: d, Tasks: tasks, byKey: make(map[string]int, len(tasks)), byID: make(map[uint64]int, len(tasks))}
	for i, t := range tasks {
		o.byKey[t.Key], o.byID[t.ID] = i, i
	}
	r.open[id] = o
	return o, nil
}

// Release opens an imported release.
func (e *Engine) Release(ctx context.Context, id uint64) (*Opened, error) {
	return e.releases.get(ctx, id)
}
