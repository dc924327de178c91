package doctocode

import (
	"cmp"
	"slices"

	"touchstone/internal/benchmark"
	"touchstone/internal/measure"
)

// A TaskResult is what became of one task's samples.
type TaskResult struct {
	Task       benchmark.TaskID
	Verdicts   []benchmark.Verdict // of its samples
	Documented bool                // whether it was judged with a docstring
}

// PassAt is pass@k of a set of tasks. A task of which fewer than k samples
// count has no pass@k: it is left out of the mean and counted in Missing, so
// that a machine's failures are neither for nor against anyone. Without any
// task Value is 0 and Tasks is 0: there is no pass@k.
type PassAt struct {
	K       int     `json:"k"`
	Value   float64 `json:"value"`
	Tasks   int     `json:"tasks"`   // that the mean is over
	Missing int     `json:"missing"` // that have fewer than k samples that count
}

// RepositoryScore is the score of one repository's tasks.
type RepositoryScore struct {
	Repository string   `json:"repository"`
	Tasks      int      `json:"tasks"`
	Documented int      `json:"documented"`
	Samples    int      `json:"samples"` // that count
	PassAt     []PassAt `json:"pass_at"` // for k = 1, 2, … m
}

// Coverage is the share of tasks that have a docstring.
func (s RepositoryScore) Coverage() float64 { return share(s.Documented, s.Tasks) }

// A Score is the result of an evaluation. PassAt is the headline: the mean
// over tasks within a repository, then the unweighted mean over the
// repositories that have a pass@k at all (which is how the paper's Table 1
// follows from its Table 3). Micro is the mean over all tasks.
type Score struct {
	Tasks        int                       `json:"tasks"`
	Documented   int                       `json:"documented"`
	Samples      int                       `json:"samples"` // that count
	PassAt       []PassAt                  `json:"pass_at"` // for k = 1, 2, … m; Tasks and Missing are sums
	Micro        []PassAt                  `json:"micro"`
	Verdicts     map[benchmark.Verdict]int `json:"verdicts"` // of all samples, infra_error included
	Repositories []RepositoryScore         `json:"repositories"`
}

// Coverage is the share of tasks that have a docstring.
func (s Score) Coverage() float64 { return share(s.Documented, s.Tasks) }

// At is pass@k, and whether there is one.
func At(scores []PassAt, k int) (float64, bool) {
	for _, p := range scores {
		if p.K == k && p.Tasks > 0 {
			return p.Value, true
		}
	}
	return 0, false
}

// ScoreOf scores the results of an evaluation with m samples per task.
// infra_error samples are left out. Repositories are in the order of their
// names; the result does not depend on the order of results.
func ScoreOf(results []TaskResult, m int) Score {
	results = slices.SortedStableFunc(slices.Values(results), func(a, b TaskResult) int {
		return cmp.Or(cmp.Compare(a.Task.Repository, b.Task.Repository), cmp.Compare(a.Task.String(), b.Task.String()))
	})
	score := Score{Verdicts: map[benchmark.Verdict]int{}, Micro: passAt(results, m)}
	for from := 0; from < len(results); {
		to := from
		for to < len(results) && results[to].Task.Repository == results[from].Task.Repository {
			to++
		}
		repository := scoreRepository(results[from:to], m)
		score.Repositories = append(score.Repositories, repository)
		score.Tasks += repository.Tasks
		score.Documented += repository.Documented
		score.Samples += repository.Samples
		from = to
	}
	for _, r := range results {
		for _, v := range r.Verdicts {
			score.Verdicts[v]++
		}
	}
	for k := 1; k <= m; k++ {
		headline, sum, repositories := PassAt{K: k}, 0.0, 0
		for _, r := range score.Repositories {
			p := r.PassAt[k-1]
			headline.Tasks += p.Tasks
			headline.Missing += p.Missing
			if p.Tasks > 0 {
				sum += p.Value
				repositories++
			}
		}
		if repositories > 0 {
			headline.Value = sum / float64(repositories)
		}
		score.PassAt = append(score.PassAt, headline)
	}
	return score
}

func scoreRepository(results []TaskResult, m int) RepositoryScore {
	score := RepositoryScore{Repository: results[0].Task.Repository, Tasks: len(results), PassAt: passAt(results, m)}
	for _, r := range results {
		if r.Documented {
			score.Documented++
		}
		samples, _ := r.Counted()
		score.Samples += samples
	}
	return score
}

// passAt is the mean over tasks of pass@k, for every k up to m.
func passAt(results []TaskResult, m int) []PassAt {
	scores := make([]PassAt, 0, m)
	for k := 1; k <= m; k++ {
		p, sum := PassAt{K: k}, 0.0
		for _, r := range results {
			samples, passed := r.Counted()
			value, err := measure.PassAtK(samples, passed, k)
			if err != nil {
				p.Missing++
				continue
			}
			p.Tasks++
			sum += value
		}
		if p.Tasks > 0 {
			p.Value = sum / float64(p.Tasks)
		}
		scores = append(scores, p)
	}
	return scores
}

// Counted is how many of the task's samples count, and how many of those passed.
func (r TaskResult) Counted() (samples, passed int) {
	for _, v := range r.Verdicts {
		if v.Counts() {
			samples++
		}
		if v == benchmark.Passed {
			passed++
		}
	}
	return samples, passed
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
