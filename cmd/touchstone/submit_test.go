package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"touchstone/data"
	"touchstone/internal/account"
	"touchstone/internal/blob"
	"touchstone/internal/dispatch"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
	"touchstone/internal/sandbox/sandboxtest"
	"touchstone/internal/store"
	"touchstone/web"
)

// A tried site takes submissions in this process. down makes it answer nothing
// but 503.
type tried struct {
	address, token string
	db             *store.Store
	engine         *evaluation.Engine
	down           atomic.Bool
}

func trySite(t *testing.T, execute bool) *tried {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dir, log := t.TempDir(), slog.New(slog.NewTextHandler(io.Discard, nil))
	s := &tried{}
	var err error
	s.db, err = store.Open(t.Context(), filepath.Join(dir, "touchstone.db"))
	must(err)
	t.Cleanup(func() { s.db.Close() })
	blobs, err := blob.Open(t.Context(), filepath.Join(dir, "blobs"))
	must(err)
	t.Cleanup(func() { blobs.Close() })
	queue, err := dispatch.Open(t.Context(), dispatch.Config{Log: log})
	must(err)
	t.Cleanup(func() { queue.Close() })
	files := sandboxtest.Cache(t)
	starter, err := data.Install(files, "starter/release")
	must(err)
	releases := filepath.Join(dir, "releases")
	_, err = evaluation.Import(t.Context(), s.db, releases, starter)
	must(err)
	c := evaluation.Config{Store: s.db, Blobs: blobs, Queue: queue, Releases: releases, Generate: 1, Log: log,
		Judges: []evaluation.Judge{{Evaluator: evaluator.Stub, Kind: store.KindControl, Enabled: true}}}
	if execute {
		c.Executor = evaluation.NewExecutor(releases, files, sandboxtest.Local(t), 2, log)
		t.Cleanup(c.Executor.Close)
	}
	s.engine, err = evaluation.New(t.Context(), c)
	must(err)
	accounts := account.New(s.db)
	ada, err := accounts.Named(t.Context(), "Ada", account.Submitter)
	must(err)
	s.token, err = accounts.NewToken(t.Context(), ada)
	must(err)
	site := web.New(web.Config{Store: s.db, Engine: s.engine, Boards: leaderboard.NewBoards(s.db), Accounts: accounts, Log: log})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		site.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s.address = server.URL
	return s
}

// docsFile is a file with one good line, and others.
func docsFile(t *testing.T, lines ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "docs.jsonl")
	good := `{"task_id":"touchstone/spans:src/spans/interval.py::Interval.flags","docstring":"Two flags."}`
	if err := os.WriteFile(file, []byte(strings.Join(append([]string{good}, lines...), "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestSubmitUploadsAndNamesWhatDoesNotCount(t *testing.T) {
	s := trySite(t, false)
	t.Setenv("TOUCHSTONE_TOKEN", s.token)
	var stdout, stderr bytes.Buffer
	file := docsFile(t, `{"task_id":"touchstone/spans:src/spans/interval.py::Interval.flags"}`, `not JSON`,
		`{"task_id":"touchstone/spans:src/spans/interval.py::Interval.flagz","docstring":"x"}`)
	status := run([]string{"submit", file, "--url", s.address + "/", "--system", "Agent", "--model", "m", "--system-version", "7", "--release", "starter@1",
		"--link", "https://example.org", "--notes", "=notes"}, &stdout, &stderr)
	if status != exitDone {
		t.Fatalf("status %d\n%s", status, stderr.String())
	}
	var sub map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &sub); err != nil || strings.Count(stdout.String(), "\n") != 1 {
		t.Fatalf("%v\n%s", err, stdout.String())
	}
	for name, want := range map[string]any{"state": "queued", "system": "Agent", "model": "m", "version": "7", "release": "starter@1", "link": "https://example.org", "notes": "=notes",
		"submitter": "Ada", "documented": 1.0} {
		if sub[name] != want {
			t.Errorf("%s is %v, want %v", name, sub[name], want)
		}
	}
	for _, want := range []string{"line 2: docstring: is missing; ", "line 3: the line is not a JSON object; write one JSON object a line",
		"line 4: touchstone/spans:src/spans/interval.py::Interval.flagz: the repository has no such function or class; nearest: src/spans/interval.py::Interval.flags",
		"1 of 83 tasks have a docstring", "queued: " + s.address + "/submissions/"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%q is not in %s", want, stderr.String())
		}
	}
	stored, err := s.db.SubmissionByPublicID(t.Context(), sub["id"].(string))
	if err != nil || stored.FileName != "docs.jsonl" {
		t.Errorf("%+v, %v", stored, err)
	}
}

func TestSubmitSaysWhatIsWrong(t *testing.T) {
	s := trySite(t, false)
	t.Setenv("TOUCHSTONE_TOKEN", "")
	gone := httptest.NewServer(http.NotFoundHandler())
	other := gone.URL
	gone.Close()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<h1>hello</h1>") }))
	defer elsewhere.Close()
	file, empty := docsFile(t), filepath.Join(t.TempDir(), "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(t.TempDir(), "foreign.jsonl")
	if err := os.WriteFile(foreign, []byte(`{"repo":"a/b","path":"c.py","qualname":"d","docstring":"e"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	with := func(args ...string) []string { return append([]string{"submit", "--token", s.token}, args...) }
	for _, c := range []struct {
		name   string
		args   []string
		status int
		words  []string
	}{
		{"no file", []string{"submit", "--system", "A"}, exitUsage, []string{"<file>"}},
		{"no such file", []string{"submit", file + "x", "--system", "A"}, exitUsage, []string{"docs.jsonlx"}},
		{"no system", []string{"submit", file}, exitUsage, []string{"--system"}},
		{"no address", []string{"submit", file, "--system", "A", "--url", "example.org"}, exitUsage, []string{"--url", "https://"}},
		{"no token", []string{"submit", file, "--system", "A", "--url", s.address}, exitFailed, []string{"This needs a token", "TOUCHSTONE_TOKEN"}},
		{"wrong token", []string{"submit", file, "--system", "A", "--url", s.address, "--token", "ts_x"}, exitFailed, []string{"not known, or it was revoked"}},
		{"no site", with(file, "--system", "A", "--url", other), exitFailed, []string{"the site does not answer", other}},
		{"another site", with(file, "--system", "A", "--url", elsewhere.URL), exitFailed, []string{"is it the address of a Touchstone site?"}},
		{"no such release", with(file, "--system", "A", "--url", s.address, "--release", "x@1"), exitFailed, []string{`"x@1" is no release of this track on this site`, "starter@1"}},
		{"an empty file", with(empty, "--system", "A", "--url", s.address), exitFailed, []string{"empty.jsonl: is empty"}},
		{"a file for something else", with(foreign, "--system", "A", "--url", s.address), exitFailed, []string{"line 1: a/b:c.py::d", "no docstring for any task"}},
		{"another track", with(file, "--system", "A", "--url", s.address, "--track", "other"), exitUsage, []string{"--track"}},
		{"no release of the track", with(file, "--system", "A", "--url", s.address, "--track", "localization"), exitFailed, []string{"there is none on this site yet"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if status := run(c.args, &stdout, &stderr); status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			for _, w := range c.words {
				if !strings.Contains(stderr.String(), w) {
					t.Errorf("%q is not in %q", w, stderr.String())
				}
			}
			if stdout.Len() > 0 {
				t.Errorf("standard output: %q", stdout.String())
			}
		})
	}
}

func TestSubmitWaitsUntilItIsOver(t *testing.T) {
	s := trySite(t, true)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.engine.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
	var stdout, stderr bytes.Buffer
	status := run([]string{"submit", docsFile(t), "--url", s.address, "--system", "Agent", "--token", s.token, "--wait"}, &stdout, &stderr)
	if status != exitDone {
		t.Fatalf("status %d\n%s", status, stderr.String())
	}
	var sub struct {
		State       string
		Done        int `json:"samples_done"`
		Evaluations []struct {
			Scores []struct {
				PassAtK float64 `json:"pass_at_k"`
			}
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &sub); err != nil || sub.State != "finished" || sub.Done != 83 || len(sub.Evaluations[0].Scores) != 3 || sub.Evaluations[0].Scores[0].PassAtK != 0 {
		t.Errorf("%v %s", err, stdout.String())
	}
	if !strings.Contains(stderr.String(), "evaluating 83/83") {
		t.Errorf("no progress: %s", stderr.String())
	}
}

func TestSubmitFailsWhenItsSubmissionDoes(t *testing.T) {
	s := trySite(t, false)
	over := make(chan struct{})
	go func() { // the only submission is cancelled once it is queued; the site is silent for a while before
		defer close(over)
		for range 200 {
			all, _, err := s.db.Submissions(context.Background(), store.SubmissionFilter{States: []store.State{store.Queued}})
			if err == nil && len(all) == 1 {
				s.down.Store(true)
				time.Sleep(1500 * time.Millisecond)
				s.down.Store(false)
				_ = s.engine.Cancel(context.Background(), all[0])
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	var stdout, stderr bytes.Buffer
	status := run([]string{"submit", docsFile(t), "--url", s.address, "--system", "Agent", "--token", s.token, "--wait"}, &stdout, &stderr)
	<-over
	if status != exitFailed || !strings.Contains(stdout.String(), `"state":"cancelled"`) || !strings.Contains(stderr.String(), "the submission cancelled: stub cancelled") {
		t.Errorf("status %d\n%s\n%s", status, stdout.String(), stderr.String())
	}
}

func TestWaitingEndsWithTheCommand(t *testing.T) {
	s := trySite(t, false)
	client, err := newSiteClient(s.address, s.token)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	p := &place{stdout: io.Discard, stderr: newMeter(io.Discard)}
	if _, _, err := client.wait(ctx, p, &submitted{ID: "x", State: "queued"}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
