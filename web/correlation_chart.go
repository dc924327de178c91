package web

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"

	"touchstone/internal/leaderboard"
	"touchstone/views"
)

const (
	scatterMost  = 600 // points that are drawn
	scatterSeed  = 1   // that they are chosen with when there are more
	scatterSteps = 22  // bars along an edge
	scatterRows  = 100 // points in the table behind the chart
	fewValues    = 12  // a metric with no more has its points moved apart
)

// chart draws the points of a pair. Statistics are over all of them, also where
// only some are drawn.
func (r pairRequest) chart() views.Scatter {
	v := r.pair
	place := colours(r.board)
	chart := views.Scatter{X: r.axis(v.X, func(p leaderboard.PairPoint) float64 { return p.X }), Y: r.axis(v.Y, func(p leaderboard.PairPoint) float64 { return p.Y })}
	moveX, moveY := r.room(func(p leaderboard.PairPoint) float64 { return p.X }, chart.X), r.room(func(p leaderboard.PairPoint) float64 { return p.Y }, chart.Y)
	drawn := sampled(v.Points)
	for _, p := range drawn {
		x, y := apart(p)
		chart.Points = append(chart.Points, views.ScatterPoint{X: p.X + x*moveX, Y: p.Y + y*moveY, Series: place(p.Row.System), Words: r.words(p), Address: pointAddress(p, v.Y)})
	}
	named := map[string]bool{}
	for _, p := range v.Points {
		if !named[p.Row.System] {
			named[p.Row.System] = true
			chart.Series = append(chart.Series, views.ScatterSeries{Name: p.Row.System, Series: place(p.Row.System)})
		}
	}
	slices.SortFunc(chart.Series, func(a, b views.ScatterSeries) int { return cmp.Compare(a.Series, b.Series) })
	chart.Columns = shares(v.Points, chart.X, func(p leaderboard.PairPoint) float64 { return p.X })
	chart.Rows = shares(v.Points, chart.Y, func(p leaderboard.PairPoint) float64 { return p.Y })
	fits, why := r.fit()
	if fits {
		chart.Line = clipped(v.Line.Slope, v.Line.Intercept, v.Points, chart.Y)
	}
	note := fmt.Sprintf("%s, n %s: %s. Along the edges: how all points lie. %s", methodNames[v.Query.Method].long, views.Count(len(v.Points)), pointWords[v.Query.Grain][1], why)
	if len(drawn) < len(v.Points) {
		note += fmt.Sprintf(" Drawn are %s of them, chosen at random (seed %d); all numbers are over all.", views.Count(len(drawn)), scatterSeed)
	}
	note += movedText(v.X, moveX) + movedText(v.Y, moveY)
	chart.Chart = views.Chart{ID: "points", Title: r.finding(), Note: note,
		Description: fmt.Sprintf("%s: %s across, %s up, in the colour of its system. The table has the numbers.",
			views.Counted(len(drawn), "point", "points"), v.X.Label(), v.Y.Label()),
		CSV: r.address(".csv", func(url.Values) {}), SVG: r.address(".svg", func(url.Values) {})}
	chart.Table = r.points(chart.CSV)
	return chart
}

// sampled are points that are drawn: all, or some by chance, in their order.
func sampled(points []leaderboard.PairPoint) []leaderboard.PairPoint {
	if len(points) <= scatterMost {
		return points
	}
	random := rand.New(rand.NewPCG(scatterSeed, 0))
	chosen := random.Perm(len(points))[:scatterMost]
	slices.Sort(chosen)
	some := make([]leaderboard.PairPoint, len(chosen))
	for i, at := range chosen {
		some[i] = points[at]
	}
	return some
}

// axis is a metric's: its whole range for tasks where it has one, else what its
// values take up, with some room at both ends.
func (r pairRequest) axis(m leaderboard.Metric, of func(leaderboard.PairPoint) float64) views.Axis {
	low, high := m.Range()
	if math.IsInf(high, 1) || r.pair.Query.Grain != leaderboard.GrainTask {
		low, high = math.Inf(1), math.Inf(-1)
		for _, p := range r.pair.Points {
			low, high = min(low, of(p)), max(high, of(p))
		}
	}
	pad := (high - low) * 0.05
	if pad == 0 {
		pad = max(0.05, math.Abs(low)*0.05)
	}
	name := m.Label()
	if m.Unit() != "" {
		name += ", " + m.Unit()
	}
	return views.Axis{Name: name, Low: low - pad, High: high + pad}
}

// room is how far points may be moved along an axis on which they take few
// values, half of it to either side; 0 where they take many.
func (r pairRequest) room(of func(leaderboard.PairPoint) float64, a views.Axis) float64 {
	values := map[float64]bool{}
	for _, p := range r.pair.Points {
		values[of(p)] = true
		if len(values) > fewValues {
			return 0
		}
	}
	if len(values) == len(r.pair.Points) {
		return 0 // nothing is hidden
	}
	sorted := make([]float64, 0, len(values))
	for v := range values {
		sorted = append(sorted, v)
	}
	slices.Sort(sorted)
	gap := (a.High - a.Low) / 10
	for i := 1; i < len(sorted); i++ {
		gap = min(gap, sorted[i]-sorted[i-1])
	}
	return gap * 0.7
}

func movedText(m leaderboard.Metric, room float64) string {
	if room == 0 {
		return ""
	}
	return fmt.Sprintf(" %s takes few values: each point is moved along it by an amount of its own, at most %s, so as to hide no other.", m.Label(), views.Decimal(room/2, 3))
}

// apart is by how much a point is moved on either axis, from −½ to ½: always the
// same for the same point.
func apart(p leaderboard.PairPoint) (x, y float64) {
	h := fnv.New64a()
	for _, part := range []string{p.Row.Submission, p.Repository, p.Task} {
		_, _ = h.Write([]byte(part + "\x00"))
	}
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	return random.Float64() - 0.5, random.Float64() - 0.5
}

// shares are those of all points in equal steps of an axis.
func shares(points []leaderboard.PairPoint, a views.Axis, of func(leaderboard.PairPoint) float64) []float64 {
	found := make([]float64, scatterSteps)
	for _, p := range points {
		at := int((of(p) - a.Low) / (a.High - a.Low) * scatterSteps)
		found[min(max(at, 0), scatterSteps-1)] += 1 / float64(len(points))
	}
	return found
}

// clipped are the ends of a line, from the first point across to the last, as
// far as it lies within an axis up; nil when it does not.
func clipped(slope, intercept float64, points []leaderboard.PairPoint, up views.Axis) *[2][2]float64 {
	low, high := points[0].X, points[0].X
	for _, p := range points {
		low, high = min(low, p.X), max(high, p.X)
	}
	if slope != 0 {
		a, b := (up.Low-intercept)/slope, (up.High-intercept)/slope
		low, high = max(low, min(a, b)), min(high, max(a, b))
	}
	if low >= high {
		return nil
	}
	return &[2][2]float64{{low, slope*low + intercept}, {high, slope*high + intercept}}
}

// words is a point in words.
func (r pairRequest) words(p leaderboard.PairPoint) string {
	lines := []string{p.Row.Name()}
	switch {
	case p.Task != "":
		lines = append(lines, p.Task)
	case p.Repository != "":
		lines = append(lines, p.Repository)
	}
	return strings.Join(append(lines, r.pair.X.Label()+": "+views.Decimal(p.X, 3), r.pair.Y.Label()+": "+views.Decimal(p.Y, 3)), "\n")
}

// pointAddress is the evidence behind a point: a task's candidates, the tasks of
// a repository, a submission.
func pointAddress(p leaderboard.PairPoint, y leaderboard.Metric) string {
	at := url.URL{Path: submissionAddress(p.Row)}
	switch {
	case p.Task != "":
		at.Path += "/tasks/" + p.Task
		if y.Evaluator != "" {
			at.RawQuery = url.Values{"evaluator": {y.Evaluator}}.Encode()
		}
	case p.Repository != "":
		at.Path += "/tasks"
		at.RawQuery = url.Values{"repository": {p.Repository}}.Encode()
	}
	return at.String()
}

// points is the table behind the chart.
func (r pairRequest) points(csv string) views.Table {
	v := r.pair
	t := views.Table{ID: "points-table", CSV: csv, Caption: "The points of the chart.", Columns: []views.Column{{Label: "System"}}}
	if len(v.Points) > scatterRows {
		t.Caption = fmt.Sprintf("The first %d of %s points, by repository and system; the CSV has all.", scatterRows, views.Count(len(v.Points)))
	}
	if v.Query.Grain != leaderboard.GrainSystem {
		t.Columns = append(t.Columns, views.Column{Label: capital(string(v.Query.Grain))})
	}
	t.Columns = append(t.Columns, views.Column{Label: v.X.Label(), Note: v.X.Unit(), Align: views.Decimals}, views.Column{Label: v.Y.Label(), Note: v.Y.Unit(), Align: views.Decimals})
	group := views.Group{}
	for _, p := range v.Points[:min(scatterRows, len(v.Points))] {
		row := views.Row{Cells: []views.Cell{views.ViewCell(views.SystemName(systemName(p.Row)))}}
		if name := cmp.Or(p.Task, p.Repository); name != "" {
			row.Cells = append(row.Cells, views.CodeCell(name, pointAddress(p, v.Y)))
		}
		row.Cells = append(row.Cells, views.NumberCell(p.X, 3), views.NumberCell(p.Y, 3))
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	return t
}
