package views

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Trajectories draw how precision, recall and F1 of several rows change over
// levels of detail: a panel for each row, from 0 to 1.
type Trajectories struct {
	Chart
	Levels []string // names of the levels, from the least to the most told
	Rows   []Trajectory
}

// A Trajectory is one row of Trajectories.
type Trajectory struct {
	Name     string
	Series   int              // place of its colour, from 0 on
	Lines    []TrajectoryLine // F1 first: it is drawn strongest
	Decimals int              // that values are said with; 0 is 3
}

// A TrajectoryLine is one measure at each level.
type TrajectoryLine struct {
	Name   string
	Values []float64 // as Trajectories.Levels; not a number where there is none
}

// View is the chart on a page.
func (t Trajectories) View() templ.Component { return t.view() }

// File is the chart as an SVG file.
func (t Trajectories) File() templ.Component { return t.panelsFile(t.all(), trajectoryHeight) }

// Distances in a panel, in pixels.
const (
	trajectoryTop    = 8
	trajectoryBottom = 148
	trajectoryHeight = 172
	trajectoryLabel  = 14 // that names at the ends of lines are apart at least
)

func (t Trajectories) all() []panel {
	var panels []panel
	for _, row := range t.Rows {
		panels = append(panels, panel{title: row.Name, sentence: t.sentence(row), marks: t.marks(row)})
	}
	return panels
}

// sentence is a row in words.
func (t Trajectories) sentence(row Trajectory) string {
	var said []string
	for _, line := range row.Lines {
		var values []string
		for i, level := range t.Levels {
			if line.known(i) {
				values = append(values, level+" "+Decimal(line.Values[i], cmp.Or(row.Decimals, 3)))
			}
		}
		if len(values) > 0 {
			said = append(said, line.Name+": "+strings.Join(values, ", "))
		}
	}
	return row.Name + "\n" + strings.Join(said, "\n")
}

func (l TrajectoryLine) known(i int) bool { return i < len(l.Values) && known(l.Values[i]) }

func (t Trajectories) level(i int) string {
	return Scale{Low: 0, High: max(1, float64(len(t.Levels)-1)), From: 17, To: 84, Unit: "%"}.at(float64(i))
}

var trajectoryScale = Scale{Low: 0, High: 1, From: trajectoryBottom, To: trajectoryTop}

// An endLabel names a line where it ends.
type endLabel struct {
	text string
	at   string
	y    string
}

// ends are the names of a row's lines, at their last values, moved apart where
// they would stand on each other.
func (t Trajectories) ends(row Trajectory) []endLabel {
	type end struct {
		name  string
		level int
		y     float64
	}
	var ends []end
	for _, line := range row.Lines {
		for i := len(t.Levels) - 1; i >= 0; i-- {
			if line.known(i) {
				ends = append(ends, end{line.Name, i, trajectoryScale.place(line.Values[i]) + 4})
				break
			}
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.y, b.y) })
	// From the top down, then back up from the foot.
	for i := 1; i < len(ends); i++ {
		ends[i].y = max(ends[i].y, ends[i-1].y+trajectoryLabel)
	}
	for i := len(ends) - 1; i >= 0; i-- {
		limit := float64(trajectoryBottom)
		if i < len(ends)-1 {
			limit = ends[i+1].y - trajectoryLabel
		}
		ends[i].y = min(ends[i].y, limit)
	}
	labels := make([]endLabel, len(ends))
	for i, e := range ends {
		labels[i] = endLabel{text: e.name, at: t.level(e.level), y: trajectoryScale.length(e.y)}
	}
	return labels
}

// style is the class of the i-th line.
func lineStyle(i int) string { return "mark-line line-" + strconv.Itoa(min(i, 2)+1) }
