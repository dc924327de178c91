package web

import (
	"context"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/evaluation"
	"touchstone/internal/store"
	"touchstone/views"
)

// submissionPage is one submission: what it is, how far it has come, what it is
// worth.
func (s *Site) submissionPage(c echo.Context) error {
	sub, own, err := s.submission(c)
	if err != nil {
		return err
	}
	if sub.State == store.Draft {
		return c.Redirect(http.StatusSeeOther, submissionPath(sub)+"/preflight")
	}
	if sub.Track == benchmark.Localization {
		return s.predictionsPage(c, sub, own)
	}
	at, err := s.standing(c.Request().Context(), sub)
	if err != nil {
		return err
	}
	title := systemTitle(sub)
	page := views.SubmissionPage{
		Page: s.page(c, title), Facts: submissionFacts(sub), Notes: sub.Notes, State: submissionState(at, own),
		Heading: views.Heading{Trail: []views.Link{{Text: "Submissions", Address: "/submissions"}}, Title: title},
		Links: []views.Link{{Text: "Every task, with its candidates", Address: submissionPath(sub) + "/tasks"}, {Text: "The same as CSV", Address: submissionPath(sub) + "/tasks.csv"},
			{Text: "Compare with another row", Address: (&url.URL{Path: "/compare", RawQuery: url.Values{"a": {sub.PublicID}}.Encode()}).String()}},
	}
	page.Page.Description = "What became of " + title + " on " + sub.Release.Label() + ": verdicts, scores and the evidence behind them."
	if own && len(sub.Report) > 0 {
		page.Links = append(page.Links, views.Link{Text: "What was in the file", Address: submissionPath(sub) + "/preflight"})
	}
	if !sub.State.Over() {
		page.Page.Live, page.Events = true, submissionPath(sub)+"/events"
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-cache")
	return s.render(c, http.StatusOK, views.SubmissionView(page))
}

// submissionEvents sends the parts of the page that have changed, until the
// submission is over.
func (s *Site) submissionEvents(c echo.Context) error {
	sub, own, err := s.submission(c)
	if err != nil {
		return err
	}
	key := submissionPath(sub)
	if own {
		key += " own"
	}
	return s.live(c, key, evaluation.Topic(sub.PublicID), func(ctx context.Context) (liveView, error) {
		now, err := s.Store.SubmissionByPublicID(ctx, sub.PublicID)
		if err != nil {
			return liveView{}, err
		}
		if now.Track == benchmark.Localization {
			return s.predictionsParts(ctx, now, own)
		}
		at, err := s.standing(ctx, now)
		if err != nil {
			return liveView{}, err
		}
		state := submissionState(at, own)
		return liveView{over: now.State.Over(), parts: []livePart{
			{"standing", views.SubmissionStanding(state)}, {"actions", views.SubmissionActions(state)}, {"evaluations", views.SubmissionEvaluations(state)},
			{"repositories", views.SubmissionRepositories(state)}, {"measures", views.SubmissionMeasures(state)}, {"log", views.SubmissionLog(state)},
		}}, nil
	})
}

func submissionFacts(sub store.Submission) []views.Fact {
	facts := []views.Fact{{Name: "System", Value: views.Visible(sub.System.Name), Address: systemPath(sub)}}
	add := func(name, value, address string, mono bool) {
		if value != "" {
			facts = append(facts, views.Fact{Name: name, Value: views.Visible(value), Address: address, Mono: mono})
		}
	}
	add("Version", sub.Version, "", false)
	words := trackWords[sub.Track]
	add(words.model, sub.System.Model, "", false)
	add("Link", sub.System.Link, sub.System.Link, false)
	add("Release", sub.Release.Label(), trackAddress(sub), false)
	add(words.file, docsInWords(sub), "", false)
	add("Coverage", views.Counted(sub.Documented, "task", "tasks")+" of "+views.Count(sub.Tasks)+" "+words.covered, "", false)
	add("Submitter", sub.Account.Name, "", false)
	if sub.ConfirmedAt != nil {
		add("Submitted", views.Moment(*sub.ConfirmedAt), "", false)
	}
	if sub.FinishedAt != nil {
		add("Ended", views.Moment(*sub.FinishedAt), "", false)
	}
	add("SHA-256 of the file", sub.SHA256, "", true)
	add("Submission", sub.PublicID, "", true)
	return facts
}

// trackWords are how facts of a submission are called on each track.
var trackWords = map[benchmark.Track]struct{ model, file, covered string }{
	benchmark.DocToCode:    {"Documentation model", "Docstrings", "documented"},
	benchmark.Localization: {"Model", "Predictions", "answered"},
}

func systemPath(sub store.Submission) string { return systemAddress(sub.System.Slug) }

func docsInWords(sub store.Submission) string {
	switch sub.Docs {
	case store.DocsOriginal:
		return "control: the repositories' own"
	case store.DocsNone:
		return "control: none"
	}
	return sub.FileName + ", " + bytesInWords(sub.FileBytes)
}

// cancel ends what is not over of a submission.
func (s *Site) cancel(c echo.Context) error { return s.act(c, s.Engine.Cancel) }

// retry queues what failed or was cancelled again.
func (s *Site) retry(c echo.Context) error { return s.act(c, s.Engine.Retry) }

func (s *Site) act(c echo.Context, do func(context.Context, store.Submission) error) error {
	sub, err := s.ownSubmission(c)
	if err != nil {
		return err
	}
	if err := do(c.Request().Context(), sub); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, submissionPath(sub))
}
