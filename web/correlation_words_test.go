package web

import (
	"strings"
	"testing"

	"touchstone/internal/doctocode/measures"
	"touchstone/internal/leaderboard"
	"touchstone/internal/statistics"
)

// Five repositories lie all on one side of what is typical in 2 of 32 cases,
// more often than one time in twenty; six in 2 of 64.
func TestABootstrapOverAHandfulOfRepositoriesIsSaidToProveNothing(t *testing.T) {
	value := 0.7
	for _, c := range []struct {
		kind         leaderboard.CertaintyKind
		repositories int
		note, lead   bool
		rough        bool
	}{
		{kind: leaderboard.Bootstrapped, repositories: 3, note: true, lead: true},
		{kind: leaderboard.Bootstrapped, repositories: 5, note: true, lead: true},
		{kind: leaderboard.Bootstrapped, repositories: 6, rough: true},
		{kind: leaderboard.Bootstrapped, repositories: 10},
		{kind: leaderboard.Jackknifed, repositories: 3, rough: true},
		{kind: leaderboard.Analytic, repositories: 3},
	} {
		table := &leaderboard.Correlations{
			Query: leaderboard.CorrelationQuery{Method: statistics.Pearson, Grain: leaderboard.GrainTask}, Repositories: c.repositories,
			Across: []leaderboard.Metric{{K: 1, Evaluator: "judge"}}, Down: []leaderboard.Metric{{Measure: measures.Catalogue[0]}},
			Certainty: leaderboard.Certainty{Kind: c.kind, Resamples: 10000, Seed: 1},
			Cells:     [][]leaderboard.Correlated{{{X: leaderboard.Metric{Measure: measures.Catalogue[0]}, Y: leaderboard.Metric{K: 1, Evaluator: "judge"}, Value: &value, Interval: &statistics.Interval{Low: 0.6, High: 0.8}, Points: 40}}},
		}
		note := certaintyText(table.Certainty, table.Query, table.Repositories)
		if got := strings.Contains(note, "narrower than 95 % ones have to be"); got != c.note {
			t.Errorf("%+v: %s", c, note)
		}
		if got := strings.Contains(note, "read them as rough"); got != c.rough {
			t.Errorf("%+v: %s", c, note)
		}
		if finding := correlationFinding(table); strings.Contains(finding, "an interval without 0 proves nothing") != c.lead {
			t.Errorf("%+v: %s", c, finding)
		}
	}
}
