package web

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"touchstone/internal/leaderboard"
	"touchstone/views"
)

type node = html.Node

func TestEveryPointLeadsToItsEvidence(t *testing.T) {
	r := &reference{T: t, site: measured(t, 56, "Agent", "Other")}
	for unit, want := range map[string]string{"task": "/submissions/s0/tasks/owner/repository-00:a.py::f0?evaluator=judge", "repository": "/submissions/s0/tasks?repository=owner%2Frepository-00", "system": "/submissions/s0"} {
		query := "?x=sacrebleu_doc_doc&unit=" + unit
		page := r.page(pairPath + query)
		points := page.withClass("point")
		lines := r.file(pairPath + ".csv" + query)
		if len(points) != len(lines) || len(points) == 0 {
			t.Fatalf("%s: %d points are drawn, %d are in the file", unit, len(points), len(lines))
		}
		found := false
		for _, p := range points {
			if attribute(p, "href") == want && strings.HasPrefix(attribute(p, "data-tip"), "Agent · model\n") {
				found = true
			}
		}
		// The first task may be one without a value.
		if !found && unit != "task" {
			t.Errorf("%s: no point leads to %s", unit, want)
		}
		if first := attribute(points[0], "href"); unit == "task" && (!strings.HasPrefix(first, "/submissions/s0/tasks/owner/repository-0") || !strings.HasSuffix(first, "?evaluator=judge")) {
			t.Errorf("the first point leads to %s", first)
		}
		if table := page.table("points-table"); len(table) != 1+min(scatterRows, len(lines)) {
			t.Errorf("%s: %d lines in the table", unit, len(table))
		}
	}
}

func TestThousandsOfPointsAreSampledAndSaidToBe(t *testing.T) {
	var systems []string
	for i := range 12 {
		systems = append(systems, fmt.Sprint("Agent ", i))
	}
	r := &reference{T: t, site: measured(t, 112, systems...)}
	page := r.page(pairPath + "?x=words")
	lines := r.file(pairPath + ".csv?x=words")
	if len(lines) < 1000 {
		t.Fatalf("%d points", len(lines))
	}
	if got := len(page.withClass("point")); got != scatterMost {
		t.Errorf("%d points are drawn", got)
	}
	page.has("Drawn are 600 of them, chosen at random (seed 1); all numbers are over all.", "The first 100 of "+views.Count(len(lines))+" points", "and 4 others; colours repeat after eight")
	if a, b := r.ask(pairPath+".svg?x=words", http.StatusOK), r.ask(pairPath+".svg?x=words", http.StatusOK); a != b || strings.Count(a, `class="point series-`) != scatterMost {
		t.Error("the file is another one each time, or has other points")
	}
}

func TestAPairBearsAnyName(t *testing.T) {
	hostile := `<script>alert("x")</script>` + "\x07"
	r := &reference{T: t, site: measured(t, 28, hostile, strings.Repeat("n", 300))}
	for _, address := range []string{pairPath, pairPath + ".svg", correlationsPath} {
		if body := r.ask(address, http.StatusOK); strings.Contains(body, "<script>alert") || !strings.Contains(body, "&lt;script&gt;alert") {
			t.Errorf("%s: the name is not there, or it is markup", address)
		}
	}
	for _, query := range []string{"?x=<script>", "?x=pass@1", "?y=words:judge", "?x=bleu_code_code", "?y=pass@1:nobody", "?y=pass@99:judge", "?x=" + strings.Repeat("x", 2000)} {
		if body := r.ask(pairPath+strings.ReplaceAll(query, "<script>", "%3Cscript%3E"), http.StatusUnprocessableEntity); strings.Contains(body, "<script>&") {
			t.Errorf("%s", body)
		}
	}
}

func TestALineIsDrawnWhereItMeansSomething(t *testing.T) {
	r := &reference{T: t, site: measured(t, 84, "Agent", "Other")}
	for query, want := range map[string]struct {
		lines int
		texts []string
	}{
		"?x=pass@1:judge&y=pass@3:judge": {1, []string{"pass@3 under judge rises with pass@1 under judge: r = +", "The line is that of least squares: pass@3 under judge = "}},
		"?x=words&y=bleu_doc_doc":        {0, []string{"does not visibly go with", "the interval of Pearson's correlation holds 0"}},
		"?x=words&unit=system":           {0, []string{"No line is drawn through fewer than 10 points."}},
	} {
		page := r.page(pairPath + query)
		page.has(want.texts...)
		if got := len(page.withClass("fit")); got != want.lines {
			t.Errorf("%s: %d lines", query, got)
		}
	}
	r.page(pairPath + "?x=pass@1:judge&y=pass@3:judge").has("pass@1 under judge takes few values: each point is moved along it by an amount of its own, at most 0.")
}

func TestALineEndsWhereItsAxisDoes(t *testing.T) {
	points := []leaderboard.PairPoint{{X: 1}, {X: 0}, {X: 0.5}}
	up := views.Axis{Low: 0, High: 1}
	for _, c := range []struct {
		slope, intercept float64
		want             *[2][2]float64
	}{
		{0, 0.5, &[2][2]float64{{0, 0.5}, {1, 0.5}}}, {1, 0, &[2][2]float64{{0, 0}, {1, 1}}}, {4, -1, &[2][2]float64{{0.25, 0}, {0.5, 1}}},
		{-2, 1.5, &[2][2]float64{{0.25, 1}, {0.75, 0}}}, {1, 5, nil},
	} {
		got := clipped(c.slope, c.intercept, points, up)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestAPointIsMovedAlwaysTheSameWay(t *testing.T) {
	row := &leaderboard.Row{Submission: "s"}
	seen := map[[2]float64]bool{}
	for i := range 100 {
		p := leaderboard.PairPoint{Row: row, Repository: "r", Task: fmt.Sprint(i)}
		x, y := apart(p)
		if again, _ := apart(p); again != x || math.Abs(x) > 0.5 || math.Abs(y) > 0.5 {
			t.Errorf("%v, %v", x, y)
		}
		seen[[2]float64{x, y}] = true
	}
	if len(seen) != 100 {
		t.Errorf("%d places for 100 points", len(seen))
	}
}

func TestThePairsFormOffersEveryMetric(t *testing.T) {
	r := &reference{T: t, site: measured(t, 28, "Agent", "Other")}
	page := r.page(pairPath + "?x=leak_coverage&y=pass%402%3Ajudge&method=kendall")
	for id, want := range map[string]string{"filter-x": "leak_coverage", "filter-y": "pass@2:judge", "filter-method": "kendall"} {
		var chosen []string
		for _, o := range page.part(id).all(func(n *node) bool { return n.Data == "option" }) {
			for _, a := range o.Attr {
				if a.Key == "selected" {
					chosen = append(chosen, attribute(o, "value"))
				}
			}
		}
		if len(chosen) != 1 || chosen[0] != want {
			t.Errorf("%s: %q", id, chosen)
		}
	}
	back, err := url.Parse(page.links()["Correlations"])
	r.check(err)
	if back.Path != correlationsPath || back.Query().Get("method") != "kendall" {
		t.Errorf("the way back is %s", back)
	}
}
