package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/evaluator"
)

// From the form to the evidence, with the real engine, sandbox and tests.
func TestAnUploadIsJudgedToTheEnd(t *testing.T) {
	d := newDesk(t, true, evaluator.Reference, evaluator.Stub)
	d.run()
	b := d.browser()
	at := b.upload(submitPath, fields(d.token("Ada", account.Submitter)), "docs.jsonl", sampleFile(t, "summary")).is(http.StatusSeeOther).location()
	b.get(at).is(http.StatusOK).page().has("83 of 83 tasks have a docstring.", "reference", "stub")
	path := b.post(strings.TrimSuffix(at, "/preflight") + "/confirm").is(http.StatusSeeOther).location()

	events, pictures, limit := d.browser().listen(path+"/events"), 0, time.After(5*time.Minute)
	for over := false; !over; {
		select {
		case e, open := <-events:
			if !open {
				t.Fatal("the stream ended too early")
			}
			over = e.name == "over"
			if e.name == "standing" {
				pictures++
			}
		case <-limit:
			t.Fatal("it does not end")
		}
	}
	if pictures < 3 {
		t.Errorf("only %d pictures came on the way", pictures)
	}

	page := b.get(path).is(http.StatusOK).page()
	if rows := page.table("verdicts-table"); fmt.Sprint(rows[1]) != "[reference 83 0 0 0 0 0 0 0 0 0]" || fmt.Sprint(rows[2][1]) != "0" {
		t.Errorf("verdicts: %q", rows)
	}
	for _, row := range page.table("repositories-table")[1:] {
		if row[2] != "1.000" || row[3] != "0.000" {
			t.Errorf("repositories: %q", row)
		}
	}
	page.has("evaluation under reference finished", "evaluation under stub finished")
	page.hasNot("samples have a verdict", "Cancel", "Retry")

	lines := rowsOf(t, b.get(path+"/tasks.csv").is(http.StatusOK).body)
	for _, line := range lines {
		want := map[string]string{"reference": "all", "stub": "none"}[line["evaluator"]]
		if line["outcome"] != want || line["samples"] != "1" || line["documented"] != "true" {
			t.Errorf("%v", line)
		}
	}
	if len(lines) != 2*83 {
		t.Errorf("%d lines", len(lines))
	}

	var j submissionJSON
	b.get("/api/v1" + path).is(http.StatusOK).into(&j)
	for _, e := range j.Evaluations {
		want := map[string]float64{"reference": 1, "stub": 0}[e.Evaluator]
		if len(e.Scores) != 3 || e.Scores[0].Value != want || e.Scores[0].Tasks != 83 || e.SamplesDone != 83 || e.Verdicts[benchmark.InfraError] != 0 {
			t.Errorf("%+v", e)
		}
	}

	stub := b.get(path + "/tasks/" + oneTask + "?evaluator=stub").is(http.StatusOK)
	safe(t, stub)
	candidates := stub.page().part("candidates")
	candidates.has("reference 1 of 1 passed", "stub 0 of 1 passed", "failed", "Did not pass: tests/test_interval.py::", "Traceback", "+ added pass", "Show the reply", "```python pass ```")
	reference := b.get(path + "/tasks/" + oneTask + "?evaluator=reference").is(http.StatusOK).page().part("candidates")
	reference.has("passed", "No line differs.", "Exactly the expected tests ran, and each passed.")

	board := b.get("/doc-to-code").is(http.StatusOK).page()
	board.has("Agent", "some-model")
	row := rowsOf(t, b.get("/doc-to-code.csv?release=starter@1&controls=1").is(http.StatusOK).body)
	found := 0
	for _, line := range row {
		if line["submission"] == j.ID && line["k"] == "1" {
			found++
		}
	}
	if found != 2 {
		t.Errorf("the leaderboard has %d rows of it: %v", found, row)
	}
}
