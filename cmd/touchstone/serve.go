package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"touchstone/data"
	"touchstone/internal/account"
	"touchstone/internal/blob"
	"touchstone/internal/dispatch"
	"touchstone/internal/doctocode/bertscore"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
	"touchstone/internal/llm"
	"touchstone/internal/store"
	"touchstone/web"
)

// siteFlags say where a site keeps what it knows.
type siteFlags struct {
	Data     string `help:"Folder of the site: database, uploads, releases." type:"path" default:"touchstone-data" placeholder:"DIR" env:"TOUCHSTONE_DATA"`
	Database string `help:"postgres:// address of a database, instead of SQLite in the data folder." placeholder:"URL" env:"TOUCHSTONE_DATABASE"`
}

func (f siteFlags) openStore(ctx context.Context) (*store.Store, error) {
	if f.Database != "" {
		return store.Open(ctx, f.Database)
	}
	if err := os.MkdirAll(f.Data, 0o700); err != nil {
		return nil, err
	}
	return store.Open(ctx, filepath.Join(f.Data, "touchstone.db"))
}

func (f siteFlags) releases() string { return filepath.Join(f.Data, "releases") }

type serveCommand struct {
	siteFlags
	Listen   string `help:"Address to listen on." default:"127.0.0.1:8080" placeholder:"ADDR" env:"TOUCHSTONE_LISTEN"`
	Demo     bool   `help:"Open submissions to anyone on this machine; upload the samples of the starter release and evaluate them."`
	Config   string `help:"A TOML file with evaluators." type:"existingfile" placeholder:"FILE" env:"TOUCHSTONE_EVALUATORS"`
	Judge    string `help:"The model of the configuration that grades how much docstrings help; default none." placeholder:"NAME" env:"TOUCHSTONE_JUDGE"`
	NATS     string `help:"Address of a NATS server that distributes the work; default one inside this process." placeholder:"URL" env:"TOUCHSTONE_NATS"`
	Requests int    `help:"Units of work for which replies are asked at once." default:"4" placeholder:"N"`
	Proxied  bool   `help:"A reverse proxy stands in front: believe its X-Forwarded-For." env:"TOUCHSTONE_PROXIED"`
	workshopFlags
}

func (serveCommand) Help() string {
	return `Examples:

    touchstone serve --demo
    touchstone serve --data /srv/touchstone --listen :8080 --config evaluators.toml

An evaluator of the configuration takes part when its key is set and it is
enabled: touchstone admin evaluator enable NAME.`
}

func (c serveCommand) Run(ctx context.Context, p *place) error {
	w, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer w.close()
	db, err := c.openStore(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := evaluation.ImportPublished(ctx, db, data.Published()); err != nil {
		return fmt.Errorf("importing the published tables: %w", err)
	}
	blobs, err := blob.Open(ctx, filepath.Join(c.Data, "blobs"))
	if err != nil {
		return err
	}
	defer blobs.Close()
	queue, err := dispatch.Open(ctx, dispatch.Config{URL: c.NATS, Log: p.log})
	if err != nil {
		return err
	}
	defer queue.Close()
	judges, err := c.judges(w, p)
	if err != nil {
		return err
	}
	executor := evaluation.NewExecutor(c.releases(), w.cache, w.box, w.jobs, p.log)
	defer executor.Close()
	judge, err := c.judge(w, p)
	if err != nil {
		return err
	}
	computers, release := c.computers(w, judge)
	defer release()
	engine, err := evaluation.New(ctx, evaluation.Config{
		Store: db, Blobs: blobs, Queue: queue, Releases: c.releases(), Judges: judges, Executor: executor, Generate: c.Requests, Log: p.log,
		Measures: computers,
	})
	if err != nil {
		return err
	}
	if err := c.histories(ctx, p, w, db, engine); err != nil {
		return fmt.Errorf("preparing the localization track: %w", err)
	}
	config := web.Config{
		Store: db, Engine: engine, Boards: leaderboard.NewBoards(db), Accounts: account.New(db), Proxies: c.Proxied, Version: version(), Log: p.log,
	}
	if c.Demo {
		if config.Local, err = c.demo(ctx, w, db, engine); err != nil {
			return fmt.Errorf("preparing the demonstration: %w", err)
		}
	}
	return c.run(ctx, p, engine, web.New(config))
}

// computers are all that fill the catalogue of measures, and what lets their
// models go.
func (c serveCommand) computers(w *workshop, judge measures.Helpfulness) (all []measures.Computer, release func()) {
	all = append(measures.Computers(w.box, w.cache), judge)
	var scorers []*bertscore.Scorer
	for _, u := range bertscore.Kinds {
		scorers = append(scorers, &bertscore.Scorer{Kind: u.Kind, Models: modelsDir(c.Data), Box: w.box, Cache: w.cache})
	}
	return append(all, measures.Similarities(scorers...)...), func() {
		for _, s := range scorers {
			s.Close()
		}
	}
}

// judge is the model that grades docstrings, where one is named.
func (c serveCommand) judge(w *workshop, p *place) (measures.Helpfulness, error) {
	if c.Judge == "" {
		return measures.Helpfulness{}, nil
	}
	catalogue, err := llm.LoadCatalogue(c.Config)
	if err != nil {
		return measures.Helpfulness{}, err
	}
	config, err := catalogue.Lookup(c.Judge)
	if err != nil {
		return measures.Helpfulness{}, fmt.Errorf("--judge: %w", err)
	}
	replies, err := llm.OpenCache(filepath.Join(w.cache.Root(), "completions"))
	if err != nil {
		return measures.Helpfulness{}, err
	}
	client, err := llm.New(measures.Judging(config), llm.Options{Cache: replies, Log: p.log})
	return measures.Helpfulness{Judge: client}, err
}

// judges are the controls and the models of the configuration; in a
// demonstration the recorded replies, too.
func (c serveCommand) judges(w *workshop, p *place) ([]evaluation.Judge, error) {
	var judges []evaluation.Judge
	if c.Demo {
		file, err := data.Replies()
		if err != nil {
			return nil, err
		}
		defer file.Close()
		recorded, err := evaluator.ReadRecorded(file, "replies")
		if err != nil {
			return nil, err
		}
		judges = append(judges, evaluation.Judge{Evaluator: recorded, Kind: store.KindRecorded, Enabled: true,
			Description: "No model: replies written by hand for the samples of the starter release, played back. Other docstrings get no reply."})
	}
	catalogue, err := llm.LoadCatalogue(c.Config)
	if err != nil {
		return nil, err
	}
	completions, err := llm.OpenCache(filepath.Join(w.cache.Root(), "completions"))
	if err != nil {
		return nil, err
	}
	for _, config := range catalogue {
		model, err := evaluator.NewOpenAI(config, llm.Options{Cache: completions, Log: p.log})
		if err != nil {
			return nil, err
		}
		judges = append(judges, evaluation.Model(model))
	}
	return append(judges, evaluation.Controls(c.Demo)...), nil
}

// grace is how long open requests may take to end.
const grace = 10 * time.Second

// run serves until ctx ends, and then lets what is open come to its end: units
// of work in flight are handed back.
func (c serveCommand) run(ctx context.Context, p *place, engine *evaluation.Engine, site *web.Site) error {
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return err
	}
	server := site.Server(c.Listen)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	worked := make(chan error, 1)
	go func() {
		err := engine.Run(ctx)
		stop(err)
		worked <- err
	}()
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			stop(err)
		}
	}()
	fmt.Fprintf(p.stderr, "touchstone: listening on http://%s\n", listener.Addr())
	<-ctx.Done()
	fmt.Fprintln(p.stderr, "touchstone: shutting down; what is in flight is handed back")
	site.Stop()
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err = server.Shutdown(ending)
	if worked := <-worked; worked != nil {
		err = worked
	}
	if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}
