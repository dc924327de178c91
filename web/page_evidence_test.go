package web

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/store"
)

const nasty = "<script>alert(1)</script> <img src=x onerror=alert(1)> \u202egnp.exe\u202c \x1b[31m\x07 \u202e </pre></td></details>"

func TestEvidenceShowsHostileTextAsText(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	sub := d.program(d.token("Ada", account.Submitter)).queued("Agent "+nasty[:40], oneLine(nasty))
	d.answerAll(sub, store.Completion{Reply: "```python\n" + nasty + "\n```", Body: "x = 1  # " + nasty, Changes: []byte(`[{"code":"fence","detail":"the code of ` + `<b>\u202e` + `"}]`)},
		store.Verdict{Verdict: benchmark.Failed, Test: "tests/test_x.py::test[" + nasty + "]", Detail: "AssertionError: " + nasty, Strategy: "swapped", Seconds: 0.5, Ran: 2,
			Flags: "frames gc", Recheck: "suspicious", RecheckNote: nasty})
	a := d.browser().get(submissionPath(sub) + "/tasks/" + oneTask).is(http.StatusOK)
	safe(t, a)
	seen := "<script>alert(1)</script> <img src=x onerror=alert(1)> ‹U+202E›gnp.exe‹U+202C› ‹U+001B›[31m‹U+0007› ‹U+202E› </pre></td></details>"
	page := a.page()
	page.part("docstrings").has(seen)
	page.part("prompt").has(strings.NewReplacer("‹U+001B›", `\x1b`, "‹U+0007›", `\x07`).Replace(seen)) // as Python writes them
	page.part("candidates").has("x = 1 # "+seen, "tests/test_x.py::test["+seen+"]", "AssertionError: "+seen, "```python "+seen, "the code of <b>‹U+202E›", "frames, gc",
		"it cannot be decided by another process; the pass stands: "+seen, "failed", "A test ran to its end and did not pass.")
	safe(t, d.browser().get(submissionPath(sub)).is(http.StatusOK))
	safe(t, d.browser().get(submissionPath(sub)+"/tasks").is(http.StatusOK))
}

func TestEvidenceComparesACandidateWithTheOriginal(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub, evaluator.Reference)
	sub := d.program(d.token("Ada", account.Submitter)).queued("Agent", oneLine("What the submission says."))
	d.answerAll(sub, store.Completion{Reply: "```python\nreturn 42\n```", Body: "return 42"}, flagged)
	page := d.browser().get(submissionPath(sub) + "/tasks/" + oneTask).is(http.StatusOK).page()
	page.part("docstrings").has("Submitted What the submission says.", "The repository's own")
	page.part("candidates").has("stub 1 of 1 passed", "reference queued", "Candidate 1 of 1", "passed", "The original body compared with the candidate", "return 42", "0.50 s, of which 0.25 s inside the tests", "swapped", "Show the reply")
	page.part("prompt").has("What the submission says.", "prefix-v1", "a2-v1")
	page.part("tests").has("tests/test_interval.py::")
	other := d.browser().get(submissionPath(sub) + "/tasks/" + oneTask + "?evaluator=reference").is(http.StatusOK).page()
	other.part("candidates").has("The evaluator reference has not been asked about this task yet.")
	d.browser().get(submissionPath(sub) + "/tasks/" + oneTask + "?evaluator=none").is(http.StatusUnprocessableEntity)
	undocumented := d.browser().get(submissionPath(sub) + "/tasks/touchstone/spans:src/spans/interval.py::Interval.cuts").is(http.StatusOK).page()
	undocumented.part("docstrings").has("None: the function is judged without a docstring.")
}

func TestEvidenceSaysWhyThereIsNoCandidate(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	p := d.program(d.token("Ada", account.Submitter))
	for _, c := range []struct {
		reply   store.Completion
		verdict benchmark.Verdict
		says    []string
	}{
		{store.Completion{Missing: "no recorded completion"}, benchmark.InfraError, []string{"There is no reply: no recorded completion.", "counts neither for nor against", "none counts"}},
		{store.Completion{Missing: "context too long"}, benchmark.NoCode, []string{"There is no reply: context too long.", "counts as not passed", "0 of 1 passed"}},
		{store.Completion{Reply: "I cannot."}, benchmark.NoCode, []string{"The reply holds no code.", "I cannot."}},
	} {
		sub := p.queued("Agent", oneLine("Words."))
		d.answerAll(sub, c.reply, store.Verdict{Verdict: c.verdict, Detail: c.reply.Missing})
		d.browser().get(submissionPath(sub) + "/tasks/" + oneTask).is(http.StatusOK).page().part("candidates").has(c.says...)
	}
	sub := p.queued("Agent", oneLine("Words."))
	p.post(submissionPath(sub) + "/cancel").is(http.StatusSeeOther)
	d.browser().get(submissionPath(sub) + "/tasks/" + oneTask).is(http.StatusOK).page().has("The evaluation ended before stub was asked about this task: it is cancelled.")
}

// A task's id holds slashes, colons, # and <; whatever a browser or a proxy
// escapes, it reads the same.
func TestATasksAddressSurvivesProxies(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	sub := d.program(d.token("Ada", account.Submitter)).queued("Agent", oneLine("Words."))
	target, err := url.Parse(d.server.URL)
	d.check(err)
	proxy := httptest.NewServer(httputil.NewSingleHostReverseProxy(target))
	defer proxy.Close()
	base := submissionPath(sub) + "/tasks/"
	for _, c := range []struct {
		path   string
		status int
		title  string
	}{
		{taskPath(sub, "touchstone/gridtext:src/gridtext/table.py::Table.header#1", ""), http.StatusOK, "Table.header#1"},
		{base + "touchstone/gridtext:src/gridtext/table.py::Table.header%231", http.StatusOK, "Table.header#1"},
		{base + "touchstone/gridtext%3Asrc/gridtext/table.py%3A%3ATable.header%231", http.StatusOK, "Table.header#1"},
		{base + "touchstone%2Fgridtext%3Asrc%2Fgridtext%2Ftable.py%3a%3aTable.header%231", http.StatusOK, "Table.header#1"},
		{taskPath(sub, "touchstone/spans:src/spans/sweep.py::merge_labelled.<locals>.flush", "stub"), http.StatusOK, "merge_labelled.<locals>.flush"},
		{base + "touchstone/spans:src/spans/sweep.py::merge_labelled.%3Clocals%3E.flush?evaluator=stub", http.StatusOK, "merge_labelled.<locals>.flush"},
		{base + "touchstone/spans:src/spans/sweep.py::merge_labelled.<locals>.flush", http.StatusOK, "merge_labelled.<locals>.flush"},
		{base + "touchstone/gridtext:src/gridtext/table.py::Table.header%239", http.StatusNotFound, ""},
		{base + "acme/none:a.py::f", http.StatusNotFound, ""},
		{base + "nonsense", http.StatusNotFound, ""},
		{base + "%00%ff", http.StatusNotFound, ""},
		{base, http.StatusNotFound, ""},
	} {
		for _, server := range []string{d.server.URL, proxy.URL} {
			p := &caller{desk: &desk{T: t, server: &httptest.Server{URL: server}}, header: http.Header{}}
			a := p.get(c.path).is(c.status)
			if c.title != "" && !strings.Contains(a.body, "<h1><bdi class=\"mono\">"+strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(c.title)+"</bdi></h1>") {
				t.Errorf("%s does not lead to %s", c.path, c.title)
			}
		}
	}
}

func FuzzATasksAddressNamesIt(f *testing.F) {
	f.Add("touchstone/gridtext:src/gridtext/table.py::Table.header#1")
	f.Add("a/b:c d/é%2F?x=1&y.py::f.<locals>.g#2;")
	f.Fuzz(func(t *testing.T, key string) {
		if _, err := benchmark.ParseTaskID(key); err != nil {
			return
		}
		u, err := url.Parse("http://host" + taskPath(store.Submission{PublicID: "x"}, key, "judge"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimPrefix(u.Path, "/submissions/x/tasks/"); got != key || u.Query().Get("evaluator") != "judge" || u.Fragment != "" {
			t.Errorf("%q becomes %q", key, got)
		}
	})
}
