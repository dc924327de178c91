package web

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/store"
	"touchstone/views"
)

// submissionState is what its page shows of it.
func submissionState(at *submissionStanding, own bool) views.SubmissionState {
	return views.SubmissionState{
		State: standingView(at), Actions: submissionActions(at, own), Remarks: submissionRemarks(at), Evaluations: submissionEvaluationRows(at), Scores: submissionScores(at),
		Verdicts: submissionVerdicts(at), Measures: submissionMeasures(at.Submission, at.measured), Repositories: submissionRepositories(at), Log: submissionLog(at),
	}
}

func standingView(at *submissionStanding) views.Standing {
	view := views.Standing{State: string(at.State)}
	if at.State.Over() {
		return view
	}
	done, total := at.samples()
	view.Progress = views.Progress{Done: done, Total: total, Unit: "samples have a verdict"}
	view.Note = fmt.Sprintf("Place %d in the queue", at.place.Position)
	if at.place.Left > 0 {
		view.Note += ", " + about(at.place.Left) + " left"
	} else {
		view.Note += "; how long it takes is not known yet"
	}
	view.Note += "."
	return view
}

func submissionActions(at *submissionStanding, own bool) []views.Action {
	if !own {
		return nil
	}
	again := slices.ContainsFunc(at.evaluations, func(e store.Evaluation) bool { return e.State == store.Failed || e.State == store.Cancelled })
	var actions []views.Action
	if !at.State.Over() {
		actions = append(actions, views.Action{Text: "Cancel", Address: submissionPath(at.Submission) + "/cancel", Danger: true})
	}
	if again {
		actions = append(actions, views.Action{Text: "Retry what did not finish", Address: submissionPath(at.Submission) + "/retry"})
	}
	return actions
}

// submissionRemarks explain every failure, and what is waited for.
func submissionRemarks(at *submissionStanding) []views.SubmissionRemark {
	var remarks []views.SubmissionRemark
	name := map[uint64]string{}
	for _, e := range at.evaluations {
		name[e.ID] = e.Evaluator.Name
		goesOn := "A retry by its submitter goes on from the samples that have a verdict."
		switch {
		case e.State == store.Failed:
			remarks = append(remarks, views.SubmissionRemark{Kind: "bad", Title: "The evaluation under " + e.Evaluator.Name + " failed.", Text: e.Error, Do: goesOn})
		case e.State == store.Cancelled:
			remarks = append(remarks, views.SubmissionRemark{Kind: "warn", Title: "The evaluation under " + e.Evaluator.Name + " was cancelled.",
				Text: fmt.Sprintf("%s of %s samples have a verdict.", views.Count(e.Done), views.Count(e.Total)), Do: goesOn})
		case e.State == store.Finished && e.Missing > 0:
			remarks = append(remarks, views.SubmissionRemark{Kind: "plain", Title: fmt.Sprintf("%s under %s have no reply.", views.Counted(e.Missing, "sample", "samples"), e.Evaluator.Name),
				Text: "They count neither for nor against the docstrings; their tasks say why.", Do: ""})
		}
	}
	for i, u := range at.troubled {
		if i == troubledShown {
			break
		}
		when := "at once"
		if again := time.UnixMilli(u.NotBefore); time.Until(again) > 0 {
			when = "at " + again.UTC().Format("15:04:05 UTC")
		}
		remarks = append(remarks, views.SubmissionRemark{Kind: "warn", Text: u.Error,
			Title: fmt.Sprintf("%s under %s failed on the machine's side, %s so far.", views.Counted(u.Samples, "sample", "samples"), name[u.EvaluationID], times(u.Tries)),
			Do:    "They are tried again " + when + ", and count neither for nor against the docstrings."})
	}
	return remarks
}

// troubledShown is how many units that keep failing are explained.
const troubledShown = 3

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func submissionEvaluationRows(at *submissionStanding) views.Table {
	t := views.Table{ID: "evaluations-table", Caption: "The submission under each evaluator.",
		Columns: []views.Column{{Key: "evaluator", Label: "Evaluator"}, {Key: "state", Label: "State"},
			{Key: "pass", Label: "pass@1", Note: "0–1, higher is better", Definition: "/methodology#pass-at-k", Align: views.Decimals},
			{Key: "samples", Label: "Samples", Note: "for each task", Align: views.Decimals}, {Key: "prompt", Label: "Prompt tokens", Align: views.Decimals},
			{Key: "reply", Label: "Reply tokens", Align: views.Decimals}, {Key: "cost", Label: "Cost", Note: "as its prices", Align: views.Decimals},
			{Key: "seconds", Label: "Run time", Note: "of candidates", Align: views.Decimals}, {Key: "took", Label: "Took", Note: "start to end", Align: views.Decimals}},
		Empty: views.Empty{Title: "There is no evaluation of it."}}
	group := views.Group{}
	for _, e := range at.evaluations {
		standing := views.Standing{State: string(e.State)}
		if e.State != store.Finished {
			standing.Progress = views.Progress{Done: e.Done, Total: e.Total, Unit: "samples"}
		}
		row := views.Row{Cells: []views.Cell{views.ViewCell(views.Named(e.Evaluator.Name, "", e.Evaluator.Description)), views.ViewCell(standing.View()), headline(at, e), views.CountCell(e.Samples)}}
		if e.Evaluator.Kind == store.KindModel {
			row.Cells = append(row.Cells, views.CountCell(int(e.PromptTokens)), views.CountCell(int(e.CompletionTokens)), views.NumberCell(e.Cost, 2))
		} else {
			const none = "no model is asked"
			row.Cells = append(row.Cells, views.UnknownCell(none), views.UnknownCell(none), views.UnknownCell(none))
		}
		row.Cells = append(row.Cells, views.TextCell(views.Took(time.Duration(e.Seconds*float64(time.Second)))), tookCell(e))
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	return t
}

// headline is pass@1 over repositories.
func headline(at *submissionStanding, e store.Evaluation) views.Cell {
	if e.State != store.Finished {
		return views.UnknownCell("not computed: the evaluation is " + string(e.State))
	}
	for _, x := range at.scores[e.ID] {
		if x.K == 1 && x.Aggregation == store.ByRepository {
			return views.ScoreCell(storedScore(x))
		}
	}
	return views.UnknownCell("no task has a sample that counts")
}

func storedScore(x store.Score) views.Score {
	score := views.Score{Value: x.Value}
	if x.Low != nil && x.High != nil {
		score.Interval = &views.Interval{Low: *x.Low, High: *x.High, Level: 0.95, Method: intervalMethods[x.Aggregation]}
	}
	return score
}

// intervalMethods say how the interval of a score is made.
var intervalMethods = map[store.Aggregation]string{
	store.ByRepository: "Student's t over repositories",
	store.ByTask:       "Student's t, cluster-robust over repositories",
	store.ByTests:      "Student's t, cluster-robust over repositories",
}

func tookCell(e store.Evaluation) views.Cell {
	switch {
	case e.StartedAt == nil:
		return views.UnknownCell("it has not begun")
	case e.FinishedAt == nil:
		return views.UnknownCell("it has not ended")
	}
	return views.TextCell(views.Took(e.FinishedAt.Sub(*e.StartedAt)))
}

// submissionScores are all aggregations of what has finished.
func submissionScores(at *submissionStanding) views.Table {
	t := views.Table{ID: "scores-table", Caption: "pass@k of the evaluations that finished, with 95 % intervals, by how tasks become one number.",
		Source: "Release " + at.release.Label() + "."}
	var ks []int
	for _, x := range slices.Concat(scoresOf(at)...) {
		if !slices.Contains(ks, x.K) {
			ks = append(ks, x.K)
		}
	}
	slices.Sort(ks)
	ks = fewOf(ks)
	t.Columns = []views.Column{{Key: "by", Label: "Mean over", Definition: "/methodology#pass-at-k", Note: "how"}}
	for _, k := range ks {
		t.Columns = append(t.Columns, views.Column{Key: fmt.Sprint("pass", k), Label: fmt.Sprintf("pass@%d", k), Note: "0–1, higher is better", Align: views.Decimals})
	}
	t.Columns = append(t.Columns, views.Column{Key: "repositories", Label: "Repositories", Align: views.Decimals}, views.Column{Key: "tasks", Label: "Tasks", Align: views.Decimals})
	for _, e := range at.evaluations {
		scores := at.scores[e.ID]
		if e.State != store.Finished || len(scores) == 0 {
			continue
		}
		group := views.Group{Heading: e.Evaluator.Name}
		for _, aggregation := range store.Aggregations {
			row := views.Row{Cells: []views.Cell{views.TextCell(aggregationNames[aggregation])}}
			first := store.Score{}
			for _, k := range ks {
				i := slices.IndexFunc(scores, func(x store.Score) bool { return x.K == k && x.Aggregation == aggregation })
				if i < 0 {
					row.Cells = append(row.Cells, views.UnknownCell(fmt.Sprintf("no task has %d samples that count", k)))
					continue
				}
				if k == 1 {
					first = scores[i]
				}
				row.Cells = append(row.Cells, views.ScoreCell(storedScore(scores[i])))
			}
			row.Cells = append(row.Cells, views.CountCell(first.Repositories), views.CountCell(first.Tasks))
			group.Rows = append(group.Rows, row)
		}
		t.Groups = append(t.Groups, group)
	}
	return t
}

func scoresOf(at *submissionStanding) [][]store.Score {
	var all [][]store.Score
	for _, e := range at.evaluations {
		all = append(all, at.scores[e.ID])
	}
	return all
}

// fewOf keeps the k that a table has room for: all up to five of them, else 1,
// 3, 5, 10 and the largest.
func fewOf(ks []int) []int {
	if len(ks) <= 5 {
		return ks
	}
	largest := ks[len(ks)-1]
	return slices.DeleteFunc(slices.Clone(ks), func(k int) bool { return k != 1 && k != 3 && k != 5 && k != 10 && k != largest })
}

var aggregationNames = map[store.Aggregation]string{
	store.ByRepository: "repositories",
	store.ByTask:       "tasks",
	store.ByTests:      "tasks, weighted by tests",
}

func submissionVerdicts(at *submissionStanding) views.Table {
	t := views.Table{ID: "verdicts-table", Caption: "What happened to the samples when they ran: samples by verdict under each evaluator.", Columns: []views.Column{{Key: "evaluator", Label: "Evaluator"}}}
	for _, v := range benchmark.Verdicts {
		t.Columns = append(t.Columns, views.Column{Key: string(v), Label: views.VerdictWords(v), Align: views.Decimals})
	}
	t.Columns = append(t.Columns, views.Column{Key: "waiting", Label: "No verdict yet", Align: views.Decimals})
	group := views.Group{}
	for _, e := range at.evaluations {
		row := views.Row{Cells: []views.Cell{views.TextCell(e.Evaluator.Name)}}
		for _, v := range benchmark.Verdicts {
			row.Cells = append(row.Cells, views.CountCell(at.verdicts[e.ID][v]))
		}
		row.Cells = append(row.Cells, views.CountCell(max(0, e.Total-e.Done)))
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	return t
}

// submissionRepositories is pass@1 of each repository where an evaluation has
// finished, and how far it has come where it has not.
func submissionRepositories(at *submissionStanding) views.Table {
	t := views.Table{ID: "repositories-table", Caption: "Each repository under each evaluator: pass@1 when the evaluation has finished, until then the samples that have a verdict.",
		Columns: []views.Column{{Key: "repository", Label: "Repository"}, {Key: "tasks", Label: "Tasks", Align: views.Decimals}}}
	for _, e := range at.evaluations {
		note := "pass@1"
		if e.State != store.Finished {
			note = "samples with a verdict"
		}
		t.Columns = append(t.Columns, views.Column{Key: e.Evaluator.Name, Label: e.Evaluator.Name, Note: note, Align: views.Centre})
	}
	group := views.Group{}
	repositories := slices.SortedFunc(slices.Values(at.release.Repositories), func(a, b store.Repository) int { return cmp.Compare(a.Name, b.Name) })
	for _, r := range repositories {
		if r.Tasks == 0 {
			continue
		}
		tasks := url.URL{Path: submissionPath(at.Submission) + "/tasks", RawQuery: url.Values{"repository": {r.Name}}.Encode()}
		row := views.Row{Cells: []views.Cell{views.CodeCell(r.Name, tasks.String()), views.CountCell(r.Tasks)}}
		for _, e := range at.evaluations {
			row.Cells = append(row.Cells, repositoryCell(at, e, r))
		}
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	return t
}

func repositoryCell(at *submissionStanding, e store.Evaluation, r store.Repository) views.Cell {
	if e.State != store.Finished {
		return views.TextCell(fmt.Sprintf("%s of %s", views.Count(at.done[e.ID][r.ID]), views.Count(r.Tasks*e.Samples)))
	}
	for _, x := range at.repositories[e.ID][r.ID] {
		if x.K == 1 && x.Tasks > 0 {
			return views.HeatCell(x.Value)
		}
	}
	return views.UnknownCell("no task of it has a sample that counts")
}

func submissionLog(at *submissionStanding) []views.LogLine {
	var log []views.LogLine
	for _, e := range at.events {
		log = append(log, views.LogLine{At: e.At.UTC().Format("2006-01-02 15:04:05 UTC"), Level: e.Level, Text: e.Text})
	}
	return log
}
