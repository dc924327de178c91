package web

import (
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
	"touchstone/views"
)

// A history is one repository of the track in one set.
type history struct {
	localizationAsk
	sets []*leaderboard.LocalizationSet // that have it, the newest release first
	set  *leaderboard.LocalizationSet   // of these, the one that is shown
	name string
	at   int // its place in the set
}

func noHistory(name string) error {
	return echo.NewHTTPError(http.StatusNotFound, fmt.Sprintf("No release and no paper of the localization track has the repository “%s”.", views.Visible(cutText(name, 100))))
}

// history finds the repository of an address. A paper stands in place of the
// owner that it does not name.
func (s *Site) history(c echo.Context, name string) (history, error) {
	a, err := s.localizationAsk(c, "")
	h := history{localizationAsk: a, name: name}
	if err != nil {
		return h, err
	}
	if owner, rest, _ := strings.Cut(name, "/"); rest != "" {
		if set, ok := a.board.LocalizationSet(owner); ok && set.Provenance == leaderboard.Published {
			if _, known := set.Index(rest); known {
				h.name, h.sets = rest, []*leaderboard.LocalizationSet{set}
			}
		}
	}
	if h.sets == nil {
		h.sets = a.board.WithHistory(name)
	}
	for _, set := range h.sets {
		if h.set == nil || set.Key == a.Release {
			h.set = set
		}
	}
	if h.set == nil || a.Release != "" && h.set.Key != a.Release {
		return h, noHistory(name)
	}
	h.at, _ = h.set.Index(h.name)
	return h, nil
}

// historyFile answers with the CSV of a repository whose name is followed by
// .csv, with its chart after .svg, and otherwise with its page.
func (s *Site) historyFile(page echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		name := repositoryName(c)
		_, err := s.history(c, name)
		if err == nil { // a repository may be called x.csv itself
			return page(c)
		}
		if plain, ok := strings.CutSuffix(name, ".csv"); ok {
			h, err := s.history(c, plain)
			if err != nil {
				return err
			}
			return sendCSV(c, h.sheet())
		}
		if plain, ok := strings.CutSuffix(name, ".svg"); ok {
			h, err := s.history(c, plain)
			if err != nil {
				return err
			}
			chart := h.trajectories(address(c))
			if chart == nil {
				return echo.NewHTTPError(http.StatusNotFound, "There is nothing to draw: no system has a score on this repository.")
			}
			return sendSVG(c, chart.File())
		}
		return err
	}
}

func (s *Site) historyJSON(c echo.Context) error {
	h, err := s.history(c, repositoryName(c))
	if err != nil {
		return err
	}
	return sendJSON(c, h.sheet())
}

// sheet is every arm's score on the repository, of all sets unless one is asked for.
func (h history) sheet() leaderboard.Sheet {
	return leaderboard.LocalizationScores(h.board.ListLocalization(h.LocalizationQuery), h.Gold, h.name)
}

// historyPage is a repository of the track.
func (s *Site) historyPage(c echo.Context) (templ.Component, error) {
	h, err := s.history(c, repositoryName(c))
	if err != nil {
		return nil, err
	}
	at := address(c)
	page := views.HistoryPage{Page: s.page(c, h.name), Links: localizationLinks(""), Facts: h.facts(), Trajectories: h.trajectories(at)}
	page.Page.Description = "File-level precision, recall and F1 of every system on " + h.name + " by prompt level, and the pull requests that are its tasks."
	page.Heading = views.Heading{Trail: []views.Link{{Text: "Localization", Address: localizationPath}}, Title: h.name, Mono: true, Lead: h.lead()}
	page.Filters = h.filters(at.Path)
	scores, pages, err := h.scores(at)
	if err != nil {
		return nil, err
	}
	page.Scores, page.Pagination = []views.LocalizationTable{scores}, pages
	if h.set.Provenance == leaderboard.Evaluated {
		page.Dropped = []views.LocalizationTable{h.dropped()}
		tasks, number := h.tasks(at)
		page.Tasks, page.Pages = []views.LocalizationTable{tasks}, number
	}
	return views.History(page), nil
}

func (h history) lead() string {
	if h.set.Provenance == leaderboard.Published {
		return "A repository of the " + h.set.Label + ", which names no owner, no dates and no commit of it. Nothing here was run by this site."
	}
	var names []string
	for _, set := range h.sets {
		names = append(names, set.Label)
	}
	return "In " + strings.Join(names, ", ") + "; shown: " + h.set.Label + "."
}

func (h history) filters(path string) views.Filters {
	f := views.Filters{Action: path, Selects: []views.Select{h.conditionSelect(), h.goldSelect(), h.meanSelect()}}
	if len(h.sets) > 1 {
		release := views.Select{Label: views.Label{Name: "release", Text: "Release"}, Value: h.set.Key}
		for _, set := range h.sets {
			release.Options = append(release.Options, views.Option{Value: set.Key, Text: set.Label})
		}
		f.Selects = append([]views.Select{release}, f.Selects...)
	}
	f.Said = "Showing " + h.goldSaid() + "; " + string(h.mean()) + " means."
	return f
}

// facts is what each set says of the repository.
func (h history) facts() views.Table {
	t := views.Table{ID: "history-facts", Caption: "Where the window lies, and what is in it.", Columns: []views.Column{
		{Label: "Set"}, {Label: "Provenance"}, {Label: "T0"}, {Label: "T1"}, {Label: "Snapshot"}, {Label: "Files", Note: "at T0", Align: views.Decimals},
		{Label: "Commits", Note: "first-parent, in (T0, T1]", Align: views.Decimals}, {Label: "Pull requests", Note: "recognised", Align: views.Decimals},
		{Label: "Left out", Align: views.Decimals}, {Label: "Tasks", Align: views.Decimals}, {Label: "Gold files", Note: "of all tasks", Align: views.Decimals}, {Label: "Source"}}}
	group := views.Group{}
	for _, set := range h.sets {
		i, _ := set.Index(h.name)
		r := set.Repositories[i]
		row := views.Row{Cells: []views.Cell{views.TextCell(set.Label), views.ViewCell(views.Provenance(set.Provenance).Badge())}}
		if set.Provenance == leaderboard.Published {
			unsaid := views.UnknownCell("the paper does not say")
			tasks := unsaid
			if h.name == "React" {
				tasks = views.TextCell("90 (section 5.3)")
			}
			row.Cells = append(row.Cells, unsaid, unsaid, unsaid, unsaid, unsaid, unsaid, unsaid, tasks, unsaid, unsaid)
		} else {
			snapshot := views.CodeCell(shortCommit(r.Snapshot), "")
			if address := forgeCommit(r.Source, r.Snapshot); address != "" {
				snapshot = views.CodeCell(shortCommit(r.Snapshot), address)
			}
			row.Cells = append(row.Cells, views.TextCell(r.T0.UTC().Format("2006-01-02 15:04")), views.TextCell(r.T1.UTC().Format("2006-01-02 15:04")), snapshot,
				views.CountCell(r.Files), views.CountCell(r.Commits), views.CountCell(r.PullRequests), views.CountCell(sum(r.Dropped)), views.CountCell(r.Tasks), views.CountCell(r.Gold),
				codeOr(r.Source, "the release does not say"))
		}
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	return t
}

func sum(counts map[string]int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}

// entrants are those that have an arm of the condition that is asked for.
func (h history) entrants() []chosenArms {
	return overLevels{localizationAsk: h.localizationAsk, set: h.set}.chosen()
}

// paged are the entrants of a page.
func (h history) paged(at url.URL) ([]chosenArms, views.Pagination) {
	all := h.entrants()
	pages := views.Pagination{Page: views.ReadPage(at.Query(), systemsPerPage, len(all)), PerPage: systemsPerPage, Total: len(all), Unit: "systems", Address: at}
	first := (pages.Page - 1) * systemsPerPage
	return all[first:min(len(all), first+systemsPerPage)], pages
}

// scores is what the paper's Tables 2 and 3 are of a repository: a group for
// each system, a row for each level.
func (h history) scores(at url.URL) (views.LocalizationTable, views.Pagination, error) {
	rows, pages := h.paged(at)
	query := at.Query()
	query.Del("page")
	t := views.Table{ID: "history-scores", CSV: fileAddress(historyAddress(h.set, h.name)+".csv", query), Source: localizationSource(h.set),
		Caption: "Precision, recall and F1 on " + h.name + ", " + h.goldSaid() + ". " + h.meanSaid(),
		Columns: []views.Column{{Label: "Prompt"}, {Label: "Condition"}, {Label: "F1", Note: "0–1, higher is better", Definition: "/methodology#localization-metrics", Align: views.Decimals},
			{Label: "Precision", Note: "0–1, higher is better", Align: views.Decimals}, {Label: "Recall", Note: "0–1, higher is better", Align: views.Decimals},
			{Label: "Found none", Note: "share of tasks", Align: views.Decimals}, {Label: "Found all", Note: "share of tasks", Align: views.Decimals}, {Label: "Tasks", Note: "answered", Align: views.Decimals}},
		Empty: views.Empty{Title: "No system has a score on this repository.", Next: submitLocalization}}
	for _, x := range rows {
		group := views.Group{Heading: x.Name(), Note: entrantNote(x.Entrant)}
		for _, arm := range x.Arms {
			if arm.Condition != x.condition {
				continue
			}
			f := arm.On(h.at, h.gold())
			row := views.Row{Cells: []views.Cell{views.TextCell(capital(string(arm.Level))), views.TextCell(string(arm.Condition))}}
			means, err := h.meanCells(h.set, arm, h.name, f, leaderboard.Triple{Precision: -1, Recall: -1, F1: -1})
			if err != nil {
				return views.LocalizationTable{}, pages, err
			}
			row.Cells = append(row.Cells, means...)
			row.Cells = append(row.Cells, shareCell(f, localization.ZeroRecall), shareCell(f, localization.FullRecall), answeredCell(arm, f))
			group.Rows = append(group.Rows, row)
		}
		t.Groups = append(t.Groups, group)
	}
	return views.LocalizationTable{Table: t}, pages, nil
}

func entrantNote(e *leaderboard.Entrant) string {
	note := string(e.Provenance)
	if e.Version != "" {
		note += ", version " + e.Version
	}
	return note
}

// shareCell is how many of the tasks ended so, with Wilson's interval.
func shareCell(f leaderboard.FileScore, e localization.Extreme) views.Cell {
	share, ok := f.Share(e)
	if !ok {
		return views.UnknownCell("the paper does not say")
	}
	return views.ScoreCell(views.Score{Value: share.Rate, Plain: true, Interval: forestInterval(&share.Interval, fmt.Sprintf("Wilson, %d of %d tasks", share.Count, f.Tasks))})
}

// trajectories draw how each system's scores go over levels; nil without any.
func (h history) trajectories(at url.URL) *views.Trajectories {
	rows, pages := h.paged(at)
	query := at.Query()
	query.Del("page")
	csv := fileAddress(historyAddress(h.set, h.name)+".csv", query)
	if pages.Page > 1 {
		query.Set("page", fmt.Sprint(pages.Page))
	}
	t := &views.Trajectories{Chart: views.Chart{ID: "trajectories", CSV: csv, SVG: fileAddress(historyAddress(h.set, h.name)+".svg", query),
		Description: "For each system a small drawing of F1, precision (P) and recall (R) at each prompt level. The table above has the numbers.",
		Note:        fmt.Sprintf("F1 (line), precision P (dashed) and recall R (dotted) on %s, %s, %s means.", h.name, h.goldSaid(), h.mean())}}
	for _, level := range localization.Levels {
		t.Levels = append(t.Levels, capital(string(level)))
	}
	table := views.Table{ID: "trajectories-table", CSV: csv, Caption: "The same as numbers.", Columns: []views.Column{{Label: "System"}, {Label: "Measure"}}}
	for _, level := range t.Levels {
		table.Columns = append(table.Columns, views.Column{Label: level, Align: views.Decimals})
	}
	place := localizationColours(h.board)
	group, rising, known := views.Group{}, 0, 0
	for _, x := range rows {
		row := views.Trajectory{Name: x.Name() + ", " + string(x.condition), Series: place(x.Name()), Lines: []views.TrajectoryLine{{Name: "F1"}, {Name: "P"}, {Name: "R"}}}
		any := false
		for _, level := range localization.Levels {
			values := [3]float64{math.NaN(), math.NaN(), math.NaN()}
			if arm := x.Arm(level, x.condition); arm != nil {
				f := arm.On(h.at, h.gold())
				if triple, ok := f.Of(h.mean()); ok {
					values, any, row.Decimals = [3]float64{triple.F1, triple.Precision, triple.Recall}, true, f.Decimals
				}
			}
			for i := range row.Lines {
				row.Lines[i].Values = append(row.Lines[i].Values, values[i])
			}
		}
		if !any {
			continue
		}
		known++
		if rises(row.Lines[0].Values) {
			rising++
		}
		t.Rows = append(t.Rows, row)
		for _, line := range row.Lines {
			cells := []views.Cell{views.TextCell(row.Name), views.TextCell(line.Name)}
			for _, v := range line.Values {
				if math.IsNaN(v) {
					cells = append(cells, views.UnknownCell("no predictions under these prompts"))
				} else {
					cells = append(cells, views.NumberCell(v, max(3, row.Decimals)))
				}
			}
			group.Rows = append(group.Rows, views.Row{Cells: cells})
		}
	}
	if known == 0 {
		return nil
	}
	table.Groups = []views.Group{group}
	t.Table = table
	t.Title = fmt.Sprintf("F1 rises with every prompt level for %s of %s", views.Count(rising), views.Counted(known, "row", "rows"))
	return t
}

// rises reports whether each known value is above the one before it, of two at
// least.
func rises(values []float64) bool {
	known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	for i := 1; i < len(known); i++ {
		if known[i] <= known[i-1] {
			return false
		}
	}
	return len(known) > 1
}
