package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"touchstone/internal/doctocode/measures"
	"touchstone/internal/store"
)

// measure keeps values of a measure of a submission's docstrings: the same for
// every task, but for those that are given by their place.
func (r *reference) measure(sub store.Submission, evaluation uint64, key measures.Key, value float64, reason string, other map[int]float64) {
	r.Helper()
	m := store.Measurement{SubmissionID: sub.ID, EvaluationID: evaluation, Measure: string(key), Version: "1", Reason: reason}
	if measures.StateOf(value) != measures.IsNotComputed {
		values := make([]float64, r.release().Tasks)
		for i := range values {
			values[i] = value
		}
		for i, v := range other {
			values[i] = v
		}
		m.Values = measures.Pack(values)
	}
	r.check(r.db.PutMeasurements(r.Context(), []store.Measurement{m}))
	r.restart()
}

func (r *reference) evaluation(sub store.Submission) store.Evaluation {
	r.Helper()
	all, err := r.db.Evaluations(r.Context(), sub.ID)
	r.check(err)
	return all[0]
}

func TestASubmissionShowsItsMeasuresAndWhyThereAreNone(t *testing.T) {
	r := newReference(t)
	sub := r.judge(judgment{system: "Agent", evaluator: "judge", value: 0.5})
	r.measure(sub, 0, "bleu_doc_doc", 0.25, "touchstone/spans: <b>no</b> Python", map[int]float64{0: measures.NotComputed, 1: measures.Undefined})
	r.measure(sub, 0, measures.Completeness, measures.NotComputed, "there is no Python", nil)
	r.measure(sub, 0, measures.Words, 40, "", map[int]float64{0: 39})
	r.measure(sub, r.evaluation(sub).ID, "bleu_code_code", 0.75, "", nil)
	table := r.page("/submissions/" + sub.PublicID).table("measures-table")
	lines := map[string]string{}
	heading := ""
	for _, line := range table[1:] {
		if len(line) == 1 {
			heading = strings.SplitN(line[0], ":", 2)[0]
			continue
		}
		lines[heading+" "+line[0]] = strings.Join(line[1:], " | ")
	}
	for name, want := range map[string]string{
		"doc-doc BLEU":                    "0.250 | 81 | 1 | Not computed for 1 task: touchstone/spans: <b>no</b> Python.",
		"doc Completeness":                "not computed: there is no Python",
		"doc Length words":                "40.0 | 83 | 0",
		"code-code under judge BLEU":      "0.750 | 83 | 0",
		"code-code under judge sacreBLEU": "in the background",
	} {
		if !strings.Contains(lines[name], want) {
			t.Errorf("%s: %q instead of %q", name, lines[name], want)
		}
	}
	if len(lines) != len(measures.Catalogue) {
		t.Errorf("%d lines for %d measures: %v", len(lines), len(measures.Catalogue), lines)
	}
	if to := record(r, httptest.NewRequest(http.MethodGet, "/submissions/"+sub.PublicID+"/measures", nil)).Header().Get("Location"); to != "/submissions/"+sub.PublicID+"#measures" {
		t.Errorf("the measures are at %q", to)
	}
}

func TestTheFileOfMeasuresHasEveryTaskAndState(t *testing.T) {
	r := newReference(t)
	sub := r.judge(judgment{system: "Agent", evaluator: "judge", value: 0.5})
	r.measure(sub, 0, "bleu_doc_doc", 0.25, "one repository broke off", map[int]float64{0: measures.NotComputed, 1: measures.Undefined})
	states := map[string]int{}
	first := map[string]map[string]string{}
	rows := r.file("/submissions/" + sub.PublicID + "/measures.csv")
	for _, row := range rows {
		if row["measure"] == "bleu_doc_doc" {
			states[row["state"]]++
			first[row["state"]] = row
		}
		if row["measure"] == "words" && row["state"] != "not computed" {
			t.Errorf("%v", row)
		}
	}
	if states["defined"] != 81 || states["undefined"] != 1 || states["not computed"] != 1 || len(rows) != 83*len(measures.Catalogue) {
		t.Errorf("%v, %d rows", states, len(rows))
	}
	if x := first["defined"]; x["value"] != "0.25" || x["pair"] != "doc-doc" || x["reason"] != "" || x["submission"] != sub.PublicID {
		t.Errorf("%v", x)
	}
	if x := first["not computed"]; x["value"] != "" || x["reason"] != "one repository broke off" {
		t.Errorf("%v", x)
	}
	r.ask("/submissions/nobody/measures.csv", http.StatusNotFound)
}

func TestTheLeaderboardShowsLeaksAndCanLeaveThemOut(t *testing.T) {
	r := newReference(t)
	leaky := r.judge(judgment{system: "Leaky", evaluator: "judge", value: 0.9})
	r.judge(judgment{system: "Unmeasured", evaluator: "judge", value: 0.5})
	flags := map[int]float64{0: 1, 1: 1, 2: measures.Undefined}
	r.measure(leaky, 0, measures.LeakFlagged, 0, "", flags)
	r.measure(leaky, 0, measures.LeakSevere, 0, "", map[int]float64{0: 1, 2: measures.Undefined})
	rows := map[string]map[string]string{}
	for _, row := range r.rows("/api/v1/doc-to-code?provenance=evaluated") {
		rows[row["system"]] = row
	}
	if x := rows["Leaky"]; x["leak_flagged"] != "0.024390" || x["leak_severe"] != "0.012195" || x["leak"] != "" || x["lift"] != "" {
		t.Errorf("%v", x)
	}
	if x := rows["Unmeasured"]; x["leak_flagged"] != "" {
		t.Errorf("%v", x)
	}
	page := r.page("/doc-to-code?provenance=evaluated")
	page.part("scores-starter-1").has("0.024 · 0.012", "not computed: it is computed in the background", "Lift is not computed: no submission without docstrings was judged on every task by judge.")
	without := r.page("/doc-to-code?leak=without")
	without.has("over the tasks whose docstring gives no code away", "which tasks leak is not computed", "a paper’s are left out")
	without.hasNot("RepoAgent")
	r.ask("/doc-to-code?leak=maybe", http.StatusUnprocessableEntity)
	r.ask("/doc-to-code?leak=without&provenance=published", http.StatusUnprocessableEntity)
	if order := order(r, "sort=leak&order=asc"); order[0] != "Leaky" {
		t.Errorf("%v: who has no leak comes last", order)
	}
}

func TestTheMethodologyNamesEveryMeasure(t *testing.T) {
	page := newReference(t).page("/methodology")
	for _, m := range measures.Catalogue {
		page.part("measure-"+string(m.Key)).has(m.Title, string(m.Key), m.About, m.Source, string(m.Direction))
	}
	page.part("leak").has("twelve tokens or more")
	page.part("lift").has("no-docs")
}
