package baseline

import "touchstone/internal/localization/bm25"

// How many files are predicted: those with at least a share of the best one's
// score, up to a number. A fixed number would be too many for prompts that
// name their file and too few for those that speak of several. It is the same
// for both agents, so that they differ in what they know alone.
const (
	shareOfBest = 0.8
	mostFiles   = 6
)

// choose gives the paths of the files with the highest scores.
func choose(scores []float64, paths []string) []string {
	var chosen []string
	hits := bm25.Best(scores, paths, mostFiles)
	for _, hit := range hits {
		if hit.Score >= shareOfBest*hits[0].Score {
			chosen = append(chosen, hit.Name)
		}
	}
	return chosen
}
