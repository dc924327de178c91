package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard"
	"touchstone/internal/localization"
	"touchstone/views"
)

const extremesPath = localizationPath + "/extremes"

// histogramsPerPage is how many systems are drawn at once.
const histogramsPerPage = 6

// An extremes is what the page's address asks for.
type extremes struct {
	localizationAsk
	set        *leaderboard.LocalizationSet // nil when there is none
	repository string
	rows       []chosenArms // entrants in one condition each, by name
}

// extremesAsked reads the address. Without a release it is the first whose
// tasks are known one by one.
func (s *Site) extremesAsked(c echo.Context) (extremes, error) {
	a, err := s.localizationAsk(c, "")
	if err != nil {
		return extremes{}, err
	}
	x := extremes{localizationAsk: a, set: a.set(func(l *leaderboard.LocalizationSet) bool {
		return l.Provenance == leaderboard.Evaluated && len(l.Entrants) > 0
	})}
	if x.set != nil {
		x.repository = a.narrowed(x.set)
		x.rows = overLevels{localizationAsk: a, set: x.set}.chosen()
	}
	return x, nil
}

func (s *Site) extremesSheet(c echo.Context) (leaderboard.Sheet, error) {
	a, err := s.localizationAsk(c, "")
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	return leaderboard.ExtremeShares(a.board.ListLocalization(a.LocalizationQuery), a.Gold, a.repository), nil
}

// extremesFile is the chart of one system as SVG.
func (s *Site) extremesFile(c echo.Context) error {
	x, err := s.extremesAsked(c)
	if err != nil {
		return err
	}
	for _, row := range x.rows {
		if latest(row.Entrant) == c.QueryParam("submission") && string(row.condition) == c.QueryParam("condition") {
			chart, err := x.histogram(row)
			if err != nil {
				return err
			}
			if chart != nil {
				return sendSVG(c, chart.File())
			}
		}
	}
	return echo.NewHTTPError(http.StatusNotFound, "There is nothing to draw: no submission and condition is named whose tasks are scored.")
}

// extremesPage is how often tasks ended in all or nothing, and how F1 lies
// between.
func (s *Site) extremesPage(c echo.Context) (templ.Component, error) {
	x, err := s.extremesAsked(c)
	if err != nil {
		return nil, err
	}
	page := views.ExtremesPage{Page: s.page(c, "Extreme outcomes"), Links: localizationLinks(extremesPath), Filters: x.filters()}
	page.Page.Description = "How often an agent finds no file, every file, or exactly the files of a task, by system and prompt, with intervals; and how F1 lies over tasks."
	page.Empty = views.Empty{Title: "Of no system the single tasks are known.", Reason: "They take an evaluated submission: a paper prints rates only.", Next: submitLocalization}
	if page.Printed, err = s.printedTables(c, 4); err != nil {
		return nil, err
	}
	if x.set == nil {
		return views.ExtremesOverview(page), nil
	}
	page.Title, page.Provenance = x.set.Label, views.Provenance(x.set.Provenance)
	at := address(c)
	pages := views.Pagination{Page: views.ReadPage(at.Query(), histogramsPerPage, len(x.rows)), PerPage: histogramsPerPage, Total: len(x.rows), Unit: "systems", Address: at}
	first := (pages.Page - 1) * histogramsPerPage
	shown := x.rows[first:min(len(x.rows), first+histogramsPerPage)]
	if x.set.Provenance == leaderboard.Evaluated && len(shown) > 0 {
		page.Table, page.Pagination = x.table(shown, at), pages
		page.Notes = []views.Note{{Text: "An empty prediction has precision 0, so tasks with precision 0 and with recall 0 are the same; both are shown because the paper prints both."}}
		for _, row := range shown {
			chart, err := x.histogram(row)
			if err != nil {
				return nil, err
			}
			if chart != nil {
				page.Histograms = append(page.Histograms, *chart)
			}
		}
		if page.Compared, err = x.compared(c); err != nil {
			return nil, err
		}
	}
	return views.ExtremesOverview(page), nil
}

func (x extremes) filters() views.Filters {
	f := views.Filters{Action: extremesPath}
	key := ""
	if x.set != nil {
		key = x.set.Key
		f.Said = "Showing " + strings.Join([]string{x.set.Label, nonEmpty(x.repository, "all repositories"), x.goldSaid()}, "; ") + "."
	}
	f.Selects = []views.Select{x.releaseSelect(false, key), x.repositorySelect(x.set), x.conditionSelect(), x.goldSelect()}
	return f
}

func nonEmpty(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// query asks for the same again, of one entrant or of all.
func (x extremes) query() url.Values {
	q := url.Values{"release": {x.set.Key}, "gold": {string(x.gold())}}
	if x.repository != "" {
		q.Set("repository", x.repository)
	}
	return q
}

// score is an arm's on what is shown.
func (x extremes) score(arm *leaderboard.Arm) leaderboard.FileScore {
	if i, ok := x.set.Index(x.repository); ok {
		return arm.On(i, x.gold())
	}
	return arm.Whole(x.gold())
}

// outcomeNames are the extreme outcomes as pages call them.
var outcomeNames = map[localization.Extreme]struct{ label, note, meaning string }{
	localization.ZeroPrecision: {"Precision = 0", "lower is better", "no predicted file is right"},
	localization.ZeroRecall:    {"Recall = 0", "lower is better", "no changed file is found"},
	localization.FullRecall:    {"Recall = 1", "higher is better", "every changed file is found"},
	localization.Exact:         {"F1 = 1", "higher is better", "exactly the changed files are found"},
}

// table is what the paper's Table 4 is of each system.
func (x extremes) table(rows []chosenArms, at url.URL) views.Table {
	query := x.query()
	if x.Condition != "" {
		query.Set("condition", string(x.Condition))
	}
	t := views.Table{ID: "extremes-table", CSV: fileAddress(extremesPath+".csv", query), Source: localizationSource(x.set),
		Caption: "Shares of tasks that ended in all or nothing, on " + nonEmpty(x.repository, "all repositories") + ", with Wilson’s 95 % intervals; " + x.goldSaid() + ".",
		Columns: []views.Column{{Label: "Prompt"}, {Label: "Mean F1", Note: "0–1", Align: views.Decimals}}}
	for _, e := range localization.Extremes {
		t.Columns = append(t.Columns, views.Column{Label: outcomeNames[e].label, Note: "share of tasks, " + outcomeNames[e].note, Align: views.Decimals})
	}
	t.Columns = append(t.Columns, views.Column{Label: "Tasks", Note: "answered", Align: views.Decimals})
	for _, row := range rows {
		group := views.Group{Heading: row.Name() + ", " + string(row.condition), Note: entrantNote(row.Entrant)}
		for _, arm := range row.Arms {
			if arm.Condition != row.condition {
				continue
			}
			f := x.score(arm)
			cells := []views.Cell{views.TextCell(capital(string(arm.Level)))}
			if f.Known {
				cells = append(cells, views.NumberCell(f.Macro.F1, 3))
			} else {
				cells = append(cells, views.UnknownCell(x.whyUnknown(arm)))
			}
			for _, e := range localization.Extremes {
				cells = append(cells, shareCell(f, e))
			}
			group.Rows = append(group.Rows, views.Row{Cells: append(cells, answeredCell(arm, f))})
		}
		t.Groups = append(t.Groups, group)
	}
	return t
}

// histogram draws how F1 lies over tasks at each level; nil without a task.
func (x extremes) histogram(row chosenArms) (*views.Histograms, error) {
	query := x.query()
	query.Set("submission", latest(row.Entrant))
	query.Set("condition", string(row.condition))
	name := row.Name() + ", " + string(row.condition)
	h := &views.Histograms{Unit: "F1", Series: localizationColours(x.board)(row.Name()), Chart: views.Chart{ID: "f1-" + elementID(latest(row.Entrant)) + "-" + string(row.condition),
		CSV: fileAddress(extremesPath+".csv", query), SVG: fileAddress(extremesPath+".svg", query),
		Description: "For each prompt level a bar for each range of F1: exactly 0, five fifths between, exactly 1; its height is the share of tasks, in percent.",
		Note:        "Percent of tasks by F1 on " + nonEmpty(x.repository, "all repositories") + ", " + x.goldSaid() + "."}}
	t := views.Table{ID: h.ID + "-table", CSV: h.CSV, Caption: "Tasks by F1.", Columns: []views.Column{{Label: "Prompt"}, {Label: "0", Align: views.Decimals}, {Label: "to 0.2", Align: views.Decimals},
		{Label: "to 0.4", Align: views.Decimals}, {Label: "to 0.6", Align: views.Decimals}, {Label: "to 0.8", Align: views.Decimals}, {Label: "below 1", Align: views.Decimals}, {Label: "1", Align: views.Decimals}}}
	group := views.Group{}
	for _, arm := range row.Arms {
		if arm.Condition != row.condition {
			continue
		}
		g := views.Histogram{Name: capital(string(arm.Level))}
		f1s, err := x.set.F1s(arm, x.gold(), x.repository)
		if err != nil {
			return nil, err
		}
		for _, f1 := range f1s {
			g.Counts[views.HistogramBin(f1)]++
			g.Tasks++
		}
		if g.Tasks == 0 {
			continue
		}
		h.Groups = append(h.Groups, g)
		cells := []views.Cell{views.TextCell(g.Name)}
		for _, n := range g.Counts {
			cells = append(cells, views.CountCell(n))
		}
		group.Rows = append(group.Rows, views.Row{Cells: cells})
	}
	if len(h.Groups) == 0 {
		return nil, nil
	}
	t.Groups = []views.Group{group}
	h.Table, h.Title = t, histogramFinding(name, h.Groups)
	return h, nil
}

// histogramFinding is what the panels show in a sentence.
func histogramFinding(name string, groups []views.Histogram) string {
	share := func(g views.Histogram, bin int) string {
		return views.Decimal(100*float64(g.Counts[bin])/float64(g.Tasks), 0) + " %"
	}
	first, last := groups[0], groups[len(groups)-1]
	if len(groups) == 1 {
		return fmt.Sprintf("%s finds nothing on %s of tasks and exactly the right files on %s", name, share(first, 0), share(first, views.HistogramBins-1))
	}
	return fmt.Sprintf("%s finds nothing on %s of tasks under %s prompts, on %s under %s ones", name, share(first, 0), strings.ToLower(first.Name), share(last, 0), strings.ToLower(last.Name))
}

// compared sets two arms side by side: those of the address, else the first
// system's lowest and highest level.
func (x extremes) compared(c echo.Context) (*views.ArmsCompared, error) {
	var arms []*leaderboard.Arm
	for _, row := range x.rows {
		for _, arm := range row.Arms {
			if arm.Condition == row.condition {
				arms = append(arms, arm)
			}
		}
	}
	if len(arms) < 2 {
		return nil, nil
	}
	first, second := arms[0], arms[1]
	for _, arm := range arms { // the highest level of the first system
		if arm.Entrant == first.Entrant && arm.Condition == first.Condition {
			second = arm
		}
	}
	if second == first {
		second = arms[1]
	}
	for _, side := range []struct {
		field string
		arm   **leaderboard.Arm
	}{{"a", &first}, {"b", &second}} {
		if key := c.QueryParam(side.field); key != "" {
			found, ok := x.set.ArmOf(key)
			if !ok {
				return nil, &benchmark.InputError{Field: side.field, Problem: fmt.Sprintf("%.80q is no row of %s", key, x.set.Label), Mend: "write submission:level:condition, as the list offers it"}
			}
			*side.arm = found
		}
	}
	form := views.Filters{Action: extremesPath}
	for _, name := range []string{"release", "repository", "condition", "gold", "page"} {
		if value := c.QueryParam(name); value != "" {
			form.Keep = append(form.Keep, views.Hidden{Name: name, Value: value})
		}
	}
	var options []views.Option
	for _, arm := range arms {
		options = append(options, views.Option{Value: arm.Key(), Text: armName(arm)})
	}
	for _, side := range []struct {
		field, text string
		arm         *leaderboard.Arm
	}{{"a", "First row", first}, {"b", "Second row", second}} {
		own := options
		if !slices.ContainsFunc(own, func(o views.Option) bool { return o.Value == side.arm.Key() }) {
			own = append(slices.Clone(own), views.Option{Value: side.arm.Key(), Text: armName(side.arm)})
		}
		form.Selects = append(form.Selects, views.Select{Label: views.Label{Name: side.field, Text: side.text}, Value: side.arm.Key(), Options: own})
	}
	found, err := x.set.CompareArms(first, second, x.gold(), x.repository)
	if err != nil {
		return nil, err
	}
	view := &views.ArmsCompared{Form: form}
	if found == nil {
		view.Sentences = []string{"They have no task in common that counts."}
		return view, nil
	}
	view.Sentences, view.Table = armsSaid(found), armsTested(found)
	return view, nil
}

func armName(a *leaderboard.Arm) string {
	name := a.Name()
	if a.Version != "" {
		name += ", version " + a.Version
	}
	return name + ": " + string(a.Level) + ", " + string(a.Condition)
}
