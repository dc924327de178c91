package leaderboard

import (
	"slices"
	"strconv"

	"touchstone/internal/statistics"
)

// PopularStars is the number of stars that a popular repository has more of.
const PopularStars = 100

// Popular reports whether a repository is known to be popular, and Other
// whether it is known not to be.
func Popular(r Repository) bool { return r.Stars != nil && *r.Stars > PopularStars }
func Other(r Repository) bool   { return r.Stars != nil && *r.Stars <= PopularStars }

// A Popularity compares each row's mean over popular repositories with its mean
// over the others, in every setting. Repositories whose stars nobody counted
// are in neither group.
type Popularity struct {
	statistics.Groups
	Of []Judged // as Groups.Rows
}

// A Judged is a row in a setting.
type Judged struct {
	*Row
	Setting
}

// Popularity is that of every setting with two rows or more.
func (s *Set) Popularity() (Popularity, error) {
	var p Popularity
	var rows [][]statistics.Score
	popular := map[string]bool{}
	for _, r := range s.Repositories {
		popular[r.Name] = Popular(r)
	}
	counted := func(r Repository) bool { return r.Stars != nil }
	for _, x := range s.Settings() {
		for _, row := range s.judged([]Setting{x}) {
			if scores := s.scores(row, x, counted); len(scores) > 0 {
				p.Of, rows = append(p.Of, Judged{row, x}), append(rows, scores)
			}
		}
	}
	var err error
	p.Groups, err = statistics.Divide(rows, func(repository string) bool { return popular[repository] })
	return p, err
}

// Popularities is the comparison as a file: a line for each row and setting.
func (b *Board) Popularities(release string) (Sheet, error) {
	var lines [][]string
	for _, set := range b.Sets {
		if release != "" && set.Key != release {
			continue
		}
		p, err := set.Popularity()
		if err != nil {
			return Sheet{}, err
		}
		for i, x := range p.Of {
			m := p.Rows[i]
			line := []string{set.Key, string(set.Provenance), x.System, x.Model, x.Version, x.Evaluator, strconv.Itoa(x.K),
				bound(m.First), strconv.Itoa(m.FirstRepositories), bound(m.Second), strconv.Itoa(m.SecondRepositories), "", x.Submission}
			if m.First != nil && m.Second != nil {
				line[11] = decimal(*m.First - *m.Second)
			}
			lines = append(lines, line)
		}
	}
	return Sheet{
		Header: []string{"release", "provenance", "system", "model", "version", "evaluator", "k", "popular", "popular_repositories", "other", "other_repositories", "difference", "submission"},
		Rows:   slices.Values(lines),
	}, nil
}
