package web

import (
	"strings"
	"testing"

	"touchstone/internal/leaderboard"
	"touchstone/internal/localization"
	"touchstone/internal/statistics"
)

func TestWhatTheForestShowsIsWhatTheTestsSay(t *testing.T) {
	contrast := func(repositories int, difference, p float64) localization.Contrast {
		return localization.Contrast{Level: localization.Contextual, Tasks: 90, Repositories: repositories, Difference: difference, WilcoxonHolm: p, SignFlipHolm: p,
			Interval: statistics.Bootstrap{Interval: &statistics.Interval{Low: difference - 0.01, High: difference + 0.01}}}
	}
	for _, c := range []struct {
		name      string
		contrasts []localization.Contrast
		want      string
	}{
		{"both directions", []localization.Contrast{contrast(1, 0.1, 0.01), contrast(1, -0.1, 0.02)}, "Knowledge raises F1 more than chance would in 1 of 2 comparisons, and lowers it so in 1"},
		{"an interval alone, before the number of comparisons counts", []localization.Contrast{contrast(1, 0.1, 0.24)}, "Knowledge raises F1 more than chance would in 0 of 1 comparison"},
		{"as many repositories as can tell", []localization.Contrast{contrast(6, 0.1, 0.03)}, "Knowledge raises F1 more than chance would in 1 of 1 comparison"},
		{"one less, whatever an approximation says", []localization.Contrast{contrast(5, 0.1, 0.04)}, "With knowledge mean F1 is higher in 1 of 1 comparison; 5 repositories are too few to tell that from chance"},
		{"few, in both directions and none", []localization.Contrast{contrast(3, 0.1, 1), contrast(3, -0.1, 1), contrast(3, 0, 1)}, "With knowledge mean F1 is higher in 1 of 3 comparisons and lower in 1; 3 repositories are too few to tell that from chance"},
	} {
		x := contrasts{rows: []leaderboard.Contrasted{{Contrasts: c.contrasts}}, family: len(c.contrasts)}
		if got := x.finding(); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
		for _, k := range c.contrasts {
			tests := contrastSaid("BM25", k, x.family).Tests[0]
			if strings.Contains(tests, "seldom enough") != k.BeyondChance() || strings.Contains(tests, "nothing can be significant") != k.TooFewRepositories() {
				t.Errorf("%s: %q", c.name, tests)
			}
		}
	}
}

func TestAnEffectNamesTheSideThatFindsMore(t *testing.T) {
	for _, c := range []struct {
		delta float64
		want  string
	}{
		{0.25, "the first’s has the higher F1 more often than the second’s, by 25.0 % of all pairs (Cliff’s δ +0.250)"},
		{-0.458, "the second’s has the higher F1 more often than the first’s, by 45.8 % of all pairs (Cliff’s δ −0.458)"},
		{0, "neither has the higher F1 more often (Cliff’s δ 0.000)"},
	} {
		if got := cliffSaid(c.delta); !strings.HasSuffix(got, c.want) {
			t.Errorf("%g: %q", c.delta, got)
		}
	}
}
