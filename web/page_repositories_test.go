package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// row is the line of a table whose first cell is name.
func row(t *testing.T, table [][]string, name string) []string {
	t.Helper()
	for _, line := range table {
		if len(line) > 0 && line[0] == name {
			return line
		}
	}
	t.Fatalf("no line begins with %q: %q", name, table)
	return nil
}

func TestTheHeatmapIsThePapersTables2And3(t *testing.T) {
	page := newReference(t).page("/doc-to-code/repos")
	table := page.table("repositories-documentation-paper")
	wantHead := []string{"Repository", "Candidates", "All tasks", "Tasks", "Stars", "Forks", "RepoAgent gpt-5-mini", "RepoAgent qwen3-235b-a22b", "OSA gpt-5-mini", "OSA qwen3-235b-a22b", "default"}
	if len(table) != 1+28+1 || len(table[0]) != len(wantHead) {
		t.Fatalf("%d lines of %d columns: %q", len(table), len(table[0]), table[0])
	}
	for i, want := range wantHead {
		name := strings.Fields(want)
		if !strings.Contains(table[0][i], name[0]) || !strings.Contains(table[0][i], name[len(name)-1]) {
			t.Errorf("column %d is %q, want %q", i, table[0][i], want)
		}
	}
	for name, want := range map[string][]string{
		"CepstrumLabs/pylox":      {"334", "176", "176", "3", "0", "0.79", "0.88", "0.85", "0.82", "0.78"},
		"psf/requests":            {"661", "156", "63", "53,682", "9,707", "0.84", "0.82", "0.84", "0.79", "0.75"},
		"Sum; mean of the scores": {"7,563", "3,350", "3,094", "73,650", "12,791", "0.75", "0.74", "0.73", "0.63", "0.55"},
	} {
		if got := row(t, table, name)[1:]; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	page.part("documentation-paper").has("published", "3,094; the text of the paper speaks of 2,924 tasks", "19 of the 20")
	page.part("starter-1").has("evaluated", "touchstone/spans", "Nothing was judged on this release yet")
	page.part("starter-1").hasNot("Stars", "2,924")
}

func TestAHeatmapIsOfTheEvaluatorAndKThatAreAskedFor(t *testing.T) {
	r := newReference(t)
	r.judge(judgment{system: "Agent", model: "small", evaluator: "judge", value: 0.5})
	sub := r.judge(judgment{system: "Better agent", version: "7", evaluator: "judge", value: 0.7})
	r.judge(judgment{system: "Agent", model: "large", evaluator: "stub", kind: "control", value: 0.1, samples: 1})

	page := r.page("/doc-to-code/repos?k=3")
	if got := row(t, page.table("repositories-starter-1"), "touchstone/gridtext"); !slices.Equal(got, []string{"touchstone/gridtext", "189", "28", "28", "0.720", "0.520"}) {
		t.Errorf("pass@3 on the release: %q", got)
	}
	if got := row(t, page.table("repositories-documentation-paper"), "citrusvanilla/tinyflux"); got[len(got)-1] != "0.71" {
		t.Errorf("pass@3 on the paper: %q", got)
	}
	if got := page.part("repositories-starter-1").links(); got["0.720"] != "/submissions/"+sub.PublicID || got["touchstone/spans"] != "/doc-to-code/repos/touchstone/spans" {
		t.Errorf("links: %q", got)
	}

	page = r.page("/doc-to-code/repos?evaluator=qwen3-235b-a22b&k=3")
	if got := row(t, page.table("repositories-documentation-paper"), "citrusvanilla/tinyflux"); !slices.Contains(got, "0.95") {
		t.Errorf("under qwen: %q", got)
	}
	page.hasNot("touchstone/spans")

	page = r.page("/doc-to-code/repos?evaluator=stub&release=starter%401")
	if got := row(t, page.table("repositories-starter-1"), "touchstone/spans"); !slices.Equal(got[4:], []string{"0.100"}) {
		t.Errorf("under a control: %q", got)
	}
	r.page("/doc-to-code/repos?k=2").part("documentation-paper").has("Under gpt-5-mini there is no pass@2 here, but pass@1 and pass@3.")
	r.page("/doc-to-code/repos?evaluator=judge&release=documentation-paper").has("The evaluator that was asked for judged nothing here.")
}

func TestWhatCannotBeAskedForIsRefusedInWords(t *testing.T) {
	r := newReference(t)
	for address, want := range map[string]string{
		"?k=0": "k: is not a number from 1 on", "?k=x": "k: is not a number from 1 on", "?k=100000": "k: no row has a pass@100000",
		"?evaluator=nobody": "nothing was judged by “nobody”", "?release=no%401": "there is no “no@1”",
	} {
		for _, path := range []string{"/doc-to-code/repos", "/doc-to-code/repos.csv"} {
			if body := html.UnescapeString(r.ask(path+address, http.StatusUnprocessableEntity)); !strings.Contains(body, want) {
				t.Errorf("%s: %q is not in %.1500s", path+address, want, body)
			}
		}
		if body := r.ask("/api/v1/doc-to-code/repos"+address, http.StatusUnprocessableEntity); !strings.Contains(body, `"mend":"`) {
			t.Errorf("%s: %s", address, body)
		}
	}
}

func TestAtMostTwelveSystemsStandSideBySide(t *testing.T) {
	site := &reference{T: t, site: crowded(t, 30)}
	page := site.page("/doc-to-code/repos")
	table := page.table("repositories-crowd-1")
	if got := len(table[0]) - 4; got != 12 {
		t.Errorf("%d systems are shown", got)
	}
	page.has("pass@1 on each repository under judge: the 12 best of 30 systems.", "1–12 of 30 systems")
	means := row(t, table, "Sum; mean of the scores")[4:]
	if !slices.IsSortedFunc(means, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("the best are not first: %q", means)
	}
	last := site.page(page.links()["3"])
	last.has("systems 25 to 30 of 30, best first", "25–30 of 30 systems")
	worst := row(t, last.table("repositories-crowd-1"), "Sum; mean of the scores")[4:]
	if len(worst) != 6 || worst[0] > means[11] {
		t.Errorf("the last are %q, the first %q", worst, means)
	}
	if lines := site.file("/doc-to-code/repos.csv?k=1"); len(lines) != 30*benchRepositories {
		t.Errorf("the file has %d lines", len(lines))
	}
}

func TestAHeatmapIsSortedByAnyColumn(t *testing.T) {
	r := newReference(t)
	for query, want := range map[string]string{
		"": "CepstrumLabs/pylox", "sort=repository&order=desc": "trezor/upysize", "sort=stars": "psf/requests", "sort=stars&order=asc": "CepstrumLabs/pylox",
		"sort=tasks": "astanin/python-tabulate", "sort=system-default-": "robobenjie/posetree", "sort=nonsense": "CepstrumLabs/pylox",
	} {
		table := r.page("/doc-to-code/repos?release=documentation-paper&" + query).table("repositories-documentation-paper")
		if got := table[1][0]; got != want {
			t.Errorf("%q begins with %s, want %s", query, got, want)
		}
		if got := table[len(table)-1][0]; !strings.HasPrefix(got, "Sum") {
			t.Errorf("%q: the sum does not end the table: %s", query, got)
		}
	}
}

func TestATableOfAnyReleaseCanBeNamedByASelector(t *testing.T) {
	r := newReference(t)
	r.addRelease("with.dots", nil, requests)
	links := r.page("/doc-to-code/repos?release=with.dots%401").all(func(n *html.Node) bool { return attribute(n, "hx-target") != "" })
	for _, n := range links {
		if target := attribute(n, "hx-target"); target != "#repositories-with-dots-1" {
			t.Errorf("the target is %q", target)
		}
	}
	if len(links) == 0 {
		t.Error("nothing can be sorted")
	}
}

func TestNamesFromOutsideStayText(t *testing.T) {
	r := newReference(t)
	hostile := `<script>alert("x")</script>`
	r.judge(judgment{system: hostile, model: strings.Repeat("long", 50), version: hostile, evaluator: "judge", value: 0.5})
	r.judge(judgment{system: "=cmd()", evaluator: "judge", value: 0.4})
	for _, address := range []string{"/", "/doc-to-code/repos", "/doc-to-code/repos/touchstone/spans"} {
		body := r.ask(address, http.StatusOK)
		if strings.Contains(body, "<script>alert") || !strings.Contains(body, "&lt;script&gt;alert") {
			t.Errorf("%s: the name is not there, or it is markup", address)
		}
	}
	found := false
	for _, line := range r.file("/doc-to-code/repos.csv?release=starter%401&k=1") {
		found = found || line["system"] == "'=cmd()"
	}
	if !found {
		t.Error("a spreadsheet would run =cmd()")
	}
}

func TestTheFileOfRepositoriesHasEveryNumber(t *testing.T) {
	r := newReference(t)
	lines := r.file("/doc-to-code/repos.csv")
	if want := 28*5*2*2 + 3; len(lines) != want {
		t.Fatalf("%d lines, want %d", len(lines), want)
	}
	if body := r.ask("/doc-to-code/repos.csv", http.StatusOK); !strings.HasPrefix(body, repositoryHeader+"\n") {
		t.Errorf("the header is %.300s", body)
	}
	seen := 0
	for _, line := range lines {
		if line["repository"] == "touchstone/spans" && (line["system"] != "" || line["candidates"] != "140" || line["stars"] != "" || line["pass_at_k"] != "") {
			t.Errorf("a repository without a score: %v", line)
		}
		if line["repository"] == "CepstrumLabs/pylox" && line["system"] == "OSA" && line["model"] == "gpt-5-mini" && line["k"] == "3" && line["evaluator"] == "qwen3-235b-a22b" {
			seen++
			if line["pass_at_k"] != "0.87" || line["provenance"] != "published" || line["tasks"] != "176" || line["stars"] != "3" {
				t.Errorf("%v", line)
			}
		}
	}
	if seen != 1 {
		t.Errorf("the cell is there %d times", seen)
	}
	filtered := r.file("/doc-to-code/repos.csv?" + url.Values{"release": {"documentation-paper"}, "evaluator": {"gpt-5-mini"}, "k": {"1"}}.Encode())
	if len(filtered) != 28*5 {
		t.Errorf("%d lines with filters, want %d", len(filtered), 28*5)
	}
	if rows := r.rows("/api/v1/doc-to-code/repos?k=1"); fmt.Sprint(rows[len(rows)-1]) != fmt.Sprint(r.file("/doc-to-code/repos.csv?k=1")[len(rows)-1]) {
		t.Error("JSON and CSV differ")
	}
}
