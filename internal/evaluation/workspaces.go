package evaluation

import (
	"context"
	"sync"
	"time"

	"touchstone/internal/doctocode/execute"
)

const (
	keptIdle = 4                // workspaces that stay warm without work
	idleFor  = 90 * time.Second // and for how long
)

// A space names a workspace.
type space struct{ release, repository string }

// workspaces keeps the sandboxes of repositories warm between units.
type workspaces struct {
	make  func(context.Context, space) (*execute.Runner, error)
	mu    sync.Mutex
	open  map[space]*warm
	timer *time.Timer
}

type warm struct {
	ready  chan struct{} // closed when runner or err is set
	runner *execute.Runner
	err    error
	users  int
	used   time.Time
}

func newWorkspaces(make func(context.Context, space) (*execute.Runner, error)) *workspaces {
	w := &workspaces{make: make, open: map[space]*warm{}}
	w.timer = time.AfterFunc(idleFor, w.tidy)
	return w
}

// get returns a repository's runner, made by the first who asks, and what
// hands it back.
func (w *workspaces) get(ctx context.Context, key space) (*execute.Runner, func(), error) {
	w.mu.Lock()
	entry := w.open[key]
	if entry == nil {
		entry = &warm{ready: make(chan struct{})}
		w.open[key] = entry
		go w.prepare(context.WithoutCancel(ctx), key, entry) // who waits next still wants it
	}
	entry.users++
	w.mu.Unlock()
	release := func() {
		w.mu.Lock()
		entry.users--
		entry.used = time.Now()
		w.mu.Unlock()
	}
	select {
	case <-entry.ready:
	case <-ctx.Done():
		release()
		return nil, nil, context.Cause(ctx)
	}
	if entry.err != nil {
		release()
		return nil, nil, entry.err
	}
	return entry.runner, release, nil
}

func (w *workspaces) prepare(ctx context.Context, key space, entry *warm) {
	runner, err := w.make(ctx, key)
	w.mu.Lock()
	defer w.mu.Unlock()
	entry.runner, entry.err = runner, err
	if err != nil {
		delete(w.open, key) // the next attempt begins anew
	}
	close(entry.ready)
}

// tidy closes what nobody has used for a while, and the oldest of too many.
func (w *workspaces) tidy() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer == nil {
		return
	}
	for {
		var oldest space
		var found *warm
		idle := 0
		for key, entry := range w.open {
			if entry.users > 0 || entry.runner == nil {
				continue
			}
			idle++
			if found == nil || entry.used.Before(found.used) {
				oldest, found = key, entry
			}
		}
		if found == nil || idle <= keptIdle && time.Since(found.used) < idleFor {
			break
		}
		delete(w.open, oldest)
		found.runner.Close()
	}
	w.timer.Reset(idleFor / 6)
}

func (w *workspaces) close() {
	w.mu.Lock()
	w.timer.Stop()
	w.timer = nil
	open := w.open
	w.open = map[space]*warm{}
	w.mu.Unlock()
	for _, entry := range open {
		<-entry.ready
		if entry.runner != nil {
			entry.runner.Close()
		}
	}
}
