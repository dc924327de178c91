package views

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/a-h/templ"
)

// A Scatter draws one measure against another: a mark for each point, how both
// lie by themselves along the edges, and a line through the points where one is
// given.
type Scatter struct {
	Chart
	X, Y    Axis
	Series  []ScatterSeries
	Points  []ScatterPoint
	Line    *[2][2]float64 // its ends as (x, y); nil for none
	Columns []float64      // shares of all points from the left of X's axis to its right, in equal steps
	Rows    []float64      // the same of Y, from below
}

// An Axis is one measure of a Scatter.
type Axis struct {
	Name      string // with its unit: "pass@1, 0–1"
	Low, High float64
}

// A ScatterSeries is one system.
type ScatterSeries struct {
	Name   string
	Series int // place of its colour, from 0 on
}

// A ScatterPoint is one mark. X and Y are where it is drawn, which may be
// beside its value so that it hides no other.
type ScatterPoint struct {
	X, Y    float64
	Series  int
	Words   string // what it is, with its values
	Address string // of the evidence; "" for none
}

// View is the chart on a page.
func (s Scatter) View() templ.Component { return s.view() }

// File is the chart as an SVG file. Its points lead nowhere: the file may be
// anywhere.
func (s Scatter) File() templ.Component {
	s.Points = slices.Clone(s.Points)
	for i := range s.Points {
		s.Points[i].Address = ""
	}
	return s.file(s.marks(), s.height())
}

// Distances down a drawing, in pixels.
const (
	keyPitch     = 20 // of the legend's lines
	scatterName  = 26 // for the name of the vertical axis
	scatterEdge  = 44 // for the columns along the upper edge
	scatterPlot  = 340
	scatterAxis  = 48
	legendMost   = 8
	scatterLeft  = 10.0 // of the plot, in shares of the width
	scatterRight = 86.0
	edgeLeft     = 87.0 // of the rows along the right edge
	edgeRight    = 98.0
)

// legend are the systems that are named, and how many are not.
func (s Scatter) legend() (named []ScatterSeries, more int) {
	if len(s.Series) <= legendMost {
		return s.Series, 0
	}
	return s.Series[:legendMost], len(s.Series) - legendMost
}

func (s Scatter) legendLines() int {
	named, more := s.legend()
	n := (len(named) + 1) / 2
	if more > 0 {
		n++
	}
	return n
}

func (s Scatter) edgeTop() int { return s.legendLines()*keyPitch + scatterName }
func (s Scatter) top() int     { return s.edgeTop() + scatterEdge + 4 }
func (s Scatter) foot() int    { return s.top() + scatterPlot }
func (s Scatter) height() int  { return s.foot() + scatterAxis }

func (s Scatter) across() Scale {
	return Scale{Low: s.X.Low, High: s.X.High, From: scatterLeft, To: scatterRight, Unit: "%"}
}

func (s Scatter) down() Scale {
	return Scale{Low: s.Y.Low, High: s.Y.High, From: float64(s.foot()), To: float64(s.top())}
}

// keyX and keyY are where the i-th system of the legend stands, two to a line.
func keyX(i int) string { return strconv.Itoa(i%2*50) + "%" }
func keyY(i int) string { return strconv.Itoa(i / 2 * keyPitch) }

// largest is the longest bar of an edge.
func largest(shares []float64) float64 {
	most := 0.0
	for _, v := range shares {
		most = max(most, v)
	}
	return most
}

// A bar is one of those along the edges.
type bar struct{ x, y, width, height, words string }

// columns are the bars along the upper edge.
func (s Scatter) columns() []bar {
	most := largest(s.Columns)
	var bars []bar
	width := (scatterRight - scatterLeft) / float64(max(1, len(s.Columns)))
	for i, v := range s.Columns {
		if v <= 0 {
			continue
		}
		height := max(1, v/most*scatterEdge)
		bars = append(bars, bar{ofWidth(scatterLeft + float64(i)*width), coordinate(float64(s.edgeTop()+scatterEdge) - height), ofWidth(width * 0.9), coordinate(height),
			shareWords(s.X, i, len(s.Columns), v)})
	}
	return bars
}

// rows are the bars along the right edge.
func (s Scatter) rows() []bar {
	most := largest(s.Rows)
	var bars []bar
	height := float64(scatterPlot) / float64(max(1, len(s.Rows)))
	for i, v := range s.Rows {
		if v <= 0 {
			continue
		}
		bars = append(bars, bar{ofWidth(edgeLeft), coordinate(float64(s.foot()) - float64(i+1)*height), ofWidth(max(0.3, v/most*(edgeRight-edgeLeft))), coordinate(height * 0.9),
			shareWords(s.Y, i, len(s.Rows), v)})
	}
	return bars
}

// ofWidth is a share of the drawing's width.
func ofWidth(v float64) string { return Scale{Unit: "%"}.length(v) }

// shareWords is "0.20 to 0.25: 12.5 % of all points".
func shareWords(a Axis, i, steps int, share float64) string {
	step := (a.High - a.Low) / float64(steps)
	return fmt.Sprintf("%s\n%s to %s: %s %% of all points", a.Name, short(a.Low+float64(i)*step), short(a.Low+float64(i+1)*step), Decimal(100*share, 1))
}

// short is a value with as many decimals as its size calls for.
func short(v float64) string {
	if v <= -100 || v >= 100 {
		return Decimal(v, 0)
	}
	return Decimal(v, 2)
}
