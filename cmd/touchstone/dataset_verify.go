package main

import (
	"context"
	"encoding/json"
	"fmt"

	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/build"
)

type datasetVerifyCommand struct {
	Dir    string `arg:"" help:"Folder of the release." type:"existingdir"`
	DryRun bool   `help:"Report only; leave the release as it is."`
	workshopFlags
}

func (datasetVerifyCommand) Help() string {
	return `Example:

    touchstone dataset verify schema-release

A task on which a control errs is given a slower strategy; when none is right it
leaves the release, and both are listed. The outcome goes to standard output as JSON.`
}

func (c datasetVerifyCommand) Run(ctx context.Context, p *place) error {
	dataset, err := doctocode.OpenDataset(c.Dir)
	if err != nil {
		return err
	}
	w, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer w.close()
	v, err := build.Verify(ctx, build.VerifyOptions{Dataset: dataset, Cache: w.cache, Sandbox: w.box, Workers: w.jobs, ReadOnly: c.DryRun, Progress: w.meter.show})
	w.meter.close()
	if err != nil {
		return err
	}
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, string(data))
	p.say("%v", v)
	if c.DryRun && len(v.Dropped)+len(v.Repaired) > 0 {
		return fmt.Errorf("%d tasks are not verified", len(v.Dropped)+len(v.Repaired))
	}
	return nil
}
