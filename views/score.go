package views

import (
	"fmt"
	"math"
	"strings"
)

// An Interval is the uncertainty of a score.
type Interval struct {
	Low, High float64
	Level     float64 // 0.95
	Method    string  // "bootstrap over repositories"
}

// A Score is a measured number between 0 and 1, or the difference of two.
type Score struct {
	Value    float64
	Interval *Interval // nil when none was computed
	Best     bool      // the best of its column
	Unknown  string    // why there is no number; nothing else is then read
	Signed   bool      // a difference: written with its sign, drawn from −1 to 1
	Plain    bool      // without the drawing
	Decimals int       // that a paper prints; 0 is 3
}

// reason is why the score is not shown, "" when it is.
func (s Score) reason() string {
	if s.Unknown == "" && !known(s.Value) {
		return "the value is not a number"
	}
	return s.Unknown
}

func (s Score) text() string {
	if s.Signed {
		return Signed(s.Value, s.decimals())
	}
	return Decimal(s.Value, s.decimals())
}

func (s Score) decimals() int {
	if s.Decimals > 0 {
		return s.Decimals
	}
	return 3
}

// unit is one of the last decimal that is shown: so far the two sides of an
// interval may differ because the number was rounded.
func (s Score) unit() float64 { return math.Pow10(-s.decimals()) }

// spread is the interval as it stands beside the number: ±.031, or −.031 +.106
// when the number is not near its middle, as in that of a bootstrap.
func (s Score) spread() string {
	if s.Interval == nil || !known(s.Interval.Low) || !known(s.Interval.High) {
		return ""
	}
	width := func(v float64) string { return strings.TrimPrefix(Decimal(math.Abs(v), 3), "0") }
	down, up := s.Value-s.Interval.Low, s.Interval.High-s.Value
	if down >= 0 && up >= 0 && math.Abs(up-down) > max(s.unit(), (up+down)/10) {
		return "−" + width(down) + " +" + width(up)
	}
	return "±" + width((s.Interval.High-s.Interval.Low)/2)
}

// sentence is the score in words, for the tooltip and for those who do not see
// the drawing.
func (s Score) sentence() string {
	if s.spread() == "" {
		return s.text() + ", no interval was computed"
	}
	words := fmt.Sprintf("%s, %s %% interval %s to %s", s.text(), Decimal(s.Interval.Level*100, 0),
		s.bound(s.Interval.Low), s.bound(s.Interval.High))
	if s.Interval.Method != "" {
		words += " (" + s.Interval.Method + ")"
	}
	return words
}

func (s Score) bound(v float64) string {
	if s.Signed {
		return Signed(v, 3)
	}
	return Decimal(v, 3)
}

func (s Score) class() string {
	class := "score"
	switch {
	case s.Plain && s.Interval == nil:
		class += " score-bare"
	case s.Plain:
		class += " score-plain"
	}
	if s.Best {
		class += " score-best"
	}
	return class
}

// The whisker is 64 pixels wide; the outermost 4 hold half a dot.
const (
	whiskerWidth  = 64.0
	whiskerMargin = 4.0
)

// whiskerAt is where a value lies in the drawing. All scores share one scale,
// so that drawings of one column, and of two tables, can be compared.
func (s Score) whiskerAt(v float64) string {
	low := 0.0
	if s.Signed {
		low = -1
	}
	share := (clamp(v, low, 1) - low) / (1 - low)
	return coordinate(whiskerMargin + share*(whiskerWidth-2*whiskerMargin))
}

// whiskerPath is the interval as a line with a stop at either end.
func (s Score) whiskerPath() string {
	low, high := s.whiskerAt(s.Interval.Low), s.whiskerAt(s.Interval.High)
	return "M" + low + " 4V12M" + low + " 8H" + high + "M" + high + " 4V12"
}
