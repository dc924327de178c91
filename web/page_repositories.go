package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/leaderboard"
	"touchstone/views"
)

// repositoriesBoard reads what an address of repositories asks for: release,
// evaluator and k.
func (s *Site) repositoriesBoard(c echo.Context) (*leaderboard.Board, leaderboard.Query, error) {
	q, err := query(c)
	if err != nil {
		return nil, q, err
	}
	q = leaderboard.Query{Release: q.Release, Evaluator: q.Evaluator, K: q.K}
	board, err := s.Boards.Current(c.Request().Context())
	if err != nil {
		return nil, q, err
	}
	return board, q, board.Check(q)
}

func (s *Site) repositoriesSheet(c echo.Context) (leaderboard.Sheet, error) {
	board, q, err := s.repositoriesBoard(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	return board.OnRepositories(leaderboard.RepositoryQuery{Release: q.Release, Evaluator: q.Evaluator, K: q.K}), nil
}

// repositories is a heatmap of every release and paper: repositories by systems.
func (s *Site) repositories(c echo.Context) (templ.Component, error) {
	board, q, err := s.repositoriesBoard(c)
	if err != nil {
		return nil, err
	}
	page := views.RepositoriesPage{Page: s.page(c, "Repositories"), Filters: repositoryFilters(board, q)}
	page.Page.Description = "Every repository of every doc-to-code release and of the published paper: counts, and pass@k of each system on it."
	k := max(1, q.K)
	for _, set := range board.Sets {
		_, judged := set.Evaluator(q.Evaluator)
		if q.Release != "" && set.Key != q.Release || q.Release == "" && q.Evaluator != "" && !judged {
			continue
		}
		listings, err := board.List(leaderboard.Query{Release: set.Key, Evaluator: q.Evaluator, K: k})
		if err != nil {
			return nil, err
		}
		h := newHeatmap(listings[0], k, address(c))
		if len(h.shown) > 0 {
			page.Low, page.High = fmt.Sprintf("pass@%d 0", k), "1, higher is better"
		}
		page.Sets = append(page.Sets, h.view())
	}
	switch {
	case len(board.Sets) == 0:
		page.Empty = views.Empty{Title: "No repository is known yet.", Reason: "The operator of this site imports a release:", Command: importCommand}
	case len(page.Sets) == 0:
		page.Empty = views.Empty{Title: "No table fits these filters.", Next: views.Link{Text: "Show all", Address: "/doc-to-code/repos"}}
	}
	return views.Repositories(page), nil
}

// repositoryFilters is the form above the heatmaps.
func repositoryFilters(b *leaderboard.Board, q leaderboard.Query) views.Filters {
	releases := []views.Option{{Value: "", Text: "all"}}
	evaluators := []views.Option{{Value: "", Text: "the first of each"}}
	var ks []int
	for _, set := range b.Sets {
		releases = append(releases, views.Option{Value: set.Key, Text: set.Label})
		for _, e := range set.Evaluators {
			if !slices.ContainsFunc(evaluators, func(o views.Option) bool { return o.Value == e.Name }) {
				option := views.Option{Value: e.Name}
				if e.Control {
					option.Text = e.Name + " (control)"
				}
				evaluators = append(evaluators, option)
			}
			ks = append(ks, set.Ks(e.Name)...)
		}
	}
	if q.K > 0 {
		ks = append(ks, q.K)
	}
	if len(ks) == 0 {
		ks = []int{1}
	}
	slices.Sort(ks)
	numbers := []views.Option{}
	for _, k := range slices.Compact(ks) {
		numbers = append(numbers, views.Option{Value: strconv.Itoa(k)})
	}
	f := views.Filters{Action: "/doc-to-code/repos", Selects: []views.Select{
		{Label: views.Label{Name: "release", Text: "Release"}, Value: q.Release, Options: releases},
		{Label: views.Label{Name: "evaluator", Text: "Evaluator"}, Value: q.Evaluator, Options: evaluators},
		{Label: views.Label{Name: "k", Text: "k"}, Value: strconv.Itoa(max(1, q.K)), Options: numbers},
	}}
	var said []string
	if q.Release != "" {
		said = append(said, "release "+q.Release)
	}
	if q.Evaluator != "" {
		said = append(said, "judged by "+q.Evaluator)
	}
	if q.K > 1 {
		said = append(said, fmt.Sprintf("pass@%d", q.K))
	}
	if len(said) > 0 {
		f.Said, f.Clear = "Showing "+strings.Join(said, ", ")+".", "/doc-to-code/repos"
	}
	return f
}
