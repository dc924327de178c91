package main

import (
	"context"

	"touchstone/data"
	"touchstone/internal/account"
	"touchstone/internal/evaluation"
	"touchstone/internal/store"
)

// demoPrepared is set in the database once the samples were uploaded.
const demoPrepared = "demo_prepared"

// demo imports the starter release, uploads its samples once, and returns the
// account of whoever sits at this machine.
func (c serveCommand) demo(ctx context.Context, w *workshop, db *store.Store, engine *evaluation.Engine) (*store.Account, error) {
	dir, err := data.Install(w.cache, "starter/release")
	if err != nil {
		return nil, err
	}
	release, err := evaluation.Import(ctx, db, c.releases(), dir)
	if err != nil {
		return nil, err
	}
	accounts := account.New(db)
	local, err := accounts.Named(ctx, "this machine", account.Submitter)
	if err != nil {
		return nil, err
	}
	if prepared, err := db.Setting(ctx, demoPrepared); err != nil || prepared != "" {
		return &local, err
	}
	for _, name := range data.Samples() {
		file, err := data.Submission(name)
		if err != nil {
			return nil, err
		}
		err = confirmed(ctx, engine, evaluation.Upload{
			Account: local, Release: release, System: "Sample: " + name, Version: "1", Docs: store.DocsFile, FileName: name + ".jsonl", File: file,
			Notes: "A sample that comes with the starter release, written by hand to show what documentation of this quality scores. No model took part.",
		})
		file.Close()
		if err != nil {
			return nil, err
		}
	}
	err = confirmed(ctx, engine, evaluation.Upload{
		Account: local, Release: release, System: "Original docstrings", Docs: store.DocsOriginal,
		Notes: "The repositories' own docstrings.",
	})
	if err != nil {
		return nil, err
	}
	return &local, db.Set(ctx, demoPrepared, "1")
}

func confirmed(ctx context.Context, engine *evaluation.Engine, u evaluation.Upload) error {
	sub, _, err := engine.Draft(ctx, u)
	if err != nil {
		return err
	}
	return engine.Confirm(ctx, sub)
}
