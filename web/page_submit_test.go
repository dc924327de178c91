package web

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/net/html"

	"touchstone/internal/account"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/store"
	"touchstone/views"
)

func fields(token string) map[string]string {
	return map[string]string{"token": token, "system": "Agent", "version": "2", "model": "some-model", "link": "https://example.org/agent",
		"release": "starter@1", "notes": "Temperature 0."}
}

func TestAnUploadThroughTheFormLeadsToItsPreflight(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	b := d.browser()
	a := b.upload(submitPath, fields(d.token("Ada", account.Submitter)), "docs.jsonl", sampleFile(t, "vague")).is(http.StatusSeeOther)
	page := b.get(a.location()).is(http.StatusOK).page()
	page.has("80 of 83 tasks have a docstring.", "3 have none, and are judged without.", "Agent · some-model, version 2", "docs.jsonl", "Confirm and queue")
	confirm := strings.TrimSuffix(a.location(), "/preflight") + "/confirm"
	at := b.post(confirm).is(http.StatusSeeOther).location()
	sub := d.stored(strings.TrimPrefix(at, "/submissions/"))
	if sub.State != store.Queued || sub.Notes != "Temperature 0." || sub.System.Link != "https://example.org/agent" || sub.Account.Name != "Ada" || sub.FileBytes == 0 {
		t.Errorf("%+v", sub)
	}
	b.post(confirm).is(http.StatusSeeOther) // a second click
	if evaluations, err := d.db.Evaluations(t.Context(), sub.ID); err != nil || len(evaluations) != 1 {
		t.Errorf("%d evaluations, %v", len(evaluations), err)
	}
}

func TestTheFormAsksForATokenOnlyWhenNobodyIsRecognised(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	b := d.browser()
	b.get(submitPath).is(http.StatusOK).page().part("field-token")
	token := d.token("Ada", account.Submitter)
	b.upload(submitPath, fields(token), "docs.jsonl", oneLine("Words.")).is(http.StatusSeeOther)
	recognised := b.get(submitPath).is(http.StatusOK)
	recognised.page().has("You submit as Ada .")
	if strings.Contains(recognised.body, "field-token") || strings.Contains(recognised.body, token) {
		t.Error("the form asks for a token that it has")
	}
	tokens, err := d.db.Tokens(t.Context())
	d.check(err)
	d.check(d.db.RevokeToken(t.Context(), tokens[0].ID, tokens[0].CreatedAt))
	b.get(submitPath).is(http.StatusOK).page().part("field-token")

	local, err := account.New(d.db).Named(t.Context(), "this machine", account.Submitter)
	d.check(err)
	d.site.Local = &local
	d.browser().get(submitPath).is(http.StatusOK).page().has("You submit as this machine .")
}

func TestEverythingThatIsWrongStandsAboveAndBesideItsField(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	values := map[string]string{"token": "ts_wrong", "system": " ", "version": strings.Repeat("v", 201), "link": "ftp://x", "release": "none@9", "notes": `<script>"kept"</script>`}
	a := d.browser().upload(submitPath, values, "", nil).is(http.StatusUnprocessableEntity)
	page := a.page()
	page.has("There is a problem", "This token is not known, or it was revoked.", "System is empty. Give the name of the agent.",
		"Version of the system has 201 characters. Use at most 200.", `Link "ftp://x" is not an address. Begin it with https://.`,
		`Release "none@9" is no release of this track on this site. Choose one of starter@1.`, "Choose the file with the docstrings.", "Choose it again: browsers do not keep it.")
	for _, field := range []string{"token", "system", "version", "link", "release", "file"} {
		page.part("field-" + field + "-error")
	}
	if got := attribute(page.part("field-link").root, "value"); got != "ftp://x" {
		t.Errorf("the link is %q", got)
	}
	if got := words(page.part("field-notes").root); got != `<script>"kept"</script>` {
		t.Errorf("the notes are %q", got)
	}
	if title := page.all(func(n *html.Node) bool { return n.Data == "title" }); !strings.HasPrefix(words(title[0]), "Error: ") {
		t.Errorf("the title is %q", words(title[0]))
	}
	if strings.Contains(a.body, `<script>"kept"`) {
		t.Error("markup goes through")
	}
}

func TestTheFileMayStandBeforeTheFields(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "docs.jsonl")
	d.check(err)
	_, err = part.Write(oneLine("Words."))
	d.check(err)
	for name, value := range fields(d.token("Ada", account.Submitter)) {
		d.check(form.WriteField(name, value))
	}
	d.check(form.Close())
	d.browser().send(http.MethodPost, submitPath, form.FormDataContentType(), &body).is(http.StatusSeeOther)
}

func packed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// manyLines is a file of so many lines, one of them for a task.
func manyLines(n int) []byte {
	var b bytes.Buffer
	b.Write(oneLine("Words."))
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "{\"repo\":\"acme/other\",\"path\":\"a.py\",\"qualname\":\"f%d\",\"docstring\":\"x\"}\n", i)
	}
	return b.Bytes()
}

// Every file that somebody may upload is either explained on the preflight
// page, or refused on the form with what is wrong.
func TestHostileUploads(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	b := d.browser()
	token := d.token("Ada", account.Submitter)
	long := append([]byte(`{"task_id":"`+oneTask+`","docstring":"`), bytes.Repeat([]byte("x"), 10<<20)...)
	long = append(long, []byte("\"}\n")...)
	for _, c := range []struct {
		name string
		file []byte
		as   string // file name
		says []string
		ok   bool
	}{
		{"HTML", oneLine(`<b>bold</b><img src=x onerror=alert(1)>`), "<img src=x>.jsonl", []string{"<img src=x>.jsonl", "1 of 83 tasks"}, true},
		{"a script as a line", append(oneLine("Words."), "<script>alert(1)</script>\n"...), "docs.jsonl", []string{"1 line of the file.", "the line is not a JSON object", "write one JSON object a line"}, true},
		{"a script as an id", append(oneLine("Words."), `{"task_id":"a/b:<script>alert(1)</script>.py::f","docstring":"x"}`...), "docs.jsonl", []string{"a/b:<script>alert(1)</script>.py::f", "the release has no such repository"}, true},
		{"a formula", oneLine(`=cmd()|' /C calc'!A0`), "=cmd().jsonl", []string{"=cmd().jsonl"}, true},
		{"right to left", append(oneLine("\u202eevil\u202c"), "{\"task_id\":\"a/b:\u202egpj.py::f\",\"docstring\":\"x\"}\n"...), "\u202egpj.jsonl", []string{"‹U+202E›gpj.jsonl", "a/b:‹U+202E›gpj.py::f"}, true},
		{"a line of 10 MB", append(long, oneLine("Words.")...), "docs.jsonl", []string{"the line is longer than 1 MiB", "1 of 83 tasks"}, true},
		{"invalid UTF-8", append([]byte("{\"task_id\":\"\xff\xfe\",\"docstring\":\"x\"}\n"), oneLine("Words.")...), "docs.jsonl", []string{"the line is not valid UTF-8", "save the file as UTF-8", "1 of 83 tasks"}, true},
		{"a BOM", append([]byte("\xef\xbb\xbf"), oneLine("Words.")...), "docs.jsonl", []string{"1 of 83 tasks"}, true},
		{"CRLF", bytes.ReplaceAll(sampleFile(t, "detailed"), []byte("\n"), []byte("\r\n")), "docs.jsonl", []string{"83 of 83 tasks"}, true},
		{"gzip", packed(t, sampleFile(t, "detailed")), "docs.jsonl.gz", []string{"83 of 83 tasks", "gzip, unpacked 56 KiB"}, true},
		{"a truncated gzip", packed(t, sampleFile(t, "detailed"))[:9000], "docs.jsonl.gz", []string{"docs.jsonl.gz", "the gzip data breaks off after", "Pack and upload it again, whole."}, false},
		{"a duplicate key", []byte(`{"task_id":"` + oneTask + `","docstring":"a","docstring":"b"}` + "\n"), "docs.jsonl", []string{"docstring", "is given twice", "give it once"}, true},
		{"an unknown repository", []byte(`{"repo":"touchstone/spanz","path":"a.py","qualname":"f","docstring":"x"}` + "\n"), "docs.jsonl", []string{"the release has no such repository", "touchstone/spans", "has no docstring for any task"}, true},
		{"an empty file", nil, "docs.jsonl", []string{"docs.jsonl: is empty.", "Upload a docs.jsonl"}, false},
		{"only blank lines", []byte("\n\n  \n"), "docs.jsonl", []string{"docs.jsonl: is empty."}, false},
		{"200,000 lines", manyLines(200_000), "docs.jsonl", []string{"200,000; 200,000 could be read", "The first 1,000 of 199,999."}, true},
		{"500,001 lines", bytes.Repeat([]byte("x\n"), 500_001), "docs.jsonl", []string{"has more than 500000 lines", "Leave out what is not for this release."}, false},
		{"an archive", []byte("PK\x03\x04rest"), "docs.zip", []string{"docs.zip: is a zip archive."}, false},
		{"no text", bytes.Repeat([]byte{0, 1, 2}, 100), "docs.bin", []string{"is not text"}, false},
		{"UTF-16", []byte("\xff\xfe{\x00}\x00"), "docs.jsonl", []string{"is UTF-16", "Save it as UTF-8."}, false},
		{"more than the limit", bytes.Repeat([]byte("x"), 40<<20+1), "docs.jsonl", []string{"File is larger than 40 MiB.", "Pack it with gzip or zstd"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &caller{desk: &desk{T: t, server: d.server, db: d.db}, client: b.client, header: http.Header{}}
			a := b.upload(submitPath, fields(token), c.as, c.file)
			if c.ok {
				a = b.get(a.is(http.StatusSeeOther).location()).is(http.StatusOK)
			} else {
				a.is(http.StatusUnprocessableEntity).page().part("field-file-error")
			}
			a.page().has(c.says...)
			safe(t, a)
		})
	}
	files, err := d.db.Read(t.Context()).Model(&store.Submission{}).Where("state <> ?", store.Draft).Rows()
	d.check(err)
	defer files.Close()
	if files.Next() {
		t.Error("something was queued that nobody confirmed")
	}
}

// safe fails when text from outside became markup, or turns or hides the text
// around it.
func safe(t *testing.T, a answer) {
	t.Helper()
	for _, script := range a.page().all(func(n *html.Node) bool { return n.Data == "script" || n.Data == "img" || n.Data == "iframe" }) {
		if !strings.HasPrefix(attribute(script, "src"), "/static/") {
			t.Errorf("a %s of somebody else's", script.Data)
		}
	}
	for n := range a.page().root.Descendants() {
		for _, at := range n.Attr {
			if strings.HasPrefix(at.Key, "on") {
				t.Errorf("%s=%q", at.Key, at.Val)
			}
		}
	}
	if seen := views.Visible(a.body); seen != strings.ReplaceAll(a.body, "\r\n", "\n") {
		t.Error("a hidden character goes through")
	}
}

func TestABodyOverEveryLimitIsRefused(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	d.site.Upload = 1 << 10
	b := d.browser()
	a := b.upload(submitPath, fields(d.token("Ada", account.Submitter)), "docs.jsonl", bytes.Repeat([]byte("x"), 3<<20))
	a.is(http.StatusUnprocessableEntity).page().has("File is larger than 1,024 bytes.")
	many := map[string]string{}
	for i := range 40 {
		many[fmt.Sprint("f", i)] = "x"
	}
	b.upload(submitPath, many, "", nil).is(http.StatusUnprocessableEntity).page().has("the form has more than 32 fields")
	b.upload(submitPath, map[string]string{"notes": strings.Repeat("x", 70<<10)}, "", nil).is(http.StatusUnprocessableEntity).page().has("Notes has more than 65536 bytes.")
	b.send(http.MethodPost, submitPath, "multipart/form-data; boundary=x", strings.NewReader("--x\r\nbroken")).is(http.StatusUnprocessableEntity).
		page().has("the upload broke off or is no form")
	if all, _, err := d.db.Submissions(t.Context(), store.SubmissionFilter{Drafts: true}); err != nil || len(all) > 0 {
		t.Errorf("%d submissions, %v", len(all), err)
	}
}

func TestAFormFromAnotherSiteIsRefused(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	local, err := account.New(d.db).Named(t.Context(), "this machine", account.Submitter)
	d.check(err)
	d.site.Local = &local
	sub := d.browser().queued("Agent", oneLine("Words."))
	for name, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
		b := d.browser()
		b.header.Set(name, value)
		b.upload(submitPath, fields(""), "docs.jsonl", oneLine("Words.")).is(http.StatusForbidden).page().has("This form was sent from another site.")
		b.post("/submissions/" + sub.PublicID + "/cancel").is(http.StatusForbidden)
		b.post("/api/v1/submissions/" + sub.PublicID + "/cancel").is(http.StatusForbidden)
	}
	if now := d.stored(sub.PublicID); now.State != store.Queued {
		t.Errorf("it is %s", now.State)
	}
	b := d.browser()
	b.header.Set("Sec-Fetch-Site", "same-origin")
	b.post("/submissions/" + sub.PublicID + "/cancel").is(http.StatusSeeOther)
}

func TestTheTaskListIsAFileToFillIn(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	a := d.browser().get(submitPath + "/tasks.jsonl?release=starter%401").is(http.StatusOK)
	if got := a.header.Get("Content-Disposition"); got != `attachment; filename="tasks-starter-1.jsonl"` {
		t.Error(got)
	}
	var filled bytes.Buffer
	n := 0
	for line := range strings.Lines(a.body) {
		var row map[string]string
		d.check(json.Unmarshal([]byte(line), &row))
		if row["docstring"] != "" || len(row) != 2 {
			t.Fatalf("line %q", line)
		}
		n++
		d.check(json.NewEncoder(&filled).Encode(map[string]string{"task_id": row["task_id"], "docstring": fmt.Sprint("Text ", n)}))
	}
	if n != 83 {
		t.Errorf("%d lines", n)
	}
	p := d.program(d.token("Ada", account.Submitter))
	if sub := p.draft("Agent", filled.Bytes()); sub.Documented != 83 {
		t.Errorf("filled in, it documents %d", sub.Documented)
	}
	if sub := p.draft("Agent", []byte(a.body)); sub.Documented != 0 {
		t.Errorf("as it comes, it documents %d", sub.Documented)
	}
	d.browser().get(submitPath + "/tasks.jsonl?release=none%401").is(http.StatusUnprocessableEntity)
}

func TestSamplesCanBeDownloaded(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	b := d.browser()
	for text, address := range b.get(submitPath).page().part("begin").links() {
		if strings.HasPrefix(text, "Sample") {
			if got := b.get(address).is(http.StatusOK).body; got != string(sampleFile(t, strings.TrimSuffix(address[strings.LastIndexByte(address, '/')+1:], ".jsonl"))) {
				t.Errorf("%s: %.200s", address, got)
			}
		}
	}
	b.get(submitPath + "/samples/detailed").is(http.StatusNotFound)
	b.get(submitPath + "/samples/..%2f..%2fsecret.jsonl").is(http.StatusNotFound)
}

func TestWithoutAReleaseTheFormSaysWhatComesFirst(t *testing.T) {
	r := emptyReference(t)
	r.site.Accounts = account.New(r.db)
	page := r.page(submitPath)
	page.has("No release is imported yet.", "touchstone admin release import starter")
	if len(page.all(func(n *html.Node) bool { return n.Data == "form" })) > 0 {
		t.Error("there is a form all the same")
	}
}

// rowsOf reads a CSV file as objects by its header.
func rowsOf(t *testing.T, text string) []map[string]string {
	t.Helper()
	lines := csv.NewReader(strings.NewReader(text))
	header, err := lines.Read()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for {
		line, err := lines.Read()
		if err == io.EOF {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		row := map[string]string{}
		for i, name := range header {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
}
