package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"gorm.io/gorm"

	"touchstone/internal/leaderboard/localizationtest"
	"touchstone/internal/localization"
)

// histories are a site with the papers' numbers, a release of the track and one
// system with both arms at all levels.
func histories(t *testing.T, tasks int) (*reference, *localizationtest.Histories) {
	t.Helper()
	r := newReference(t)
	h := localizationtest.New(t, r.db, tasks)
	h.Submit("Finder", "gpt-5-mini", "2", localizationtest.Both())
	r.restart()
	return r, h
}

func TestTheLocalizationPageIsThePapersTables(t *testing.T) {
	r := newReference(t)
	page := r.page("/localization")
	page.has("This site has evaluated nothing on this track so far.", "arXiv:2603.26137v1", "prompt with guidance on the fix", "Submit predictions")
	for id, want := range map[string][][]string{
		"localization-2":           {{"Minimal", "○ published", "0.2202", "0.2569", "0.2026"}, {"Guided", "○ published", "0.8071", "0.8562", "0.8081"}},
		"localization-3":           {{"Minimal", "○ published", "0.1921", "0.2407", "0.1898"}, {"Contextual", "○ published", "0.5106", "0.5909", "0.5062"}},
		"localization-4":           {{"Minimal", "○ published", "0.242", "0.602", "0.144", "0.602"}, {"Guided", "○ published", "0.770", "0.035", "0.598", "0.035"}},
		"files-localization-paper": {{"SWE agent Ops-4.6", "○ published", "baseline", "0.665 0.665, no interval was computed", "0.725", "0.676", "— the paper counts the tasks of React alone: 90", "0.7241", "0.6057", "— the paper gives no date"}},
	} {
		table := page.table(id)
		for _, line := range want {
			if !slices.ContainsFunc(table, func(got []string) bool { return slices.Equal(got, line) }) {
				t.Errorf("%s does not have %q: %q", id, line, table)
			}
		}
	}
	page.part("table-4").has("Notes Table 4. The mean F1 of minimal", "7 of the 12 rates")
	page.part("table-2").hasNot("Note")
}

func TestThePublishedNumbersOfLocalizationAreAFile(t *testing.T) {
	r := newReference(t)
	lines := r.file("/localization/published.csv")
	if len(lines) != 36+36+16 {
		t.Fatalf("%d lines", len(lines))
	}
	first := lines[0]
	if first["provenance"] != "published" || first["repository"] != "DragonFly" || first["metric"] != "recall" || first["value"] != "0.2202" || first["table"] != "2" {
		t.Errorf("%v", first)
	}
	if rows := r.rows("/api/v1/localization/published"); len(rows) != len(lines) || rows[87]["value"] != lines[87]["value"] {
		t.Errorf("JSON has %d rows", len(rows))
	}
}

func TestEvaluatedRowsStandBesidePublishedOnes(t *testing.T) {
	r, _ := histories(t, 20)
	page := r.page("/localization")
	page.hasNot("has evaluated nothing")
	table := page.table("files-histories-1")
	// Contextual: the baseline finds every third task's files, the augmented arm all.
	if len(table) != 3 || !slices.Equal(table[1][:3], []string{"Finder gpt-5-mini version 2", "● evaluated", "augmented"}) || !strings.HasPrefix(table[1][3], "1.000 ±") || table[2][2] != "baseline" || table[1][6] != "30" {
		t.Errorf("%q", table)
	}
	if got := page.links()["Finder"]; got != "/submissions/loc1" {
		t.Errorf("the system leads to %s", got)
	}
	for query, want := range map[string]string{
		"level=all&condition=baseline":       "Finder gpt-5-mini version 2|● evaluated|minimal|baseline",
		"gold=source&level=guided":           "Finder gpt-5-mini version 2|● evaluated|augmented",
		"mean=micro":                         "Finder gpt-5-mini version 2|● evaluated|augmented|1.000",
		"sort=f1&order=asc":                  "Finder gpt-5-mini version 2|● evaluated|baseline",
		"sort=repository:acme/two&order=asc": "Finder gpt-5-mini version 2|● evaluated|baseline",
	} {
		text := fmt.Sprint(r.page("/localization?" + query).table("files-histories-1"))
		if !strings.Contains(text, strings.ReplaceAll(want, "|", " ")) {
			t.Errorf("%s: %q is not in %s", query, want, text)
		}
	}
	r.page("/localization?gold=source").part("files-localization-paper").has("—")
	r.page("/localization?q=nobody").has("No row fits these filters.", "systems that contain “nobody”")
	if got := r.rows("/api/v1/localization?release=histories%401&gold=all&repository=acme%2Ftwo"); len(got) != 8 || got[0]["tasks"] != "10" || got[0]["submission"] != "loc1" {
		t.Errorf("%v", got)
	}
	if all := r.file("/localization.csv"); len(all) != 8*2*3+12*3 {
		t.Errorf("the file has %d lines", len(all))
	}
	for _, wrong := range []string{"level=x", "gold=x", "mean=x", "condition=x", "release=x", "provenance=x"} {
		if text := r.ask("/localization?"+wrong, http.StatusUnprocessableEntity); !strings.Contains(text, "choose") {
			t.Errorf("%s: %.500s", wrong, text)
		}
	}
	home := r.page("/")
	home.part("top-files-histories-1").has("All 2 rows under contextual prompts", "● evaluated")
	home.part("top-localization").has("0.8078")
	home.hasNot("Nothing was evaluated here on this track")

}

func TestARepositoryOfTheTrackHasItsScoresFactsAndTasks(t *testing.T) {
	r, _ := histories(t, 20)
	page := r.page("/localization/repos/acme/one")
	page.part("history-facts").has("histories@1", "2026-01-01 12:00", "000000000000", "120", "60", "22")
	scores := page.table("history-scores")
	if len(scores) != 1+2+8 || scores[2][0] != "Minimal" || scores[2][1] != "baseline" || !strings.HasPrefix(scores[2][2], "0.200 −.150 +.200") || !strings.HasPrefix(scores[2][5], "0.800 −.216 +.119") || scores[2][7] != "20" {
		t.Errorf("%q", scores)
	}
	page.part("trajectories").has("F1 rises with every prompt level for 1 of 2 rows", "Finder · gpt-5-mini, augmented")
	page.part("history-dropped").has("bot", "A program made it")
	tasks := page.table("history-tasks")
	if len(tasks) != 21 || !slices.Equal(tasks[2][:5], []string{"acme__one-2", "2", "2026-01-03 12:00", "2", "1 source, 1 test"}) {
		t.Errorf("%q", tasks[:3])
	}
	if got := page.links()["acme__one-2"]; got != "/localization/tasks/acme__one-2?release=histories%401" {
		t.Errorf("a task leads to %s", got)
	}
	if rows := r.file("/localization/repos/acme/one.csv?gold=all"); len(rows) != 8 || rows[0]["repository"] != "acme/one" {
		t.Errorf("%v", rows)
	}
	if svg := r.ask("/localization/repos/acme/one.svg", http.StatusOK); !strings.HasPrefix(svg, "<svg") {
		t.Errorf("%.100s", svg)
	}
	r.page("/localization/repos/acme/one?condition=baseline").part("history-scores").hasNot("augmented")
	for _, unknown := range []string{"/localization/repos/acme/none", "/localization/repos/acme/none.csv", "/api/v1/localization/repos/psf/requests", "/localization/repos/acme/one?release=localization-paper"} {
		r.ask(unknown, http.StatusNotFound)
	}
}

// A paper names no owner: its own name stands in that place.
func TestARepositoryOfThePaperHasAPage(t *testing.T) {
	r := newReference(t)
	page := r.page("/localization/repos/localization-paper/React")
	page.has("F1 rises with every prompt level for 3 of 3 rows", "90 (section 5.3)", "names no owner")
	if scores := page.table("history-scores"); len(scores) != 1+3*5 || !slices.Equal(scores[2][:5], []string{"Minimal", "baseline", "0.1898 0.1898, no interval was computed", "0.2407", "0.1921"}) {
		t.Errorf("%q", scores)
	}
	if rows := r.file("/localization/repos/localization-paper/React.csv"); len(rows) != 12 || rows[0]["f1"] != "0.8078" {
		t.Errorf("%v", rows)
	}
	r.ask("/localization/repos/localization-paper/Vue", http.StatusNotFound)
}

func TestLevelsAreComparedOverRepositories(t *testing.T) {
	r, _ := histories(t, 20)
	page := r.page("/localization/levels")
	page.part("gains").has("Guided prompts are better than minimal ones for 2 of 2 rows")
	table := page.table("levels-table")
	if !slices.ContainsFunc(table, func(l []string) bool {
		return slices.Equal(l, []string{"Finder gpt-5-mini version 2", "baseline", "0.200", "0.250", "0.350", "0.500", "+0.300"})
	}) {
		t.Errorf("%q", table)
	}
	page = r.page("/localization/levels?release=localization-paper")
	page.has("+0.5129", "Unweighted mean of the repositories", "of which it prints no intervals")
	rows := r.file("/localization/levels.csv?gold=all&release=histories%401")
	if len(rows) != 2*3 || rows[0]["repository"] != "" || rows[0]["gain_low"] == "" || rows[2]["repository"] != "acme/one" {
		t.Errorf("%v", rows)
	}
	if svg := r.ask("/localization/levels.svg", http.StatusOK); !strings.Contains(svg, "guided minus minimal") {
		t.Errorf("%.300s", svg)
	}
}

func TestExtremeOutcomesAreSharesWithIntervals(t *testing.T) {
	r, _ := histories(t, 20)
	page := r.page("/localization/extremes?repository=acme%2Fone&condition=baseline")
	table := page.table("extremes-table")
	if len(table) != 1+1+4 || table[5][0] != "Guided" || table[5][1] != "0.500" || !strings.HasPrefix(table[5][4], "0.500 ±") {
		t.Errorf("%q", table)
	}
	page.part("f1-loc1-baseline").has("Finder · gpt-5-mini, baseline finds nothing on 80 % of tasks under minimal prompts, on 50 % under guided ones")
	page.part("compared").has("Second: Finder · gpt-5-mini, version 2: guided, baseline. Both on the same 20 tasks.", "80.0 % of the first’s tasks, 50.0 % of the second’s", "McNemar", "Kolmogorov–Smirnov", "Cliff’s δ")
	page = r.page("/localization/extremes?a=loc1:guided:baseline&b=loc1:guided:augmented")
	page.part("compared").has("First: Finder · gpt-5-mini, version 2: guided, baseline.", "chance alone would seldom do that")
	r.ask("/localization/extremes?a=nobody", http.StatusUnprocessableEntity)
	if rows := r.file("/localization/extremes.csv?gold=all&repository=acme%2Fone"); len(rows) != 8*4 || rows[31]["level"] != "minimal" || rows[28]["outcome"] != "P=0" || rows[28]["count"] != "16" || rows[28]["low"] == "" {
		t.Errorf("%v", rows[0])
	}
	if svg := r.ask("/localization/extremes.svg?submission=loc1&condition=baseline", http.StatusOK); !strings.HasPrefix(svg, "<svg") {
		t.Errorf("%.100s", svg)
	}
	r.ask("/localization/extremes.svg?submission=loc9", http.StatusNotFound)
	newReference(t).page("/localization/extremes").has("Of no system the single tasks are known.", "0.602")
}

func TestTheTwoArmsAreComparedInWordsAndTests(t *testing.T) {
	r, _ := histories(t, 40)
	page := r.page("/localization/ab?repository=acme%2Fone")
	page.part("forest").has("Knowledge raises F1 more than chance would in 3 of 4 comparisons", "Minimal", "[+")
	page.part("words").has("Contextual prompts: with knowledge, Finder · gpt-5-mini finds files with a mean F1 of 1.000 instead of 0.350: better by 0.650",
		"paired bootstrap over 40 tasks", "On 26 tasks it is better, on 0 worse, on 14 the same.", "in any of the 4 comparisons of this page", "seldom enough to say that knowledge made the difference",
		"Every changed file is found: 40 tasks instead of 14; knowledge brings 26 to it and takes 0 from it (McNemar, adjusted, p < 0.0005: chance alone would seldom do that)")
	if tests := page.table("contrast-tests"); len(tests) != 5 || tests[3][1] != "contextual" || tests[3][3] != "26" || tests[3][6] != "< 0.0005" {
		t.Errorf("%q", tests)
	}
	if outcomes := page.table("contrast-outcomes"); len(outcomes) != 1+16 {
		t.Errorf("%d outcomes", len(outcomes))
	}
	r.page("/localization/ab").has("intervals and tests are of 2 differences", "With 2 repositories nothing can be significant",
		"With knowledge mean F1 is higher in 4 of 4 comparisons; 2 repositories are too few to tell that from chance")
	page = r.page("/localization/ab?repository=acme%2Fone&system=loc1&level=minimal")
	tasks := page.table("contrast-tasks")
	if len(tasks) != 41 || tasks[1][4] != "+1.000" && tasks[1][4] != "−1.000" || tasks[1][1] != "acme/one" {
		t.Errorf("%q", tasks[:2])
	}
	r.ask("/localization/ab?system=nobody", http.StatusUnprocessableEntity)
	for _, path := range []string{"/localization/ab", "/localization/ab.csv", "/localization/extremes"} {
		if text := r.ask(path+"?repository=acme%2Fnowhere", http.StatusUnprocessableEntity); !strings.Contains(text, "acme/nowhere") {
			t.Errorf("%s does not say what is not there: %.600s", path, text)
		}
	}
	if rows := r.file("/localization/ab.csv?repository=acme%2Fone"); len(rows) != 4 || rows[2]["better"] != "26" || rows[2]["family"] != "4" || rows[2]["exact_gained"] != "26" {
		t.Errorf("%v", rows)
	}
	if svg := r.ask("/localization/ab.svg?repository=acme%2Fone", http.StatusOK); !strings.Contains(svg, "augmented minus baseline") {
		t.Errorf("%.300s", svg)
	}
}

func TestWithoutBothArmsThePageSaysHowToUploadThem(t *testing.T) {
	r := newReference(t)
	r.page("/localization/ab").has("No system has both arms yet.", "Submit predictions", "touchstone localization predict --release DIR --agent bm25+history")
	r.page("/localization/ab?release=localization-paper").has("The paper reports the baseline alone.")
	r.ask("/localization/ab.svg", http.StatusNotFound)
	if rows := r.file("/localization/ab.csv"); len(rows) != 0 {
		t.Errorf("%v", rows)
	}
}

func TestATaskHasItsPromptsFilesAndAnswers(t *testing.T) {
	r, _ := histories(t, 20)
	page := r.page("/localization/tasks/acme__one-2")
	page.part("prompts").has("Minimal 2 words Fix <b>parsing</b>", "Guided")
	page.part("gold").has("src/f1.go source 2 of 8", "test/t1.go test 2 of 8", "1 file that it adds", "src/new.go")
	answers := page.table("answers-table")
	if len(answers) != 9 || answers[1][3] != "1.000" || !strings.Contains(answers[1][7], "✓ src/f1.go source") || !strings.Contains(answers[8][7], "src/wrong.go") {
		t.Errorf("%q", answers)
	}
	if got := page.links()["#2"]; got != "https://github.com/acme/one/pull/2" {
		t.Errorf("the pull request leads to %q", got)
	}
	if _, linked := r.page("/localization/tasks/acme__two-2").links()["#2"]; linked {
		t.Error("a folder is taken for a forge")
	}
	if rows := r.rows("/api/v1/localization/tasks/acme__one-2?condition=augmented"); len(rows) != 4 || rows[0]["found_files"] == "" || rows[0]["level"] != "minimal" {
		t.Errorf("%v", rows)
	}
	if rows := r.file("/localization/tasks/acme__one-2.csv"); len(rows) != 8 {
		t.Errorf("%d rows", len(rows))
	}
	r.ask("/localization/tasks/acme__one-999", http.StatusNotFound)
	r.ask("/localization/tasks/acme__one-2?release=localization-paper", http.StatusNotFound)

}

// A release may ship facts alone.
func TestWithoutPromptsTheTaskSaysHowToRebuildThem(t *testing.T) {
	r, _ := histories(t, 8)
	r.check(r.db.Write(t.Context(), func(tx *gorm.DB) error { return tx.Exec("UPDATE localization_tasks SET prompts = '{}'").Error }))
	r.restart()
	r.page("/localization/tasks/acme__one-1").has("This release ships facts alone", "touchstone localization build --repo CLONE --name acme/one --t0 2026-01-01T12:00:00Z")
}

// Names come from outside.
func TestNamesOnThePagesOfTheTrackAreText(t *testing.T) {
	r, h := histories(t, 8)
	name := `<script>alert("x")</script>` + strings.Repeat("very long ", 30)
	h.Submit(name, "<b>model</b>", "<i>1</i>", localizationtest.Answers{
		{Level: localization.Contextual, Condition: localization.Baseline}:  func(localization.Task) []string { return []string{"<img src=x>", strings.Repeat("a/", 200) + "b.go"} },
		{Level: localization.Contextual, Condition: localization.Augmented}: localizationtest.Right,
	})
	r.restart()
	for _, path := range []string{"/", "/localization", "/localization/levels", "/localization/extremes", "/localization/ab", "/localization/ab?system=loc2", "/localization/repos/acme/one", "/localization/tasks/acme__one-1",
		"/localization/ab.svg", "/localization/levels.svg", "/localization/repos/acme/one.svg", "/localization/extremes.svg?submission=loc2&condition=baseline"} {
		text := r.ask(path, http.StatusOK)
		for _, tag := range []string{"<script>alert", "<b>model", "<i>1", "<img src"} {
			if strings.Contains(text, tag) {
				t.Errorf("%s holds %s", path, tag)
			}
		}
	}
}

// One row, and a thousand.
func TestThePagesOfTheTrackHoldOneRowAndAThousand(t *testing.T) {
	paths := []string{"/localization?level=all", "/localization/levels", "/localization/extremes", "/localization/ab", "/localization/repos/acme/one", "/localization/tasks/acme__one-1"}
	r := newReference(t)
	h := localizationtest.New(t, r.db, 8)
	h.Submit("One", "", "", localizationtest.Answers{{Level: localization.Guided, Condition: localization.Baseline}: localizationtest.Every(1)})
	r.restart()
	for _, path := range paths {
		r.page(path).hasNot("NaN")
	}
	both := h.Submit("Agent 000", "", "1", localizationtest.Both())
	for i := range 124 {
		h.Repeat(both, fmt.Sprintf("Agent %03d", i+1), "", "1")
	}
	r.restart()
	r.page("/localization?level=all").has("1–50 of 1,013 rows")
	for _, path := range paths {
		began := time.Now()
		page := r.page(path)
		if n := len(page.all(func(n *html.Node) bool { return n.Data == "tr" })); n > 450 {
			t.Errorf("%s has %d lines", path, n)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s took %s", path, took)
		}
	}
	if all := r.file("/localization.csv?release=histories%401&gold=all"); len(all) != 1001*3 {
		t.Errorf("the file has %d lines", len(all))
	}
}

func TestTheLocalizationPageUsesNoUnfinishedWords(t *testing.T) {
	r, _ := histories(t, 8)
	for _, path := range []string{"/localization", "/localization/levels", "/localization/extremes", "/localization/ab", "/localization/repos/acme/one", "/localization/tasks/acme__one-1"} {
		text := strings.ToLower(r.page(path).text())
		for _, word := range []string{"coming soon", "placeholder", "not implemented", "under construction", "%!"} {
			if strings.Contains(text, word) {
				t.Errorf("%s says %q", path, word)
			}
		}
	}
}
