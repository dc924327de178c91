package main

import (
	"context"
	"path/filepath"

	"touchstone/internal/doctocode/bertscore"
)

// modelsCommand looks after the encoders of BERTScore and CodeBERTScore.
type modelsCommand struct {
	Data   string              `help:"Folder of the site: database, uploads, releases, models." type:"path" default:"touchstone-data" placeholder:"DIR" env:"TOUCHSTONE_DATA"`
	Add    modelsAddCommand    `cmd:"" help:"Register an exported model, after it was tried in the sandbox."`
	List   modelsListCommand   `cmd:"" help:"List the registered models."`
	Remove modelsRemoveCommand `cmd:"" help:"Forget a model; what it has scored is computed no more."`
}

func (modelsCommand) Help() string {
	return `Examples:

    touchstone models add bertscore roberta-large-onnx
    touchstone models add codebertscore codebert-python-onnx --data /srv/touchstone
    touchstone models list`
}

// modelsDir is where a site's models are.
func modelsDir(data string) bertscore.Registry {
	return bertscore.Registry{Dir: filepath.Join(data, "models")}
}

type modelsAddCommand struct {
	Kind      string `arg:"" help:"bertscore or codebertscore."`
	Dir       string `arg:"" help:"Folder with model.onnx, what it keeps outside (model.onnx.data), and tokenizer.json." type:"existingdir"`
	Name      string `help:"What the model is called; default roberta-large, or neulab/codebert-python."`
	Layer     *int   `help:"The layer whose vectors the output holds, for people; default 17, or 11." placeholder:"N"`
	MaxLength *int   `help:"Tokens that the model reads at once, those around a text included; default 512." placeholder:"N"`
	Output    string `help:"The output with a vector for each token; default last_hidden_state, or the only one." placeholder:"NAME"`
	workshopFlags
}

func (modelsAddCommand) Help() string {
	return `Example:

    touchstone models add bertscore roberta-large-onnx --layer 17

The model and its tokenizer are copied into the data folder. It runs in the
sandbox, in an environment of its own that is made from the package index when
it is first needed. A model of the same kind is replaced, and what it has scored
is computed anew. Prints the manifest as JSON.`
}

func (c modelsAddCommand) Run(ctx context.Context, p *place, models *modelsCommand) error {
	kind, err := bertscore.ParseKind(c.Kind)
	if err != nil {
		return err
	}
	m := kind.Usual().Manifest()
	m.Output = c.Output
	if c.Name != "" {
		m.Name = c.Name
	}
	if c.Layer != nil {
		m.Layer = *c.Layer
	}
	if c.MaxLength != nil {
		m.MaxLength = *c.MaxLength
	}
	if err := m.Described(); err != nil {
		return err
	}
	w, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer w.close()
	scorer := &bertscore.Scorer{Kind: kind, Models: modelsDir(models.Data), Box: w.box, Cache: w.cache}
	defer scorer.Close()
	if m, err = scorer.Add(ctx, m, c.Dir); err != nil {
		return err
	}
	p.say("%s is computed with %s from now on", kind.Usual().Title, m)
	return list(p, []bertscore.Manifest{m})
}

type modelsListCommand struct{}

func (modelsListCommand) Help() string {
	return "One JSON object a line. Example:\n\n    touchstone models list"
}

func (modelsListCommand) Run(p *place, models *modelsCommand) error {
	all, err := modelsDir(models.Data).List()
	if err != nil {
		return err
	}
	return list(p, all)
}

type modelsRemoveCommand struct {
	Kind string `arg:"" help:"bertscore or codebertscore."`
}

func (modelsRemoveCommand) Help() string {
	return "Example:\n\n    touchstone models remove bertscore"
}

func (c modelsRemoveCommand) Run(p *place, models *modelsCommand) error {
	kind, err := bertscore.ParseKind(c.Kind)
	if err != nil {
		return err
	}
	if err := modelsDir(models.Data).Remove(kind); err != nil {
		return err
	}
	p.say("%s is not computed any more", kind.Usual().Title)
	return nil
}
