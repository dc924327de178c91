package web

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/doctocode/measures"
	"touchstone/internal/leaderboard"
	"touchstone/internal/statistics"
	"touchstone/views"
)

const correlationsPath = "/doc-to-code/correlations"

// everyMetric is the value of columns= that asks for a square.
const everyMetric = "all"

// boxesMost is how many submissions a form offers.
const boxesMost = 200

// A correlationRequest is what an address of correlations asks for.
type correlationRequest struct {
	board *leaderboard.Board
	set   *leaderboard.Set // nil when there is none
	query leaderboard.CorrelationQuery
	asked url.Values
}

func (s *Site) correlationRequest(c echo.Context) (correlationRequest, error) {
	asked := c.QueryParams()
	r := correlationRequest{asked: asked, query: leaderboard.CorrelationQuery{
		Release: asked.Get("release"), Evaluator: asked.Get("evaluator"), Kind: measures.Pair(asked.Get("pair")), Method: statistics.Correlation(asked.Get("method")),
		Grain: leaderboard.Grain(asked.Get("unit")), Submissions: asked["submission"], Square: asked.Get("columns") == everyMetric,
	}}
	var err error
	if r.board, err = s.Boards.Current(c.Request().Context()); err != nil {
		return r, err
	}
	if err := r.board.CheckCorrelations(r.query); err != nil {
		return r, err
	}
	r.set = r.board.CorrelationSet(r.query)
	return r, nil
}

// values ask for the same again, of the set that was found.
func (r correlationRequest) values() url.Values {
	q := url.Values{}
	if r.set != nil {
		q.Set("release", r.set.Key)
	}
	for _, name := range []string{"evaluator", "pair", "method", "unit", "columns"} {
		if v := r.asked.Get(name); v != "" {
			q.Set(name, v)
		}
	}
	if len(r.query.Submissions) > 0 {
		q["submission"] = r.query.Submissions
	}
	return q
}

// correlations is the table that the request asks for, nil without a set.
func (r correlationRequest) correlations() (*leaderboard.Correlations, error) {
	if r.set == nil {
		return nil, nil
	}
	return r.set.Correlations(r.query)
}

func (s *Site) correlationsSheet(c echo.Context) (leaderboard.Sheet, error) {
	r, err := s.correlationRequest(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	table, err := r.correlations()
	if err != nil || table == nil {
		return leaderboard.Sheet{Header: leaderboard.CorrelationHeader, Rows: slices.Values([][]string(nil))}, err
	}
	return table.Sheet(), nil
}

// correlationsPage is pass@k against every measure, or every metric against
// every other.
func (s *Site) correlationsPage(c echo.Context) (templ.Component, error) {
	r, err := s.correlationRequest(c)
	if err != nil {
		return nil, err
	}
	table, err := r.correlations()
	if err != nil {
		return nil, err
	}
	page := views.CorrelationsPage{Page: s.page(c, "Correlations"), Filters: r.filters(correlationsPath, table), Empty: r.empty(table)}
	page.Page.Description = "How pass@k goes together with BLEU, ROUGE, completeness and other measures of docstrings, by task, repository and system."
	if r.set == nil {
		return views.CorrelationsOverview(page), nil
	}
	page.Title, page.Provenance, page.Lead = r.set.Label, views.Provenance(r.set.Provenance), "Scored and measured by this site."
	if r.set.Provenance == leaderboard.Published {
		page.Lead = "Numbers of a paper."
	}
	if len(table.Cells) > 0 {
		shown := r.table(table)
		page.Table, page.Finding, page.Notes = &shown, correlationFinding(table), append(correlationNotes(table), recordedNotes(table.Judges)...)
	}
	page.Paper = correlationPaper
	return views.CorrelationsOverview(page), nil
}

// correlationPaper is what the reader may want to compare with.
var correlationPaper = []views.Note{{Where: "The documentation paper, Figure 2",
	Text: "It finds −0.17 to −0.12 between pass@k and the likeness of docstrings (doc-doc), −0.20 to 0.11 for DocAgent’s measures, and below 0.12 for CodeBERTScore between code and docstring; it does not say which correlation, over what, or how sure it is."}}

// empty says why there is no table, and the next step.
func (r correlationRequest) empty(table *leaderboard.Correlations) views.Empty {
	submit := views.Link{Text: "Submit docstrings", Address: submitPath}
	switch {
	case r.set == nil:
		return views.Empty{Title: "No release is known yet.", Reason: "The operator of this site imports one:", Command: importCommand}
	case r.set.Matrix == nil:
		e := views.Empty{Title: "Only published rows are here.", Reason: "A paper prints means, not what happened on each task, so nothing in it can be correlated. What this site evaluates itself can be.", Next: submit}
		if other := r.board.CorrelationSet(leaderboard.CorrelationQuery{}); other != nil && other.Matrix != nil {
			e.Next = views.Link{Text: "Show " + other.Label, Address: fileAddress(correlationsPath, url.Values{"release": {other.Key}})}
		}
		return e
	case len(r.set.Rows) == 0:
		return views.Empty{Title: "No submission has been evaluated on " + r.set.Label + " yet.", Reason: "The first one that is finished opens the table.", Next: submit}
	case len(table.Judges) == 0 && r.query.Evaluator != "":
		return views.Empty{Title: fmt.Sprintf("Nothing was judged by %s on %s.", r.query.Evaluator, r.set.Label),
			Next: views.Link{Text: "Show all evaluators", Address: fileAddress(correlationsPath, url.Values{"release": {r.set.Key}})}}
	case len(table.Judges) == 0:
		return views.Empty{Title: "Only control evaluators have judged on " + r.set.Label + " so far.", Reason: "They pass or fail whatever the docstring says. Choose one above to see it all the same."}
	}
	return views.Empty{Title: "No submission is ranked on " + r.set.Label + " yet.", Reason: "Controls, and submissions that were not judged on every task, are left out unless they are chosen above.", Next: submit}
}

// filters is the form above both pages. table may be nil.
func (r correlationRequest) filters(action string, table *leaderboard.Correlations) views.Filters {
	f := views.Filters{Action: action}
	if r.set == nil {
		return f
	}
	choose := func(name, text, value string, options ...views.Option) {
		f.Selects = append(f.Selects, views.Select{Label: views.Label{Name: name, Text: text}, Value: value, Options: options})
	}
	var releases []views.Option
	for _, set := range r.board.Sets {
		if set.Matrix != nil || set == r.set {
			releases = append(releases, views.Option{Value: set.Key, Text: set.Label})
		}
	}
	choose("release", "Release", r.set.Key, releases...)
	if action == correlationsPath {
		evaluators := []views.Option{{Value: "", Text: "all but controls"}}
		for _, e := range r.set.Evaluators {
			option := views.Option{Value: e.Name}
			if e.Control {
				option.Text = e.Name + " (control)"
			}
			evaluators = append(evaluators, option)
		}
		choose("evaluator", "Evaluator", r.query.Evaluator, evaluators...)
		kinds := []views.Option{{Value: "", Text: "all"}}
		for _, p := range measures.Pairs {
			kinds = append(kinds, views.Option{Value: string(p)})
		}
		choose("pair", "Measures of", string(r.query.Kind), kinds...)
	}
	method := cmp.Or(r.query.Method, statistics.Pearson)
	choose("method", "Correlation", string(method), views.Option{Value: string(statistics.Pearson), Text: "Pearson"}, views.Option{Value: string(statistics.Spearman), Text: "Spearman"},
		views.Option{Value: string(statistics.Kendall), Text: "Kendall tau-b"})
	grain := cmp.Or(r.query.Grain, leaderboard.GrainTask)
	choose("unit", "A point is", string(grain), views.Option{Value: string(leaderboard.GrainTask), Text: "a task"}, views.Option{Value: string(leaderboard.GrainRepository), Text: "a repository's mean"},
		views.Option{Value: string(leaderboard.GrainSystem), Text: "a system's mean"})
	if action == correlationsPath {
		choose("columns", "Columns", r.asked.Get("columns"), views.Option{Value: "", Text: "pass@k"}, views.Option{Value: everyMetric, Text: "every metric"})
	}
	if r.set.Matrix != nil && len(r.set.Matrix.Rows) > 0 {
		f.Boxes = []views.Boxes{r.boxes()}
	}
	said := []string{r.set.Label, methodNames[method].long}
	if table != nil && len(table.Rows) > 0 {
		said = append(said, views.Counted(len(table.Rows), "submission", "submissions"))
	}
	f.Said = "Showing " + strings.Join(said, ", ") + "."
	for _, name := range []string{"release", "evaluator", "pair", "method", "unit", "columns", "submission"} {
		if r.asked.Get(name) != "" && action == correlationsPath {
			f.Clear = correlationsPath
		}
	}
	return f
}

// boxes are the submissions that can be chosen.
func (r correlationRequest) boxes() views.Boxes {
	b := views.Boxes{Name: "submission", Text: "Submissions", Said: "all that are ranked and no controls", Checked: r.query.Submissions,
		Hint: "Without a choice, all that are ranked and no controls."}
	if n := len(r.query.Submissions); n > 0 {
		b.Said = views.Counted(n, "is chosen", "are chosen")
	}
	rows := slices.Clone(r.set.Matrix.Rows)
	if len(rows) > boxesMost {
		rows = rows[:boxesMost]
		b.Hint += fmt.Sprintf(" The first %d are offered here; others are chosen by submission=ID in the address.", boxesMost)
	}
	for _, row := range rows {
		option := views.Option{Value: row.Row.Submission, Text: strings.TrimSpace(row.Row.Name() + " " + row.Row.Version)}
		if name := controlName(row.Row.Control); name != "" {
			option.Text += " (" + name + ")"
		}
		b.Options = append(b.Options, option)
	}
	slices.SortFunc(b.Options, func(x, y views.Option) int { return cmp.Or(cmp.Compare(x.Text, y.Text), cmp.Compare(x.Value, y.Value)) })
	return b
}
