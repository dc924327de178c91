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
	Jobs    count  `help:"Candidates run at once, at most 16 for each processor; default one for each." short:"j" placeholder:"N"`
}

// jobsPerProcessor bounds --jobs: more only take memory from each other.
const jobsPerProcessor = 16

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
	jobs, err := f.workers(runtime.NumCPU())
	if err != nil {
		return nil, err
	}
	w := &workshop{jobs: jobs, meter: p.stderr, temporary: os.Getenv("TMPDIR")}
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
		return nil, advised(err)
	}
	if n, err := w.box.Reap(ctx); err != nil {
		p.log.Warn("what earlier runs left behind could not be removed", "sandbox", w.box.Name(), "error", err)
	} else if n > 0 {
		p.log.Info("removed what killed runs left behind", "sandbox", w.box.Name(), "count", n)
	}
	return w, nil
}

// workers is how many candidates run at once on a machine with so many processors.
func (f workshopFlags) workers(processors int) (int, error) {
	most := jobsPerProcessor * processors
	switch {
	case f.Jobs == 0:
		return processors, nil
	case int(f.Jobs) > most:
		return 0, usageError(fmt.Sprintf("--jobs: %d is more than this machine can use; give at most %d (%d for each of %d processors)",
			f.Jobs, most, jobsPerProcessor, processors))
	}
	return int(f.Jobs), nil
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
