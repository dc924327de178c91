package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/evaluation"
	"touchstone/internal/intake"
	"touchstone/internal/jsonlines"
	"touchstone/internal/store"
	"touchstone/views"
)

// preflight shows its owner what is in an upload.
func (s *Site) preflight(c echo.Context) error {
	sub, err := s.ownSubmission(c)
	if err != nil {
		return err
	}
	return s.anyPreflight(c, http.StatusOK, sub, nil)
}

// anyPreflight is the page of a submission of either track.
func (s *Site) anyPreflight(c echo.Context, status int, sub store.Submission, wrong views.Errors) error {
	if sub.Track == benchmark.Localization {
		return s.predictionsPreflight(c, status, sub, wrong)
	}
	return s.preflightPage(c, status, sub, wrong)
}

func (s *Site) preflightPage(c echo.Context, status int, sub store.Submission, wrong views.Errors) error {
	report, err := reportOf(sub)
	if err != nil {
		return err
	}
	rows, err := s.Store.Evaluators(c.Request().Context(), sub.Track)
	if err != nil {
		return err
	}
	page := views.PreflightPage{
		Page: s.page(c, "Check of "+sub.System.Name), Errors: wrong, Report: "/api/v1" + submissionPath(sub),
		Heading:  views.Heading{Trail: []views.Link{{Text: "Submit", Address: submitPath}}, Title: "What is in the file", Lead: preflightLead(sub, report)},
		Facts:    preflightFacts(sub, report),
		Sections: preflightSections(report, s.Engine.Enabled(rows)),
	}
	if sub.State == store.Draft {
		page.Confirm, page.Discard = submissionPath(sub)+"/confirm", submissionPath(sub)+"/discard"
		if report.Documented == 0 {
			page.Refused = "The file " + evaluation.ErrNothingDocumented.Problem + ", so there is nothing to judge. " +
				capital(evaluation.ErrNothingDocumented.Mend) + ", and upload it again."
		}
	} else {
		page.Heading.Trail = []views.Link{{Text: "Submissions", Address: "/submissions"}, {Text: sub.System.Name, Address: submissionPath(sub)}}
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return s.render(c, status, views.Preflight(page))
}

// reportOf is what was found in a submission's file.
func reportOf(sub store.Submission) (*intake.Report, error) {
	var report intake.Report
	if len(sub.Report) == 0 {
		return nil, store.ErrNotFound // a control has no file
	}
	if err := json.Unmarshal(sub.Report, &report); err != nil {
		return nil, fmt.Errorf("reading the report of %s: %w", sub.PublicID, err)
	}
	return &report, nil
}

func preflightLead(sub store.Submission, r *intake.Report) string {
	said := fmt.Sprintf("%s of %s have a docstring.", views.Count(r.Documented), views.Counted(r.Tasks, "task", "tasks"))
	if missing := len(r.Missing); missing > 0 {
		said += fmt.Sprintf(" %s have none, and are judged without.", views.Count(missing))
	}
	if sub.State == store.Draft {
		said += fmt.Sprintf(" Nothing is queued before you confirm; the upload is kept for %d days.", int(evaluation.DraftLife/(24*time.Hour)))
	}
	return said
}

func preflightFacts(sub store.Submission, r *intake.Report) []views.Fact {
	file := r.File + ", " + bytesInWords(r.Bytes)
	if r.Packing != intake.Plain {
		file += fmt.Sprintf(", %s, unpacked %s", r.Packing, bytesInWords(r.Unpacked))
	}
	return []views.Fact{
		{Name: "System", Value: systemTitle(sub)},
		{Name: "Release", Value: sub.Release.Label()},
		{Name: "File", Value: views.Visible(file)},
		{Name: "Lines", Value: fmt.Sprintf("%s; %s could be read", views.Count(r.Lines), views.Count(r.Rows))},
		{Name: "Docstrings of tasks", Value: views.Count(r.Documented)},
		{Name: "Other docstrings that a prompt shows", Value: views.Count(r.Context)},
		{Name: "Docstrings that no prompt shows", Value: views.Count(r.Unused)},
	}
}

// preflightSections are all that there is to say, what needs mending first.
func preflightSections(r *intake.Report, judges []evaluation.Judge) []views.PreflightSection {
	all := []views.PreflightSection{
		rejectedSection(r.Rejected), unmatchedSection(r), supersededSection(r), blankSection(r), placeholderSection(r), repeatedSection(r), longSection(r),
	}
	var found []views.PreflightSection
	for _, s := range all {
		if len(s.Table.Groups[0].Rows) > 0 {
			found = append(found, s)
		}
	}
	found = append(found, coverageSection(r), estimateSection(r, judges))
	if missing := missingSection(r); len(missing.Table.Groups[0].Rows) > 0 {
		found = append(found, missing)
	}
	return found
}

// section is a table of the report. count is of all that was met, of which the
// first are listed.
func section(id, title, lead, caption string, count int, columns []views.Column, rows []views.Row) views.PreflightSection {
	if count > len(rows) {
		caption += fmt.Sprintf(" The first %s of %s.", views.Count(len(rows)), views.Count(count))
	}
	return views.PreflightSection{ID: id, Title: title, Lead: lead,
		Table: views.Table{ID: id + "-table", Caption: caption, Columns: columns, Groups: []views.Group{{Rows: rows}}}}
}

func lineColumn() views.Column {
	return views.Column{Key: "line", Label: "Line"}
}

func rejectedSection(lines jsonlines.Listed[jsonlines.Rejection]) views.PreflightSection {
	rows := make([]views.Row, 0, len(lines.First))
	for _, x := range lines.First {
		rows = append(rows, views.Row{Cells: []views.Cell{views.CountCell(x.Line), views.CodeCell(views.Visible(x.Field), ""), visibleText(x.Problem), visibleText(x.Mend)}})
	}
	return section("rejected", "Lines that could not be read", "They are left out, unless you mend them and upload the file again.",
		views.Counted(lines.Count, "line", "lines")+" of the file.", lines.Count,
		[]views.Column{lineColumn(), {Key: "field", Label: "Field"}, {Key: "problem", Label: "What is wrong"}, {Key: "mend", Label: "What helps"}}, rows)
}

func unmatchedSection(r *intake.Report) views.PreflightSection {
	rows := make([]views.Row, 0, len(r.Unmatched.First))
	for _, x := range r.Unmatched.First {
		nearest := views.UnknownCell("no name is near")
		if len(x.Nearest) > 0 {
			nearest = visibleCode(strings.Join(x.Nearest, "\n"))
		}
		rows = append(rows, views.Row{Cells: []views.Cell{views.CountCell(x.Line), visibleCode(x.ID), visibleText(x.Problem), nearest}})
	}
	return section("unmatched", "Lines for nothing in the release", "They are left out. The nearest names may be what was meant.",
		views.Counted(r.Unmatched.Count, "line", "lines")+" of the file.", r.Unmatched.Count,
		[]views.Column{lineColumn(), {Key: "id", Label: "For"}, {Key: "problem", Label: "What is wrong"}, {Key: "nearest", Label: "Nearest"}}, rows)
}

func supersededSection(r *intake.Report) views.PreflightSection {
	rows := make([]views.Row, 0, len(r.Superseded.First))
	for _, x := range r.Superseded.First {
		rows = append(rows, views.Row{Cells: []views.Cell{views.CountCell(x.Line), visibleCode(x.ID), views.CountCell(x.Counts)}})
	}
	return section("superseded", "Duplicates", "Two lines for one function: the later counts.",
		views.Counted(r.Superseded.Count, "line", "lines")+" that a later one replaces.", r.Superseded.Count,
		[]views.Column{lineColumn(), {Key: "id", Label: "For"}, {Key: "counts", Label: "Line that counts", Align: views.Decimals}}, rows)
}

func blankSection(r *intake.Report) views.PreflightSection {
	rows := make([]views.Row, 0, len(r.Blank.First))
	for _, x := range r.Blank.First {
		rows = append(rows, views.Row{Cells: []views.Cell{views.CountCell(x.Line), visibleCode(x.ID)}})
	}
	return section("blank", "Blank docstrings", "They document nothing: the function is judged without a docstring.",
		views.Counted(r.Blank.Count, "line", "lines")+" without a word.", r.Blank.Count,
		[]views.Column{lineColumn(), {Key: "id", Label: "For"}}, rows)
}

func placeholderSection(r *intake.Report) views.PreflightSection {
	rows := make([]views.Row, 0, len(r.Placeholders.First))
	for _, x := range r.Placeholders.First {
		rows = append(rows, views.Row{Cells: []views.Cell{views.CountCell(x.Line), visibleCode(x.ID), visibleText(x.Text), visibleText(x.Why)}})
	}
	return section("placeholders", "Placeholders", "They count as they stand, and seem to document nothing.",
		views.Counted(r.Placeholders.Count, "docstring", "docstrings")+".", r.Placeholders.Count,
		[]views.Column{lineColumn(), {Key: "id", Label: "Of"}, {Key: "text", Label: "Docstring"}, {Key: "why", Label: "Why"}}, rows)
}

func repeatedSection(r *intake.Report) views.PreflightSection {
	rows := make([]views.Row, 0, len(r.Repeated))
	for _, x := range r.Repeated {
		rows = append(rows, views.Row{Cells: []views.Cell{visibleText(x.Text), views.CountCell(x.Count), visibleCode(strings.Join(x.Tasks[:min(3, len(x.Tasks))], "\n"))}})
	}
	return section("repeated", "Repeated docstrings", fmt.Sprintf("The same text for more than %d tasks. They count as they stand.", intake.RepeatedFrom),
		views.Counted(len(r.Repeated), "text", "texts")+".", len(rows),
		[]views.Column{{Key: "text", Label: "Docstring"}, {Key: "count", Label: "Tasks", Align: views.Decimals}, {Key: "tasks", Label: "For example"}}, rows)
}

func longSection(r *intake.Report) views.PreflightSection {
	rows := make([]views.Row, 0, len(r.Long.First))
	for _, x := range r.Long.First {
		rows = append(rows, views.Row{Cells: []views.Cell{views.CountCell(x.Line), visibleCode(x.ID), views.CountCell(x.Bytes)}})
	}
	return section("long", "Long docstrings", "They count as they stand. A prompt that is too long for the evaluator gets no reply, which counts as not passed.",
		fmt.Sprintf("%s of more than %s.", views.Counted(r.Long.Count, "docstring", "docstrings"), bytesInWords(int64(intake.DefaultLimits.Docstring))), r.Long.Count,
		[]views.Column{lineColumn(), {Key: "id", Label: "Of"}, {Key: "bytes", Label: "Bytes", Align: views.Decimals}}, rows)
}

func coverageSection(r *intake.Report) views.PreflightSection {
	rows := make([]views.Row, 0, len(r.Repositories))
	for _, x := range r.Repositories {
		rows = append(rows, views.Row{Cells: []views.Cell{views.CodeCell(x.Repository, ""), views.CountCell(x.Tasks), views.CountCell(x.Documented),
			views.CountCell(x.Missing), views.CountCell(x.Context), views.NumberCell(x.Share, 3)}})
	}
	return section("coverage", "Coverage", "", "The tasks of each repository, and how many the file documents.", len(rows), []views.Column{
		{Key: "repository", Label: "Repository"}, {Key: "tasks", Label: "Tasks", Align: views.Decimals}, {Key: "documented", Label: "Documented", Align: views.Decimals},
		{Key: "missing", Label: "Missing", Align: views.Decimals}, {Key: "context", Label: "Other docstrings", Note: "that a prompt shows", Align: views.Decimals},
		{Key: "coverage", Label: "Coverage", Note: "share of tasks with a docstring", Align: views.Decimals}}, rows)
}

// missingSection names the tasks that are judged without a docstring.
func missingSection(r *intake.Report) views.PreflightSection {
	rows := make([]views.Row, 0, min(len(r.Missing), jsonlines.Kept))
	for _, id := range r.Missing[:min(len(r.Missing), jsonlines.Kept)] {
		rows = append(rows, views.Row{Cells: []views.Cell{visibleCode(id)}})
	}
	return section("missing", "Tasks without a docstring", "They are judged as they stand, without one.", views.Counted(len(r.Missing), "task", "tasks")+".",
		len(r.Missing), []views.Column{{Key: "task", Label: "Task"}}, rows)
}

// estimateSection says what each evaluator would take.
func estimateSection(r *intake.Report, judges []evaluation.Judge) views.PreflightSection {
	rows := make([]views.Row, 0, len(judges))
	for _, j := range judges {
		e, asks := j.Estimate(r)
		row := views.Row{Cells: []views.Cell{views.ViewCell(views.Named(j.Name(), "", strings.TrimSpace(j.Description+" "+estimateNote(r, j, e, asks)))), views.CountCell(e.Samples), views.CountCell(e.Requests)}}
		const none = "no model is asked"
		switch {
		case !asks:
			row.Cells = append(row.Cells, views.UnknownCell(none), views.UnknownCell(none), views.UnknownCell(none))
		case e.Cost == nil:
			row.Cells = append(row.Cells, views.CountCell(int(e.InputTokens)), views.CountCell(int(e.OutputTokens)), views.UnknownCell("its prices are not known"))
		default:
			row.Cells = append(row.Cells, views.CountCell(int(e.InputTokens)), views.CountCell(int(e.OutputTokens)), views.NumberCell(*e.Cost, 2))
		}
		rows = append(rows, row)
	}
	s := section("estimate", "What judging it takes", "Every enabled evaluator judges it. Tokens are estimated from the prompts, one for every 3.6 bytes, and a reply as long as the original body; what a model thinks before it replies comes on top.",
		fmt.Sprintf("%s; the longest prompt has about %s tokens.", views.Counted(r.Prompts.Tasks, "task", "tasks"), views.Count(int(r.Prompts.Longest))), len(rows),
		[]views.Column{{Key: "evaluator", Label: "Evaluator"}, {Key: "samples", Label: "Samples", Note: "for each task", Align: views.Decimals},
			{Key: "requests", Label: "Replies", Align: views.Decimals}, {Key: "input", Label: "Prompt tokens", Align: views.Decimals},
			{Key: "output", Label: "Reply tokens", Align: views.Decimals}, {Key: "cost", Label: "Cost", Note: "at most, in the unit of its prices", Align: views.Decimals}}, rows)
	s.Table.Empty = views.Empty{Title: "No evaluator is enabled on this site.", Reason: "Nothing can be judged before its operator enables one.",
		Command: "touchstone admin evaluator enable NAME"}
	return s
}

func estimateNote(r *intake.Report, j evaluation.Judge, e intake.Estimate, asks bool) string {
	var notes []string
	if asks && !e.Fits {
		notes = append(notes, fmt.Sprintf("The longest prompt, of %s, is over its window of %s tokens.", r.Prompts.LongestTask, views.Count(e.ContextTokens)))
	}
	if j.Ready != nil {
		if err := j.Ready(); err != nil {
			notes = append(notes, "It cannot be asked now: "+err.Error()+".")
		}
	}
	return strings.Join(notes, " ")
}

// confirm queues a draft.
func (s *Site) confirm(c echo.Context) error {
	sub, err := s.ownSubmission(c)
	if err != nil {
		return err
	}
	err = s.Engine.Confirm(c.Request().Context(), sub)
	if wrong, ok := fieldError(err); ok {
		wrong.Field = "" // the page has no fields
		return s.anyPreflight(c, http.StatusUnprocessableEntity, sub, views.Errors{wrong})
	} else if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, submissionPath(sub))
}

// discard removes a draft.
func (s *Site) discard(c echo.Context) error {
	sub, err := s.ownSubmission(c)
	if err != nil {
		return err
	}
	if err := s.Engine.Discard(c.Request().Context(), sub); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, counters[sub.Track].path)
}

// visibleText and visibleCode are cells that show all of what somebody
// uploaded; visibleName is cut after two lines.
func visibleText(text string) views.Cell { return views.ViewCell(views.Passage(text, false)) }
func visibleCode(text string) views.Cell { return views.ViewCell(views.Passage(text, true)) }
func visibleName(text string) views.Cell { return views.NameCell(views.Visible(text), "") }

func systemTitle(sub store.Submission) string {
	title := sub.System.Name
	if sub.System.Model != "" {
		title += " · " + sub.System.Model
	}
	if sub.Version != "" {
		title += ", version " + sub.Version
	}
	return views.Visible(title)
}

// bytesInWords is a size for a person.
func bytesInWords(n int64) string {
	switch {
	case n < 10<<10:
		return views.Counted(int(n), "byte", "bytes")
	case n < 10<<20:
		return views.Count(int(n>>10)) + " KiB"
	}
	return views.Count(int(n>>20)) + " MiB"
}
