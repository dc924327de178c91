package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
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

// A waiting submission is one that is queued or running, and where it stands.
type waiting struct {
	store.Submission
	evaluation.Place
	evaluations []store.Evaluation
}

// samples is how many have a verdict, and how many there are in all.
func (w waiting) samples() (done, total int) {
	for _, e := range w.evaluations {
		done, total = done+e.Done, total+e.Total
	}
	return done, total
}

// queue is what is open, done next first.
func (s *Site) queue(ctx context.Context, q submissionsQuery, states []store.State) ([]waiting, error) {
	open, _, err := s.Store.Submissions(ctx, store.SubmissionFilter{States: states, Text: q.text})
	if err != nil || len(open) == 0 {
		return nil, err
	}
	places, err := s.Engine.Places(ctx)
	if err != nil {
		return nil, err
	}
	byID, err := s.evaluationsOf(ctx, open)
	if err != nil {
		return nil, err
	}
	var all []waiting
	for _, sub := range open {
		if place, still := places[sub.ID]; still { // else it has ended meanwhile
			all = append(all, waiting{sub, place, byID[sub.ID]})
		}
	}
	slices.SortFunc(all, func(a, b waiting) int { return cmp.Compare(a.Position, b.Position) })
	return all, nil
}

func (s *Site) evaluationsOf(ctx context.Context, subs []store.Submission) (map[uint64][]store.Evaluation, error) {
	ids := make([]uint64, len(subs))
	for i, sub := range subs {
		ids[i] = sub.ID
	}
	found := map[uint64][]store.Evaluation{}
	for part := range slices.Chunk(ids, 500) {
		rows, err := s.Store.Evaluations(ctx, part...)
		if err != nil {
			return nil, err
		}
		for _, e := range rows {
			found[e.SubmissionID] = append(found[e.SubmissionID], e)
		}
	}
	return found, nil
}

func (s *Site) queueTable(ctx context.Context, q submissionsQuery, states []store.State) (views.Table, error) {
	all, err := s.queue(ctx, q, states)
	if err != nil {
		return views.Table{}, err
	}
	t := views.Table{ID: "queue-table", CSV: submissionsCSV(q),
		Caption: views.Counted(len(all), "submission is", "submissions are") + " queued or running. A place is by what is left to do: who has least is done first.",
		Columns: []views.Column{{Key: "system", Label: "System"}, {Key: "place", Label: "Place", Align: views.Decimals}, {Key: "state", Label: "State"},
			{Key: "left", Label: "Time left", Note: "estimated"}, {Key: "release", Label: "Release"}, {Key: "submitter", Label: "Submitter"}, {Key: "date", Label: "Submitted"}},
		Empty: views.Empty{Title: "Nothing is waiting.", Next: views.Link{Text: "Submit docstrings", Address: submitPath}}}
	if q.text != "" {
		t.Empty = views.Empty{Title: "Nothing that is waiting fits these filters.", Next: views.Link{Text: "Show all", Address: "/submissions"}}
	}
	if len(all) > queueRows {
		t.Caption += fmt.Sprintf(" The first %d are shown; the CSV has all.", queueRows)
	}
	group := views.Group{}
	for _, w := range all[:min(len(all), queueRows)] {
		done, total := w.samples()
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{
			submissionCell(w.Submission), views.CountCell(w.Position),
			views.ViewCell(views.Standing{State: string(w.State), Progress: views.Progress{Done: done, Total: total, Unit: "samples"}}.View()),
			estimateCell(w.Left), views.TextCell(w.Submission.Release.Label()), visibleName(w.Account.Name), views.MomentCell(w.ConfirmedAt, "it was not confirmed"),
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
			{Key: "coverage", Label: "Coverage", Note: "share of tasks with a docstring", Align: views.Decimals}, {Key: "release", Label: "Release"},
			{Key: "submitter", Label: "Submitter"}, {Key: "date", Label: "Submitted"}, {Key: "ended", Label: "Ended"}},
		Empty: views.Empty{Title: "Nothing is over yet.", Next: views.Link{Text: "Submit docstrings", Address: submitPath}}}
	if q.text != "" || q.state != "" {
		t.Empty = views.Empty{Title: "Nothing that is over fits these filters.", Next: views.Link{Text: "Show all", Address: "/submissions"}}
	}
	group := views.Group{}
	for _, sub := range ended {
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{
			submissionCell(sub), views.ViewCell(views.StateBadge(string(sub.State))), views.TextCell(finishedOf(evaluations[sub.ID])), coverageCell(sub),
			views.TextCell(sub.Release.Label()), visibleName(sub.Account.Name), views.MomentCell(sub.ConfirmedAt, "it was not confirmed"), views.MomentCell(sub.FinishedAt, "it has not ended"),
		}})
	}
	t.Groups = []views.Group{group}
	return t, views.Pagination{Address: at, Page: page, PerPage: submissionsPerPage, Total: int(total), Unit: "submissions"}, nil
}

func finishedOf(evaluations []store.Evaluation) string {
	n := 0
	for _, e := range evaluations {
		if e.State == store.Finished {
			n++
		}
	}
	return fmt.Sprintf("%d of %d", n, len(evaluations))
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

// submissionsSheet is the same as a file, the queue first.
func (s *Site) submissionsSheet(c echo.Context) (leaderboard.Sheet, error) {
	q, err := readSubmissionsQuery(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	ctx := c.Request().Context()
	var open []waiting
	if states := q.of(openStates); states != nil {
		if open, err = s.queue(ctx, q, states); err != nil {
			return leaderboard.Sheet{}, err
		}
	}
	var ended []store.Submission
	if states := q.of(endedStates); states != nil {
		if ended, _, err = s.Store.Submissions(ctx, store.SubmissionFilter{States: states, Text: q.text}); err != nil {
			return leaderboard.Sheet{}, err
		}
	}
	evaluations, err := s.evaluationsOf(ctx, ended)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	return leaderboard.Sheet{
		Header: []string{"submission", "state", "place", "seconds_left", "system", "model", "version", "link", "control", "release", "submitter",
			"tasks", "documented", "evaluations", "samples", "samples_done", "submitted", "ended"},
		Rows: func(yield func([]string) bool) {
			for _, w := range open {
				left := ""
				if w.Left > 0 {
					left = strconv.Itoa(int(w.Left.Round(time.Second).Seconds()))
				}
				if !yield(submissionLine(w, strconv.Itoa(w.Position), left)) {
					return
				}
			}
			for _, sub := range ended {
				if !yield(submissionLine(waiting{Submission: sub, evaluations: evaluations[sub.ID]}, "", "")) {
					return
				}
			}
		},
	}, nil
}

func submissionLine(w waiting, place, left string) []string {
	done, total := w.samples()
	control := ""
	if w.Docs != store.DocsFile {
		control = w.Docs
	}
	return []string{w.PublicID, string(w.State), place, left, w.System.Name, w.System.Model, w.Version, w.System.Link, control, w.Submission.Release.Label(), w.Account.Name,
		strconv.Itoa(w.Tasks), strconv.Itoa(w.Documented), strconv.Itoa(len(w.evaluations)), strconv.Itoa(total), strconv.Itoa(done),
		timestamp(w.ConfirmedAt), timestamp(w.FinishedAt)}
}

// timestamp is a time as files have it, "" when it has not come.
func timestamp(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
