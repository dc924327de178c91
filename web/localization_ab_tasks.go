package web

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"

	"touchstone/internal/leaderboard"
	"touchstone/internal/localization"
	"touchstone/views"
)

// contrastTasksPerPage is how many tasks of a comparison are listed at once.
const contrastTasksPerPage = 100

// tasks are those of the chosen system at one level, where knowledge changes
// most first.
func (x contrasts) tasks(at url.URL) (*views.ContrastTasks, error) {
	level := x.Level
	if level == "" {
		level = x.chosen.Contrasts[0].Level
		for _, c := range x.chosen.Contrasts {
			if c.Level == localization.Contextual {
				level = c.Level
			}
		}
	}
	all, err := x.set.TaskContrasts(x.chosen.Entrant, level, x.gold(), x.repository)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b leaderboard.TaskContrast) int {
		return cmp.Compare(math.Abs(b.Difference()), math.Abs(a.Difference()))
	})
	pages := views.Pagination{Page: views.ReadPage(url.Values{"page": at.Query()[taskPageParameter]}, contrastTasksPerPage, len(all)), PerPage: contrastTasksPerPage, Total: len(all), Unit: "tasks", Address: at, Parameter: taskPageParameter}
	first := (pages.Page - 1) * contrastTasksPerPage
	t := views.Table{ID: "contrast-tasks", Caption: fmt.Sprintf("%s under %s prompts, where knowledge changes most first.", capital(views.Counted(len(all), "task", "tasks")), level),
		Columns: []views.Column{{Label: "Task"}, {Label: "Repository"}, {Label: "Baseline", Note: "F1", Align: views.Centre}, {Label: "Augmented", Note: "F1", Align: views.Centre}, {Label: "Difference", Note: "ΔF1", Align: views.Centre},
			{Label: "Recall", Note: "baseline → augmented"}},
		Empty: views.Empty{Title: "This system has not both arms under " + string(level) + " prompts."}}
	group := views.Group{}
	for _, task := range all[first:min(len(all), first+contrastTasksPerPage)] {
		row := x.set.TaskAt(task.Task)
		name := ""
		for _, r := range x.set.Repositories {
			if r.RepositoryID == row.RepositoryID {
				name = r.Name
			}
		}
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.CodeCell(row.Task.Key, historyTaskAddress(x.set.Key, row.Task.Key)), views.CodeCell(name, historyAddress(x.set, name)),
			answeredHeat(task.Baseline, task.AnsweredBaseline), answeredHeat(task.Augmented, task.AnsweredAugmented), views.DivergingCell(task.Difference(), 1, 3),
			views.TextCell(views.Decimal(task.Baseline.Recall, 2) + " → " + views.Decimal(task.Augmented.Recall, 2))}})
	}
	t.Groups = []views.Group{group}
	form := views.Filters{Action: contrastsPath, Selects: []views.Select{{Label: views.Label{Name: "level", Text: "Prompt"}, Value: string(level)}}, Keep: []views.Hidden{{Name: "system", Value: latest(x.chosen.Entrant)}}}
	for _, c := range x.chosen.Contrasts {
		form.Selects[0].Options = append(form.Selects[0].Options, views.Option{Value: string(c.Level)})
	}
	for name, values := range x.query() {
		form.Keep = append(form.Keep, views.Hidden{Name: name, Value: values[0]})
	}
	slices.SortFunc(form.Keep, func(a, b views.Hidden) int { return cmp.Compare(a.Name, b.Name) })
	return &views.ContrastTasks{Title: "Task by task: " + systemSaid(x.chosen.Entrant), Form: form, Table: t, Pagination: pages}, nil
}

// answeredHeat is an F1; a task without a prediction says so.
func answeredHeat(t leaderboard.Triple, answered bool) views.Cell {
	if !answered {
		return views.UnknownCell("no prediction was given: it counts as an empty one, F1 0")
	}
	return views.HeatCell(t.F1)
}
