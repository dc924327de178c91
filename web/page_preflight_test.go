package web

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"

	"github.com/a-h/templ"

	"touchstone/internal/account"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/evaluation"
	"touchstone/internal/llm"
	"touchstone/internal/store"
)

func TestThePreflightNamesEverythingThatDoesNotCount(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	var file bytes.Buffer
	file.Write(oneLine("First."))
	file.WriteString(`{"repo":"touchstone/spans","path":"src/spans/interval.py"}` + "\n")
	file.WriteString(`{"repo":"touchstone/spans","path":"src/spans/interval.py","qualname":"Interval.flagz","docstring":"x"}` + "\n")
	file.Write(oneLine("Second."))
	file.WriteString(`{"repo":"touchstone/spans","path":"src/spans/interval.py","qualname":"Interval.hull","docstring":"  "}` + "\n")
	file.WriteString(`{"repo":"touchstone/spans","path":"src/spans/interval.py","qualname":"Interval.cuts","docstring":"TODO"}` + "\n")
	fmt.Fprintf(&file, `{"repo":"touchstone/spans","path":"src/spans/interval.py","qualname":"Interval.split","docstring":%q}`+"\n", bytes.Repeat([]byte("word "), 2000))
	p := d.program(d.token("Ada", account.Submitter))
	sub := p.draft("Agent", file.Bytes())
	page := p.get(submissionPath(sub) + "/preflight").is(http.StatusOK).page()
	line := func(table string, cells ...string) {
		t.Helper()
		rows := page.table(table)
		if got := rows[len(rows)-1]; fmt.Sprint(got) != fmt.Sprint(cells) {
			t.Errorf("%s: got %q, want %q", table, got, cells)
		}
	}
	line("rejected-table", "2", "qualname", "is missing", "give repo, path and qualname, or task_id")
	line("unmatched-table", "3", "touchstone/spans:src/spans/interval.py::Interval.flagz", "the repository has no such function or class",
		"src/spans/interval.py::Interval.flags src/spans/interval.py::Interval.cuts src/spans/interval.py::Interval.hull")
	line("superseded-table", "1", oneTask, "4")
	line("blank-table", "5", "touchstone/spans:src/spans/interval.py::Interval.hull")
	line("placeholders-table", "6", "touchstone/spans:src/spans/interval.py::Interval.cuts", "TODO", "stands for a docstring that is missing")
	line("long-table", "7", "touchstone/spans:src/spans/interval.py::Interval.split", "10,000")
	rows := page.table("coverage-table")
	if fmt.Sprint(rows[1]) != "[touchstone/spans 27 3 24 0 0.111]" {
		t.Errorf("coverage: %q", rows[1])
	}
	if missing := page.table("missing-table"); len(missing) != 1+80 {
		t.Errorf("%d tasks are missing", len(missing)-1)
	}
}

func TestThePreflightEstimatesWhatAModelTakes(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	model, err := evaluator.NewOpenAI(llm.Config{Name: "judge", Model: "m", BaseURL: "http://localhost/v1", KeyEnv: "NO_SUCH_KEY", Samples: 3, ContextTokens: 10,
		Price: llm.Price{Input: 1000, Output: 1000}}, llm.Options{Getenv: func(string) string { return "" }})
	d.check(err)
	sub, report, err := d.engine.Draft(t.Context(), evaluation.Upload{Account: d.account("Ada"), Release: d.release, System: "Agent", Docs: store.DocsFile,
		FileName: "docs.jsonl", File: bytes.NewReader(oneLine("Words."))})
	d.check(err)
	section := estimateSection(report, []evaluation.Judge{evaluation.Model(model), {Evaluator: evaluator.Stub, Kind: store.KindControl}})
	if rows := section.Table.Groups[0].Rows; len(rows) != 2 {
		t.Fatalf("%d rows", len(rows))
	}
	e, _ := evaluation.Model(model).Estimate(report)
	if e.Requests != 3*sub.Tasks || *e.Cost < 1 {
		t.Errorf("%+v", e)
	}
	text := answer{t: t, body: drawn(t, section.Table.View())}.page()
	text.has("249", "is over its window of 10 tokens", "It cannot be asked now:", "no model is asked", "83 tasks; the longest prompt has about")
}

func (d *desk) account(name string) store.Account {
	d.Helper()
	a, err := account.New(d.db).Named(d.Context(), name, account.Submitter)
	d.check(err)
	return a
}

func TestADraftIsItsOwners(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	owner, stranger := d.program(d.token("Ada", account.Submitter)), d.program(d.token("Bob", account.Submitter))
	operator, nobody := d.program(d.token("Op", account.Operator)), d.browser()
	sub := owner.draft("Agent", oneLine("Words."))
	for _, c := range []struct {
		who    *caller
		status int
	}{{owner, http.StatusOK}, {operator, http.StatusOK}, {stranger, http.StatusNotFound}, {nobody, http.StatusNotFound}} {
		c.who.get(submissionPath(sub) + "/preflight").is(c.status)
		c.who.get("/api/v1" + submissionPath(sub)).is(c.status)
	}
	for _, who := range []*caller{stranger, nobody} {
		for _, act := range []string{"/confirm", "/discard", "/cancel", "/retry"} {
			who.post(submissionPath(sub) + act).is(http.StatusNotFound)
		}
		for _, page := range []string{"", "/tasks", "/tasks.csv", "/events", "/tasks/" + oneTask} {
			who.get(submissionPath(sub) + page).is(http.StatusNotFound)
		}
	}
	if at := owner.get(submissionPath(sub)).is(http.StatusSeeOther).location(); at != submissionPath(sub)+"/preflight" {
		t.Errorf("its page leads to %s", at)
	}
	nobody.get("/submissions").page().hasNot("Agent")
	owner.get("/submissions").page().has("Checked, but not confirmed by you:", "Agent")
	if now := d.stored(sub.PublicID); now.State != store.Draft {
		t.Errorf("it is %s", now.State)
	}
	owner.post("/api/v1" + submissionPath(sub) + "/confirm").is(http.StatusOK)
	stranger.get(submissionPath(sub)).is(http.StatusOK)
	stranger.get(submissionPath(sub) + "/preflight").is(http.StatusForbidden)
	nobody.get(submissionPath(sub) + "/preflight").is(http.StatusUnauthorized)
	owner.get(submissionPath(sub)+"/preflight").is(http.StatusOK).page().hasNot("Confirm and queue", "Discard")
}

func TestAFileForNothingCannotBeConfirmed(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	p := d.program(d.token("Ada", account.Submitter))
	sub := p.draft("Agent", []byte(`{"repo":"acme/other","path":"a.py","qualname":"f","docstring":"x"}`+"\n"))
	page := p.get(submissionPath(sub) + "/preflight").is(http.StatusOK).page()
	page.has("so there is nothing to judge", "Discard this upload")
	page.hasNot("Confirm and queue")
	p.post(submissionPath(sub)+"/confirm").is(http.StatusUnprocessableEntity).page().has("There is a problem", "File has no docstring for any task of the release.")
	if now := d.stored(sub.PublicID); now.State != store.Draft {
		t.Errorf("it is %s", now.State)
	}
}

func TestWithoutAnEvaluatorNothingIsQueued(t *testing.T) {
	d := newDesk(t, false)
	p := d.program(d.token("Ada", account.Submitter))
	sub := p.draft("Agent", oneLine("Words."))
	p.get(submissionPath(sub)+"/preflight").is(http.StatusOK).page().has("No evaluator is enabled on this site.", "touchstone admin evaluator enable NAME")
	p.post(submissionPath(sub) + "/confirm").is(http.StatusUnprocessableEntity).page().has("none is enabled on this site")
}

func TestADiscardedDraftIsGone(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	p := d.program(d.token("Ada", account.Submitter))
	sub := p.draft("Agent", oneLine("Words."))
	if at := p.post(submissionPath(sub) + "/discard").is(http.StatusSeeOther).location(); at != submitPath {
		t.Errorf("it leads to %s", at)
	}
	p.get(submissionPath(sub) + "/preflight").is(http.StatusNotFound)
	kept := p.queued("Agent", oneLine("Words."))
	p.post(submissionPath(kept) + "/discard").is(http.StatusNotFound)
	if now := d.stored(kept.PublicID); now.State != store.Queued {
		t.Errorf("it is %s", now.State)
	}
}

func drawn(t *testing.T, view templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := view.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
