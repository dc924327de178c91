package leaderboard

import (
	"fmt"
	"slices"
	"strconv"

	"touchstone/internal/statistics"
)

// A Setting is one way to judge: an evaluator and a k.
type Setting struct {
	Evaluator string
	K         int
}

// Settings are every evaluator that is no control and that judged two rows or
// more, with each k that it has scores for.
func (s *Set) Settings() []Setting {
	var settings []Setting
	for _, e := range s.Evaluators {
		if e.Control {
			continue
		}
		for _, k := range s.Ks(e.Name) {
			if x := (Setting{e.Name, k}); len(s.judged([]Setting{x})) > 1 {
				settings = append(settings, x)
			}
		}
	}
	return settings
}

// judged are the rows that have a score on some repository in every setting.
func (s *Set) judged(settings []Setting) []*Row {
	var rows []*Row
	for _, row := range s.Rows {
		if !slices.ContainsFunc(settings, func(x Setting) bool { return len(s.scores(row, x, everyRepository)) == 0 }) {
			rows = append(rows, row)
		}
	}
	return rows
}

func everyRepository(Repository) bool { return true }

// scores are a row's in a setting, on the repositories that are chosen.
func (s *Set) scores(row *Row, x Setting, chosen func(Repository) bool) []statistics.Score {
	var scores []statistics.Score
	for i, r := range s.Repositories {
		if c := s.Comparable(row, x.Evaluator, x.K).On(i, x.K); c.Known && chosen(r) {
			scores = append(scores, statistics.Score{Repository: r.Name, Value: c.Value, Weight: 1})
		}
	}
	return scores
}

// A Stability says which repositories put the rows in the order that all
// repositories together put them in.
type Stability struct {
	statistics.Stability
	Settings []Setting
	Rows     []*Row // that are compared; Order counts in them
	LeftOut  []*Row // that lack a score in some setting
}

// Stability compares the rows that have scores in all of the settings, on the
// repositories that are chosen.
func (s *Set) Stability(settings []Setting, chosen func(Repository) bool) (Stability, error) {
	result := Stability{Settings: settings, Rows: s.judged(settings)}
	for _, row := range s.Rows {
		if !slices.Contains(result.Rows, row) {
			result.LeftOut = append(result.LeftOut, row)
		}
	}
	compared := make([]statistics.Setting, len(settings))
	for i, x := range settings {
		compared[i].Name = fmt.Sprintf("pass@%d under %s", x.K, x.Evaluator)
		for _, row := range result.Rows {
			compared[i].Rows = append(compared[i].Rows, s.scores(row, x, chosen))
		}
	}
	var err error
	result.Stability, err = statistics.RankingStability(compared)
	return result, err
}

// Kept is how much of the order of rows each repository keeps, as a file: a
// line for each repository and setting, and one without evaluator and k for all
// settings together.
func (b *Board) Kept(release string) (Sheet, error) {
	var lines [][]string
	for _, set := range b.Sets {
		if release != "" && set.Key != release {
			continue
		}
		all := set.Settings()
		together := [][]Setting{all}
		for _, x := range all {
			together = append(together, []Setting{x})
		}
		for i, settings := range together {
			stability, err := set.Stability(settings, everyRepository)
			if err != nil {
				return Sheet{}, err
			}
			evaluator, k := "", ""
			if i > 0 {
				evaluator, k = settings[0].Evaluator, strconv.Itoa(settings[0].K)
			}
			for _, r := range stability.Repositories {
				at, _ := set.Index(r.Repository)
				lines = append(lines, []string{set.Key, string(set.Provenance), r.Repository, count(set.Repositories[at].Stars), evaluator, k,
					strconv.Itoa(len(stability.Rows)), strconv.Itoa(stability.Pairs), strconv.Itoa(r.Kept), strconv.FormatBool(r.Preserves)})
			}
		}
	}
	return Sheet{
		Header: []string{"release", "provenance", "repository", "stars", "evaluator", "k", "systems", "pairs", "kept", "preserves"},
		Rows:   slices.Values(lines),
	}, nil
}
