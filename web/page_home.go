package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/views"
)

const (
	topRows     = 5 // of a leaderboard on the home page
	runningRows = 5
)

// home is not cached: it shows what is running at this moment.
func (s *Site) home(c echo.Context) error {
	board, err := s.Boards.Current(c.Request().Context())
	if err != nil {
		return err
	}
	page := views.HomePage{Page: s.page(c, ""), Lead: "Touchstone judges agents that document code and agents that find their way in it, by what their output lets somebody do. " +
		"Doc-to-code: a model that sees a docstring, and the file up to it, writes the function again; how often it then passes the repository’s own tests is the score, pass@k. " +
		"Localization: an agent that is given a task from a repository’s later history names the files to change, and is scored by file-level F1."}
	page.Page.Description = "A public benchmark of documentation agents (pass@k of regenerated functions) and of code localization (file-level F1), with the evidence behind every number."
	if page.Tops, err = tops(board); err != nil {
		return err
	}
	if page.Localization, err = s.localizationTops(c, board); err != nil {
		return err
	}
	if page.Running, page.Open, err = s.running(c); err != nil {
		return err
	}
	page.Command = submitCommand(c, board)
	c.Response().Header().Set(echo.HeaderCacheControl, "no-cache")
	return s.render(c, http.StatusOK, views.Home(page))
}

// importCommand brings the release that comes with the program.
const importCommand = "touchstone admin release import starter"

// tops are the heads of the leaderboards: of the newest release on which
// anything was judged, and of each paper.
func tops(board *leaderboard.Board) ([]views.HomeTop, error) {
	var found []views.HomeTop
	evaluated := newest(board)
	for _, set := range board.Sets {
		if set.Provenance == leaderboard.Evaluated && set != evaluated {
			continue
		}
		listings, err := board.List(leaderboard.Query{Release: set.Key})
		if err != nil {
			return nil, err
		}
		found = append(found, top(listings[0]))
	}
	if evaluated == nil {
		none := views.HomeTop{Table: views.Table{ID: "top-none", Empty: views.Empty{Title: "No release was imported yet.",
			Reason: "Without one nothing can be judged here. The operator of this site imports one:", Command: importCommand}}}
		found = append([]views.HomeTop{none}, found...)
	}
	return found, nil
}

// newest is the newest release on which anything was judged, else the newest
// of all, nil when there is none.
func newest(board *leaderboard.Board) *leaderboard.Set {
	var first *leaderboard.Set
	for _, set := range board.Sets {
		if set.Provenance != leaderboard.Evaluated {
			continue
		}
		if len(set.Rows) > 0 {
			return set
		}
		first = cmp.Or(first, set)
	}
	return first
}

// top is the first rows of a leaderboard by its first evaluator.
func top(l leaderboard.Listing) views.HomeTop {
	rows := l.Rows
	if l.RankedBy != "" {
		rows = slices.DeleteFunc(slices.Clone(rows), func(r leaderboard.Ranked) bool { return r.Rank == 0 })
	}
	rows = rows[:min(topRows, len(rows))]
	t := views.Table{ID: "top-" + elementID(l.Key), Caption: topCaption(l, len(rows)), Source: sourceOf(l),
		CSV:     (&url.URL{Path: "/doc-to-code.csv", RawQuery: url.Values{"release": {l.Key}}.Encode()}).String(),
		Columns: []views.Column{{Label: "System"}, {Label: "Provenance", Definition: "/methodology#provenance"}},
		Empty: views.Empty{Title: "Nothing was judged on " + l.Label + " yet.", Reason: "The first submission opens its leaderboard.",
			Next: views.Link{Text: "Submit docstrings", Address: "/submit/doc-to-code"}}}
	var columns []judged
	for _, e := range l.Shown[:min(2, len(l.Shown))] {
		for _, k := range ks(e.Samples, 0) {
			columns = append(columns, judged{e.Name, k})
			t.Columns = append(t.Columns, views.Column{Label: fmt.Sprintf("pass@%d", k), Note: e.Name, Definition: "/methodology#pass-at-k", Align: views.Decimals})
		}
	}
	group := views.Group{}
	for _, r := range rows {
		row := views.Row{Rank: rankText(r), Cells: []views.Cell{views.ViewCell(views.SystemName(systemName(r.Row))), views.ViewCell(views.Provenance(r.Provenance).Badge())}}
		for _, x := range columns {
			if e, ok := r.Results[x.evaluator].At(store.ByRepository, x.k); ok {
				row.Cells = append(row.Cells, views.ScoreCell(scoreView(e, false)))
			} else {
				row.Cells = append(row.Cells, views.UnknownCell("there is no such score of this row"))
			}
		}
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	found := views.HomeTop{Table: t}
	if l.RankedBy == "" && len(rows) > 0 {
		found.Table.Groups, found.Table.Empty.Title = nil, "On "+l.Label+" only controls have judged so far."
		found.Table.Empty.Reason = ""
	}
	if len(rows) > 0 {
		found.More = views.Link{Text: "The whole leaderboard of " + setName(l.Set) + ": " + views.Counted(len(l.Rows), "row", "rows"),
			Address: (&url.URL{Path: "/doc-to-code", RawQuery: url.Values{"release": {l.Key}}.Encode()}).String()}
	}
	return found
}

func topCaption(l leaderboard.Listing, rows int) string {
	first := "All rows"
	if rows < len(l.Rows) {
		first = fmt.Sprintf("The first %d of %s", rows, views.Counted(len(l.Rows), "row", "rows"))
	}
	return first + ", ranked by pass@1 under " + l.RankedBy + "; rows that chance may have put apart share a rank."
}

// setName is a set in a sentence.
func setName(s *leaderboard.Set) string {
	if s.Provenance == leaderboard.Published {
		return "the " + s.Label
	}
	return s.Label
}

// rankText is a rank as tables show it: 2= for a shared one.
func rankText(r leaderboard.Ranked) string {
	switch {
	case r.Rank == 0:
		return ""
	case r.Tied:
		return strconv.Itoa(r.Rank) + "="
	}
	return strconv.Itoa(r.Rank)
}

// running is what is queued or being judged, what ends first first, and how
// many there are.
func (s *Site) running(c echo.Context) (views.Table, int, error) {
	ctx := c.Request().Context()
	t := views.Table{ID: "running-table", Columns: []views.Column{{Label: "System"}, {Label: "Release"}, {Label: "State"},
		{Label: "Place", Note: "in the queue", Align: views.Decimals}, {Label: "Left", Note: "samples", Align: views.Decimals}, {Label: "Estimate", Note: "until it is done"}},
		Empty: views.Empty{Title: "Nothing is running.", Next: views.Link{Text: "Submit docstrings", Address: "/submit/doc-to-code"}}}
	open, total, err := s.Store.Submissions(ctx, store.SubmissionFilter{States: []store.State{store.Queued, store.Running}, Limit: 1})
	if err != nil || len(open) == 0 {
		return t, 0, err
	}
	places, err := s.Engine.Places(ctx)
	if err != nil {
		return t, 0, err
	}
	ids := make([]uint64, 0, len(places))
	for id := range places {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b uint64) int { return cmp.Compare(places[a].Position, places[b].Position) })
	group := views.Group{}
	for _, id := range ids {
		sub, err := s.Store.Submission(ctx, id)
		if err != nil {
			return t, 0, err
		}
		if !sub.Hidden {
			group.Rows = append(group.Rows, runningRow(sub, places[id]))
		}
		if len(group.Rows) == runningRows {
			break
		}
	}
	t.Groups = []views.Group{group}
	t.Caption = views.Counted(int(total), "submission", "submissions") + " queued or running."
	if int(total) > len(group.Rows) {
		t.Caption = fmt.Sprintf("The next %d of %s queued or running.", len(group.Rows), views.Counted(int(total), "submission", "submissions"))
	}
	return t, int(total), nil
}

func runningRow(sub store.Submission, p evaluation.Place) views.Row {
	return views.Row{Cells: []views.Cell{
		views.ViewCell(views.SystemName(views.SystemLabel{Name: views.Visible(sub.System.Name), Model: views.Visible(sub.System.Model), Version: views.Visible(sub.Version), Address: "/submissions/" + sub.PublicID})),
		views.TextCell(sub.Release.Label()), views.TextCell(string(sub.State)), views.CountCell(p.Position), views.CountCell(p.Remaining), estimateCell(p.Left),
	}}
}

func estimateCell(left time.Duration) views.Cell {
	if left <= 0 {
		return views.UnknownCell("nothing is known of the pace yet")
	}
	return views.TextCell(about(left))
}

// about says a duration as nobody holds one to it.
func about(d time.Duration) string {
	switch minutes := int(d.Round(time.Minute) / time.Minute); {
	case d < time.Minute:
		return "less than a minute"
	case minutes < 120:
		return "about " + views.Counted(minutes, "minute", "minutes")
	}
	return "about " + views.Counted(int(d.Round(time.Hour)/time.Hour), "hour", "hours")
}

// submitCommand is what submits docstrings to this site from a shell.
func submitCommand(c echo.Context, board *leaderboard.Board) string {
	release := ""
	if set := newest(board); set != nil {
		release = " --release " + set.Key
	}
	return "touchstone submit docs.jsonl --url " + origin(c) + " --system \"My agent\" --model gpt-5-mini" + release + " --wait"
}

// origin is this site's own address, as its reader reached it.
func origin(c echo.Context) string { return c.Scheme() + "://" + c.Request().Host }
