package views

import (
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// A Diff shows two codes line by line. Hidden characters are shown.
type Diff struct {
	Before, After         string
	BeforeName, AfterName string // "original", "candidate 3"
	Split                 bool   // side by side, otherwise one below the other
	Context               int    // unchanged lines kept round a change; 0 keeps all
}

// A diffLine is a line of one side; number 0 means that the side has none here.
type diffLine struct {
	number  int
	text    string
	changed bool
}

// A diffRow is a line of the comparison: both sides, or a run of unchanged lines
// that is left out.
type diffRow struct {
	before, after diffLine
	left          int // how many unchanged lines are not shown
}

// lines splits a text; a newline at its end opens no further line.
func lines(text string) []string {
	text = strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// compare pairs the lines: within a change, the first removed line with the
// first added one, and so on.
func (d Diff) compare() (rows []diffRow, removed, added int) {
	before, after := lines(d.Before), lines(d.After)
	i, j := 0, 0
	same := func(until int) {
		for ; i < until; i, j = i+1, j+1 {
			rows = append(rows, diffRow{
				before: diffLine{number: i + 1, text: Visible(before[i])},
				after:  diffLine{number: j + 1, text: Visible(after[j])},
			})
		}
	}
	for _, change := range lcs.DiffLines(before, after) {
		same(change.Start)
		for i < change.End || j < change.ReplEnd {
			var row diffRow
			if i < change.End {
				row.before = diffLine{number: i + 1, text: Visible(before[i]), changed: true}
				i++
				removed++
			}
			if j < change.ReplEnd {
				row.after = diffLine{number: j + 1, text: Visible(after[j]), changed: true}
				j++
				added++
			}
			rows = append(rows, row)
		}
	}
	same(len(before))
	return rows, removed, added
}

func (r diffRow) changed() bool { return r.before.changed || r.after.changed }

// folded leaves out unchanged lines that are further than the context from
// every change. A run of one is kept: saying that it is left out takes as much
// room.
func folded(rows []diffRow, context int) []diffRow {
	if context <= 0 {
		return rows
	}
	context = min(context, len(rows))
	near := make([]bool, len(rows))
	for i, row := range rows {
		if row.changed() {
			for k := max(0, i-context); k <= min(len(rows)-1, i+context); k++ {
				near[k] = true
			}
		}
	}
	var kept []diffRow
	for i := 0; i < len(rows); {
		end := i
		for end < len(rows) && !near[end] {
			end++
		}
		if end-i > 1 {
			kept = append(kept, diffRow{left: end - i})
			i = end
			continue
		}
		kept = append(kept, rows[i])
		i++
	}
	return kept
}

// unified puts the removed lines of each change before the added ones.
func unified(rows []diffRow) []diffRow {
	var out []diffRow
	for i := 0; i < len(rows); {
		if !rows[i].changed() {
			out = append(out, rows[i])
			i++
			continue
		}
		end := i
		for end < len(rows) && rows[end].changed() {
			end++
		}
		for _, row := range rows[i:end] {
			if row.before.number > 0 {
				out = append(out, diffRow{before: row.before})
			}
		}
		for _, row := range rows[i:end] {
			if row.after.number > 0 {
				out = append(out, diffRow{after: row.after})
			}
		}
		i = end
	}
	return out
}

// sentence counts what differs.
func diffSentence(removed, added int) string {
	if removed+added == 0 {
		return "No line differs."
	}
	return Counted(removed, "line", "lines") + " removed, " + Count(added) + " added"
}

func (l diffLine) numberText() string {
	if l.number == 0 {
		return ""
	}
	return Count(l.number)
}
