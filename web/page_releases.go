package web

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/views"
)

// releasesAsked are the releases of an address, track by track: all, or the one
// it names.
func (s *Site) releasesAsked(c echo.Context, tracks ...benchmark.Track) ([]store.Release, error) {
	asked := c.QueryParam("release")
	var found []store.Release
	for _, track := range tracks {
		releases, err := s.Store.Releases(c.Request().Context(), track)
		if err != nil {
			return nil, err
		}
		for _, r := range releases {
			if asked == "" || r.Label() == asked {
				found = append(found, r)
			}
		}
	}
	if asked != "" && len(found) == 0 {
		return nil, &benchmark.InputError{Field: "release", Problem: fmt.Sprintf("there is no %q", asked), Mend: "choose one of /releases"}
	}
	return found, nil
}

// releasesSheet is a line for each repository of each release.
func (s *Site) releasesSheet(c echo.Context) (leaderboard.Sheet, error) {
	releases, err := s.releasesAsked(c, benchmark.DocToCode)
	return leaderboard.Sheet{
		Header: []string{"release", "track", "context", "prompt", "prompt_sha256", "tool_version", "sha256", "imported",
			"repository", "source", "commit", "licence", "python", "candidates", "all_tasks", "targets", "tasks", "tests"},
		Rows: func(yield func([]string) bool) {
			for _, r := range releases {
				for _, x := range r.Repositories {
					line := []string{r.Label(), string(r.Track), r.Context, r.Prompt, promptSHA256(r.Prompt), r.ToolVersion, r.SHA256, r.CreatedAt.UTC().Format(time.DateOnly),
						x.Name, x.Source, x.Commit, x.License, x.Python, strconv.Itoa(x.Candidates), strconv.Itoa(x.AllTasks), strconv.Itoa(x.Targets),
						strconv.Itoa(x.Tasks), strconv.Itoa(x.Tests)}
					if !yield(line) {
						return
					}
				}
			}
		},
	}, err
}

// droppedSheet is a line for everything that left a release.
func (s *Site) droppedSheet(c echo.Context) (leaderboard.Sheet, error) {
	sheet := leaderboard.Sheet{Header: []string{"release", "repository", "kind", "key", "reason", "detail"}}
	releases, err := s.releasesAsked(c, benchmark.DocToCode, benchmark.Localization)
	if err != nil {
		return sheet, err
	}
	drops := make([][]store.Drop, len(releases))
	for i, r := range releases {
		if drops[i], err = s.Store.Drops(c.Request().Context(), r.ID); err != nil {
			return sheet, err
		}
	}
	sheet.Rows = func(yield func([]string) bool) {
		for i, r := range releases {
			for _, d := range drops[i] {
				if !yield([]string{r.Label(), d.Repository, d.Kind, d.Key, d.Reason, d.Detail}) {
					return
				}
			}
		}
	}
	return sheet, nil
}

// tasksSheet is a line for each task: what a submission is to document.
func (s *Site) tasksSheet(c echo.Context) (leaderboard.Sheet, error) {
	sheet := leaderboard.Sheet{Header: []string{"release", "task", "repository", "path", "qualname", "tests", "seconds", "strategy"}}
	releases, err := s.releasesAsked(c, benchmark.DocToCode)
	if err != nil {
		return sheet, err
	}
	tasks := make([][]store.Task, len(releases))
	for i, r := range releases {
		if tasks[i], err = s.Store.Tasks(c.Request().Context(), r.ID); err != nil {
			return sheet, err
		}
	}
	sheet.Rows = func(yield func([]string) bool) {
		for i, r := range releases {
			for _, t := range tasks[i] {
				id, err := benchmark.ParseTaskID(t.Key)
				if err != nil {
					continue // an imported release has none such
				}
				line := []string{r.Label(), t.Key, id.Repository, id.Path, id.Qualname, strconv.Itoa(t.Tests), strconv.FormatFloat(t.Seconds, 'f', 3, 64), t.Strategy}
				if !yield(line) {
					return
				}
			}
		}
	}
	return sheet, nil
}

// releases is what each release is made of.
func (s *Site) releases(c echo.Context) (templ.Component, error) {
	releases, err := s.releasesAsked(c, benchmark.DocToCode, benchmark.Localization)
	if err != nil {
		return nil, err
	}
	page := views.ReleasesPage{Page: s.page(c, "Releases")}
	page.Page.Description = "Every benchmark release with its repositories, counts, policies and hashes, and what left it by reason."
	for _, r := range releases {
		drops, err := s.Store.Drops(c.Request().Context(), r.ID)
		if err != nil {
			return nil, err
		}
		if r.Track == benchmark.Localization {
			view, err := s.historyView(c.Request().Context(), r, drops)
			if err != nil {
				return nil, err
			}
			page.Releases = append(page.Releases, view)
			continue
		}
		page.Releases = append(page.Releases, releaseView(r, drops))
	}
	page.Empty = views.Empty{Title: "No release was imported yet.",
		Reason:  "The operator of this site builds one from Python repositories and imports it, or imports the small one that comes with the program:",
		Command: importCommand, Next: views.Link{Text: "How a release is built", Address: "/methodology#tasks"}}
	return views.Releases(page), nil
}

func releaseView(r store.Release, drops []store.Drop) views.ReleaseView {
	view := views.ReleaseView{
		ID: elementID(r.Label()), Label: r.Label(), Repositories: releaseRepositories(r), Drops: dropGroups(drops), DropsCSV: droppedCSV(r),
		LeftOut: "What was reached and is not judged, and why.", Nothing: "Nothing: every function that a passing test reaches is a task, and every test passed three of three runs.",
		Lead: fmt.Sprintf("%s of %s, checked by %s.", views.Counted(r.Tasks, "task", "tasks"), views.Counted(len(r.Repositories), "repository", "repositories"),
			views.Counted(r.Tests, "test", "tests")),
		Tasks:  views.Link{Text: "List of the tasks (CSV)", Address: (&url.URL{Path: "/releases/tasks.csv", RawQuery: url.Values{"release": {r.Label()}}.Encode()}).String()},
		Scores: views.Link{Text: "Scores on " + r.Label(), Address: (&url.URL{Path: "/doc-to-code", RawQuery: url.Values{"release": {r.Label()}}.Encode()}).String()},
	}
	view.Facts = []views.Fact{
		{Name: "Track", Value: string(r.Track)},
		{Name: "Functions", Value: fmt.Sprintf("%s candidates and %s tasks by the paper's definitions; %s reached by a passing test, %s judged",
			views.Count(r.Candidates), views.Count(r.AllTasks), views.Count(r.Targets), views.Count(r.Tasks))},
		{Name: "Context", Value: r.Context},
		{Name: "Prompt", Value: r.Prompt},
	}
	if sum := promptSHA256(r.Prompt); sum != "" {
		view.Facts = append(view.Facts, views.Fact{Name: "Prompt, SHA-256", Value: sum, Mono: true})
	}
	view.Facts = append(view.Facts,
		views.Fact{Name: "Built by", Value: "touchstone " + r.ToolVersion},
		views.Fact{Name: "Imported", Value: r.CreatedAt.UTC().Format(time.DateOnly)},
		views.Fact{Name: "release.json, SHA-256", Value: r.SHA256, Mono: true})
	return view
}

// promptSHA256 is the hash of a prompt version's text, "" for one that this
// program does not have.
func promptSHA256(version string) string {
	i := slices.IndexFunc(evaluator.Prompts, func(p evaluator.Prompt) bool { return p.Version == version })
	if i < 0 {
		return ""
	}
	return evaluator.Prompts[i].SHA256
}

func releaseRepositories(r store.Release) views.Table {
	t := views.Table{ID: "release-" + elementID(r.Label()), Caption: "Repositories of " + r.Label() + ".",
		CSV: (&url.URL{Path: "/releases.csv", RawQuery: url.Values{"release": {r.Label()}}.Encode()}).String(),
		Columns: []views.Column{{Label: "Repository"},
			{Label: "Candidates", Align: views.Decimals}, {Label: "All tasks", Align: views.Decimals}, {Label: "Targets", Align: views.Decimals},
			{Label: "Tasks", Align: views.Decimals}, {Label: "Tests", Align: views.Decimals},
			{Label: "Python"}, {Label: "Licence"}, {Label: "Commit"}, {Label: "Source"}},
		Empty: views.Empty{Title: "This release has no repository."}}
	group := views.Group{}
	for _, x := range r.Repositories {
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{
			views.CodeCell(x.Name, repositoryAddress(x.Name)), views.CountCell(x.Candidates), views.CountCell(x.AllTasks), views.CountCell(x.Targets),
			views.CountCell(x.Tasks), views.CountCell(x.Tests), textOr(x.Python, "the release does not say"), textOr(x.License, "its source names none"),
			codeOr(shortCommit(x.Commit), "the source is no commit: the release keeps a copy of it"), codeOr(x.Source, "the release does not say"),
		}})
	}
	t.Groups = []views.Group{group}
	return t
}

// dropsShown is how many of one reason a page lists; the CSV has all.
const dropsShown = 200

// dropGroups counts what left a release by kind and reason, most first.
func dropGroups(drops []store.Drop) []views.DropGroup {
	var groups []views.DropGroup
	for _, d := range drops {
		i := slices.IndexFunc(groups, func(g views.DropGroup) bool { return g.Kind == d.Kind && g.Reason == d.Reason })
		if i < 0 {
			groups, i = append(groups, views.DropGroup{Kind: d.Kind, Reason: d.Reason}), len(groups)
		}
		g := &groups[i]
		if g.Total++; g.Total <= dropsShown {
			g.Items = append(g.Items, views.DropItem{Key: d.Key, Detail: d.Detail})
		}
	}
	slices.SortStableFunc(groups, func(a, b views.DropGroup) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Kind+a.Reason, b.Kind+b.Reason))
	})
	return groups
}

func droppedCSV(r store.Release) string {
	return (&url.URL{Path: "/releases/dropped.csv", RawQuery: url.Values{"release": {r.Label()}}.Encode()}).String()
}
