package web

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/views"
)

// rowsPerPage is how many rows of a leaderboard one page shows.
const rowsPerPage = 50

// query reads what a leaderboard's address asks for.
func query(c echo.Context) (leaderboard.Query, error) {
	q := leaderboard.Query{
		Release: c.QueryParam("release"), Provenance: leaderboard.Provenance(c.QueryParam("provenance")), Evaluator: c.QueryParam("evaluator"),
		Text: c.QueryParam("q"), Aggregation: store.Aggregation(c.QueryParam("by")), Controls: c.QueryParam("controls") != "",
		Leak: c.QueryParam("leak"), Sort: c.QueryParam("sort"), Descending: c.QueryParam("order") != "asc",
	}
	if k := c.QueryParam("k"); k != "" {
		n, err := strconv.Atoi(k)
		if err != nil || n < 1 {
			return q, &benchmark.InputError{Field: "k", Problem: "is not a number from 1 on", Mend: "write for example ?k=1"}
		}
		q.K = n
	}
	return q, nil
}

func (s *Site) listings(c echo.Context) (*leaderboard.Board, leaderboard.Query, []leaderboard.Listing, error) {
	q, err := query(c)
	if err != nil {
		return nil, q, nil, err
	}
	board, err := s.Boards.Current(c.Request().Context())
	if err != nil {
		return nil, q, nil, err
	}
	if err := board.Check(q); err != nil {
		return nil, q, nil, err
	}
	listings, err := board.List(q)
	return board, q, listings, err
}

func (s *Site) docToCodeSheet(c echo.Context) (leaderboard.Sheet, error) {
	_, q, listings, err := s.listings(c)
	return leaderboard.Scores(listings, q.Aggregation), err
}

// docToCode is the leaderboard of the doc-to-code track.
func (s *Site) docToCode(c echo.Context) (templ.Component, error) {
	board, q, listings, err := s.listings(c)
	if err != nil {
		return nil, err
	}
	page := views.DocToCodePage{Page: s.page(c, "Doc-to-code"), Filters: filters(board, q)}
	page.Page.Description = "How often an independent model regenerates a function from its docstring so that the tests pass: pass@k by system and evaluator."
	total := 0
	for _, l := range listings {
		total += len(l.Rows)
	}
	first := (views.ReadPage(c.QueryParams(), rowsPerPage, total) - 1) * rowsPerPage
	page.Pagination = views.Pagination{Address: address(c), Page: first/rowsPerPage + 1, PerPage: rowsPerPage, Total: total, Unit: "rows"}
	left := rowsPerPage
	for _, l := range listings {
		skip := min(first, len(l.Rows))
		first -= skip
		shown := l.Rows[skip:min(len(l.Rows), skip+left)]
		left -= len(shown)
		if len(shown) > 0 || total == 0 {
			page.Tables = append(page.Tables, scoresTable(l, shown, q, address(c)))
			if l.Provenance == leaderboard.Published {
				page.Notes = append(page.Notes, paperNotes(l.Key, 1)...)
			}
		}
	}
	if len(page.Tables) == 0 {
		page.Empty = views.Empty{Title: "No row fits these filters.", Next: views.Link{Text: "Show all", Address: "/doc-to-code"}}
	}
	return views.DocToCode(page), nil
}

// scoresTable is a set of the leaderboard.
func scoresTable(l leaderboard.Listing, rows []leaderboard.Ranked, q leaderboard.Query, at url.URL) views.Table {
	aggregation := q.Aggregation
	if aggregation == "" {
		aggregation = store.ByRepository
	}
	csv := url.URL{Path: "/doc-to-code.csv", RawQuery: at.RawQuery}
	t := views.Table{
		ID: "scores-" + elementID(l.Key), Address: at, CSV: csv.String(), Sort: views.Sort{Key: q.Sort, Descending: q.Descending},
		Caption: caption(l, q), Source: sourceOf(l),
		Columns: []views.Column{{Key: "system", Label: "System", Sortable: true}, {Key: "provenance", Label: "Provenance"}},
	}
	type column struct {
		evaluator string
		k         int
	}
	var columns []column
	for _, e := range l.Shown {
		for _, k := range ks(e.Samples, q.K) {
			columns = append(columns, column{e.Name, k})
			t.Columns = append(t.Columns, views.Column{Key: fmt.Sprintf("score:%s:%d", e.Name, k), Label: fmt.Sprintf("pass@%d %s", k, e.Name),
				Note: "0–1, higher is better", Definition: "/methodology#pass-at-k", Align: views.Decimals, Sortable: true, Descends: true})
		}
	}
	t.Columns = append(t.Columns,
		views.Column{Key: "repositories", Label: "Repos", Align: views.Decimals},
		views.Column{Key: "tasks", Label: "Tasks", Align: views.Decimals, Sortable: true, Descends: true},
		views.Column{Key: "coverage", Label: "Coverage", Note: "tasks with docstring", Align: views.Decimals, Sortable: true, Descends: true})
	t.Columns = append(t.Columns, judgedColumns(l, q)...)
	t.Columns = append(t.Columns, views.Column{Key: "date", Label: "Date", Sortable: true, Descends: true})
	best := map[column]float64{}
	for _, r := range l.Rows {
		for _, x := range columns {
			if e, ok := r.Results[x.evaluator].At(aggregation, x.k); ok && r.Control == "" {
				best[x] = max(best[x], e.Value)
			}
		}
	}
	group := views.Group{}
	for _, r := range rows {
		row := views.Row{ID: elementID(r.Submission), Cells: []views.Cell{views.ViewCell(views.SystemName(systemName(r.Row))), views.ViewCell(views.Provenance(r.Provenance).Badge())}}
		if r.Rank > 0 {
			row.Rank = strconv.Itoa(r.Rank)
			if r.Tied {
				row.Rank += "="
			}
		}
		for _, x := range columns {
			e, ok := r.Results[x.evaluator].At(aggregation, x.k)
			switch {
			case !ok && r.Results[x.evaluator] == nil:
				row.Cells = append(row.Cells, views.UnknownCell(notJudged(l, r.Row, x.evaluator)))
			case !ok && r.Provenance == leaderboard.Published:
				row.Cells = append(row.Cells, views.UnknownCell("the paper does not say"))
			case !ok:
				row.Cells = append(row.Cells, views.UnknownCell(fmt.Sprintf("no task has %d samples that count", x.k)))
			default:
				row.Cells = append(row.Cells, views.ScoreCell(scoreView(e, e.Value == best[x] && len(l.Rows) > 1)))
			}
		}
		repositories, tasks := 0, views.CountCell(r.Tasks)
		if e, ok := r.Results[l.RankedBy].At(aggregation, 1); ok {
			if repositories = e.Repositories; e.Tasks < l.Tasks {
				tasks = views.TextCell(views.Count(e.Tasks) + " of " + views.Count(l.Tasks))
			}
		}
		row.Cells = append(row.Cells, views.CountCell(repositories), tasks)
		if c, ok := r.Coverage(); ok {
			row.Cells = append(row.Cells, views.NumberCell(c, 3))
		} else {
			row.Cells = append(row.Cells, views.UnknownCell("the paper does not say"))
		}
		row.Cells = append(row.Cells, judgedCells(l, r, q, aggregation)...)
		if r.Date.IsZero() {
			row.Cells = append(row.Cells, views.UnknownCell("the paper gives no date"))
		} else {
			row.Cells = append(row.Cells, views.DayCell(r.Date))
		}
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	t.Empty = views.Empty{Title: "Nothing was judged on this release yet.", Next: views.Link{Text: "Submit docstrings", Address: "/submit/doc-to-code"}}
	return t
}

// ks are the k of an evaluator's columns: 1, the one that is asked for, and the largest.
func ks(samples, asked int) []int {
	found := []int{1}
	for _, k := range []int{asked, samples} {
		if k > 1 && k <= samples && !slices.Contains(found, k) {
			found = append(found, k)
		}
	}
	return found
}

func scoreView(e leaderboard.Estimate, best bool) views.Score {
	score := views.Score{Value: e.Value, Best: best, Decimals: e.Decimals}
	if e.Low != nil {
		score.Interval = &views.Interval{Low: *e.Low, High: *e.High, Level: 0.95, Method: "Student's t over repositories"}
	}
	return score
}

func systemName(r *leaderboard.Row) views.SystemLabel {
	label := views.SystemLabel{Name: r.System, Model: r.Model, Version: r.Version, Link: r.Link, Control: controlName(r.Control)}
	label.System = systemAddress(r.Slug)
	if r.Submission != "" {
		label.Address = "/submissions/" + r.Submission
	}
	return label
}

func controlName(docs string) string {
	switch docs {
	case store.DocsOriginal:
		return "control: the repositories' own docstrings"
	case store.DocsNone:
		return "control: no docstring"
	}
	return ""
}

// caption says in a sentence what a table shows.
func caption(l leaderboard.Listing, q leaderboard.Query) string {
	how := map[store.Aggregation]string{store.ByTask: "mean over tasks", store.ByTests: "mean over tasks, weighted by their tests"}[q.Aggregation]
	if how == "" {
		how = "mean over tasks within a repository, then over repositories"
	}
	text := "pass@k: " + how + ", with 95 % intervals."
	if l.RankedBy != "" {
		text += fmt.Sprintf(" Ranked by pass@%d under %s; rows that chance may have put apart share a rank.", max(1, q.K), l.RankedBy)
		if slices.ContainsFunc(l.Rows, func(r leaderboard.Ranked) bool {
			return r.Results[l.RankedBy] != nil && l.Comparable(r.Row, l.RankedBy, max(1, q.K)) == nil
		}) {
			text += " Rows that were not judged on every task are not ranked."
		}
	}
	if q.Leak == leaderboard.WithoutLeaks {
		text += " Each row is over the tasks whose docstring gives no code away, so rows may be of different tasks."
	}
	return text
}

func sourceOf(l leaderboard.Listing) string {
	where := views.Counted(len(l.Repositories), "repository", "repositories") + ", " + views.Counted(l.Tasks, "task", "tasks")
	if l.Provenance == leaderboard.Published {
		return "Published: " + l.Label + " (" + where + "). Means as printed; intervals computed here from its numbers for single repositories."
	}
	return "Evaluated here on release " + l.Label + " (" + where + ")." + liftSaid(l) + recordedSaid(l.Shown)
}

// filters is the form above a leaderboard.
func filters(b *leaderboard.Board, q leaderboard.Query) views.Filters {
	f := views.Filters{Action: "/doc-to-code"}
	choose := func(name, text, value string, options ...views.Option) {
		f.Selects = append(f.Selects, views.Select{Label: views.Label{Name: name, Text: text}, Value: value, Options: options})
	}
	releases, evaluators, largest := []views.Option{{Value: "", Text: "all"}}, []views.Option{{Value: "", Text: "all"}}, 1
	seen := map[string]bool{}
	for _, s := range b.Sets {
		releases = append(releases, views.Option{Value: s.Key, Text: s.Label})
		for _, e := range s.Evaluators {
			largest = max(largest, e.Samples)
			if !seen[e.Name] {
				seen[e.Name] = true
				evaluators = append(evaluators, views.Option{Value: e.Name})
			}
		}
	}
	choose("release", "Release", q.Release, releases...)
	choose("evaluator", "Evaluator", q.Evaluator, evaluators...)
	numbers := []views.Option{}
	for k := 1; k <= min(largest, 20); k++ {
		numbers = append(numbers, views.Option{Value: strconv.Itoa(k)})
	}
	choose("k", "k", strconv.Itoa(max(1, q.K)), numbers...)
	by := string(q.Aggregation)
	if by == "" {
		by = string(store.ByRepository)
	}
	choose("by", "Mean over", by, views.Option{Value: "repository", Text: "repositories"}, views.Option{Value: "task", Text: "tasks"}, views.Option{Value: "tests", Text: "tasks by tests"})
	choose("provenance", "Provenance", string(q.Provenance), views.Option{Value: "", Text: "all"}, views.Option{Value: "evaluated"}, views.Option{Value: "published"})
	controls := ""
	if q.Controls {
		controls = "1"
	}
	choose("controls", "Controls", controls, views.Option{Value: "", Text: "hidden"}, views.Option{Value: "1", Text: "shown"})
	choose("leak", "Leaking tasks", q.Leak, views.Option{Value: "", Text: "counted"}, views.Option{Value: leaderboard.WithoutLeaks, Text: "left out"})
	f.Fields = []views.Field{{Label: views.Label{Name: "q", Text: "System"}, Value: q.Text, Type: "search"}}
	if q.Sort != "" {
		order := "desc"
		if !q.Descending {
			order = "asc"
		}
		f.Keep = []views.Hidden{{Name: "sort", Value: q.Sort}, {Name: "order", Value: order}}
	}
	var said []string
	leak := ""
	if q.Leak == leaderboard.WithoutLeaks {
		leak = "rows without the tasks whose docstring gives code away (a paper’s are left out)"
	}
	for _, x := range []struct{ is, text string }{
		{leak, leak}, {q.Release, "release " + q.Release}, {q.Evaluator, "judged by " + q.Evaluator}, {string(q.Provenance), string(q.Provenance) + " rows"}, {q.Text, "system contains “" + q.Text + "”"},
	} {
		if x.is != "" {
			said = append(said, x.text)
		}
	}
	if len(said) > 0 {
		f.Said, f.Clear = "Showing "+strings.Join(said, ", ")+".", "/doc-to-code"
	}
	return f
}

// elementID makes an id of an element out of any text: one that a selector can
// name, so without a dot.
func elementID(s string) string { return strings.ReplaceAll(fileName(s), ".", "-") }
