package views

import (
	"fmt"
	"time"
)

// Moment is a time as pages write it.
func Moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// MomentCell holds a time, or says why there is none.
func MomentCell(t *time.Time, otherwise string) Cell {
	if t == nil {
		return UnknownCell(otherwise)
	}
	return Cell{content: figures(Moment(*t)), class: "moment"}
}

// DayCell holds the day of a time, in UTC.
func DayCell(t time.Time) Cell {
	return Cell{content: figures(t.UTC().Format(time.DateOnly)), class: "moment"}
}

// Took is a measured duration: 0.04 s, 42.1 s, 3 min 12 s, 2 h 5 min.
func Took(d time.Duration) string {
	switch {
	case d > 0 && d < 5*time.Millisecond:
		return "under 0.01 s"
	case d < 10*time.Second:
		return Decimal(d.Seconds(), 2) + " s"
	case d < time.Minute:
		return Decimal(d.Seconds(), 1) + " s"
	case d < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}
