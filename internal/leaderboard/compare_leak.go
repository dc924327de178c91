package leaderboard

import (
	"slices"

	"touchstone/internal/statistics"
)

// A LeakEffect is what the tasks that leak do to a comparison: its difference
// over the tasks whose docstring is flagged for neither row.
type LeakEffect struct {
	Unknown     string // why it is not known; "" when it is
	FlaggedBoth int    // of the tasks that were compared
	OnlyFirst   int    // flagged for the first alone
	OnlySecond  int
	Difference  statistics.Estimate // without these, as Comparison.Difference; Tasks is 0 when none is left
}

// Flagged is how many of the compared tasks are flagged for either row.
func (e LeakEffect) Flagged() int { return e.FlaggedBoth + e.OnlyFirst + e.OnlySecond }

// leaks computes the effect of leaks from the flags of both rows.
func (c *Comparison) leaks() error {
	first, whyFirst := c.First.flagged()
	second, whySecond := c.Second.flagged()
	e := LeakEffect{}
	switch {
	case first == nil:
		e.Unknown = c.First.Name() + ": " + whyFirst
	case second == nil:
		e.Unknown = c.Second.Name() + ": " + whySecond
	default:
		var left []statistics.Score
		for i, t := range c.Tasks.All {
			if !t.Compared {
				continue
			}
			switch {
			case first[i] && second[i]:
				e.FlaggedBoth++
			case first[i]:
				e.OnlyFirst++
			case second[i]:
				e.OnlySecond++
			default:
				left = append(left, statistics.Score{Repository: t.Repository, Task: t.Key, Value: t.Difference})
			}
		}
		var err error
		if e.Difference, err = statistics.Macro.Of(left); err != nil {
			return err
		}
	}
	c.Tasks.Leaks = e
	return nil
}

// flagged are the flags of a side's tasks in the release's order, nil with the
// reason when they are not known.
func (s Side) flagged() (flags []bool, why string) {
	i := slices.Index(s.Set.Rows, s.Row)
	if s.Set.Matrix == nil || i < 0 {
		return nil, s.Leak.Unknown
	}
	if s.Leak.Unknown != "" {
		return nil, s.Leak.Unknown
	}
	flags, column := s.Set.Matrix.Rows[i].Flagged()
	return flags, column.Reason
}
