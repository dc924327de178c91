package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/data"
	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/evaluation"
	"touchstone/internal/store"
	"touchstone/views"
)

const submitPath = "/submit/doc-to-code"

// A counter takes the uploads of one track.
type counter struct {
	track   benchmark.Track
	path    string
	title   string
	about   string // of the page, for search engines
	nothing string // that no file was chosen
	page    func(*Site, *views.SubmitPage, url.Values, views.Errors)
	view    func(views.SubmitPage) templ.Component
}

// counters are those of both tracks.
var counters = map[benchmark.Track]counter{
	benchmark.DocToCode: {
		track: benchmark.DocToCode, path: submitPath, title: "Submit docstrings", nothing: "Choose the file with the docstrings.",
		about: "Upload docstrings for the functions of a release; the site checks the file, evaluates it and publishes the score.",
		page:  docstringsForm, view: views.Submit,
	},
	benchmark.Localization: {
		track: benchmark.Localization, path: predictPath, title: "Submit predictions", nothing: "Choose the file with the predictions.",
		about: "Upload the files that a system names for the tasks of a release; the site checks the file, scores it and publishes the score.",
		page:  predictionsForm, view: views.SubmitPredictions,
	},
}

// submitForm is the empty form of a track.
func (s *Site) submitForm(track benchmark.Track) echo.HandlerFunc {
	return func(c echo.Context) error {
		values := url.Values{}
		if release := c.QueryParam("release"); release != "" {
			values.Set("release", release)
		}
		return s.submitPage(c, counters[track], http.StatusOK, values, nil)
	}
}

// submitPage draws the form with what was typed and what is wrong with it.
func (s *Site) submitPage(c echo.Context, at counter, status int, values url.Values, wrong views.Errors) error {
	who, known, err := s.visitor(c)
	if err != nil {
		return err
	}
	releases, err := s.Store.Releases(c.Request().Context(), at.track)
	if err != nil {
		return err
	}
	label := labels(wrong)
	page := views.SubmitPage{
		Page: s.page(c, at.title), Action: at.path, Errors: wrong,
		System:  views.Field{Label: label("system", "System", "", false), Value: values.Get("system")},
		Version: views.Field{Label: label("version", "Version of the system", "A release, a commit, or what tells this upload from the next.", true), Value: values.Get("version")},
		Model:   views.Field{Label: label("model", "Model", "The model that the system ran on.", true), Value: values.Get("model")},
		Link:    views.Field{Label: label("link", "Link", "Where others find the system; it begins with https://", true), Value: values.Get("link"), Type: "url"},
		Release: views.Select{Label: label("release", "Release", "", false), Value: values.Get("release")},
		Notes:   views.Field{Label: label("notes", "Notes", "Settings and prompts: what others need to know to believe and repeat it. They are public.", true), Value: values.Get("notes"), Rows: 4},
		File:    views.File{Label: label(fileField, "File", "", false), Accept: ".jsonl,.json,.ndjson,.gz,.zst"},
	}
	page.Page.Description = at.about
	if known {
		page.Account = who.Name
	} else {
		page.Token = &views.Field{Label: label("token", "Token", "The operator of this site gives tokens to submitters. Your browser keeps it for 90 days.", false),
			Value: values.Get("token"), Type: "password", Autocomplete: "off", Mono: true}
	}
	for _, r := range releases {
		page.Release.Options = append(page.Release.Options, views.Option{Value: r.Label()})
		page.Releases = append(page.Releases, views.ReleaseStart{Label: r.Label(), Tasks: r.Tasks, Repositories: len(r.Repositories),
			Address: at.path + "/tasks.jsonl?" + url.Values{"release": {r.Label()}}.Encode()})
	}
	page.Command = "--url " + origin(c) + " --token TOKEN --system NAME"
	at.page(s, &page, values, wrong)
	if len(wrong) > 0 {
		page.Page.Title = "Error: " + page.Page.Title
		page.File.Hint += " Choose it again: browsers do not keep it."
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return s.render(c, status, at.view(page))
}

// labels are of fields, with what is wrong with each.
func labels(wrong views.Errors) func(name, text, hint string, optional bool) views.Label {
	return func(name, text, hint string, optional bool) views.Label {
		return views.Label{Name: name, Text: text, Hint: hint, Optional: optional, Error: wrong.Of(name)}
	}
}

// docstringsForm is what the form of the doc-to-code track says.
func docstringsForm(s *Site, page *views.SubmitPage, _ url.Values, _ views.Errors) {
	page.System.Hint = "The agent that wrote the docstrings, as the leaderboard shall name it."
	page.Model.Text = fieldNames["model"]
	page.Release.Hint = "The set of tasks that the docstrings are for."
	page.File.Hint = "A docs.jsonl of at most " + bytesInWords(s.Upload) + ", plain or packed with gzip or zstd."
	page.Empty = views.Empty{Title: "No release is imported yet.", Reason: "Docstrings are judged on the tasks of a release.",
		Command: "touchstone admin release import starter"}
	page.Command = "touchstone submit docs.jsonl " + page.Command
	if slices.ContainsFunc(page.Release.Options, func(o views.Option) bool { return strings.HasPrefix(o.Value, starterRelease+"@") }) {
		for _, name := range data.Samples() {
			page.Samples = append(page.Samples, views.Link{Text: "Sample submission for the starter release: " + name, Address: submitPath + "/samples/" + name + ".jsonl"})
		}
	}
}

// starterRelease is the name of the release that the samples are for.
const starterRelease = "starter"

// submitUpload takes the form and leads to what is in the file.
func (s *Site) submitUpload(track benchmark.Track) echo.HandlerFunc {
	at := counters[track]
	return func(c echo.Context) error {
		in, err := s.receive(c)
		if wrong, ok := fieldError(err); ok {
			return s.submitPage(c, at, explain(err).Status, url.Values{}, views.Errors{wrong})
		} else if err != nil {
			return err
		}
		defer in.close()
		var wrong views.Errors
		who, fault, err := s.submitter(c, in.fields.Get("token"))
		if err != nil {
			return err
		}
		if fault.Message != "" {
			wrong = append(wrong, fault)
		}
		upload, err := s.uploadOf(c, track, in)
		for _, p := range upload.Problems() {
			one, _ := fieldError(p)
			wrong = append(wrong, one)
		}
		if one, ok := fieldError(err); ok {
			wrong = append(wrong, one)
		} else if err != nil {
			return err
		}
		if in.file == nil {
			wrong = append(wrong, views.FieldError{Field: fileField, Message: at.nothing})
		}
		if len(wrong) > 0 {
			return s.submitPage(c, at, http.StatusUnprocessableEntity, in.fields, wrong)
		}
		upload.Account = who
		sub, err := s.draft(c, upload)
		if one, ok := fieldError(err); ok {
			return s.submitPage(c, at, explain(err).Status, in.fields, views.Errors{one})
		} else if err != nil {
			return err
		}
		return c.Redirect(http.StatusSeeOther, submissionPath(sub)+"/preflight")
	}
}

// draft takes an upload of either track in.
func (s *Site) draft(c echo.Context, upload evaluation.Upload) (store.Submission, error) {
	ctx := c.Request().Context()
	if upload.Release.Track == benchmark.Localization {
		sub, _, err := s.Engine.DraftPredictions(ctx, upload)
		return sub, err
	}
	sub, _, err := s.Engine.Draft(ctx, upload)
	return sub, err
}

// uploadOf makes an upload of what was received; its account is left out.
func (s *Site) uploadOf(c echo.Context, track benchmark.Track, in *received) (evaluation.Upload, error) {
	field := in.fields.Get
	upload := evaluation.Upload{System: field("system"), Version: field("version"), Link: field("link"), Model: field("model"),
		Notes: field("notes"), Docs: store.DocsFile, FileName: views.Visible(cmp.Or(in.name, fileNames[track])), File: in.file}
	var err error
	if upload.Release, err = s.releaseNamed(c, track, field("release")); err != nil || track != benchmark.Localization {
		return upload, err
	}
	upload.Otherwise, err = armOf(in.fields)
	return upload, err
}

// fileNames are what a file is called that came without a name.
var fileNames = map[benchmark.Track]string{benchmark.DocToCode: "docs.jsonl", benchmark.Localization: "predictions.jsonl"}

// releaseNamed is a track's release of a name@version; the newest when it is "".
func (s *Site) releaseNamed(c echo.Context, track benchmark.Track, label string) (store.Release, error) {
	releases, err := s.Store.Releases(c.Request().Context(), track)
	if err != nil {
		return store.Release{}, err
	}
	var known []string
	for _, r := range releases {
		if label == "" || r.Label() == label {
			return r, nil
		}
		known = append(known, r.Label())
	}
	if len(known) == 0 {
		return store.Release{}, &benchmark.InputError{Field: "release", Problem: "there is none on this site yet", Mend: "ask the operator to import one"}
	}
	return store.Release{}, &benchmark.InputError{Field: "release", Problem: fmt.Sprintf("%q is no release of this track on this site", views.Visible(label)), Mend: "choose one of " + strings.Join(known, ", ")}
}

// submitter is who the form's token, or else the browser, acts for. A token
// that is good is kept for the browser.
func (s *Site) submitter(c echo.Context, token string) (store.Account, views.FieldError, error) {
	who, known, err := s.visitor(c)
	if err != nil || known {
		return who, views.FieldError{}, err
	}
	who, err = s.holder(c, token)
	switch {
	case errors.Is(err, errNobody):
		return who, views.FieldError{Field: "token", Message: "Enter your token."}, nil
	case errors.Is(err, account.ErrUnknownToken):
		return who, views.FieldError{Field: "token", Message: "This token is not known, or it was revoked. Ask the operator for another."}, nil
	case err != nil:
		return who, views.FieldError{}, err
	}
	s.remember(c, token)
	return who, views.FieldError{}, nil
}

// fieldError is an uploader's mistake as the form tells it.
func fieldError(err error) (views.FieldError, bool) {
	var input *benchmark.InputError
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		p := explain(err)
		return views.FieldError{Field: fileField, Message: p.What + " " + p.Do}, true
	}
	if !errors.As(err, &input) {
		return views.FieldError{}, false
	}
	plain := *input
	field := plain.Field
	if plain.File != "" {
		field = fileField
	} else if name, ok := fieldNames[field]; ok {
		plain.Field = ""
		plain.Problem = name + " " + plain.Problem
	}
	return views.FieldError{Field: field, Message: sentence(&plain) + mend(plain.Mend)}, true
}

// fieldNames are the form's fields as their labels name them.
var fieldNames = map[string]string{"system": "System", "version": "Version of the system", "model": "Documentation model", "link": "Link",
	"release": "Release", "notes": "Notes", fileField: "File", "prompt": "Level", "condition": "Condition"}

// mend is what helps, as a sentence of its own.
func mend(text string) string {
	if text == "" {
		return ""
	}
	return " " + capital(text) + "."
}

// taskList is a file to fill in: every task of a release with an empty docstring.
func (s *Site) taskList(c echo.Context) error {
	release, err := s.releaseNamed(c, benchmark.DocToCode, c.QueryParam("release"))
	if err != nil {
		return err
	}
	tasks, err := s.Store.Tasks(c.Request().Context(), release.ID)
	if err != nil {
		return err
	}
	attach(c, "application/jsonl", "tasks-"+release.Name+"-"+release.Version+".jsonl")
	encoder := json.NewEncoder(c.Response())
	encoder.SetEscapeHTML(false)
	for _, t := range tasks {
		line := struct {
			Task      string `json:"task_id"`
			Docstring string `json:"docstring"`
		}{Task: t.Key}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// sample is a submission that comes with the starter release.
func (s *Site) sample(c echo.Context) error {
	name, ok := strings.CutSuffix(c.Param("name"), ".jsonl")
	if !ok || !slices.Contains(data.Samples(), name) {
		return store.ErrNotFound
	}
	file, err := data.Submission(name)
	if err != nil {
		return err
	}
	defer file.Close()
	attach(c, "application/jsonl", "sample-"+name+".jsonl")
	_, err = io.Copy(c.Response(), file)
	return err
}

// attach begins an answer that is a file to keep.
func attach(c echo.Context, kind, name string) {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, kind)
	h.Set(echo.HeaderContentDisposition, `attachment; filename="`+fileName(name)+`"`)
	h.Set(echo.HeaderCacheControl, "no-cache")
	c.Response().WriteHeader(http.StatusOK)
}

func submissionPath(sub store.Submission) string { return "/submissions/" + sub.PublicID }
