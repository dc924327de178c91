package leaderboard

import (
	"math"

	"touchstone/internal/doctocode/measures"
	"touchstone/internal/statistics"
)

// correlated are the tasks of some submissions, repository by repository and in
// each submission by submission, in which order every column has them.
type correlated struct {
	set    *Set
	rows   []*MatrixRow
	tasks  [][]int // of each repository: places in Matrix.Tasks
	starts []int   // where each repository begins in a column, and how long columns are
}

func newCorrelated(set *Set, rows []*MatrixRow) *correlated {
	c := &correlated{set: set, rows: rows, tasks: make([][]int, len(set.Repositories)), starts: []int{0}}
	for i, task := range set.Matrix.Tasks {
		c.tasks[task.Repository] = append(c.tasks[task.Repository], i)
	}
	for _, tasks := range c.tasks {
		c.starts = append(c.starts, c.starts[len(c.starts)-1]+len(rows)*len(tasks))
	}
	return c
}

// repositories is how many have a task.
func (c *correlated) repositories() int {
	n := 0
	for _, tasks := range c.tasks {
		if len(tasks) > 0 {
			n++
		}
	}
	return n
}

// of is a submission's values of a metric by task; nil when there is none, with
// the reason, which is also that of single values that are missing.
func (c *correlated) of(row *MatrixRow, m Metric) (values []float64, reason string) {
	if m.K == 0 {
		column := row.Column(m.Measure.Key, m.Evaluator)
		return column.Values, column.Reason
	}
	values = row.PassAt(m.Evaluator, m.K)
	switch {
	case values == nil:
		return nil, "no evaluation under " + m.Evaluator + " has finished"
	case c.set.Comparable(row.Row, m.Evaluator, m.K) == nil:
		return nil, "it was not judged on every task under " + m.Evaluator
	}
	return values, ""
}

// values is a metric's column, NaN where there is no value.
func (c *correlated) values(m Metric) []float64 {
	flat := make([]float64, 0, c.starts[len(c.starts)-1])
	by := make([][]float64, len(c.rows))
	for i, row := range c.rows {
		by[i], _ = c.of(row, m)
	}
	for _, tasks := range c.tasks {
		for _, values := range by {
			for _, t := range tasks {
				v := math.NaN()
				if values != nil && measures.StateOf(values[t]) == measures.IsDefined {
					v = values[t]
				}
				flat = append(flat, v)
			}
		}
	}
	return flat
}

// A metricColumn is a metric's values, and what its mean is weighted by.
type metricColumn struct {
	Metric
	values []float64
	pool   []float64 // nil: each task counts the same
	ready  *statistics.Column
}

func (c *correlated) column(m Metric) (*metricColumn, error) {
	column := &metricColumn{Metric: m, values: c.values(m)}
	if pool, ok := measures.Lookup(m.Measure.Pool); ok {
		column.pool = c.values(Metric{Measure: pool})
	}
	var err error
	column.ready, err = statistics.NewColumn(column.values)
	return column, err
}

// weight of a task in the column's mean.
func (m *metricColumn) weight(i int) float64 {
	switch {
	case m.pool == nil:
		return 1
	case math.IsNaN(m.pool[i]):
		return 0
	}
	return m.pool[i]
}

// means are those of two metrics over the tasks of each submission and
// repository on which both have a value, NaN where there is no such task; by
// repository, then by submission.
func (c *correlated) means(x, y *metricColumn) (ofX, ofY []float64) {
	at := 0
	for _, tasks := range c.tasks {
		for range c.rows {
			var a, b mean
			for range tasks {
				if !math.IsNaN(x.values[at]) && !math.IsNaN(y.values[at]) {
					a.add(x.values[at], x.weight(at))
					b.add(y.values[at], y.weight(at))
				}
				at++
			}
			ofX, ofY = append(ofX, a.value()), append(ofY, b.value())
		}
	}
	return ofX, ofY
}

// A mean is summed up value by value.
type mean struct {
	sum, weight float64
	n           int
}

func (m *mean) add(v, weight float64) {
	m.sum, m.weight, m.n = m.sum+v*weight, m.weight+weight, m.n+1
}

// value is NaN without any value. A pooled measure of which nothing was counted
// is 0, as in measures.Summarize.
func (m *mean) value() float64 {
	switch {
	case m.n == 0:
		return math.NaN()
	case m.weight == 0:
		return 0
	}
	return m.sum / m.weight
}

// grained are the values that are correlated: of tasks, or means of them. Means
// of submissions stand in one group, since repositories went into each.
func (c *correlated) grained(x, y *metricColumn, grain Grain) (ofX, ofY []float64, starts []int) {
	if grain == GrainTask {
		return x.values, y.values, c.starts
	}
	ofX, ofY = c.means(x, y)
	n := len(c.rows)
	if grain == GrainRepository {
		for i := range len(c.tasks) + 1 {
			starts = append(starts, i*n)
		}
		return ofX, ofY, starts
	}
	systemX, systemY := make([]float64, n), make([]float64, n)
	for r := range n {
		var a, b mean
		for i := range c.tasks {
			if !math.IsNaN(ofX[i*n+r]) {
				a.add(ofX[i*n+r], 1)
				b.add(ofY[i*n+r], 1)
			}
		}
		systemX[r], systemY[r] = a.value(), b.value()
	}
	return systemX, systemY, []int{0, n}
}

// joint is two metrics made ready for a correlation.
func (c *correlated) joint(x, y *metricColumn, grain Grain, method statistics.Correlation) (*statistics.Joint, error) {
	if grain == GrainTask {
		return method.Join(x.ready, y.ready, c.starts)
	}
	ofX, ofY, starts := c.grained(x, y, grain)
	a, err := statistics.NewColumn(ofX)
	if err != nil {
		return nil, err
	}
	b, err := statistics.NewColumn(ofY)
	if err != nil {
		return nil, err
	}
	return method.Join(a, b, starts)
}
