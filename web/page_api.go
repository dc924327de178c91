package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"touchstone/internal/leaderboard"
	"touchstone/views"
)

var (
	ofRelease   = views.APIParameter{Name: "release", Meaning: "name@version of a release, or documentation-paper; all without it"}
	ofEvaluator = views.APIParameter{Name: "evaluator", Meaning: "name of an evaluator; all without it"}
	ofHistories = views.APIParameter{Name: "release", Meaning: "name@version of a release, or localization-paper; all without it"}
	ofHistory   = views.APIParameter{Name: "repository", Meaning: "owner/name; all without it"}
	ofLevel     = views.APIParameter{Name: "level", Meaning: "minimal, concise, contextual or guided; all without it"}
	ofCondition = views.APIParameter{Name: "condition", Meaning: "baseline or augmented; both without it"}
	ofGold      = views.APIParameter{Name: "gold", Meaning: "all, or source: without tests, documentation and generated files; both without it"}
	oneRelease  = views.APIParameter{Name: "release", Meaning: "name@version; all without it"}
)

// correlationParameters are those of both tables of correlations.
var correlationParameters = []views.APIParameter{
	{Name: "release", Meaning: "name@version; the newest with a ranked submission without it"},
	{Name: "method", Meaning: "pearson (without it), spearman or kendall"},
	{Name: "unit", Meaning: "task (without it), repository or system: what a point is"},
	{Name: "submission", Meaning: "a submission’s id, as often as there are submissions to take; all that are ranked and no controls without it"},
}

// documented is every table that programs read. A test holds the list against
// the routes, and each header against what the address answers.
var documented = []views.APIAddress{
	{
		Path: "/doc-to-code", Text: "The leaderboard: a line for each row, evaluator and k.",
		Parameters: []views.APIParameter{
			ofRelease, {Name: "evaluator", Meaning: "rows judged by it, ranked under it; all that are no controls without it"},
			{Name: "provenance", Meaning: "published or evaluated; both without it"}, {Name: "q", Meaning: "what system, model or version contain"},
			{Name: "by", Meaning: "repository (without it), task or tests: what the mean is over"}, {Name: "k", Meaning: "that ranks are by; 1 without it"},
			{Name: "controls", Meaning: "1 to have control evaluators, too"},
			{Name: "leak", Meaning: "without: each row without the tasks whose docstring gives code away; all tasks without it"}, {Name: "sort, order", Meaning: "as the heads of the page’s columns set them"},
		},
		Header: scoresHeader,
	},
	{
		Path: "/doc-to-code/repos", Text: "Counts of every repository, and pass@k on it: a line for each row, evaluator and k, or one without them where there is no score.",
		Parameters: []views.APIParameter{ofRelease, ofEvaluator, {Name: "k", Meaning: "one k; all without it"}},
		Header:     repositoryHeader,
	},
	{
		Path: "/doc-to-code/repos/{owner}/{name}", Text: "The same of one repository, in every release and paper that has it.",
		Header: repositoryHeader,
	},
	{
		Path: "/doc-to-code/distribution", Text: "How pass@k lies over repositories: a line for each row, evaluator and k. The chart is at the same path with .svg.",
		Parameters: []views.APIParameter{ofRelease, ofEvaluator, {Name: "k", Meaning: "one k; all without it"}},
		Header:     "release,provenance,system,model,version,control,evaluator,k,repositories,mean,quantile_10,median,quantile_90,submission",
	},
	{
		Path: "/doc-to-code/distribution/stability", Text: "How many pairs of the global order each repository keeps: a line for each evaluator and k, and one without them for all together.",
		Parameters: []views.APIParameter{ofRelease},
		Header:     "release,provenance,repository,stars,evaluator,k,systems,pairs,kept,preserves",
	},
	{
		Path: "/doc-to-code/distribution/popularity", Text: "Each row’s mean over repositories of more than 100 stars and over the others: a line for each evaluator and k.",
		Parameters: []views.APIParameter{ofRelease},
		Header:     "release,provenance,system,model,version,evaluator,k,popular,popular_repositories,other,other_repositories,difference,submission",
	},
	{
		Path: "/doc-to-code/correlations", Text: "How pass@k goes together with every measure, over the tasks of submissions: a line for each pair of metrics.",
		Parameters: append([]views.APIParameter{
			{Name: "evaluator", Meaning: "that pass@k and measures of replies are under; all that are no controls without it"},
			{Name: "pair", Meaning: "doc-doc, code-doc, doc or code-code: measures of these texts; all without it"},
			{Name: "columns", Meaning: "all to have every metric with every other, under the first evaluator"},
		}, correlationParameters...),
		Header: strings.Join(leaderboard.CorrelationHeader, ","),
	},
	{
		Path: "/doc-to-code/correlations/pair", Text: "Two metrics against each other, point by point. The chart is at the same path with .svg.",
		Parameters: append([]views.APIParameter{
			{Name: "x, y", Meaning: "the metrics: pass@K:EVALUATOR, a measure’s key, or KEY:EVALUATOR for a measure of replies"},
		}, correlationParameters...),
		Header: strings.Join(leaderboard.PairHeader, ","),
	},
	{
		Path: "/systems/{slug}", Text: "All rows of one system: a line for each row, evaluator and k, as on the leaderboard.",
		Header: scoresHeader,
	},
	{
		Path: "/compare", Text: "Two rows side by side, a minus b: a line for all, one for each repository and, between two submissions for one release, one for all without the tasks that leak for either, and one for each task.",
		Parameters: []views.APIParameter{
			{Name: "a", Meaning: "the first row: a submission’s id, or paper:SYSTEM/MODEL for a published one, with %2F for a slash in a name"}, {Name: "b", Meaning: "the second row"},
			{Name: "evaluator", Meaning: "that judged both; the first that did without it"}, {Name: "k", Meaning: "of pass@k; 1 without it"},
		},
		Header: "a,b,evaluator,k,scope,repository,task_id,a_pass_at_k,b_pass_at_k,difference,low,high,repositories,tasks,a_better,equal,b_better," +
			"only_a_first_sample,only_b_first_sample,sign_flip_p,wilcoxon_p,d_z,mcnemar_p",
	},
	{
		Path: "/localization", Text: "The leaderboard of the localization track: a line for each system, level, condition and kind of gold files, over all tasks (repository empty) and over each repository’s; precision, recall and f1 are macro means.",
		Parameters: []views.APIParameter{ofHistories, ofHistory, ofLevel, ofCondition, ofGold, {Name: "provenance", Meaning: "published or evaluated; both without it"},
			{Name: "q", Meaning: "what system, model or version contain"}},
		Header: strings.Join(leaderboard.LocalizationHeader, ","),
	},
	{
		Path: "/localization/repos/{owner}/{name}", Text: "The same of one repository. A paper’s has the paper’s id in place of the owner: localization-paper/React.",
		Parameters: []views.APIParameter{ofHistories, ofLevel, ofCondition, ofGold},
		Header:     strings.Join(leaderboard.LocalizationHeader, ","),
	},
	{
		Path: "/localization/levels", Text: "Macro F1 over levels: a line for each system, condition, kind of gold files and repository, and one for all; the gain is guided minus minimal, paired. The chart is at the same path with .svg.",
		Parameters: []views.APIParameter{ofHistories, ofCondition, ofGold},
		Header:     strings.Join(leaderboard.LevelsHeader, ","),
	},
	{
		Path: "/localization/extremes", Text: "How often tasks end with precision 0, recall 0, recall 1 or F1 1: a line for each arm and outcome, over all tasks and each repository’s, with Wilson’s interval.",
		Parameters: []views.APIParameter{ofHistories, ofHistory, ofLevel, ofCondition, ofGold},
		Header:     strings.Join(leaderboard.ExtremesHeader, ","),
	},
	{
		Path: "/localization/ab", Text: "What knowledge changes: a line for each system and level that has both arms. Adjusted p are by Holm over the family, whose size is given. The chart is at the same path with .svg.",
		Parameters: []views.APIParameter{{Name: "release", Meaning: "name@version; the first that has both arms of a system without it"}, ofHistory, {Name: "gold", Meaning: "all (without it) or source"}},
		Header:     strings.Join(leaderboard.ContrastHeader, ","),
	},
	{
		Path: "/localization/tasks/{instance}", Text: "What every system answered for one task, and what it is worth: a line for each arm. Files are separated by line feeds.",
		Parameters: []views.APIParameter{{Name: "release", Meaning: "name@version; the newest that has the task without it"}, ofLevel, ofCondition},
		Header:     strings.Join(historyTaskHeader, ","),
	},
	{
		Path: "/localization/published", Text: "Every published number of the localization track, as printed.",
		Header: "provenance,source,table,repository,system,model,condition,level,metric,value",
	},
	{
		Path: "/releases", Text: "Every repository of every release, with the release’s policies and hashes.",
		Parameters: []views.APIParameter{oneRelease},
		Header:     "release,track,context,prompt,prompt_sha256,tool_version,sha256,imported,repository,source,commit,licence,python,candidates,all_tasks,targets,tasks,tests",
	},
	{
		Path: "/releases/tasks", Text: "Every task of a release: what a submission is to document.",
		Parameters: []views.APIParameter{oneRelease},
		Header:     "release,task,repository,path,qualname,tests,seconds,strategy",
	},
	{
		Path: "/releases/histories", Text: "Every repository of every release of the localization track: its window, snapshot and counts.",
		Parameters: []views.APIParameter{oneRelease},
		Header:     historiesHeader,
	},
	{
		Path: "/releases/dropped", Text: "What left a release, with its reason.",
		Parameters: []views.APIParameter{oneRelease},
		Header:     "release,repository,kind,key,reason,detail",
	},
	{
		Path: "/submissions", Text: "Every submission, what is queued or running first.",
		Parameters: []views.APIParameter{{Name: "state", Meaning: "open, ended, queued, running, finished, failed or cancelled; all without it"}, {Name: "q", Meaning: "what system, model or version contain"}},
		Header:     "submission,state,place,seconds_left,system,model,version,link,control,release,submitter,tasks,documented,evaluations,samples,samples_done,submitted,ended,track",
	},
	{
		Path: "/submissions/{id}/tasks", Text: "Every task of a submission with what became of its samples: a line for each task and evaluator.",
		Parameters: []views.APIParameter{{Name: "repository", Meaning: "owner/name"}, {Name: "evaluator", Meaning: "that outcome is about"},
			{Name: "outcome", Meaning: "all, some or none passed, or uncounted"}, {Name: "q", Meaning: "what the task contains"}},
		Header: "submission,release,task_id,repository,path,qualname,documented,tests,evaluator,state,samples,passed,outcome",
	},
	{
		Path: "/submissions/{id}/scores", Text: "Every score of a submission of the localization track: a line for each repository, and one without a repository for all tasks, by level, condition and kind of gold files. Precision, recall and F1 are means over tasks; low and high bound F1; micro is of all files as one set; zero_precision and what follows count tasks.",
		Header: armScoresHeader,
	},
	{
		Path: "/submissions/{id}/predictions", Text: "Every task of a submission of the localization track at each level and in each condition that it has: what was predicted, as a JSON list, and what that is worth.",
		Parameters: []views.APIParameter{{Name: "gold", Meaning: "all (without it) or source: without tests, documentation and generated files"}},
		Header:     predictionsHeader,
	},
	{
		Path: "/submissions/{id}/measures", Text: "Every measure of every task of a submission: a line for each task and measure, and for each evaluator where the measure is of its replies. State is defined, undefined or not computed.",
		Header: "submission,release,task_id,repository,evaluator,measure,pair,value,state,reason,provenance",
	},
}

// calls are what programs ask besides tables.
var calls = []views.APICall{
	{
		Method: "GET", Path: "/submit/doc-to-code/tasks.jsonl", Text: "A docs.jsonl to fill in: a line for each task of a release, with an empty docstring.",
		Parameters: []views.APIParameter{{Name: "release", Meaning: "name@version; the newest without it"}},
	},
	{
		Method: "GET", Path: "/submit/localization/tasks.jsonl", Text: "Every task of a release of the localization track: its repository, the commit that an agent is given, and its prompts where the release has them.",
		Parameters: []views.APIParameter{{Name: "release", Meaning: "name@version; the newest without it"}},
	},
	{
		Method: "POST", Path: "/api/v1/submissions", Text: "Uploads docstrings or predictions: a form (multipart/form-data) with the file and the other fields; or the file itself as the body, and the fields in the address. " +
			"Answers 201 with the submission, its address in Location, and the report of what was matched.",
		Token: true, Parameters: []views.APIParameter{
			{Name: "file", Meaning: "a docs.jsonl or a predictions.jsonl, plain or packed with gzip or zstd"}, {Name: "track", Meaning: "doc-to-code (without it) or localization"},
			{Name: "system", Meaning: "name of the agent"}, {Name: "prompt, condition", Meaning: "level and condition of predictions that do not name theirs; optional"},
			{Name: "model", Meaning: "that it ran on; optional"}, {Name: "version", Meaning: "of the system; optional"}, {Name: "link", Meaning: "where others find it; optional"},
			{Name: "notes", Meaning: "what others need to know to believe it; public, optional"}, {Name: "release", Meaning: "name@version; the newest without it"},
			{Name: "docs", Meaning: "instead of a file, by operators: original or none, the controls; none is what lifts are measured from"},
			{Name: "confirm", Meaning: "1 queues it at once; without it, it stays a draft that only its owner sees"},
		},
	},
	{Method: "GET", Path: "/submissions/{id}/file", Text: "The file of a submission as it was uploaded."},
	{Method: "GET", Path: "/api/v1/submissions/{id}", Text: "A submission: where it stands, its evaluations with counts of verdicts, tokens and cost, and its scores. Its owner gets the report of the upload, too."},
	{Method: "POST", Path: "/api/v1/submissions/{id}/confirm", Text: "Queues a draft.", Token: true},
	{Method: "POST", Path: "/api/v1/submissions/{id}/cancel", Text: "Ends what is not over. Verdicts stay.", Token: true},
	{Method: "POST", Path: "/api/v1/submissions/{id}/retry", Text: "Queues what failed or was cancelled again, from where it was.", Token: true},
}

const scoresHeader = "release,provenance,rank,tied,system,model,version,control,evaluator,aggregation,k,pass_at_k,low,high,repositories,tasks,coverage,date,submission,leak,leak_flagged,leak_severe,lift,lift_low,lift_high"

const repositoryHeader = "release,provenance,repository,candidates,all_tasks,repository_tasks,stars,forks,system,model,version,control,evaluator,k,pass_at_k,tasks,date,submission"

// api is what programs ask. Its examples name the address by which the reader
// reached the site, so it is not kept for others.
func (s *Site) api(c echo.Context) error {
	board, err := s.Boards.Current(c.Request().Context())
	if err != nil {
		return err
	}
	page := views.APIPage{Page: s.page(c, "API"), Origin: origin(c), Release: "starter%401", Submit: submitCommand(c, board), Addresses: documented, Calls: calls, Statuses: statusTable()}
	page.Page.Description = "Every CSV and JSON address of the site with its parameters and columns, how to submit, and what errors look like."
	if set := newest(board); set != nil {
		page.Release = url.QueryEscape(set.Key)
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-cache")
	return s.render(c, http.StatusOK, views.API(page))
}

func statusTable() views.Table {
	t := views.Table{ID: "statuses", Caption: "Statuses and what they say.", Columns: []views.Column{{Label: "Status"}, {Label: "When"}}}
	group := views.Group{}
	for _, x := range [][2]string{
		{"200", "The rows; none is an empty list, not an error."},
		{"304", "A page has not changed since the ETag that was sent."},
		{"401", "A token is needed, or the one that was given is not known."},
		{"403", "Somebody else’s submission."},
		{"404", "There is no such repository, submission or address."},
		{"413", "An upload is too large."},
		{"422", "A parameter or a file is not as it must be; the answer names field and mend."},
		{"500", "The site failed; the reference finds it in the log."},
	} {
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.TextCell(x[0]), views.TextCell(x[1])}})
	}
	t.Groups = []views.Group{group}
	return t
}
