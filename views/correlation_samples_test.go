package views

import (
	"fmt"
	"math"
)

// scatterChart has systems with names from outside, a point that leads nowhere
// and as many systems as are asked for.
func scatterChart(id string, systems int, line *[2][2]float64) Scatter {
	s := Scatter{
		Chart: Chart{ID: id, Title: "pass@1 under judge rises with BLEU, doc-doc: r = +0.41 [0.30, 0.52]", Description: "12 points: BLEU across, pass@1 up.",
			Note: "Pearson's correlation, n 12: tasks of submissions.", CSV: "/doc-to-code/correlations/pair.csv?x=bleu_doc_doc", SVG: "/doc-to-code/correlations/pair.svg?x=bleu_doc_doc",
			Table: Table{ID: id + "-table", Caption: "The points of the chart.", Columns: []Column{{Label: "System"}, {Label: "BLEU", Align: Decimals}}}},
		X: Axis{Name: "BLEU, doc-doc", Low: -0.05, High: 1.05}, Y: Axis{Name: hostile, Low: -0.05, High: 1.05},
		Columns: []float64{0.5, 0, 0.25, 0.25}, Rows: []float64{0.001, 0.999, 0, 0}, Line: line,
	}
	for i := range systems {
		name := []string{"RepoAgent", longName, hostile, rightLeft}[i%4]
		s.Series = append(s.Series, ScatterSeries{Name: name, Series: i})
		p := ScatterPoint{X: float64(i) / float64(systems), Y: 1 - float64(i*i%7)/7, Series: i, Words: name + "\nBLEU: 0.100", Address: "/submissions/s/tasks/psf/requests:a.py::f"}
		if i == 1 {
			p.Address = ""
		}
		s.Points = append(s.Points, p)
		s.Table.Groups = []Group{{Rows: []Row{{Cells: []Cell{TextCell(name), NumberCell(p.X, 3)}}}}}
	}
	return s
}

func coefficientTable() Table {
	nan := math.NaN()
	t := Table{ID: "coefficients", Caption: "Pearson's correlation of each measure with pass@k.", CSV: "/doc-to-code/correlations.csv", Columns: []Column{{Label: "Measure"}, {Label: "pass@1", Note: "judge", Align: Centre, Named: true}}}
	group := Group{Heading: "doc-doc"}
	for i, c := range []Coefficient{
		{Value: 1, Low: 1, High: 1, Points: 300_000, Address: "/doc-to-code/correlations/pair?x=a", Accessible: "a and b: +1.00"},
		{Value: -0.4, Low: -0.5, High: -0.2, Points: 83, Address: "/doc-to-code/correlations/pair?x=a", Accessible: hostile, Wide: true},
		{Value: 0, Low: nan, High: nan, Points: 3, Word: "no interval", Reason: "an interval needs 4 points", Address: "/doc-to-code/correlations/pair?x=a"},
		{Value: nan, Low: nan, High: nan, Points: 83, Word: "undefined", Reason: hostile, Wide: true},
	} {
		group.Rows = append(group.Rows, Row{Cells: []Cell{TextCell(fmt.Sprint("measure ", i)), CoefficientCell(c)}})
	}
	t.Groups = []Group{group}
	return t
}

func correlationSamples() []sample {
	form := Filters{Action: "/doc-to-code/correlations", Boxes: []Boxes{
		{Name: "submission", Text: "Submissions", Said: "2 are chosen", Hint: "Without a choice, all.", Checked: []string{"a", "c"},
			Options: []Option{{Value: "a", Text: longName}, {Value: "b", Text: hostile}, {Value: "c"}}},
		{Name: "none", Text: "Nothing", Said: "all", Options: []Option{{Value: "d"}}}}}
	return []sample{
		{"coefficients", coefficientTable().View()},
		{"boxes", form.View()},
		{"chart_scatter", scatterChart("scatter", 9, &[2][2]float64{{0, 0.2}, {1, 0.7}}).View()},
		{"chart_scatter_one", scatterChart("scatter-one", 1, nil).View()},
	}
}
