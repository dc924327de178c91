package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"

	"touchstone/internal/cache"
	"touchstone/internal/llm"
	"touchstone/internal/localization/build"
	"touchstone/internal/localization/prompts"
)

type localizationBuildCommand struct {
	Repo    string `help:"Folder of a clone: bare, a mirror or with files; not shallow." type:"path" placeholder:"DIR"`
	Name    string `help:"The repository's name; needed with --repo." placeholder:"OWNER/NAME"`
	T0      string `name:"t0" help:"The snapshot is the last commit of the main line up to here: 2026-01-31, or an instant as in RFC 3339." placeholder:"DATE"`
	T1      string `name:"t1" help:"Tasks are the pull requests merged after T0 and up to here." placeholder:"DATE"`
	Branch  string `help:"Branch or commit whose first parents are the main line; default HEAD." placeholder:"REVISION"`
	Pulls   string `help:"A forge's export, a JSON object a line, whose titles and bodies count instead of the commits' messages." type:"path" placeholder:"FILE"`
	Source  string `help:"URL of the repository, to be recorded." placeholder:"URL"`
	Release string `help:"Name of the release; default the repository's." placeholder:"NAME"`
	Recipe  string `help:"Build the repositories of this recipe instead." type:"path" placeholder:"FILE"`
	Mirror  string `help:"Folder of the recipe's clones: OWNER/NAME, OWNER/NAME.git, OWNER__NAME or OWNER__NAME.git in it." type:"path" placeholder:"DIR"`
	Writer  string `help:"Who writes the prompts: extractive-v1, which needs no model, or a model's configuration such as gpt-5-mini." default:"extractive-v1" placeholder:"NAME"`
	Config  string `help:"A TOML file with further models." type:"existingfile" placeholder:"FILE" env:"TOUCHSTONE_EVALUATORS"`
	BaseURL string `help:"API address of the model, instead of the configured one." placeholder:"URL"`
	Cache   string `help:"Folder that keeps a model's replies, which are paid for once; default the user's cache folder." type:"path" placeholder:"DIR" env:"TOUCHSTONE_CACHE"`
	Facts   bool   `help:"Leave the prompts' texts out: commits, numbers, file lists and counts alone, of the same tasks."`
	Out     string `help:"Folder of the release." required:"" type:"path" placeholder:"DIR"`
}

func (localizationBuildCommand) Help() string {
	return `Examples:

    touchstone localization build --repo ./gin --name gin-gonic/gin --t0 2024-01-01 --t1 2026-01-01 --out gin
    touchstone localization build --recipe data/recipes/localization.toml --mirror ./clones --out localization

The release's counts go to standard output as a JSON object. docs/commands.md
describes recipes and the files of a release.`
}

func (c localizationBuildCommand) Run(ctx context.Context, p *place) error {
	recipe, err := c.recipe()
	if err != nil {
		return err
	}
	options := build.Options{
		Recipe: recipe, Mirror: c.Mirror, Out: c.Out, Tool: version(), Writer: prompts.Extractive{}, Jobs: runtime.NumCPU(), Facts: c.Facts,
		Say:  func(repository, note string) { p.say("%s: %s", repository, note) },
		Show: func(repository, step string, done, total int) { p.stderr.show(repository+" "+step, done, total) },
	}
	if c.Writer != prompts.ExtractiveV1 {
		replies, err := c.useModel(&options, p)
		if err != nil {
			return err
		}
		defer replies.Close()
	}
	release, err := build.Build(ctx, options)
	p.stderr.close()
	if errors.Is(err, context.Canceled) {
		return errors.Join(err, errNothingWritten)
	}
	if err != nil {
		return err
	}
	line, err := json.Marshal(map[string]any{"release": release.ID(), "repositories": len(recipe.Repositories), "counts": release.Counts})
	if err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, string(line))
	return nil
}

func (c localizationBuildCommand) recipe() (build.Recipe, error) {
	single := c.Repo + c.Name + c.T0 + c.T1 + c.Branch + c.Pulls + c.Source + c.Release
	switch {
	case c.Recipe != "" && single != "":
		return build.Recipe{}, usageError("give --recipe, or --repo with --name, --t0 and --t1; not both: a recipe says these itself")
	case c.Recipe != "":
		return build.LoadRecipe(c.Recipe)
	case c.Repo == "":
		return build.Recipe{}, usageError("give --repo DIR with --name OWNER/NAME, --t0 DATE and --t1 DATE, or --recipe FILE")
	case c.Name == "":
		return build.Recipe{}, usageError(fmt.Sprintf("--name is missing: say what repository %s is, with --name OWNER/NAME", c.Repo))
	case c.T0 == "" || c.T1 == "":
		return build.Recipe{}, usageError("--t0 and --t1 are needed, such as --t0 2026-01-01 --t1 2026-04-01")
	}
	release := c.Release
	if release == "" {
		release = path.Base(c.Name)
	}
	return build.Single(release, build.RepositoryRecipe{Name: c.Name, Source: c.Source, Repo: c.Repo, Branch: c.Branch, T0: c.T0, T1: c.T1, Pulls: c.Pulls})
}

// useModel has a language model write. Its replies are kept, so that a build
// that is repeated pays for nothing twice.
func (c localizationBuildCommand) useModel(o *build.Options, p *place) (*cache.Folder, error) {
	catalogue, err := llm.LoadCatalogue(c.Config)
	if err != nil {
		return nil, err
	}
	config, err := catalogue.Lookup(c.Writer)
	if err != nil {
		return nil, fmt.Errorf("%w; or %s", err, prompts.ExtractiveV1)
	}
	files, err := workshopFlags{Cache: c.Cache}.openCache()
	if err != nil {
		return nil, err
	}
	replies, err := llm.OpenCache(filepath.Join(files.Root(), "completions"))
	if err == nil {
		var client *llm.Client
		if client, err = llm.New(config, llm.Options{BaseURL: c.BaseURL, Cache: replies, Log: p.log}); err == nil {
			o.Writer, o.Jobs, o.Model = prompts.NewModel(client), max(1, client.Config().Concurrency), client.Parameters()
			err = client.Ready()
		}
	}
	if err != nil {
		files.Close()
	}
	return files, err
}
