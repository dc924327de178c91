package views

import (
	"fmt"
	"math"
	"strconv"

	"github.com/a-h/templ"
)

// A Forest draws differences with their intervals, one under the other, against
// the line of no difference.
type Forest struct {
	Chart
	Unit string // of the axis: "ΔF1, augmented minus baseline"
	Rows []ForestRow
}

// A ForestRow is one difference.
type ForestRow struct {
	Heading  string // opens a group of rows; "" within one
	Name     string
	Series   int // place of its colour, from 0 on
	Value    float64
	Interval *Interval // nil when there is none
	Why      string    // there is no interval
}

// View is the chart on a page.
func (f Forest) View() templ.Component { return f.view() }

// File is the chart as an SVG file.
func (f Forest) File() templ.Component { return f.file(f.marks(), f.height()) }

// Distances down the drawing, in pixels.
const (
	forestHeading = 30
	forestPitch   = 46
	forestLabel   = 16 // from the top of a row to the foot of its name
	forestMark    = 31 // to its mark
)

// A forestPlace is a row and where it begins.
type forestPlace struct {
	ForestRow
	top int
}

// places are the rows from the top down; headings stand above theirs.
func (f Forest) places() []forestPlace {
	var places []forestPlace
	y := 4
	for _, r := range f.Rows {
		if r.Heading != "" {
			y += forestHeading
		}
		places = append(places, forestPlace{r, y})
		y += forestPitch
	}
	return places
}

func (f Forest) foot() int {
	foot := 8 + len(f.Rows)*forestPitch
	for _, r := range f.Rows {
		if r.Heading != "" {
			foot += forestHeading
		}
	}
	return foot
}

func (f Forest) height() int { return f.foot() + axisHeight }

// scale reaches as far to either side of 0 as any interval, to the next
// twentieth.
func (f Forest) scale() Scale {
	extent := 0.05
	for _, r := range f.Rows {
		for _, v := range r.values() {
			if known(v) {
				extent = max(extent, math.Ceil(math.Abs(v)*20-1e-9)/20)
			}
		}
	}
	return across(-extent, extent)
}

func (r ForestRow) values() []float64 {
	if r.Interval == nil {
		return []float64{r.Value}
	}
	return []float64{r.Value, r.Interval.Low, r.Interval.High}
}

// text is the difference with its interval.
func (r ForestRow) text() string {
	if r.Interval == nil {
		return Signed(r.Value, 3)
	}
	return Signed(r.Value, 3) + " [" + Signed(r.Interval.Low, 3) + ", " + Signed(r.Interval.High, 3) + "]"
}

// sentence is the row in words.
func (r ForestRow) sentence() string {
	if r.Interval == nil {
		return r.Name + ": " + Signed(r.Value, 3) + "; no interval: " + r.Why
	}
	words := fmt.Sprintf("%s: %s, %s %% interval %s to %s", r.Name, Signed(r.Value, 3), Decimal(r.Interval.Level*100, 0), Signed(r.Interval.Low, 3), Signed(r.Interval.High, 3))
	if r.Interval.Method != "" {
		words += " (" + r.Interval.Method + ")"
	}
	return words
}

func (p forestPlace) down(distance int) string { return strconv.Itoa(p.top + distance) }
