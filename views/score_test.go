package views

import (
	"math"
	"strings"
	"testing"
)

func TestAScoreSaysItsIntervalInWords(t *testing.T) {
	for _, c := range []struct {
		score            Score
		half, words      string
		low, value, high string
	}{
		{Score{Value: .751, Interval: interval(.72, .782)}, "±.031", "0.751, 95 % interval 0.720 to 0.782 (bootstrap over repositories)", "44.3", "46.1", "47.8"},
		{Score{Value: .407, Interval: interval(.376, .513)}, "−.031 +.106", "0.407, 95 % interval 0.376 to 0.513 (bootstrap over repositories)", "25.1", "26.8", "32.7"},
		{Score{Value: .75, Decimals: 2, Interval: interval(.715, .787)}, "±.036", "0.75, 95 % interval 0.715 to 0.787 (bootstrap over repositories)", "44", "46", "48.1"},
		{Score{Value: 0, Interval: interval(0, 1)}, "−.000 +1.000", "0.000, 95 % interval 0.000 to 1.000 (bootstrap over repositories)", "4", "4", "60"},
		{Score{Value: -.2, Signed: true, Interval: &Interval{Low: -1, High: .6, Level: .9}}, "±.800", "−0.200, 90 % interval −1.000 to +0.600", "4", "26.4", "48.8"},
		{Score{Value: 1.4, Interval: interval(-2, 3)}, "−3.400 +1.600", "1.400, 95 % interval −2.000 to 3.000 (bootstrap over repositories)", "4", "60", "60"},
	} {
		s := c.score
		if s.spread() != c.half || s.sentence() != c.words {
			t.Errorf("got %q and %q, want %q and %q", s.spread(), s.sentence(), c.half, c.words)
		}
		if low, value, high := s.whiskerAt(s.Interval.Low), s.whiskerAt(s.Value), s.whiskerAt(s.Interval.High); low != c.low || value != c.value || high != c.high {
			t.Errorf("%s: drawn from %s over %s to %s, want %s, %s, %s", c.words, low, value, high, c.low, c.value, c.high)
		}
	}
}

func TestAScoreThatIsNotKnownSaysWhy(t *testing.T) {
	for _, c := range []struct {
		score Score
		want  string
	}{
		{Score{Value: .5, Unknown: "not computed: no judge is configured"}, "not computed: no judge is configured"},
		{Score{Value: math.NaN()}, "the value is not a number"},
		{Score{Value: math.Inf(-1)}, "the value is not a number"},
	} {
		page := rendered(t, c.score.View())
		if !strings.Contains(page, "—") || !strings.Contains(page, c.want) || strings.Contains(page, "0.5") {
			t.Errorf("%s does not say %q", page, c.want)
		}
	}
	if page := rendered(t, Score{Value: .5, Interval: interval(math.NaN(), 1)}.View()); !strings.Contains(page, "no interval was computed") || strings.Contains(page, "NaN") {
		t.Errorf("an interval that is not a number is shown: %s", page)
	}
}
