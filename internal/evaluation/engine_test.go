package evaluation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchstone/data"
	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/blob"
	"touchstone/internal/dispatch"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/llm"
	"touchstone/internal/sandbox/sandboxtest"
	"touchstone/internal/store"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

// A site is everything but the pages.
type site struct {
	*Engine
	db      *store.Store
	release store.Release
}

// newSite makes a site with the starter release. With execute its bodies are
// run in the sandbox.
func newSite(t *testing.T, execute bool, judges ...Judge) *site {
	t.Helper()
	dir := t.TempDir()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	db, err := store.Open(t.Context(), filepath.Join(dir, "site.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	blobs, err := blob.Open(t.Context(), filepath.Join(dir, "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { blobs.Close() })
	queue, err := dispatch.Open(t.Context(), dispatch.Config{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { queue.Close() })
	files := sandboxtest.Cache(t)
	starter, err := data.Install(files, "starter/release")
	if err != nil {
		t.Fatal(err)
	}
	releases := filepath.Join(dir, "releases")
	release, err := Import(t.Context(), db, releases, starter)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Store: db, Blobs: blobs, Queue: queue, Releases: releases, Judges: judges, Generate: 2, Log: log, Backoff: 10 * time.Millisecond}
	if execute {
		c.Executor = NewExecutor(releases, files, sandboxtest.Local(t), 2, log)
		t.Cleanup(c.Executor.Close)
	}
	engine, err := New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return &site{engine, db, release}
}

// run runs the engine until the test stops it.
func (s *site) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the engine ended with %v", err)
		}
	}
	t.Cleanup(stop)
	return stop
}

func (s *site) account(t *testing.T, name string) store.Account {
	t.Helper()
	a, err := account.New(s.db).Named(t.Context(), name, account.Submitter)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// submit queues docstrings: a sample of the starter release, or lines.
func (s *site) submit(t *testing.T, who, sample string, lines ...string) store.Submission {
	t.Helper()
	u := Upload{Account: s.account(t, who), Release: s.release, System: "agent of " + who, Docs: store.DocsFile, FileName: "docs.jsonl",
		File: strings.NewReader(strings.Join(lines, "\n") + "\n")}
	if sample != "" {
		file, err := data.Submission(sample)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		u.File = file
	}
	sub, _, err := s.Draft(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Confirm(t.Context(), sub); err != nil {
		t.Fatal(err)
	}
	return sub
}

// over waits until a submission is over.
func (s *site) over(t *testing.T, sub store.Submission) store.Submission {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		now, err := s.db.Submission(t.Context(), sub.ID)
		if err != nil {
			t.Fatal(err)
		}
		if now.State.Over() {
			return now
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is still %s", sub.PublicID, now.State)
		}
	}
}

func (s *site) evaluation(t *testing.T, sub store.Submission) store.Evaluation {
	t.Helper()
	all, err := s.db.Evaluations(t.Context(), sub.ID)
	if err != nil || len(all) != 1 {
		t.Fatal(len(all), err)
	}
	return all[0]
}

func recorded(t *testing.T) Judge {
	t.Helper()
	file, err := data.Replies()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := evaluator.ReadRecorded(file, "replies")
	if err != nil {
		t.Fatal(err)
	}
	return Judge{Evaluator: r, Kind: store.KindRecorded, Enabled: true}
}

func control(e evaluator.Evaluator) Judge {
	return Judge{Evaluator: e, Kind: store.KindControl, Enabled: true}
}

// broken is a model that cannot be asked.
type broken struct {
	evaluator.Evaluator
	err error
}

func (b broken) Name() string        { return "broken" }
func (b broken) Fingerprint() string { return "broken" }
func (b broken) Complete(context.Context, evaluator.Request) (llm.Completion, error) {
	return llm.Completion{}, b.err
}

func TestASubmissionBecomesScores(t *testing.T) {
	s := newSite(t, true, recorded(t))
	s.run(t)
	sub := s.over(t, s.submit(t, "ada", "detailed"))
	if sub.State != store.Finished || sub.Documented != 83 {
		t.Fatalf("%s, %d documented: %s", sub.State, sub.Documented, sub.Error)
	}
	e := s.evaluation(t, sub)
	if e.Done != 415 || e.Total != 415 || e.Missing != 0 {
		t.Errorf("%d of %d samples, %d missing", e.Done, e.Total, e.Missing)
	}
	scores, err := s.db.Scores(t.Context(), benchmark.DocToCode)
	if err != nil {
		t.Fatal(err)
	}
	for _, score := range scores {
		// What touchstone evaluate prints for the same docstrings and replies.
		if score.Aggregation == store.ByRepository && score.K == 1 && math.Abs(score.Value-0.880159) > 1e-6 {
			t.Errorf("pass@1 is %v", score.Value)
		}
	}
	if len(scores) != 3*5 {
		t.Errorf("%d scores for three aggregations and k up to 5", len(scores))
	}
	tasks, err := s.db.TaskScores(t.Context(), e.ID)
	if err != nil || len(tasks) != 83 {
		t.Errorf("%d task scores, %v", len(tasks), err)
	}
}

func TestTheControlsBoundTheScores(t *testing.T) {
	s := newSite(t, true, control(evaluator.Reference), control(evaluator.Stub))
	s.run(t)
	sub := s.over(t, s.submit(t, "ada", "vague"))
	all, err := s.db.Scores(t.Context(), benchmark.DocToCode)
	if err != nil {
		t.Fatal(err)
	}
	evaluations, err := s.db.Evaluations(t.Context(), sub.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"reference": 1, "stub": 0}
	seen := 0
	for _, e := range evaluations {
		for _, score := range all {
			if score.EvaluationID == e.ID {
				seen++
				if score.Value != want[e.Evaluator.Name] {
					t.Errorf("%s scores %v by %s", e.Evaluator.Name, score.Value, score.Aggregation)
				}
			}
		}
	}
	if seen != 6 {
		t.Errorf("%d scores instead of 6", seen)
	}
}

func TestACancelledEvaluationGoesOnWhereItWas(t *testing.T) {
	s := newSite(t, true, recorded(t))
	s.run(t)
	sub := s.submit(t, "ada", "summary")
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if e := s.evaluation(t, sub); e.Done > 0 {
			break
		} else if time.Now().After(deadline) {
			t.Fatal("no verdict came")
		}
	}
	if err := s.Cancel(t.Context(), sub); err != nil {
		t.Fatal(err)
	}
	if now := s.over(t, sub); now.State != store.Cancelled {
		t.Fatalf("it is %s", now.State)
	}
	before := s.evaluation(t, sub)
	if before.Done == 0 || before.Done == before.Total {
		t.Fatalf("%d of %d samples were done when it was cancelled: it was not under way", before.Done, before.Total)
	}
	if err := s.Retry(t.Context(), sub); err != nil {
		t.Fatal(err)
	}
	if now := s.over(t, sub); now.State != store.Finished {
		t.Fatalf("it is %s: %s", now.State, now.Error)
	}
	verdicts, err := s.db.Verdicts(t.Context(), before.ID)
	if err != nil || len(verdicts) != 415 {
		t.Errorf("%d verdicts, %v", len(verdicts), err)
	}
}

func TestAWrongKeyFailsTheEvaluationWithItsReason(t *testing.T) {
	s := newSite(t, false, control(broken{evaluator.Stub, fmt.Errorf("%w: 401", llm.ErrKeyRejected)}))
	s.run(t)
	sub := s.over(t, s.submit(t, "ada", "vague"))
	e := s.evaluation(t, sub)
	if sub.State != store.Failed || !strings.Contains(e.Error, llm.ErrKeyRejected.Error()) {
		t.Errorf("%s: %q", sub.State, e.Error)
	}
	units, err := s.db.UnfinishedUnits(t.Context(), e.ID)
	if err != nil || units == 0 {
		t.Errorf("%d units are left to go on with, %v", units, err)
	}
}

func TestAUnitThatKeepsFailingFailsItsEvaluation(t *testing.T) {
	s := newSite(t, false, control(broken{evaluator.Stub, llm.ErrUnavailable}))
	s.run(t)
	e := s.evaluation(t, s.over(t, s.submit(t, "ada", "vague")))
	if e.State != store.Failed || !strings.Contains(e.Error, "failed 5 times") {
		t.Errorf("%s: %q", e.State, e.Error)
	}
}

func TestDocstringsWithoutARecordedReplyCountNeitherWay(t *testing.T) {
	s := newSite(t, true, recorded(t))
	s.run(t)
	const task = "touchstone/spans:src/spans/interval.py::Interval.flags"
	sub := s.over(t, s.submit(t, "ada", "", `{"task_id":"`+task+`","docstring":"Nobody has seen this text."}`))
	e := s.evaluation(t, sub)
	if sub.State != store.Finished || e.Missing == 0 {
		t.Fatalf("%s, %d missing: %s", sub.State, e.Missing, sub.Error)
	}
	row, err := s.db.Task(t.Context(), sub.ReleaseID, task)
	if err != nil {
		t.Fatal(err)
	}
	verdicts, err := s.db.Verdicts(t.Context(), e.ID, row.ID)
	if err != nil || len(verdicts) != 5 || verdicts[0].Verdict != benchmark.InfraError {
		t.Errorf("%+v %v", verdicts, err)
	}
}

func TestSubmittersTakeTurns(t *testing.T) {
	s := newSite(t, false, control(evaluator.Stub))
	for range 3 {
		s.submit(t, "busy", "vague")
	}
	other := s.evaluation(t, s.submit(t, "late", "vague"))
	if err := s.round(t.Context()); err != nil {
		t.Fatal(err)
	}
	theirs, all := 0, s.count(dispatch.Generate)
	for _, o := range s.out {
		if o.evaluation == other.ID {
			theirs++
		}
	}
	if all != 4 || theirs != 2 {
		t.Errorf("%d of %d units are of the submitter who came last", theirs, all)
	}
}

func TestTheSmallestOfASubmittersEvaluationsComesFirst(t *testing.T) {
	long, short := recorded(t), control(evaluator.Stub)
	s := newSite(t, false, long, short)
	sub := s.submit(t, "ada", "vague")
	if err := s.round(t.Context()); err != nil {
		t.Fatal(err)
	}
	all, err := s.db.Evaluations(t.Context(), sub.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range s.out {
		for _, e := range all {
			if e.ID == o.evaluation && e.Evaluator.Name != "stub" {
				t.Errorf("a unit of %s went first", e.Evaluator.Name)
			}
		}
	}
}

func TestAFreshEngineTakesUpWhatAnotherLeft(t *testing.T) {
	s := newSite(t, true, control(evaluator.Reference))
	sub := s.submit(t, "ada", "vague")
	if err := s.round(t.Context()); err != nil { // handed out, and nobody works
		t.Fatal(err)
	}
	queue, err := dispatch.Open(t.Context(), dispatch.Config{Log: s.Log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { queue.Close() })
	c := s.Config
	c.Queue = queue
	next, err := New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	(&site{next, s.db, s.release}).run(t)
	if now := s.over(t, sub); now.State != store.Finished {
		t.Errorf("it is %s: %s", now.State, now.Error)
	}
}

func TestUploadsWithUnusableFieldsAreRefusedByName(t *testing.T) {
	s := newSite(t, false, control(evaluator.Stub))
	for _, c := range []struct {
		field  string
		upload Upload
	}{
		{"system", Upload{}},
		{"system", Upload{System: strings.Repeat("x", 201)}},
		{"link", Upload{System: "a", Link: "javascript:alert(1)"}},
		{"notes", Upload{System: "a", Notes: strings.Repeat("x", 4001)}},
		{"version", Upload{System: "a", Version: "\x00"}},
	} {
		c.upload.Release, c.upload.Account = s.release, s.account(t, "ada")
		_, _, err := s.Draft(t.Context(), c.upload)
		var input *benchmark.InputError
		if !errors.As(err, &input) || input.Field != c.field || input.Mend == "" {
			t.Errorf("%s: %v", c.field, err)
		}
	}
}

func TestNothingIsQueuedWithoutAnEvaluator(t *testing.T) {
	s := newSite(t, false, Controls(false)...)
	sub, _, err := s.Draft(t.Context(), Upload{Account: s.account(t, "ada"), Release: s.release, System: "a", Docs: store.DocsOriginal})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Confirm(t.Context(), sub); !errors.Is(err, ErrNoEvaluator) {
		t.Errorf("got %v", err)
	}
	now, err := s.db.Submission(t.Context(), sub.ID)
	if err != nil || now.State != store.Draft {
		t.Errorf("it is %s, %v", now.State, err)
	}
}

func TestUnitsCoverEverySampleOnce(t *testing.T) {
	for _, samples := range []int{1, 3, 5, 20, 100} {
		tasks := make([]store.Task, 57)
		for i := range tasks {
			tasks[i].RepositoryID = uint64(i / 10)
		}
		next, total := 0, 0
		for _, u := range plan(tasks, samples) {
			if u.FirstTask != next || u.LastTask < u.FirstTask || tasks[u.FirstTask].RepositoryID != tasks[u.LastTask].RepositoryID {
				t.Fatalf("%d samples: %+v follows task %d", samples, u, next)
			}
			next = u.LastTask + 1
			total += u.Samples
		}
		if next != len(tasks) || total != samples*len(tasks) {
			t.Errorf("%d samples: %d tasks, %d samples in all", samples, next, total)
		}
	}
}
