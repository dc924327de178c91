package web

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/views"
)

// standoutsShown is how many repositories the strongest and the weakest are.
const standoutsShown = 5

// waitingShown is how many submissions without a result a system's page lists.
const waitingShown = 50

func noSystem(slug string) error {
	if runes := []rune(slug); len(runes) > 100 {
		slug = string(runes[:100]) + "…"
	}
	return echo.NewHTTPError(http.StatusNotFound, fmt.Sprintf("No system has the address “%s”. All that have results stand at /doc-to-code.", views.Visible(slug)))
}

// A systemFound is what is known of the system of an address.
type systemFound struct {
	store.System
	sets    []leaderboard.Listing
	waiting []store.Submission // without a finished evaluation, newest first
	located []store.Submission // of the localization track, newest first
}

// systemNamed finds a system of which anybody may see something.
func (s *Site) systemNamed(c echo.Context, slug string) (systemFound, error) {
	ctx := c.Request().Context()
	board, err := s.Boards.Current(ctx)
	if err != nil {
		return systemFound{}, err
	}
	found := systemFound{}
	if found.sets, err = board.Of(slug); err != nil {
		return found, err
	}
	found.System, err = s.Store.SystemBySlug(ctx, slug)
	if errors.Is(err, store.ErrNotFound) {
		if len(found.sets) == 0 {
			return found, noSystem(slug)
		}
		row := found.sets[0].Rows[0]
		found.System = store.System{Slug: slug, Name: row.System, Model: row.Model}
		return found, nil
	}
	if err != nil {
		return found, err
	}
	all, n, err := s.Store.Submissions(ctx, store.SubmissionFilter{System: found.ID, Track: benchmark.DocToCode, Limit: 1000})
	if err != nil {
		return found, err
	}
	if found.located, _, err = s.Store.Submissions(ctx, store.SubmissionFilter{System: found.ID, Track: benchmark.Localization, Limit: locatedShown}); err != nil {
		return found, err
	}
	if n == 0 && len(found.sets) == 0 && len(found.located) == 0 {
		return found, noSystem(slug)
	}
	for _, sub := range all {
		judged := slices.ContainsFunc(found.sets, func(l leaderboard.Listing) bool {
			return slices.ContainsFunc(l.Rows, func(r leaderboard.Ranked) bool { return r.Submission == sub.PublicID })
		})
		if !judged && len(found.waiting) < waitingShown {
			found.waiting = append(found.waiting, sub)
		}
	}
	return found, nil
}

// systemFile answers with the CSV of a system whose address is followed by
// .csv, and otherwise with its page. No system's own address ends so.
func (s *Site) systemFile(page echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		slug, isFile := strings.CutSuffix(c.Param("slug"), ".csv")
		if !isFile {
			return page(c)
		}
		found, err := s.systemNamed(c, slug)
		if err != nil {
			return err
		}
		return sendCSV(c, leaderboard.Scores(found.sets, ""))
	}
}

func (s *Site) systemJSON(c echo.Context) error {
	found, err := s.systemNamed(c, c.Param("slug"))
	if err != nil {
		return err
	}
	return sendJSON(c, leaderboard.Scores(found.sets, ""))
}

// systemAddress is the page of a system.
func systemAddress(slug string) string { return "/systems/" + url.PathEscape(slug) }

// system is one system with all its rows over time.
func (s *Site) system(c echo.Context) error {
	q, err := query(c)
	if err != nil {
		return err
	}
	found, err := s.systemNamed(c, c.Param("slug"))
	if err != nil {
		return err
	}
	title := found.Name
	if found.Model != "" {
		title += " · " + found.Model
	}
	title = views.Visible(title)
	page := views.SystemPage{Page: s.page(c, title), Heading: views.Heading{Trail: []views.Link{{Text: "Doc-to-code", Address: "/doc-to-code"}}, Title: title, Lead: systemLead(found)},
		Rows: systemRows(found), Waiting: systemWaiting(found)}
	if page.Located, err = s.systemLocated(c, found); err != nil {
		return err
	}
	if len(found.sets) == 0 && len(found.waiting) == 0 && len(found.located) > 0 {
		page.Heading.Trail = []views.Link{{Text: "Localization", Address: "/localization"}}
	}
	page.Page.Description = "All results of " + title + " over time, by release and evaluator, and the repositories on which it differs most from others."
	page.Facts = []views.Fact{{Name: "System", Value: views.Visible(found.Name)}}
	if found.Model != "" {
		page.Facts = append(page.Facts, views.Fact{Name: "Documentation model", Value: views.Visible(found.Model)})
	}
	if found.Link != "" {
		page.Facts = append(page.Facts, views.Fact{Name: "Link", Value: views.Visible(found.Link), Address: found.Link})
	}
	if len(found.sets) > 0 {
		page.Links = []views.Link{{Text: "Compare its newest row with another", Address: (&url.URL{Path: "/compare", RawQuery: url.Values{"a": {found.sets[0].Rows[0].Key()}}.Encode()}).String()}}
		page.Filters = systemFilters(found, q, address(c).Path)
		for _, l := range found.sets {
			page.Sets = append(page.Sets, standouts(l, q))
		}
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-cache")
	return s.render(c, http.StatusOK, views.System(page))
}

func systemLead(found systemFound) string {
	if len(found.sets) == 0 && len(found.located) > 0 {
		return views.Counted(len(found.located), "submission", "submissions") + " on the localization track."
	}
	if len(found.sets) == 0 {
		return "Nothing of it has been judged to the end yet."
	}
	var rows int
	var sets []*leaderboard.Set
	for _, l := range found.sets {
		rows += len(l.Rows)
		sets = append(sets, l.Set)
	}
	return views.Counted(rows, "row", "rows") + " in " + listed(sets) + "."
}

// systemRows are all results, set by set, the newest row first.
func systemRows(found systemFound) views.Table {
	t := views.Table{ID: "rows-table", CSV: systemAddress(found.Slug) + ".csv", Caption: "pass@k, mean over tasks within a repository, then over repositories, with 95 % intervals.",
		Source:  "Sets are kept apart: their tasks differ. A rank is among all rows of its set, by pass@1 under its first evaluator.",
		Columns: []views.Column{{Label: "Evaluator"}, {Label: "Row"}, {Label: "Provenance", Definition: "/methodology#provenance"}},
		Empty:   views.Empty{Title: "No evaluation of it has finished yet.", Next: views.Link{Text: "See the queue", Address: "/submissions"}}}
	var columns []int
	for _, l := range found.sets {
		for _, e := range l.Evaluators {
			for _, k := range ks(e.Samples, 0) {
				if !slices.Contains(columns, k) {
					columns = append(columns, k)
				}
			}
		}
	}
	slices.Sort(columns)
	for _, k := range columns {
		t.Columns = append(t.Columns, views.Column{Label: fmt.Sprintf("pass@%d", k), Note: "0–1, higher is better", Definition: "/methodology#pass-at-k", Align: views.Decimals})
	}
	t.Columns = append(t.Columns, views.Column{Label: "Rank", Align: views.Decimals}, views.Column{Label: "Repos", Align: views.Decimals},
		views.Column{Label: "Coverage", Note: "tasks with docstring", Align: views.Decimals}, views.Column{Label: "Date"})
	for _, l := range found.sets {
		group := views.Group{Heading: l.Label, Note: views.Counted(l.Tasks, "task", "tasks")}
		for _, r := range l.Rows {
			for _, e := range l.Evaluators {
				if r.Results[e.Name] != nil {
					group.Rows = append(group.Rows, views.Row{Cells: systemRow(l, r, e, columns)})
				}
			}
		}
		t.Groups = append(t.Groups, group)
	}
	return t
}

func systemRow(l leaderboard.Listing, r leaderboard.Ranked, e leaderboard.Evaluator, columns []int) []views.Cell {
	name := views.TextCell("as printed")
	if r.Submission != "" {
		text := "submission"
		if r.Version != "" {
			text = "version " + views.Visible(r.Version)
		}
		name = views.ViewCell(views.SystemName(views.SystemLabel{Name: text, Address: submissionAddress(r.Row)}))
	}
	evaluator := e.Name
	if e.Control {
		evaluator += " (control)"
	}
	cells := []views.Cell{views.NameCell(evaluator, ""), name, views.ViewCell(views.Provenance(r.Provenance).Badge())}
	repositories := 0
	for _, k := range columns {
		score, ok := r.Results[e.Name].At(store.ByRepository, k)
		switch {
		case ok:
			repositories = max(repositories, score.Repositories)
			cells = append(cells, views.ScoreCell(scoreView(score, false)))
		case r.Provenance == leaderboard.Published:
			cells = append(cells, views.UnknownCell("the paper does not say"))
		case k > e.Samples:
			cells = append(cells, views.UnknownCell(fmt.Sprintf("%s has %s for each task", e.Name, views.Counted(e.Samples, "sample", "samples"))))
		default:
			cells = append(cells, views.UnknownCell(fmt.Sprintf("no task has %s that count", views.Counted(k, "sample", "samples"))))
		}
	}
	switch {
	case e.Name != l.RankedBy:
		cells = append(cells, views.UnknownCell("ranks are by "+l.RankedBy))
	case r.Rank == 0:
		why := "it has no pass@1 to be ranked by"
		if score, ok := r.Results[e.Name].At(store.ByRepository, 1); ok {
			why = fmt.Sprintf("judged on %s of %s tasks: not ranked", views.Count(score.Tasks), views.Count(l.Tasks))
		}
		cells = append(cells, views.UnknownCell(why))
	default:
		cells = append(cells, views.TextCell(rankText(r)+" of "+views.Count(l.Ranked())))
	}
	cells = append(cells, views.CountCell(repositories))
	if share, ok := r.Coverage(); ok {
		cells = append(cells, views.NumberCell(share, 3))
	} else {
		cells = append(cells, views.UnknownCell("the paper does not say"))
	}
	if r.Date.IsZero() {
		return append(cells, views.UnknownCell("the paper gives no date"))
	}
	return append(cells, views.DayCell(r.Date))
}

// systemWaiting are submissions that have no result.
func systemWaiting(found systemFound) views.Table {
	t := views.Table{ID: "waiting-table", Caption: "Submissions without a finished evaluation, the newest first.",
		Columns: []views.Column{{Label: "Submission"}, {Label: "Release"}, {Label: "State"}, {Label: "Submitted"}}}
	group := views.Group{}
	for _, sub := range found.waiting {
		text := cmp.Or(views.Visible(sub.Version), "submission")
		if sub.Version != "" {
			text = "version " + text
		}
		submitted := views.UnknownCell("it is a draft")
		if sub.ConfirmedAt != nil {
			submitted = views.TextCell(views.Moment(*sub.ConfirmedAt))
		}
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.ViewCell(views.SystemName(views.SystemLabel{Name: text, Address: submissionPath(sub)})), views.TextCell(sub.Release.Label()),
			views.ViewCell(views.Standing{State: string(sub.State)}.View()), submitted}})
	}
	t.Groups = []views.Group{group}
	return t
}

// systemFilters choose what the strongest and weakest repositories are by.
func systemFilters(found systemFound, q leaderboard.Query, path string) views.Filters {
	evaluators := []views.Option{{Text: "the first of each set"}}
	numbers := []int{1, max(1, q.K)}
	for _, l := range found.sets {
		for _, e := range l.Evaluators {
			if !slices.ContainsFunc(evaluators, func(o views.Option) bool { return o.Value == e.Name }) {
				evaluators = append(evaluators, views.Option{Value: e.Name})
			}
			numbers = append(numbers, l.Ks(e.Name)...)
		}
	}
	slices.Sort(numbers)
	var ks []views.Option
	for _, k := range slices.Compact(numbers) {
		ks = append(ks, views.Option{Value: strconv.Itoa(k)})
	}
	return views.Filters{Action: path, Selects: []views.Select{
		{Label: views.Label{Name: "evaluator", Text: "Evaluator"}, Value: q.Evaluator, Options: evaluators},
		{Label: views.Label{Name: "k", Text: "k"}, Value: strconv.Itoa(max(1, q.K)), Options: ks}}}
}

// standouts is the table of the newest row of a set.
func standouts(l leaderboard.Listing, q leaderboard.Query) views.SystemStandouts {
	row, evaluator, k := l.Rows[0].Row, q.Evaluator, max(1, q.K)
	for _, e := range l.Evaluators {
		if evaluator == "" && row.Results[e.Name] != nil {
			evaluator = e.Name
		}
	}
	all := l.Standouts(row, evaluator, k)
	x := views.SystemStandouts{ID: "standouts-" + elementID(l.Key), Title: l.Label, Low: "worse than the others", High: "better than the others",
		Table: views.Table{ID: "standouts-table-" + elementID(l.Key), Columns: []views.Column{{Label: "Repository"}, {Label: "This row", Align: views.Centre},
			{Label: "Others", Note: "mean", Align: views.Centre}, {Label: "Difference", Note: "this row − others", Align: views.Centre}, {Label: "Other rows", Align: views.Decimals}}}}
	if len(all) == 0 {
		x.Lead = fmt.Sprintf("Under %s there is no pass@%d of this row and of another one on any repository, so nothing can be said.", evaluator, k)
		x.Table.Empty = views.Empty{Title: "There is nothing to compare it with here.", Next: views.Link{Text: "See all rows", Address: "/doc-to-code"}}
		return x
	}
	better, worse, extent := 0, 0, 0.0
	for _, s := range all {
		extent = max(extent, math.Abs(s.Difference))
		switch {
		case s.Difference > 1e-12:
			better++
		case s.Difference < -1e-12:
			worse++
		}
	}
	x.Lead = fmt.Sprintf("By pass@%d under %s, it is above the mean of the others on %s of %s and below it on %s.", k, evaluator, views.Count(better),
		views.Counted(len(all), "repository", "repositories"), views.Count(worse))
	x.Table.Caption = "The difference to the mean of the other rows, controls left out. One repository does not tell how much repositories differ, so there are no intervals."
	x.Table.CSV = (&url.URL{Path: "/doc-to-code/repos.csv", RawQuery: url.Values{"release": {l.Key}, "evaluator": {evaluator}, "k": {strconv.Itoa(k)}}.Encode()}).String()
	groups := []views.Group{{Heading: "All, the strongest first"}}
	parts := [][]leaderboard.Standout{all}
	if len(all) > 2*standoutsShown {
		groups = []views.Group{{Heading: "Strongest"}, {Heading: "Weakest"}}
		weakest := slices.Clone(all[len(all)-standoutsShown:])
		slices.Reverse(weakest)
		parts = [][]leaderboard.Standout{all[:standoutsShown], weakest}
	}
	for i, part := range parts {
		for _, s := range part {
			decimals := cmp.Or(s.Row.Decimals, 3)
			groups[i].Rows = append(groups[i].Rows, views.Row{Cells: []views.Cell{views.CodeCell(s.Repository, repositoryAddress(s.Repository)),
				views.HeatLinkCell(s.Row.Value, decimals, submissionAddress(row)), views.HeatCell(s.Others), views.DivergingCell(s.Difference, extent, 3), views.CountCell(s.Rows)}})
		}
	}
	x.Table.Groups = groups
	return x
}
