package evaluation

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/evaluate"
	"touchstone/internal/intake"
	"touchstone/internal/localization"
	"touchstone/internal/store"
)

// An Upload is what somebody submits.
type Upload struct {
	Account  store.Account
	Release  store.Release
	System   string // the agent's name
	Model    string // documentation model; may be empty
	Link     string // http or https; may be empty
	Version  string // of the system; may be empty
	Notes    string
	Docs     string // one of the store's Docs constants
	FileName string
	File     io.Reader // with DocsFile
	// Otherwise is the level and condition of predictions that do not name
	// theirs; either may be empty.
	Otherwise localization.Arm
}

// Longest texts of an upload, in characters.
const (
	longestName  = 200
	longestLink  = 500
	longestNotes = 4000
)

// Problems names everything that is wrong with the fields of an upload, in the
// order of the form.
func (u Upload) Problems() []*benchmark.InputError {
	u.trim()
	var all []*benchmark.InputError
	wrong := func(field, problem, mend string) {
		all = append(all, &benchmark.InputError{Field: field, Problem: problem, Mend: mend})
	}
	if u.System == "" {
		wrong("system", "is empty", "give the name of the agent")
	}
	for _, f := range []struct {
		name, value string
		most        int
	}{
		{"system", u.System, longestName}, {"version", u.Version, longestName}, {"link", u.Link, longestLink},
		{"model", u.Model, longestName}, {"notes", u.Notes, longestNotes},
	} {
		if n := utf8.RuneCountInString(f.value); n > f.most {
			wrong(f.name, fmt.Sprintf("has %d characters", n), fmt.Sprintf("use at most %d", f.most))
		} else if !utf8.ValidString(f.value) || strings.ContainsRune(f.value, 0) {
			wrong(f.name, "holds characters that are no text", "write it in UTF-8")
		} else if f.name == "link" && f.value != "" && !isLink(f.value) {
			wrong(f.name, fmt.Sprintf("%q is not an address", f.value), "begin it with https://")
		}
	}
	return all
}

func (u *Upload) trim() {
	for _, field := range []*string{&u.System, &u.Model, &u.Link, &u.Version, &u.Notes} {
		*field = strings.TrimSpace(*field)
	}
}

func isLink(text string) bool {
	link, err := url.Parse(text)
	return err == nil && link.Host != "" && (link.Scheme == "http" || link.Scheme == "https")
}

// Draft takes an upload in and says what is in it. Nothing is queued before it
// is confirmed. Errors that are the uploader's are *benchmark.InputError.
func (e *Engine) Draft(ctx context.Context, u Upload) (store.Submission, *intake.Report, error) {
	if problems := u.Problems(); len(problems) > 0 {
		return store.Submission{}, nil, problems[0]
	}
	u.trim()
	release, err := e.releases.get(ctx, u.Release.ID)
	if err != nil {
		return store.Submission{}, nil, err
	}
	sub := u.draft(release.Row, len(release.Tasks))
	var report *intake.Report
	if u.Docs == store.DocsFile {
		if report, err = e.takeIn(ctx, &sub, u.File, release); err != nil {
			return sub, nil, errors.Join(err, e.discard(context.WithoutCancel(ctx), sub.PublicID))
		}
	} else if sub.Documented, err = e.countDocumented(ctx, sub, release); err != nil {
		return sub, nil, err
	}
	return sub, report, e.add(ctx, u, &sub, release.Row)
}

// draft is the row of an upload before its file was read.
func (u Upload) draft(release store.Release, tasks int) store.Submission {
	return store.Submission{
		PublicID: newPublicID(), Track: release.Track, ReleaseID: release.ID, AccountID: u.Account.ID, Version: u.Version,
		Notes: u.Notes, Docs: u.Docs, FileName: firstRunes(u.FileName, longestName), State: store.Draft, Tasks: tasks,
	}
}

// add keeps a draft whose file was read.
func (e *Engine) add(ctx context.Context, u Upload, sub *store.Submission, release store.Release) error {
	system, err := e.Store.SystemNamed(ctx, store.System{Slug: benchmark.Slug(u.System, u.Model), Name: u.System, Model: u.Model, Link: u.Link})
	if err != nil {
		return err
	}
	sub.SystemID = system.ID
	if err := e.Store.AddSubmission(ctx, sub); err != nil {
		return errors.Join(err, e.discard(context.WithoutCancel(ctx), sub.PublicID))
	}
	sub.System, sub.Release, sub.Account = system, release, u.Account
	return nil
}

// keepUpload keeps the uploaded file, and opens it again.
func (e *Engine) keepUpload(ctx context.Context, sub *store.Submission, file io.Reader) (io.ReadCloser, error) {
	sub.Blob = uploaded(sub.PublicID)
	sum := sha256.New()
	n, err := e.Blobs.Put(ctx, sub.Blob, io.TeeReader(file, sum))
	if err != nil {
		return nil, err
	}
	sub.FileBytes, sub.SHA256 = n, hex.EncodeToString(sum.Sum(nil))
	return e.Blobs.Get(ctx, sub.Blob)
}

// takeIn keeps the uploaded file and reads it.
func (e *Engine) takeIn(ctx context.Context, sub *store.Submission, file io.Reader, release *Opened) (*intake.Report, error) {
	stored, err := e.keepUpload(ctx, sub, file)
	if err != nil {
		return nil, err
	}
	defer stored.Close()
	report, docs, err := intake.Preflight(ctx, stored, sub.FileName, release.Dataset, intake.DefaultLimits)
	if err != nil {
		return nil, err
	}
	if err := e.keepDocs(ctx, sub.PublicID, docs); err != nil {
		return nil, err
	}
	for _, t := range release.Tasks {
		id, err := benchmark.ParseTaskID(t.Key)
		if err != nil {
			return nil, err
		}
		if _, ok := docs.Get(id); ok {
			sub.Documented++
		}
	}
	sub.Report, err = json.Marshal(report)
	return report, err
}

func (e *Engine) countDocumented(ctx context.Context, sub store.Submission, release *Opened) (int, error) {
	docstrings, err := e.docstrings(ctx, sub, release)
	return len(docstrings), err
}

func (e *Engine) discard(ctx context.Context, publicID string) error {
	return errors.Join(e.Blobs.Delete(ctx, uploaded(publicID)), e.Blobs.Delete(ctx, accepted(publicID)), e.Blobs.Delete(ctx, acceptedPredictions(publicID)))
}

// docstrings are a submission's of the tasks of its release.
func (e *Engine) docstrings(ctx context.Context, sub store.Submission, release *Opened) ([]store.Docstring, error) {
	docs, err := e.Docs(ctx, sub)
	if err != nil {
		return nil, err
	}
	var all []store.Docstring
	for _, repository := range release.Dataset.Repositories {
		targets, err := evaluate.Targets(release.Dataset, repository, docs)
		if err != nil {
			return nil, err
		}
		for _, target := range targets {
			if text, ok := target.Docstring(); ok {
				t, _ := release.Task(target.ID)
				all = append(all, store.Docstring{SubmissionID: sub.ID, TaskID: t.ID, Text: text})
			}
		}
	}
	return all, nil
}

// ErrNoEvaluator is returned when no evaluator is enabled.
var ErrNoEvaluator = &benchmark.InputError{Field: "evaluator", Problem: "none is enabled on this site",
	Mend: "ask its operator to enable one (touchstone admin evaluator enable NAME)"}

// ErrNothingDocumented is returned when a file has no docstring for any task.
var ErrNothingDocumented = &benchmark.InputError{Field: "file", Problem: "has no docstring for any task of the release",
	Mend: "check repo, path and qualname against the release's tasks"}

// Confirm queues a draft under every enabled evaluator, or to be scored.
func (e *Engine) Confirm(ctx context.Context, sub store.Submission) error {
	if sub.Track == benchmark.Localization {
		return e.confirmPredictions(ctx, sub)
	}
	if sub.Docs == store.DocsFile && sub.Documented == 0 {
		return ErrNothingDocumented
	}
	release, err := e.releases.get(ctx, sub.ReleaseID)
	if err != nil {
		return err
	}
	docstrings, err := e.docstrings(ctx, sub, release)
	if err != nil {
		return err
	}
	evaluators, err := e.Store.Evaluators(ctx, sub.Track)
	if err != nil {
		return err
	}
	var evaluations []store.Evaluation
	var units [][]store.Unit
	for _, row := range evaluators {
		if _, here := e.judges[row.ID]; !row.Enabled || !here {
			continue
		}
		evaluations = append(evaluations, store.Evaluation{SubmissionID: sub.ID, EvaluatorID: row.ID, State: store.Queued,
			Samples: row.Samples, Total: row.Samples * len(release.Tasks)})
		units = append(units, plan(release.Tasks, row.Samples))
	}
	if len(evaluations) == 0 {
		return ErrNoEvaluator
	}
	err = e.Store.Confirm(ctx, sub.ID, docstrings, evaluations, units)
	if errors.Is(err, store.ErrNotFound) {
		return nil // confirmed already: a second click
	}
	if err != nil {
		return err
	}
	e.announce(sub.PublicID)
	e.wake()
	e.wakeMeasuring()
	return nil
}

// unitSamples is about how many samples a unit has: a few seconds of work,
// which is what a killed process loses at most.
const unitSamples = 20

// plan cuts an evaluation into units of neighbouring tasks of one repository.
func plan(tasks []store.Task, samples int) []store.Unit {
	most := max(1, unitSamples/samples)
	var units []store.Unit
	for i := 0; i < len(tasks); {
		j := i
		for j < len(tasks) && j-i < most && tasks[j].RepositoryID == tasks[i].RepositoryID {
			j++
		}
		units = append(units, store.Unit{RepositoryID: tasks[i].RepositoryID, Position: len(units), FirstTask: i, LastTask: j - 1,
			Samples: (j - i) * samples, Stage: store.StageGenerate})
		i = j
	}
	return units
}

// Cancel ends what is not over of a submission, at once.
func (e *Engine) Cancel(ctx context.Context, sub store.Submission) error {
	if sub.Track == benchmark.Localization {
		defer e.announce(sub.PublicID)
		return e.Store.CancelScoring(ctx, sub.ID)
	}
	ended, err := e.Store.Cancel(ctx, sub.ID)
	if err != nil {
		return err
	}
	for _, id := range ended {
		e.forgetAll(id)
		if err := e.Queue.Cancel(ctx, group(id)); err != nil {
			return err
		}
	}
	e.announce(sub.PublicID)
	e.wake()
	return nil
}

// Retry queues what failed or was cancelled again. It goes on from the samples
// that have a verdict.
func (e *Engine) Retry(ctx context.Context, sub store.Submission) error {
	if sub.Track == benchmark.Localization {
		return e.rescore(ctx, sub)
	}
	if _, err := e.Store.Retry(ctx, sub.ID); err != nil {
		return err
	}
	e.announce(sub.PublicID)
	e.wake()
	return nil
}

// Discard removes a draft and its file; store.ErrNotFound when it is no draft.
func (e *Engine) Discard(ctx context.Context, sub store.Submission) error {
	if err := e.Store.DeleteDraft(ctx, sub.ID); err != nil {
		return err
	}
	return e.discard(context.WithoutCancel(ctx), sub.PublicID)
}

// DraftLife is how long a draft waits for being confirmed.
const DraftLife = 7 * 24 * time.Hour

// dropDrafts looks for drafts whose time is over, from the start on.
func (e *Engine) dropDrafts(ctx context.Context) error {
	ticker := time.NewTicker(time.Hour)
	defer ticker.Stop()
	for {
		if err := e.DropDrafts(ctx, DraftLife); err != nil && ctx.Err() == nil {
			e.Log.Error("dropping drafts", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// DropDrafts removes drafts that were not confirmed for so long.
func (e *Engine) DropDrafts(ctx context.Context, age time.Duration) error {
	ids, err := e.Store.DeleteDrafts(ctx, time.Now().Add(-age))
	for _, id := range ids {
		err = errors.Join(err, e.discard(ctx, id))
	}
	return err
}

func newPublicID() string {
	random := make([]byte, 10)
	if _, err := rand.Read(random); err != nil {
		panic(err) // the operating system has no randomness
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(random))
}

func firstRunes(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}
