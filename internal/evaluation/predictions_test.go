package evaluation

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/blob"
	"touchstone/internal/dispatch"
	"touchstone/internal/localization"
	"touchstone/internal/store"
)

// threePulls writes a release of three pull requests of two repositories, one of
// which changes a document alone.
func threePulls(t *testing.T) string {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	repository := func(name string, tasks, gold int) localization.Repository {
		return localization.Repository{Name: name, T0: at, T1: at.AddDate(0, 1, 0), Snapshot: "0", Head: "9", Files: localization.FilesPath(name),
			Counts: localization.Counts{Commits: 4, PullRequests: tasks, Tasks: tasks, Gold: gold, Files: 3, Dropped: map[string]int{}}}
	}
	two := repository("acme/two", 1, 1)
	two.Counts.PullRequests, two.Counts.Dropped[localization.ReasonBot] = 2, 1
	task := func(name string, number int, gold ...localization.GoldFile) localization.Task {
		return localization.Task{ID: localization.TaskID(name, number), Repository: name, Number: number, Commit: "c", Base: "b", MergedAt: at.AddDate(0, 0, number), Gold: gold}
	}
	files := []string{"a.go", "a_test.go", "doc.md"}
	c := localization.Contents{Release: localization.Release{Name: "pulls", Version: "1", ToolVersion: "test", Policy: localization.Policy{MaxGold: 30}},
		Repositories: []localization.Repository{repository("acme/one", 2, 3), two},
		Dropped:      []localization.Drop{{Repository: "acme/two", Number: 4, Commit: "d", Reason: localization.ReasonBot}},
		Tasks: []localization.Task{
			task("acme/one", 1, localization.GoldFile{Path: "a.go", Label: localization.Source}, localization.GoldFile{Path: "a_test.go", Label: localization.Test}),
			task("acme/one", 2, localization.GoldFile{Path: "a.go", Label: localization.Source}),
			task("acme/two", 3, localization.GoldFile{Path: "doc.md", Label: localization.Documentation}),
		},
		Files: map[string][]string{"acme/one": files, "acme/two": files}}
	dir := filepath.Join(t.TempDir(), "pulls")
	if _, err := c.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// newPulls makes a site with that release.
func newPulls(t *testing.T) *site {
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
	releases := filepath.Join(dir, "releases")
	release, err := Import(t.Context(), db, releases, threePulls(t))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := New(t.Context(), Config{Store: db, Blobs: blobs, Queue: queue, Releases: releases, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	return &site{engine, db, release}
}

// predict uploads predictions without confirming them.
func (s *site) predict(t *testing.T, otherwise localization.Arm, lines ...string) (store.Submission, error) {
	t.Helper()
	a, err := account.New(s.db).Named(t.Context(), "ada", account.Submitter)
	if err != nil {
		t.Fatal(err)
	}
	sub, _, err := s.DraftPredictions(t.Context(), Upload{Account: a, Release: s.release, System: "Finder", Version: "1", FileName: "predictions.jsonl",
		File: strings.NewReader(strings.Join(lines, "\n") + "\n"), Otherwise: otherwise})
	return sub, err
}

var contextual = localization.Arm{Level: localization.Contextual, Condition: localization.Baseline}

func TestALocalizationReleaseIsImportedOnce(t *testing.T) {
	s := newPulls(t)
	if s.release.Track != benchmark.Localization || s.release.Tasks != 3 || s.release.Candidates != 4 || len(s.release.Repositories) != 2 || s.release.Prompt != "" {
		t.Errorf("%+v", s.release)
	}
	again, err := Import(t.Context(), s.db, s.Config.Releases, threePulls(t))
	if err != nil || again.ID != s.release.ID {
		t.Errorf("%+v, %v", again, err)
	}
	if drops, err := s.db.Drops(t.Context(), s.release.ID); err != nil || len(drops) != 1 || drops[0].Key != "acme__two-4" || drops[0].Reason != localization.ReasonBot {
		t.Errorf("%+v, %v", drops, err)
	}
	tasks, err := s.db.LocalizationTasks(t.Context(), s.release.ID, 0)
	if err != nil || len(tasks) != 3 || tasks[0].Task.Key != "acme__one-1" || tasks[0].Gold[1] != (store.GoldFile{Path: "a_test.go", Label: "test"}) {
		t.Errorf("%+v, %v", tasks, err)
	}
	if _, err := Import(t.Context(), s.db, s.Config.Releases, t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no release") {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestPredictionsAreScoredInTheBackground(t *testing.T) {
	s := newPulls(t)
	sub, err := s.predict(t, contextual,
		`{"instance_id":"acme__one-1","found_files":["a.go","b.go"]}`,
		`{"instance_id":"acme__two-3","found_files":["doc.md"]}`,
		`{"instance_id":"acme__one-1","found_files":["a.go","a_test.go"],"condition":"augmented"}`)
	if err != nil || sub.Documented != 2 || sub.Tasks != 3 || sub.Track != benchmark.Localization {
		t.Fatalf("%+v, %v", sub, err)
	}
	for range 2 { // a second click does nothing
		if err := s.Confirm(t.Context(), sub); err != nil {
			t.Fatal(err)
		}
	}
	// The process that took it in ends here: nothing but the database knows of it.
	s.run(t)
	if now := s.over(t, sub); now.State != store.Finished {
		t.Fatalf("%+v", now)
	}
	scores, err := s.db.LocalizationScoresOf(t.Context(), sub.ID)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]store.LocalizationScore{}
	for _, x := range scores {
		if x.RepositoryID == 0 {
			found[x.Condition+" "+x.Gold] = x
		}
	}
	for _, c := range []struct {
		of              string
		tasks, answered int
		f1, micro       float64
		zero, exact     int
	}{
		{"baseline all", 3, 2, (.5 + 0 + 1) / 3, 2 * 2.0 / 7, 1, 1},
		{"baseline source", 2, 1, (2.0 / 3) / 2, 2.0 / 4, 1, 0},
		{"augmented all", 3, 1, 1.0 / 3, 2 * 2.0 / 6, 2, 1},
		{"augmented source", 2, 1, .5, 2.0 / 3, 1, 1},
	} {
		x := found[c.of]
		if x.Tasks != c.tasks || x.Answered != c.answered || math.Abs(x.F1-c.f1) > 1e-9 || math.Abs(x.MicroF1-c.micro) > 1e-9 || x.ZeroRecall != c.zero || x.Exact != c.exact {
			t.Errorf("%s: %+v", c.of, x)
		}
	}
	if len(found) != 4 {
		t.Errorf("%d arms", len(found))
	}
	tasks, err := s.db.LocalizationTaskScoresOf(t.Context(), sub.ID, "all")
	if err != nil || len(tasks) != 6 || tasks[0].F1 == tasks[1].F1 || tasks[2].Answered {
		t.Errorf("%+v, %v", tasks, err)
	}
	file, err := s.Uploaded(t.Context(), sub)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if data, err := io.ReadAll(file); err != nil || !bytes.Contains(data, []byte(`"b.go"`)) {
		t.Errorf("%s, %v", data, err)
	}
}

func TestAFileWithoutALevelNeedsOneFromTheForm(t *testing.T) {
	s := newPulls(t)
	line := `{"instance_id":"acme__one-1","found_files":["a.go"]}`
	for _, c := range []struct {
		otherwise localization.Arm
		want      string
	}{
		{localization.Arm{}, "prompt: is not said by 1 line of the file"},
		{localization.Arm{Level: localization.Guided}, "condition: is not said by 1 line of the file"},
	} {
		var bad *benchmark.InputError
		if _, err := s.predict(t, c.otherwise, line); !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.otherwise, err)
		}
	}
	if _, err := s.predict(t, localization.Arm{}, `{"instance_id":"acme__one-1","found_files":["a.go"],"prompt":"guided","condition":"baseline"}`); err != nil {
		t.Error(err)
	}
}

func TestAFileForOtherTasksCannotBeConfirmed(t *testing.T) {
	s := newPulls(t)
	sub, err := s.predict(t, contextual, `{"instance_id":"acme__one-4","found_files":["a.go"]}`)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Confirm(t.Context(), sub); !errors.Is(err, ErrNothingPredicted) {
		t.Error(err)
	}
	if err := s.Discard(t.Context(), sub); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{uploaded(sub.PublicID), acceptedPredictions(sub.PublicID)} {
		if file, err := s.Blobs.Get(t.Context(), key); err == nil {
			file.Close()
			t.Errorf("%s is left", key)
		}
	}
}

func TestACancelledScoringIsTakenUpAgain(t *testing.T) {
	s := newPulls(t)
	sub, err := s.predict(t, contextual, `{"instance_id":"acme__one-1","found_files":["a.go"]}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func(context.Context, store.Submission) error{s.Confirm, s.Cancel} {
		if err := step(t.Context(), sub); err != nil {
			t.Fatal(err)
		}
	}
	s.run(t)
	if now := s.over(t, sub); now.State != store.Cancelled {
		t.Fatalf("%+v", now)
	}
	if err := s.Retry(t.Context(), sub); err != nil {
		t.Fatal(err)
	}
	if now := s.over(t, sub); now.State != store.Finished {
		t.Errorf("%+v", now)
	}
}
