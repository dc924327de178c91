package evaluation

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"

	"touchstone/internal/benchmark"
	"touchstone/internal/cache"
	"touchstone/internal/dispatch"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/sandbox"
)

// An order is what an executor needs to know of a unit: no key, no database.
type order struct {
	Release    string  `json:"release"` // folder below the releases
	Repository string  `json:"repository"`
	Bodies     []asked `json:"bodies"`
}

type asked struct {
	Task   string `json:"task"`
	Sample int    `json:"sample"`
	Body   string `json:"body"`
}

// An executed body and what became of it.
type executed struct {
	Task    string          `json:"task"`
	Sample  int             `json:"sample"`
	Outcome execute.Outcome `json:"outcome"`
}

// An Executor runs bodies in the sandbox. It knows releases, and nothing of
// submissions.
type Executor struct {
	releases string
	box      sandbox.Sandbox
	workers  int
	log      *slog.Logger
	spaces   *workspaces

	mu   sync.Mutex
	open map[string]*doctocode.Dataset
}

// NewExecutor makes an executor of a number of workers over the folder of releases.
func NewExecutor(releases string, files *cache.Folder, box sandbox.Sandbox, workers int, log *slog.Logger) *Executor {
	x := &Executor{releases: releases, box: box, workers: workers, log: log, open: map[string]*doctocode.Dataset{}}
	x.spaces = newWorkspaces(func(ctx context.Context, key space) (*execute.Runner, error) {
		d, err := x.dataset(key.release)
		if err != nil {
			return nil, err
		}
		w, err := execute.PrepareFrom(ctx, d, key.repository, files)
		if err != nil {
			return nil, err
		}
		if err := w.Warm(ctx, box); err != nil {
			return nil, fmt.Errorf("collecting the tests of %s: %w", key.repository, err)
		}
		return w.NewRunner(box, workers, d.TasksOf(key.repository))
	})
	return x
}

// Workers is how many units it executes at once.
func (x *Executor) Workers() int { return x.workers }

// Close ends every sandbox. No Execute may be under way.
func (x *Executor) Close() { x.spaces.close() }

func (x *Executor) dataset(release string) (*doctocode.Dataset, error) {
	if release == "" || filepath.Base(release) != release {
		return nil, fmt.Errorf("%q is not a folder of a release", release)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if d := x.open[release]; d != nil {
		return d, nil
	}
	d, err := doctocode.OpenDataset(filepath.Join(x.releases, release))
	if err == nil {
		x.open[release] = d
	}
	return d, err
}

// Execute runs the bodies of a unit, one after the other. An error means that
// the machine failed, not a body.
func (x *Executor) Execute(ctx context.Context, u dispatch.Unit) ([]byte, error) {
	var o order
	if err := json.Unmarshal(u.Data, &o); err != nil {
		return nil, fmt.Errorf("reading the order: %w", err)
	}
	d, err := x.dataset(o.Release)
	if err != nil {
		return nil, dispatch.Retry(err)
	}
	tasks := map[string]doctocode.Task{}
	for _, t := range d.TasksOf(o.Repository) {
		tasks[t.ID] = t
	}
	done := make([]executed, 0, len(o.Bodies))
	if len(o.Bodies) > 0 {
		runner, release, err := x.spaces.get(ctx, space{o.Release, o.Repository})
		if err != nil {
			return nil, dispatch.Retry(err)
		}
		defer release()
		for _, b := range o.Bodies {
			t, ok := tasks[b.Task]
			if !ok {
				return nil, fmt.Errorf("the release has no task %s", b.Task)
			}
			outcome, err := runner.RunPatiently(ctx, execute.Candidate{
				Task: t.ID, Body: b.Body, Tests: t.Tests, Strategy: t.Strategy, Wall: execute.Wall(d.Seconds(o.Repository, t.Tests)),
			})
			if err != nil {
				return nil, dispatch.Retry(fmt.Errorf("%s, sample %d: %w", b.Task, b.Sample, err))
			}
			if outcome.Verdict == benchmark.InfraError {
				return nil, dispatch.Retry(fmt.Errorf("%s, sample %d: %s", b.Task, b.Sample, outcome.Detail))
			}
			done = append(done, executed{b.Task, b.Sample, outcome})
		}
	}
	return json.Marshal(done)
}
