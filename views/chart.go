package views

import (
	"context"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// A Chart is what stands around a drawing: its words, its numbers as a table,
// and its files.
type Chart struct {
	ID          string // of the element; unique on the page
	Title       string // the finding in one sentence
	Description string // what is drawn, for those who do not see it
	Note        string // method and n
	CSV         string // address of the numbers
	SVG         string // address of the drawing as a file
	Table       Table  // the numbers that are drawn
}

// A Scale says where values lie in a drawing. Charts are as wide as there is
// room, so lengths across are shares of the width.
type Scale struct {
	Low, High float64 // values at its ends
	From, To  float64 // where its ends lie
	Unit      string  // of From and To: "%" of the drawing, or "" for pixels
}

// across is a scale over the width of a drawing, with room for half a label at
// either end.
func across(low, high float64) Scale {
	return Scale{Low: low, High: high, From: 4, To: 96, Unit: "%"}
}

func (s Scale) place(v float64) float64 {
	if !(s.High > s.Low) {
		return (s.From + s.To) / 2
	}
	return s.From + (clamp(v, s.Low, s.High)-s.Low)/(s.High-s.Low)*(s.To-s.From)
}

// at is where a value lies; values outside lie at the nearer end.
func (s Scale) at(v float64) string { return s.length(s.place(v)) }

// between is the length from one value to another.
func (s Scale) between(a, b float64) string { return s.length(math.Abs(s.place(b) - s.place(a))) }

func (s Scale) length(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) + s.Unit
}

// A tick is a value that an axis names.
type tick struct {
	at, text string
}

// ticks are at most so many round values from one end to the other, a power of
// ten times 1, 2 or 5 apart. A scale without an extent has one.
func (s Scale) ticks(most int) []tick {
	if !(s.High > s.Low) || most < 2 {
		return []tick{{s.at(s.Low), Decimal(s.Low, 3)}}
	}
	step := math.Pow(10, math.Floor(math.Log10((s.High-s.Low)/float64(most))))
	first, last := 0.0, 0.0
	for _, factor := range []float64{1, 2, 5, 10, 20, 50} {
		// A share of a step is forgiven to rounding.
		first, last = math.Ceil(s.Low/(step*factor)-1e-6), math.Floor(s.High/(step*factor)+1e-6)
		if last-first < float64(most) {
			step *= factor
			break
		}
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-6)))
	var found []tick
	for i := first; i <= last; i++ {
		found = append(found, tick{s.at(i * step), Decimal(i*step, decimals)})
	}
	return found
}

// A chartKey says what one kind of mark stands for.
type chartKey struct {
	mark string // line, area or median
	text string
}

// keyOffsets are where each entry of a legend begins.
func keyOffsets(keys []chartKey) []string {
	const sign, figure, gap = 22, 7, 14
	offsets, at := make([]string, len(keys)), 0
	for i, key := range keys {
		offsets[i] = strconv.Itoa(at)
		at += sign + figure*utf8.RuneCountInString(key.text) + gap
	}
	return offsets
}

// series is the class of a system's colour; there are eight, and the ninth
// system has the first again. Places count from 0.
func series(place int) string { return "series-" + strconv.Itoa(place%8+1) }

// label is a name as a drawing has room for it, and so that one written from
// right to left turns nothing round it.
func label(name string, most int) string { return "\u2068" + cut(name, most) + "\u2069" }

// cut is the beginning of a text, with a sign that there is more.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// wrapped breaks a text into lines of at most so many letters: drawings cannot.
func wrapped(text string, most int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		word = cut(word, most)
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > most {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// Size of a chart as a file.
const (
	fileWidth   = 720
	fileMargin  = 16
	titleHeight = 22 // of a line
	noteHeight  = 18
)

// file is a drawing as a file of its own, with the chart's title above and its
// note below. Letters that XML has no place for are replaced.
func (c Chart) file(drawing templ.Component, height int) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var whole strings.Builder
		f := chartFile{Chart: c, titles: wrapped(c.Title, 78), notes: wrapped(c.Note, 100), height: height}
		if err := f.view().Render(templ.WithChildren(ctx, drawing), &whole); err != nil {
			return err
		}
		_, err := io.WriteString(w, strings.Map(inXML, whole.String()))
		return err
	})
}

func inXML(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == '\ufffe' || r == '\uffff' {
		return utf8.RuneError
	}
	return r
}

// A chartFile is the layout of a chart as a file.
type chartFile struct {
	Chart
	titles, notes []string
	height        int // of the drawing
}

func (f chartFile) top() int { return fileMargin + len(f.titles)*titleHeight + 8 }
func (f chartFile) bottom() int {
	return f.top() + f.height + 8
}
func (f chartFile) whole() int        { return f.bottom() + len(f.notes)*noteHeight + fileMargin }
func (f chartFile) titleAt(i int) int { return fileMargin + 14 + i*titleHeight }
func (f chartFile) noteAt(i int) int  { return f.bottom() + 12 + i*noteHeight }
