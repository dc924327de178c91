package statistics

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Groups are rows, each a system under an evaluator and a k, on two groups of
// repositories, such as popular and other ones.
type Groups struct {
	Rows     []GroupMeans `json:"rows"`
	Compared int          `json:"compared"` // rows that have repositories of both groups
	// MeanAbsolute and Largest are of the distances |First − Second| of the
	// compared rows: in the unit of the scores, 0 when there is none.
	MeanAbsolute float64 `json:"mean_absolute"`
	Largest      float64 `json:"largest"`
	Undefined    string  `json:"undefined,omitempty"` // why no row is compared
}

// GroupMeans are the means of one row, over repositories unweighted, as Macro's.
type GroupMeans struct {
	First              *float64 `json:"first"` // nil without any repository of the group
	Second             *float64 `json:"second"`
	FirstRepositories  int      `json:"first_repositories"`
	SecondRepositories int      `json:"second_repositories"`
}

// OneGroup is why two groups of repositories cannot be compared.
const OneGroup = "no row has repositories of both groups"

// Divide compares each row's mean over the repositories that belong to the
// first group with its mean over the others. Errors are those of Average.Of,
// with the row, from 0 on.
func Divide(rows [][]Score, first func(repository string) bool) (Groups, error) {
	g := Groups{Rows: make([]GroupMeans, len(rows))}
	for i, row := range rows {
		means, err := repositoryMeans(row)
		if err != nil {
			return Groups{}, fmt.Errorf("row %d: %w", i, err)
		}
		var in, out []float64
		for _, name := range slices.Sorted(maps.Keys(means)) {
			if first(name) {
				in = append(in, means[name])
			} else {
				out = append(out, means[name])
			}
		}
		m := GroupMeans{groupMean(in), groupMean(out), len(in), len(out)}
		g.Rows[i] = m
		if m.First != nil && m.Second != nil {
			distance := math.Abs(*m.First - *m.Second)
			g.Compared++
			g.MeanAbsolute += distance
			g.Largest = max(g.Largest, distance)
		}
	}
	if g.Compared == 0 {
		g.Undefined = OneGroup
		return g, nil
	}
	g.MeanAbsolute /= float64(g.Compared)
	return g, nil
}

func groupMean(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	mean := total(values) / float64(len(values))
	return &mean
}
