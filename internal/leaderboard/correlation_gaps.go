package leaderboard

import (
	"math"
	"slices"
)

// A Gap is values that submissions lack, for one reason.
type Gap struct {
	Metrics     []Metric
	Submissions int
	Whole       bool // no task has a value; else some have
	Reason      string
}

// gaps are what the submissions lack of a metric.
func (c *correlated) gaps(m Metric) []Gap {
	var found []Gap
	for _, row := range c.rows {
		values, reason := c.of(row, m)
		if reason == "" {
			continue
		}
		at := slices.IndexFunc(found, func(g Gap) bool { return g.Reason == reason && g.Whole == (values == nil) })
		if at < 0 {
			at = len(found)
			found = append(found, Gap{Metrics: []Metric{m}, Whole: values == nil, Reason: reason})
		}
		found[at].Submissions++
	}
	return found
}

// gathered puts together the gaps of different metrics that have one reason and
// concern as many submissions.
func gathered(all []Gap) []Gap {
	var found []Gap
	for _, g := range all {
		at := slices.IndexFunc(found, func(o Gap) bool {
			return o.Reason == g.Reason && o.Whole == g.Whole && o.Submissions == g.Submissions
		})
		if at < 0 {
			found = append(found, g)
			continue
		}
		found[at].Metrics = append(found[at].Metrics, g.Metrics...)
	}
	return found
}

// missing says why one of two columns is empty, "" when neither is.
func (c *correlated) missing(columns ...*metricColumn) string {
	for _, column := range columns {
		if slices.ContainsFunc(column.values, func(v float64) bool { return !math.IsNaN(v) }) {
			continue
		}
		for _, row := range c.rows {
			if _, reason := c.of(row, column.Metric); reason != "" {
				return column.Label() + ": " + reason
			}
		}
		return column.Label() + ": no task has a value"
	}
	return ""
}
