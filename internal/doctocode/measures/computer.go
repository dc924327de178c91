package measures

import (
	"context"
	"slices"

	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/sandbox"
)

// A Computer fills some measures of the catalogue, all of them of docstrings or
// all of replies. It is safe for concurrent use.
type Computer interface {
	// Measures are those that it fills, in the order of Compute's columns.
	Measures() []Key
	// Version changes whenever the values that it gives do: what another
	// version computed is computed anew.
	Version() string
	// Ready is why nothing can be computed now, in words for a page ("no model
	// is registered"); nil when it can.
	Ready(ctx context.Context) error
	// Compute gives a column for each measure, with a value for each item.
	// missing says why some of them are NotComputed, "" when none is. An error
	// means that none could be computed.
	Compute(ctx context.Context, r Repository) (columns [][]float64, missing string, err error)
}

// Computers are those that need no model. Python reads code in the sandbox.
func Computers(box sandbox.Sandbox, files *cache.Folder) []Computer {
	return append(slices.Clone(Texts), DocAgent{&FactFinder{Box: box, Cache: files}})
}

// A Repository is the tasks of one repository of a release, as a Computer
// reads them.
type Repository struct {
	Name  string
	Index []*doctocode.SourceFile // every Python file of it
	Items []Item                  // a task each, in the release's order
}

// An Item is one task.
type Item struct {
	Task       string // id
	File       *doctocode.SourceFile
	Definition *doctocode.Definition
	Docstring  Text   // that it is judged by
	Original   Text   // the repository's own
	Body       string // the original one, dedented
	// Bodies are those that replies held, dedented. They are there for measures
	// of replies only.
	Bodies []string
}

// A Text is a docstring without its margin, or none.
type Text struct {
	Text  string
	There bool
}

// NewItem is the item of a target.
func NewItem(t evaluator.Target) Item {
	item := Item{Task: t.ID, File: t.File, Definition: t.Definition, Body: t.File.OriginalBody(t.Definition)}
	if text, ok := t.Docstring(); ok {
		item.Docstring = Text{evaluator.CleanDoc(text), true}
	}
	if t.Definition.HasDoc() {
		item.Original = Text{evaluator.CleanDoc(t.Definition.DocText), true}
	}
	return item
}

// columns are so many of so many values, all NotComputed.
func columns(measures, items int) [][]float64 {
	all := make([][]float64, measures)
	for i := range all {
		all[i] = make([]float64, items)
		for j := range all[i] {
			all[i][j] = NotComputed
		}
	}
	return all
}

// each computes item by item with a function that needs nothing but the item,
// and gives the item's values in the order of its measures.
type each struct {
	keys    []Key
	version string
	values  func(Item) []float64
}

func (e each) Measures() []Key             { return e.keys }
func (e each) Version() string             { return e.version }
func (e each) Ready(context.Context) error { return nil }

func (e each) Compute(ctx context.Context, r Repository) ([][]float64, string, error) {
	all := columns(len(e.keys), len(r.Items))
	for i, item := range r.Items {
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		for j, v := range e.values(item) {
			all[j][i] = v
		}
	}
	return all, "", nil
}

// undefined is that of so many measures.
func undefined(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = Undefined
	}
	return all
}
