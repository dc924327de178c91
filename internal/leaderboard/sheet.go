package leaderboard

import (
	"iter"
	"strconv"
	"strings"
	"time"

	"touchstone/internal/store"
)

// A Sheet is a table as a file: a header that does not change, and rows.
type Sheet struct {
	Header []string
	Rows   iter.Seq[[]string]
}

// ScoreColumn reads EVALUATOR:K. An evaluator's name may hold a colon.
func ScoreColumn(s string) (evaluator string, k int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return "", 0, false
	}
	k, err := strconv.Atoi(s[i+1:])
	return s[:i], k, err == nil && k >= 1
}

// Scores is the leaderboard as a file: a line for each row, evaluator and k.
func Scores(listings []Listing, aggregation store.Aggregation) Sheet {
	if aggregation == "" {
		aggregation = store.ByRepository
	}
	return Sheet{
		Header: []string{"release", "provenance", "rank", "tied", "system", "model", "version", "control", "evaluator", "aggregation", "k",
			"pass_at_k", "low", "high", "repositories", "tasks", "coverage", "date", "submission", "leak", "leak_flagged", "leak_severe", "lift", "lift_low", "lift_high"},
		Rows: func(yield func([]string) bool) {
			for _, l := range listings {
				for _, row := range l.Rows {
					for _, e := range l.Shown {
						for k := 1; k <= e.Samples; k++ {
							score, ok := row.Results[e.Name].At(aggregation, k)
							if !ok {
								continue
							}
							line := []string{l.Key, string(l.Provenance), "", "", row.System, row.Model, row.Version, row.Control, e.Name, string(aggregation),
								strconv.Itoa(k), score.Text(), bound(score.Low), bound(score.High), strconv.Itoa(score.Repositories), strconv.Itoa(score.Tasks),
								"", day(row.Date), row.Submission, "", "", "", "", "", ""}
							if row.Rank > 0 && e.Name == l.RankedBy {
								line[2], line[3] = strconv.Itoa(row.Rank), strconv.FormatBool(row.Tied)
							}
							if c, ok := row.Coverage(); ok {
								line[16] = decimal(c)
							}
							if l.leakFree {
								line[atLeak] = WithoutLeaks
							}
							if flagged, severe, ok := row.Leak.Shares(); ok {
								line[atLeak+1], line[atLeak+2] = decimal(flagged), decimal(severe)
							}
							if lift, ok := row.Results[e.Name].Lift(aggregation, k); ok {
								line[atLeak+3], line[atLeak+4], line[atLeak+5] = lift.Text(), bound(lift.Low), bound(lift.High)
							}
							if !yield(line) {
								return
							}
						}
					}
				}
			}
		},
	}
}

// atLeak is where in a line of scores the leak begins.
const atLeak = 19

// Text is the value with the decimals that a paper prints, or six.
func (e Estimate) Text() string { return printed(e.Value, e.Decimals) }

// Text is the value with the decimals that a paper prints, or six.
func (c Cell) Text() string { return printed(c.Value, c.Decimals) }

func printed(v float64, decimals int) string {
	if decimals > 0 {
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	return decimal(v)
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }

func bound(v *float64) string {
	if v == nil {
		return ""
	}
	return decimal(*v)
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}
