package measure

import (
	"errors"
	"fmt"
	"math"
)

// RankedCutoffs are the k for which ranked predictions are scored.
var RankedCutoffs = []int{1, 3, 5}

// A RankedScore is what the first K of a ranked list of files are worth; each
// number is from 0 to 1. Over a set of tasks the means are taken, and that of
// AveragePrecision is MAP.
type RankedScore struct {
	K                int
	Accuracy         float64 // 1 when every gold file is among the first K, else 0 (as LocAgent has Acc@k)
	Recall           float64 // share of the gold files among the first K
	AveragePrecision float64 // Σ precision at each hit / min(gold files, K)
	NDCG             float64 // Σ 1/log2(1 + place) of the hits / that of the best list
}

// ScoreRanking scores the first k files of a ranked list, after Paths. It is
// ErrNoGold without a gold file, and an error unless k is 1 or more.
func ScoreRanking(ranked, gold []string, k int) (RankedScore, error) {
	ranked, gold = Paths(ranked), Paths(gold)
	switch {
	case k < 1:
		return RankedScore{}, fmt.Errorf("localization: k is %d, not 1 or more", k)
	case len(gold) == 0:
		return RankedScore{}, ErrNoGold
	}
	s := RankedScore{K: k}
	hits := 0
	for i, hit := range found(ranked[:min(k, len(ranked))], gold) {
		if hit {
			hits++
			s.AveragePrecision += float64(hits) / float64(i+1)
			s.NDCG += gain(i + 1)
		}
	}
	best, ideal := min(len(gold), k), 0.0
	for place := 1; place <= best; place++ {
		ideal += gain(place)
	}
	s.Accuracy = float64(one(hits == len(gold)))
	s.Recall = float64(hits) / float64(len(gold))
	s.AveragePrecision /= float64(best)
	s.NDCG /= ideal
	return s, nil
}

// gain is what a hit at a place, from 1 on, adds to the cumulative gain.
func gain(place int) float64 { return 1 / math.Log2(float64(place)+1) }

// MeanRanking takes the means of tasks' scores at one k. It needs one at least.
func MeanRanking(scores []RankedScore) (RankedScore, error) {
	if len(scores) == 0 {
		return RankedScore{}, errors.New("localization: there is no task to take the mean of")
	}
	mean := RankedScore{K: scores[0].K}
	for _, s := range scores {
		if s.K != mean.K {
			return RankedScore{}, fmt.Errorf("localization: scores at %d and at %d have no mean", mean.K, s.K)
		}
		mean.Accuracy += s.Accuracy
		mean.Recall += s.Recall
		mean.AveragePrecision += s.AveragePrecision
		mean.NDCG += s.NDCG
	}
	n := float64(len(scores))
	mean.Accuracy /= n
	mean.Recall /= n
	mean.AveragePrecision /= n
	mean.NDCG /= n
	return mean, nil
}
