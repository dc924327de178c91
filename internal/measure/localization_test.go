package measure_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/measure"
)

type fileVector struct {
	Pred, Gold            []string
	TP, FP, FN            int
	Precision, Recall, F1 float64
	Aggregate             *struct {
		MeanPrecision float64 `json:"mean_precision"`
		MeanRecall    float64 `json:"mean_recall"`
		MeanF1        float64 `json:"mean_f1"`
		ZeroPrecision float64 `json:"rate_prec0"`
		ZeroRecall    float64 `json:"rate_rec0"`
		FullRecall    float64 `json:"rate_rec1"`
		Exact         float64 `json:"rate_f1_1"`
	}
}

func TestFilesAreScoredAsInThePrototype(t *testing.T) {
	var scores []measure.FileScore
	means := 0
	for _, v := range vectors[fileVector](t, "localization.jsonl", 8) {
		if a := v.Aggregate; a != nil {
			means++
			got, err := measure.MeanFiles(scores)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "mean precision", got.Mean.Precision, a.MeanPrecision)
			near(t, "mean recall", got.Mean.Recall, a.MeanRecall)
			near(t, "mean F1", got.Mean.F, a.MeanF1)
			near(t, "P = 0", got.ZeroPrecision.Rate, a.ZeroPrecision)
			near(t, "R = 0", got.ZeroRecall.Rate, a.ZeroRecall)
			near(t, "R = 1", got.FullRecall.Rate, a.FullRecall)
			near(t, "F1 = 1", got.Exact.Rate, a.Exact)
			continue
		}
		got, err := measure.ScoreFiles(v.Pred, v.Gold)
		if err != nil {
			t.Fatal(err)
		}
		scores = append(scores, got)
		if got.TruePositives != v.TP || got.FalsePositives != v.FP || got.FalseNegatives != v.FN {
			t.Errorf("%v against %v: %+v, want %d, %d, %d", v.Pred, v.Gold, got, v.TP, v.FP, v.FN)
		}
		near(t, "precision", got.Precision, v.Precision)
		near(t, "recall", got.Recall, v.Recall)
		near(t, "F1", got.F, v.F1)
	}
	if means == 0 {
		t.Fatal("no means among the vectors")
	}
}

func TestPaths(t *testing.T) {
	for _, c := range []struct {
		why      string
		in, want []string
	}{
		{"repetitions go, the order stays", []string{"b.py", "a.py", "b.py"}, []string{"b.py", "a.py"}},
		{"other spellings of one file", []string{"a/b.py", "./a/b.py", "a//b.py", `a\b.py`, "a/x/../b.py", " a/b.py\n"}, []string{"a/b.py"}},
		{"upper case is another file", []string{"A.py", "a.py"}, []string{"A.py", "a.py"}},
		{"nothing is no file", []string{"", " ", ".", "./"}, []string{}},
		{"what lies outside stays outside", []string{"../a.py", "/a.py"}, []string{"../a.py", "/a.py"}},
	} {
		if got := measure.Paths(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q gives %q, want %q", c.why, c.in, got, c.want)
		}
	}
}

func TestWithoutGoldFilesThereIsNoScore(t *testing.T) {
	if _, err := measure.ScoreFiles([]string{"a.py"}, []string{" "}); !errors.Is(err, measure.ErrNoGold) {
		t.Errorf("files: %v", err)
	}
	if _, err := measure.ScoreRanking([]string{"a.py"}, nil, 1); !errors.Is(err, measure.ErrNoGold) {
		t.Errorf("ranking: %v", err)
	}
	if _, err := measure.ScoreRanking([]string{"a.py"}, []string{"a.py"}, 0); err == nil {
		t.Error("k = 0 is no error")
	}
	if _, err := measure.MeanFiles(nil); err == nil {
		t.Error("the mean of no files is no error")
	}
	if _, err := measure.MeanRanking(nil); err == nil {
		t.Error("the mean of no rankings is no error")
	}
	if _, err := measure.MeanRanking([]measure.RankedScore{{K: 1}, {K: 3}}); err == nil {
		t.Error("the mean of two k is no error")
	}
}

// randomFiles are some of ten files, in any order.
func randomFiles(rng *rand.Rand, least int) []string {
	files := strings.Split("abcdefghij", "")
	rng.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	return files[:least+rng.IntN(len(files)+1-least)]
}

func TestFileScoreProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	var scores []measure.FileScore
	for range 1000 {
		a, b := randomFiles(rng, 1), randomFiles(rng, 1)
		one, err1 := measure.ScoreFiles(a, b)
		turned, err2 := measure.ScoreFiles(b, a)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if one.Precision != turned.Recall || one.Recall != turned.Precision || one.F != turned.F {
			t.Errorf("%v and %v: %+v, turned %+v", a, b, one, turned)
		}
		near(t, "F1 of counts", one.F, 2*float64(one.TruePositives)/float64(len(a)+len(b)))
		scores = append(scores, one)
	}
	mean, err := measure.MeanFiles(scores)
	if err != nil {
		t.Fatal(err)
	}
	if p, r := mean.Mean.Precision, mean.Mean.Recall; mean.Mean.F >= 2*p*r/(p+r) {
		t.Errorf("the mean F1 %v is not below that of the means %v and %v", mean.Mean.F, p, r)
	}
	for name, s := range map[string]measure.Share{"P=0": mean.ZeroPrecision, "R=0": mean.ZeroRecall, "R=1": mean.FullRecall, "F1=1": mean.Exact} {
		if s.Count == 0 || !(s.Interval.Low < s.Rate && s.Rate < s.Interval.High) || s.Interval.Low < 0 || s.Interval.High > 1 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	rng.Shuffle(len(scores), func(i, j int) { scores[i], scores[j] = scores[j], scores[i] })
	again, err := measure.MeanFiles(scores)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean F1 in another order", again.Mean.F, mean.Mean.F)
	if again.Exact != mean.Exact || again.FullRecall != mean.FullRecall || again.ZeroRecall != mean.ZeroRecall {
		t.Errorf("extremes depend on the order: %+v and %+v", mean, again)
	}
}

func TestRankings(t *testing.T) {
	const third = 0.6309297535714575 // 1/log2(3)
	for _, c := range []struct {
		why          string
		ranked, gold string
		k            int
		want         measure.RankedScore
	}{
		{"the only gold file comes first", "a b c", "a", 1, measure.RankedScore{K: 1, Accuracy: 1, Recall: 1, AveragePrecision: 1, NDCG: 1}},
		{"it comes second", "b a c", "a", 1, measure.RankedScore{K: 1}},
		{"it comes second of three", "b a c", "a", 3, measure.RankedScore{K: 3, Accuracy: 1, Recall: 1, AveragePrecision: 0.5, NDCG: third}},
		{"one of two, with one place", "a", "a b", 1, measure.RankedScore{K: 1, Recall: 0.5, AveragePrecision: 1, NDCG: 1}},
		{"first and third of two", "a x b", "a b", 3, measure.RankedScore{K: 3, Accuracy: 1, Recall: 1, AveragePrecision: (1 + 2.0/3) / 2, NDCG: 1.5 / (1 + third)}},
		{"a list shorter than k", "a", "a b", 5, measure.RankedScore{K: 5, Recall: 0.5, AveragePrecision: 0.5, NDCG: 1 / (1 + third)}},
		{"a repetition takes no place", "x x a", "a", 3, measure.RankedScore{K: 3, Accuracy: 1, Recall: 1, AveragePrecision: 0.5, NDCG: third}},
		{"nothing predicted", "", "a", 3, measure.RankedScore{K: 3}},
	} {
		got, err := measure.ScoreRanking(strings.Fields(c.ranked), strings.Fields(c.gold), c.k)
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.why+": accuracy", got.Accuracy, c.want.Accuracy)
		near(t, c.why+": recall", got.Recall, c.want.Recall)
		near(t, c.why+": average precision", got.AveragePrecision, c.want.AveragePrecision)
		near(t, c.why+": NDCG", got.NDCG, c.want.NDCG)
		if got.K != c.want.K {
			t.Errorf("%s: k is %d", c.why, got.K)
		}
	}
}

func TestRankedScoreProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 72))
	var scores []measure.RankedScore
	for range 1000 {
		ranked, gold := randomFiles(rng, 0), randomFiles(rng, 1)
		last := measure.RankedScore{}
		for k := 1; k <= 10; k++ {
			s, err := measure.ScoreRanking(ranked, gold, k)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range []float64{s.Accuracy, s.Recall, s.AveragePrecision, s.NDCG} {
				if !(x >= 0 && x <= 1+tolerance) {
					t.Errorf("%v against %v: %+v", ranked, gold, s)
				}
			}
			if s.Accuracy < last.Accuracy || s.Recall < last.Recall {
				t.Errorf("%v against %v: a longer list is worth less: %+v, then %+v", ranked, gold, last, s)
			}
			if k == 10 {
				scores = append(scores, s)
			}
			last = s
		}
		files, err := measure.ScoreFiles(ranked, gold)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "recall of the whole list", last.Recall, files.Recall)
	}
	mean, err := measure.MeanRanking(scores)
	if err != nil {
		t.Fatal(err)
	}
	rng.Shuffle(len(scores), func(i, j int) { scores[i], scores[j] = scores[j], scores[i] })
	again, err := measure.MeanRanking(scores)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "MAP in another order", again.AveragePrecision, mean.AveragePrecision)
	near(t, "NDCG in another order", again.NDCG, mean.NDCG)
}

func FuzzPaths(f *testing.F) {
	for _, s := range []string{"a/b.py\n./a/b.py", `..\x`, "/", "a/../.."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := measure.Paths(strings.Split(s, "\n"))
		if twice := measure.Paths(once); !slices.Equal(once, twice) {
			t.Errorf("%q: %q, then %q", s, once, twice)
		}
	})
}
