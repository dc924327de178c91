package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
)

func TestASystemShowsAllItsRows(t *testing.T) {
	r := newReference(t)
	first := r.judge(judgment{system: "Agent", model: "small", version: "1", evaluator: "judge", value: 0.5})
	second := r.judge(judgment{system: "Agent", model: "small", version: "2", evaluator: "judge", value: 0.7})
	r.judge(judgment{system: "Other", evaluator: "judge", value: 0.6})
	waiting, _ := r.queue(judgment{system: "Agent", model: "small", version: "3", evaluator: "judge"})
	path := "/systems/" + benchmark.Slug("Agent", "small")
	page := r.page(path)
	page.has("2 rows in starter@1 (evaluated here).", "Without a result", "version 3", "queued", "it is above the mean of the others on 3 of 3 repositories and below it on 0.")
	table := page.table("rows-table")
	if len(table) != 1+1+2 || !slices.Equal([]string{table[2][0], table[2][1]}, []string{"judge", "version 2"}) || table[3][1] != "version 1" || !strings.HasPrefix(table[2][3], "0.700") || table[2][5] != "1= of 3" && table[2][5] != "1 of 3" {
		t.Errorf("%q", table)
	}
	links := page.links()
	if links["version 1"] != "/submissions/"+first.PublicID || links["version 2"] != "/submissions/"+second.PublicID || links["version 3"] != "/submissions/"+waiting.PublicID ||
		links["Compare its newest row with another"] != "/compare?a="+second.PublicID {
		t.Errorf("%v", links)
	}
	lines := r.file(path + ".csv")
	if len(lines) != 2*3 || len(r.rows("/api/v1"+path)) != len(lines) {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if line["system"] != "Agent" || line["model"] != "small" || line["evaluator"] != "judge" {
			t.Errorf("%v", line)
		}
	}
	if got := r.page("/doc-to-code").part("scores-starter-1").links()["small"]; got != path {
		t.Errorf("the leaderboard leads to %q", got)
	}
	if got := r.page("/doc-to-code").part("scores-starter-1").links()["all its rows"]; got != "/systems/"+benchmark.Slug("Other", "") {
		t.Errorf("without a model it leads to %q", got)
	}
	r.page("/submissions/" + first.PublicID).part("main").has("Agent · small")
}

func TestAPublishedSystemIsStrongWhereItIsAboveTheMeanOfTheOthers(t *testing.T) {
	r := newReference(t)
	path := r.page("/doc-to-code").part("scores-documentation-paper").links()["RepoAgent"]
	page := r.page("/systems/" + benchmark.Slug("RepoAgent", "gpt-5-mini"))
	if !strings.HasPrefix(path, "/systems/repoagent-") {
		t.Errorf("the leaderboard leads to %q", path)
	}
	page.has("1 row in the documentation paper (published).", "as printed")
	table := page.table("standouts-table-documentation-paper")
	if len(table) != 1+1+5+1+5 {
		t.Fatalf("%d lines", len(table))
	}
	// The mean of the four others is taken again from the file of repositories.
	for _, line := range append(slices.Clone(table[2:7]), table[8:]...) {
		own, others := number(t, line[1]), number(t, line[2])
		difference := number(t, strings.NewReplacer("−", "-", "+", "").Replace(line[3]))
		if d := own - others - difference; d > 0.0011 || d < -0.0011 || line[4] != "4" {
			t.Errorf("%q", line)
		}
		var sum float64
		n := 0
		for _, x := range r.file("/doc-to-code/repos.csv?release=documentation-paper&evaluator=gpt-5-mini&k=1") {
			if x["repository"] == line[0] && (x["system"] != "RepoAgent" || x["model"] != "gpt-5-mini") {
				sum += number(t, x["pass_at_k"])
				n++
			}
		}
		if mean := sum / float64(n); n != 4 || mean-others > 0.0006 || others-mean > 0.0006 {
			t.Errorf("%s: the mean of the %d others is %v, the page says %v", line[0], n, mean, others)
		}
	}
	if !strings.HasPrefix(table[2][3], "+") || !strings.HasPrefix(table[8][3], "−") {
		t.Errorf("strongest %q, weakest %q", table[2], table[8])
	}
	r.page("/systems/" + benchmark.Slug("RepoAgent", "gpt-5-mini") + "?evaluator=qwen3-235b-a22b&k=3").has("By pass@3 under qwen3-235b-a22b")
	r.page("/systems/" + benchmark.Slug("RepoAgent", "gpt-5-mini") + "?evaluator=nobody").has("Under nobody there is no pass@1")
}

func TestAnUnknownSystemIsSaidSo(t *testing.T) {
	r := newReference(t)
	for _, address := range []string{"/systems/nobody", "/systems/nobody.csv", "/api/v1/systems/nobody", "/systems/%3Cscript%3E" + strings.Repeat("x", 400)} {
		if body := r.ask(address, http.StatusNotFound); !strings.Contains(body, "No system has the address “") || strings.Contains(body, "<script>") && strings.Contains(body, "“<script>") {
			t.Errorf("%s: %.800s", address, body)
		}
	}
}

func TestASystemsNamesAreTextAndAloneItHasNothingToBeComparedWith(t *testing.T) {
	r := newReference(t)
	name := `<img src=x onerror=alert(1)>` + strings.Repeat("w", 272)
	r.judge(judgment{system: name, model: "ми\u202eр", version: `"><b>`, evaluator: "judge", value: 0.5, samples: 1})
	address := "/systems/" + benchmark.Slug(name, "ми\u202eр")
	if body := r.ask(address, http.StatusOK); strings.Contains(body, "<img") || strings.Contains(body, `"><b>"`) {
		t.Error("markup goes through")
	}
	page := r.page(address)
	page.has(name+" · ми‹U+202E›р", "There is nothing to compare it with here.")
}
