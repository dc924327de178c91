package leaderboard

import (
	"math"
	"slices"
	"testing"

	"touchstone/internal/doctocode/measures"
	"touchstone/internal/store"
)

func TestImportedValuesStandBesideTheSitesOwn(t *testing.T) {
	m := newMatrixSite(t)
	other, _ := m.judge(t, "Other", store.DocsFile, []int{1, 1, 1, 1, 1})
	key := measures.Key("bleu_doc_doc")
	own := store.Measurement{SubmissionID: m.submission.ID, Measure: string(key), Version: "1", Values: measures.Pack([]float64{0, 0, 0, 0, 1})}
	imported := own
	imported.Measure, imported.Provenance, imported.Values = string(key.Imported()), "sacrebleu, by Ada", measures.Pack([]float64{1, 0.5, measures.Undefined, measures.NotComputed, 0})
	imported.Reason = "the imported file had no value for 1 task of 5"
	must(t, m.db.PutMeasurements(t.Context(), []store.Measurement{own, imported}))

	rows := m.set(t).Matrix.Rows
	if c := rows[0].Column(key, ""); c.Provenance != "" || !slices.Equal(c.Values, []float64{0, 0, 0, 0, 1}) {
		t.Errorf("%+v", c)
	}
	if c := rows[0].Column(key.Imported(), ""); c.Provenance != "sacrebleu, by Ada" || c.Values[1] != 0.5 {
		t.Errorf("%+v", c)
	}
	if c := rows[1].Column(key.Imported(), ""); rows[1].Row.Submission != other.PublicID || c.Values != nil || c.Reason != "nothing was imported" {
		t.Errorf("%+v", c)
	}
	all := Measures(rows)
	at := slices.IndexFunc(all, func(x measures.Measure) bool { return x.Key == key.Imported() })
	if at < 1 || all[at-1].Key != key || len(all) != len(measures.Catalogue)+1 || len(Measures(rows[1:])) != len(measures.Catalogue) {
		t.Errorf("%d of %d", at, len(all))
	}

	shown, err := MeasuredOf(t.Context(), m.db, m.submission.ID, nil)
	must(t, err)
	at = slices.IndexFunc(shown, func(x Measured) bool { return x.Key == key.Imported() })
	if at < 1 || shown[at-1].Key != key || shown[at-1].Provenance != "" || shown[at-1].Summary.Mean != 0.2 {
		t.Fatalf("%d", at)
	}
	if x := shown[at]; x.Provenance != "sacrebleu, by Ada" || x.Summary != (measures.Summary{Mean: 0.5, Defined: 3, Undefined: 1, NotComputed: 1}) || math.IsNaN(x.Summary.Mean) {
		t.Errorf("%+v", x)
	}
	for _, task := range []int{0, 2, 3} {
		_, state, _ := shown[at].Of(task)
		if want := []measures.State{measures.IsDefined, "", measures.IsUndefined, measures.IsNotComputed}[task]; state != want {
			t.Errorf("task %d is %s", task, state)
		}
	}
}
