package measures

import (
	"context"
	"fmt"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/measure/docagent"
)

// DocAgent computes completeness and the existence of what a docstring
// mentions.
type DocAgent struct{ Facts *FactFinder }

func (DocAgent) Measures() []Key {
	return []Key{Completeness, ExistenceStrict, ExistenceDocAgent, Mentions}
}

func (DocAgent) Version() string { return "1" }

func (d DocAgent) Ready(ctx context.Context) error { return d.Facts.Ready(ctx) }

func (d DocAgent) Compute(ctx context.Context, r Repository) ([][]float64, string, error) {
	var files []*doctocode.SourceFile
	listed := map[string]bool{}
	for _, item := range r.Items {
		if !listed[item.File.Path] {
			listed[item.File.Path] = true
			files = append(files, item.File)
		}
	}
	facts, err := d.Facts.Find(ctx, r.Name, files)
	if err != nil {
		return nil, "", err
	}
	components := docagent.NewComponents(names(r.Index))
	all := columns(len(d.Measures()), len(r.Items))
	missing := ""
	for i, item := range r.Items {
		id, err := benchmark.ParseTaskID(item.Task)
		if err != nil {
			return nil, "", err
		}
		found := facts[id.Path]
		of, ok := found.Of(id.Qualname, id.Ordinal)
		if !ok {
			if missing = fmt.Sprintf("Python sees no such function in %s", item.Task); found.Error != "" {
				missing = fmt.Sprintf("Python cannot read %s: %s", id.Path, found.Error)
			}
			continue
		}
		text := ""
		if item.Docstring.There {
			text = item.Docstring.Text
		}
		all[0][i] = docagent.ScoreCompleteness(of, text).Score
		all[1][i], all[2][i], all[3][i] = Undefined, Undefined, Undefined
		if item.Docstring.There {
			e := components.Check(docagent.Mentions(text, of.Parameters.All()...))
			all[1][i], all[2][i], all[3][i] = e.StrictRatio(), e.DocAgentRatio(), float64(e.Mentioned)
		}
	}
	return all, missing, nil
}

// names are those of everything that is defined in a repository's own code.
func names(index []*doctocode.SourceFile) []string {
	var all []string
	for _, file := range index {
		if file.Test {
			continue
		}
		for _, d := range file.Definitions {
			all = append(all, d.Qualname)
		}
	}
	return all
}
