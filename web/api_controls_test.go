package web

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"touchstone/internal/account"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/store"
)

func TestAnOperatorSubmitsTheControls(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	operator := d.program(d.token("Root", account.Operator))
	for docs, documented := range map[string]int{store.DocsNone: 0, store.DocsOriginal: 68} {
		var j submissionJSON
		operator.send(http.MethodPost, "/api/v1/submissions?confirm=1&docs="+docs, "", nil).is(http.StatusCreated).into(&j)
		if j.State != store.Queued || j.Docs != docs || j.Documented != documented || j.System != controlSystems[docs] {
			t.Errorf("%+v", j)
		}
	}
	for _, c := range []struct {
		role, query, body, says string
	}{
		{account.Submitter, "docs=none", "", "operators"},
		{account.Operator, "docs=all", "", "no control"},
		{account.Operator, "docs=none&filename=x", string(oneLine("Words.")), "no file"},
		{account.Operator, "", "", "missing"},
	} {
		var p problem
		d.program(d.token("somebody "+c.says, c.role)).send(http.MethodPost, "/api/v1/submissions?system=A&"+c.query, "", bytes.NewReader([]byte(c.body))).
			is(http.StatusUnprocessableEntity).into(&p)
		if !strings.Contains(p.What+p.Do, c.says) {
			t.Errorf("%s: %+v", c.query, p)
		}
	}
}
