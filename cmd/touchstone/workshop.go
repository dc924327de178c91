package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"touchstone/internal/cache"
	"touchstone/internal/sandbox"
)

// workshopFlags say where and on how many workers untrusted code runs.
type workshopFlags struct {
	Sandbox string `help:"Where untrusted code runs: local (Linux namespaces), docker, or auto (the first that works)." enum:"auto,local,docker" default:"auto" env:"TOUCHSTONE_SANDBOX"`
	Image   string `help:"Base image of the docker sandbox." default:"touchstone-base:bookworm" env:"TOUCHSTONE_IMAGE"`
	Cache   string `help:"Folder for environments and other derived files; default the user's cache folder." type:"path" placeholder:"DIR" env:"TOUCHSTONE_CACHE"`
	Jobs    int    `help:"Candidates run at once; default the number of processors." short:"j" placeholder:"N"`
}

// workshop is what commands that run untrusted code work with.
type workshop struct {
	box   sandbox.Sandbox
	cache *cache.Folder
	jobs  int
	meter *meter

	temporary string // TMPDIR before
}

// open tries the sandbox for real, and removes what killed runs left behind.
func (f workshopFlags) open(ctx context.Context, p *place) (*workshop, error) {
	w := &workshop{jobs: f.Jobs, meter: newMeter(p.stderr), temporary: os.Getenv("TMPDIR")}
	if w.jobs < 0 {
		return nil, usageError(fmt.Sprintf("--jobs: %d is less than 1", w.jobs))
	}
	if w.jobs == 0 {
		w.jobs = runtime.NumCPU()
	}
	var err error
	if w.cache, err = f.openCache(); err != nil {
		return nil, err
	}
	// Whatever makes temporary files, pip included, makes them where the next process sweeps.
	temporary, _, err := w.cache.Temporary()
	if err == nil {
		err = os.Setenv("TMPDIR", temporary)
	}
	if err != nil {
		w.close()
		return nil, err
	}
	if w.box, err = sandbox.Open(ctx, f.Sandbox, sandbox.DockerConfig{Image: f.Image}); err != nil {
		w.close()
		return nil, err
	}
	if n, err := w.box.Reap(ctx); err != nil {
		p.log.Warn("what earlier runs left behind could not be removed", "sandbox", w.box.Name(), "error", err)
	} else if n > 0 {
		p.log.Info("removed what killed runs left behind", "sandbox", w.box.Name(), "count", n)
	}
	return w, nil
}

func (f workshopFlags) openCache() (*cache.Folder, error) {
	if f.Cache != "" {
		return cache.Open(f.Cache)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("no cache folder: %w; give one with --cache", err)
	}
	return cache.Open(filepath.Join(dir, "touchstone"))
}

func (w *workshop) close() {
	w.meter.close()
	os.Setenv("TMPDIR", w.temporary)
	w.cache.Close()
}
