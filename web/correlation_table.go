package web

import (
	"fmt"
	"math"
	"net/url"
	"slices"

	"touchstone/internal/doctocode/measures"
	"touchstone/internal/leaderboard"
	"touchstone/views"
)

// wideColumns is how many columns leave room for a cell on one line.
const wideColumns = 3

// table is the heatmap of a table of correlations.
func (r correlationRequest) table(t *leaderboard.Correlations) views.Table {
	shown := views.Table{ID: "correlations-table", CSV: fileAddress(correlationsPath+".csv", r.values()), Caption: correlationCaption(t), Columns: []views.Column{{Label: "Measure"}}}
	for _, m := range t.Across {
		shown.Columns = append(shown.Columns, metricHead(m))
	}
	group := views.Group{}
	var kind measures.Pair
	for i, m := range t.Down {
		if m.Kind() != kind && !t.Query.Square {
			if len(group.Rows) > 0 {
				shown.Groups = append(shown.Groups, group)
			}
			group = views.Group{Heading: string(m.Kind()), Note: m.Kind().Meaning()}
		}
		kind = m.Kind()
		row := views.Row{Cells: []views.Cell{views.TextCell(rowName(m, t.Query.Square))}}
		for j := range t.Across {
			if t.Query.Square && i == j {
				row.Cells = append(row.Cells, views.TextCell("·"))
				continue
			}
			row.Cells = append(row.Cells, r.cell(t.Cells[i][j], len(t.Across) <= wideColumns))
		}
		group.Rows = append(group.Rows, row)
	}
	shown.Groups = append(shown.Groups, group)
	return shown
}

func metricHead(m leaderboard.Metric) views.Column {
	column := views.Column{Label: m.Measure.Title, Note: m.Evaluator, Align: views.Centre, Named: true}
	switch {
	case m.K > 0:
		column.Label = fmt.Sprintf("pass@%d", m.K)
	case m.Evaluator == "":
		column.Note = string(m.Kind())
	default:
		column.Note = string(m.Kind()) + ", " + m.Evaluator
	}
	return column
}

// rowName is the measure's title; its texts are in the group's heading, or in
// the name where there are no groups.
func rowName(m leaderboard.Metric, square bool) string {
	switch {
	case square:
		return m.Label()
	case m.Unit() != "":
		return m.Measure.Title + " (" + m.Unit() + ")"
	}
	return m.Measure.Title
}

// cell leads to the points of a pair.
func (r correlationRequest) cell(c leaderboard.Correlated, wide bool) views.Cell {
	cell := views.Coefficient{Value: math.NaN(), Low: math.NaN(), High: math.NaN(), Points: c.Points, Word: "undefined", Reason: c.Undefined, Wide: wide,
		Address: pairAddress("", r.values(), c.X, c.Y)}
	switch {
	case c.Missing != "":
		cell.Word, cell.Reason = "no values", c.Missing
	case c.Value != nil:
		cell.Value, cell.Word = *c.Value, "no interval"
		cell.Accessible = fmt.Sprintf("%s and %s: %s", c.X.Label(), c.Y.Label(), views.Signed(*c.Value, 2))
		if c.Interval != nil {
			cell.Low, cell.High = c.Interval.Low, c.Interval.High
		}
	}
	return views.CoefficientCell(cell)
}

// pairAddress is the page of two metrics, or one of its files. What only the
// table knows is left out.
func pairAddress(extension string, q url.Values, x, y leaderboard.Metric) string {
	of := url.Values{"x": {x.Key()}, "y": {y.Key()}}
	for _, name := range []string{"release", "method", "unit", "submission"} {
		if v := q[name]; len(v) > 0 {
			of[name] = slices.Clone(v)
		}
	}
	return fileAddress(correlationsPath+"/pair"+extension, of)
}
