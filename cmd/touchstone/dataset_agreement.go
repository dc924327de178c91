package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/build"
)

type datasetAgreementCommand struct {
	Dir     string `arg:"" help:"Folder of the release." type:"existingdir"`
	Mutants count  `help:"Mutants of each task, at most." default:"12"`
	Seed    uint32 `help:"Seed that chooses them; the build itself uses 0." default:"1"`
	Write   string `help:"Run nothing; write the original bodies and mutants to this file as recorded completions." type:"path" placeholder:"FILE"`
	workshopFlags
}

func (datasetAgreementCommand) Help() string {
	return `Example:

    touchstone dataset agreement schema-release --mutants 20

Every mutant runs twice: under its task's strategy and in a fresh process. A JSON
object for each repository goes to standard output; any disagreement fails the command.`
}

func (c datasetAgreementCommand) Run(ctx context.Context, p *place) error {
	dataset, err := doctocode.OpenDataset(c.Dir)
	if err != nil {
		return err
	}
	w, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer w.close()
	options := build.AgreementOptions{Dataset: dataset, Cache: w.cache, Sandbox: w.box, Workers: w.jobs, Mutants: int(c.Mutants), Seed: c.Seed, Progress: w.meter.show}
	if c.Write != "" {
		return c.write(ctx, options)
	}
	disagreements := 0
	for _, r := range dataset.Repositories {
		a, err := build.Agree(ctx, options, r.Name)
		if err != nil {
			return err
		}
		data, err := json.Marshal(a)
		if err != nil {
			return err
		}
		fmt.Fprintln(p.stdout, string(data))
		disagreements += len(a.Disagreements)
	}
	if disagreements > 0 {
		return fmt.Errorf("%d mutants ended otherwise than in a fresh process", disagreements)
	}
	return nil
}

func (c datasetAgreementCommand) write(ctx context.Context, o build.AgreementOptions) error {
	file, err := os.Create(c.Write)
	if err != nil {
		return err
	}
	for _, r := range o.Dataset.Repositories {
		if err := build.WriteMutants(ctx, o, r.Name, file); err != nil {
			file.Close()
			return err
		}
	}
	return file.Close()
}
