package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/store"
)

// mixed gives the first 30 tasks of a submission a verdict: every third passes,
// every tenth has no reply.
func (d *desk) mixed(sub store.Submission) {
	d.Helper()
	ctx := d.Context()
	tasks, err := d.db.Tasks(ctx, sub.ReleaseID)
	d.check(err)
	evaluations, err := d.db.Evaluations(ctx, sub.ID)
	d.check(err)
	for _, e := range evaluations {
		units, err := d.db.ReadyUnits(ctx, e.ID, store.StageGenerate, time.Now(), nil, 100)
		d.check(err)
		for _, u := range units {
			if u.LastTask >= 30 {
				continue
			}
			var completions []store.Completion
			var verdicts []store.Verdict
			for i := u.FirstTask; i <= u.LastTask; i++ {
				v := store.Verdict{EvaluationID: e.ID, TaskID: tasks[i].ID, Verdict: benchmark.Failed}
				if i%3 == 0 {
					v.Verdict = benchmark.Passed
				}
				if i%10 == 0 {
					v.Verdict = benchmark.InfraError
				}
				completions, verdicts = append(completions, store.Completion{EvaluationID: e.ID, TaskID: tasks[i].ID, Body: "pass"}), append(verdicts, v)
			}
			d.check(d.db.Replied(ctx, u.ID, completions, 0))
			d.check(d.db.Executed(ctx, u.ID, verdicts))
		}
	}
}

func TestTasksAreFilteredByWhatBecameOfThem(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub, evaluator.Reference)
	sub := d.program(d.token("Ada", account.Submitter)).queued("Agent", oneLine("Words."))
	d.mixed(sub)
	tasks, err := d.db.Tasks(t.Context(), sub.ReleaseID)
	d.check(err)
	// The second unit ends behind task 30, so that 20 or 27 tasks have run.
	ran, passed, uncounted := 0, 0, 0
	counts, err := d.db.TaskCounts(t.Context(), 1)
	d.check(err)
	for _, c := range counts {
		ran++
		passed += c.Passed
		if c.Samples == 0 {
			uncounted++
		}
	}
	if ran < 20 || passed == 0 || uncounted == 0 {
		t.Fatal(ran, passed, uncounted)
	}
	b, at := d.browser(), submissionPath(sub)+"/tasks"
	lines := func(query string) []map[string]string {
		t.Helper()
		return rowsOf(t, b.get(at+".csv"+query).is(http.StatusOK).body)
	}
	for query, want := range map[string]int{
		"":                                2 * 83,
		"?evaluator=stub":                 83,
		"?evaluator=stub&outcome=all":     passed,
		"?evaluator=stub&outcome=none":    ran - passed - uncounted,
		"?evaluator=stub&outcome=some":    0,
		"?outcome=uncounted":              2 * (83 - ran + uncounted),
		"?repository=touchstone%2Fspans":  2 * 27,
		"?q=INTERVAL.SPLIT":               2,
		"?q=merge_labelled.%3Clocals%3E.": 2,
		"?repository=acme%2Fnone":         0,
	} {
		if got := len(lines(query)); got != want {
			t.Errorf("%s: %d lines, want %d", query, got, want)
		}
	}
	first := lines("?evaluator=stub")[0]
	if want := fmt.Sprint(map[string]string{"submission": sub.PublicID, "release": "starter@1", "task_id": tasks[0].Key, "repository": "touchstone/spans", "path": "src/spans/interval.py",
		"qualname": "Interval.flags", "documented": "true", "tests": fmt.Sprint(tasks[0].Tests), "evaluator": "stub", "state": "queued", "samples": "0", "passed": "0", "outcome": "uncounted"}); fmt.Sprint(first) != want {
		t.Errorf("got %v\nwant %v", first, want)
	}
	page := b.get(at + "?evaluator=stub&outcome=all&repository=touchstone/spans&q=src").is(http.StatusOK).page()
	page.has("Showing tasks of touchstone/spans, judged by stub, all samples passed, name contains “src”.", "1 of 1")
	page.hasNot("reference samples that passed")
	b.get(at + "?q=nothing").page().has("No task fits these filters.")
	b.get(at + "?evaluator=none").is(http.StatusUnprocessableEntity)
	b.get(at + "?outcome=good").is(http.StatusUnprocessableEntity).page().has("choose all, some, none or uncounted")
	var answer struct{ Rows []map[string]string }
	b.get("/api/v1" + at + "?evaluator=stub").is(http.StatusOK).into(&answer)
	if len(answer.Rows) != 83 || answer.Rows[0]["task_id"] != tasks[0].Key {
		t.Errorf("%d rows", len(answer.Rows))
	}
}

func TestATaskLeadsToItsEvidenceWhateverItsNameHolds(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	sub := d.program(d.token("Ada", account.Submitter)).queued("Agent", oneLine("Words."))
	b := d.browser()
	links := map[string]bool{}
	for _, a := range []string{"", "?q=%231", "?q=locals"} {
		for _, address := range b.get(submissionPath(sub) + "/tasks" + a).is(http.StatusOK).page().part("tasks-table").links() {
			links[address] = true
		}
	}
	special := 0
	for address := range links {
		u, err := url.Parse(address)
		d.check(err)
		key := strings.TrimPrefix(u.Path, submissionPath(sub)+"/tasks/")
		if key == u.Path {
			continue // the CSV
		}
		if strings.ContainsAny(key, "#<") {
			special++
		}
		if page := b.get(address).is(http.StatusOK).page(); !strings.Contains(page.text(), key) {
			t.Errorf("%s does not lead to %s", address, key)
		}
	}
	if len(links) < 83 || special < 5 {
		t.Errorf("%d links, %d of them with # or <", len(links), special)
	}
}

func TestAPageHasAHundredTasks(t *testing.T) {
	results := &taskResults{evaluations: []store.Evaluation{{Evaluator: store.Evaluator{Name: "stub"}}}}
	for i := range 1000 {
		id := benchmark.TaskID{Repository: fmt.Sprint("acme/r", i/300), Path: "a.py", Qualname: fmt.Sprint("f", i)}
		results.tasks = append(results.tasks, taskResult{Task: store.Task{Key: id.String()}, id: id, counts: []taskCount{{}}})
	}
	sub := store.Submission{PublicID: "x"}
	table := tasksTable(sub, results, results.tasks[250:350], "")
	if len(table.Groups) != 2 || table.Groups[1].Heading != "acme/r1" || len(table.Groups[0].Rows)+len(table.Groups[1].Rows) != 100 {
		t.Errorf("%d groups", len(table.Groups))
	}
	if !strings.HasPrefix(table.Caption, "1,000 tasks") {
		t.Error(table.Caption)
	}
}

func TestAnOutcomeIsOfTheSamplesThatCount(t *testing.T) {
	for c, want := range map[taskCount]outcome{{0, 0}: notCounted, {5, 5}: allPassed, {5, 0}: nonePassed, {5, 1}: somePassed, {1, 1}: allPassed} {
		if got := c.outcome(); got != want {
			t.Errorf("%+v is %s, want %s", c, got, want)
		}
	}
}
