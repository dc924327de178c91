package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path"

	"touchstone/internal/doctocode/build"
)

type datasetBuildCommand struct {
	Source   string   `arg:"" optional:"" help:"A folder, a git URL or folder, or pypi:NAME==VERSION."`
	Name     string   `help:"The repository's name; needed with SOURCE." placeholder:"OWNER/NAME"`
	Commit   string   `help:"The commit, for git." placeholder:"SHA"`
	Recipe   string   `help:"Build the repositories of this recipe instead." type:"existingfile" placeholder:"FILE"`
	Out      string   `help:"Folder of the release; an interrupted build goes on there." required:"" type:"path" placeholder:"DIR"`
	Release  string   `help:"Name of the release; default the repository's." placeholder:"NAME"`
	Python   string   `help:"Python to use, such as 3.12; default python3." placeholder:"VERSION"`
	Require  []string `help:"A further requirement; repeatable." placeholder:"REQUIREMENT"`
	Deselect []string `help:"A test, or the beginning of its node id, to leave out; repeatable." placeholder:"TEST"`
	workshopFlags
}

func (datasetBuildCommand) Help() string {
	return `Examples:

    touchstone dataset build pypi:schema==0.7.7 --name keleshev/schema --out schema-release
    touchstone dataset build ./schema --name keleshev/schema --out schema-release
    touchstone dataset build --recipe data/recipes/small-packages.toml --out small-packages

A SOURCE needs a --name; a recipe has the names itself. The counts of each
repository go to standard output, one JSON object a line. docs/commands.md
describes recipes, the files of a release and the limits.`
}

func (c datasetBuildCommand) Run(ctx context.Context, p *place) error {
	recipe, err := c.recipe()
	if err != nil {
		return err
	}
	w, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer w.close()
	result, err := build.Build(ctx, build.Options{
		Recipe: recipe, Out: c.Out, Cache: w.cache, Sandbox: w.box, Workers: w.jobs, Tool: version(),
		Progress: func(repository, step string, done, total int) { w.meter.show(repository+" "+step, done, total) },
	})
	w.meter.close()
	for _, r := range result.Repositories {
		for _, n := range r.Notes {
			p.say("%s: %s", r.Name, n)
		}
		if r.Failed != "" {
			if len(recipe.Repositories) > 1 {
				p.say("%s is not in the release: %s", r.Name, r.Failed)
			}
			continue
		}
		line, err := json.Marshal(map[string]any{"repository": r.Name, "counts": r.Counts})
		if err != nil {
			return err
		}
		fmt.Fprintln(p.stdout, string(line))
	}
	return err
}

func (c datasetBuildCommand) recipe() (build.Recipe, error) {
	switch {
	case c.Recipe != "" && c.Source != "":
		return build.Recipe{}, usageError("give a SOURCE or --recipe, not both")
	case c.Recipe != "":
		return build.LoadRecipe(c.Recipe)
	case c.Source == "":
		return build.Recipe{}, usageError("give a SOURCE with --name OWNER/NAME, or --recipe FILE")
	case c.Name == "":
		return build.Recipe{}, usageError(fmt.Sprintf("--name is missing: say what repository %s is, with --name OWNER/NAME", c.Source))
	}
	release := c.Release
	if release == "" {
		release = path.Base(c.Name)
	}
	return build.Single(release, build.RepositoryRecipe{
		Name: c.Name, Source: c.Source, Commit: c.Commit, Python: c.Python, Requirements: c.Require, Deselect: c.Deselect,
	})
}
