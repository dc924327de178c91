package web

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"touchstone/internal/localization"
	"touchstone/internal/store"
	"touchstone/views"
)

// predictionsPage is one submission of the localization track.
func (s *Site) predictionsPage(c echo.Context, sub store.Submission, own bool) error {
	state, err := s.predictionsState(c.Request().Context(), sub, own)
	if err != nil {
		return err
	}
	title := systemTitle(sub)
	at := submissionPath(sub)
	page := views.PredictionsPage{
		Page: s.page(c, title), Facts: submissionFacts(sub), Notes: sub.Notes, State: state,
		Heading: views.Heading{Trail: []views.Link{{Text: "Submissions", Address: "/submissions"}}, Title: title},
		Links:   []views.Link{{Text: "The file as it was uploaded", Address: at + "/file"}},
	}
	if sub.State == store.Finished {
		page.Links = append(page.Links, views.Link{Text: "Scores as CSV", Address: at + "/scores.csv"}, views.Link{Text: "Every prediction with its score as CSV", Address: at + "/predictions.csv"},
			views.Link{Text: "The localization track", Address: "/localization"})
	}
	page.Page.Description = "What " + title + " finds on " + sub.Release.Label() + ": precision, recall and F1 by level and condition, and the predictions."
	if own && len(sub.Report) > 0 {
		page.Links = append(page.Links, views.Link{Text: "What was in the file", Address: at + "/preflight"})
	}
	if !sub.State.Over() {
		page.Page.Live, page.Events = true, at+"/events"
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-cache")
	return s.render(c, http.StatusOK, views.PredictionsView(page))
}

// predictionsParts are what of the page changes until the scores are there.
func (s *Site) predictionsParts(ctx context.Context, sub store.Submission, own bool) (liveView, error) {
	state, err := s.predictionsState(ctx, sub, own)
	return liveView{over: sub.State.Over(), parts: []livePart{
		{"standing", views.SubmissionStanding(state.SubmissionState)}, {"actions", views.SubmissionActions(state.SubmissionState)},
		{"scores", views.PredictionsScores(state)}, {"log", views.SubmissionLog(state.SubmissionState)},
	}}, err
}

// predictionsState is what its page shows of it.
func (s *Site) predictionsState(ctx context.Context, sub store.Submission, own bool) (views.PredictionsState, error) {
	var state views.PredictionsState
	events, err := s.Store.Events(ctx, sub.ID)
	if err != nil {
		return state, err
	}
	state.State = views.Standing{State: string(sub.State)}
	if !sub.State.Over() {
		state.State.Note = "Its files are compared with those that the pull requests changed: a matter of seconds."
	}
	state.Log = submissionLog(&submissionStanding{events: events})
	if sub.State == store.Failed {
		state.Remarks = []views.SubmissionRemark{{Kind: "bad", Title: "It could not be scored.", Text: sub.Error, Do: "Its submitter can have it tried again."}}
	}
	switch {
	case own && !sub.State.Over():
		state.Actions = []views.Action{{Text: "Cancel", Address: submissionPath(sub) + "/cancel", Danger: true}}
	case own && sub.State != store.Finished:
		state.Actions = []views.Action{{Text: "Score it again", Address: submissionPath(sub) + "/retry"}}
	}
	rows, err := s.Store.LocalizationScoresOf(ctx, sub.ID)
	if err != nil || len(rows) == 0 {
		return state, err
	}
	release, err := s.Store.Release(ctx, sub.ReleaseID)
	if err != nil {
		return state, err
	}
	rows = inArms(rows)
	for _, gold := range localization.Golds {
		if t := armsTable(sub, rows, gold, len(release.Repositories)); len(t.Groups[0].Rows) > 0 {
			state.Arms = append(state.Arms, t)
		}
	}
	state.Repositories = armRepositories(sub, release, rows)
	state.Pair, state.Pairs, err = s.pairInWords(ctx, sub)
	return state, err
}

// inArms puts scores into the order of tables: all gold files first, over all
// tasks first, by level, the baseline first.
func inArms(rows []store.LocalizationScore) []store.LocalizationScore {
	slices.SortStableFunc(rows, func(a, b store.LocalizationScore) int {
		return cmp.Or(cmp.Compare(a.Gold, b.Gold), cmp.Compare(a.RepositoryID, b.RepositoryID),
			cmp.Compare(slices.Index(localization.Levels, localization.Level(a.Level)), slices.Index(localization.Levels, localization.Level(b.Level))),
			cmp.Compare(slices.Index(localization.Conditions, localization.Condition(a.Condition)), slices.Index(localization.Conditions, localization.Condition(b.Condition))))
	})
	return rows
}

// goldsInWords say what has to be found.
var goldsInWords = map[localization.Gold]string{
	localization.AllGold:    "All files that a pull request changes have to be found.",
	localization.SourceGold: "Source files alone have to be found: tests, documentation and generated files count neither for nor against.",
}

// armsTable is a line for each level and condition.
func armsTable(sub store.Submission, rows []store.LocalizationScore, gold localization.Gold, repositories int) views.Table {
	share := func(key, label, better string) views.Column {
		return views.Column{Key: key, Label: label, Note: better + " is better", Align: views.Decimals}
	}
	mean := func(key, label string) views.Column {
		return views.Column{Key: key, Label: label, Note: "higher is better", Align: views.Decimals}
	}
	t := views.Table{ID: "scores-" + string(gold), CSV: submissionPath(sub) + "/scores.csv", Caption: goldsInWords[gold] + " F1, precision and recall are means over the tasks, the last columns shares of them; a task without a prediction counts as an empty one.",
		Source: "Release " + sub.Release.Label() + ".",
		Columns: []views.Column{{Key: "prompt", Label: "Level"}, {Key: "condition", Label: "Condition"}, mean("f1", "F1"), mean("precision", "Precision"), mean("recall", "Recall"),
			{Key: "micro_f1", Label: "Micro F1", Note: "files as one set", Align: views.Decimals},
			share("zero_recall", "Recall = 0", "lower"), share("full_recall", "Recall = 1", "higher"), share("exact", "F1 = 1", "higher"),
			{Key: "answered", Label: "Answered", Note: "tasks", Align: views.Decimals}, {Key: "tasks", Label: "Tasks", Align: views.Decimals}}}
	group := views.Group{}
	for _, x := range rows {
		if x.RepositoryID != 0 || x.Gold != string(gold) {
			continue
		}
		n := float64(max(1, x.Tasks))
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.TextCell(capital(x.Level)), views.TextCell(capital(x.Condition)), views.ScoreCell(fileScore(x, repositories)),
			views.NumberCell(x.Precision, 3), views.NumberCell(x.Recall, 3), views.NumberCell(x.MicroF1, 3), views.NumberCell(float64(x.ZeroRecall)/n, 3),
			views.NumberCell(float64(x.FullRecall)/n, 3), views.NumberCell(float64(x.Exact)/n, 3), views.CountCell(x.Answered), views.CountCell(x.Tasks)}})
	}
	t.Groups = []views.Group{group}
	return t
}

// fileScore is the mean F1 with its interval.
func fileScore(x store.LocalizationScore, repositories int) views.Score {
	score := views.Score{Value: x.F1}
	if x.Low != nil && x.High != nil {
		method := "bootstrap over tasks"
		if x.RepositoryID == 0 && repositories > 1 {
			method = "bootstrap over repositories"
		}
		score.Interval = &views.Interval{Low: *x.Low, High: *x.High, Level: 0.95, Method: method}
	}
	return score
}

// armRepositories is F1 of each repository, a column for each arm.
func armRepositories(sub store.Submission, release store.Release, rows []store.LocalizationScore) views.Table {
	t := views.Table{ID: "repositories-table", CSV: submissionPath(sub) + "/scores.csv", Caption: "Mean F1 of each repository's tasks, all gold files, by level and condition.",
		Columns: []views.Column{{Key: "repository", Label: "Repository"}, {Key: "tasks", Label: "Tasks", Align: views.Decimals}}}
	var arms []store.Arm
	of := map[uint64]map[store.Arm]float64{}
	for _, x := range rows {
		switch {
		case x.Gold != string(localization.AllGold):
		case x.RepositoryID == 0:
			arms = append(arms, x.Arm)
			t.Columns = append(t.Columns, views.Column{Key: x.Level + "-" + x.Condition, Label: capital(x.Level), Note: x.Condition, Align: views.Centre})
		default:
			if of[x.RepositoryID] == nil {
				of[x.RepositoryID] = map[store.Arm]float64{}
			}
			of[x.RepositoryID][x.Arm] = x.F1
		}
	}
	group := views.Group{}
	for _, r := range release.Repositories {
		if of[r.ID] == nil {
			continue
		}
		row := views.Row{Cells: []views.Cell{views.CodeCell(r.Name, "/localization/repos/"+r.Name), views.CountCell(r.Tasks)}}
		for _, arm := range arms {
			row.Cells = append(row.Cells, views.HeatCell(of[r.ID][arm]))
		}
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	return t
}

// pairInWords says where the two conditions of a submission's system are.
func (s *Site) pairInWords(ctx context.Context, sub store.Submission) (string, []views.Link, error) {
	all, err := s.Store.LocalizationPairs(ctx)
	if err != nil {
		return "", nil, err
	}
	for _, pair := range all {
		if pair.System.ID != sub.SystemID || pair.Release.ID != sub.ReleaseID || pair.Account.ID != sub.AccountID || pair.Version != sub.Version {
			continue
		}
		conditions := map[string]bool{}
		for arm := range pair.Arms {
			conditions[arm.Condition] = true
		}
		said := "Both conditions of the system are known, so that they can be compared."
		if len(conditions) < 2 {
			for have := range conditions {
				said = fmt.Sprintf("The system is known in the condition %s alone. An upload of the other one by the same account, with the same system, model, version and release, joins it to a pair.", have)
			}
		}
		var links []views.Link
		for _, other := range pair.Submissions {
			if other.ID != sub.ID {
				links = append(links, views.Link{Text: "The other part of the pair: " + other.PublicID, Address: submissionPath(other)})
			}
		}
		if !slices.ContainsFunc(pair.Submissions, func(x store.Submission) bool { return x.ID == sub.ID }) {
			said = "A later upload of the same system, version and release counts instead of this one."
		}
		return said, links, nil
	}
	return "", nil, nil
}

// trackAddress is the leaderboard that shows a submission.
func trackAddress(sub store.Submission) string {
	return (&url.URL{Path: "/" + string(sub.Track), RawQuery: url.Values{"release": {sub.Release.Label()}}.Encode()}).String()
}

// uploadedFile is a submission's file as it came.
func (s *Site) uploadedFile(c echo.Context) error {
	sub, _, err := s.submission(c)
	if err != nil {
		return err
	}
	if sub.Blob == "" {
		return store.ErrNotFound // a control has no file
	}
	file, err := s.Engine.Uploaded(c.Request().Context(), sub)
	if err != nil {
		return err
	}
	defer file.Close()
	name := cmp.Or(sub.FileName, fileNames[sub.Track])
	attach(c, echo.MIMEOctetStream, name) // whatever it holds, no browser shows it
	_, err = io.Copy(c.Response(), file)
	return err
}
