package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"touchstone/data"
	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/blob"
	"touchstone/internal/dispatch"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
	"touchstone/internal/sandbox/sandboxtest"
	"touchstone/internal/store"
)

// A desk is a site that takes submissions for the starter release, with a real
// database, blobs and queue. Nothing is evaluated before run is called.
type desk struct {
	*testing.T
	site    *Site
	engine  *evaluation.Engine
	db      *store.Store
	release store.Release
	server  *httptest.Server
}

// newDesk makes a site with controls as its evaluators. With execute it can
// run bodies in the sandbox.
func newDesk(t *testing.T, execute bool, controls ...evaluator.Evaluator) *desk {
	t.Helper()
	dir := t.TempDir()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	d := &desk{T: t}
	var err error
	d.db, err = store.Open(t.Context(), filepath.Join(dir, "site.db"))
	d.check(err)
	t.Cleanup(func() { d.db.Close() })
	blobs, err := blob.Open(t.Context(), filepath.Join(dir, "blobs"))
	d.check(err)
	t.Cleanup(func() { blobs.Close() })
	queue, err := dispatch.Open(t.Context(), dispatch.Config{Log: log})
	d.check(err)
	t.Cleanup(func() { queue.Close() })
	files := sandboxtest.Cache(t)
	starter, err := data.Install(files, "starter/release")
	d.check(err)
	releases := filepath.Join(dir, "releases")
	d.release, err = evaluation.Import(t.Context(), d.db, releases, starter)
	d.check(err)
	config := evaluation.Config{Store: d.db, Blobs: blobs, Queue: queue, Releases: releases, Generate: 2, Log: log}
	for _, e := range controls {
		config.Judges = append(config.Judges, evaluation.Judge{Evaluator: e, Kind: store.KindControl, Enabled: true, Description: "Control."})
	}
	if execute {
		config.Executor = evaluation.NewExecutor(releases, files, sandboxtest.Local(t), 2, log)
		t.Cleanup(config.Executor.Close)
	}
	d.engine, err = evaluation.New(t.Context(), config)
	d.check(err)
	d.site = New(Config{Store: d.db, Engine: d.engine, Boards: leaderboard.NewBoards(d.db), Accounts: account.New(d.db), Upload: 40 << 20, Version: "test", Log: log})
	d.server = httptest.NewUnstartedServer(d.site.Handler())
	d.server.Config = d.site.Server("")
	d.server.Start()
	t.Cleanup(d.server.Close)
	return d
}

func (d *desk) check(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// run evaluates what is confirmed until the test ends.
func (d *desk) run() {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.engine.Run(ctx) }()
	d.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			d.Errorf("the engine ended with %v", err)
		}
	})
}

// token is a new one for an account.
func (d *desk) token(name, role string) string {
	d.Helper()
	accounts := account.New(d.db)
	who, err := accounts.Named(d.Context(), name, role)
	d.check(err)
	text, err := accounts.NewToken(d.Context(), who)
	d.check(err)
	return text
}

// A caller is a browser or a program that uses the site.
type caller struct {
	*desk
	client http.Client
	token  string // sent as a Bearer header when it is not ""
	header http.Header
}

// browser keeps cookies and follows no redirect.
func (d *desk) browser() *caller {
	jar, err := cookiejar.New(nil)
	d.check(err)
	return &caller{desk: d, header: http.Header{}, client: http.Client{Jar: jar, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// program sends a token with every request.
func (d *desk) program(token string) *caller {
	c := d.browser()
	c.token = token
	return c
}

// An answer is what came back.
type answer struct {
	t      *testing.T
	status int
	header http.Header
	body   string
}

func (c *caller) send(method, address, kind string, body io.Reader) answer {
	c.Helper()
	r, err := http.NewRequestWithContext(c.Context(), method, c.server.URL+address, body)
	c.check(err)
	for name, values := range c.header {
		r.Header[name] = values
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := c.client.Do(r)
	c.check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	c.check(err)
	return answer{c.T, response.StatusCode, response.Header, string(text)}
}

func (c *caller) get(address string) answer {
	c.Helper()
	return c.send(http.MethodGet, address, "", nil)
}

func (c *caller) post(address string) answer {
	c.Helper()
	return c.send(http.MethodPost, address, "application/x-www-form-urlencoded", nil)
}

// upload sends the form, the file last, as a browser does.
func (c *caller) upload(address string, fields map[string]string, name string, file []byte) answer {
	c.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for field, value := range fields {
		c.check(form.WriteField(field, value))
	}
	if name != "" {
		part, err := form.CreateFormFile("file", name)
		c.check(err)
		_, err = part.Write(file)
		c.check(err)
	}
	c.check(form.Close())
	return c.send(http.MethodPost, address, form.FormDataContentType(), &body)
}

// is fails the test when the status is another.
func (a answer) is(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("status %d, want %d\n%.3000s", a.status, status, a.body)
	}
	return a
}

func (a answer) page() document {
	a.t.Helper()
	root, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		a.t.Fatal(err)
	}
	return document{a.t, root}
}

func (a answer) into(v any) {
	a.t.Helper()
	if err := json.Unmarshal([]byte(a.body), v); err != nil {
		a.t.Fatalf("%v\n%.2000s", err, a.body)
	}
}

func (a answer) location() string { return a.header.Get("Location") }

// sampleFile is a sample submission of the starter release.
func sampleFile(t *testing.T, name string) []byte {
	t.Helper()
	file, err := data.Submission(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// draft uploads a file by the API and returns the submission.
func (c *caller) draft(system string, file []byte) store.Submission {
	c.Helper()
	var made struct{ ID string }
	c.send(http.MethodPost, "/api/v1/submissions?system="+url.QueryEscape(system), "application/jsonl", bytes.NewReader(file)).is(http.StatusCreated).into(&made)
	return c.stored(made.ID)
}

// queued is draft, confirmed.
func (c *caller) queued(system string, file []byte) store.Submission {
	c.Helper()
	sub := c.draft(system, file)
	c.post("/api/v1/submissions/" + sub.PublicID + "/confirm").is(http.StatusOK)
	return c.stored(sub.PublicID)
}

func (d *desk) stored(id string) store.Submission {
	d.Helper()
	sub, err := d.db.SubmissionByPublicID(d.Context(), id)
	d.check(err)
	return sub
}

// oneLine is a file that documents one task of the starter release.
const oneTask = "touchstone/spans:src/spans/interval.py::Interval.flags"

func oneLine(docstring string) []byte {
	line, err := json.Marshal(map[string]string{"task_id": oneTask, "docstring": docstring})
	if err != nil {
		panic(err)
	}
	return append(line, '\n')
}

// answerAll gives every task of a submission's first evaluation a reply and a
// verdict, as if it had run.
func (d *desk) answerAll(sub store.Submission, reply store.Completion, verdict store.Verdict) store.Evaluation {
	d.Helper()
	ctx := d.Context()
	evaluations, err := d.db.Evaluations(ctx, sub.ID)
	d.check(err)
	e := evaluations[0]
	tasks, err := d.db.Tasks(ctx, sub.ReleaseID)
	d.check(err)
	units, err := d.db.ReadyUnits(ctx, e.ID, store.StageGenerate, time.Now(), nil, 1000)
	d.check(err)
	for _, u := range units {
		var completions []store.Completion
		var verdicts []store.Verdict
		for _, t := range tasks[u.FirstTask : u.LastTask+1] {
			c, v := reply, verdict
			c.EvaluationID, c.TaskID, v.EvaluationID, v.TaskID = e.ID, t.ID, e.ID, t.ID
			completions, verdicts = append(completions, c), append(verdicts, v)
		}
		d.check(d.db.Replied(ctx, u.ID, completions, 0))
		d.check(d.db.Executed(ctx, u.ID, verdicts))
	}
	return e
}

var flagged = store.Verdict{Verdict: benchmark.Passed, Strategy: "swapped", Seconds: 0.5, CallSeconds: 0.25, Ran: 3}
