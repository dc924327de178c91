package leaderboard

import (
	"math"

	"touchstone/internal/statistics"
)

// A PairPoint is one point of a pair of metrics.
type PairPoint struct {
	Row        *Row
	Repository string // "" of a submission's mean over repositories
	Task       string // "" of a mean
	X, Y       float64
}

// A PairView is two metrics against each other, over the submissions of a
// query.
type PairView struct {
	Set          *Set
	Query        CorrelationQuery // with its defaults filled in
	X, Y         Metric
	Rows         []*MatrixRow
	Repositories int
	Points       []PairPoint // by repository, submission and task
	By           []PairCoefficient
	Line         statistics.Line
	Missing      string // why there is no point, when a metric has no value at all
	Gaps         []Gap
}

// A PairCoefficient is the pair's correlation by one method.
type PairCoefficient struct {
	Method    statistics.Correlation
	Certainty Certainty
	Correlated
}

// Pair answers a query about two metrics: every correlation and every point.
func (s *Set) Pair(q CorrelationQuery, x, y Metric) (*PairView, error) {
	q = q.filled(s)
	v := &PairView{Set: s, Query: q, X: x, Y: y}
	if s.Matrix == nil {
		return v, nil
	}
	var err error
	if v.Rows, err = s.submissions(q, s.judges(q.Evaluator)); err != nil {
		return nil, err
	}
	data := newCorrelated(s, v.Rows)
	v.Repositories = data.repositories()
	columnX, err := data.column(x)
	if err != nil {
		return nil, err
	}
	columnY, err := data.column(y)
	if err != nil {
		return nil, err
	}
	v.Missing = data.missing(columnX, columnY)
	v.Gaps = gathered(append(data.gaps(x), data.gaps(y)...))
	v.Points = data.points(columnX, columnY, q.Grain)
	for _, method := range statistics.Correlations {
		by := q
		by.Method = method
		c := PairCoefficient{Method: method, Certainty: certainty(by, 1, len(v.Rows), data)}
		if c.Correlated, err = c.Certainty.cell(data, columnX, columnY, q.Grain, method); err != nil {
			return nil, err
		}
		v.By = append(v.By, c)
	}
	points := make([]statistics.Point, len(v.Points))
	for i, p := range v.Points {
		points[i] = statistics.Point{Repository: p.Repository, X: p.X, Y: p.Y}
	}
	v.Line, err = statistics.LeastSquares(points)
	return v, err
}

// Of is the pair's correlation by a method.
func (v *PairView) Of(method statistics.Correlation) PairCoefficient {
	for _, c := range v.By {
		if c.Method == method {
			return c
		}
	}
	return PairCoefficient{}
}

// points are those of which both metrics have a value.
func (c *correlated) points(x, y *metricColumn, grain Grain) []PairPoint {
	ofX, ofY, _ := c.grained(x, y, grain)
	var points []PairPoint
	add := func(at int, p PairPoint) {
		if p.X, p.Y = ofX[at], ofY[at]; !math.IsNaN(p.X) && !math.IsNaN(p.Y) {
			points = append(points, p)
		}
	}
	at := 0
	if grain == GrainSystem {
		for r, row := range c.rows {
			add(r, PairPoint{Row: row.Row})
		}
		return points
	}
	for i, tasks := range c.tasks {
		name := c.set.Repositories[i].Name
		for r, row := range c.rows {
			if grain == GrainRepository {
				add(i*len(c.rows)+r, PairPoint{Row: row.Row, Repository: name})
				continue
			}
			for _, t := range tasks {
				add(at, PairPoint{Row: row.Row, Repository: name, Task: c.set.Matrix.Tasks[t].Key})
				at++
			}
		}
	}
	return points
}

// PairHeader are the columns of a sheet of points.
var PairHeader = []string{"release", "unit", "system", "model", "version", "submission", "repository", "task_id", "x", "y", "x_value", "y_value"}

// Sheet is the points as a file.
func (v *PairView) Sheet() Sheet {
	return Sheet{Header: PairHeader, Rows: func(yield func([]string) bool) {
		for _, p := range v.Points {
			if !yield([]string{v.Set.Key, string(v.Query.Grain), p.Row.System, p.Row.Model, p.Row.Version, p.Row.Submission, p.Repository, p.Task,
				v.X.Key(), v.Y.Key(), decimal(p.X), decimal(p.Y)}) {
				return
			}
		}
	}}
}
