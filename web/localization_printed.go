package web

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard"
	"touchstone/internal/published"
	"touchstone/internal/store"
	"touchstone/views"
)

// printedSheet is every number of the track that a paper prints.
func (s *Site) printedSheet(c echo.Context) (leaderboard.Sheet, error) {
	scores, err := s.Store.PublishedScores(c.Request().Context(), benchmark.Localization)
	return leaderboard.Sheet{
		Header: []string{"provenance", "source", "table", "repository", "system", "model", "condition", "level", "metric", "value"},
		Rows: func(yield func([]string) bool) {
			for _, x := range scores {
				line := []string{string(leaderboard.Published), x.Source, strconv.Itoa(x.Table), x.Repository, x.System, x.Model, x.Condition, x.Level, x.Metric,
					strconv.FormatFloat(x.Value, 'f', x.Decimals, 64)}
				if !yield(line) {
					return
				}
			}
		},
	}, err
}

// printedTables are the paper's tables as printed, of those that are asked for.
func (s *Site) printedTables(c echo.Context, numbers ...int) ([]views.LocalizationTable, error) {
	scores, err := s.Store.PublishedScores(c.Request().Context(), benchmark.Localization)
	if err != nil {
		return nil, err
	}
	tables, err := papers()
	if err != nil {
		return nil, err
	}
	var found []views.LocalizationTable
	for _, number := range numbers {
		own := slices.DeleteFunc(slices.Clone(scores), func(x store.PublishedScore) bool { return x.Table != number })
		if len(own) > 0 {
			found = append(found, printedTable(number, own, tables))
		}
	}
	return found, nil
}

// inOrder are the distinct values of a field, in the order of print.
func inOrder(scores []store.PublishedScore, of func(store.PublishedScore) string) []string {
	var found []string
	for _, x := range scores {
		if v := of(x); !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	return found
}

// printedTable is a table of the paper: a group for each model, a row for
// each level of the prompt, a column for each measure.
func printedTable(number int, scores []store.PublishedScore, tables *published.Tables) views.LocalizationTable {
	repositories := strings.Join(inOrder(scores, func(x store.PublishedScore) string { return x.Repository }), ", ")
	systems := strings.Join(inOrder(scores, func(x store.PublishedScore) string { return x.System }), ", ")
	models := inOrder(scores, func(x store.PublishedScore) string { return x.Model })
	view := views.LocalizationTable{ID: fmt.Sprintf("table-%d", number), Title: fmt.Sprintf("%s, Table %d of the paper", repositories, number),
		Notes: paperNotes(published.LocalizationPaper, number)}
	t := views.Table{ID: fmt.Sprintf("localization-%d", number), CSV: "/localization/published.csv",
		Columns: []views.Column{{Label: "Prompt"}, {Label: "Provenance", Definition: "/methodology#provenance"}}}
	if slices.Equal(models, []string{""}) {
		t.Caption = fmt.Sprintf("Task-level outcomes of %s by prompt, all three models taken together.", systems)
		view.Lead = "How often an agent fails or succeeds wholly: a mean alone does not show that."
	} else {
		t.Caption = fmt.Sprintf("File-level scores of %s without repository-derived knowledge, by model and prompt.", systems)
		view.Lead = "Means over tasks. F1 is the mean of each task's F1, so it lies below the F1 of mean precision and mean recall."
	}
	metrics := inOrder(scores, func(x store.PublishedScore) string { return x.Metric })
	for _, m := range metrics {
		t.Columns = append(t.Columns, metricColumn(m))
	}
	for _, model := range models {
		group := views.Group{}
		if model != "" {
			group.Heading, group.Note = model, modelNote(tables, model)
		}
		for _, level := range inOrder(scores, func(x store.PublishedScore) string { return x.Level }) {
			row := views.Row{Cells: []views.Cell{views.TextCell(capital(level)), views.ViewCell(views.Published.Badge())}}
			for _, m := range metrics {
				row.Cells = append(row.Cells, publishedCell(scores, model, level, m))
			}
			group.Rows = append(group.Rows, row)
		}
		t.Groups = append(t.Groups, group)
	}
	view.Table = t
	return view
}

// metricColumn is the head of a measure's column.
func metricColumn(metric string) views.Column {
	column := views.Column{Key: metric, Label: capital(metric), Note: "0–1, higher is better", Align: views.Centre}
	switch metric {
	case "f1":
		column.Label = "Mean F1"
	case "precision=0":
		column.Label, column.Note = "Precision = 0", "share of tasks, lower is better"
	case "recall=0":
		column.Label, column.Note = "Recall = 0", "share of tasks, lower is better"
	case "recall=1":
		column.Label, column.Note = "Recall = 1", "share of tasks, higher is better"
	}
	return column
}

// publishedCell is a number of a table with the decimals of the paper.
func publishedCell(scores []store.PublishedScore, model, level, metric string) views.Cell {
	for _, x := range scores {
		if x.Model == model && x.Level == level && x.Metric == metric {
			return views.HeatLinkCell(x.Value, cmp.Or(x.Decimals, 3), "")
		}
	}
	return views.UnknownCell("the paper does not print it")
}

// meaning is what a paper means by a word of its tables.
func meaning(tables *published.Tables, kind, name string) string {
	for _, n := range tables.Names {
		if n.Source == published.LocalizationPaper && n.Kind == kind && n.Name == name {
			return n.Meaning
		}
	}
	return "the paper does not explain it"
}

func modelNote(tables *published.Tables, model string) string {
	return strings.Replace(meaning(tables, "model", model), " in Table 1", " in the paper's Table 1", 1)
}

// capital begins a word of the tables in upper case.
func capital(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
