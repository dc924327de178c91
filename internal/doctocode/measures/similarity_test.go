package measures_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"touchstone/internal/doctocode/bertscore"
	"touchstone/internal/doctocode/bertscore/bertscoretest"
	"touchstone/internal/doctocode/measures"
)

func TestRegisteredModelsCompareTheTextsOfATask(t *testing.T) {
	r := bertscoretest.Registry(t, t.TempDir())
	text, code := bertscoretest.Scorer(t, bertscore.Text, r), bertscoretest.Scorer(t, bertscore.Code, r)
	all := measures.Similarities(text, code)
	before := all[0].Version()
	for _, c := range all {
		if err := c.Ready(t.Context()); !errors.Is(err, bertscore.ErrNotRegistered) || !strings.Contains(err.Error(), "touchstone models add ") {
			t.Errorf("%v", err)
		}
	}
	for scorer, dir := range map[*bertscore.Scorer]string{text: "bert", code: "roberta"} {
		if _, err := scorer.Add(t.Context(), bertscoretest.Tiny(scorer.Kind), "../bertscore/testdata/"+dir); err != nil {
			t.Fatal(err)
		}
	}
	if after := all[0].Version(); after == before || !strings.Contains(after, "tiny, layer 2") {
		t.Errorf("the version was %q and is %q", before, after)
	}
	const body = "total = 0\nfor x in items:\n    total += x\nreturn total"
	items := []measures.Item{
		item("Add up the numbers.", "Add up the numbers.", body, body, "return 1", body),
		item("", "Something.", body),
		item("Says nothing.", "", body, "()"),
	}
	got := map[measures.Key][]float64{}
	for _, c := range all {
		columns, missing, err := c.Compute(t.Context(), measures.Repository{Name: "acme/tool", Items: items})
		if err != nil || missing != "" {
			t.Fatal(missing, err)
		}
		for i, key := range c.Measures() {
			got[key] = columns[i]
		}
	}
	direct := func(s *bertscore.Scorer, candidate, reference string) bertscore.Score {
		t.Helper()
		scores, err := s.Score(t.Context(), []bertscore.Pair{{Candidate: candidate, Reference: reference}})
		if err != nil {
			t.Fatal(err)
		}
		return scores[0]
	}
	other, doc := direct(code, "return 1", body), direct(code, "Add up the numbers.", body)
	u := measures.Undefined
	for key, want := range map[measures.Key][]float64{
		"bertscore_f_doc_doc":               {1, u, u},
		"bertscore_precision_doc_doc":       {1, u, u},
		"codebertscore_f3_code_doc":         {doc.F3, u, direct(code, "Says nothing.", body).F3},
		"codebertscore_recall_code_doc":     {doc.Recall, u, direct(code, "Says nothing.", body).Recall},
		"codebertscore_f1_code_code":        {(2 + other.F1) / 3, u, 0},
		"codebertscore_recall_code_code":    {(2 + other.Recall) / 3, u, 0},
		"codebertscore_precision_code_code": {(2 + other.Precision) / 3, u, 0},
	} {
		for i, v := range want {
			have := got[key][i]
			if measures.StateOf(have) != measures.StateOf(v) || !math.IsNaN(v) && math.Abs(have-v) > 1e-6 {
				t.Errorf("%s of item %d is %v, want %v", key, i, have, v)
			}
		}
	}
	if len(got) != 3+4+4 {
		t.Errorf("%d columns", len(got))
	}
}
