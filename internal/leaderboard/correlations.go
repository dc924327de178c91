package leaderboard

import (
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"touchstone/internal/doctocode/measures"
	"touchstone/internal/statistics"
)

// Correlations are a table of how metrics go together over some submissions of
// a release.
type Correlations struct {
	Set          *Set
	Query        CorrelationQuery // with its defaults filled in
	Judges       []Evaluator
	Rows         []*MatrixRow // by system and id
	Repositories int          // of the release, that have a task
	Across, Down []Metric
	Cells        [][]Correlated // down by across
	Certainty    Certainty
	Gaps         []Gap
}

// A Correlated pair of metrics.
type Correlated struct {
	X, Y      Metric
	Value     *float64             // nil when it is undefined
	Interval  *statistics.Interval // 95 %; nil when it is undefined
	Undefined string               // why Value is nil or, if it is not, why Interval is
	Points    int
	Missing   string // why X or Y has no value at all; "" when both have some
}

// Correlations answers a query about the set. It is computed once: the board
// keeps it.
func (s *Set) Correlations(q CorrelationQuery) (*Correlations, error) {
	q = q.filled(s)
	return s.kept.get(q.key(), func() (*Correlations, error) { return s.correlate(q) })
}

func (s *Set) correlate(q CorrelationQuery) (*Correlations, error) {
	t := &Correlations{Set: s, Query: q, Judges: s.judges(q.Evaluator)}
	if s.Matrix == nil {
		return t, nil
	}
	var err error
	if t.Rows, err = s.submissions(q, t.Judges); err != nil {
		return nil, err
	}
	if q.Square && len(t.Judges) > 1 {
		t.Judges = t.Judges[:1]
	}
	t.arrange()
	if len(t.Rows) == 0 || len(t.Across) == 0 {
		return t, nil
	}
	return t, t.compute()
}

// arrange sets the metrics down and across: measures against pass@k or, in a
// square, everything against everything.
func (t *Correlations) arrange() {
	for _, e := range t.Judges {
		for _, k := range edgeKs(e.Samples) {
			t.Across = append(t.Across, Metric{K: k, Evaluator: e.Name})
		}
	}
	if t.Query.Square {
		t.Down = slices.Clone(t.Across)
	}
	for _, pair := range measures.Pairs {
		for _, m := range Measures(t.Rows) {
			if m.Pair == pair && (t.Query.Kind == "" || m.Pair == t.Query.Kind) {
				t.Down = append(t.Down, Metric{Measure: m})
			}
		}
	}
	if t.Query.Square && len(t.Judges) > 0 {
		for i := range t.Down {
			t.Down[i] = t.Down[i].under(t.Judges[0].Name)
		}
		t.Across = slices.Clone(t.Down)
	}
}

// edgeKs are 1 and the largest k.
func edgeKs(samples int) []int {
	if samples <= 1 {
		return []int{1}
	}
	return []int{1, samples}
}

// compute fills the cells, several at a time.
func (t *Correlations) compute() error {
	data := newCorrelated(t.Set, t.Rows)
	t.Repositories = data.repositories()
	columns := map[string]*metricColumn{}
	var wanted [][2]*metricColumn
	var places [][2]int
	t.Cells = make([][]Correlated, len(t.Down))
	column := func(m Metric) (*metricColumn, error) {
		known, ok := columns[m.Key()]
		if !ok {
			var err error
			if known, err = data.column(m); err != nil {
				return nil, fmt.Errorf("%s: %w", m.Label(), err)
			}
			columns[m.Key()] = known
			t.Gaps = append(t.Gaps, data.gaps(m)...)
		}
		return known, nil
	}
	for i, down := range t.Down {
		t.Cells[i] = make([]Correlated, len(t.Across))
		for j, across := range t.Across {
			if t.Query.Square && j >= i {
				break // the other half is the same
			}
			y, err := column(across)
			if err != nil {
				return err
			}
			x, err := column(down.under(across.Evaluator))
			if err != nil {
				return err
			}
			wanted, places = append(wanted, [2]*metricColumn{x, y}), append(places, [2]int{i, j})
		}
	}
	t.Certainty = certainty(t.Query, len(wanted), len(t.Rows), data)
	group := errgroup.Group{}
	group.SetLimit(runtime.GOMAXPROCS(0))
	for n, pair := range wanted {
		group.Go(func() error {
			cell, err := t.Certainty.cell(data, pair[0], pair[1], t.Query.Grain, t.Query.Method)
			t.Cells[places[n][0]][places[n][1]] = cell
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if t.Query.Square {
		t.mirror()
	}
	t.Gaps = gathered(t.Gaps)
	return nil
}

// mirror fills the other half of a square. A metric is not correlated with
// itself.
func (t *Correlations) mirror() {
	for i := range t.Down {
		for j := i; j < len(t.Across); j++ {
			cell := Correlated{X: t.Down[i], Y: t.Across[j]}
			if j > i {
				cell = t.Cells[j][i]
				cell.X, cell.Y = cell.Y, cell.X
			}
			t.Cells[i][j] = cell
		}
	}
}

// Each calls do with every pair of different metrics once.
func (t *Correlations) Each(do func(Correlated) bool) {
	for i, line := range t.Cells {
		for j, cell := range line {
			if t.Query.Square && j >= i {
				break
			}
			if !do(cell) {
				return
			}
		}
	}
}
