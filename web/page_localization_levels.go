package web

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/leaderboard"
	"touchstone/internal/localization"
	"touchstone/internal/statistics"
	"touchstone/views"
)

const levelsPath = localizationPath + "/levels"

// An overLevels is what the page's address asks for.
type overLevels struct {
	localizationAsk
	set   *leaderboard.LocalizationSet // nil when there is none
	gains []leaderboard.Gain           // over all tasks, the largest first
}

// levelsAsked reads the address. Without a release it is the first on which
// anything was scored.
func (s *Site) levelsAsked(c echo.Context) (overLevels, error) {
	a, err := s.localizationAsk(c, "")
	if err != nil {
		return overLevels{}, err
	}
	o := overLevels{localizationAsk: a, set: a.set(func(l *leaderboard.LocalizationSet) bool { return len(l.Entrants) > 0 })}
	if o.set == nil {
		return o, nil
	}
	o.gains = slices.DeleteFunc(o.set.Gains(a.gold(), ""), func(g leaderboard.Gain) bool { return a.Condition != "" && g.Condition != a.Condition })
	slices.SortStableFunc(o.gains, func(a, b leaderboard.Gain) int { return cmp.Compare(b.Difference(), a.Difference()) })
	return o, nil
}

func (s *Site) levelsSheet(c echo.Context) (leaderboard.Sheet, error) {
	a, err := s.localizationAsk(c, "")
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	return a.board.LevelsSheet(a.LocalizationQuery)
}

// levelsFile is the chart of gains as SVG.
func (s *Site) levelsFile(c echo.Context) error {
	o, err := s.levelsAsked(c)
	if err != nil {
		return err
	}
	chart, err := o.chart()
	if err != nil {
		return err
	}
	if chart == nil {
		return echo.NewHTTPError(http.StatusNotFound, "There is nothing to draw: no system was scored under minimal and under guided prompts.")
	}
	return sendSVG(c, chart.File())
}

// levels is F1 over levels and repositories, and what guided prompts add.
func (s *Site) levels(c echo.Context) (templ.Component, error) {
	o, err := s.levelsAsked(c)
	if err != nil {
		return nil, err
	}
	page := views.LevelsPage{Page: s.page(c, "By level and repository"), Links: localizationLinks(levelsPath)}
	page.Page.Description = "File-level F1 of every system by prompt level and repository, and the gain from minimal to guided prompts."
	key := ""
	if o.set != nil {
		key = o.set.Key
		page.Title, page.Provenance = o.set.Label, views.Provenance(o.set.Provenance)
	}
	page.Filters = views.Filters{Action: levelsPath, Selects: []views.Select{o.releaseSelect(false, key), o.conditionSelect(), o.goldSelect(), o.meanSelect()}}
	page.Empty = views.Empty{Title: "No system has a score of this kind.", Next: submitLocalization}
	if o.set == nil {
		return views.Levels(page), nil
	}
	page.Filters.Said = "Showing " + strings.Join([]string{o.set.Label, o.goldSaid(), string(o.mean()) + " means"}, "; ") + "."
	page.Tables, page.Pagination = o.tables(address(c))
	page.Gains, err = o.chart()
	return views.Levels(page), err
}

// chosenArms are an entrant's in one condition.
type chosenArms struct {
	*leaderboard.Entrant
	condition localization.Condition
}

// chosen are the entrants and conditions that the filters leave, by name.
func (o overLevels) chosen() []chosenArms {
	var found []chosenArms
	for _, e := range o.set.Entrants {
		for _, condition := range localization.Conditions {
			if (o.Condition == "" || o.Condition == condition) && slices.ContainsFunc(e.Arms, func(a *leaderboard.Arm) bool { return a.Condition == condition }) {
				found = append(found, chosenArms{e, condition})
			}
		}
	}
	return found
}

// tables are the heatmap: a table for all, where there are several
// repositories, and one for each.
func (o overLevels) tables(at url.URL) ([]views.LocalizationTable, views.Pagination) {
	rows := o.chosen()
	pages := views.Pagination{Page: views.ReadPage(at.Query(), systemsPerPage, len(rows)), PerPage: systemsPerPage, Total: len(rows), Unit: "systems", Address: at}
	first := (pages.Page - 1) * systemsPerPage
	rows = rows[first:min(len(rows), first+systemsPerPage)]
	if len(rows) == 0 {
		return nil, pages
	}
	query := at.Query()
	query.Del("page")
	query.Set("release", o.set.Key)
	t := views.Table{ID: "levels-table", CSV: fileAddress(levelsPath+".csv", query), Caption: "F1 by level on each repository, and guided minus minimal. " + o.meanSaid(), Source: localizationSource(o.set),
		Columns: []views.Column{{Label: "System"}, {Label: "Condition"}}}
	for _, level := range localization.Levels {
		t.Columns = append(t.Columns, views.Column{Label: capital(string(level)), Note: "F1", Align: views.Centre})
	}
	t.Columns = append(t.Columns, views.Column{Label: "Gain", Note: "guided − minimal", Align: views.Centre})
	places := make([]int, 0, len(o.set.Repositories)+1)
	if len(o.set.Repositories) > 1 {
		places = append(places, -1)
	}
	for i := range o.set.Repositories {
		places = append(places, i)
	}
	for _, i := range places {
		group := views.Group{Heading: "All repositories", Note: "Mean over all tasks."}
		switch {
		case i >= 0:
			group = views.Group{Heading: o.set.Repositories[i].Name, Note: pullRequestTasks(o.set.Repositories[i].Tasks)}
		case o.set.Provenance == leaderboard.Published:
			group.Note = "Unweighted mean of the repositories, computed here."
		}
		for _, x := range rows {
			group.Rows = append(group.Rows, o.row(x, i))
		}
		t.Groups = append(t.Groups, group)
	}
	return []views.LocalizationTable{{ID: "heatmap", Title: "F1 by level", Table: t}}, pages
}

func pullRequestTasks(n int) string {
	if n == 0 {
		return "the paper does not count its tasks in this table"
	}
	return views.Counted(n, "task", "tasks")
}

// row is an entrant on the i-th repository, on all when i is below 0.
func (o overLevels) row(x chosenArms, i int) views.Row {
	row := views.Row{Cells: []views.Cell{views.ViewCell(views.SystemName(entrantName(x.Entrant, latest(x.Entrant)))), views.TextCell(string(x.condition))}}
	ends := [2]float64{math.NaN(), math.NaN()}
	decimals := 3
	for _, level := range localization.Levels {
		arm := x.Arm(level, x.condition)
		if arm == nil {
			row.Cells = append(row.Cells, views.UnknownCell("it has no predictions under "+string(level)+" prompts"))
			continue
		}
		f, address := arm.Whole(o.gold()), ""
		if i >= 0 {
			f, address = arm.On(i, o.gold()), historyAddress(o.set, o.set.Repositories[i].Name)
		}
		row.Cells = append(row.Cells, o.f1Cell(arm, f, address))
		if t, ok := f.Of(o.mean()); ok {
			decimals = max(decimals, f.Decimals)
			switch level {
			case localization.Minimal:
				ends[0] = t.F1
			case localization.Guided:
				ends[1] = t.F1
			}
		}
	}
	if math.IsNaN(ends[0]) || math.IsNaN(ends[1]) {
		row.Cells = append(row.Cells, views.UnknownCell("it takes scores under minimal and guided prompts"))
	} else {
		row.Cells = append(row.Cells, views.DivergingCell(ends[1]-ends[0], 1, decimals))
	}
	return row
}

// chart draws the largest gains; nil when there are none.
func (o overLevels) chart() (*views.Forest, error) {
	if o.set == nil || len(o.gains) == 0 {
		return nil, nil
	}
	query := url.Values{"release": {o.set.Key}, "gold": {string(o.gold())}}
	if o.Condition != "" {
		query.Set("condition", string(o.Condition))
	}
	shown := o.gains[:min(len(o.gains), 2*systemsPerPage)]
	place := localizationColours(o.board)
	chart := &views.Forest{
		Chart: views.Chart{ID: "gains", Title: o.gainsFinding(),
			Description: "For each system the difference of mean F1 between guided and minimal prompts, the largest first. The table has the numbers.",
			Note:        o.gainsNote(len(shown)), CSV: fileAddress(levelsPath+".csv", query), SVG: fileAddress(levelsPath+".svg", query)},
		Unit: "ΔF1, guided minus minimal",
	}
	t := views.Table{ID: "gains-table", CSV: chart.CSV, Caption: "F1 under minimal and guided prompts.", Columns: []views.Column{{Label: "System"}, {Label: "Condition"},
		{Label: "Minimal", Align: views.Decimals}, {Label: "Guided", Align: views.Decimals}, {Label: "Gain", Align: views.Decimals}, {Label: "95 % interval"}}}
	group := views.Group{}
	for _, g := range shown {
		row := views.ForestRow{Name: g.Name() + ", " + string(g.Condition), Series: place(g.Name()), Value: g.Difference(), Why: "the paper prints means only"}
		interval := views.UnknownCell(row.Why)
		known, err := o.set.GainInterval(g, o.gold(), "")
		if err != nil {
			return nil, err
		}
		if known != nil {
			row.Interval = forestInterval(known, "paired, over "+resampledUnits(o.set, "", o.set.Tasks))
			interval = views.TextCell(fromTo(known))
		} else if g.Provenance == leaderboard.Evaluated {
			row.Why = "with one task it is unknown how much tasks differ"
			interval = views.UnknownCell(row.Why)
		}
		chart.Rows = append(chart.Rows, row)
		decimals := cmp.Or(g.Decimals, 3)
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.ViewCell(views.SystemName(entrantName(g.Entrant, latest(g.Entrant)))), views.TextCell(string(g.Condition)),
			views.NumberCell(g.Minimal, decimals), views.NumberCell(g.Guided, decimals), views.NumberCell(g.Difference(), decimals), interval}})
	}
	t.Groups = []views.Group{group}
	chart.Table = t
	return chart, nil
}

func forestInterval(i *statistics.Interval, method string) *views.Interval {
	return &views.Interval{Low: i.Low, High: i.High, Level: statistics.Level, Method: method}
}

// gainsFinding is what the chart shows in a sentence.
func (o overLevels) gainsFinding() string {
	up := 0
	for _, g := range o.gains {
		if g.Difference() > 1e-12 {
			up++
		}
	}
	first, last := o.gains[0], o.gains[len(o.gains)-1]
	if len(o.gains) == 1 {
		return fmt.Sprintf("From minimal to guided prompts, %s goes from F1 %s to %s", first.Name(), views.Decimal(first.Minimal, 3), views.Decimal(first.Guided, 3))
	}
	return fmt.Sprintf("Guided prompts are better than minimal ones for %s of %s, by %s to %s", views.Count(up), views.Counted(len(o.gains), "row", "rows"),
		views.Signed(last.Difference(), 3), views.Signed(first.Difference(), 3))
}

func (o overLevels) gainsNote(shown int) string {
	text := "Mean F1 over tasks, " + o.goldSaid() + "; "
	if o.set.Provenance == leaderboard.Published {
		text += "the unweighted mean of the paper’s repositories, of which it prints no intervals."
	} else {
		text += fmt.Sprintf("95 %% intervals of the paired differences over %s.", resampledUnits(o.set, "", o.set.Tasks))
	}
	if shown < len(o.gains) {
		text += fmt.Sprintf(" The %d largest of %d; all are in the CSV.", shown, len(o.gains))
	}
	return text
}
