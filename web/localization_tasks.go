package web

import (
	"net/url"
	"slices"
	"strings"

	"touchstone/internal/localization"
	"touchstone/internal/store"
	"touchstone/views"
)

// historyTasksPerPage is how many tasks a repository's page lists at once.
const historyTasksPerPage = 100

// taskPageParameter is the page of tasks, as the systems have the other.
const taskPageParameter = "tasks"

// tasks lists the repository's pull requests that are tasks.
func (h history) tasks(at url.URL) (views.LocalizationTable, views.Pagination) {
	id := h.set.Repositories[h.at].RepositoryID
	var own []store.LocalizationTask
	for _, t := range h.set.AllTasks() {
		if t.RepositoryID == id {
			own = append(own, t)
		}
	}
	pages := views.Pagination{Page: views.ReadPage(url.Values{"page": at.Query()[taskPageParameter]}, historyTasksPerPage, len(own)), PerPage: historyTasksPerPage, Total: len(own), Unit: "tasks",
		Address: at, Parameter: taskPageParameter}
	first := (pages.Page - 1) * historyTasksPerPage
	t := views.Table{ID: "history-tasks", CSV: "/releases/tasks.csv?" + url.Values{"release": {h.set.Key}}.Encode(), Caption: views.Counted(len(own), "task", "tasks") + " in the order in which they were merged.",
		Columns: []views.Column{{Label: "Task"}, {Label: "Pull request", Align: views.Decimals}, {Label: "Merged"}, {Label: "Gold files", Align: views.Decimals}, {Label: "Of them"}, {Label: "Commit"}},
		Empty:   views.Empty{Title: "No pull request of this repository is a task."}}
	group := views.Group{}
	for _, x := range own[first:min(len(own), first+historyTasksPerPage)] {
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.CodeCell(x.Task.Key, historyTaskAddress(h.set.Key, x.Task.Key)), views.NumberCell(float64(x.Number), 0),
			views.TextCell(x.MergedAt.UTC().Format("2006-01-02 15:04")), views.CountCell(len(x.Gold)), views.TextCell(labelsSaid(x.Gold)), views.CodeCell(shortCommit(x.Commit), "")}})
	}
	t.Groups = []views.Group{group}
	return views.LocalizationTable{ID: "tasks", Title: "Tasks", Lead: "Pull requests that were merged in the window. Each has a page with its prompts, its gold files and what every system answered.", Table: t}, pages
}

// labelsSaid counts gold files by what they are.
func labelsSaid(gold []store.GoldFile) string {
	var said []string
	for _, label := range localization.Labels {
		n := 0
		for _, g := range gold {
			if g.Label == string(label) {
				n++
			}
		}
		if n > 0 {
			said = append(said, views.Count(n)+" "+string(label))
		}
	}
	return strings.Join(said, ", ")
}

// dropped is what of the window is no task, by reason.
func (h history) dropped() views.LocalizationTable {
	r := h.set.Repositories[h.at]
	t := views.Table{ID: "history-dropped", CSV: "/releases/dropped.csv?" + url.Values{"release": {h.set.Key}}.Encode(),
		Caption: views.Counted(sum(r.Dropped), "pull request", "pull requests") + " of the window left the release, each with its reason.",
		Columns: []views.Column{{Label: "Reason"}, {Label: "What it means"}, {Label: "Pull requests", Align: views.Decimals}},
		Empty:   views.Empty{Title: "Every pull request of the window is a task."}}
	group := views.Group{}
	for _, reason := range localization.Reasons {
		if n := r.Dropped[reason]; n > 0 {
			group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.TextCell(strings.ReplaceAll(reason, "_", " ")), views.TextCell(views.HistoryDropMeaning(reason)), views.CountCell(n)}})
		}
	}
	for reason, n := range r.Dropped {
		if !slices.Contains(localization.Reasons, reason) {
			group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.TextCell(reason), views.TextCell(views.HistoryDropMeaning(reason)), views.CountCell(n)}})
		}
	}
	t.Groups = []views.Group{group}
	return views.LocalizationTable{ID: "left-out", Title: "Left out", Table: t}
}
