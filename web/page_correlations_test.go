package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"touchstone/data"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
)

func TestEveryMeasureStandsAgainstPassAtK(t *testing.T) {
	r := &reference{T: t, site: measured(t, 84, "Agent", "Other")}
	page := r.page(correlationsPath)
	part := page.part("correlations")
	part.has(measuresOf("")+", ", "goes most closely with pass@1 under judge: r = ", "Pearson's correlation of each measure with pass@k; a point is a task of a submission.",
		"Repositories are drawn anew 10,000 times (seed 1)", "2 submissions over 28 repositories", "the repository's own docstring and the submitted one")
	rows := page.table("correlations-table")
	if len(rows) != 1+len(measures.Pairs)+len(measures.Catalogue) {
		t.Errorf("%d lines", len(rows))
	}
	lines := r.file(part.links()["Download CSV"])
	if len(lines) != 2*len(measures.Catalogue) || len(r.rows("/api/v1"+correlationsPath)) != len(lines) {
		t.Fatalf("%d lines in the file", len(lines))
	}
	for _, line := range lines {
		if line["release"] != "measured@1" || line["method"] != "pearson" || line["unit"] != "task" || line["value"] == "" || line["low"] == "" || line["interval"] != "bootstrap" || line["resamples"] != "10000" || line["submissions"] != "s0 s1" {
			t.Fatalf("%v", line)
		}
		var value, low, high float64
		if _, err := fmt.Sscan(line["value"], &value); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscan(line["low"]+" "+line["high"], &low, &high); err != nil || low > value || high < value {
			t.Errorf("%v", line)
		}
	}
	// A cell leads to its points, which are as many as it says.
	cell := page.part("correlations-table").all(func(n *node) bool {
		return strings.HasPrefix(attribute(n, "aria-label"), "BLEU, doc-doc and pass@3 under judge: ")
	})
	if len(cell) != 1 {
		t.Fatalf("%d cells", len(cell))
	}
	pair := r.page(attribute(cell[0], "href"))
	pair.has("BLEU, doc-doc and pass@3 under judge", "n "+lines[1]["points"])
	if points := r.file(pair.part("points").links()["Download CSV"]); fmt.Sprint(len(points)) != lines[1]["points"] || points[0]["y"] != "pass@3:judge" {
		t.Errorf("%d points, want %s", len(points), lines[1]["points"])
	}
}

// measuresOf is how a finding counts the measures of a pair of texts, or all.
func measuresOf(p measures.Pair) string {
	n := 0
	for _, m := range measures.Catalogue {
		if p == "" || m.Pair == p {
			n++
		}
	}
	return fmt.Sprintf("Of %d measures", n)
}

func TestATableOfCorrelationsIsWhatItsAddressAsksFor(t *testing.T) {
	r := &reference{T: t, site: measured(t, 56, "Agent", "Other", "Third")}
	for query, want := range map[string][]string{
		"?method=spearman&unit=repository": {"Spearman's rank correlation", "a point is a mean of a submission over a repository", "ρ = "},
		"?method=kendall&pair=doc":         {measuresOf(measures.Doc), "τ = ", "Kendall's tau-b"},
		"?unit=system":                     {"no interval", "submissions are taken to be independent of each other", "n 3"},
		"?columns=all&pair=doc-doc":        {"every metric with every other, under judge", "sacreBLEU, doc-doc"},
		"?submission=s1&submission=s0":     {"2 are chosen", "2 submissions", "those that were chosen"},
		"?evaluator=judge&pair=code-code":  {"the original body and the bodies that the evaluator wrote", measuresOf(measures.CodeCode)},
	} {
		page := r.page(correlationsPath + query)
		page.has(want...)
		page.has("Clear the filters")
		asked, err := url.ParseQuery(strings.TrimPrefix(query, "?"))
		r.check(err)
		file, err := url.Parse(page.part("correlations-table").links()["Download CSV"])
		r.check(err)
		for name := range asked {
			if got := file.Query()[name]; strings.Join(got, " ") != strings.Join(asked[name], " ") {
				t.Errorf("%s: the file is asked for %s=%q", query, name, got)
			}
		}
		if len(r.file(file.String())) == 0 {
			t.Errorf("%s: the file is empty", query)
		}
	}
	for query, want := range map[string]string{"?method=phi": "choose pearson, spearman or kendall", "?unit=file": "choose task, repository or system", "?pair=x": "choose doc-doc", "?submission=nobody": "leave it out",
		"?release=no%401": "there is no", "?evaluator=nobody": "nothing was judged by"} {
		for _, path := range []string{"", ".csv", "/pair", "/pair.csv", "/pair.svg"} {
			if body := r.ask(correlationsPath+path+query, http.StatusUnprocessableEntity); !strings.Contains(body, want) {
				t.Errorf("%s: %q is not in %.1500s", path+query, want, body)
			}
		}
	}
}

func TestTheTableSaysWhyItIsEmpty(t *testing.T) {
	empty := emptyReference(t)
	for _, path := range []string{correlationsPath, pairPath} {
		empty.page(path).has("No release is known yet.", importCommand)
		if lines := empty.file(path + ".csv"); len(lines) != 0 {
			t.Errorf("%v", lines)
		}
	}
	empty.ask(pairPath+".svg", http.StatusNotFound)

	published := emptyReference(t)
	published.check(evaluation.ImportPublished(t.Context(), published.db, data.Published()))
	published.restart()
	for _, path := range []string{correlationsPath, pairPath} {
		published.page(path).has("Only published rows are here.", "A paper prints means")
	}

	r := newReference(t)
	r.page(correlationsPath).has("No submission has been evaluated on starter@1 yet.")
	r.page(correlationsPath+"?release=documentation-paper").has("Only published rows are here.", "Show starter@1")
	r.judge(judgment{system: "Agent", evaluator: "stub", kind: "control", value: 0.1})
	r.page(correlationsPath).has("Only control evaluators have judged on starter@1 so far.")
	sub := r.judge(judgment{system: "Agent", evaluator: "judge", value: 0.5})
	page := r.page(correlationsPath)
	page.has(measuresOf("")+", none has a correlation with pass@1 under judge.", "no values", leaderboard.Waiting)
	r.page(pairPath+"?submission="+sub.PublicID).has("No point has a value of both.", leaderboard.Waiting)
	r.ask(pairPath+".svg", http.StatusNotFound)
}

func TestOneSubmissionHasNoCorrelationOfSystems(t *testing.T) {
	r := &reference{T: t, site: measured(t, 28, "Agent")}
	r.page(correlationsPath+"?unit=system").has("undefined", "there are fewer than two points", "none has a correlation")
	r.page(pairPath+"?unit=system").has("have no correlation: there are fewer than two points", "No line is drawn through fewer than 10 points.")
}

func TestAFormOffersSoManySubmissions(t *testing.T) {
	set := &leaderboard.Set{Key: "x@1", Matrix: &leaderboard.Matrix{}}
	for i := range 1000 {
		set.Matrix.Rows = append(set.Matrix.Rows, &leaderboard.MatrixRow{Row: &leaderboard.Row{System: fmt.Sprint("Agent ", i), Submission: fmt.Sprint("s", i)}})
	}
	b := correlationRequest{set: set}.boxes()
	if len(b.Options) != boxesMost || !strings.Contains(b.Hint, "The first 200 are offered here") {
		t.Errorf("%d options, %q", len(b.Options), b.Hint)
	}
}

func TestTheLeaderboardLeadsToTheCorrelations(t *testing.T) {
	if got := newReference(t).page("/doc-to-code").links()["Correlations with other measures"]; got != correlationsPath {
		t.Errorf("it leads to %q", got)
	}
}
