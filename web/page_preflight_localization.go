package web

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"touchstone/internal/evaluation"
	"touchstone/internal/intake"
	"touchstone/internal/jsonlines"
	"touchstone/internal/store"
	"touchstone/views"
)

// predictionsPreflight shows its owner what is in an upload of predictions. What
// has to be found is not on it.
func (s *Site) predictionsPreflight(c echo.Context, status int, sub store.Submission, wrong views.Errors) error {
	r, err := predictionReport(sub)
	if err != nil {
		return err
	}
	page := views.PreflightPage{
		Page: s.page(c, "Check of "+sub.System.Name), Errors: wrong, Report: "/api/v1" + submissionPath(sub),
		Heading: views.Heading{Trail: []views.Link{{Text: "Submit", Address: "/submit"}, {Text: "Predictions", Address: predictPath}}, Title: "What is in the file", Lead: predictionsLead(sub, r)},
		Facts:   predictionsFacts(sub, r), Sections: predictionsSections(r),
	}
	if sub.State == store.Draft {
		page.Confirm, page.Discard = submissionPath(sub)+"/confirm", submissionPath(sub)+"/discard"
		if r.Answered == 0 {
			page.Refused = "The file " + evaluation.ErrNothingPredicted.Problem + ", so there is nothing to score. " +
				capital(evaluation.ErrNothingPredicted.Mend) + ", and upload it again."
		}
	} else {
		page.Heading.Trail = []views.Link{{Text: "Submissions", Address: "/submissions"}, {Text: sub.System.Name, Address: submissionPath(sub)}}
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return s.render(c, status, views.Preflight(page))
}

// predictionReport is what was found in a submission's file.
func predictionReport(sub store.Submission) (*intake.PredictionReport, error) {
	var report intake.PredictionReport
	if len(sub.Report) == 0 {
		return nil, store.ErrNotFound
	}
	if err := json.Unmarshal(sub.Report, &report); err != nil {
		return nil, fmt.Errorf("reading the report of %s: %w", sub.PublicID, err)
	}
	return &report, nil
}

func predictionsLead(sub store.Submission, r *intake.PredictionReport) string {
	said := fmt.Sprintf("%s of %s have a prediction.", views.Count(r.Answered), views.Counted(r.Tasks, "task", "tasks"))
	if missing := len(r.Missing); missing > 0 {
		said += fmt.Sprintf(" %s have none, and count as empty predictions.", views.Count(missing))
	}
	if sub.State == store.Draft && r.Answered > 0 {
		said += fmt.Sprintf(" Nothing is scored before you confirm; the upload is kept for %d days.", int(evaluation.DraftLife/(24*time.Hour)))
	}
	return said
}

func predictionsFacts(sub store.Submission, r *intake.PredictionReport) []views.Fact {
	file := r.File + ", " + bytesInWords(r.Bytes)
	if r.Packing != intake.Plain {
		file += fmt.Sprintf(", %s, unpacked %s", r.Packing, bytesInWords(r.Unpacked))
	}
	facts := []views.Fact{
		{Name: "System", Value: systemTitle(sub)},
		{Name: "Release", Value: sub.Release.Label()},
		{Name: "File", Value: views.Visible(file)},
		{Name: "Lines", Value: fmt.Sprintf("%s; %s could be read", views.Count(r.Lines), views.Count(r.Rows))},
	}
	if r.Level > 0 {
		facts = append(facts, views.Fact{Name: "Lines without a level", Value: views.Count(r.Level) + ", taken as " + string(r.Otherwise.Level)})
	}
	if r.Condition > 0 {
		facts = append(facts, views.Fact{Name: "Lines without a condition", Value: views.Count(r.Condition) + ", taken as " + string(r.Otherwise.Condition)})
	}
	if r.Empty > 0 {
		facts = append(facts, views.Fact{Name: "Predictions without a file", Value: views.Count(r.Empty)})
	}
	if r.Added > 0 {
		facts = append(facts, views.Fact{Name: "Files that patches add", Value: views.Count(r.Added) + ", which are no predictions: they are not in the snapshot"})
	}
	return facts
}

// predictionsSections are all that there is to say, what needs mending first.
func predictionsSections(r *intake.PredictionReport) []views.PreflightSection {
	all := []views.PreflightSection{
		rejectedSection(r.Rejected), unmatchedTasks(r), supersededPredictions(r), outsidePaths(r), normalisedPaths(r), armsSection(r), answeredRepositories(r), unansweredTasks(r),
	}
	var found []views.PreflightSection
	for _, s := range all {
		if len(s.Table.Groups[0].Rows) > 0 {
			found = append(found, s)
		}
	}
	return found
}

func unmatchedTasks(r *intake.PredictionReport) views.PreflightSection {
	rows := make([]views.Row, 0, len(r.Unmatched.First))
	for _, x := range r.Unmatched.First {
		nearest := views.UnknownCell("no id is near")
		if len(x.Nearest) > 0 {
			nearest = visibleCode(strings.Join(x.Nearest, "\n"))
		}
		rows = append(rows, views.Row{Cells: []views.Cell{views.CountCell(x.Line), visibleCode(x.ID), nearest}})
	}
	return section("unmatched", "Lines for no task of the release", "They are left out. The nearest ids may be what was meant.",
		views.Counted(r.Unmatched.Count, "line", "lines")+" of the file.", r.Unmatched.Count,
		[]views.Column{lineColumn(), {Key: "id", Label: "instance_id"}, {Key: "nearest", Label: "Nearest"}}, rows)
}

func supersededPredictions(r *intake.PredictionReport) views.PreflightSection {
	rows := make([]views.Row, 0, len(r.Superseded.First))
	for _, x := range r.Superseded.First {
		rows = append(rows, views.Row{Cells: []views.Cell{views.CountCell(x.Line), visibleCode(x.ID), views.TextCell(string(x.Level)), views.TextCell(string(x.Condition)), views.CountCell(x.By)}})
	}
	return section("superseded", "Duplicates", "Two lines for one task, level and condition: the later counts.",
		views.Counted(r.Superseded.Count, "line", "lines")+" that a later one replaces.", r.Superseded.Count,
		[]views.Column{lineColumn(), {Key: "id", Label: "instance_id"}, {Key: "prompt", Label: "Level"}, {Key: "condition", Label: "Condition"},
			{Key: "by", Label: "Replaced by line", Align: views.Decimals}}, rows)
}

func outsidePaths(r *intake.PredictionReport) views.PreflightSection {
	rows := make([]views.Row, 0, len(r.Outside.First))
	for _, x := range r.Outside.First {
		rows = append(rows, views.Row{Cells: []views.Cell{visibleCode(x.Task), visibleCode(x.Path)}})
	}
	return section("outside", "Files that the snapshot does not have", "They count as wrong. A path begins at the repository's root, without its name.",
		views.Counted(r.Outside.Count, "predicted file", "predicted files")+".", r.Outside.Count,
		[]views.Column{{Key: "id", Label: "instance_id"}, {Key: "path", Label: "Path"}}, rows)
}

func normalisedPaths(r *intake.PredictionReport) views.PreflightSection {
	rows := make([]views.Row, 0, len(r.Normalised.First))
	for _, x := range r.Normalised.First {
		rows = append(rows, views.Row{Cells: []views.Cell{views.CountCell(x.Line), visibleCode(x.Path), visibleCode(x.Read)}})
	}
	return section("normalised", "Paths that git writes in another way", "They count as git writes them.",
		views.Counted(r.Normalised.Count, "path", "paths")+".", r.Normalised.Count,
		[]views.Column{lineColumn(), {Key: "path", Label: "Path"}, {Key: "read", Label: "Read as"}}, rows)
}

// armsSection says which levels and conditions there are, and how much of the
// release each answers.
func armsSection(r *intake.PredictionReport) views.PreflightSection {
	rows := make([]views.Row, 0, len(r.Arms))
	for _, x := range r.Arms {
		rows = append(rows, views.Row{Cells: []views.Cell{views.TextCell(string(x.Level)), views.TextCell(string(x.Condition)), views.CountCell(x.Answered),
			views.CountCell(x.Empty), views.CountCell(x.Missing), views.NumberCell(float64(x.Answered)/float64(max(1, r.Tasks)), 3)}})
	}
	return section("arms", "Levels and conditions", "Each is scored on all tasks of the release.", fmt.Sprintf("What the file answers, of %s.", views.Counted(r.Tasks, "task", "tasks")), len(rows),
		[]views.Column{{Key: "prompt", Label: "Level"}, {Key: "condition", Label: "Condition"}, {Key: "answered", Label: "Answered", Align: views.Decimals},
			{Key: "empty", Label: "Without a file", Note: "of the answered", Align: views.Decimals}, {Key: "missing", Label: "Missing", Note: "count as empty", Align: views.Decimals},
			{Key: "coverage", Label: "Coverage", Note: "share of tasks", Align: views.Decimals}}, rows)
}

// answeredRepositories says the same of each repository.
func answeredRepositories(r *intake.PredictionReport) views.PreflightSection {
	columns := []views.Column{{Key: "repository", Label: "Repository"}, {Key: "tasks", Label: "Tasks", Align: views.Decimals}}
	var rows []views.Row
	for i, arm := range r.Arms {
		columns = append(columns, views.Column{Key: string(arm.Level) + "-" + string(arm.Condition), Label: capital(string(arm.Level)), Note: string(arm.Condition), Align: views.Decimals})
		for j, x := range arm.Repositories {
			if i == 0 {
				rows = append(rows, views.Row{Cells: []views.Cell{views.CodeCell(x.Repository, ""), views.CountCell(x.Tasks)}})
			}
			rows[j].Cells = append(rows[j].Cells, views.CountCell(x.Answered))
		}
	}
	return section("repositories", "Repositories", "", "Tasks of each repository that are answered, by level and condition.", len(rows), columns, rows)
}

// unansweredTasks names the tasks that no line is for.
func unansweredTasks(r *intake.PredictionReport) views.PreflightSection {
	rows := make([]views.Row, 0, min(len(r.Missing), jsonlines.Kept))
	for _, id := range r.Missing[:min(len(r.Missing), jsonlines.Kept)] {
		rows = append(rows, views.Row{Cells: []views.Cell{visibleCode(id)}})
	}
	return section("missing", "Tasks without a prediction", "They count as empty predictions: precision, recall and F1 are 0.", views.Counted(len(r.Missing), "task", "tasks")+".",
		len(r.Missing), []views.Column{{Key: "task", Label: "Task"}}, rows)
}
