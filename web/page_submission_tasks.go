package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/views"
)

const tasksPerPage = 100

// An outcome is how the samples of a task fared under an evaluator.
type outcome string

const (
	allPassed  outcome = "all"
	somePassed outcome = "some"
	nonePassed outcome = "none"
	notCounted outcome = "uncounted" // no sample counts: not run yet, or the machine's failure
)

// outcomes are in the order in which the filter offers them.
var outcomes = []struct {
	outcome
	words string
}{{allPassed, "all samples passed"}, {somePassed, "some passed"}, {nonePassed, "none passed"}, {notCounted, "none counted"}}

// A taskCount is how many samples of a task count, and how many of those passed.
type taskCount struct{ samples, passed int }

func (t taskCount) outcome() outcome {
	switch {
	case t.samples == 0:
		return notCounted
	case t.passed == t.samples:
		return allPassed
	case t.passed == 0:
		return nonePassed
	}
	return somePassed
}

// A taskResult is a task of a submission's release, and what became of it.
type taskResult struct {
	store.Task
	id         benchmark.TaskID
	documented bool
	counts     []taskCount // as taskResults.evaluations
}

// taskResults are all tasks of a submission under the evaluations that a query
// chose.
type taskResults struct {
	all         []store.Evaluation
	evaluations []store.Evaluation
	tasks       []taskResult
}

// tasksQuery is what the address of the list asks for.
type tasksQuery struct {
	repository, evaluator, text string
	outcome                     outcome
}

func readTasksQuery(c echo.Context) (tasksQuery, error) {
	q := tasksQuery{repository: c.QueryParam("repository"), evaluator: c.QueryParam("evaluator"), text: strings.TrimSpace(searched(c.QueryParam("q"))),
		outcome: outcome(c.QueryParam("outcome"))}
	if q.outcome != "" && outcomeWords(q.outcome) == "" {
		return q, &benchmark.InputError{Field: "outcome", Problem: fmt.Sprintf("%q is none", q.outcome), Mend: "choose all, some, none or uncounted"}
	}
	return q, nil
}

func outcomeWords(o outcome) string {
	for _, x := range outcomes {
		if x.outcome == o {
			return x.words
		}
	}
	return ""
}

// chooses reports whether a query wants a task. An outcome is that under the
// chosen evaluator, else that under any.
func (q tasksQuery) chooses(t taskResult) bool {
	return (q.repository == "" || t.id.Repository == q.repository) &&
		(q.text == "" || strings.Contains(strings.ToLower(t.Key), strings.ToLower(q.text))) &&
		(q.outcome == "" || slices.ContainsFunc(t.counts, func(c taskCount) bool { return c.outcome() == q.outcome }))
}

// taskResults looks everything up.
func (s *Site) taskResults(ctx context.Context, sub store.Submission, q tasksQuery) (*taskResults, error) {
	found := &taskResults{}
	var err error
	if found.all, err = s.Store.Evaluations(ctx, sub.ID); err != nil {
		return nil, err
	}
	for _, e := range found.all {
		if q.evaluator == "" || e.Evaluator.Name == q.evaluator {
			found.evaluations = append(found.evaluations, e)
		}
	}
	if q.evaluator != "" && len(found.evaluations) == 0 {
		return nil, &benchmark.InputError{Field: "evaluator", Problem: fmt.Sprintf("%q does not judge this submission", q.evaluator), Mend: "leave it out to see all"}
	}
	counts := make([]map[uint64]taskCount, len(found.evaluations))
	for i, e := range found.evaluations {
		if counts[i], err = s.taskCounts(ctx, e); err != nil {
			return nil, err
		}
	}
	ids, err := s.Store.DocumentedTasks(ctx, sub.ID)
	if err != nil {
		return nil, err
	}
	documented := make(map[uint64]bool, len(ids))
	for _, id := range ids {
		documented[id] = true
	}
	tasks, err := s.Store.Tasks(ctx, sub.ReleaseID)
	if err != nil {
		return nil, err
	}
	for _, row := range tasks {
		t := taskResult{Task: row, documented: documented[row.ID]}
		if t.id, err = benchmark.ParseTaskID(row.Key); err != nil {
			return nil, err
		}
		for _, c := range counts {
			t.counts = append(t.counts, c[row.ID])
		}
		if q.chooses(t) {
			found.tasks = append(found.tasks, t)
		}
	}
	return found, nil
}

func (s *Site) taskCounts(ctx context.Context, e store.Evaluation) (map[uint64]taskCount, error) {
	look := s.Store.TaskCounts
	if e.State == store.Finished {
		look = s.Store.TaskScores
	}
	scores, err := look(ctx, e.ID)
	found := make(map[uint64]taskCount, len(scores))
	for _, x := range scores {
		found[x.TaskID] = taskCount{x.Samples, x.Passed}
	}
	return found, err
}

// submissionTasks lists the tasks of a submission.
func (s *Site) submissionTasks(c echo.Context) error {
	sub, err := s.judgedSubmission(c)
	if err != nil {
		return err
	}
	q, err := readTasksQuery(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	results, err := s.taskResults(ctx, sub, q)
	if err != nil {
		return err
	}
	release, err := s.Store.Release(ctx, sub.ReleaseID)
	if err != nil {
		return err
	}
	title := systemTitle(sub)
	page := views.SubmissionTasksPage{
		Page: s.page(c, "Tasks of "+title), Filters: tasksFilters(sub, release, results, q),
		Heading: views.Heading{Trail: []views.Link{{Text: "Submissions", Address: "/submissions"}, {Text: title, Address: submissionPath(sub)}}, Title: "Tasks",
			Lead: "How many of each task's samples passed. A task leads to its docstring, the candidates that were written from it, and their tests."},
	}
	number := views.ReadPage(c.QueryParams(), tasksPerPage, len(results.tasks))
	page.Pagination = views.Pagination{Address: address(c), Page: number, PerPage: tasksPerPage, Total: len(results.tasks), Unit: "tasks"}
	first := (number - 1) * tasksPerPage
	page.Table = tasksTable(sub, results, results.tasks[first:min(len(results.tasks), first+tasksPerPage)], c.Request().URL.RawQuery)
	c.Response().Header().Set(echo.HeaderCacheControl, "no-cache")
	return s.render(c, http.StatusOK, views.SubmissionTasks(page))
}

func tasksTable(sub store.Submission, results *taskResults, shown []taskResult, query string) views.Table {
	t := views.Table{ID: "tasks-table", CSV: (&url.URL{Path: submissionPath(sub) + "/tasks.csv", RawQuery: query}).String(),
		Caption: views.Counted(len(results.tasks), "task", "tasks") + " of release " + sub.Release.Label() + ".",
		Columns: []views.Column{{Key: "task", Label: "Function"}},
		Empty:   views.Empty{Title: "No task fits these filters.", Next: views.Link{Text: "Show all", Address: submissionPath(sub) + "/tasks"}}}
	for _, e := range results.evaluations {
		t.Columns = append(t.Columns, views.Column{Key: e.Evaluator.Name, Label: e.Evaluator.Name, Note: "samples that passed", Align: views.Centre})
	}
	t.Columns = append(t.Columns, views.Column{Key: "tests", Label: "Tests", Align: views.Decimals}, views.Column{Key: "documented", Label: "Docstring"})
	for _, task := range shown {
		if n := len(t.Groups); n == 0 || t.Groups[n-1].Heading != task.id.Repository {
			t.Groups = append(t.Groups, views.Group{Heading: task.id.Repository})
		}
		docstring := views.TextCell("yes")
		if !task.documented {
			docstring = views.UnknownCell("it is judged without a docstring")
		}
		row := views.Row{Cells: []views.Cell{
			views.ViewCell(views.TaskName(task.Key, task.id.Path, strings.TrimPrefix(task.Key, task.id.Repository+":"+task.id.Path+"::"), taskPath(sub, task.Key, ""))),
		}}
		for i, e := range results.evaluations {
			row.Cells = append(row.Cells, passedCell(task.counts[i], e))
		}
		row.Cells = append(row.Cells, views.CountCell(task.Tests), docstring)
		group := &t.Groups[len(t.Groups)-1]
		group.Rows = append(group.Rows, row)
	}
	return t
}

func passedCell(t taskCount, e store.Evaluation) views.Cell {
	switch {
	case t.samples > 0:
		return views.ViewCell(views.Passed(t.passed, t.samples))
	case e.State == store.Finished:
		return views.UnknownCell("no sample of it counts")
	}
	return views.UnknownCell("it has not run yet")
}

// taskPath is the address of the evidence on a task. A task's id is the rest of
// the path, with whatever an address cannot hold escaped.
func taskPath(sub store.Submission, key, evaluator string) string {
	at := url.URL{Path: submissionPath(sub) + "/tasks/" + key}
	if evaluator != "" {
		at.RawQuery = url.Values{"evaluator": {evaluator}}.Encode()
	}
	return at.String()
}

func tasksFilters(sub store.Submission, release store.Release, results *taskResults, q tasksQuery) views.Filters {
	path := submissionPath(sub) + "/tasks"
	f := views.Filters{Action: path}
	choose := func(name, text, value string, options []views.Option) {
		f.Selects = append(f.Selects, views.Select{Label: views.Label{Name: name, Text: text}, Value: value, Options: append([]views.Option{{Text: "all"}}, options...)})
	}
	var repositories, evaluators, fared []views.Option
	for _, r := range release.Repositories {
		repositories = append(repositories, views.Option{Value: r.Name})
	}
	for _, e := range results.all {
		evaluators = append(evaluators, views.Option{Value: e.Evaluator.Name})
	}
	for _, o := range outcomes {
		fared = append(fared, views.Option{Value: string(o.outcome), Text: o.words})
	}
	choose("repository", "Repository", q.repository, repositories)
	choose("evaluator", "Evaluator", q.evaluator, evaluators)
	choose("outcome", "Outcome", string(q.outcome), fared)
	f.Fields = []views.Field{{Label: views.Label{Name: "q", Text: "Function or file"}, Value: q.text, Type: "search"}}
	var said []string
	if q.repository != "" {
		said = append(said, "tasks of "+views.Visible(q.repository))
	}
	if q.evaluator != "" {
		said = append(said, "judged by "+q.evaluator)
	}
	if q.outcome != "" {
		under := " under some evaluator"
		if q.evaluator != "" || len(results.all) == 1 {
			under = ""
		}
		said = append(said, outcomeWords(q.outcome)+under)
	}
	if q.text != "" {
		said = append(said, "name contains “"+views.Visible(q.text)+"”")
	}
	if len(said) > 0 {
		f.Said, f.Clear = "Showing "+strings.Join(said, ", ")+".", path
	}
	return f
}

// submissionTasksSheet is the same as a file: a line for each task and evaluator.
func (s *Site) submissionTasksSheet(c echo.Context) (leaderboard.Sheet, error) {
	sub, err := s.judgedSubmission(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	q, err := readTasksQuery(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	results, err := s.taskResults(c.Request().Context(), sub, q)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	return leaderboard.Sheet{
		Header: []string{"submission", "release", "task_id", "repository", "path", "qualname", "documented", "tests", "evaluator", "state", "samples", "passed", "outcome"},
		Rows: func(yield func([]string) bool) {
			for _, t := range results.tasks {
				for i, e := range results.evaluations {
					qualname := t.id.Qualname
					if t.id.Ordinal > 0 {
						qualname += "#" + strconv.Itoa(t.id.Ordinal)
					}
					x := t.counts[i]
					if !yield([]string{sub.PublicID, sub.Release.Label(), t.Key, t.id.Repository, t.id.Path, qualname, strconv.FormatBool(t.documented), strconv.Itoa(t.Tests),
						e.Evaluator.Name, string(e.State), strconv.Itoa(x.samples), strconv.Itoa(x.passed), string(x.outcome())}) {
						return
					}
				}
			}
		},
	}, nil
}
