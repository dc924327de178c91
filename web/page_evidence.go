package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/evaluate"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/views"
)

const (
	candidatesPerPage = 10
	diffContext       = 12 // unchanged lines kept round a change
)

// evidence shows everything behind the verdicts on one task.
func (s *Site) evidence(c echo.Context) error {
	sub, err := s.judgedSubmission(c)
	if err != nil {
		return err
	}
	// The decoded path: however a proxy escapes a task's id, it reads the same.
	key := strings.TrimPrefix(c.Request().URL.Path, submissionPath(sub)+"/tasks/")
	ctx := c.Request().Context()
	q, task, err := s.Engine.Question(ctx, sub, key)
	if err != nil {
		return err
	}
	evaluations, err := s.Store.Evaluations(ctx, sub.ID)
	if err != nil {
		return err
	}
	id, err := benchmark.ParseTaskID(key)
	if err != nil {
		return err
	}
	page := views.EvidencePage{
		Page: s.page(c, views.Visible(id.Qualname)+" · "+systemTitle(sub)),
		Heading: views.Heading{Mono: true, Title: views.Visible(strings.TrimPrefix(key, id.Repository+":"+id.Path+"::")), Trail: []views.Link{
			{Text: "Submissions", Address: "/submissions"}, {Text: systemTitle(sub), Address: submissionPath(sub)}, {Text: "Tasks", Address: submissionPath(sub) + "/tasks"}}},
		Facts: evidenceFacts(sub, id, task), Docstring: judgedDocstring(sub, q), Original: ownDocstring(q),
		Prompt: q.Prompt, PromptSaid: fmt.Sprintf("What every evaluator that is a model is shown, with context policy %s and prompt %s.", sub.Release.Context, sub.Release.Prompt),
		Tests: q.Task.Tests,
	}
	if err := s.candidates(ctx, c, sub, q, task, evaluations, &page); err != nil {
		return err
	}
	all, err := leaderboard.MeasuredOf(ctx, s.Store, sub.ID, evaluations)
	if err != nil {
		return err
	}
	chosen := ""
	for _, e := range page.Evaluators {
		if e.Current {
			chosen = e.Name
		}
	}
	page.Measures = taskMeasures(all, task.Position, chosen)
	c.Response().Header().Set(echo.HeaderCacheControl, "no-cache")
	return s.render(c, http.StatusOK, views.Evidence(page))
}

func evidenceFacts(sub store.Submission, id benchmark.TaskID, task store.Task) []views.Fact {
	return []views.Fact{
		{Name: "Repository", Value: views.Visible(id.Repository), Mono: true, Address: "/doc-to-code/repos/" + id.Repository},
		{Name: "File", Value: views.Visible(id.Path), Mono: true},
		{Name: "Task", Value: views.Visible(task.Key), Mono: true},
		{Name: "Release", Value: sub.Release.Label()},
		{Name: "Tests", Value: fmt.Sprintf("%s, %s on the original", views.Count(task.Tests), views.Took(time.Duration(task.Seconds*float64(time.Second))))},
	}
}

func judgedDocstring(sub store.Submission, q evaluate.Question) views.Docstring {
	if text, ok := q.Target.Docstring(); ok {
		return views.Docstring{Text: evaluator.CleanDoc(text)}
	}
	if sub.Docs == store.DocsNone {
		return views.Docstring{Missing: "None: in this control every function is judged without its docstring."}
	}
	return views.Docstring{Missing: "None: the function is judged without a docstring."}
}

func ownDocstring(q evaluate.Question) views.Docstring {
	if q.Target.Definition.HasDoc() {
		return views.Docstring{Text: evaluator.CleanDoc(q.Target.Definition.DocText)}
	}
	return views.Docstring{Missing: "The function has none in the repository."}
}

// candidates fills in what the evaluator that the address chooses wrote.
func (s *Site) candidates(ctx context.Context, c echo.Context, sub store.Submission, q evaluate.Question, task store.Task, evaluations []store.Evaluation, page *views.EvidencePage) error {
	name := c.QueryParam("evaluator")
	chosen := slices.IndexFunc(evaluations, func(e store.Evaluation) bool { return e.Evaluator.Name == name })
	if name != "" && chosen < 0 {
		return &benchmark.InputError{Field: "evaluator", Problem: fmt.Sprintf("%q does not judge this submission", views.Visible(name)), Mend: "leave it out to see the first"}
	}
	chosen = max(0, chosen)
	for i, e := range evaluations {
		verdicts, err := s.Store.Verdicts(ctx, e.ID, task.ID)
		if err != nil {
			return err
		}
		page.Evaluators = append(page.Evaluators, views.EvaluatorChoice{Name: e.Evaluator.Name, Said: passedOf(verdicts, e), Current: i == chosen,
			Address: taskPath(sub, task.Key, e.Evaluator.Name) + "#candidates"})
		if i != chosen {
			continue
		}
		completions, err := s.Store.Completions(ctx, e.ID, task.ID)
		if err != nil {
			return err
		}
		number := views.ReadPage(c.QueryParams(), candidatesPerPage, len(completions))
		page.Pagination = views.Pagination{Address: address(c), Page: number, PerPage: candidatesPerPage, Total: len(completions), Unit: "candidates"}
		first := (number - 1) * candidatesPerPage
		for _, x := range completions[first:min(len(completions), first+candidatesPerPage)] {
			candidate, err := candidateView(q, e, x, verdictOn(verdicts, x.Sample))
			if err != nil {
				return err
			}
			page.Candidates = append(page.Candidates, candidate)
		}
		page.Waiting = views.Empty{Title: "The evaluator " + e.Evaluator.Name + " has not been asked about this task yet."}
		if e.State.Over() && e.State != store.Finished {
			page.Waiting.Title = "The evaluation ended before " + e.Evaluator.Name + " was asked about this task: it is " + string(e.State) + "."
		}
	}
	if len(evaluations) == 0 {
		page.Waiting = views.Empty{Title: "There is no evaluation of this submission."}
	}
	return nil
}

func passedOf(verdicts []store.Verdict, e store.Evaluation) string {
	var t taskCount
	for _, v := range verdicts {
		if v.Verdict.Counts() {
			t.samples++
		}
		if v.Verdict == benchmark.Passed {
			t.passed++
		}
	}
	if t.samples > 0 {
		return fmt.Sprintf("%d of %d passed", t.passed, t.samples)
	}
	if len(verdicts) > 0 {
		return "none counts"
	}
	return string(e.State)
}

func verdictOn(verdicts []store.Verdict, sample int) *store.Verdict {
	for i := range verdicts {
		if verdicts[i].Sample == sample {
			return &verdicts[i]
		}
	}
	return nil
}

func candidateView(q evaluate.Question, e store.Evaluation, x store.Completion, v *store.Verdict) (views.Candidate, error) {
	view := views.Candidate{ID: fmt.Sprint("sample-", x.Sample), Title: fmt.Sprintf("Candidate %d of %d", x.Sample+1, e.Samples), Reply: x.Reply, Replied: x.Missing == ""}
	if x.Body != "" {
		view.Diff = &views.Diff{Before: q.Target.File.OriginalBody(q.Target.Definition), After: x.Body, BeforeName: "The original body", AfterName: "the candidate", Context: diffContext}
	} else if x.Missing != "" {
		view.NoBody = "There is no reply: " + views.Visible(x.Missing) + "."
	} else {
		view.NoBody = "The reply holds no code."
	}
	if len(x.Changes) > 0 {
		var changes []evaluator.Change
		if err := json.Unmarshal(x.Changes, &changes); err != nil {
			return view, fmt.Errorf("reading what extraction changed: %w", err)
		}
		for _, change := range changes {
			view.Changes = append(view.Changes, change.Detail)
		}
	}
	switch {
	case v == nil && e.State.Over():
		view.Meaning = "It has not run: the evaluation is " + string(e.State) + "."
	case v == nil:
		view.Meaning = "It has not run yet."
	default:
		view.Verdict, view.Test, view.Output, view.Meaning = v.Verdict, v.Test, v.Detail, views.VerdictMeaning(v.Verdict)
	}
	if v != nil && x.Missing != "" {
		view.Output = "" // it repeats why there is no reply
		view.Meaning = "There was nothing to run, which counts as not passed."
		if !v.Verdict.Counts() {
			view.Meaning = "There was nothing to run, which counts neither for nor against the docstring."
		}
	}
	view.Facts = candidateFacts(q, e, x, v)
	return view, nil
}

func candidateFacts(q evaluate.Question, e store.Evaluation, x store.Completion, v *store.Verdict) []views.Fact {
	var facts []views.Fact
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, views.Fact{Name: name, Value: views.Visible(value)})
		}
	}
	if v != nil && v.Strategy != "" {
		add("Run time", fmt.Sprintf("%s, of which %s inside the tests", seconds(v.Seconds), seconds(v.CallSeconds)))
		add("Tests begun", fmt.Sprintf("%s of %s; it stops at the first that does not pass", views.Count(v.Ran), views.Count(len(q.Task.Tests))))
		add("Strategy", v.Strategy)
		add("Flags", strings.Join(strings.Fields(v.Flags), ", "))
		add("Second look", recheckWords(v))
	}
	if e.Evaluator.Kind == store.KindModel && x.Missing == "" {
		add("Model", x.Model)
		tokens := fmt.Sprintf("%s in the prompt, %s in the reply", views.Count(x.PromptTokens), views.Count(x.CompletionTokens))
		if x.ReasoningTokens > 0 {
			tokens += fmt.Sprintf(", %s of them reasoning", views.Count(x.ReasoningTokens))
		}
		if x.Cached {
			tokens += "; the reply was known already and cost nothing"
		}
		add("Tokens", tokens)
	}
	return facts
}

func seconds(s float64) string { return views.Took(time.Duration(s * float64(time.Second))) }

// recheckWords says what came of the second run of a flagged pass.
func recheckWords(v *store.Verdict) string {
	words := map[execute.Recheck]string{
		execute.Confirmed:  "the tests pass, too, when another process judges them",
		execute.Refuted:    "the tests do not pass when another process judges them",
		execute.Suspicious: "it cannot be decided by another process; the pass stands",
	}[execute.Recheck(v.Recheck)]
	if words != "" && v.RecheckNote != "" {
		words += ": " + v.RecheckNote
	}
	return words
}
