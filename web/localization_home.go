package web

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard"
	"touchstone/internal/localization"
	"touchstone/internal/store"
	"touchstone/views"
)

// localizationTops are the heads of the track for the home page: the newest
// release on which anything was scored, then what the paper prints.
func (s *Site) localizationTops(c echo.Context, board *leaderboard.Board) ([]views.HomeTop, error) {
	var tops []views.HomeTop
	a := localizationAsk{board: board, LocalizationQuery: leaderboard.LocalizationQuery{Level: localization.Contextual, Provenance: leaderboard.Evaluated}, level: string(localization.Contextual)}
	if listings := board.ListLocalization(a.LocalizationQuery); len(listings) > 0 {
		top, err := a.evaluatedTop(listings[0])
		if err != nil {
			return nil, err
		}
		tops = append(tops, top)
	}
	paper, err := s.publishedTop(c)
	if err != nil {
		return nil, err
	}
	if len(tops) == 0 {
		paper.Caption += " Nothing was evaluated here on this track so far."
	}
	return append(tops, views.HomeTop{Table: paper, More: views.Link{Text: "All tables of the track", Address: localizationPath}}), nil
}

// evaluatedTop is the first rows of a release.
func (a localizationAsk) evaluatedTop(l leaderboard.LocalizationListing) (views.HomeTop, error) {
	rows := l.Rows[:min(topRows, len(l.Rows))]
	t, err := a.armsTable(l, rows, url.URL{Path: localizationPath})
	if err != nil {
		return views.HomeTop{}, err
	}
	t.ID, t.Sort = "top-"+t.ID, views.Sort{}
	t.Caption = fmt.Sprintf("%s under contextual prompts, best F1 first. %s", capital(ofRows(len(rows), len(l.Rows))), a.meanSaid())
	for i := range t.Columns {
		t.Columns[i].Sortable = false
	}
	t.Columns = t.Columns[:len(t.Columns)-1] // without the date
	for i := range t.Groups[0].Rows {
		row := &t.Groups[0].Rows[i]
		row.ID, row.Cells = "", row.Cells[:len(t.Columns)]
	}
	return views.HomeTop{Table: t, More: views.Link{Text: "All levels and conditions of " + l.Label, Address: fileAddress(localizationPath, url.Values{"release": {l.Key}, "level": {everyLevel}})}}, nil
}

func ofRows(shown, all int) string {
	if shown == all {
		return "all " + views.Counted(all, "row", "rows")
	}
	return fmt.Sprintf("the first %d of %s", shown, views.Counted(all, "row", "rows"))
}

// publishedTop is the mean F1 of the paper's Table 3: a row for each model,
// a column for each level of the prompt.
func (s *Site) publishedTop(c echo.Context) (views.Table, error) {
	all, err := s.Store.PublishedScores(c.Request().Context(), benchmark.Localization)
	if err != nil {
		return views.Table{}, err
	}
	scores := slices.DeleteFunc(all, func(x store.PublishedScore) bool { return x.Table != 3 || x.Metric != "f1" })
	t := views.Table{ID: "top-localization", CSV: "/localization/published.csv", Source: "Published: Table 3 of the localization paper, as printed.",
		Caption: "Mean file-level F1 by prompt, best model first.",
		Columns: []views.Column{{Label: "Model"}, {Label: "Provenance", Definition: "/methodology#provenance"}},
		Empty:   views.Empty{Title: "No localization result is known yet.", Reason: "The papers' tables were not imported, and nothing was evaluated here."}}
	levels := inOrder(scores, func(x store.PublishedScore) string { return x.Level })
	for _, level := range levels {
		t.Columns = append(t.Columns, views.Column{Label: capital(level), Note: "F1, higher is better", Align: views.Centre})
	}
	best := func(model string) float64 {
		most := 0.0
		for _, x := range scores {
			if x.Model == model {
				most = max(most, x.Value)
			}
		}
		return most
	}
	models := inOrder(scores, func(x store.PublishedScore) string { return x.Model })
	slices.SortStableFunc(models, func(a, b string) int { return cmp.Compare(best(b), best(a)) })
	group := views.Group{}
	for _, model := range models[:min(topRows, len(models))] {
		row := views.Row{Cells: []views.Cell{views.TextCell(model), views.ViewCell(views.Published.Badge())}}
		for _, level := range levels {
			row.Cells = append(row.Cells, publishedCell(scores, model, level, "f1"))
		}
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	return t, nil
}
