// Package evaluation is the life of a submission on the site: its file is
// checked and queued, cut into units of work, handed out, its verdicts are
// recorded and, when the last is there, scored. The database is the truth;
// what a killed process had in flight is handed out again.
package evaluation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"touchstone/internal/blob"
	"touchstone/internal/dispatch"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/store"
)

// Config is what an engine works with.
type Config struct {
	Store    *store.Store
	Blobs    *blob.Store
	Queue    *dispatch.Queue
	Releases string        // folder of the imported releases
	Judges   []Judge       // every evaluator that this process can ask
	Executor *Executor     // nil: nothing is executed here
	Generate int           // units generated at once
	Backoff  time.Duration // before a failed unit's second attempt; it doubles; one second when 0
	Measures []measures.Computer
	Log      *slog.Logger
}

// An Engine evaluates submissions in the background while Run runs. Its other
// methods may be called at any time, by any number of goroutines.
type Engine struct {
	Config
	judges   map[uint64]Judge // by evaluator
	releases *releases
	docs     recentDocs
	pace     pace
	kick     chan struct{}
	// unmeasured is sent to when there is something new to measure.
	unmeasured chan struct{}
	// unscored is sent to when predictions wait for their scores.
	unscored  chan struct{}
	histories *histories

	mu  sync.Mutex
	out map[uint64]outstanding // units on their way
	// served is when an account last had a unit handed out.
	served map[uint64]time.Time
}

// New makes an engine and notes its evaluators in the database.
func New(ctx context.Context, c Config) (*Engine, error) {
	e := &Engine{
		Config: c, judges: map[uint64]Judge{}, releases: newReleases(c.Store, c.Releases), kick: make(chan struct{}, 1), unmeasured: make(chan struct{}, 1),
		unscored: make(chan struct{}, 1), histories: newHistories(c.Store, c.Releases),
		out: map[uint64]outstanding{}, served: map[uint64]time.Time{},
	}
	e.Generate = max(1, e.Generate)
	if e.Backoff == 0 {
		e.Backoff = time.Second
	}
	for i, j := range c.Judges {
		row, err := j.row(i)
		if err != nil {
			return nil, err
		}
		if err := c.Store.SyncEvaluator(ctx, &row); err != nil {
			return nil, fmt.Errorf("noting the evaluator %s: %w", j.Name(), err)
		}
		e.judges[row.ID] = j
	}
	return e, nil
}

// Run hands out work, does it and records it, until ctx ends.
func (e *Engine) Run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	start := func(what string, work func(context.Context) error) {
		all.Go(func() {
			if err := work(ctx); err != nil && ctx.Err() == nil {
				stop(fmt.Errorf("%s: %w", what, err))
			}
		})
	}
	start("results", func(ctx context.Context) error { return e.Queue.Results(ctx, e.record) })
	start("generating", func(ctx context.Context) error { return e.Queue.Work(ctx, dispatch.Generate, e.Generate, e.generate) })
	if e.Executor != nil {
		start("executing", func(ctx context.Context) error {
			return e.Queue.Work(ctx, dispatch.Execute, e.Executor.Workers(), e.Executor.Execute)
		})
	}
	start("handing out", e.handOut)
	start("dropping drafts", e.dropDrafts)
	start("measuring", e.measuring)
	start("scoring", e.scoring)
	<-ctx.Done()
	all.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// wake makes the engine look for work at once.
func (e *Engine) wake() {
	select {
	case e.kick <- struct{}{}:
	default:
	}
}

// Topic is where changes of a submission are announced, by its public id.
func Topic(submission string) string { return "submission." + submission }

// Everything is where changes of any submission are announced.
const Everything = "submissions"

// announce tells live pages that something has changed. They look it up.
func (e *Engine) announce(submission string) {
	e.Queue.Announce(Topic(submission), nil)
	e.Queue.Announce(Everything, []byte(submission))
}
