package views

import (
	"fmt"
	"math"
	"time"
)

// Moment is a time as pages write it.
func Moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// MomentOf is Moment of a time that may not have come.
func MomentOf(t *time.Time, otherwise string) string {
	if t == nil {
		return otherwise
	}
	return Moment(*t)
}

// About is an estimated duration in words, rounded up: "about 3 minutes".
func About(d time.Duration) string {
	switch {
	case d <= time.Minute:
		return "less than a minute"
	case d <= 90*time.Minute:
		return "about " + Counted(int(math.Ceil(d.Minutes())), "minute", "minutes")
	case d <= 36*time.Hour:
		return "about " + Counted(int(math.Ceil(d.Hours())), "hour", "hours")
	}
	return "about " + Counted(int(math.Ceil(d.Hours()/24)), "day", "days")
}

// Took is a measured duration: 0.04 s, 42.1 s, 3 min 12 s, 2 h 5 min.
func Took(d time.Duration) string {
	switch {
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
