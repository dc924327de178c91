package views

import (
	"strings"
	"testing"
	"time"
)

func TestAMeasuredTimeKeepsItsFigures(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.00 s", 4 * time.Millisecond: "under 0.01 s", 42 * time.Millisecond: "0.04 s", 9*time.Second + 990*time.Millisecond: "9.99 s", 42*time.Second + 140*time.Millisecond: "42.1 s",
		time.Minute: "1 min 0 s", 3*time.Minute + 12*time.Second: "3 min 12 s", 2*time.Hour + 5*time.Minute: "2 h 5 min",
	} {
		if got := Took(d); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}

func TestATimeIsWrittenInUTC(t *testing.T) {
	at := time.Date(2026, 3, 14, 1, 30, 0, 0, time.FixedZone("", 2*3600))
	if got := rendered(t, MomentCell(&at, "not yet").content); got != "2026-03-13 23:30 UTC" {
		t.Error(got)
	}
	if got := rendered(t, MomentCell(nil, "not yet").content); !strings.Contains(got, "not yet") {
		t.Error(got)
	}
}
