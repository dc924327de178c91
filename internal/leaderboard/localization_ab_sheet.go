package leaderboard

import (
	"fmt"
	"slices"
	"strconv"

	"touchstone/internal/localization"
)

// ContrastHeader is that of ContrastSheet.
var ContrastHeader = contrastHeader()

func contrastHeader() []string {
	header := []string{"release", "system", "model", "version", "level", "gold", "repository", "tasks", "repositories", "baseline_f1", "augmented_f1", "difference", "low", "high",
		"better", "same", "worse", "wilcoxon_p", "wilcoxon_holm", "sign_flip_p", "sign_flip_holm", "d_z"}
	for _, e := range []string{"zero_precision", "zero_recall", "full_recall", "exact"} {
		header = append(header, e+"_baseline", e+"_augmented", e+"_lost", e+"_gained", e+"_mcnemar_p", e+"_mcnemar_holm")
	}
	return append(header, "family")
}

// ContrastSheet is what knowledge changes as a file: a line for each system and
// level that has both arms. family is how many contrasts p were adjusted for.
func ContrastSheet(set *LocalizationSet, rows []Contrasted, gold localization.Gold, repository string) Sheet {
	var lines [][]string
	for _, row := range rows {
		for _, c := range row.Contrasts {
			line := []string{set.Key, row.System, row.Model, row.Version, string(c.Level), string(gold), repository, strconv.Itoa(c.Tasks), strconv.Itoa(c.Repositories),
				decimal(c.Baseline), decimal(c.Augmented), decimal(c.Difference), low(c.Interval.Interval), high(c.Interval.Interval),
				strconv.Itoa(c.Better), strconv.Itoa(c.Same), strconv.Itoa(c.Worse), probability(c.Wilcoxon.P), probability(c.WilcoxonHolm), probability(c.SignFlip.P), probability(c.SignFlipHolm),
				bound(c.Effect.Value)}
			for _, e := range c.Extremes {
				line = append(line, strconv.Itoa(e.Baseline), strconv.Itoa(e.Augmented), strconv.Itoa(e.Lost), strconv.Itoa(e.Gained), probability(e.McNemar), probability(e.Holm))
			}
			lines = append(lines, append(line, strconv.Itoa(Family(rows))))
		}
	}
	return Sheet{Header: ContrastHeader, Rows: slices.Values(lines)}
}

// Family is how many contrasts there are.
func Family(rows []Contrasted) int {
	n := 0
	for _, row := range rows {
		n += len(row.Contrasts)
	}
	return n
}

func probability(p float64) string { return fmt.Sprintf("%.6g", p) }
