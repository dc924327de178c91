package views

import (
	"testing"
	"time"

	"touchstone/internal/benchmark"
)

var shownState = SubmissionState{
	State:   Standing{State: "running", Progress: Progress{Done: 269, Total: 664, Unit: "samples have a verdict"}, Note: "Place 1 in the queue, about 3 minutes left."},
	Actions: []Action{{Text: "Cancel", Address: "/submissions/x/cancel", Danger: true}, {Text: "Retry what did not finish", Address: "/submissions/x/retry"}},
	Remarks: []SubmissionRemark{
		{Kind: "bad", Title: "The evaluation under judge failed.", Text: hostile + "\u202e", Do: "A retry by its submitter goes on."},
		{Kind: "warn", Title: "20 samples failed on the machine's side, once so far."},
		{Kind: "plain", Title: longName},
	},
	Measures: Table{ID: "measures-table", CSV: "/submissions/x/measures.csv", Caption: "Means over tasks.", Columns: []Column{{Label: "Measure"}, {Label: "Mean", Align: Decimals}, {Label: "Note"}},
		Groups: []Group{{Heading: "doc-doc: " + longName, Rows: []Row{{Cells: []Cell{ViewCell(Named("BLEU", "/methodology#measure-bleu_doc_doc", "")), NumberCell(0.25, 3), ViewCell(Passage(hostile, false))}},
			{Cells: []Cell{ViewCell(Named("Length", "", "words")), UnknownCell("not computed: " + hostile), TextCell("")}}}}}},
	Log: []LogLine{{At: "2026-03-14 09:26:53 UTC", Level: "info", Text: "queued"}, {At: "2026-03-14 09:27:00 UTC", Level: "warn", Text: hostile},
		{At: "2026-03-14 09:27:01 UTC", Level: "error", Text: longName}},
}

// submissionSamples are the components of the pages of submissions.
func submissionSamples() []sample {
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	original, candidate := Docstring{Text: "Cut the text.\n\n" + hostile}, Docstring{Missing: "None: the function is judged without a docstring."}
	return []sample{
		{"states", all(StateBadge("draft"), StateBadge("queued"), StateBadge("running"), StateBadge("finished"), StateBadge("failed"), StateBadge("cancelled"))},
		{"standing", all(SubmissionStanding(shownState), Standing{State: "finished"}.View())},
		{"actions", all(SubmissionActions(shownState), SubmissionActions(SubmissionState{}))},
		{"log", SubmissionLog(shownState)},
		{"measures", SubmissionMeasures(shownState)},
		{"live", within(Live(""), within(LivePart("part"), isolated("what is replaced")))},
		{"named", all(Named("judge", "/x", "Model m, 5 samples for each task."), Named(hostile, "", ""), Named(rightLeft, "", longName))},
		{"passage", all(Passage(hostile+"\u202e", true), Passage("one\ntwo", false))},
		{"task_name", all(TaskName("a/b:c.py::f.<locals>.g#1", "c.py", "f.<locals>.g#1", "/submissions/x/tasks/a/b:c.py::f.%3Clocals%3E.g%231"), Passed(5, 5), Passed(2, 5), Passed(0, 5))},
		{"moment", all(MomentCell(&at, "").content, MomentCell(nil, "it has not ended").content)},
		{"docstrings", all(docstringView("Submitted", original), docstringView("The repository's own", candidate))},
		{"candidate", Candidate{ID: "sample-0", Title: "Candidate 1 of 5", Verdict: benchmark.Failed, Meaning: VerdictMeaning(benchmark.Failed),
			Facts: []Fact{{Name: "Run time", Value: "0.07 s, of which 0.01 s inside the tests"}}, Changes: []string{"the code of the fenced block"},
			Diff: &Diff{Before: originalBody, After: candidateBody, BeforeName: "The original body", AfterName: "the candidate", Context: 2},
			Test: "tests/test_a.py::test_a[" + hostile + "]", Output: "AssertionError\n" + hostile, Reply: "```python\npass\n```", Replied: true}.View()},
		{"candidate_missing", Candidate{ID: "sample-1", Title: "Candidate 2 of 5", Meaning: "It has not run yet.", NoBody: "The reply holds no code."}.View()},
	}
}

func TestALivePageNamesItsEvents(t *testing.T) {
	golden(t, "live_events", within(Live("/submissions/x/events?a=1&b=2"), within(LivePart("part"), isolated("what is replaced"))))
}
