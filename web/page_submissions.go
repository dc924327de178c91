package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/evaluation"
	"touchstone/internal/store"
	"touchstone/views"
)

const (
	submissionsPerPage = 50
	queueRows          = 100 // of the queue that a page shows
)

var (
	openStates  = []store.State{store.Queued, store.Running}
	endedStates = []store.State{store.Finished, store.Failed, store.Cancelled}
)

// submissionsQuery is what the address of the list asks for.
type submissionsQuery struct {
	state string // "", open, ended or one of the states
	text  string
}

func readSubmissionsQuery(c echo.Context) (submissionsQuery, error) {
	q := submissionsQuery{state: c.QueryParam("state"), text: strings.TrimSpace(searched(c.QueryParam("q")))}
	if q.state != "" && q.state != "open" && q.state != "ended" && !slices.Contains(slices.Concat(openStates, endedStates), store.State(q.state)) {
		return q, &benchmark.InputError{Field: "state", Problem: fmt.Sprintf("%q is none", q.state), Mend: "choose open, ended, queued, running, finished, failed or cancelled"}
	}
	return q, nil
}

// searched is a text that a database can look for.
func searched(text string) string {
	const most = 200
	text = strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most])
	}
	return text
}

// of are the states that a query asks for among some.
func (q submissionsQuery) of(some []store.State) []store.State {
	switch {
	case q.state == "", q.state == "open" && slices.Equal(some, openStates), q.state == "ended" && slices.Equal(some, endedStates):
		return some
	case slices.Contains(some, store.State(q.state)):
		return []store.State{store.State(q.state)}
	}
	return nil
}

// submissions is the queue and what is over.
func (s *Site) submissions(c echo.Context) error {
	who, known, err := s.visitor(c)
	if err != nil {
		return err
	}
	q, err := readSubmissionsQuery(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	page := views.SubmissionsPage{Page: s.page(c, "Submissions"), Filters: submissionsFilters(q)}
	page.Page.Description, page.Page.Live = "What is being evaluated now, the queue, and every submission that is over.", true
	page.Events = (&url.URL{Path: "/submissions/events", RawQuery: c.Request().URL.RawQuery}).String()
	if known {
		drafts, _, err := s.Store.Submissions(ctx, store.SubmissionFilter{Account: who.ID, States: []store.State{store.Draft}, Drafts: true, Limit: 10})
		if err != nil {
			return err
		}
		for _, d := range drafts {
			page.Drafts = append(page.Drafts, views.Link{Text: systemTitle(d), Address: submissionPath(d) + "/preflight"})
		}
	}
	if page.List, err = s.submissionsList(ctx, q, address(c)); err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-cache")
	return s.render(c, http.StatusOK, views.Submissions(page))
}

// submissionsEvents sends the list whenever it has changed.
func (s *Site) submissionsEvents(c echo.Context) error {
	q, err := readSubmissionsQuery(c)
	if err != nil {
		return err
	}
	at := url.URL{Path: "/submissions", RawQuery: c.Request().URL.RawQuery}
	return s.live(c, at.String(), evaluation.Everything, func(ctx context.Context) (liveView, error) {
		list, err := s.submissionsList(ctx, q, at)
		return liveView{parts: []livePart{{"queue", views.SubmissionsQueue(list)}, {"ended", views.SubmissionsOver(list)}}}, err
	})
}

func (s *Site) submissionsList(ctx context.Context, q submissionsQuery, at url.URL) (views.SubmissionsList, error) {
	var list views.SubmissionsList
	var err error
	if states := q.of(openStates); states != nil {
		list.ShowQueue = true
		if list.Queue, err = s.queueTable(ctx, q, states); err != nil {
			return list, err
		}
	}
	if states := q.of(endedStates); states != nil {
		list.ShowOver = true
		list.Over, list.Pagination, err = s.endedTable(ctx, q, states, at)
	}
	return list, err
}

func (s *Site) queueTable(ctx context.Context, q submissionsQuery, states []store.State) (views.Table, error) {
	all, err := s.queue(ctx, q, states)
	if err != nil {
		return views.Table{}, err
	}
	t := views.Table{ID: "queue-table", CSV: submissionsCSV(q),
		Caption: views.Counted(len(all), "submission is", "submissions are") + " queued or running. A place is by what is left to do: who has least is done first.",
		Columns: []views.Column{{Key: "system", Label: "System"}, {Key: "place", Label: "Place", Align: views.Decimals}, {Key: "state", Label: "State"},
			{Key: "left", Label: "Time left", Note: "estimated"}, {Key: "track", Label: "Track"}, {Key: "release", Label: "Release"}, {Key: "submitter", Label: "Submitter"}, {Key: "date", Label: "Submitted"}},
		Empty: views.Empty{Title: "Nothing is waiting.", Next: views.Link{Text: "Submit", Address: "/submit"}}}
	if q.text != "" {
		t.Empty = views.Empty{Title: "Nothing that is waiting fits these filters.", Next: views.Link{Text: "Show all", Address: "/submissions"}}
	}
	if len(all) > queueRows {
		t.Caption += fmt.Sprintf(" The first %d are shown; the CSV has all.", queueRows)
	}
	group := views.Group{}
	for _, w := range all[:min(len(all), queueRows)] {
		standing := views.Standing{State: string(w.State)}
		if done, total := w.samples(); total > 0 {
			standing.Progress = views.Progress{Done: done, Total: total, Unit: "samples"}
		}
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{
			submissionCell(w.Submission), views.CountCell(w.Position), views.ViewCell(standing.View()),
			estimateCell(w.Left), trackCell(w.Submission), views.TextCell(w.Submission.Release.Label()), visibleName(w.Account.Name), views.MomentCell(w.ConfirmedAt, "it was not confirmed"),
		}})
	}
	t.Groups = []views.Group{group}
	return t, nil
}

func (s *Site) endedTable(ctx context.Context, q submissionsQuery, states []store.State, at url.URL) (views.Table, views.Pagination, error) {
	filter := store.SubmissionFilter{States: states, Text: q.text, Limit: 1}
	_, total, err := s.Store.Submissions(ctx, filter)
	if err != nil {
		return views.Table{}, views.Pagination{}, err
	}
	page := views.ReadPage(at.Query(), submissionsPerPage, int(total))
	filter.Limit, filter.Offset = submissionsPerPage, (page-1)*submissionsPerPage
	ended, _, err := s.Store.Submissions(ctx, filter)
	if err != nil {
		return views.Table{}, views.Pagination{}, err
	}
	evaluations, err := s.evaluationsOf(ctx, ended)
	if err != nil {
		return views.Table{}, views.Pagination{}, err
	}
	t := views.Table{ID: "ended-table", CSV: submissionsCSV(q), Caption: views.Counted(int(total), "submission", "submissions") + ", the newest first.",
		Columns: []views.Column{{Key: "system", Label: "System"}, {Key: "state", Label: "State"}, {Key: "evaluations", Label: "Evaluations", Note: "that finished", Align: views.Decimals},
			{Key: "coverage", Label: "Coverage", Note: "share of tasks with a docstring or a prediction", Align: views.Decimals}, {Key: "track", Label: "Track"}, {Key: "release", Label: "Release"},
			{Key: "submitter", Label: "Submitter"}, {Key: "date", Label: "Submitted"}, {Key: "ended", Label: "Ended"}},
		Empty: views.Empty{Title: "Nothing is over yet.", Next: views.Link{Text: "Submit", Address: "/submit"}}}
	if q.text != "" || q.state != "" {
		t.Empty = views.Empty{Title: "Nothing that is over fits these filters.", Next: views.Link{Text: "Show all", Address: "/submissions"}}
	}
	group := views.Group{}
	for _, sub := range ended {
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{
			submissionCell(sub), views.ViewCell(views.StateBadge(string(sub.State))), finishedCell(sub, evaluations[sub.ID]), coverageCell(sub),
			trackCell(sub), views.TextCell(sub.Release.Label()), visibleName(sub.Account.Name), views.MomentCell(sub.ConfirmedAt, "it was not confirmed"), views.MomentCell(sub.FinishedAt, "it has not ended"),
		}})
	}
	t.Groups = []views.Group{group}
	return t, views.Pagination{Address: at, Page: page, PerPage: submissionsPerPage, Total: int(total), Unit: "submissions"}, nil
}

func trackCell(sub store.Submission) views.Cell {
	return views.LinkCell(trackNames[sub.Track], "/"+string(sub.Track))
}

var trackNames = map[benchmark.Track]string{benchmark.DocToCode: "Doc-to-code", benchmark.Localization: "Localization"}

// finishedCell is how many evaluations finished. Predictions are scored, with
// no evaluator.
func finishedCell(sub store.Submission, evaluations []store.Evaluation) views.Cell {
	if sub.Track == benchmark.Localization {
		return views.UnknownCell("predictions are compared with files; no evaluator is asked")
	}
	n := 0
	for _, e := range evaluations {
		if e.State == store.Finished {
			n++
		}
	}
	return views.TextCell(fmt.Sprintf("%d of %d", n, len(evaluations)))
}

func coverageCell(sub store.Submission) views.Cell {
	if sub.Tasks == 0 {
		return views.UnknownCell("the release has no task")
	}
	return views.NumberCell(float64(sub.Documented)/float64(sub.Tasks), 3)
}

func submissionCell(sub store.Submission) views.Cell {
	return views.ViewCell(views.SystemName(views.SystemLabel{Name: views.Visible(sub.System.Name), Model: views.Visible(sub.System.Model), Version: views.Visible(sub.Version),
		Address: submissionPath(sub), Control: controlName(sub.Docs)}))
}

func submissionsCSV(q submissionsQuery) string {
	at := url.URL{Path: "/submissions.csv"}
	values := url.Values{}
	if q.state != "" {
		values.Set("state", q.state)
	}
	if q.text != "" {
		values.Set("q", q.text)
	}
	at.RawQuery = values.Encode()
	return at.String()
}

func submissionsFilters(q submissionsQuery) views.Filters {
	f := views.Filters{Action: "/submissions",
		Selects: []views.Select{{Label: views.Label{Name: "state", Text: "State"}, Value: q.state, Options: []views.Option{
			{Text: "all"}, {Value: "open", Text: "queued or running"}, {Value: "ended", Text: "over"}, {Value: "queued"}, {Value: "running"},
			{Value: "finished"}, {Value: "failed"}, {Value: "cancelled"}}}},
		Fields: []views.Field{{Label: views.Label{Name: "q", Text: "System"}, Value: q.text, Type: "search"}}}
	var said []string
	if q.state != "" {
		said = append(said, map[string]string{"open": "what is queued or running", "ended": "what is over"}[q.state])
		if said[0] == "" {
			said[0] = "what is " + q.state
		}
	}
	if q.text != "" {
		said = append(said, "system contains “"+views.Visible(q.text)+"”")
	}
	if len(said) > 0 {
		f.Said, f.Clear = "Showing "+strings.Join(said, ", ")+".", "/submissions"
	}
	return f
}
