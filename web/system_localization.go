package web

import (
	"github.com/labstack/echo/v4"

	"touchstone/internal/localization"
	"touchstone/internal/store"
	"touchstone/views"
)

// locatedShown is how many submissions of the localization track a system's
// page lists.
const locatedShown = 50

// systemLocated are a system's submissions of the localization track, the newest
// first, with F1 at the level that is the headline.
func (s *Site) systemLocated(c echo.Context, found systemFound) (views.Table, error) {
	t := views.Table{ID: "located-table", Caption: "Mean F1 at the contextual level, all gold files; the other levels stand on the submission's page.",
		Columns: []views.Column{{Key: "submission", Label: "Submission"}, {Key: "release", Label: "Release"}, {Key: "state", Label: "State"}}}
	for _, condition := range localization.Conditions {
		t.Columns = append(t.Columns, views.Column{Key: string(condition), Label: capital(string(condition)), Note: "F1, 0–1, higher is better", Align: views.Decimals})
	}
	t.Columns = append(t.Columns, views.Column{Key: "date", Label: "Submitted"})
	group := views.Group{}
	for _, sub := range found.located {
		rows, err := s.Store.LocalizationScoresOf(c.Request().Context(), sub.ID)
		if err != nil {
			return t, err
		}
		name := "submission"
		if sub.Version != "" {
			name = "version " + views.Visible(sub.Version)
		}
		row := views.Row{Cells: []views.Cell{views.NameCell(name, submissionPath(sub)), views.TextCell(sub.Release.Label()), views.ViewCell(views.StateBadge(string(sub.State)))}}
		for _, condition := range localization.Conditions {
			row.Cells = append(row.Cells, contextualCell(rows, condition))
		}
		row.Cells = append(row.Cells, views.MomentCell(sub.ConfirmedAt, "it was not confirmed"))
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	return t, nil
}

// contextualCell is the headline of a condition.
func contextualCell(rows []store.LocalizationScore, condition localization.Condition) views.Cell {
	for _, x := range rows {
		if x.RepositoryID == 0 && x.Gold == string(localization.AllGold) && x.Level == string(localization.Contextual) && x.Condition == string(condition) {
			return views.ScoreCell(fileScore(x, 2))
		}
	}
	return views.UnknownCell("it has no prediction in this condition at this level")
}
