package web

import (
	"math"
	"testing"

	"touchstone/internal/doctocode/measures"
)

func TestAComparisonSaysWhatLeaksDoToIt(t *testing.T) {
	r := newReference(t)
	a, b, _ := r.duel()
	query := compareQuery(a.PublicID, b.PublicID)
	r.page("/compare"+query).has("What tasks that leak do to the difference is not computed.", "it is computed in the background")
	flag := func(flagsA, flagsB map[int]float64) {
		r.measure(a, 0, measures.LeakFlagged, 0, "", flagsA)
		r.measure(a, 0, measures.LeakSevere, 0, "", nil)
		r.measure(b, 0, measures.LeakFlagged, 0, "", flagsB)
		r.measure(b, 0, measures.LeakSevere, 0, "", nil)
	}
	flag(nil, nil)
	r.page("/compare" + query).has("No docstring of either row gives so much code away that it is flagged")
	all := r.file("/compare.csv" + query)
	if all[1]["scope"] != "without leaks" || all[1]["difference"] != all[0]["difference"] || all[1]["tasks"] != all[0]["tasks"] {
		t.Errorf("without any leak the difference is another: %v, %v", all[0], all[1])
	}
	flag(map[int]float64{0: 1, 1: 1}, map[int]float64{1: 1, 2: 1, 3: 1})
	r.page("/compare" + query).has("for both. Without them the difference, first minus second, is")
	sum, n := map[string]float64{}, map[string]float64{}
	counted := 0
	at := -1
	all = r.file("/compare.csv" + query)
	for _, line := range all {
		if line["scope"] != "task" {
			continue
		}
		if at++; at > 3 && line["difference"] != "" {
			sum[line["repository"]] += number(t, line["difference"])
			n[line["repository"]]++
			counted++
		}
	}
	mean := 0.0
	for repository, s := range sum {
		mean += s / n[repository] / float64(len(sum))
	}
	if got := number(t, all[1]["difference"]); math.Abs(got-mean) > 1e-5 || int(number(t, all[1]["tasks"])) != counted {
		t.Errorf("%v over %s tasks, want %v over %d", got, all[1]["tasks"], mean, counted)
	}
}

func TestFewRepositoriesAreSaidToProveNothing(t *testing.T) {
	r := newReference(t)
	a := r.judge(judgment{system: "A", evaluator: "judge", value: 0.9})
	b := r.judge(judgment{system: "B", evaluator: "judge", value: 0.1})
	r.page("/compare"+compareQuery(a.PublicID, b.PublicID)).has("With 3 repositories that differ, the sign-flip test cannot go below p = 0.25, but for the scatter of random signs, however large the differences: 2 of the 8 ways", "The same holds of the signed-rank test when all ways are counted")
	same := r.judge(judgment{system: "C", evaluator: "judge", value: 0.9})
	r.page("/compare" + compareQuery(a.PublicID, same.PublicID)).hasNot("the sign-flip test cannot go below")
	r.page("/compare" + compareQuery(repoAgentGPT, osaGPT)).hasNot("the sign-flip test cannot go below")
}
