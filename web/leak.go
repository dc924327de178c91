package web

import (
	"fmt"

	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/views"
)

// judgedColumns are what this site knows of the rows that it has judged: how
// much code their docstrings give away, and how much better they are than none.
// A paper's rows have neither.
func judgedColumns(l leaderboard.Listing, q leaderboard.Query) []views.Column {
	if l.Provenance == leaderboard.Published {
		return nil
	}
	columns := []views.Column{{Key: "leak", Label: "Leak", Note: "flagged · severe", Definition: "/methodology#leak", Align: views.Decimals, Sortable: true, Descends: true}}
	if l.NoDocs(l.RankedBy) != nil {
		columns = append(columns, views.Column{Key: "lift", Label: "Lift", Note: fmt.Sprintf("pass@%d over no docs", max(1, q.K)), Definition: "/methodology#lift",
			Align: views.Decimals, Sortable: true, Descends: true})
	}
	return columns
}

// judgedCells are a row's cells of these columns.
func judgedCells(l leaderboard.Listing, r leaderboard.Ranked, q leaderboard.Query, aggregation store.Aggregation) []views.Cell {
	if l.Provenance == leaderboard.Published {
		return nil
	}
	cells := []views.Cell{leakCell(r.Leak)}
	control := l.NoDocs(l.RankedBy)
	if control == nil {
		return cells
	}
	lift, ok := r.Results[l.RankedBy].Lift(aggregation, max(1, q.K))
	switch {
	case ok:
		view := scoreView(lift, false)
		view.Signed = true
		return append(cells, views.ScoreCell(view))
	case r.Submission == control.Submission:
		return append(cells, views.UnknownCell("this is the row that the others are held against"))
	}
	return append(cells, views.UnknownCell(fmt.Sprintf("no task has %d samples that count in both", max(1, q.K))))
}

func leakCell(leak leaderboard.Leak) views.Cell {
	flagged, severe, ok := leak.Shares()
	if !ok {
		return views.UnknownCell(leak.Why())
	}
	return views.TextCell(views.Decimal(flagged, 3) + " · " + views.Decimal(severe, 3))
}

// notJudged is why a row has nothing under an evaluator.
func notJudged(l leaderboard.Listing, row *leaderboard.Row, evaluator string) string {
	if l.Provenance == leaderboard.Evaluated && row.Leak.Unknown != "" && l.LeakFree() {
		return "which tasks leak is " + row.Leak.Why()
	}
	return "not judged by " + evaluator
}

// liftSaid says what lifts are over, or why there are none.
func liftSaid(l leaderboard.Listing) string {
	if l.RankedBy == "" {
		return ""
	}
	if control := l.NoDocs(l.RankedBy); control != nil {
		return fmt.Sprintf(" Lift: the paired difference to %s, which has no docstring, under %s.", control.Name(), l.RankedBy)
	}
	return fmt.Sprintf(" Lift is not computed: no submission without docstrings was judged on every task by %s.", l.RankedBy)
}
