package web

import (
	"fmt"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/published"
	"touchstone/views"
)

// methodology is the rules in words. What of them is in the program's own
// tables is taken from there.
func (s *Site) methodology(c echo.Context) (templ.Component, error) {
	tables, err := papers()
	if err != nil {
		return nil, err
	}
	limits := execute.DefaultLimits
	page := views.MethodologyPage{Page: s.page(c, "Methodology"), Verdicts: verdictsTable(), Drops: reasonsTable(), Measures: catalogueTable(),
		Memory: fmt.Sprintf("%d GiB", limits.Memory>>30), FileSize: fmt.Sprintf("%d MiB", limits.FileSize>>20), Processes: limits.Processes, MaxSeconds: 10}
	page.Page.Description = "How documentation is judged: pass@k, verdicts, intervals and ranks, context and prompt, controls, the sandbox, provenance, licence and limits."
	page.Localization = localizationRules(tables)
	for _, p := range evaluator.Prompts {
		page.Prompts = append(page.Prompts, views.PromptText{Version: p.Version, SHA256: p.SHA256, Text: p.Text})
	}
	for _, source := range tables.Sources {
		paper := views.PaperText{Name: capital(strings.ReplaceAll(source.ID, "-", " ")), Citation: citation(source)}
		for _, n := range published.Notes() {
			if n.Source == source.ID {
				paper.Notes = append(paper.Notes, views.Note{Where: fmt.Sprintf("Table %d", n.Table), Text: n.Text})
			}
		}
		page.Papers = append(page.Papers, paper)
	}
	return views.Methodology(page), nil
}

func verdictsTable() views.Table {
	t := views.Table{ID: "verdict-meanings", Caption: "Every verdict, what it means, and whether it counts for or against the docstring.",
		Columns: []views.Column{{Label: "Verdict"}, {Label: "Meaning"}, {Label: "Counts"}}}
	group := views.Group{}
	for _, v := range benchmark.Verdicts {
		counts := "against"
		switch {
		case v == benchmark.Passed:
			counts = "for"
		case !v.Counts():
			counts = "no"
		}
		group.Rows = append(group.Rows, views.Row{ID: "verdict-" + string(v),
			Cells: []views.Cell{views.ViewCell(views.VerdictBadge(v)), views.TextCell(views.VerdictMeaning(v)), views.TextCell(counts)}})
	}
	t.Groups = []views.Group{group}
	return t
}

func reasonsTable() views.Table {
	t := views.Table{ID: "drop-meanings", Caption: "Why a function, a test or a repository leaves a release.", Columns: []views.Column{{Label: "Reason"}, {Label: "Meaning"}}}
	group := views.Group{}
	for _, reason := range views.DropReasons {
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.CodeCell(reason, ""), views.TextCell(views.DropMeaning(reason))}})
	}
	t.Groups = []views.Group{group}
	return t
}
