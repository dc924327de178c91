package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"touchstone/internal/account"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/store"
)

// old puts submissions into the database that ended long ago.
func (d *desk) old(n int, state store.State, system store.System) {
	d.Helper()
	who := d.account("Old")
	named, err := d.db.SystemNamed(d.Context(), system)
	d.check(err)
	at := time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
	for i := range n {
		sub := store.Submission{PublicID: fmt.Sprintf("%s%d", state, i), Track: "doc-to-code", ReleaseID: d.release.ID, SystemID: named.ID, AccountID: who.ID, Version: fmt.Sprint(i),
			Docs: store.DocsFile, State: state, Tasks: 83, Documented: 40, CreatedAt: at, ConfirmedAt: &at, FinishedAt: &at}
		d.check(d.db.AddSubmission(d.Context(), &sub))
	}
}

func TestTheQueueShowsPlacesByWhatIsLeft(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	ada, bob := d.program(d.token("Ada", account.Submitter)), d.program(d.token("Bob", account.Submitter))
	first, second := ada.queued("First", oneLine("Words.")), bob.queued("Second", oneLine("Words."))
	rows := d.browser().get("/submissions").is(http.StatusOK).page().table("queue-table")
	if len(rows) != 3 || rows[1][0] != "First" || rows[1][1] != "1" || rows[2][1] != "2" || rows[1][6] != "Ada" || !strings.Contains(rows[1][2], "queued") || !strings.Contains(rows[1][2], "0 of 83 samples") {
		t.Errorf("%q", rows)
	}
	units, err := d.db.ReadyUnits(t.Context(), 2, store.StageGenerate, time.Now(), nil, 1)
	d.check(err)
	d.check(d.db.Start(t.Context(), 2))
	d.check(d.db.Write(t.Context(), func(tx *gorm.DB) error {
		return tx.Model(&store.Evaluation{}).Where("id = ?", units[0].EvaluationID).Update("done", 80).Error
	}))
	rows = d.browser().get("/submissions").is(http.StatusOK).page().table("queue-table")
	if rows[1][0] != "Second" || rows[1][1] != "1" || !strings.Contains(rows[1][2], "running") || !strings.Contains(rows[1][2], "80 of 83 samples") || rows[2][0] != "First" {
		t.Errorf("%q", rows)
	}
	lines := rowsOf(t, d.browser().get("/submissions.csv").is(http.StatusOK).body)
	if len(lines) != 2 || lines[0]["submission"] != second.PublicID || lines[0]["place"] != "1" || lines[0]["samples_done"] != "80" || lines[1]["submission"] != first.PublicID ||
		lines[1]["state"] != "queued" || lines[0]["seconds_left"] != "" {
		t.Errorf("%v", lines)
	}
}

func TestSubmissionsAreFilteredAndPaged(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	d.old(120, store.Finished, store.System{Slug: "many", Name: "Many"})
	d.old(2, store.Failed, store.System{Slug: "bad", Name: "Bad", Model: "tiny-model"})
	d.old(1, store.Cancelled, store.System{Slug: "given-up", Name: "Given up"})
	d.program(d.token("Ada", account.Submitter)).queued("Waiting", oneLine("Words."))
	b := d.browser()
	shown := func(address string) int { return len(b.get(address).is(http.StatusOK).page().table("ended-table")) - 1 }
	for address, want := range map[string]int{
		"/submissions": 50, "/submissions?page=3": 23, "/submissions?page=99": 23, "/submissions?state=failed": 2, "/submissions?state=ended&q=tiny": 2, "/submissions?q=UP": 1,
	} {
		if got := shown(address); got != want {
			t.Errorf("%s shows %d, want %d", address, got, want)
		}
	}
	b.get("/submissions?page=3").page().has("101–123 of 123 submissions")
	if page := b.get("/submissions?state=open").page(); strings.Contains(page.text(), "Many") {
		t.Error("what is over is shown among what is open")
	}
	b.get("/submissions?state=queued&q=wait").page().has("Showing what is queued, system contains “wait”.", "Waiting")
	b.get("/submissions?q=nothing+like+it").page().has("Nothing that is waiting fits these filters.", "Nothing that is over fits these filters.")
	b.get("/submissions?q=%25%00%ff_%27").is(http.StatusOK)
	b.get("/submissions?state=nonsense").is(http.StatusUnprocessableEntity).page().has("choose open, ended, queued")
	if lines := rowsOf(t, b.get("/submissions.csv?state=ended").body); len(lines) != 123 {
		t.Errorf("%d lines", len(lines))
	}
	d.check(d.db.Hide(t.Context(), "failed0", true))
	if got := shown("/submissions?state=failed"); got != 1 {
		t.Errorf("%d failed are shown", got)
	}
	b.get("/submissions/failed0").is(http.StatusNotFound)
	d.program(d.token("Op", account.Operator)).get("/submissions/failed0").is(http.StatusOK)
	b.get("/submissions/FAILED0").is(http.StatusNotFound)
	b.get("/submissions/nothing").is(http.StatusNotFound)
}

func TestNamesOfSystemsStayText(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	for i, name := range []string{"=cmd()|' /C calc'!A0", "+1+1", "@SUM(A1)", "-2+3", "<script>alert(1)</script>", "\u202eevil", strings.Repeat("long", 75)} {
		d.old(1, store.State(fmt.Sprint("finished", i)), store.System{Slug: fmt.Sprint(i), Name: name, Link: "https://example.org/?a=<b>"})
	}
	d.check(d.db.Write(t.Context(), func(tx *gorm.DB) error {
		return tx.Model(&store.Submission{}).Where("1 = 1").Update("state", store.Finished).Error
	}))
	a := d.browser().get("/submissions").is(http.StatusOK)
	safe(t, a)
	a.page().has("<script>alert(1)</script>", "‹U+202E›evil", "=cmd()")
	for _, line := range rowsOf(t, d.browser().get("/submissions.csv").is(http.StatusOK).body) {
		if name := line["system"]; strings.ContainsAny(name[:1], "=+@-") {
			t.Errorf("a spreadsheet takes %q for a formula", name)
		}
	}
	for _, sub := range []string{"finished00", "finished40", "finished50", "finished60"} {
		page := d.browser().get("/submissions/" + sub).is(http.StatusOK)
		safe(t, page)
	}
}
