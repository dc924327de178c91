package views

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Histograms draw how values from 0 to 1 lie over tasks: a panel for each group
// of tasks, a bar for each of HistogramBins.
type Histograms struct {
	Chart
	Unit   string // what the values are: F1
	Series int    // place of the colour, from 0 on
	Groups []Histogram
}

// A Histogram is one panel.
type Histogram struct {
	Name   string
	Tasks  int
	Counts [HistogramBins]int
}

// HistogramBins is how many bars there are: exactly 0, five fifths between, and
// exactly 1. The ends stand apart, since they say all or nothing.
const HistogramBins = 7

var histogramTicks = [HistogramBins]string{"0", "≤.2", "≤.4", "≤.6", "≤.8", "<1", "1"}

// HistogramBin is the bar of a value.
func HistogramBin(v float64) int {
	const rounding = 1e-12
	switch {
	case v <= 0:
		return 0
	case v >= 1-rounding:
		return HistogramBins - 1
	}
	for bin := 1; bin < HistogramBins-2; bin++ {
		if v <= float64(bin)/5+rounding {
			return bin
		}
	}
	return HistogramBins - 2
}

// View is the chart on a page.
func (h Histograms) View() templ.Component { return h.view() }

// File is the chart as an SVG file.
func (h Histograms) File() templ.Component { return h.panelsFile(h.all(), histogramHeight) }

// Distances in a panel, in pixels.
const (
	histogramTop    = 20
	histogramBottom = 110
	histogramHeight = 132
)

func (h Histograms) all() []panel {
	var panels []panel
	for _, g := range h.Groups {
		panels = append(panels, panel{title: g.Name, sentence: h.sentence(g), marks: h.marks(g)})
	}
	return panels
}

// sentence is a panel in words.
func (h Histograms) sentence(g Histogram) string {
	if g.Tasks == 0 {
		return g.Name + ": no task"
	}
	between := g.Tasks - g.Counts[0] - g.Counts[HistogramBins-1]
	return fmt.Sprintf("%s, %s: %s 0 on %s, 1 on %s, between on %s\n%s", g.Name, Counted(g.Tasks, "task", "tasks"), h.Unit, Count(g.Counts[0]), Count(g.Counts[HistogramBins-1]), Count(between), h.bars(g))
}

func (h Histograms) bars(g Histogram) string {
	var said []string
	for bin, n := range g.Counts {
		said = append(said, histogramTicks[bin]+": "+Count(n))
	}
	return strings.Join(said, "  ")
}

func (g Histogram) share(bin int) float64 {
	if g.Tasks == 0 {
		return 0
	}
	return float64(g.Counts[bin]) / float64(g.Tasks)
}

// scale reaches to the highest bar of all panels, which share it.
func (h Histograms) scale() Scale {
	highest := 0.0
	for _, g := range h.Groups {
		for bin := range g.Counts {
			highest = max(highest, g.share(bin))
		}
	}
	return Scale{Low: 0, High: max(0.1, highest), From: histogramBottom, To: histogramTop}
}

// histogramAt is where a bar begins, or its middle with a half, as a share of
// the width.
func histogramAt(bin float64) string {
	return Scale{Low: 0, High: HistogramBins, From: 0, To: 100, Unit: "%"}.at(bin)
}

// percent is a share over its bar: "41", or "<1".
func percent(share float64) string {
	switch {
	case share > 0 && share < 0.005:
		return "<1"
	case share > 0.995 && share < 1:
		return ">99"
	}
	return strconv.Itoa(int(share*100 + 0.5))
}
