package web

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/doctocode/measures"
	"touchstone/internal/leaderboard"
	"touchstone/internal/statistics"
	"touchstone/views"
)

const pairPath = correlationsPath + "/pair"

// firstMeasure is drawn when an address names none.
const firstMeasure = "rouge1_f_doc_doc"

// A pairRequest is two metrics of a correlationRequest.
type pairRequest struct {
	correlationRequest
	pair *leaderboard.PairView // nil when nothing can be drawn
}

func (s *Site) pairRequest(c echo.Context) (pairRequest, error) {
	base, err := s.correlationRequest(c)
	r := pairRequest{correlationRequest: base}
	if err != nil || r.set == nil || r.set.Matrix == nil {
		return r, err
	}
	judge := firstJudge(r.set)
	if judge == "" && len(r.set.Evaluators) > 0 {
		judge = r.set.Evaluators[0].Name
	}
	if judge == "" {
		return r, nil
	}
	x, err := r.set.ParseMetric("x", cmp.Or(r.asked.Get("x"), firstMeasure))
	if err != nil {
		return r, err
	}
	y, err := r.set.ParseMetric("y", cmp.Or(r.asked.Get("y"), leaderboard.Metric{K: 1, Evaluator: judge}.Key()))
	if err != nil {
		return r, err
	}
	r.pair, err = r.set.Pair(r.query, x, y)
	return r, err
}

func (s *Site) pairSheet(c echo.Context) (leaderboard.Sheet, error) {
	r, err := s.pairRequest(c)
	if err != nil || r.pair == nil {
		return leaderboard.Sheet{Header: leaderboard.PairHeader, Rows: slices.Values([][]string(nil))}, err
	}
	return r.pair.Sheet(), nil
}

// pairFile is the chart of the page as SVG.
func (s *Site) pairFile(c echo.Context) error {
	r, err := s.pairRequest(c)
	if err != nil {
		return err
	}
	if r.pair == nil || len(r.pair.Points) == 0 {
		return echo.NewHTTPError(http.StatusNotFound, "There is nothing to draw: "+r.empty().Title)
	}
	return sendSVG(c, r.chart().File())
}

// pairPage is one metric against another: what a cell of the table leads to.
func (s *Site) pairPage(c echo.Context) (templ.Component, error) {
	r, err := s.pairRequest(c)
	if err != nil {
		return nil, err
	}
	page := views.CorrelationPairPage{Page: s.page(c, "Two metrics"), Empty: r.empty(), Heading: views.Heading{Title: "Two metrics",
		Trail: []views.Link{{Text: "Doc-to-code", Address: "/doc-to-code"}, {Text: "Correlations", Address: r.tableAddress()}},
		Lead:  "A point is what two metrics say of the same docstrings; it leads to the evidence."}}
	page.Page.Description = "One metric of documentation against another, point by point."
	page.Filters = r.filters()
	if r.set == nil {
		return views.CorrelationPair(page), nil
	}
	page.Title, page.Provenance = r.set.Label, views.Provenance(r.set.Provenance)
	if r.pair == nil {
		return views.CorrelationPair(page), nil
	}
	page.Heading.Title = r.pair.X.Label() + " and " + r.pair.Y.Label()
	page.Page.Title = page.Heading.Title
	page.Metrics = metricNotes(r.pair.X, r.pair.Y)
	if len(r.pair.Points) > 0 {
		chart := r.chart()
		page.Chart, page.By, page.Notes = &chart, r.methods(), r.intervalNotes()
	}
	page.Notes = append(page.Notes, gapNotes(r.pair.Gaps)...)
	return views.CorrelationPair(page), nil
}

// tableAddress leads back to the table.
func (r pairRequest) tableAddress() string {
	q := r.values()
	if r.set == nil {
		return correlationsPath
	}
	return fileAddress(correlationsPath, q)
}

func (r pairRequest) empty() views.Empty {
	switch {
	case r.set == nil || r.set.Matrix == nil || r.pair == nil:
		return r.correlationRequest.empty(&leaderboard.Correlations{})
	case len(r.pair.Rows) == 0:
		return r.correlationRequest.empty(&leaderboard.Correlations{Judges: r.set.Evaluators})
	}
	return views.Empty{Title: "No point has a value of both.", Reason: r.pair.Missing, Next: views.Link{Text: "Back to the table", Address: r.tableAddress()}}
}

// filters is the form of the table without what chooses its columns, and with
// the two metrics.
func (r pairRequest) filters() views.Filters {
	f := r.correlationRequest.filters(pairPath, nil)
	if r.pair == nil {
		return f
	}
	options := metricOptions(r.set)
	for _, m := range []struct {
		name, text string
		metric     leaderboard.Metric
	}{{"x", "Across", r.pair.X}, {"y", "Up", r.pair.Y}} {
		own := options
		if !slices.ContainsFunc(own, func(o views.Option) bool { return o.Value == m.metric.Key() }) {
			own = append([]views.Option{{Value: m.metric.Key(), Text: m.metric.Label()}}, own...)
		}
		f.Selects = append(f.Selects, views.Select{Label: views.Label{Name: m.name, Text: m.text}, Value: m.metric.Key(), Options: own})
	}
	return f
}

// metricOptions are all that a set has: pass@k and measures of replies under
// each evaluator, measures of docstrings once.
func metricOptions(set *leaderboard.Set) []views.Option {
	var options []views.Option
	add := func(m leaderboard.Metric) { options = append(options, views.Option{Value: m.Key(), Text: m.Label()}) }
	for _, e := range set.Evaluators {
		for k := 1; k <= e.Samples; k++ {
			if k == 1 || k == e.Samples {
				add(leaderboard.Metric{K: k, Evaluator: e.Name})
			}
		}
	}
	for _, m := range leaderboard.Measures(set.Matrix.Rows) {
		if !m.OfReplies() {
			add(leaderboard.Metric{Measure: m})
			continue
		}
		for _, e := range set.Evaluators {
			add(leaderboard.Metric{Measure: m, Evaluator: e.Name})
		}
	}
	return options
}

// methods is the pair's correlation by each method.
func (r pairRequest) methods() views.Table {
	t := views.Table{ID: "pair-methods", Caption: fmt.Sprintf("Correlations of %s and %s; a point is a %s.", r.pair.X.Label(), r.pair.Y.Label(), pointWords[r.pair.Query.Grain][0]),
		CSV:     fileAddress(correlationsPath+".csv", r.values()),
		Columns: []views.Column{{Label: "Correlation"}, {Label: "Value", Align: views.Centre}, {Label: "95 % interval by"}}}
	group := views.Group{}
	for _, c := range r.pair.By {
		cell := views.Coefficient{Value: math.NaN(), Low: math.NaN(), High: math.NaN(), Points: c.Points, Word: "undefined", Reason: c.Undefined, Wide: true,
			Accessible: methodNames[c.Method].long, Address: r.address("", func(q url.Values) { q.Set("method", string(c.Method)) })}
		if c.Value != nil {
			cell.Value, cell.Word = *c.Value, "no interval"
		}
		if c.Interval != nil {
			cell.Low, cell.High = c.Interval.Low, c.Interval.High
		}
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.TextCell(methodNames[c.Method].long), views.CoefficientCell(cell),
			views.TextCell(certaintyNames[c.Certainty.Kind])}})
	}
	t.Groups = []views.Group{group}
	return t
}

// intervalNotes say how the intervals come to be, each way once.
func (r pairRequest) intervalNotes() []views.Note {
	var notes []views.Note
	for _, c := range r.pair.By {
		note := views.Note{Where: capital(certaintyNames[c.Certainty.Kind]), Text: certaintyText(c.Certainty, r.pair.Query, r.pair.Repositories)}
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// address is this page, or one of its files, with something changed.
func (r pairRequest) address(extension string, change func(url.Values)) string {
	q := r.values()
	change(q)
	return pairAddress(extension, q, r.pair.X, r.pair.Y)
}

// metricNotes say what the metrics are.
func metricNotes(metrics ...leaderboard.Metric) []views.Note {
	var notes []views.Note
	for _, m := range metrics {
		note := views.Note{Where: m.Label(), Text: m.Measure.About + " " + m.Measure.Source + "."}
		if m.K > 0 {
			note.Text = fmt.Sprintf("The chance that at least one of %s of the evaluator passes the tests of the task, estimated without bias from all its samples.", views.Counted(m.K, "reply", "replies"))
		} else if m.Measure.Direction != measures.Neither {
			note.Text += " " + capital(string(m.Measure.Direction)) + "."
		}
		notes = append(notes, note)
	}
	return notes
}

// sure reports whether a correlation is told from 0.
func sure(c leaderboard.PairCoefficient) bool {
	return c.Value != nil && c.Interval != nil && c.Interval.Excludes(0)
}

// finding is what the pair shows in a sentence.
func (r pairRequest) finding() string {
	c := r.pair.Of(r.pair.Query.Method)
	x, y := r.pair.X.Label(), r.pair.Y.Label()
	text := coefficientText(c.Method, c.Correlated)
	switch {
	case c.Value == nil:
		return fmt.Sprintf("%s and %s have no correlation: %s", x, y, c.Undefined)
	case c.Interval == nil:
		return fmt.Sprintf("How surely %s goes with %s is not known: %s", y, x, text)
	case !sure(c):
		return fmt.Sprintf("%s does not visibly go with %s: %s", y, x, text)
	case *c.Value < 0:
		return fmt.Sprintf("%s falls as %s rises: %s", y, x, text)
	}
	return fmt.Sprintf("%s rises with %s: %s", y, x, text)
}

// fit says whether a line is drawn, or why not.
func (r pairRequest) fit() (drawn bool, why string) {
	const least = 10
	c := r.pair.Of(statistics.Pearson)
	switch {
	case len(r.pair.Points) < least:
		return false, fmt.Sprintf("No line is drawn through fewer than %d points.", least)
	case c.Value == nil:
		return false, "No line is drawn: " + c.Undefined + "."
	case c.Interval == nil:
		return false, "No line is drawn, as Pearson's correlation has no interval: " + c.Undefined + "."
	case !sure(c):
		return false, "No line is drawn, as the interval of Pearson's correlation holds 0."
	}
	return true, fmt.Sprintf("The line is that of least squares: %s = %s × %s %s.", r.pair.Y.Label(), views.Decimal(r.pair.Line.Slope, 4), r.pair.X.Label(), signedTerm(r.pair.Line.Intercept))
}

// signedTerm is "+ 0.31" or "− 0.31".
func signedTerm(v float64) string {
	if v < 0 {
		return "− " + views.Decimal(-v, 3)
	}
	return "+ " + views.Decimal(v, 3)
}
