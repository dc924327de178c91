package web

import (
	"fmt"
	"math"
	"strings"

	"touchstone/internal/leaderboard"
	"touchstone/internal/statistics"
	"touchstone/views"
)

// methodNames are how correlations are called and written.
var methodNames = map[statistics.Correlation]struct{ long, sign string }{
	statistics.Pearson:  {"Pearson's correlation", "r"},
	statistics.Spearman: {"Spearman's rank correlation", "ρ"},
	statistics.Kendall:  {"Kendall's tau-b", "τ"},
}

// few repositories make a rough interval. When they are too few, all of them
// lie on one side of what is typical more often than one time in twenty: no
// draw of them reaches across then, and no test of their signs falls to 0.05.
const (
	fewRepositories    = 10
	tooFewRepositories = 6
)

// pointWords are what one point and many are.
var pointWords = map[leaderboard.Grain][2]string{
	leaderboard.GrainTask:       {"task of a submission", "tasks of submissions"},
	leaderboard.GrainRepository: {"mean of a submission over a repository", "means of submissions over repositories"},
	leaderboard.GrainSystem:     {"mean of a submission over repositories", "means of submissions over repositories"},
}

// coefficientText is “r = +0.41 [0.32, 0.50]”.
func coefficientText(method statistics.Correlation, c leaderboard.Correlated) string {
	if c.Value == nil {
		return methodNames[method].sign + " is undefined: " + c.Undefined
	}
	text := methodNames[method].sign + " = " + views.Signed(*c.Value, 2)
	if c.Interval != nil {
		text += " [" + views.Decimal(c.Interval.Low, 2) + ", " + views.Decimal(c.Interval.High, 2) + "]"
	}
	return text
}

// correlationFinding is what the first column says.
func correlationFinding(t *leaderboard.Correlations) string {
	first := t.Across[0]
	var best *leaderboard.Correlated
	defined, sure, unsure, measured := 0, 0, 0, 0
	for i := range t.Down {
		cell := &t.Cells[i][0]
		if t.Down[i].K > 0 {
			continue
		}
		measured++
		if cell.Value == nil {
			continue
		}
		defined++
		if cell.Interval != nil {
			if cell.Interval.Excludes(0) {
				sure++
			} else {
				unsure++
			}
		}
		if best == nil || math.Abs(*cell.Value) > math.Abs(*best.Value) {
			best = cell
		}
	}
	if best == nil {
		return fmt.Sprintf("Of %s, none has a correlation with %s.", views.Counted(measured, "measure", "measures"), first.Label())
	}
	other := best.X
	if other.Key() == first.Key() {
		other = best.Y
	}
	text := fmt.Sprintf("Of %s, %s goes most closely with %s: %s, n %s.", views.Counted(measured, "measure", "measures"), other.Label(), first.Label(),
		coefficientText(t.Query.Method, *best), views.Count(best.Points))
	switch {
	case unsure > 0:
		text += fmt.Sprintf(" The intervals of %s of %s hold 0: chance alone may have put them where they are.", views.Count(unsure), views.Count(sure+unsure))
	case sure > 0:
		text += " No interval holds 0."
	}
	if sure > 0 && t.Repositories < tooFewRepositories && t.Certainty.Kind == leaderboard.Bootstrapped {
		text += fmt.Sprintf(" With %s an interval without 0 proves nothing.", views.Counted(t.Repositories, "repository", "repositories"))
	}
	if n := measured - defined; n > 0 {
		text += " " + views.Counted(n, "measure has", "measures have") + " no correlation here."
	}
	return text
}

// correlationCaption says what is in a cell.
func correlationCaption(t *leaderboard.Correlations) string {
	what := "of each measure with pass@k"
	if t.Query.Square {
		what = "of every metric with every other, under " + t.Judges[0].Name
	}
	return fmt.Sprintf("%s %s; a point is a %s. Each cell: value, 95 %% interval, n.", methodNames[t.Query.Method].long, what, pointWords[t.Query.Grain][0])
}

// correlationNotes say which interval it is and what is missing.
func correlationNotes(t *leaderboard.Correlations) []views.Note {
	notes := []views.Note{{Where: "Intervals", Text: capital(certaintyNames[t.Certainty.Kind]) + ". " + certaintyText(t.Certainty, t.Query, t.Repositories) + " Nothing corrects for the number of pairs: of twenty that have nothing to do with each other, one will look as if it had."}}
	text := fmt.Sprintf("%s over %s: ", views.Counted(len(t.Rows), "submission", "submissions"), views.Counted(t.Repositories, "repository", "repositories"))
	if t.Query.Submissions == nil {
		text += "all of the release that are ranked, without controls."
	} else {
		text += "those that were chosen."
	}
	text += " A pair counts where both of its metrics have a value; means are over the tasks on which both have one."
	notes = append(notes, views.Note{Where: "Points", Text: text})
	return append(notes, gapNotes(t.Gaps)...)
}

// certaintyNames are ways to an interval in a word or two.
var certaintyNames = map[leaderboard.CertaintyKind]string{
	leaderboard.Bootstrapped: "bootstrap over repositories", leaderboard.Jackknifed: "jackknife over repositories", leaderboard.Analytic: "formula for independent points",
}

// certaintyText says what the interval of a page is.
func certaintyText(c leaderboard.Certainty, q leaderboard.CorrelationQuery, repositories int) string {
	few := ""
	switch {
	case repositories < tooFewRepositories && c.Kind == leaderboard.Bootstrapped:
		few = fmt.Sprintf(" With only %s the intervals are narrower than 95 %% ones have to be: that one does not hold 0 proves nothing.", views.Counted(repositories, "repository", "repositories"))
	case repositories < fewRepositories:
		few = fmt.Sprintf(" With only %s, read them as rough.", views.Counted(repositories, "repository", "repositories"))
	}
	switch {
	case c.Kind == leaderboard.Bootstrapped:
		return fmt.Sprintf("Repositories are drawn anew %s times (seed %d), each with all its tasks; the 2.5th to the 97.5th percentile.", views.Count(c.Resamples), c.Seed) + few
	case c.Kind == leaderboard.Jackknifed:
		return "From what the correlation is without each of the repositories, on the scale of atanh; ten thousand resamples would take too long for so many points." + few
	case q.Grain == leaderboard.GrainSystem:
		return "On the scale of atanh: submissions are taken to be independent of each other."
	case repositories < 2:
		return "On the scale of atanh. With one repository it is unknown how much repositories differ; intervals are too narrow."
	}
	return "On the scale of atanh; anything else would take too long for so many. Tasks of one repository resemble each other, so intervals are too narrow."
}

// gapNotes say what was not computed, of how many submissions and why.
func gapNotes(gaps []leaderboard.Gap) []views.Note {
	var notes []views.Note
	for _, g := range gaps {
		const named = 3
		var names []string
		for _, m := range g.Metrics[:min(named, len(g.Metrics))] {
			names = append(names, m.Label())
		}
		what := strings.Join(names, ", ")
		if more := len(g.Metrics) - named; more > 0 {
			what += fmt.Sprintf(" and %s", views.Counted(more, "other", "others"))
		}
		lack := " of some tasks"
		if g.Whole {
			lack = ""
		}
		notes = append(notes, views.Note{Where: "Not there", Text: fmt.Sprintf("%s%s, in %s: %s.", what, lack, views.Counted(g.Submissions, "submission", "submissions"), strings.TrimSuffix(g.Reason, "."))})
	}
	return notes
}
