package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"

	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/build"
)

type datasetVerifyCommand struct {
	Dir    string `arg:"" help:"Folder of the release." type:"existingdir"`
	Jobs   int    `help:"Candidates run at once; default the number of processors." short:"j"`
	DryRun bool   `help:"Report only; leave the release as it is."`
	sandboxFlags
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
	box, err := c.open(ctx, p.log)
	if err != nil {
		return err
	}
	cache, err := c.openCache()
	if err != nil {
		return err
	}
	defer cache.Close()
	if c.Jobs < 1 {
		c.Jobs = runtime.NumCPU()
	}
	meter := newMeter(p.stderr)
	v, err := build.Verify(ctx, build.VerifyOptions{Dataset: dataset, Cache: cache, Sandbox: box, Workers: c.Jobs, ReadOnly: c.DryRun, Progress: meter.show})
	meter.close()
	if err != nil {
		return err
	}
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, string(data))
	fmt.Fprintln(p.stderr, v)
	if c.DryRun && len(v.Dropped)+len(v.Repaired) > 0 {
		return fmt.Errorf("%d tasks are not verified", len(v.Dropped)+len(v.Repaired))
	}
	return nil
}
