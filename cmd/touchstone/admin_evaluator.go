package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/store"
)

type adminEvaluator struct {
	List    adminEvaluatorList    `cmd:"" help:"List the evaluators that the site has known."`
	Enable  adminEvaluatorEnable  `cmd:"" help:"Let an evaluator judge what is submitted from now on."`
	Disable adminEvaluatorDisable `cmd:"" help:"Let it judge nothing further; what it has judged stays."`
}

type adminEvaluatorList struct{}

func (adminEvaluatorList) Help() string {
	return "One JSON object a line. A site notes its evaluators when it is started. Example:\n\n    touchstone admin evaluator list"
}

func (adminEvaluatorList) Run(ctx context.Context, p *place, site *adminCommand) error {
	type row struct {
		Name        string `json:"name"`
		Kind        string `json:"kind"`
		Samples     int    `json:"samples"`
		Enabled     bool   `json:"enabled"`
		Description string `json:"description"`
	}
	return site.with(ctx, func(db *store.Store) error {
		evaluators, err := db.Evaluators(ctx, benchmark.DocToCode)
		if err != nil {
			return err
		}
		var rows []row
		for _, e := range evaluators {
			rows = append(rows, row{e.Name, e.Kind, e.Samples, e.Enabled, e.Description})
		}
		return list(p, rows)
	})
}

type adminEvaluatorEnable struct {
	Name string `arg:"" help:"The evaluator's name."`
}

func (adminEvaluatorEnable) Help() string {
	return "Example:\n\n    touchstone admin evaluator enable gpt-5-mini"
}

func (c adminEvaluatorEnable) Run(ctx context.Context, p *place, site *adminCommand) error {
	return setEnabled(ctx, p, site, c.Name, true)
}

type adminEvaluatorDisable struct {
	Name string `arg:"" help:"The evaluator's name."`
}

func (adminEvaluatorDisable) Help() string {
	return "Example:\n\n    touchstone admin evaluator disable verbatim"
}

func (c adminEvaluatorDisable) Run(ctx context.Context, p *place, site *adminCommand) error {
	return setEnabled(ctx, p, site, c.Name, false)
}

func setEnabled(ctx context.Context, p *place, site *adminCommand, name string, enabled bool) error {
	return site.with(ctx, func(db *store.Store) error {
		err := db.EnableEvaluator(ctx, benchmark.DocToCode, name, enabled)
		if errors.Is(err, store.ErrNotFound) {
			return unknownEvaluator(ctx, db, name)
		}
		if err != nil {
			return err
		}
		if enabled {
			p.say("%s judges what is submitted from now on", name)
		} else {
			p.say("%s judges nothing further", name)
		}
		return nil
	})
}

func unknownEvaluator(ctx context.Context, db *store.Store, name string) error {
	evaluators, err := db.Evaluators(ctx, benchmark.DocToCode)
	if err != nil {
		return err
	}
	if len(evaluators) == 0 {
		return fmt.Errorf("the site knows no evaluator yet; start it once with touchstone serve, which notes those that it has")
	}
	var names []string
	for _, e := range evaluators {
		names = append(names, e.Name)
	}
	return fmt.Errorf("there is no evaluator %q; the site knows %s", name, strings.Join(names, ", "))
}
