package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/store"
)

func TestOnlyItsOwnerCancelsAndRetries(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	owner, stranger := d.program(d.token("Ada", account.Submitter)), d.program(d.token("Bob", account.Submitter))
	operator, nobody := d.program(d.token("Op", account.Operator)), d.browser()
	sub := owner.queued("Agent", oneLine("Words."))
	state := func(want store.State) {
		t.Helper()
		if now := d.stored(sub.PublicID); now.State != want {
			t.Errorf("it is %s, want %s", now.State, want)
		}
	}
	for _, act := range []string{"/cancel", "/retry"} {
		stranger.post(submissionPath(sub) + act).is(http.StatusForbidden).page().has("Only who submitted this may do that.")
		nobody.post(submissionPath(sub) + act).is(http.StatusUnauthorized).page().has("This needs a token.")
		stranger.post("/api/v1" + submissionPath(sub) + act).is(http.StatusForbidden)
		nobody.post("/api/v1" + submissionPath(sub) + act).is(http.StatusUnauthorized)
		nobody.get(submissionPath(sub) + act).is(http.StatusMethodNotAllowed)
	}
	state(store.Queued)
	owner.get(submissionPath(sub)).page().part("main").hasNot("Retry")
	if at := owner.post(submissionPath(sub) + "/cancel").is(http.StatusSeeOther).location(); at != submissionPath(sub) {
		t.Errorf("it leads to %s", at)
	}
	state(store.Cancelled)
	owner.post(submissionPath(sub) + "/cancel").is(http.StatusSeeOther) // once more
	page := owner.get(submissionPath(sub)).is(http.StatusOK).page()
	page.has("Retry what did not finish", "The evaluation under stub was cancelled.", "0 of 83 samples have a verdict.")
	operator.post(submissionPath(sub) + "/retry").is(http.StatusSeeOther)
	state(store.Queued)
	operator.post("/api/v1" + submissionPath(sub) + "/cancel").is(http.StatusOK)
	state(store.Cancelled)
}

func TestEveryFailureIsExplained(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	owner := d.program(d.token("Ada", account.Submitter))
	sub := owner.queued("Agent", oneLine("Words."))
	units, err := d.db.ReadyUnits(t.Context(), 1, store.StageGenerate, time.Now(), nil, 1)
	d.check(err)
	_, err = d.db.UnitFailed(t.Context(), units[0].ID, "the disk is <b>full</b>\u202e", time.Now().Add(time.Hour))
	d.check(err)
	a := d.browser().get(submissionPath(sub)).is(http.StatusOK)
	a.page().has("20 samples under stub failed on the machine's side, once so far.", "the disk is <b>full</b>‹U+202E›", "They are tried again at")
	safe(t, a)
	d.check(d.db.FailEvaluation(t.Context(), 1, "the key is rejected <script>alert(1)</script>"))
	a = d.browser().get(submissionPath(sub)).is(http.StatusOK)
	a.page().has("failed", "The evaluation under stub failed.", "the key is rejected <script>alert(1)</script>", "evaluation under stub failed: the key")
	safe(t, a)
}

// finished ends the first evaluation of a submission with scores.
func (d *desk) finished(sub store.Submission, verdict benchmark.Verdict) {
	d.Helper()
	e := d.answerAll(sub, store.Completion{Reply: "```python\nreturn 1\n```", Body: "return 1", Model: "stub"}, store.Verdict{Verdict: verdict, Strategy: "swapped", Seconds: 0.5})
	f := store.Finish{Verdicts: map[benchmark.Verdict]int{verdict: 83}}
	if verdict == benchmark.InfraError {
		f.Missing = 83
	} else {
		low, high := 0.25, 0.75
		for _, a := range store.Aggregations {
			f.Scores = append(f.Scores, store.Score{EvaluationID: e.ID, Aggregation: a, K: 1, Value: 0.5, Low: &low, High: &high, Repositories: 3, Tasks: 83})
		}
		for _, r := range d.release.Repositories {
			f.Repositories = append(f.Repositories, store.RepositoryScore{EvaluationID: e.ID, RepositoryID: r.ID, K: 1, Value: 0.5, Tasks: r.Tasks})
		}
	}
	tasks, err := d.db.Tasks(d.Context(), sub.ReleaseID)
	d.check(err)
	for _, t := range tasks {
		x := store.TaskScore{EvaluationID: e.ID, TaskID: t.ID, RepositoryID: t.RepositoryID}
		if verdict.Counts() {
			x.Samples = 1
		}
		if verdict == benchmark.Passed {
			x.Passed = 1
		}
		f.Tasks = append(f.Tasks, x)
	}
	d.check(d.db.FinishEvaluation(d.Context(), e.ID, f))
}

func TestAPageShowsHowFarARunningSubmissionHasCome(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	sub := d.program(d.token("Ada", account.Submitter)).queued("Agent", oneLine("Words."))
	d.check(d.db.Start(t.Context(), 1))
	d.answerAll(sub, store.Completion{Body: "pass"}, store.Verdict{Verdict: benchmark.Failed, Seconds: 0.25})
	page := d.browser().get(submissionPath(sub)).is(http.StatusOK).page()
	page.has("running", "83 of 83 samples have a verdict", "not computed: the evaluation is running")
	if rows := page.table("verdicts-table"); fmt.Sprint(rows[1]) != "[stub 0 83 0 0 0 0 0 0 0 0]" {
		t.Errorf("verdicts: %q", rows[1])
	}
	if rows := page.table("repositories-table"); fmt.Sprint(rows[1]) != "[touchstone/fadecache 28 28 of 28]" {
		t.Errorf("repositories: %q", rows[1])
	}
	if rows := page.table("evaluations-table"); !strings.Contains(fmt.Sprint(rows[1]), "20.8 s") {
		t.Errorf("evaluations: %q", rows[1])
	}
}

func TestAPageShowsWhatAFinishedSubmissionIsWorth(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	sub := d.program(d.token("Ada", account.Submitter)).queued("Agent", oneLine("Words."))
	d.finished(sub, benchmark.Passed)
	a := d.browser().get(submissionPath(sub)).is(http.StatusOK)
	page := a.page()
	if rows := page.table("scores-table"); len(rows) != 5 || !strings.HasPrefix(rows[2][1], "0.500 ±.250") || rows[2][2] != "3" || rows[2][3] != "83" || rows[4][0] != "tasks, weighted by tests" {
		t.Errorf("scores: %q", rows)
	}
	if rows := page.table("repositories-table"); fmt.Sprint(rows[1]) != "[touchstone/fadecache 28 0.500]" {
		t.Errorf("repositories: %q", rows[1])
	}
	page.has("evaluation under stub finished", "1 task of 83 documented")
	if strings.Contains(a.body, "sse-connect") {
		t.Error("what is over is waited for")
	}
	var j submissionJSON
	d.browser().get("/api/v1" + submissionPath(sub)).is(http.StatusOK).into(&j)
	if j.State != store.Finished || j.SamplesDone != 83 || len(j.Evaluations) != 1 || len(j.Evaluations[0].Scores) != 3 || len(j.Evaluations[0].Repositories) != 3 ||
		*j.Evaluations[0].Scores[0].Low != 0.25 || j.Evaluations[0].Verdicts[benchmark.Passed] != 83 || j.Place != 0 || j.Report != nil {
		t.Errorf("%+v", j)
	}
}

func TestSamplesWithoutAReplyAreExplained(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	sub := d.program(d.token("Ada", account.Submitter)).queued("Agent", oneLine("Words."))
	d.finished(sub, benchmark.InfraError)
	page := d.browser().get(submissionPath(sub)).is(http.StatusOK).page()
	page.has("83 samples under stub have no reply.", "They count neither for nor against the docstrings", "no task has a sample that counts")
}

func TestAControlSaysWhatItIs(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	who := d.account("Ada")
	sub := store.Submission{PublicID: "original1", Track: "doc-to-code", ReleaseID: d.release.ID, AccountID: who.ID, Docs: store.DocsOriginal, State: store.Finished, Tasks: 83}
	system, err := d.db.SystemNamed(t.Context(), store.System{Slug: "o", Name: "Original"})
	d.check(err)
	sub.SystemID = system.ID
	d.check(d.db.AddSubmission(t.Context(), &sub))
	d.browser().get("/submissions/original1").is(http.StatusOK).page().has("control: the repositories' own", "There is no evaluation of it.")
	d.browser().get("/submissions/original1/tasks").is(http.StatusOK)
	d.program(d.token("Ada", account.Submitter)).get("/submissions/original1/preflight").is(http.StatusNotFound)
	page := d.browser().get("/submissions/original1/tasks/" + oneTask).is(http.StatusOK).page()
	page.has("There is no evaluation of this submission.")
}

func TestJSONOfASubmissionIsStable(t *testing.T) {
	text, err := json.Marshal(submissionJSON{Evaluations: []evaluationJSON{{}}})
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"id", "url", "track", "state", "system", "model", "version", "link", "notes", "release", "submitter", "docs", "sha256", "tasks", "documented",
		"created", "submitted", "ended", "samples", "samples_done", "evaluations"} {
		if _, ok := fields[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
}
