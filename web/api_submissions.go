package web

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/intake"
	"touchstone/internal/store"
)

// A submissionJSON is a submission as programs read it.
type submissionJSON struct {
	ID          string           `json:"id"`
	URL         string           `json:"url"`
	Track       benchmark.Track  `json:"track"`
	State       store.State      `json:"state"`
	Error       string           `json:"error,omitempty"`
	System      string           `json:"system"`
	Model       string           `json:"model"`
	Version     string           `json:"version"`
	Link        string           `json:"link"`
	Notes       string           `json:"notes"`
	Release     string           `json:"release"`
	Submitter   string           `json:"submitter"`
	Docs        string           `json:"docs"`
	SHA256      string           `json:"sha256"`
	Tasks       int              `json:"tasks"`
	Documented  int              `json:"documented"`
	Created     time.Time        `json:"created"`
	Submitted   *time.Time       `json:"submitted"`
	Ended       *time.Time       `json:"ended"`
	Place       int              `json:"place,omitempty"`        // in the queue, from 1 on
	SecondsLeft *int             `json:"seconds_left,omitempty"` // estimated; absent while nothing is known
	Samples     int              `json:"samples"`
	SamplesDone int              `json:"samples_done"`
	Evaluations []evaluationJSON `json:"evaluations"`
	FileScores  []fileScoreJSON  `json:"file_scores,omitempty"` // of the localization track
	Report      *intake.Report   `json:"report,omitempty"`      // for its owner
	// PredictionReport is the report of the localization track.
	PredictionReport *intake.PredictionReport `json:"prediction_report,omitempty"`
}

type evaluationJSON struct {
	Evaluator        string                    `json:"evaluator"`
	Kind             string                    `json:"kind"`
	State            store.State               `json:"state"`
	Error            string                    `json:"error,omitempty"`
	SamplesPerTask   int                       `json:"samples_per_task"`
	Samples          int                       `json:"samples"`
	SamplesDone      int                       `json:"samples_done"`
	Missing          int                       `json:"missing"` // samples without a reply; they do not count
	Verdicts         map[benchmark.Verdict]int `json:"verdicts"`
	PromptTokens     int64                     `json:"prompt_tokens"`
	CompletionTokens int64                     `json:"completion_tokens"`
	Cost             float64                   `json:"cost"`
	Seconds          float64                   `json:"seconds"`
	Started          *time.Time                `json:"started"`
	Ended            *time.Time                `json:"ended"`
	Scores           []scoreJSON               `json:"scores"`
	Repositories     []repositoryScoreJSON     `json:"repositories"`
}

type scoreJSON struct {
	Aggregation  store.Aggregation `json:"aggregation"`
	K            int               `json:"k"`
	Value        float64           `json:"pass_at_k"`
	Low          *float64          `json:"low"`
	High         *float64          `json:"high"`
	Repositories int               `json:"repositories"`
	Tasks        int               `json:"tasks"`
}

type repositoryScoreJSON struct {
	Repository string  `json:"repository"`
	K          int     `json:"k"`
	Value      float64 `json:"pass_at_k"`
	Tasks      int     `json:"tasks"`
}

// asJSON writes a submission out, with its report when its owner asks.
func (s *Site) asJSON(c echo.Context, sub store.Submission, own bool) (*submissionJSON, error) {
	at, err := s.standing(c.Request().Context(), sub)
	if err != nil {
		return nil, err
	}
	j := &submissionJSON{
		ID: sub.PublicID, URL: origin(c) + submissionPath(sub), Track: sub.Track, State: sub.State, Error: sub.Error,
		System: sub.System.Name, Model: sub.System.Model, Version: sub.Version, Link: sub.System.Link, Notes: sub.Notes,
		Release: sub.Release.Label(), Submitter: sub.Account.Name, Docs: sub.Docs, SHA256: sub.SHA256, Tasks: sub.Tasks, Documented: sub.Documented,
		Created: sub.CreatedAt, Submitted: sub.ConfirmedAt, Ended: sub.FinishedAt, Place: at.place.Position, Evaluations: []evaluationJSON{},
	}
	if at.place.Left > 0 {
		left := int(math.Ceil(at.place.Left.Seconds()))
		j.SecondsLeft = &left
	}
	j.SamplesDone, j.Samples = at.samples()
	names := map[uint64]string{}
	for _, r := range at.release.Repositories {
		names[r.ID] = r.Name
	}
	for _, e := range at.evaluations {
		j.Evaluations = append(j.Evaluations, at.evaluationJSON(e, names))
	}
	if sub.Track == benchmark.Localization {
		if j.FileScores, err = s.fileScores(c, sub, names); err != nil {
			return nil, err
		}
	}
	if own && len(sub.Report) > 0 {
		if sub.Track == benchmark.Localization {
			j.PredictionReport, err = predictionReport(sub)
		} else {
			j.Report, err = reportOf(sub)
		}
	}
	return j, err
}

func (at *submissionStanding) evaluationJSON(e store.Evaluation, repositories map[uint64]string) evaluationJSON {
	j := evaluationJSON{
		Evaluator: e.Evaluator.Name, Kind: e.Evaluator.Kind, State: e.State, Error: e.Error, SamplesPerTask: e.Samples, Samples: e.Total, SamplesDone: e.Done,
		Missing: e.Missing, Verdicts: at.verdicts[e.ID], PromptTokens: e.PromptTokens, CompletionTokens: e.CompletionTokens, Cost: e.Cost, Seconds: e.Seconds,
		Started: e.StartedAt, Ended: e.FinishedAt, Scores: []scoreJSON{}, Repositories: []repositoryScoreJSON{},
	}
	if j.Verdicts == nil {
		j.Verdicts = map[benchmark.Verdict]int{}
	}
	for _, x := range at.scores[e.ID] {
		j.Scores = append(j.Scores, scoreJSON{x.Aggregation, x.K, x.Value, x.Low, x.High, x.Repositories, x.Tasks})
	}
	for _, r := range at.release.Repositories {
		for _, x := range at.repositories[e.ID][r.ID] {
			if x.Tasks > 0 {
				j.Repositories = append(j.Repositories, repositoryScoreJSON{repositories[r.ID], x.K, x.Value, x.Tasks})
			}
		}
	}
	return j
}

// submissionAPI answers with a submission.
func (s *Site) submissionAPI(c echo.Context) error {
	sub, own, err := s.submission(c)
	if err != nil {
		return err
	}
	return s.sendSubmission(c, http.StatusOK, sub, own)
}

func (s *Site) sendSubmission(c echo.Context, status int, sub store.Submission, own bool) error {
	j, err := s.asJSON(c, sub, own)
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return c.JSON(status, j)
}

// A refusedJSON is a draft that could not be queued, and why.
type refusedJSON struct {
	problem
	Submission *submissionJSON `json:"submission"`
}

// submitAPI takes an upload from a program; confirm=1 queues it at once.
func (s *Site) submitAPI(c echo.Context) error {
	who, err := s.who(c)
	if err != nil {
		return err
	}
	in, err := s.receive(c)
	if err != nil {
		return err
	}
	defer in.close()
	track := benchmark.Track(cmp.Or(in.fields.Get("track"), string(benchmark.DocToCode)))
	if _, known := counters[track]; !known {
		return &benchmark.InputError{Field: "track", Problem: strconv.Quote(string(track)) + " takes no submissions here",
			Mend: "use " + string(benchmark.DocToCode) + " or " + string(benchmark.Localization)}
	}
	upload, err := s.uploadOf(c, track, in)
	if err != nil {
		return err
	}
	if err := asControl(&upload, in, who); err != nil {
		return err
	}
	if in.file == nil && (track == benchmark.Localization || upload.Docs == store.DocsFile) {
		return &benchmark.InputError{Field: fileField, Problem: "is missing", Mend: "send the " + fileNames[track] + " as the form's field file, or as the body"}
	}
	upload.Account = who
	sub, err := s.draft(c, upload)
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderLocation, submissionPath(sub))
	if in.fields.Get("confirm") != "1" {
		return s.sendSubmission(c, http.StatusCreated, sub, true)
	}
	return s.confirmed(c, http.StatusCreated, sub)
}

// confirmAPI queues a draft.
func (s *Site) confirmAPI(c echo.Context) error {
	sub, err := s.ownSubmission(c)
	if err != nil {
		return err
	}
	return s.confirmed(c, http.StatusOK, sub)
}

// confirmed queues a draft and answers with it. One that cannot be queued stays
// a draft; the answer says why.
func (s *Site) confirmed(c echo.Context, status int, sub store.Submission) error {
	ctx := c.Request().Context()
	err := s.Engine.Confirm(ctx, sub)
	var input *benchmark.InputError
	if errors.As(err, &input) {
		j, err := s.asJSON(c, sub, true)
		if err != nil {
			return err
		}
		refused := refusedJSON{explain(input), j}
		return c.JSON(refused.Status, refused)
	}
	if err != nil {
		return err
	}
	if sub, err = s.Store.SubmissionByPublicID(ctx, sub.PublicID); err != nil {
		return err
	}
	return s.sendSubmission(c, status, sub, true)
}

// cancelAPI and retryAPI are what the page's buttons do.
func (s *Site) cancelAPI(c echo.Context) error { return s.actAPI(c, s.Engine.Cancel) }
func (s *Site) retryAPI(c echo.Context) error  { return s.actAPI(c, s.Engine.Retry) }

func (s *Site) actAPI(c echo.Context, do func(context.Context, store.Submission) error) error {
	sub, err := s.ownSubmission(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	if err := do(ctx, sub); err != nil {
		return err
	}
	if sub, err = s.Store.SubmissionByPublicID(ctx, sub.PublicID); err != nil {
		return err
	}
	return s.sendSubmission(c, http.StatusOK, sub, true)
}
