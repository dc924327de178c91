package web

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/store"
)

func compareQuery(a, b string, more ...string) string {
	return "?" + url.Values{"a": {a}, "b": {b}}.Encode() + strings.Join(more, "")
}

const (
	repoAgentGPT = "paper:RepoAgent/gpt-5-mini"
	osaGPT       = "paper:OSA/gpt-5-mini"
)

// The paper's own fact: +0.023 [−0.016, 0.062], not significant.
func TestTheBestRowsOfThePaperCannotBeToldApart(t *testing.T) {
	r := newReference(t)
	page := r.page("/compare" + compareQuery(repoAgentGPT, osaGPT, "&evaluator=gpt-5-mini&k=1"))
	page.has("RepoAgent · gpt-5-mini is 0.023 better than OSA · gpt-5-mini by pass@1 under gpt-5-mini; the 95 % interval from −0.016 to 0.062 includes 0: chance may have put them apart.",
		"over the 28 repositories that both have", "Not computed: the paper prints no number for a single task.")
	if got := row(t, page.table("overall-table"), "Difference, first minus second"); !strings.HasPrefix(got[2], "+0.023 ±.039") || !strings.Contains(got[2], "−0.016 to +0.062") {
		t.Errorf("%q", got)
	}
	if table := page.table("repositories-table"); len(table) != 1+28 || !strings.HasPrefix(table[1][3], "+") || !strings.HasPrefix(table[28][3], "−") {
		t.Errorf("the repositories do not run from the best to the worst: %q", table)
	}
	all := r.file("/compare.csv" + compareQuery(repoAgentGPT, osaGPT))[0]
	for name, want := range map[string]float64{"difference": 0.023, "low": -0.016, "high": 0.062} {
		if got := number(t, all[name]); math.Abs(got-want) > 0.0005 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if number(t, all["sign_flip_p"]) < 0.05 || number(t, all["wilcoxon_p"]) < 0.05 || all["mcnemar_p"] != "" {
		t.Errorf("tests: %v", all)
	}
	page = r.page("/compare" + compareQuery(repoAgentGPT, "paper:default"))
	page.has("RepoAgent · gpt-5-mini is 0.199 better than default", "the 95 % interval from 0.147 to 0.251 excludes 0: chance alone would seldom put them so far apart.", "< 0.0005")
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatalf("%q is no number", text)
	}
	return v
}

func TestTheOtherWayRoundEveryDifferenceIsNegated(t *testing.T) {
	r := newReference(t)
	a, b, _ := r.duel()
	for _, pair := range [][2]string{{repoAgentGPT, osaGPT}, {repoAgentGPT, "paper:default"}, {a.PublicID, b.PublicID}} {
		one, other := r.file("/compare.csv"+compareQuery(pair[0], pair[1])), r.file("/compare.csv"+compareQuery(pair[1], pair[0]))
		if len(one) != len(other) {
			t.Fatalf("%d and %d lines", len(one), len(other))
		}
		for i := range one {
			x, y := one[i], other[i]
			for _, names := range [][2]string{{"difference", "difference"}, {"low", "high"}, {"high", "low"}, {"d_z", "d_z"}} {
				if x[names[0]] == "" && y[names[1]] == "" {
					continue
				}
				if number(t, x[names[0]]) != -number(t, y[names[1]]) {
					t.Errorf("%s %s: %s is %s, the other way round %s", x["repository"], x["task_id"], names[0], x[names[0]], y[names[1]])
				}
			}
			for _, names := range [][2]string{{"a_pass_at_k", "b_pass_at_k"}, {"a_better", "b_better"}, {"only_a_first_sample", "only_b_first_sample"}, {"equal", "equal"},
				{"sign_flip_p", "sign_flip_p"}, {"wilcoxon_p", "wilcoxon_p"}, {"mcnemar_p", "mcnemar_p"}} {
				if x[names[0]] != y[names[1]] {
					t.Errorf("%s %s: %s is %s, the other way round %s", x["repository"], x["task_id"], names[0], x[names[0]], y[names[1]])
				}
			}
		}
	}
	page := r.page("/compare" + compareQuery(osaGPT, repoAgentGPT))
	page.has("RepoAgent · gpt-5-mini is 0.023 better than OSA · gpt-5-mini")
	if got := row(t, page.table("overall-table"), "Difference, first minus second"); !strings.HasPrefix(got[2], "−0.023") {
		t.Errorf("%q", got)
	}
	if back := page.links()["The other way round"]; back != "/compare?"+strings.TrimPrefix(compareQuery(repoAgentGPT, osaGPT, "&evaluator=gpt-5-mini&k=1"), "?") {
		t.Errorf("%q", back)
	}
}

func TestARowBesideItselfDiffersNowhere(t *testing.T) {
	r := newReference(t)
	a, _, _ := r.duel()
	for _, key := range []string{repoAgentGPT, a.PublicID} {
		r.page("/compare"+compareQuery(key, key)).has("stands here beside itself: every difference is 0.", "undefined, all differences are the same")
		for _, line := range r.file("/compare.csv" + compareQuery(key, key)) {
			if line["difference"] != "" && number(t, line["difference"]) != 0 {
				t.Errorf("%v", line)
			}
		}
		all := r.file("/compare.csv" + compareQuery(key, key))[0]
		if all["sign_flip_p"] != "1.000000" || all["wilcoxon_p"] != "1.000000" || number(t, all["low"]) != 0 || number(t, all["high"]) != 0 {
			t.Errorf("%v", all)
		}
	}
}

// duel is two submissions with a verdict for each sample: of three samples of a
// task, as many as said pass, the first ones first. Of the tasks of the release,
// in its order, the first twelve pass for one alone, the next four for the
// other alone, then one has no first verdict for the second, and the others
// pass for both.
func (r *reference) duel() (first, second store.Submission, tasks []store.Task) {
	r.Helper()
	ctx := r.Context()
	tasks, err := r.db.Tasks(ctx, r.release().ID)
	r.check(err)
	passed := func(who, i int) int {
		switch {
		case i < 12:
			return []int{3, 0}[who]
		case i < 16:
			return []int{0, 2}[who]
		}
		return 3
	}
	var subs [2]store.Submission
	for who := range subs {
		sub, e := r.queue(judgment{system: "Duellist", model: fmt.Sprint("model ", who), evaluator: "judge"})
		units, err := r.db.ReadyUnits(ctx, e.ID, store.StageGenerate, e.CreatedAt.AddDate(1, 0, 0), nil, 10)
		r.check(err)
		f := store.Finish{}
		var verdicts []store.Verdict
		sums := map[uint64]float64{}
		counts := map[uint64]int{}
		for i, task := range tasks {
			n := 3
			for j := range 3 {
				v := store.Verdict{EvaluationID: e.ID, TaskID: task.ID, Sample: j, Verdict: benchmark.Failed, Strategy: "swapped"}
				if j < passed(who, i) {
					v.Verdict = benchmark.Passed
				}
				if who == 1 && i == 16 && j == 0 {
					v.Verdict = benchmark.InfraError
					n = 2
				}
				verdicts = append(verdicts, v)
			}
			f.Tasks = append(f.Tasks, store.TaskScore{EvaluationID: e.ID, TaskID: task.ID, RepositoryID: task.RepositoryID, Samples: n, Passed: min(n, passed(who, i))})
			sums[task.RepositoryID] += float64(min(n, passed(who, i))) / float64(n)
			counts[task.RepositoryID]++
		}
		r.check(r.db.Replied(ctx, units[0].ID, nil, 0))
		r.check(r.db.Executed(ctx, units[0].ID, verdicts))
		for id, sum := range sums {
			for k := 1; k <= 3; k++ {
				f.Repositories = append(f.Repositories, store.RepositoryScore{EvaluationID: e.ID, RepositoryID: id, K: k, Value: sum / float64(counts[id]), Tasks: counts[id]})
			}
		}
		f.Scores = []store.Score{{EvaluationID: e.ID, Aggregation: store.ByRepository, K: 1, Value: 0.5, Repositories: len(sums), Tasks: len(tasks)}}
		r.check(r.db.FinishEvaluation(ctx, e.ID, f))
		subs[who] = sub
	}
	r.restart()
	return subs[0], subs[1], tasks
}

func TestTwoSubmissionsAreComparedTaskByTask(t *testing.T) {
	r := newReference(t)
	a, b, tasks := r.duel()
	page := r.page("/compare" + compareQuery(a.PublicID, b.PublicID))
	rest := len(tasks) - 17
	page.has("Duellist · model 0 is better on 12 tasks, Duellist · model 1 on 4 tasks",
		fmt.Sprintf("The first sample passed for both on %d tasks, for neither on 0, for Duellist · model 0 alone on 12, and for Duellist · model 1 alone on 4; 1 task has no verdict of it for one of them.", rest))
	if got := row(t, page.table("tests-table"), "McNemar, exact"); got[2] != "16" || got[3] != "0.077" || !strings.Contains(got[1], "first row alone on 12 tasks, for the second alone on 4 tasks") {
		t.Errorf("%q", got)
	}
	alone := page.part("alone-table")
	links := 0
	for _, address := range alone.links() {
		if strings.HasPrefix(address, "/submissions/"+a.PublicID+"/tasks/") && strings.HasSuffix(address, "?evaluator=judge") {
			links++
		}
	}
	if table := page.table("alone-table"); links == 0 || !slices.ContainsFunc(table, func(l []string) bool {
		return len(l) == 4 && l[1] == "the second" && l[2] == "0 of 3" && l[3] == "2 of 3"
	}) {
		t.Errorf("%d links in %q", links, table)
	}
	lines := r.file("/compare.csv" + compareQuery(a.PublicID, b.PublicID))
	if n := len(lines); n != 1+len(r.release().Repositories)+len(tasks) {
		t.Errorf("%d lines", n)
	}
	if all := lines[0]; all["a_better"] != "12" || all["b_better"] != "4" || all["only_a_first_sample"] != "12" || all["mcnemar_p"] != "0.076813" || all["tasks"] != strconv.Itoa(len(tasks)) {
		t.Errorf("%v", all)
	}
	if rows := r.rows("/api/v1/compare" + compareQuery(a.PublicID, b.PublicID)); len(rows) != len(lines) || rows[0]["difference"] != lines[0]["difference"] {
		t.Errorf("JSON: %v", rows[0])
	}
	// With three samples the task of which two count has no pass@3.
	r.page("/compare" + compareQuery(a.PublicID, b.PublicID, "&k=3")).has(fmt.Sprintf("1 task of %d left out: fewer than 3 samples count for one of the two.", len(tasks)))
	if got := tooFewSamples(1); got != "no sample counts" {
		t.Errorf("without a sample: %q", got)
	}
}

func TestWhatCannotBeComparedIsSaidInWords(t *testing.T) {
	r := newReference(t)
	sub := r.judge(judgment{system: "Agent", evaluator: "gpt-5-mini", value: 0.5})
	lone := r.judge(judgment{system: "Lone", evaluator: "judge", value: 0.5})
	hostile := `"><script>alert(1)</script>`
	for _, c := range []struct{ query, want, field string }{
		{compareQuery("paper:Nobody", osaGPT), "First row: no row of the leaderboard is “paper:Nobody”; choose one of the list", "a"},
		{compareQuery(osaGPT, "x"), "Second row: no row of the leaderboard is “x”", "b"},
		{"?a=x", "First row: no row of the leaderboard is “x”", "a"},
		{compareQuery(hostile, osaGPT), "no row of the leaderboard is “" + hostile + "”", "a"},
		{compareQuery(repoAgentGPT, sub.PublicID), "have no repository in common, so nothing pairs them; choose two rows of one release or paper", "b"},
		{compareQuery(repoAgentGPT, lone.PublicID), "no evaluator judged both: RepoAgent · gpt-5-mini was judged by gpt-5-mini and qwen3-235b-a22b, Lone by judge", "b"},
		{compareQuery(repoAgentGPT, osaGPT, "&evaluator=judge"), "Evaluator: “judge” did not judge both; choose gpt-5-mini or qwen3-235b-a22b", "evaluator"},
		{compareQuery(repoAgentGPT, osaGPT, "&k=2"), "k: there is no pass@2 of both under gpt-5-mini; choose k = 1, 3", "k"},
		{compareQuery(repoAgentGPT, osaGPT, "&k=x"), "k: is not a number from 1 on", "k"},
	} {
		body := r.ask("/compare"+c.query, http.StatusUnprocessableEntity)
		if !strings.Contains(html.UnescapeString(body), c.want) || strings.Contains(body, "<script>alert") || !strings.Contains(body, `name="a"`) {
			t.Errorf("%s: %q is not in %.3000s", c.query, c.want, body)
		}
		if c.query == "?a=x" {
			continue // a file needs both
		}
		var p problem
		r.check(json.Unmarshal([]byte(r.ask("/api/v1/compare"+c.query, http.StatusUnprocessableEntity)), &p))
		if p.Field != c.field || p.Do == "" {
			t.Errorf("%s: %+v", c.query, p)
		}
	}
	r.ask("/compare.csv?a="+osaGPT, http.StatusUnprocessableEntity)
}

func TestTheFormOffersEveryRow(t *testing.T) {
	r := newReference(t)
	odd := r.judge(judgment{system: "<b>Odd</b> / \u202e100% " + strings.Repeat("n", 300), model: "a/b", evaluator: "judge", value: 0.5})
	r.judge(judgment{system: "Agent", evaluator: "judge", value: 0.4})
	page := r.page("/compare")
	page.has("Choose two rows.", "RepoAgent · gpt-5-mini (documentation paper)", "<b>Odd</b> / ‹U+202E›100% nnn", "…", "Agent (starter@1, sub1)")
	r.page("/compare?a=" + odd.PublicID).has("Choose two rows.")
	r.page("/compare"+compareQuery(odd.PublicID, "sub1")).has("<b>Odd</b> / ‹U+202E›100%", "is 0.100 better than Agent", "excludes 0")
	emptyReference(t).page("/compare").has("There is no row to compare yet.", "Submit docstrings")
}

func TestRowsOfDifferentSetsAreComparedWithAWarning(t *testing.T) {
	r := newReference(t)
	r.addRelease("pilot", nil, requests)
	sub := r.judge(judgment{system: "Agent", evaluator: "gpt-5-mini", value: 0.5})
	r.page("/compare"+compareQuery(repoAgentGPT, sub.PublicID)).has("RepoAgent · gpt-5-mini is 0.340 better than Agent by pass@1 under gpt-5-mini; there is no interval: with one repository it is unknown how much repositories differ.",
		"The rows are of different sets, documentation paper and pilot@1", "27 repositories are left out: only RepoAgent · gpt-5-mini has a score there.")
}
