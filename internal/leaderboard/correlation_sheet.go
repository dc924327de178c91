package leaderboard

import (
	"strconv"
	"strings"
)

// CorrelationHeader are the columns of a sheet of correlations.
var CorrelationHeader = []string{"release", "method", "unit", "x", "y", "pair", "value", "low", "high", "interval", "resamples", "seed", "points", "undefined", "submissions"}

// Sheet is the table as a file: a line for each pair of metrics.
func (t *Correlations) Sheet() Sheet {
	return Sheet{Header: CorrelationHeader, Rows: func(yield func([]string) bool) {
		var ids []string
		for _, row := range t.Rows {
			ids = append(ids, row.Row.Submission)
		}
		submissions := strings.Join(ids, " ")
		t.Each(func(c Correlated) bool {
			line := []string{t.Set.Key, string(t.Query.Method), string(t.Query.Grain), c.X.Key(), c.Y.Key(), string(c.X.Kind()), bound(c.Value), "", "", "", "", "",
				strconv.Itoa(c.Points), c.Undefined, submissions}
			if c.Missing != "" {
				line[13] = c.Missing
			}
			if c.Interval != nil {
				line[7], line[8], line[9] = decimal(c.Interval.Low), decimal(c.Interval.High), string(t.Certainty.Kind)
				if t.Certainty.Kind == Bootstrapped {
					line[10], line[11] = strconv.Itoa(t.Certainty.Resamples), strconv.FormatUint(t.Certainty.Seed, 10)
				}
			}
			return yield(line)
		})
	}}
}
