package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/views"
)

// repositoryName is the owner/name that an address is about.
func repositoryName(c echo.Context) string {
	return c.Param("owner") + "/" + c.Param("name")
}

func noRepository(name string) error {
	return echo.NewHTTPError(http.StatusNotFound, fmt.Sprintf("No release and no paper has the repository “%s”. All that there are stand at /doc-to-code/repos.", name))
}

// repositoryFile answers with the CSV of a repository whose name is followed by
// .csv, and otherwise with its page.
func (s *Site) repositoryFile(page echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		board, err := s.Boards.Current(c.Request().Context())
		if err != nil {
			return err
		}
		name := repositoryName(c)
		plain, isFile := strings.CutSuffix(name, ".csv")
		if !isFile || len(board.With(name)) > 0 { // a repository may be called so itself
			return page(c)
		}
		if len(board.With(plain)) == 0 {
			return noRepository(plain)
		}
		return sendCSV(c, board.OnRepositories(leaderboard.RepositoryQuery{Repository: plain}))
	}
}

func (s *Site) repositoryJSON(c echo.Context) error {
	board, err := s.Boards.Current(c.Request().Context())
	if err != nil {
		return err
	}
	name := repositoryName(c)
	if len(board.With(name)) == 0 {
		return noRepository(name)
	}
	return sendJSON(c, board.OnRepositories(leaderboard.RepositoryQuery{Repository: name}))
}

// repository is one repository in every set in which it occurs.
func (s *Site) repository(c echo.Context) (templ.Component, error) {
	board, err := s.Boards.Current(c.Request().Context())
	if err != nil {
		return nil, err
	}
	name := repositoryName(c)
	sets := board.With(name)
	if len(sets) == 0 {
		return nil, noRepository(name)
	}
	releases, err := s.Store.Releases(c.Request().Context(), benchmark.DocToCode)
	if err != nil {
		return nil, err
	}
	page := views.RepositoryPage{Page: s.page(c, name), Facts: repositoryFacts(name, sets, releases)}
	page.Page.Description = "What " + name + " counts in each release, and pass@k of every system on it."
	page.Heading = views.Heading{Trail: []views.Link{{Text: "Doc-to-code", Address: "/doc-to-code"}, {Text: "Repositories", Address: "/doc-to-code/repos"}},
		Title: name, Mono: true, Lead: "In " + listed(sets) + "."}
	page.Scores, page.Pagination = repositoryScores(name, sets, address(c))
	for _, set := range sets {
		if set.Provenance == leaderboard.Published {
			page.Notes = append(page.Notes, paperNotes(set.Key, 2)...)
		}
	}
	for _, r := range releases {
		if !slices.ContainsFunc(r.Repositories, func(x store.Repository) bool { return x.Name == name }) {
			continue
		}
		drops, err := s.Store.Drops(c.Request().Context(), r.ID)
		if err != nil {
			return nil, err
		}
		drops = slices.DeleteFunc(drops, func(d store.Drop) bool { return d.Repository != name })
		page.Dropped = append(page.Dropped, views.RepositoryDrops{Release: r.Label(), Groups: dropGroups(drops), CSV: droppedCSV(r)})
	}
	return views.Repository(page), nil
}

// listed names sets in a sentence.
func listed(sets []*leaderboard.Set) string {
	var names []string
	for _, s := range sets {
		if s.Provenance == leaderboard.Published {
			names = append(names, "the "+s.Label+" (published)")
		} else {
			names = append(names, s.Label+" (evaluated here)")
		}
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// repositoryFacts is what each set says of the repository.
func repositoryFacts(name string, sets []*leaderboard.Set, releases []store.Release) views.Table {
	t := views.Table{ID: "repository-facts", Caption: "What each set counts in this repository, and of which source.", Columns: []views.Column{
		{Label: "Set"}, {Label: "Provenance"},
		{Label: "Candidates", Note: "functions", Definition: "/methodology#counts", Align: views.Decimals},
		{Label: "All tasks", Note: "before filters", Definition: "/methodology#counts", Align: views.Decimals},
		{Label: "Targets", Note: "reached", Definition: "/methodology#counts", Align: views.Decimals},
		{Label: "Tasks", Note: "judged", Definition: "/methodology#counts", Align: views.Decimals},
		{Label: "Tests", Align: views.Decimals}, {Label: "Stars", Align: views.Decimals}, {Label: "Forks", Align: views.Decimals},
		{Label: "Python"}, {Label: "Licence"}, {Label: "Commit"}, {Label: "Source"},
	}}
	const unsaid = "the paper does not say"
	group := views.Group{}
	for _, set := range sets {
		i, _ := set.Index(name)
		r := set.Repositories[i]
		row := views.Row{}
		if set.Provenance == leaderboard.Published {
			row.Cells = []views.Cell{
				views.TextCell(set.Label), views.ViewCell(views.Provenance(set.Provenance).Badge()), views.CountCell(r.Candidates), views.CountCell(r.AllTasks),
				views.UnknownCell("the paper does not count them"), views.CountCell(r.Tasks), views.UnknownCell(unsaid), countCell(r.Stars), countCell(r.Forks),
				views.UnknownCell(unsaid), views.UnknownCell(unsaid), views.UnknownCell("the paper names no commit"), views.UnknownCell("the paper names no source but the repository"),
			}
		} else {
			built := builtRepository(set.Key, name, releases)
			row.Cells = []views.Cell{
				views.LinkCell(set.Label, "/releases#"+elementID(set.Key)), views.ViewCell(views.Provenance(set.Provenance).Badge()), views.CountCell(r.Candidates),
				views.CountCell(r.AllTasks), views.CountCell(built.Targets), views.CountCell(r.Tasks), views.CountCell(r.Tests), countCell(r.Stars), countCell(r.Forks),
				textOr(built.Python, "the release does not say"), textOr(built.License, "its source names none"),
				codeOr(shortCommit(built.Commit), "the source is no commit: the release keeps a copy of it"), codeOr(built.Source, "the release does not say"),
			}
		}
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	return t
}

// builtRepository is the repository as a release has it.
func builtRepository(release, name string, releases []store.Release) store.Repository {
	for _, r := range releases {
		for _, repository := range r.Repositories {
			if r.Label() == release && repository.Name == name {
				return repository
			}
		}
	}
	return store.Repository{}
}

func textOr(text, unknown string) views.Cell {
	if text == "" {
		return views.UnknownCell(unknown)
	}
	return views.TextCell(text)
}

func codeOr(text, unknown string) views.Cell {
	if text == "" {
		return views.UnknownCell(unknown)
	}
	return views.CodeCell(text, "")
}

// shortCommit is as much of a hash as names it.
func shortCommit(hash string) string {
	if len(hash) == 40 {
		return hash[:12]
	}
	return hash
}

// judged is a column of the scores on a repository.
type judged struct {
	evaluator string
	k         int
}

// judgedBy are the columns of a set: every evaluator with all of a few k, or
// some of many.
func judgedBy(set *leaderboard.Set) []judged {
	var columns []judged
	for _, e := range set.Evaluators {
		ks := set.Ks(e.Name)
		for _, k := range ks {
			if len(ks) <= 5 || k == 1 || k == 3 || k == 5 || k == 10 || k == ks[len(ks)-1] {
				columns = append(columns, judged{e.Name, k})
			}
		}
	}
	return columns
}

// repositoryScores is every row's pass@k on a repository, set by set.
func repositoryScores(name string, sets []*leaderboard.Set, at url.URL) (views.Table, views.Pagination) {
	t := views.Table{ID: "repository-scores", CSV: repositoryAddress(name) + ".csv",
		Caption: "pass@k on this repository alone, by evaluator. Sets are kept apart: their tasks differ.",
		Source:  "One repository does not tell how much repositories differ, so there are no intervals.",
		Columns: []views.Column{{Label: "System"}, {Label: "Provenance", Definition: "/methodology#provenance"}},
		Empty:   views.Empty{Title: "No system has a score on this repository yet.", Next: views.Link{Text: "Submit docstrings", Address: "/submit/doc-to-code"}}}
	var columns []judged
	bySet := make([][]*leaderboard.Row, len(sets))
	total := 0
	for i, set := range sets {
		own := judgedBy(set)
		for _, x := range own {
			if !slices.Contains(columns, x) {
				columns = append(columns, x)
			}
		}
		place, _ := set.Index(name)
		bySet[i] = byScore(set, place, own)
		total += len(bySet[i])
	}
	for _, x := range columns {
		t.Columns = append(t.Columns, views.Column{Label: fmt.Sprintf("pass@%d", x.k), Note: x.evaluator, Align: views.Centre, Named: true})
	}
	pages := views.Pagination{Page: views.ReadPage(at.Query(), rowsPerPage, total), PerPage: rowsPerPage, Total: total, Unit: "rows", Address: at}
	first, left := (pages.Page-1)*rowsPerPage, rowsPerPage
	for i, set := range sets {
		skip := min(first, len(bySet[i]))
		first -= skip
		rows := bySet[i][skip:min(len(bySet[i]), skip+left)]
		left -= len(rows)
		place, _ := set.Index(name)
		group := views.Group{Heading: set.Label, Note: views.Counted(set.Repositories[place].Tasks, "task", "tasks")}
		for _, row := range rows {
			cells := []views.Cell{views.ViewCell(views.SystemName(systemName(row))), views.ViewCell(views.Provenance(row.Provenance).Badge())}
			for _, x := range columns {
				cells = append(cells, scoreCell(row, x.evaluator, place, x.k))
			}
			group.Rows = append(group.Rows, views.Row{Cells: cells})
		}
		if len(rows) > 0 {
			t.Groups = append(t.Groups, group)
		}
	}
	return t, pages
}

// byScore is the rows of a set that have a score on the i-th repository, best
// first by the first column in which they have one.
func byScore(set *leaderboard.Set, i int, columns []judged) []*leaderboard.Row {
	type scored struct {
		*leaderboard.Row
		column int
		value  float64
	}
	var rows []scored
	for _, row := range set.Rows {
		for j, x := range columns {
			if c := set.Comparable(row, x.evaluator, x.k).On(i, x.k); c.Known {
				rows = append(rows, scored{row, j, c.Value})
				break
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.column, b.column), cmp.Compare(b.value, a.value), cmp.Compare(a.Name(), b.Name()))
	})
	sorted := make([]*leaderboard.Row, len(rows))
	for j, r := range rows {
		sorted[j] = r.Row
	}
	return sorted
}
