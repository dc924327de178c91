package web

import (
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"touchstone/internal/doctocode/measures"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/views"
)

// submissionMeasuresSheet is every measure of every task of a submission.
func (s *Site) submissionMeasuresSheet(c echo.Context) (leaderboard.Sheet, error) {
	sub, err := s.judgedSubmission(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	ctx := c.Request().Context()
	evaluations, err := s.Store.Evaluations(ctx, sub.ID)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	all, err := leaderboard.MeasuredOf(ctx, s.Store, sub.ID, evaluations)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	tasks, err := s.Store.Tasks(ctx, sub.ReleaseID)
	return leaderboard.MeasuresSheet(sub, tasks, all), err
}

// submissionMeasuresPage leads to where the file's numbers are summed up.
func (s *Site) submissionMeasuresPage(c echo.Context) error {
	sub, err := s.judgedSubmission(c)
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, submissionPath(sub)+"#measures")
}

// measureGroups parts measures by what they compare.
func measureGroups(all []leaderboard.Measured) (headings []string, groups map[string][]leaderboard.Measured) {
	groups = map[string][]leaderboard.Measured{}
	add := func(heading string, m leaderboard.Measured) {
		if groups[heading] == nil {
			headings = append(headings, heading)
		}
		groups[heading] = append(groups[heading], m)
	}
	for _, pair := range measures.Pairs {
		for _, m := range all {
			if m.Pair != pair {
				continue
			}
			heading := string(pair) + ": " + pair.Meaning()
			if m.Evaluator != "" {
				heading = string(pair) + " under " + m.Evaluator + ": " + pair.Meaning()
			}
			add(heading, m)
		}
	}
	return headings, groups
}

// submissionMeasures sums up every measure of a submission.
func submissionMeasures(sub store.Submission, all []leaderboard.Measured) views.Table {
	t := views.Table{ID: "measures-table", CSV: submissionPath(sub) + "/measures.csv",
		Caption: "Means over the tasks on which a measure is defined. They stand beside pass@k to be compared with it; no row is ranked by them.",
		Source:  "The file has the value of every task.",
		Columns: []views.Column{{Label: "Measure", Definition: "/methodology#measures"}, {Label: "Mean", Note: "over tasks", Align: views.Decimals},
			{Label: "Tasks", Note: "defined", Align: views.Decimals}, {Label: "Undefined", Note: "tasks", Align: views.Decimals}, {Label: "Note"}}}
	headings, groups := measureGroups(all)
	for _, heading := range headings {
		group := views.Group{Heading: heading}
		for _, m := range groups[heading] {
			row := views.Row{Cells: []views.Cell{measureName(m)}}
			if m.Values == nil {
				reason := "not computed: " + m.Reason
				row.Cells = append(row.Cells, views.UnknownCell(reason), views.UnknownCell(reason), views.UnknownCell(reason))
			} else {
				row.Cells = append(row.Cells, measureCell(m, m.Summary.Mean, "no task has what it needs"), views.CountCell(m.Summary.Defined), views.CountCell(m.Summary.Undefined))
			}
			group.Rows = append(group.Rows, views.Row{Cells: append(row.Cells, views.ViewCell(views.Passage(measureNote(m), false)))})
		}
		t.Groups = append(t.Groups, group)
	}
	return t
}

func measureName(m leaderboard.Measured) views.Cell {
	note := m.Unit
	if note == "" && m.Direction != measures.Higher {
		note = string(m.Direction)
	}
	base, _ := m.Key.Base()
	return views.ViewCell(views.Named(m.Title, "/methodology#measure-"+elementID(string(base)), note))
}

// measureCell prints a value: a count with two decimals, when it is a mean, all
// else with three.
func measureCell(m leaderboard.Measured, v float64, undefined string) views.Cell {
	switch {
	case math.IsNaN(v):
		return views.UnknownCell(undefined)
	case math.IsInf(m.High, 1) && v == math.Trunc(v):
		return views.CountCell(int(v))
	case math.IsInf(m.High, 1):
		return views.NumberCell(v, 1)
	}
	return views.NumberCell(v, 3)
}

// measureNote says where values come from, and why some are missing.
func measureNote(m leaderboard.Measured) string {
	note := ""
	if m.Provenance != "" {
		note = "Imported: " + m.Provenance + "."
	}
	if m.Reason != "" {
		text := "Not computed: " + m.Reason + "."
		if m.Values != nil {
			text = fmt.Sprintf("Not computed for %s: %s.", views.Counted(m.Summary.NotComputed, "task", "tasks"), m.Reason)
		}
		note += " " + text
	}
	return views.Visible(note)
}

// taskMeasures are the measures of one task, those of replies of one evaluator.
func taskMeasures(all []leaderboard.Measured, place int, evaluator string) views.Table {
	t := views.Table{ID: "measures-table", Caption: "What the texts of this task measure.",
		Columns: []views.Column{{Label: "Measure", Definition: "/methodology#measures"}, {Label: "Value", Align: views.Decimals}, {Label: "Better"}}}
	headings, groups := measureGroups(all)
	for _, heading := range headings {
		group := views.Group{Heading: heading}
		for _, m := range groups[heading] {
			if m.OfReplies() && m.Evaluator != evaluator {
				continue
			}
			v, state, reason := m.Of(place)
			cell := measureCell(m, v, "undefined: what it needs is not there")
			if state == measures.IsNotComputed {
				cell = views.UnknownCell("not computed: " + reason)
			}
			group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{measureName(m), cell, views.TextCell(string(m.Direction))}})
		}
		if len(group.Rows) > 0 {
			t.Groups = append(t.Groups, group)
		}
	}
	return t
}

// catalogueTable is the catalogue of measures for the methodology.
func catalogueTable() views.Table {
	t := views.Table{ID: "measure-catalogue", Caption: "Every measure, by what it compares.",
		Columns: []views.Column{{Label: "Measure"}, {Label: "Key", Note: "in files"}, {Label: "Range"}, {Label: "Better"}, {Label: "What it says"}, {Label: "Source"}}}
	for _, pair := range measures.Pairs {
		group := views.Group{Heading: string(pair) + ": " + pair.Meaning()}
		for _, m := range measures.Catalogue {
			if m.Pair != pair {
				continue
			}
			span := strconv.FormatFloat(m.Low, 'g', -1, 64) + " to " + strconv.FormatFloat(m.High, 'g', -1, 64)
			if math.IsInf(m.High, 1) {
				span = "from " + strconv.FormatFloat(m.Low, 'g', -1, 64)
			}
			if m.Unit != "" {
				span += " " + m.Unit
			}
			group.Rows = append(group.Rows, views.Row{ID: "measure-" + elementID(string(m.Key)), Cells: []views.Cell{views.TextCell(m.Title), views.CodeCell(string(m.Key), ""),
				views.TextCell(span), views.TextCell(string(m.Direction)), views.ViewCell(views.Passage(m.About, false)), views.TextCell(m.Source)}})
		}
		t.Groups = append(t.Groups, group)
	}
	return t
}
