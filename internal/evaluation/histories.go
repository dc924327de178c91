package evaluation

import (
	"context"
	"path/filepath"
	"sync"

	"touchstone/internal/localization"
	"touchstone/internal/store"
)

// localizationRows are a release of the localization track as the database
// keeps it.
func localizationRows(d *localization.Dataset, manifest []byte) (store.Release, []store.Task, []store.Drop, store.LocalizationFacts) {
	c := d.Release.Counts
	r := store.Release{Track: d.Release.Track, Name: d.Release.Name, Version: d.Release.Version,
		ToolVersion: d.Release.ToolVersion, Candidates: c.PullRequests, Tasks: c.Tasks}
	facts := store.LocalizationFacts{Release: store.LocalizationRelease{Commits: c.Commits, PullRequests: c.PullRequests, Gold: c.Gold, Files: c.Files,
		Dropped: c.Dropped, Manifest: manifest}}
	place := map[string]uint64{}
	for i, repository := range d.Repositories {
		c := repository.Counts
		place[repository.Name] = uint64(i)
		r.Repositories = append(r.Repositories, store.Repository{Name: repository.Name, Source: repository.Source, Commit: repository.Snapshot,
			Candidates: c.PullRequests, Tasks: c.Tasks})
		facts.Repositories = append(facts.Repositories, store.LocalizationRepository{T0: repository.T0, T1: repository.T1, Snapshot: repository.Snapshot,
			Head: repository.Head, Commits: c.Commits, PullRequests: c.PullRequests, Gold: c.Gold, Files: c.Files, Dropped: c.Dropped})
	}
	var tasks []store.Task
	for i, t := range d.Tasks {
		tasks = append(tasks, store.Task{RepositoryID: place[t.Repository], Key: t.ID, Position: i})
		own := store.LocalizationTask{Number: t.Number, Commit: t.Commit, Base: t.Base, MergedAt: t.MergedAt, Added: t.Added}
		for _, g := range t.Gold {
			own.Gold = append(own.Gold, store.GoldFile{Path: g.Path, Label: string(g.Label)})
		}
		if len(t.Prompts) > 0 {
			r.Prompt = d.Release.Prompts.Writer // stays empty where the texts are left out
			own.Prompts = map[string]string{}
			for level, text := range t.Prompts {
				own.Prompts[string(level)] = text
			}
		}
		facts.Tasks = append(facts.Tasks, own)
	}
	var drops []store.Drop
	for _, drop := range d.Dropped {
		drops = append(drops, store.Drop{Repository: drop.Repository, Kind: "pull request", Key: localization.TaskID(drop.Repository, drop.Number), Reason: drop.Reason, Detail: drop.Detail})
	}
	return r, tasks, drops, facts
}

// A History is an imported release of the localization track, on disk and in
// the database.
type History struct {
	Row     store.Release
	Dataset *localization.Dataset
	ids     map[string]uint64 // instance id → task
	keys    map[uint64]string
}

// histories are opened once and kept: a release never changes.
type histories struct {
	store  *store.Store
	folder string
	mu     sync.Mutex
	open   map[uint64]*History
}

func newHistories(s *store.Store, folder string) *histories {
	return &histories{store: s, folder: folder, open: map[uint64]*History{}}
}

func (h *histories) get(ctx context.Context, id uint64) (*History, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if o := h.open[id]; o != nil {
		return o, nil
	}
	row, err := h.store.Release(ctx, id)
	if err != nil {
		return nil, err
	}
	d, err := localization.OpenDataset(filepath.Join(h.folder, row.Dir))
	if err != nil {
		return nil, err
	}
	tasks, err := h.store.Tasks(ctx, id)
	if err != nil {
		return nil, err
	}
	o := &History{Row: row, Dataset: d, ids: make(map[string]uint64, len(tasks)), keys: make(map[uint64]string, len(tasks))}
	for _, t := range tasks {
		o.ids[t.Key], o.keys[t.ID] = t.ID, t.Key
	}
	h.open[id] = o
	return o, nil
}

// History opens an imported release of the localization track.
func (e *Engine) History(ctx context.Context, id uint64) (*History, error) {
	return e.histories.get(ctx, id)
}
