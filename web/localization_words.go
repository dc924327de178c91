package web

import (
	"fmt"
	"math"

	"touchstone/internal/leaderboard"
	"touchstone/internal/localization"
	"touchstone/internal/statistics"
	"touchstone/views"
)

// pText is a p in a sentence.
func pText(p float64) string {
	if p < 0.0005 {
		return "p < 0.0005"
	}
	return "p = " + views.Decimal(p, 3)
}

// chanceSaid says what a p means.
func chanceSaid(p float64) string {
	if p <= 1-statistics.Level+1e-12 {
		return "chance alone would seldom do that"
	}
	return "chance alone may have done that"
}

// percentText is a share in a sentence.
func percentText(share float64) string { return views.Decimal(100*share, 1) + " %" }

// armsSaid is a comparison of two rows in words.
func armsSaid(c *leaderboard.ArmComparison) []string {
	said := []string{fmt.Sprintf("First: %s. Second: %s. Both on the same %s.", armName(c.First), armName(c.Second), views.Counted(c.Tasks, "task", "tasks"))}
	for _, x := range c.Extremes {
		if x.Outcome == localization.ZeroPrecision {
			continue // the same tasks as recall 0
		}
		text := fmt.Sprintf("%s (%s): %s of the first’s tasks, %s of the second’s. ", outcomeNames[x.Outcome].label, outcomeNames[x.Outcome].meaning, percentText(x.First.Rate), percentText(x.Second.Rate))
		if math.Abs(x.Proportions.Difference) < 1e-12 {
			text += "The rates are equal"
		} else {
			text += fmt.Sprintf("The difference is %s percentage points (95 %% interval %s to %s; two proportions, %s: %s)", views.Signed(100*x.Proportions.Difference, 1),
				views.Signed(100*x.Proportions.Interval.Low, 1), views.Signed(100*x.Proportions.Interval.High, 1), pText(x.Proportions.P), chanceSaid(x.Proportions.P))
		}
		said = append(said, text+fmt.Sprintf(". Task by task, %s so for the first alone and %s for the second alone (McNemar, %s).",
			views.Counted(x.OnlyFirst, "task ends", "tasks end"), views.Count(x.OnlySecond), pText(x.McNemar)))
	}
	text := fmt.Sprintf("F1 as a whole: the two distributions are at most %s apart (Kolmogorov–Smirnov, %s: %s)", views.Decimal(c.Distributions.D, 3), pText(c.Distributions.P), chanceSaid(c.Distributions.P))
	if c.Cliff.Value != nil {
		text += "; " + cliffSaid(*c.Cliff.Value)
	}
	return append(said, text+". The tests of rates and of distributions take the two sides for independent, though their tasks are the same; McNemar’s does not.")
}

// cliffSaid is Cliff's δ of the first side against the second in words.
func cliffSaid(delta float64) string {
	higher, lower := "first’s", "second’s"
	if delta < 0 {
		higher, lower = lower, higher
	}
	value := "Cliff’s δ " + views.Signed(delta, 3)
	if math.Abs(delta) < 1e-12 {
		return "of two tasks, one drawn from each side, neither has the higher F1 more often (" + value + ")"
	}
	return fmt.Sprintf("of two tasks, one drawn from each side, the %s has the higher F1 more often than the %s, by %s of all pairs (%s)", higher, lower, percentText(math.Abs(delta)), value)
}

// armsTested is the same as a table.
func armsTested(c *leaderboard.ArmComparison) views.Table {
	t := views.Table{ID: "arms-tested", Caption: "Rates of extreme outcomes of both rows: first minus second.", Columns: []views.Column{{Label: "Outcome"}, {Label: "First", Align: views.Decimals}, {Label: "Second", Align: views.Decimals},
		{Label: "Difference", Note: "Newcombe’s interval", Align: views.Decimals}, {Label: "p", Note: "two proportions", Align: views.Decimals}, {Label: "First alone", Note: "tasks", Align: views.Decimals},
		{Label: "Second alone", Note: "tasks", Align: views.Decimals}, {Label: "p", Note: "McNemar", Align: views.Decimals}}}
	group := views.Group{}
	wilson := func(rate float64, i statistics.Interval) views.Cell {
		return views.ScoreCell(views.Score{Value: rate, Plain: true, Interval: forestInterval(&i, "Wilson")})
	}
	for _, x := range c.Extremes {
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.TextCell(outcomeNames[x.Outcome].label), wilson(x.First.Rate, x.First.Interval), wilson(x.Second.Rate, x.Second.Interval),
			views.ScoreCell(views.Score{Value: x.Proportions.Difference, Signed: true, Interval: forestInterval(&x.Proportions.Interval, "Newcombe")}), pCell(x.Proportions.P),
			views.CountCell(x.OnlyFirst), views.CountCell(x.OnlySecond), pCell(x.McNemar)}})
	}
	t.Groups = []views.Group{group}
	return t
}

// contrastSaid is what knowledge changes at a level, in words.
func contrastSaid(name string, c localization.Contrast, family int) views.LevelSaid {
	direction := fmt.Sprintf("better by %s", views.Decimal(c.Difference, 3))
	switch {
	case math.Abs(c.Difference) < 1e-12:
		direction = "no difference on average"
	case c.Difference < 0:
		direction = fmt.Sprintf("worse by %s", views.Decimal(-c.Difference, 3))
	}
	text := fmt.Sprintf("%s prompts: with knowledge, %s finds files with a mean F1 of %s instead of %s: %s", capital(string(c.Level)), name, views.Decimal(c.Augmented, 3), views.Decimal(c.Baseline, 3), direction)
	units := contrastUnits(c)
	if i := c.Interval.Interval; i != nil {
		text += fmt.Sprintf(" (95 %% interval %s, paired bootstrap over %s)", fromTo(i), units)
	} else {
		text += " (no interval: " + c.Interval.Undefined + ")"
	}
	text += fmt.Sprintf(". On %s it is better, on %s worse, on %s the same.", views.Counted(c.Better, "task", "tasks"), views.Count(c.Worse), views.Count(c.Same))
	said := views.LevelSaid{Finding: text}
	text = fmt.Sprintf("Chance alone, in %s, would put the arms so far apart with %s by signed ranks and %s by flipped signs", comparisons(family), pText(c.WilcoxonHolm), pText(c.SignFlipHolm))
	switch {
	case math.Abs(c.Difference) < 1e-12:
		text += ": there is nothing to explain"
	case c.BeyondChance():
		text += ": seldom enough to say that knowledge made the difference"
	default:
		text += ": too often to say that knowledge made the difference"
	}
	if c.TooFewRepositories() {
		text += fmt.Sprintf(". With %s nothing can be significant; the single repositories tell more", units)
	}
	said.Tests = append(said.Tests, text+".")
	for _, e := range c.Extremes {
		if e.Outcome == localization.ZeroPrecision || e.Lost+e.Gained == 0 {
			continue // the same tasks as recall 0; nothing changed
		}
		said.Tests = append(said.Tests, fmt.Sprintf("%s: %s instead of %s; knowledge brings %s to it and takes %s from it (McNemar, adjusted, %s: %s).", capital(outcomeNames[e.Outcome].meaning),
			views.Counted(e.Augmented, "task", "tasks"), views.Count(e.Baseline), views.Count(e.Gained), views.Count(e.Lost), pText(e.Holm), chanceSaid(e.Holm)))
	}
	return said
}

// contrastUnits is what varies at random in a contrast.
func contrastUnits(c localization.Contrast) string {
	if c.Repositories > 1 {
		return views.Counted(c.Repositories, "repository", "repositories")
	}
	return views.Counted(c.Tasks, "task", "tasks")
}

func comparisons(family int) string {
	if family == 1 {
		return "this one comparison"
	}
	return fmt.Sprintf("any of the %d comparisons of this page", family)
}
