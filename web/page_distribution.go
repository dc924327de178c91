package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/leaderboard"
	"touchstone/views"
)

const distributionPath = "/doc-to-code/distribution"

// A distribution is what the page's address asks for: one set under one
// evaluator with one k.
type distribution struct {
	board     *leaderboard.Board
	set       *leaderboard.Set // nil when there is none
	evaluator string           // "" when none but controls has judged
	k         int
	spreads   []leaderboard.Spread
}

// distribution reads the address. Without a release it is the first set that
// has scores.
func (s *Site) distribution(c echo.Context) (distribution, error) {
	board, q, err := s.repositoriesBoard(c)
	if err != nil {
		return distribution{}, err
	}
	d := distribution{board: board, evaluator: q.Evaluator, k: max(1, q.K)}
	for _, set := range board.Sets {
		if q.Release != "" && set.Key != q.Release {
			continue
		}
		evaluator := q.Evaluator
		if evaluator == "" {
			evaluator = firstJudge(set)
		}
		scored := len(set.Ks(evaluator)) > 0
		if d.set == nil || scored {
			d.set, d.evaluator = set, evaluator
		}
		if scored {
			break
		}
	}
	if d.set != nil {
		d.spreads, err = d.set.Spreads(d.evaluator, d.k)
	}
	return d, err
}

// firstJudge is the first evaluator of a set that has scores and is no control.
func firstJudge(set *leaderboard.Set) string {
	for _, e := range set.Evaluators {
		if !e.Control && len(set.Ks(e.Name)) > 0 {
			return e.Name
		}
	}
	return ""
}

// query asks for the same again.
func (d distribution) query() url.Values {
	q := url.Values{"release": {d.set.Key}, "k": {strconv.Itoa(d.k)}}
	if d.evaluator != "" {
		q.Set("evaluator", d.evaluator)
	}
	return q
}

func (s *Site) distributionSheet(c echo.Context) (leaderboard.Sheet, error) {
	board, q, err := s.repositoriesBoard(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	return board.Distribution(leaderboard.RepositoryQuery{Release: q.Release, Evaluator: q.Evaluator, K: q.K})
}

func (s *Site) keptSheet(c echo.Context) (leaderboard.Sheet, error) {
	board, q, err := s.repositoriesBoard(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	return board.Kept(q.Release)
}

func (s *Site) popularitySheet(c echo.Context) (leaderboard.Sheet, error) {
	board, q, err := s.repositoriesBoard(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	return board.Popularities(q.Release)
}

// distributionFile is the chart of the page as SVG.
func (s *Site) distributionFile(c echo.Context) error {
	d, err := s.distribution(c)
	if err != nil {
		return err
	}
	if len(d.spreads) == 0 {
		return echo.NewHTTPError(http.StatusNotFound, "There is nothing to draw: "+d.empty().Title)
	}
	chart, _ := d.chart(address(c))
	return sendSVG(c, chart.File())
}

// distributionPage is the spread of every configuration of one set, and how far
// its repositories agree.
func (s *Site) distributionPage(c echo.Context) (templ.Component, error) {
	d, err := s.distribution(c)
	if err != nil {
		return nil, err
	}
	page := views.DistributionPage{Page: s.page(c, "Distribution"), Filters: d.filters(c.QueryParams()), Empty: d.empty()}
	page.Page.Description = "How pass@k of each system lies over repositories, and how many repositories keep the order of systems."
	if d.set == nil {
		return views.DistributionOverview(page), nil
	}
	page.Title, page.Provenance, page.Lead = d.set.Label, views.Provenance(d.set.Provenance), d.lead()
	if len(d.spreads) > 0 {
		chart, pages := d.chart(address(c))
		page.Chart, page.Pagination = &chart, pages
	}
	if page.Stability, err = stabilityText(d.set); err != nil {
		return nil, err
	}
	if page.Popularity, err = popularityText(d.set); err != nil {
		return nil, err
	}
	if d.set.Provenance == leaderboard.Published {
		page.Notes = paperNotes(d.set.Key, 1, 2, 3)
	}
	return views.DistributionOverview(page), nil
}

func (d distribution) lead() string {
	if d.set.Provenance == leaderboard.Published {
		return "Computed here from the paper’s numbers for single repositories, as printed. Nothing in them was run here."
	}
	return "Scored by this site."
}

// empty says why there is nothing to draw.
func (d distribution) empty() views.Empty {
	if d.set == nil {
		return views.Empty{Title: "No repository is known yet.", Reason: "The operator of this site imports a release:", Command: importCommand}
	}
	if ks := d.set.Ks(d.evaluator); len(ks) > 0 {
		return views.Empty{Title: fmt.Sprintf("Under %s there is no pass@%d here, but %s.", d.evaluator, d.k, passAts(ks)),
			Next: views.Link{Text: "Show " + passAts(ks[:1]), Address: fileAddress(distributionPath, url.Values{"release": {d.set.Key}, "evaluator": {d.evaluator}, "k": {strconv.Itoa(ks[0])}})}}
	}
	if d.evaluator != "" {
		return views.Empty{Title: fmt.Sprintf("Nothing was judged by %s on %s.", d.evaluator, d.set.Label),
			Next: views.Link{Text: "Show another evaluator", Address: fileAddress(distributionPath, url.Values{"release": {d.set.Key}})}}
	}
	return views.Empty{Title: "No system has a score on " + d.set.Label + " yet.", Next: views.Link{Text: "Submit docstrings", Address: submitPath}}
}

// filters is the form above the page.
func (d distribution) filters(asked url.Values) views.Filters {
	f := views.Filters{Action: distributionPath}
	if d.set == nil {
		return f
	}
	var releases, evaluators, numbers []views.Option
	for _, set := range d.board.Sets {
		releases = append(releases, views.Option{Value: set.Key, Text: set.Label})
	}
	ks := []int{d.k}
	for _, set := range d.board.Sets {
		for _, e := range set.Evaluators {
			option := views.Option{Value: e.Name}
			if e.Control {
				option.Text = e.Name + " (control)"
			}
			if !slices.ContainsFunc(evaluators, func(o views.Option) bool { return o.Value == e.Name }) {
				evaluators = append(evaluators, option)
			}
			ks = append(ks, set.Ks(e.Name)...)
		}
	}
	slices.Sort(ks)
	for _, k := range slices.Compact(ks) {
		numbers = append(numbers, views.Option{Value: strconv.Itoa(k)})
	}
	// A choice of another release is not to be refused for its evaluator.
	evaluators = append([]views.Option{{Value: "", Text: "the first"}}, evaluators...)
	f.Selects = []views.Select{
		{Label: views.Label{Name: "release", Text: "Release"}, Value: d.set.Key, Options: releases},
		{Label: views.Label{Name: "evaluator", Text: "Evaluator"}, Value: asked.Get("evaluator"), Options: evaluators},
		{Label: views.Label{Name: "k", Text: "k"}, Value: strconv.Itoa(d.k), Options: numbers},
	}
	said := []string{d.set.Label, fmt.Sprintf("pass@%d", d.k)}
	if d.evaluator != "" {
		said = append(said, "judged by "+d.evaluator)
	}
	f.Said = "Showing " + strings.Join(said, ", ") + "."
	if asked.Has("release") || asked.Has("evaluator") || asked.Has("k") {
		f.Clear = distributionPath
	}
	return f
}
