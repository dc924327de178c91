package main

import (
	"touchstone/internal/localization"
	"touchstone/internal/statistics"
)

// numbersOf are the scores of a set of tasks, as a program reads them.
type numbersOf struct {
	Tasks     int                              `json:"tasks"`
	Answered  int                              `json:"answered"` // the others count as empty predictions
	Precision float64                          `json:"precision"`
	Recall    float64                          `json:"recall"`
	F1        float64                          `json:"f1"`
	Interval  statistics.Bootstrap             `json:"bootstrap"` // of f1
	Extremes  map[localization.Extreme]extreme `json:"extremes"`
	Ranked    []ranked                         `json:"ranked"`
	Micro     *triple                          `json:"micro,omitempty"`
}

type extreme struct {
	Count int     `json:"count"`
	Rate  float64 `json:"rate"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

type ranked struct {
	K        int     `json:"k"`
	Accuracy float64 `json:"acc"`
	Recall   float64 `json:"recall"`
	MAP      float64 `json:"map"`
	NDCG     float64 `json:"ndcg"`
}

type triple struct {
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// scored is what score prints. Its first numbers are those of the headline: the
// contextual level, or else the first arm.
type scored struct {
	Release string            `json:"release"`
	Gold    localization.Gold `json:"gold"`
	LeftOut int               `json:"left_out"` // tasks without a gold file that counts
	localization.Arm
	numbersOf
	Arms []scoredArm             `json:"arms"`
	AB   []localization.Contrast `json:"ab,omitempty"`
}

type scoredArm struct {
	localization.Arm
	numbersOf
	Repositories []scoredRepository `json:"repositories"`
}

type scoredRepository struct {
	Repository string `json:"repo"`
	numbersOf
}

func scoreLine(release string, score localization.Score, contrasts []localization.Contrast, micro bool) scored {
	line := scored{Release: release, Gold: score.Gold, LeftOut: score.LeftOut, AB: contrasts}
	headline := -1
	for i, arm := range score.Arms {
		one := scoredArm{Arm: arm.Arm, numbersOf: numbers(arm.Summary, micro)}
		for _, r := range arm.Repositories {
			one.Repositories = append(one.Repositories, scoredRepository{r.Repository, numbers(r.Summary, micro)})
		}
		line.Arms = append(line.Arms, one)
		if headline < 0 && arm.Level == localization.Contextual {
			headline = i
		}
	}
	first := line.Arms[max(headline, 0)]
	line.Arm, line.numbersOf = first.Arm, first.numbersOf
	return line
}

func numbers(s localization.Summary, micro bool) numbersOf {
	n := numbersOf{Tasks: s.Tasks, Answered: s.Answered, Precision: s.Mean.Precision, Recall: s.Mean.Recall, F1: s.Mean.F,
		Interval: s.Interval, Extremes: map[localization.Extreme]extreme{}}
	for _, e := range localization.Extremes {
		share := e.Of(s.FileScores)
		n.Extremes[e] = extreme{share.Count, share.Rate, share.Interval.Low, share.Interval.High}
	}
	for _, r := range s.Ranked {
		n.Ranked = append(n.Ranked, ranked{r.K, r.Accuracy, r.Recall, r.AveragePrecision, r.NDCG})
	}
	if micro {
		n.Micro = &triple{s.Micro.Precision, s.Micro.Recall, s.Micro.F}
	}
	return n
}
