package leaderboard

import (
	"touchstone/internal/statistics"
)

// A Certainty is which interval all correlations of a table have. It is the
// best that can be computed in bounded time.
type Certainty struct {
	Kind      CertaintyKind
	Resamples int    // of a bootstrap
	Seed      uint64 // of a bootstrap
}

// A CertaintyKind is a way to an interval.
type CertaintyKind string

const (
	Bootstrapped CertaintyKind = "bootstrap" // repositories are drawn anew
	Jackknifed   CertaintyKind = "jackknife" // repositories are left out one by one
	// Analytic takes points to be independent of each other: there is one
	// repository, or points are submissions, or anything else would take too long.
	Analytic CertaintyKind = "analytic"
)

// correlationSeed is what repositories are drawn with.
const correlationSeed = 1

// correlationWork bounds what the intervals of one table may take: so many
// visits of a point or of a repository's sums, a few seconds.
const correlationWork = 600_000_000

// cachedPoints is how many points a processor's cache holds, about. Beyond them
// a visit takes four times as long.
const cachedPoints = 1 << 15

// certainty of a table of so many pairs.
func certainty(q CorrelationQuery, pairs, rows int, c *correlated) Certainty {
	repositories := c.repositories()
	if q.Grain == GrainSystem || repositories < 2 {
		return Certainty{Kind: Analytic}
	}
	points := c.starts[len(c.starts)-1]
	if q.Grain == GrainRepository {
		points = rows * repositories
	}
	// A coefficient visits every point a few times, or the sums of repositories.
	visits := 3 * points
	switch {
	case q.Method == statistics.Pearson:
		visits = 5 * repositories
	case points > cachedPoints:
		visits *= 4
	}
	for _, resamples := range []int{statistics.Resamples, statistics.Resamples / 10} {
		if pairs*resamples <= correlationWork/visits {
			return Certainty{Bootstrapped, resamples, correlationSeed}
		}
	}
	if pairs*repositories <= correlationWork/visits {
		return Certainty{Kind: Jackknifed}
	}
	return Certainty{Kind: Analytic}
}

// cell correlates two metrics.
func (k Certainty) cell(c *correlated, x, y *metricColumn, grain Grain, method statistics.Correlation) (Correlated, error) {
	cell := Correlated{X: x.Metric, Y: y.Metric, Missing: c.missing(x, y)}
	joint, err := c.joint(x, y, grain, method)
	if err != nil {
		return cell, err
	}
	analytic := joint.Coefficient()
	cell.Value, cell.Points, cell.Undefined = analytic.Value, analytic.Points, analytic.Undefined
	if cell.Value == nil {
		return cell, nil
	}
	switch k.Kind {
	case Bootstrapped:
		b, err := joint.Bootstrap(k.Resamples, k.Seed)
		cell.Interval, cell.Undefined = b.Interval, b.Undefined
		return cell, err
	case Jackknifed:
		j := joint.Jackknife()
		cell.Interval, cell.Undefined = j.Interval, j.Undefined
	default:
		cell.Interval = analytic.Interval
	}
	return cell, nil
}
