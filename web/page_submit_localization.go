package web

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
	"touchstone/views"
)

const predictPath = "/submit/localization"

// predictionsForm is what the form of the localization track says.
func predictionsForm(s *Site, page *views.SubmitPage, values url.Values, wrong views.Errors) {
	label := labels(wrong)
	page.System.Hint = "The agent that named the files, as the leaderboard shall name it. Both conditions of one system share a name, a version and a model."
	page.Release.Hint = "The set of tasks that the predictions are for."
	page.File.Hint = "A predictions.jsonl of at most " + bytesInWords(s.Upload) + ", plain or packed with gzip or zstd."
	level := views.Select{Label: label("prompt", "Level", "Of the lines that do not name theirs in prompt.", true), Value: values.Get("prompt"), Options: []views.Option{{Text: "every line names its own"}}}
	for _, l := range localization.Levels {
		level.Options = append(level.Options, views.Option{Value: string(l)})
	}
	condition := views.Select{Label: label("condition", "Condition", "Of the lines that do not name theirs: baseline is without, augmented with knowledge derived from the repository up to T0.", true),
		Value: values.Get("condition"), Options: []views.Option{{Text: "every line names its own"}}}
	for _, x := range localization.Conditions {
		condition.Options = append(condition.Options, views.Option{Value: string(x)})
	}
	page.Arms = []views.Select{level, condition}
	page.Empty = views.Empty{Title: "No release of this track is imported yet.", Reason: "Predictions are scored on the tasks of a release.",
		Command: "touchstone admin release import DIR"}
	page.Command = "touchstone submit predictions.jsonl --track localization " + page.Command
}

// armOf is what a form says of lines that do not name their level or condition.
func armOf(fields url.Values) (localization.Arm, error) {
	arm := localization.Arm{Level: localization.Level(fields.Get("prompt")), Condition: localization.Condition(fields.Get("condition"))}
	bad := func(field, value, mend string) (localization.Arm, error) {
		return localization.Arm{}, &benchmark.InputError{Field: field, Problem: fmt.Sprintf("%q is none", views.Visible(value)), Mend: mend}
	}
	switch {
	case arm.Level != "" && !slices.Contains(localization.Levels, arm.Level):
		return bad("prompt", string(arm.Level), "choose minimal, concise, contextual or guided")
	case arm.Condition != "" && !slices.Contains(localization.Conditions, arm.Condition):
		return bad("condition", string(arm.Condition), "choose baseline or augmented")
	}
	return arm, nil
}

// A promptLine is a task as an agent is given it. What has to be found is not
// in it.
type promptLine struct {
	Task       string            `json:"instance_id"`
	Repository string            `json:"repo"`
	Source     string            `json:"source,omitempty"` // where it is cloned from
	Snapshot   string            `json:"snapshot"`         // the commit that an agent is given
	Number     int               `json:"number"`           // of the pull request
	Prompts    map[string]string `json:"prompts,omitempty"`
}

// promptList is every task of a release, with the prompts that the release has.
func (s *Site) promptList(c echo.Context) error {
	release, err := s.releaseNamed(c, benchmark.Localization, c.QueryParam("release"))
	if err != nil {
		return err
	}
	history, err := s.Engine.History(c.Request().Context(), release.ID)
	if err != nil {
		return err
	}
	attach(c, "application/jsonl", "tasks-"+release.Name+"-"+release.Version+".jsonl")
	encoder := json.NewEncoder(c.Response())
	encoder.SetEscapeHTML(false)
	for _, t := range history.Dataset.Tasks {
		repository, err := history.Dataset.Repository(t.Repository)
		if err != nil {
			return err
		}
		line := promptLine{Task: t.ID, Repository: t.Repository, Source: repository.Source, Snapshot: repository.Snapshot, Number: t.Number, Prompts: map[string]string{}}
		for level, text := range t.Prompts {
			line.Prompts[string(level)] = text
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// submitTracks leads to the forms of both tracks.
func (s *Site) submitTracks(c echo.Context) error {
	page := views.SubmitTracks{Page: s.page(c, "Submit"), Tracks: []views.SubmitTrack{
		{ID: string(benchmark.DocToCode), Title: "Docstrings", Address: submitPath, Action: "Submit docstrings",
			Text: "For systems that document code: a docs.jsonl with docstrings for the functions of a release. An independent model regenerates each body from its docstring, and the repository’s tests decide."},
		{ID: string(benchmark.Localization), Title: "Predictions", Address: predictPath, Action: "Submit predictions",
			Text: "For systems that find their way in code: a predictions.jsonl with the files that each task changes, at one or several levels, with and without knowledge derived from the repository. They are compared with the files that the pull requests did change."},
	}}
	page.Page.Description = "Upload docstrings for the functions of a release, or the files that a system names for its pull requests."
	for i := range page.Tracks {
		releases, err := s.Store.Releases(c.Request().Context(), benchmark.Track(page.Tracks[i].ID))
		if err != nil {
			return err
		}
		page.Tracks[i].Releases = "No release is imported yet."
		if len(releases) > 0 {
			page.Tracks[i].Releases = fmt.Sprintf("The newest release is %s: %s of %s.", releases[0].Label(), views.Counted(releases[0].Tasks, "task", "tasks"),
				views.Counted(len(releases[0].Repositories), "repository", "repositories"))
		}
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-cache")
	return s.render(c, 200, views.SubmitTracksView(page))
}
