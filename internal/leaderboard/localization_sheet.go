package leaderboard

import (
	"slices"
	"strconv"

	"touchstone/internal/localization"
	"touchstone/internal/statistics"
)

// LocalizationHeader is that of LocalizationScores.
var LocalizationHeader = []string{"release", "provenance", "system", "model", "version", "level", "condition", "gold", "repository", "tasks", "answered",
	"precision", "recall", "f1", "f1_low", "f1_high",
	"micro_precision", "micro_recall", "micro_f1", "zero_precision", "zero_recall", "full_recall", "exact", "date", "submission"}

// LocalizationScores is the track as a file: a line for each arm and kind of
// gold files, and one more for each repository. Without a kind of gold files
// there are lines of both, without a repository of all.
func LocalizationScores(listings []LocalizationListing, gold localization.Gold, repository string) Sheet {
	return Sheet{Header: LocalizationHeader, Rows: func(yield func([]string) bool) {
		for _, l := range listings {
			for _, arm := range l.Rows {
				for _, g := range localization.Golds {
					if gold != "" && g != gold {
						continue
					}
					if repository == "" && !yieldScore(yield, l.LocalizationSet, arm, g, "", arm.Whole(g)) {
						return
					}
					for i, r := range l.Repositories {
						if (repository == "" || r.Name == repository) && !yieldScore(yield, l.LocalizationSet, arm, g, r.Name, arm.On(i, g)) {
							return
						}
					}
				}
			}
		}
	}}
}

// yieldScore writes a line when the score is known; false ends the file.
func yieldScore(yield func([]string) bool, set *LocalizationSet, a *Arm, gold localization.Gold, repository string, f FileScore) bool {
	if !f.Known {
		return true
	}
	line := []string{set.Key, string(a.Provenance), a.System, a.Model, a.Version, string(a.Level), string(a.Condition), string(gold), repository, "", ""}
	if f.Tasks > 0 {
		line[9], line[10] = strconv.Itoa(f.Tasks), strconv.Itoa(f.Answered)
	}
	line = append(line, printed(f.Macro.Precision, f.Decimals), printed(f.Macro.Recall, f.Decimals), printed(f.Macro.F1, f.Decimals), low(f.Interval), high(f.Interval))
	if f.HasMicro {
		line = append(line, decimal(f.Micro.Precision), decimal(f.Micro.Recall), decimal(f.Micro.F1))
	} else {
		line = append(line, "", "", "")
	}
	for _, e := range localization.Extremes {
		if share, ok := f.Share(e); ok {
			line = append(line, strconv.Itoa(share.Count))
		} else {
			line = append(line, "")
		}
	}
	return yield(append(line, day(a.Date), a.Submission))
}

func low(i *statistics.Interval) string {
	if i == nil {
		return ""
	}
	return decimal(i.Low)
}

func high(i *statistics.Interval) string {
	if i == nil {
		return ""
	}
	return decimal(i.High)
}

// ExtremesHeader is that of ExtremeShares.
var ExtremesHeader = []string{"release", "provenance", "system", "model", "version", "level", "condition", "gold", "repository", "outcome", "tasks", "count", "rate", "low", "high", "submission"}

// ExtremeShares is how often tasks ended in an extreme outcome: a line for each
// arm, outcome and repository, and one for all, with Wilson's interval.
func ExtremeShares(listings []LocalizationListing, gold localization.Gold, repository string) Sheet {
	return Sheet{Header: ExtremesHeader, Rows: func(yield func([]string) bool) {
		for _, l := range listings {
			for _, arm := range l.Rows {
				for _, g := range localization.Golds {
					if gold != "" && g != gold {
						continue
					}
					if repository == "" && !yieldShares(yield, l.LocalizationSet, arm, g, "", arm.Whole(g)) {
						return
					}
					for i, r := range l.Repositories {
						if (repository == "" || r.Name == repository) && !yieldShares(yield, l.LocalizationSet, arm, g, r.Name, arm.On(i, g)) {
							return
						}
					}
				}
			}
		}
	}}
}

func yieldShares(yield func([]string) bool, set *LocalizationSet, a *Arm, gold localization.Gold, repository string, f FileScore) bool {
	for _, e := range localization.Extremes {
		share, ok := f.Share(e)
		if !ok {
			continue
		}
		if !yield([]string{set.Key, string(a.Provenance), a.System, a.Model, a.Version, string(a.Level), string(a.Condition), string(gold), repository, string(e),
			strconv.Itoa(f.Tasks), strconv.Itoa(share.Count), decimal(share.Rate), decimal(share.Interval.Low), decimal(share.Interval.High), a.Submission}) {
			return false
		}
	}
	return true
}

// LevelsHeader is that of LevelsSheet.
var LevelsHeader = []string{"release", "provenance", "system", "model", "version", "condition", "gold", "repository", "minimal", "concise", "contextual", "guided", "gain", "gain_low", "gain_high"}

// LevelsSheet is mean F1 over levels as a file: a line for each system, condition
// and repository, and one for all; the gain is guided minus minimal.
func (b *Board) LevelsSheet(q LocalizationQuery) (Sheet, error) {
	var lines [][]string
	for _, set := range b.Localization {
		if q.Release != "" && set.Key != q.Release || q.Provenance != "" && set.Provenance != q.Provenance {
			continue
		}
		for _, gold := range localization.Golds {
			if q.Gold != "" && gold != q.Gold {
				continue
			}
			repositories := []string{""}
			for _, r := range set.Repositories {
				repositories = append(repositories, r.Name)
			}
			for _, repository := range repositories {
				own, err := set.levelLines(q.Condition, gold, repository)
				if err != nil {
					return Sheet{}, err
				}
				lines = append(lines, own...)
			}
		}
	}
	return Sheet{Header: LevelsHeader, Rows: slices.Values(lines)}, nil
}

func (s *LocalizationSet) levelLines(only localization.Condition, gold localization.Gold, repository string) ([][]string, error) {
	gains := s.Gains(gold, repository)
	var lines [][]string
	for _, e := range s.Entrants {
		for _, condition := range localization.Conditions {
			line := []string{s.Key, string(e.Provenance), e.System, e.Model, e.Version, string(condition), string(gold), repository}
			known := false
			for _, level := range localization.Levels {
				value := ""
				if arm := e.Arm(level, condition); arm != nil {
					if f := s.score(arm, gold, repository); f.Known {
						value, known = printed(f.Macro.F1, f.Decimals), true
					}
				}
				line = append(line, value)
			}
			if !known || only != "" && condition != only {
				continue
			}
			gain := []string{"", "", ""}
			for _, g := range gains {
				if g.Entrant == e && g.Condition == condition {
					interval, err := s.GainInterval(g, gold, repository)
					if err != nil {
						return nil, err
					}
					gain = []string{printed(g.Difference(), g.Decimals), low(interval), high(interval)}
				}
			}
			lines = append(lines, append(line, gain...))
		}
	}
	return lines, nil
}
