package measures_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/bertscore"
	"touchstone/internal/doctocode/measures"
)

func TestEveryMeasureOfTheCatalogueHasItsPlace(t *testing.T) {
	keys, titles := map[measures.Key]bool{}, map[string]bool{}
	for _, m := range measures.Catalogue {
		if keys[m.Key] || titles[m.Label()] {
			t.Errorf("%s (%s) is listed twice", m.Key, m.Label())
		}
		keys[m.Key], titles[m.Label()] = true, true
		if m.Title == "" || m.About == "" || m.Source == "" || m.Direction == "" || m.High <= m.Low || !slices.Contains(measures.Pairs, m.Pair) {
			t.Errorf("%+v lacks something", m)
		}
		if _, ok := measures.Lookup(m.Pool); m.Pool != "" && !ok {
			t.Errorf("%s is pooled by %q, which is no measure", m.Key, m.Pool)
		}
	}
}

func TestOneComputerFillsEachMeasure(t *testing.T) {
	filled := map[measures.Key]int{}
	computers := append(measures.Computers(nil, nil), measures.Similarities(&bertscore.Scorer{Kind: bertscore.Text}, &bertscore.Scorer{Kind: bertscore.Code})...)
	computers = append(computers, measures.Helpfulness{})
	for _, c := range computers {
		first, _ := measures.Lookup(c.Measures()[0])
		for _, key := range c.Measures() {
			m, ok := measures.Lookup(key)
			if !ok || m.OfReplies() != first.OfReplies() {
				t.Errorf("%s: %+v", key, m)
			}
			filled[key]++
		}
	}
	for _, m := range measures.Catalogue {
		if filled[m.Key] != 1 {
			t.Errorf("%d computers fill %s", filled[m.Key], m.Key)
		}
	}
}

func TestUndefinedIsNeitherZeroNorNotComputed(t *testing.T) {
	values := []float64{0, measures.Undefined, measures.NotComputed, -1.5, math.NaN(), math.Inf(1)}
	states := []measures.State{measures.IsDefined, measures.IsUndefined, measures.IsNotComputed, measures.IsDefined, measures.IsNotComputed, measures.IsNotComputed}
	back, err := measures.Unpack(measures.Pack(values))
	if err != nil || len(back) != len(values) {
		t.Fatal(back, err)
	}
	for i, v := range back {
		if measures.StateOf(v) != states[i] || measures.StateOf(values[i]) != states[i] || states[i] == measures.IsDefined && v != values[i] {
			t.Errorf("%d: %v is %s, want %s", i, v, measures.StateOf(v), states[i])
		}
	}
	if _, err := measures.Unpack(make([]byte, 9)); err == nil {
		t.Error("nine bytes are a column")
	}
}

func TestAMeanIsOverTheTasksThatHaveAValue(t *testing.T) {
	u, n := measures.Undefined, measures.NotComputed
	cases := []struct {
		values, pool []float64
		want         measures.Summary
	}{
		{[]float64{0, 1, u, n, 0.5}, nil, measures.Summary{Mean: 0.5, Defined: 3, Undefined: 1, NotComputed: 1}},
		{[]float64{1, 0.25, 0, u}, []float64{1, 4, 0, u}, measures.Summary{Mean: 0.4, Defined: 3, Undefined: 1}},
		{[]float64{0, 0}, []float64{0, 0}, measures.Summary{Mean: 0, Defined: 2}},
	}
	for _, c := range cases {
		if got := measures.Summarize(c.values, c.pool); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.values, got, c.want)
		}
	}
	for _, values := range [][]float64{nil, {u}, {n}} {
		if got := measures.Summarize(values, nil); !math.IsNaN(got.Mean) {
			t.Errorf("%v has the mean %v", values, got.Mean)
		}
	}
}

func TestWithoutASandboxTheReasonIsSaid(t *testing.T) {
	c := measures.DocAgent{}
	if err := c.Ready(context.Background()); err == nil {
		t.Error("it is ready")
	}
	if _, _, err := c.Compute(context.Background(), measures.Repository{}); err == nil {
		t.Error("it computed something")
	}
}

func TestAnUnknownMeasureIsNamedWithThoseThereAre(t *testing.T) {
	var wrong *benchmark.InputError
	if err := measures.NoMeasure("x", "bleurt"); !errors.As(err, &wrong) || wrong.Field != "x" || wrong.Mend == "" {
		t.Error(err)
	}
}

func item(docstring, original, body string, replies ...string) measures.Item {
	return measures.Item{Task: "acme/tool:a.py::f", Docstring: measures.Text{Text: docstring, There: docstring != ""},
		Original: measures.Text{Text: original, There: original != ""}, Body: body, Bodies: replies}
}

func TestTheTextsOfATaskGiveItsMeasures(t *testing.T) {
	const body = "total = 0\nfor x in items:\n    total += x * 2\nreturn total"
	items := []measures.Item{
		item("Add up the numbers twice.", "Add up the numbers twice.", body, body, "return 1"),
		item("", "Something.", body),
		item("Says nothing.", "", body),
		item("Code::\n\n    "+body, "Something else.", body, body),
	}
	u := measures.Undefined
	want := map[measures.Key][]float64{
		"rouge1_f_doc_doc":       {1, u, u, 0},
		"bleu_doc_doc":           {1, u, u, 0},
		"sacrebleu_code_code":    {math.NaN(), u, u, 1},
		"rouge1_f_code_code":     {math.NaN(), u, u, 1},
		"rouge1_recall_code_doc": {0, u, 0, 1},
		measures.LeakFlagged:     {0, u, 0, 1},
		measures.LeakSevere:      {0, u, 0, 1},
		measures.LeakCoverage:    {0, u, 0, math.NaN()},
		measures.Words:           {5, u, 2, math.NaN()},
	}
	got := map[measures.Key][]float64{}
	for _, c := range measures.Texts {
		if err := c.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		columns, missing, err := c.Compute(t.Context(), measures.Repository{Name: "acme/tool", Items: items})
		if err != nil || missing != "" || len(columns) != len(c.Measures()) {
			t.Fatal(len(columns), missing, err)
		}
		for i, key := range c.Measures() {
			got[key] = columns[i]
		}
	}
	for key, values := range want {
		for i, v := range values {
			have := got[key][i]
			if measures.StateOf(v) == measures.IsNotComputed { // only that there is one, and that it is no bound
				if measures.StateOf(have) != measures.IsDefined || have <= 0 {
					t.Errorf("%s of task %d is %v", key, i, have)
				}
			} else if measures.StateOf(have) != measures.StateOf(v) || measures.StateOf(v) == measures.IsDefined && math.Abs(have-v) > 1e-12 {
				t.Errorf("%s of task %d is %v (%s), want %v", key, i, have, measures.StateOf(have), v)
			}
		}
	}
	if half := got["rouge1_f_code_code"][0]; half >= 1 {
		t.Errorf("one reply of two is the original, and the mean is %v", half)
	}
}

func TestComputingStopsWhenItIsToldTo(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := measures.Texts[0].Compute(ctx, measures.Repository{Items: []measures.Item{item("a", "b", "c")}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
