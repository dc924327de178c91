package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard"
	"touchstone/views"
)

// comparedQuery is what an address of the comparison asks for.
type comparedQuery struct {
	a, b, evaluator string
	k               int // 0 when it is not said
}

func readCompared(c echo.Context) (comparedQuery, error) {
	q := comparedQuery{a: c.QueryParam("a"), b: c.QueryParam("b"), evaluator: c.QueryParam("evaluator")}
	all, err := query(c)
	q.k = all.K
	return q, err
}

// missing is an error for the row that the query does not name.
func (q comparedQuery) missing() error {
	for _, x := range []struct{ field, value string }{{"a", q.a}, {"b", q.b}} {
		if x.value == "" {
			return &benchmark.InputError{Field: x.field, Problem: "is missing: it says which row to compare", Mend: "give a submission's id, or paper:SYSTEM/MODEL for a published row"}
		}
	}
	return nil
}

func (s *Site) compareSheet(c echo.Context) (leaderboard.Sheet, error) {
	q, err := readCompared(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	if err := q.missing(); err != nil {
		return leaderboard.Sheet{}, err
	}
	found, err := s.Boards.Compare(c.Request().Context(), q.a, q.b, q.evaluator, q.k)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	return found.Sheet(), nil
}

// compare answers with the page, and with its form when what it was sent cannot
// be compared.
func (s *Site) compare(c echo.Context) error {
	err := s.cached(s.compared)(c)
	var wrong *benchmark.InputError
	if !errors.As(err, &wrong) {
		return err
	}
	board, err := s.Boards.Current(c.Request().Context())
	if err != nil {
		return err
	}
	q, _ := readCompared(c) // a k that is none is what is wrong
	page := s.comparePage(c)
	page.Form = compareForm(board, q, nil)
	said := *wrong
	said.Field = cmp.Or(map[string]string{"a": "First row", "b": "Second row", "evaluator": "Evaluator"}[said.Field], said.Field)
	page.Errors = views.Errors{{Message: views.Visible(said.Error()) + "."}}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return s.render(c, http.StatusUnprocessableEntity, views.Compare(page))
}

func (s *Site) comparePage(c echo.Context) views.ComparePage {
	page := views.ComparePage{Page: s.page(c, "Compare"), Heading: views.Heading{Trail: []views.Link{{Text: "Doc-to-code", Address: "/doc-to-code"}}, Title: "Compare",
		Lead: "Two rows of the leaderboard under one evaluator, on the repositories and tasks that both were judged on."}}
	page.Page.Description = "The paired difference of two systems: by repository and task, with intervals and tests of significance."
	return page
}

// compared sets two rows side by side, or asks for them.
func (s *Site) compared(c echo.Context) (templ.Component, error) {
	q, err := readCompared(c)
	if err != nil {
		return nil, err
	}
	ctx := c.Request().Context()
	page := s.comparePage(c)
	if q.a == "" || q.b == "" {
		board, err := s.Boards.Current(ctx)
		if err != nil {
			return nil, err
		}
		for _, x := range []struct{ field, key string }{{"a", q.a}, {"b", q.b}} {
			if _, ok := board.Row(x.key); x.key != "" && !ok {
				return nil, leaderboard.NoRow(x.field, x.key)
			}
		}
		page.Form = compareForm(board, q, nil)
		page.Empty = views.Empty{Title: "Choose two rows.", Reason: "A row is a submission with a finished evaluation, or a configuration of a paper."}
		if len(page.Form.Selects[0].Options) == 1 {
			page.Empty = views.Empty{Title: "There is no row to compare yet.", Next: views.Link{Text: "Submit docstrings", Address: "/submit/doc-to-code"}}
		}
		return views.Compare(page), nil
	}
	found, err := s.Boards.Compare(ctx, q.a, q.b, q.evaluator, q.k)
	if err != nil {
		return nil, err
	}
	board, err := s.Boards.Current(ctx)
	if err != nil {
		return nil, err
	}
	v := newComparisonView(found, address(c))
	page.Page.Title = v.a + " against " + v.b
	page.Form = compareForm(board, q, found)
	page.Swap = views.Link{Text: "The other way round", Address: compareAddress(found.Second.Key(), found.First.Key(), found.Evaluator, found.K)}
	page.Finding, page.Remarks = v.finding(), v.remarks()
	page.Overall, page.Tests = v.overall(), v.tests()
	page.Repos, page.ReposSaid = v.repositories(), v.repositoriesSaid()
	page.Low, page.High = "second row better", "first row better"
	page.TasksSaid = v.tasksSaid()
	if found.Tasks != nil {
		page.Tasks, page.Pagination = v.tasks()
	}
	return views.Compare(page), nil
}

// compareAddress is the comparison of two rows.
func compareAddress(a, b, evaluator string, k int) string {
	values := url.Values{"a": {a}, "b": {b}}
	if evaluator != "" {
		values.Set("evaluator", evaluator)
		values.Set("k", strconv.Itoa(k))
	}
	return (&url.URL{Path: "/compare", RawQuery: values.Encode()}).String()
}

// longestOption is how many characters of a row's name a list of rows shows.
const longestOption = 90

// compareForm chooses two rows. The comparison is nil where there is none.
func compareForm(b *leaderboard.Board, q comparedQuery, found *leaderboard.Comparison) views.Filters {
	rows := []views.Option{{Text: "choose a row"}}
	evaluators := []views.Option{{Text: "the first that judged both"}}
	numbers := []int{1}
	for _, set := range b.Sets {
		for _, row := range set.Rows {
			name := row.Name()
			if row.Version != "" {
				name += ", version " + row.Version
			}
			if runes := []rune(name); len(runes) > longestOption {
				name = string(runes[:longestOption]) + "…"
			}
			text := name + " (" + set.Label
			if row.Submission != "" {
				text += ", " + row.Submission
			}
			rows = append(rows, views.Option{Value: row.Key(), Text: views.Visible(text + ")")})
		}
		if found != nil {
			continue
		}
		for _, e := range set.Evaluators {
			if !slices.ContainsFunc(evaluators, func(o views.Option) bool { return o.Value == e.Name }) {
				evaluators = append(evaluators, views.Option{Value: e.Name})
			}
			numbers = append(numbers, set.Ks(e.Name)...)
		}
	}
	k := max(1, q.k)
	if found != nil {
		for _, name := range found.Evaluators {
			evaluators = append(evaluators, views.Option{Value: name})
		}
		numbers = found.Ks
	}
	slices.SortStableFunc(rows[1:], func(a, b views.Option) int { return strings.Compare(strings.ToLower(a.Text), strings.ToLower(b.Text)) })
	slices.Sort(numbers)
	var ks []views.Option
	for _, n := range slices.Compact(numbers) {
		ks = append(ks, views.Option{Value: strconv.Itoa(n)})
	}
	return views.Filters{Action: "/compare", Selects: []views.Select{
		{Label: views.Label{Name: "a", Text: "First row"}, Value: q.a, Options: rows},
		{Label: views.Label{Name: "b", Text: "Second row"}, Value: q.b, Options: rows},
		{Label: views.Label{Name: "evaluator", Text: "Evaluator"}, Value: q.evaluator, Options: evaluators},
		{Label: views.Label{Name: "k", Text: "k"}, Value: strconv.Itoa(k), Options: ks},
	}}
}

// sideNames name two rows in sentences, so that each can be told from the other.
func sideNames(a, b leaderboard.Side) (string, string) {
	names := [2]string{a.Name(), b.Name()}
	more := []func(leaderboard.Side) string{
		func(s leaderboard.Side) string {
			if s.Version == "" {
				return ""
			}
			return ", version " + s.Version
		},
		func(s leaderboard.Side) string { return " (" + s.Set.Label + ")" },
		func(s leaderboard.Side) string { return " [" + s.Key() + "]" },
	}
	for _, add := range more {
		if names[0] == names[1] && a.Row != b.Row {
			names[0] += add(a)
			names[1] += add(b)
		}
	}
	return views.Visible(names[0]), views.Visible(names[1])
}

// sideAddress leads to where a row comes from.
func sideAddress(s leaderboard.Side) string {
	if s.Submission != "" {
		return "/submissions/" + s.Submission
	}
	return systemAddress(s.Slug)
}

// differentTasks warns of rows that were judged on different tasks.
func differentTasks(c *leaderboard.Comparison) string {
	if c.First.Set == c.Second.Set {
		return ""
	}
	return fmt.Sprintf("The rows are of different sets, %s and %s: where both have a repository, its tasks need not be the same. The difference of the systems and that of the tasks cannot be told apart.",
		c.First.Set.Label, c.Second.Set.Label)
}
