package web

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"touchstone/internal/account"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/store"
)

func TestTheAPINeedsAToken(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	for _, c := range []struct {
		token, says string
	}{{"", "This needs a token."}, {"ts_wrong", "This token is not known, or it was revoked."}} {
		var p problem
		a := d.program(c.token).send(http.MethodPost, "/api/v1/submissions?system=Agent", "application/jsonl", bytes.NewReader(oneLine("Words.")))
		a.is(http.StatusUnauthorized).into(&p)
		if p.What != c.says || a.header.Get("Content-Type") != "application/json" {
			t.Errorf("%+v", p)
		}
	}
}

func TestAProgramSubmitsInOneRequest(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	p := d.program(d.token("Ada", account.Submitter))
	var j submissionJSON
	a := p.send(http.MethodPost, "/api/v1/submissions?confirm=1&system=Agent&model=m&version=3&link=https%3A%2F%2Fexample.org&notes=n&release=starter%401&filename=mine.jsonl",
		"application/x-www-form-urlencoded", bytes.NewReader(append(oneLine("Words."), "bad\n"...)))
	a.is(http.StatusCreated).into(&j)
	if j.State != store.Queued || j.System != "Agent" || j.Model != "m" || j.Version != "3" || j.Link != "https://example.org" || j.Notes != "n" || j.Submitter != "Ada" ||
		j.Documented != 1 || j.Place != 1 || j.Report == nil || j.Report.Rejected.First[0].Line != 2 || j.URL != d.server.URL+"/submissions/"+j.ID || a.location() != "/submissions/"+j.ID {
		t.Errorf("%+v", j)
	}
	if sub := d.stored(j.ID); sub.FileName != "mine.jsonl" {
		t.Errorf("the file is %s", sub.FileName)
	}
	var multipart submissionJSON
	p.upload("/api/v1/submissions", map[string]string{"system": "Agent", "track": "doc-to-code"}, "docs.jsonl", oneLine("Words.")).is(http.StatusCreated).into(&multipart)
	if multipart.State != store.Draft || multipart.Report == nil || len(multipart.Evaluations) != 0 {
		t.Errorf("%+v", multipart)
	}
	p.post("/api/v1/submissions/" + multipart.ID + "/confirm").is(http.StatusOK).into(&multipart)
	if multipart.State != store.Queued || multipart.Samples != 83 || len(multipart.Evaluations) != 1 {
		t.Errorf("%+v", multipart)
	}
	p.post("/api/v1/submissions/" + multipart.ID + "/cancel").is(http.StatusOK).into(&multipart)
	if multipart.State != store.Cancelled || multipart.Evaluations[0].State != store.Cancelled {
		t.Errorf("%+v", multipart)
	}
	p.post("/api/v1/submissions/" + multipart.ID + "/retry").is(http.StatusOK).into(&multipart)
	if multipart.State != store.Queued {
		t.Errorf("%+v", multipart)
	}
	var list struct{ Rows []map[string]string }
	d.browser().get("/api/v1/submissions").is(http.StatusOK).into(&list)
	if len(list.Rows) != 2 {
		t.Errorf("%d submissions are listed", len(list.Rows))
	}
}

func TestTheAPINamesWhatIsWrong(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	p := d.program(d.token("Ada", account.Submitter))
	for _, c := range []struct {
		query, body   string
		field, needle string
	}{
		{"", string(oneLine("Words.")), "system", "is empty"},
		{"system=A&release=x", string(oneLine("Words.")), "release", "starter@1"},
		{"system=A&track=other", string(oneLine("Words.")), "track", "doc-to-code or localization"},
		{"system=A&track=localization", found, "release", "there is none on this site yet"},
		{"system=A&link=x", string(oneLine("Words.")), "link", "https://"},
		{"system=A", "", "file", "is missing"},
		{"system=A", "\x00\x01\x02\x00", "", "is not text"},
	} {
		var got problem
		p.send(http.MethodPost, "/api/v1/submissions?"+c.query, "application/jsonl", strings.NewReader(c.body)).is(http.StatusUnprocessableEntity).into(&got)
		if got.Field != c.field || !strings.Contains(got.What+got.Do, c.needle) {
			t.Errorf("%s: %+v", c.query, got)
		}
	}
	d.site.Upload = 1 << 10
	var got problem
	p.send(http.MethodPost, "/api/v1/submissions?system=A", "", bytes.NewReader(make([]byte, 2<<20))).is(http.StatusUnprocessableEntity).into(&got)
	if got.Field != "file" || !strings.Contains(got.What, "is larger than 1,024 bytes") {
		t.Errorf("%+v", got)
	}
	d.browser().get("/api/v1/submissions/nothing").is(http.StatusNotFound)
}

func TestADraftThatCannotBeQueuedStaysWithItsReport(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	p := d.program(d.token("Ada", account.Submitter))
	var got struct {
		Error, Mend string
		Submission  submissionJSON
	}
	p.send(http.MethodPost, "/api/v1/submissions?confirm=1&system=A", "application/jsonl", strings.NewReader(`{"task_id":"acme/none:a.py::f","docstring":"x"}`+"\n")).
		is(http.StatusUnprocessableEntity).into(&got)
	if got.Submission.State != store.Draft || got.Submission.Report.Unmatched.Count != 1 || !strings.Contains(got.Error, "no docstring for any task") || got.Mend == "" {
		t.Errorf("%+v", got)
	}
}

func TestManyUploadsAtOnceStayApart(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	p := d.program(d.token("Ada", account.Submitter))
	done := make(chan string)
	for i := range 10 {
		go func() {
			c := &caller{desk: d, token: p.token, header: http.Header{}}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.server.URL+fmt.Sprintf("/api/v1/submissions?confirm=1&system=Agent%d", i%3), bytes.NewReader(oneLine(fmt.Sprint("Text ", i))))
			if err != nil {
				done <- err.Error()
				return
			}
			r.Header.Set("Authorization", "Bearer "+c.token)
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				done <- err.Error()
				return
			}
			response.Body.Close()
			done <- response.Status
		}()
	}
	for range 10 {
		if status := <-done; status != "201 Created" {
			t.Error(status)
		}
	}
	all, _, err := d.db.Submissions(t.Context(), store.SubmissionFilter{})
	d.check(err)
	texts := map[string]bool{}
	for _, sub := range all {
		docs, err := d.db.Docstrings(t.Context(), sub.ID)
		d.check(err)
		texts[docs[0].Text] = true
	}
	if len(texts) != 10 {
		t.Errorf("%d different docstrings", len(texts))
	}
}
