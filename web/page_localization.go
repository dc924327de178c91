package web

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/leaderboard"
	"touchstone/internal/localization"
	"touchstone/internal/published"
	"touchstone/internal/statistics"
	"touchstone/views"
)

// submitLocalization is how a system gets onto the track.
var submitLocalization = views.Link{Text: "Submit predictions", Address: "/submit/localization"}

func (s *Site) localizationSheet(c echo.Context) (leaderboard.Sheet, error) {
	a, err := s.localizationAsk(c, "")
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	return leaderboard.LocalizationScores(a.board.ListLocalization(a.LocalizationQuery), a.Gold, a.repository), nil
}

// localization is the leaderboard of the track, and below it the paper's tables
// as printed.
func (s *Site) localization(c echo.Context) (templ.Component, error) {
	a, err := s.localizationAsk(c, localization.Contextual)
	if err != nil {
		return nil, err
	}
	tables, err := papers()
	if err != nil {
		return nil, err
	}
	page := views.LocalizationPage{Page: s.page(c, "Localization"), Links: localizationLinks(localizationPath), Filters: a.localizationFilters(), Paper: cited(tables, published.LocalizationPaper)}
	page.Page.Description = "How well agents find the files that a task changes: precision, recall and F1 by system, prompt and condition."
	if err := a.addTables(&page, address(c)); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(a.board.Localization, func(l *leaderboard.LocalizationSet) bool {
		return l.Provenance == leaderboard.Evaluated && len(l.Entrants) > 0
	}) {
		page.State = "This site has evaluated nothing on this track so far. Whatever numbers stand below are printed in a paper."
		page.Submit = views.Empty{Title: "The first submission opens the table of its release.", Next: submitLocalization}
	}
	if page.Printed, err = s.printedTables(c, 2, 3, 4); err != nil {
		return nil, err
	}
	for _, level := range localization.Levels {
		page.Levels = append(page.Levels, views.Fact{Name: capital(string(level)), Value: meaning(tables, "level", string(level))})
	}
	return views.Localization(page), nil
}

// addTables are the sets one under the other, a page of rows at a time.
func (a localizationAsk) addTables(page *views.LocalizationPage, at url.URL) error {
	listings, total := a.board.ListLocalization(a.LocalizationQuery), 0
	for _, l := range listings {
		total += len(l.Rows)
	}
	number := views.ReadPage(at.Query(), rowsPerPage, total)
	page.Pagination = views.Pagination{Address: at, Page: number, PerPage: rowsPerPage, Total: total, Unit: "rows"}
	first, left := (number-1)*rowsPerPage, rowsPerPage
	for _, l := range listings {
		skip := min(first, len(l.Rows))
		first -= skip
		shown := l.Rows[skip:min(len(l.Rows), skip+left)]
		left -= len(shown)
		if len(shown) > 0 || total == 0 {
			table, err := a.armsTable(l, shown, at)
			if err != nil {
				return err
			}
			page.Tables = append(page.Tables, table)
		}
	}
	page.Empty = views.Empty{Title: "No row fits these filters.", Next: views.Link{Text: "Show all", Address: localizationPath}}
	if len(a.board.Localization) == 0 {
		page.Empty = views.Empty{Title: "No localization result is known yet.", Reason: "Nothing was evaluated here, and the papers' tables are not there: a site imports them when it starts."}
	}
	return nil
}

// armsTable is a set of the leaderboard.
func (a localizationAsk) armsTable(l leaderboard.LocalizationListing, rows []*leaderboard.Arm, at url.URL) (views.Table, error) {
	query := at.Query()
	query.Del("page")
	if a.Level != "" {
		query.Set("level", string(a.Level)) // a file without a level has all
	}
	const scale = "0–1, higher is better"
	t := views.Table{ID: "files-" + elementID(l.Key), Address: at, CSV: fileAddress(localizationPath+".csv", query), Sort: views.Sort{Key: cmp.Or(a.Sort, "f1"), Descending: !a.Ascending},
		Caption: capital(a.levelSaid()) + ", " + a.goldSaid() + ". " + a.meanSaid(), Source: localizationSource(l.LocalizationSet),
		Columns: []views.Column{{Key: "system", Label: "System", Sortable: true}, {Label: "Provenance", Definition: "/methodology#provenance"}}}
	if a.Level == "" {
		t.Columns = append(t.Columns, views.Column{Key: "level", Label: "Prompt", Definition: "/methodology#localization-levels", Sortable: true})
	}
	t.Columns = append(t.Columns, views.Column{Key: "condition", Label: "Condition", Definition: "/methodology#localization-ab", Sortable: true},
		views.Column{Key: "f1", Label: "F1", Note: scale, Definition: "/methodology#localization-metrics", Align: views.Decimals, Sortable: true, Descends: true},
		views.Column{Key: "precision", Label: "Precision", Note: scale, Align: views.Decimals, Sortable: true, Descends: true},
		views.Column{Key: "recall", Label: "Recall", Note: scale, Align: views.Decimals, Sortable: true, Descends: true},
		views.Column{Key: "tasks", Label: "Tasks", Note: "answered", Align: views.Decimals, Sortable: true, Descends: true})
	for _, r := range l.Repositories {
		t.Columns = append(t.Columns, views.Column{Key: "repository:" + r.Name, Label: r.Name, Note: "F1", Definition: historyAddress(l.LocalizationSet, r.Name), Align: views.Centre, Sortable: true, Descends: true, Named: true})
	}
	t.Columns = append(t.Columns, views.Column{Key: "date", Label: "Date", Sortable: true, Descends: true})
	best := a.best(l)
	group := views.Group{}
	for _, arm := range rows {
		whole := arm.Whole(a.gold())
		row := views.Row{ID: elementID(arm.Key()), Cells: []views.Cell{views.ViewCell(views.SystemName(entrantName(arm.Entrant, arm.Submission))), views.ViewCell(views.Provenance(arm.Provenance).Badge())}}
		if a.Level == "" {
			row.Cells = append(row.Cells, views.TextCell(string(arm.Level)))
		}
		row.Cells = append(row.Cells, views.TextCell(string(arm.Condition)))
		means, err := a.meanCells(l.LocalizationSet, arm, "", whole, best)
		if err != nil {
			return t, err
		}
		row.Cells = append(append(row.Cells, means...), answeredCell(arm, whole))
		for i, r := range l.Repositories {
			row.Cells = append(row.Cells, a.f1Cell(arm, arm.On(i, a.gold()), historyAddress(l.LocalizationSet, r.Name)))
		}
		row.Cells = append(row.Cells, dateCell(arm.Entrant))
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	t.Empty = views.Empty{Title: "Nothing was scored on " + l.Label + " that fits these filters.", Next: submitLocalization}
	return t, nil
}

// best is the highest F1, precision and recall of a listing with several rows.
func (a localizationAsk) best(l leaderboard.LocalizationListing) leaderboard.Triple {
	var best leaderboard.Triple
	if len(l.Rows) < 2 {
		return leaderboard.Triple{Precision: -1, Recall: -1, F1: -1}
	}
	for _, arm := range l.Rows {
		if t, ok := arm.Whole(a.gold()).Of(a.mean()); ok {
			best.Precision, best.Recall, best.F1 = max(best.Precision, t.Precision), max(best.Recall, t.Recall), max(best.F1, t.F1)
		}
	}
	return best
}

// meanCells are F1, precision and recall with their intervals, of all tasks or
// of one repository.
func (a localizationAsk) meanCells(set *leaderboard.LocalizationSet, arm *leaderboard.Arm, repository string, f leaderboard.FileScore, best leaderboard.Triple) ([]views.Cell, error) {
	t, ok := f.Of(a.mean())
	if !ok {
		unknown := views.UnknownCell(a.whyUnknown(arm))
		return []views.Cell{unknown, unknown, unknown}, nil
	}
	of := resampledUnits(set, repository, f.Tasks)
	student := "Student's t over " + of
	if strings.HasSuffix(of, "repositories") {
		student = "bootstrap over " + of
	}
	f1 := a.meanScore(f, t.F1, f.Interval, "bootstrap over "+of)
	f1.Best = t.F1 == best.F1
	ofPrecision, ofRecall, err := set.MeanIntervals(arm, a.gold(), repository)
	if err != nil {
		return nil, err
	}
	precision, recall := a.meanScore(f, t.Precision, ofPrecision, student), a.meanScore(f, t.Recall, ofRecall, student)
	precision.Plain, recall.Plain = true, true
	precision.Best, recall.Best = t.Precision == best.Precision, t.Recall == best.Recall
	return []views.Cell{views.ScoreCell(f1), views.ScoreCell(precision), views.ScoreCell(recall)}, nil
}

func (a localizationAsk) meanScore(f leaderboard.FileScore, value float64, interval *statistics.Interval, method string) views.Score {
	s := views.Score{Value: value, Decimals: f.Decimals}
	if interval != nil && a.mean() == leaderboard.MacroFiles {
		s.Interval = &views.Interval{Low: interval.Low, High: interval.High, Level: statistics.Level, Method: method}
	}
	return s
}

// whyUnknown is why an arm has no score of the kind that is asked for.
func (a localizationAsk) whyUnknown(arm *leaderboard.Arm) string {
	switch {
	case arm.Provenance == leaderboard.Published && a.mean() == leaderboard.MicroFiles:
		return "the paper prints means over tasks only"
	case arm.Provenance == leaderboard.Published:
		return "the paper scores all gold files together"
	}
	return "no task has a gold file that is source"
}

func (a localizationAsk) f1Cell(arm *leaderboard.Arm, f leaderboard.FileScore, address string) views.Cell {
	t, ok := f.Of(a.mean())
	if !ok {
		return views.UnknownCell(a.whyUnknown(arm))
	}
	return views.HeatLinkCell(t.F1, cmp.Or(f.Decimals, 3), address)
}

// answeredCell is how many tasks were scored, and of them answered.
func answeredCell(arm *leaderboard.Arm, f leaderboard.FileScore) views.Cell {
	switch {
	case arm.Provenance == leaderboard.Published:
		return views.UnknownCell("the paper counts the tasks of React alone: 90")
	case f.Answered < f.Tasks:
		return views.TextCell(views.Count(f.Answered) + " of " + views.Count(f.Tasks))
	}
	return views.CountCell(f.Tasks)
}

func dateCell(e *leaderboard.Entrant) views.Cell {
	if e.Date.IsZero() {
		return views.UnknownCell("the paper gives no date")
	}
	return views.DayCell(e.Date)
}

// localizationFilters is the form above the leaderboard.
func (a localizationAsk) localizationFilters() views.Filters {
	f := views.Filters{Action: localizationPath, Selects: []views.Select{a.releaseSelect(true, a.Release), a.levelSelect(true), a.conditionSelect(), a.goldSelect(), a.meanSelect(),
		{Label: views.Label{Name: "provenance", Text: "Provenance"}, Value: string(a.Provenance), Options: []views.Option{{Value: "", Text: "all"}, {Value: "evaluated"}, {Value: "published"}}}},
		Fields: []views.Field{{Label: views.Label{Name: "q", Text: "System"}, Value: a.Text, Type: "search"}}}
	if a.Sort != "" {
		order := "desc"
		if a.Ascending {
			order = "asc"
		}
		f.Keep = []views.Hidden{{Name: "sort", Value: a.Sort}, {Name: "order", Value: order}}
	}
	said := []string{a.levelSaid()}
	if a.Release != "" {
		said = append(said, a.Release)
	}
	if a.Condition != "" {
		said = append(said, string(a.Condition)+" condition")
	}
	said = append(said, a.goldSaid(), string(a.mean())+" means")
	if a.Provenance != "" {
		said = append(said, string(a.Provenance)+" rows")
	}
	if a.Text != "" {
		said = append(said, "systems that contain “"+a.Text+"”")
	}
	f.Said = "Showing " + strings.Join(said, "; ") + "."
	for name := range a.params {
		if name != "page" && name != "sort" && name != "order" {
			f.Clear = localizationPath
		}
	}
	return f
}
