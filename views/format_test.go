package views

import (
	"math"
	"testing"
)

func TestNumbersAreWrittenWithFixedDecimals(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{Decimal(.7514, 3), "0.751"}, {Decimal(-.0314, 3), "−0.031"}, {Decimal(-.0001, 3), "0.000"}, {Decimal(12, 0), "12"}, {Decimal(-0.4, 0), "0"},
		{Signed(.5, 2), "+0.50"}, {Signed(-.5, 2), "−0.50"}, {Signed(0, 2), "0.00"}, {Signed(.001, 2), "0.00"}, {Signed(-.001, 2), "0.00"},
		{Count(0), "0"}, {Count(999), "999"}, {Count(1000), "1,000"}, {Count(1234567), "1,234,567"}, {Count(-1234), "−1,234"}, {Count(-12), "−12"},
		{Counted(1, "task", "tasks"), "1 task"}, {Counted(0, "task", "tasks"), "0 tasks"}, {Counted(1200, "task", "tasks"), "1,200 tasks"},
		{coordinate(12.34), "12.3"}, {coordinate(7), "7"}, {coordinate(.04), "0"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestAHeatStepNamesTheNearestOfTwentyOne(t *testing.T) {
	for v, want := range map[float64]string{0: "0", .024: "0", .026: "1", .5: "10", 1: "20", -3: "0", 7: "20"} {
		if got := HeatCell(v).class; got != "heat heat-"+want {
			t.Errorf("%v: %q, want heat-%s", v, got, want)
		}
	}
	for _, c := range []struct {
		v, extent float64
		want      string
	}{{0, 1, "10"}, {-1, 1, "0"}, {1, 1, "20"}, {.05, .1, "15"}, {-9, .1, "0"}, {1, 0, "20"}, {1, math.NaN(), "20"}} {
		if got := DivergingCell(c.v, c.extent, 2).class; got != "heat diverge-"+c.want {
			t.Errorf("%v of %v: %q, want diverge-%s", c.v, c.extent, got, c.want)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		if HeatCell(v).class != "" || DivergingCell(v, 1, 2).class != "" {
			t.Errorf("%v is coloured", v)
		}
	}
}
