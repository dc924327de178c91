package web

import (
	"fmt"
	"math"

	"touchstone/internal/statistics"
	"touchstone/views"
)

// fewSaid says that so few repositories can prove nothing by their signs; ""
// when there are enough.
func (v *comparisonView) fewSaid() string {
	n := 0
	for _, r := range v.Comparison.Repositories {
		if math.Abs(r.Difference) > 1e-12 {
			n++
		}
	}
	if n == 0 || v.LeastSignFlip <= 1-statistics.Level {
		return ""
	}
	return fmt.Sprintf("With %s that differ, the sign-flip test cannot go below p = %s, but for the scatter of random signs, however large the differences: %d of the %d ways to give them signs are at least as far from 0. The same holds of the signed-rank test when all ways are counted; its p below is that of a normal distribution, which so few do not follow, and may be less.",
		views.Counted(n, "repository", "repositories"), shortest(v.LeastSignFlip), 2, 1<<n)
}

// shortest writes 0.25 and 0.125 as they are.
func shortest(p float64) string { return fmt.Sprintf("%.4g", p) }

// leaksSaid says what leaving out the tasks that leak does to the difference.
func (v *comparisonView) leaksSaid() string {
	e := v.Tasks.Leaks
	switch {
	case e.Unknown != "":
		return "What tasks that leak do to the difference is not computed. " + e.Unknown + "."
	case e.Flagged() == 0:
		return fmt.Sprintf("No docstring of either row gives so much code away that it is flagged, on all %s.", views.Counted(v.Tasks.Compared, "task", "tasks"))
	}
	text := fmt.Sprintf("%s flagged because a docstring gives code away: %s for %s alone, %s for %s alone, %s for both.", views.Counted(e.Flagged(), "task is", "tasks are"),
		views.Count(e.OnlyFirst), v.a, views.Count(e.OnlySecond), v.b, views.Count(e.FlaggedBoth))
	if e.Difference.Tasks == 0 {
		return text + " Without them no task is left."
	}
	text += fmt.Sprintf(" Without them the difference, first minus second, is %s instead of %s", views.Signed(e.Difference.Value, 3), views.Signed(v.Difference.Value, 3))
	i := e.Difference.Interval
	if i == nil {
		return text + "; there is no interval: " + e.Difference.Undefined + "."
	}
	includes := "includes"
	if i.Excludes(0) {
		includes = "excludes"
	}
	return fmt.Sprintf("%s; the 95 %% interval from %s to %s %s 0.", text, views.Signed(i.Low, 3), views.Signed(i.High, 3), includes)
}
