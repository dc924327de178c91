package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"touchstone/internal/store"
)

// adminCommand works on a site's own database, also while it is served.
type adminCommand struct {
	siteFlags
	Token     adminToken     `cmd:"" help:"Give tokens to submitters, list and revoke them."`
	Evaluator adminEvaluator `cmd:"" help:"Say which evaluators judge what is submitted from now on."`
	Release   adminRelease   `cmd:"" help:"Import releases and list them."`
	Measure   adminMeasure   `cmd:"" help:"Import values of a measure that were computed elsewhere."`
	Hide      adminHide      `cmd:"" help:"Take a submission off the site."`
	Show      adminShow      `cmd:"" help:"Put a hidden submission back."`
}

func (adminCommand) Help() string {
	return `Examples:

    touchstone admin token create "Ada Lovelace"
    touchstone admin evaluator enable gpt-5-mini
    touchstone admin release import my-release --data /srv/touchstone`
}

// with opens the site's database for as long as do runs.
func (c *adminCommand) with(ctx context.Context, do func(*store.Store) error) error {
	db, err := c.openStore(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

// list prints rows as JSON objects, one a line.
func list[T any](p *place, rows []T) error {
	encoder := json.NewEncoder(p.stdout)
	encoder.SetEscapeHTML(false)
	for _, row := range rows {
		if err := encoder.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

type adminHide struct {
	ID string `arg:"" help:"The submission, as in its address."`
}

func (adminHide) Help() string { return "Example:\n\n    touchstone admin hide xiwjodjaufft7jl2" }

func (c adminHide) Run(ctx context.Context, p *place, site *adminCommand) error {
	return setHidden(ctx, p, site, c.ID, true)
}

type adminShow struct {
	ID string `arg:"" help:"The submission, as in its address."`
}

func (adminShow) Help() string { return "Example:\n\n    touchstone admin show xiwjodjaufft7jl2" }

func (c adminShow) Run(ctx context.Context, p *place, site *adminCommand) error {
	return setHidden(ctx, p, site, c.ID, false)
}

func setHidden(ctx context.Context, p *place, site *adminCommand, id string, hidden bool) error {
	return site.with(ctx, func(db *store.Store) error {
		err := db.Hide(ctx, id, hidden)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("there is no submission %q; its id is the last part of its address", id)
		}
		if err != nil {
			return err
		}
		if hidden {
			p.say("%s is off the site", id)
		} else {
			p.say("%s is on the site", id)
		}
		return nil
	})
}
