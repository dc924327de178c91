package web

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/views"
)

// systemsPerPage is how many systems a heatmap shows side by side.
const systemsPerPage = 12

// A heatmap is the table of one set: a row for each repository, a column for
// each system.
type heatmap struct {
	leaderboard.Listing
	k       int
	ks      []int // for which there are scores
	at      url.URL
	systems []leaderboard.Ranked // that have a score, best first
	shown   []leaderboard.Ranked // of these, on this page
	page    int
}

func newHeatmap(l leaderboard.Listing, k int, at url.URL) *heatmap {
	h := &heatmap{Listing: l, k: k, at: at, ks: l.Ks(l.RankedBy)}
	if slices.Contains(h.ks, k) {
		for _, row := range l.Rows {
			if l.Comparable(row.Row, l.RankedBy, k) != nil {
				h.systems = append(h.systems, row)
			}
		}
	}
	// The address's page is of one table; where there are several, each shows its first.
	h.page = 1
	if at.Query().Get("release") != "" {
		h.page = views.ReadPage(at.Query(), systemsPerPage, len(h.systems))
	}
	first := (h.page - 1) * systemsPerPage
	h.shown = h.systems[first:min(len(h.systems), first+systemsPerPage)]
	return h
}

func (h *heatmap) view() views.RepositorySet {
	set := views.RepositorySet{ID: elementID(h.Key), Title: h.Label, Provenance: views.Provenance(h.Provenance), Lead: h.lead(), Table: h.table()}
	at := h.at
	query := at.Query()
	query.Set("release", h.Key)
	at.RawQuery = query.Encode()
	set.Pagination = views.Pagination{Page: h.page, PerPage: systemsPerPage, Total: len(h.systems), Unit: "systems", Address: at}
	if h.Provenance == leaderboard.Published {
		set.Notes = paperNotes(h.Key, 1, 2, 3)
	}
	return set
}

func (h *heatmap) lead() string {
	if h.Provenance == leaderboard.Published {
		return "Tables 2 and 3 of the paper, as printed. Nothing in them was run here."
	}
	return "Counted when the release was built, scored by this site."
}

// caption says what the table shows, of how many systems.
func (h *heatmap) caption() string {
	switch {
	case len(h.Listing.Set.Rows) == 0:
		return "Counts of each repository. Nothing was judged on this release yet."
	case h.RankedBy == "" && len(h.Rows) == 0:
		return "Counts of each repository. The evaluator that was asked for judged nothing here."
	case h.RankedBy == "":
		return "Counts of each repository. Only controls have judged here so far."
	case len(h.shown) == 0 && len(h.ks) > 0:
		return fmt.Sprintf("Counts of each repository. Under %s there is no pass@%d here, but %s.", h.RankedBy, h.k, passAts(h.ks))
	case len(h.shown) == 0:
		return "Counts of each repository. No system has a score on a single one."
	}
	text := fmt.Sprintf("pass@%d on each repository under %s", h.k, h.RankedBy)
	first := (h.page-1)*systemsPerPage + 1
	switch {
	case len(h.systems) <= systemsPerPage:
		return text + ", best system first."
	case h.page == 1:
		return fmt.Sprintf("%s: the %d best of %s.", text, len(h.shown), views.Counted(len(h.systems), "system", "systems"))
	}
	return fmt.Sprintf("%s: systems %d to %d of %s, best first.", text, first, first+len(h.shown)-1, views.Count(len(h.systems)))
}

func passAts(ks []int) string {
	words := make([]string, len(ks))
	for i, k := range ks {
		words[i] = fmt.Sprintf("pass@%d", k)
	}
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// A counted is a column of what is counted of a repository.
type counted struct {
	column views.Column
	of     func(leaderboard.Repository) *int
}

var countedColumns = []counted{
	{views.Column{Key: "candidates", Label: "Candidates", Note: "functions"}, func(r leaderboard.Repository) *int { return &r.Candidates }},
	{views.Column{Key: "all_tasks", Label: "All tasks", Note: "before filters"}, func(r leaderboard.Repository) *int { return &r.AllTasks }},
	{views.Column{Key: "tasks", Label: "Tasks", Note: "judged"}, func(r leaderboard.Repository) *int { return &r.Tasks }},
	{views.Column{Key: "stars", Label: "Stars"}, func(r leaderboard.Repository) *int { return r.Stars }},
	{views.Column{Key: "forks", Label: "Forks"}, func(r leaderboard.Repository) *int { return r.Forks }},
}

// known are the counts that the set states of some repository.
func (h *heatmap) known() []counted {
	var known []counted
	for _, f := range countedColumns {
		if slices.ContainsFunc(h.Repositories, func(r leaderboard.Repository) bool { return f.of(r) != nil }) {
			f.column.Align, f.column.Sortable, f.column.Descends, f.column.Definition = views.Decimals, true, true, "/methodology#counts"
			if f.column.Note == "" {
				f.column.Definition = "" // the word says it
			}
			known = append(known, f)
		}
	}
	return known
}

func (h *heatmap) table() views.Table {
	known := h.known()
	t := views.Table{ID: "repositories-" + elementID(h.Key), Caption: h.caption(), CSV: h.csv(), Address: h.at,
		Columns: []views.Column{{Key: "repository", Label: "Repository", Sortable: true}}}
	for _, f := range known {
		t.Columns = append(t.Columns, f.column)
	}
	for _, row := range h.shown {
		t.Columns = append(t.Columns, systemColumn(row.Row))
	}
	t.Sort = views.ReadSort(h.at.Query(), t.Columns, views.Sort{Key: "repository"})
	rows := views.Group{}
	for _, i := range h.order(t.Sort, known) {
		r := h.Repositories[i]
		row := views.Row{Cells: []views.Cell{views.CodeCell(r.Name, repositoryAddress(r.Name))}}
		for _, f := range known {
			row.Cells = append(row.Cells, countCell(f.of(r)))
		}
		for _, system := range h.shown {
			row.Cells = append(row.Cells, scoreCell(system.Row, h.RankedBy, i, h.k))
		}
		rows.Rows = append(rows.Rows, row)
	}
	t.Groups = []views.Group{rows}
	if len(h.Repositories) > 1 {
		t.Groups = append(t.Groups, views.Group{Rows: []views.Row{h.total(known)}})
	}
	t.Empty = views.Empty{Title: "This release has no repository."}
	return t
}

func systemColumn(row *leaderboard.Row) views.Column {
	column := views.Column{Key: "system-" + systemKey(row), Label: row.System, Note: row.Model, Align: views.Centre, Sortable: true, Descends: true, Named: true}
	if row.Submission != "" {
		column.Definition = submissionAddress(row)
		column.Note = cmp.Or(row.Model, "submission")
	}
	return column
}

// systemKey names a row in addresses.
func systemKey(row *leaderboard.Row) string {
	return cmp.Or(row.Submission, elementID(row.System+"-"+row.Model))
}

// order is the set's repositories as a table is sorted; those without a number
// come last.
func (h *heatmap) order(by views.Sort, known []counted) []int {
	value := func(int) (float64, bool) { return 0, true }
	for _, f := range known {
		if f.column.Key == by.Key {
			value = func(i int) (float64, bool) {
				if n := f.of(h.Repositories[i]); n != nil {
					return float64(*n), true
				}
				return 0, false
			}
		}
	}
	for _, row := range h.shown {
		if "system-"+systemKey(row.Row) == by.Key {
			value = func(i int) (float64, bool) {
				c := row.Results[h.RankedBy].On(i, h.k)
				return c.Value, c.Known
			}
		}
	}
	places := make([]int, len(h.Repositories))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int {
		x, hasX := value(a)
		y, hasY := value(b)
		if hasX != hasY {
			if hasX {
				return -1
			}
			return 1
		}
		c := cmp.Compare(x, y)
		if by.Key == "repository" {
			c = strings.Compare(h.Repositories[a].Name, h.Repositories[b].Name)
		}
		if by.Descending {
			return -c
		}
		return c
	})
	return places
}

// total sums the counts up, and gives each system's mean.
func (h *heatmap) total(known []counted) views.Row {
	name := "Sum"
	if len(h.shown) > 0 {
		name = "Sum; mean of the scores"
	}
	row := views.Row{Cells: []views.Cell{views.TextCell(name)}}
	for _, f := range known {
		sum := 0
		for _, r := range h.Repositories {
			if n := f.of(r); n != nil {
				sum += *n
			}
		}
		row.Cells = append(row.Cells, views.CountCell(sum))
	}
	for _, system := range h.shown {
		e, ok := system.Results[h.RankedBy].At(store.ByRepository, h.k)
		if !ok {
			row.Cells = append(row.Cells, views.UnknownCell(fmt.Sprintf("there is no pass@%d over repositories", h.k)))
			continue
		}
		row.Cells = append(row.Cells, views.HeatLinkCell(e.Value, cmp.Or(e.Decimals, 3), submissionAddress(system.Row)))
	}
	return row
}

func (h *heatmap) csv() string {
	query := url.Values{"release": {h.Key}}
	if h.RankedBy != "" {
		query.Set("evaluator", h.RankedBy)
		query.Set("k", strconv.Itoa(h.k))
	}
	return (&url.URL{Path: "/doc-to-code/repos.csv", RawQuery: query.Encode()}).String()
}

// scoreCell is a row's pass@k on the i-th repository of its set.
func scoreCell(row *leaderboard.Row, evaluator string, i, k int) views.Cell {
	result := row.Results[evaluator]
	c := result.On(i, k)
	switch {
	case c.Known:
		return views.HeatLinkCell(c.Value, cmp.Or(c.Decimals, 3), submissionAddress(row))
	case result == nil:
		return views.UnknownCell("not judged by " + evaluator)
	case row.Provenance == leaderboard.Published:
		return views.UnknownCell(fmt.Sprintf("the paper does not print pass@%d", k))
	}
	return views.UnknownCell(fmt.Sprintf("no task of it has %s that count", views.Counted(k, "sample", "samples")))
}

func countCell(n *int) views.Cell {
	if n == nil {
		return views.UnknownCell("nobody counted them for this repository")
	}
	return views.CountCell(*n)
}

// submissionAddress is where a row comes from, "" for a published one.
func submissionAddress(row *leaderboard.Row) string {
	if row.Submission == "" {
		return ""
	}
	return "/submissions/" + row.Submission
}

// repositoryAddress is the page of a repository.
func repositoryAddress(name string) string {
	owner, rest, _ := strings.Cut(name, "/")
	return "/doc-to-code/repos/" + url.PathEscape(owner) + "/" + url.PathEscape(rest)
}
