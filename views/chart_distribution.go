package views

import (
	"fmt"
	"strconv"

	"github.com/a-h/templ"
)

// A Distribution draws how a score from 0 to 1 of each of several rows lies over
// repositories: the median, the range from the 0.1 to the 0.9 quantile, and a
// faint line for each repository from row to row.
type Distribution struct {
	Chart
	Unit    string // of the axis: "pass@1, higher is better"
	Spreads []Spread
	Strands []Strand
}

// A Spread is one row of a Distribution.
type Spread struct {
	Name              string
	Series            int // place of its colour, from 0 on
	Low, Median, High float64
	Repositories      int
}

// A Strand is one repository's scores.
type Strand struct {
	Name     string
	Values   []float64 // as Distribution.Spreads; not a number where there is none
	Decimals int       // that the scores are given with; 0 is 3
}

// View is the chart on a page.
func (d Distribution) View() templ.Component { return d.view() }

// File is the chart as an SVG file.
func (d Distribution) File() templ.Component { return d.file(d.marks(), d.height()) }

// Distances down a drawing, in pixels.
const (
	spreadsTop  = 28 // under the legend
	spreadPitch = 56 // from row to row
	spreadLabel = 22 // from the top of a row to the foot of its name
	spreadMark  = 38 // to the middle of its marks
	axisHeight  = 44
)

var distributionKeys = []chartKey{{"line", "repository"}, {"area", "0.1–0.9"}, {"median", "median"}}

func (d Distribution) scale() Scale { return across(0, 1) }
func (d Distribution) foot() int    { return spreadsTop + len(d.Spreads)*spreadPitch + 4 }
func (d Distribution) height() int  { return d.foot() + axisHeight }

// down is a distance from the top of the i-th row.
func down(i, distance int) string { return strconv.Itoa(spreadsTop + i*spreadPitch + distance) }

// sentence is a row in words.
func (s Spread) sentence() string {
	return fmt.Sprintf("%s: median %s; a tenth of its repositories at %s or below, a tenth at %s or above (%s)", s.Name, Decimal(s.Median, 3),
		Decimal(s.Low, 3), Decimal(s.High, 3), Counted(s.Repositories, "repository", "repositories"))
}

// sentence is the score on a repository in words.
func (s Strand) sentence(i int, row Spread) string {
	decimals := s.Decimals
	if decimals == 0 {
		decimals = 3
	}
	return s.Name + ": " + Decimal(s.Values[i], decimals) + "\n" + row.Name
}

// known reports whether the repository has a score in the i-th row.
func (s Strand) known(i int) bool { return i < len(s.Values) && known(s.Values[i]) }
