package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"touchstone/data"
	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/evaluation"
	"touchstone/internal/store"
)

// historiesPrepared is set in the database to the version of the shipped
// histories whose predictions were uploaded.
const historiesPrepared = "histories_prepared"

// histories imports the release of the localization track that ships with the
// program and uploads what the reference baselines answer on it, once: a fresh
// site has rows of this track that it scored itself.
func (c serveCommand) histories(ctx context.Context, p *place, w *workshop, db *store.Store, engine *evaluation.Engine) error {
	shipped, err := data.HistoriesVersion()
	if err != nil {
		return err
	}
	if known, err := db.Setting(ctx, historiesPrepared); err != nil || known == shipped {
		return err
	}
	dir, err := data.Histories(w.cache)
	if err != nil {
		return err
	}
	release, err := evaluation.Import(ctx, db, c.releases(), dir)
	if _, other := errors.AsType[*benchmark.InputError](err); other {
		p.say("the release of the localization track that ships with this version is left out: %v", err)
		return db.Set(ctx, historiesPrepared, shipped)
	}
	if err != nil {
		return err
	}
	site, err := account.New(db).Named(ctx, "Touchstone", account.Submitter)
	if err != nil {
		return err
	}
	mine, _, err := db.Submissions(ctx, store.SubmissionFilter{Track: benchmark.Localization, Account: site.ID})
	if err != nil {
		return err
	}
	if slices.ContainsFunc(mine, func(sub store.Submission) bool { return sub.ReleaseID == release.ID }) {
		return db.Set(ctx, historiesPrepared, shipped) // the process that uploaded it ended here
	}
	file, err := data.HistoryPredictions()
	if err != nil {
		return err
	}
	defer file.Close()
	sub, _, err := engine.DraftPredictions(ctx, evaluation.Upload{
		Account: site, Release: release, System: "BM25", Version: "1", FileName: "bm25.jsonl.zst", File: file,
		Notes: "The reference baselines that need no model. Baseline is bm25: BM25 over the contents and paths of the snapshot’s files. Augmented is bm25+history, which also knows " +
			"what the history up to T0 tells: definitions, past commits with similar messages, churn, and files that change together. Repeat it with `touchstone localization predict`.",
	})
	if err != nil {
		return fmt.Errorf("the predictions of the reference baselines: %w", err)
	}
	if err := engine.Confirm(ctx, sub); err != nil {
		return err
	}
	return db.Set(ctx, historiesPrepared, shipped)
}
