package web

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/views"
)

// historyView is what a release of the localization track is made of.
func (s *Site) historyView(ctx context.Context, r store.Release, drops []store.Drop) (views.ReleaseView, error) {
	own, err := s.Store.LocalizationRelease(ctx, r.ID)
	if err != nil {
		return views.ReleaseView{}, err
	}
	repositories, err := s.Store.LocalizationRepositories(ctx, r.ID)
	if err != nil {
		return views.ReleaseView{}, err
	}
	asked := url.Values{"release": {r.Label()}}.Encode()
	written := "none in this release: build it from clones to have them"
	if r.Prompt != "" {
		written = r.Prompt
	}
	return views.ReleaseView{
		ID: elementID(r.Label()), Label: r.Label(), Drops: dropGroups(drops), DropsCSV: droppedCSV(r),
		Lead: fmt.Sprintf("%s of %s: pull requests that changed %s of the snapshots.", views.Counted(r.Tasks, "task", "tasks"),
			views.Counted(len(r.Repositories), "repository", "repositories"), views.Counted(own.Gold, "file", "files")),
		LeftOut: "Pull requests of the windows that are no tasks, and why.", Nothing: "Nothing: every pull request of the windows is a task.",
		Tasks:  views.Link{Text: "Tasks, with prompts where there are some", Address: predictPath + "/tasks.jsonl?" + asked},
		Scores: views.Link{Text: "Scores on " + r.Label(), Address: trackAddress(store.Submission{Track: r.Track, Release: r})},
		Facts: []views.Fact{
			{Name: "Track", Value: string(r.Track)},
			{Name: "History", Value: fmt.Sprintf("%s after T0 and up to T1, %s among them, %s at T0", views.Counted(own.Commits, "commit", "commits"),
				views.Counted(own.PullRequests, "pull request", "pull requests"), views.Counted(own.Files, "file", "files"))},
			{Name: "Prompts", Value: written},
			{Name: "Built by", Value: "touchstone " + r.ToolVersion},
			{Name: "Imported", Value: r.CreatedAt.UTC().Format(time.DateOnly)},
			{Name: "release.json, SHA-256", Value: r.SHA256, Mono: true},
		},
		Repositories: historyRepositories(r, repositories),
	}, nil
}

func historyRepositories(r store.Release, own map[uint64]store.LocalizationRepository) views.Table {
	t := views.Table{ID: "release-" + elementID(r.Label()), Caption: "Repositories of " + r.Label() + ". The snapshot is the last commit of the main line up to T0.",
		CSV: (&url.URL{Path: "/releases/histories.csv", RawQuery: url.Values{"release": {r.Label()}}.Encode()}).String(),
		Columns: []views.Column{{Label: "Repository"}, {Label: "T0"}, {Label: "T1"}, {Label: "Snapshot"}, {Label: "Files", Note: "at T0", Align: views.Decimals},
			{Label: "Commits", Note: "T0 to T1", Align: views.Decimals}, {Label: "Pull requests", Align: views.Decimals}, {Label: "Tasks", Align: views.Decimals},
			{Label: "Gold files", Note: "of all tasks", Align: views.Decimals}, {Label: "Source"}},
		Empty: views.Empty{Title: "This release has no repository."}}
	group := views.Group{}
	for _, x := range r.Repositories {
		h := own[x.ID]
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{
			views.CodeCell(x.Name, "/localization/repos/"+x.Name), views.DayCell(h.T0), views.DayCell(h.T1),
			views.CodeCell(shortCommit(h.Snapshot), ""), views.CountCell(h.Files), views.CountCell(h.Commits), views.CountCell(h.PullRequests), views.CountCell(x.Tasks),
			views.CountCell(h.Gold), codeOr(x.Source, "the release does not say"),
		}})
	}
	t.Groups = []views.Group{group}
	return t
}

const historiesHeader = "release,prompts,tool_version,sha256,imported,repository,source,t0,t1,snapshot,head,files,commits,pull_requests,tasks,gold"

// historiesSheet is a line for each repository of each release of the
// localization track.
func (s *Site) historiesSheet(c echo.Context) (leaderboard.Sheet, error) {
	sheet := leaderboard.Sheet{Header: strings.Split(historiesHeader, ",")}
	releases, err := s.releasesAsked(c, benchmark.Localization)
	if err != nil {
		return sheet, err
	}
	own := make([]map[uint64]store.LocalizationRepository, len(releases))
	for i, r := range releases {
		if own[i], err = s.Store.LocalizationRepositories(c.Request().Context(), r.ID); err != nil {
			return sheet, err
		}
	}
	sheet.Rows = func(yield func([]string) bool) {
		for i, r := range releases {
			for _, x := range r.Repositories {
				h := own[i][x.ID]
				line := []string{r.Label(), r.Prompt, r.ToolVersion, r.SHA256, r.CreatedAt.UTC().Format(time.DateOnly), x.Name, x.Source, h.T0.UTC().Format(time.RFC3339),
					h.T1.UTC().Format(time.RFC3339), h.Snapshot, h.Head, strconv.Itoa(h.Files), strconv.Itoa(h.Commits), strconv.Itoa(h.PullRequests), strconv.Itoa(x.Tasks), strconv.Itoa(h.Gold)}
				if !yield(line) {
					return
				}
			}
		}
	}
	return sheet, nil
}
