package statistics

import (
	"fmt"
	"math"
)

// An Average says how the scores of tasks become one number.
type Average string

const (
	// Macro is the mean over tasks within a repository, then the unweighted
	// mean over repositories: the headline.
	Macro Average = "macro"
	// Micro is the mean over all tasks.
	Micro Average = "micro"
	// Weighted is the mean over all tasks by their weights.
	Weighted Average = "weighted"
)

// Averages lists every average, the headline first.
var Averages = []Average{Macro, Micro, Weighted}

// Of is the average of scores with the interval of Student's t with C−1
// degrees of freedom, C being the number of repositories. All three averages
// are Σ_c w_c·m_c / Σ_c w_c with a sum and a weight from each repository, and
// their standard error is the cluster-robust
//
//	SE = √(C/(C−1) · Σ_c (Σ_{i∈c} w_i·(s_i − s̄))²) / Σ w
//
// For Macro, where each repository adds its mean with weight 1, this is
// sd(repository means)/√C. Without two repositories the interval is undefined,
// and Undefined says so. Scores that are not finite, tasks that occur twice
// and, for Weighted, weights that are not positive are errors.
func (a Average) Of(scores []Score) (Estimate, error) {
	s, err := sorted(scores)
	if err != nil {
		return Estimate{}, err
	}
	return a.of(s)
}

func (a Average) of(sorted []Score) (Estimate, error) {
	parts, err := a.parts(sorted)
	if err != nil {
		return Estimate{}, err
	}
	e := Estimate{Tasks: len(sorted), Repositories: len(parts), Undefined: undefined(len(parts))}
	if len(parts) == 0 {
		return e, nil
	}
	e.Value = within(mean(parts), sorted)
	if len(parts) == 1 {
		return e, nil
	}
	var squares, weight float64
	for _, p := range parts {
		off := p.sum - e.Value*p.weight
		squares += off * off
		weight += p.weight
	}
	c := float64(len(parts))
	e.SE = math.Sqrt(c/(c-1)*squares) / weight
	half := studentT(len(parts)-1) * e.SE
	e.Interval = &Interval{e.Value - half, e.Value + half}
	return e, nil
}

// A part is what one repository adds to an average.
type part struct{ sum, weight float64 }

// parts are in the order of the repositories.
func (a Average) parts(sorted []Score) ([]part, error) {
	var parts []part
	for from := 0; from < len(sorted); {
		to := from
		var p part
		for ; to < len(sorted) && sorted[to].Repository == sorted[from].Repository; to++ {
			w := 1.0
			if a == Weighted {
				if w = sorted[to].Weight; !(w > 0) || math.IsInf(w, 0) {
					return nil, fmt.Errorf("the weight of %s is %v, not a positive number", sorted[to].name(), w)
				}
			}
			p.sum += w * sorted[to].Value
			p.weight += w
		}
		switch a {
		case Macro:
			p = part{p.sum / p.weight, 1}
		case Micro, Weighted:
		default:
			return nil, fmt.Errorf("%q is not an average", a)
		}
		parts = append(parts, p)
		from = to
	}
	return parts, nil
}

// repositoryMeans are the means over the tasks of each repository.
func repositoryMeans(scores []Score) (map[string]float64, error) {
	s, err := sorted(scores)
	if err != nil {
		return nil, err
	}
	parts, err := Macro.parts(s)
	if err != nil {
		return nil, err
	}
	means := make(map[string]float64, len(parts))
	for i, score := range s {
		if i == 0 || score.Repository != s[i-1].Repository {
			means[score.Repository] = parts[len(means)].sum
		}
	}
	return means, nil
}

func mean(parts []part) float64 {
	var sum, weight float64
	for _, p := range parts {
		sum += p.sum
		weight += p.weight
	}
	return sum / weight
}

// within keeps rounding from moving a mean out of the range of its scores.
func within(mean float64, scores []Score) float64 {
	low, high := scores[0].Value, scores[0].Value
	for _, s := range scores {
		low, high = min(low, s.Value), max(high, s.Value)
	}
	return min(max(mean, low), high)
}
