package web

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"touchstone/data"
	"touchstone/internal/evaluation"
)

// withClass are the elements of a part that have a class.
func (d document) withClass(class string) []*html.Node {
	return d.all(func(n *html.Node) bool { return slices.Contains(strings.Fields(attribute(n, "class")), class) })
}

func TestThePapersRepositoriesAgreeAsItsNumbersSay(t *testing.T) {
	published := emptyReference(t)
	published.check(evaluation.ImportPublished(t.Context(), published.db, data.Published()))
	published.restart()
	for name, r := range map[string]*reference{"published rows alone": published, "beside a release without a result": newReference(t)} {
		t.Run(name, func(t *testing.T) {
			page := r.page("/doc-to-code/distribution")
			page.part("stability").has(
				"The global order is the same in all four settings: RepoAgent · gpt-5-mini > RepoAgent · qwen3-235b-a22b > OSA · gpt-5-mini > OSA · qwen3-235b-a22b > default .",
				"6 of 28 repositories (21.4 %) preserve it in all four settings.")
			page.part("popularity").has("10 popular repositories with more than 100 stars", "18 other ones", "differ by 0.049 on average", "20 combinations", "by 0.111 at most")
			page.part("distribution").has("published", "RepoAgent · gpt-5-mini has the highest median pass@1: 0.765")
		})
	}
}

func TestTheRepositoriesThatKeepTheOrderComeFirst(t *testing.T) {
	page := newReference(t).page("/doc-to-code/distribution")
	table := page.table("stability-repositories")
	if len(table) != 1+28 {
		t.Fatalf("%d lines", len(table))
	}
	var keeping []string
	for i, line := range table[1:] {
		if line[1] == "yes" {
			keeping = append(keeping, line[0])
			if i >= 6 || line[2] != "40" {
				t.Errorf("line %d: %q", i, line)
			}
		}
	}
	if want := []string{"MaxAtkinson/tilted", "balancap/arrowbic", "explosion/confection", "kolonialno/oida", "openqasm/oqpy", "pytube/pytube"}; !slices.Equal(keeping, want) {
		t.Errorf("%q keep the order, want %q", keeping, want)
	}
	settings := page.table("stability-settings")
	if got := row(t, settings, "All settings together"); got[1] != "6 of 28 (21.4 %)" || len(settings) != 1+1+4 {
		t.Errorf("%q", settings)
	}
	page.part("stability-settings").has("Popular and other ones are held against an order of their own, so they need not add up to all.")
	// In fewer settings an order is kept by more.
	for _, line := range settings[2:] {
		var n int
		if _, err := fmt.Sscanf(line[1], "%d of 28", &n); err != nil || n < 6 {
			t.Errorf("%q, %v", line, err)
		}
	}
}

func TestADistributionIsOfTheEvaluatorAndKThatAreAskedFor(t *testing.T) {
	r := newReference(t)
	for query, want := range map[string][]string{
		"":                               {"gpt-5-mini 1", "RepoAgent gpt-5-mini 0.655 0.765 0.843 0.751 28", "default 0.414 0.530 0.708 0.552 28"},
		"?evaluator=qwen3-235b-a22b&k=3": {"qwen3-235b-a22b 3", "RepoAgent gpt-5-mini"},
		"?k=3":                           {"gpt-5-mini 3", "has the highest median pass@3: 0.905"},
	} {
		page := r.page("/doc-to-code/distribution" + query)
		evaluator, k, _ := strings.Cut(want[0], " ")
		page.has("Showing documentation paper, pass@" + k + ", judged by " + evaluator + ".")
		page.part("distribution").has(want[1:]...)
		links := page.part("spreads").links()
		for kind, address := range map[string]string{"csv": links["Download CSV"], "svg": links["Download SVG"]} {
			if want := "/doc-to-code/distribution." + kind + "?evaluator=" + evaluator + "&k=" + k + "&release=documentation-paper"; address != want {
				t.Errorf("the %s is at %s, want %s", kind, address, want)
			}
		}
		lines := r.file(links["Download CSV"])
		if len(lines) != 5 || lines[0]["evaluator"] != evaluator || lines[0]["k"] != k || lines[0]["repositories"] != "28" {
			t.Errorf("%d lines: %v", len(lines), lines)
		}
		if got := len(page.withClass("strand")); got != 28 {
			t.Errorf("%d repositories are drawn", got)
		}
	}
	page := r.page("/doc-to-code/distribution?k=2")
	page.has("Under gpt-5-mini there is no pass@2 here, but pass@1 and pass@3.", "6 of 28 repositories (21.4 %)")
	if got := page.links()["Show pass@1"]; r.ask(got, http.StatusOK) == "" {
		t.Errorf("the way on is %q", got)
	}
}

func TestADistributionSaysWhatItCannotShow(t *testing.T) {
	empty := emptyReference(t)
	empty.page("/doc-to-code/distribution").has("No repository is known yet.", importCommand)
	if lines := empty.file("/doc-to-code/distribution.csv"); len(lines) != 0 {
		t.Errorf("%v", lines)
	}
	empty.ask("/doc-to-code/distribution.svg", http.StatusNotFound)

	r := newReference(t)
	page := r.page("/doc-to-code/distribution?release=starter%401")
	page.has("No system has a score on starter@1 yet.", "there are fewer than two systems to put in order", "Nobody counted the stars of these repositories")
	if page.links()["Submit docstrings"] != submitPath {
		t.Errorf("%v", page.links())
	}
	r.judge(judgment{system: "Agent", evaluator: "stub", kind: "control", value: 0.1})
	r.page("/doc-to-code/distribution?release=starter%401").has("No system has a score on starter@1 yet.")
	r.page("/doc-to-code/distribution?release=starter%401&evaluator=stub").has("Agent has a median pass@1 of 0.100")
	r.page("/doc-to-code/distribution?release=starter%401&evaluator=gpt-5-mini").has("Nothing was judged by gpt-5-mini on starter@1.")

	for address, want := range map[string]string{"?k=0": "k: is not a number from 1 on", "?evaluator=nobody": "nothing was judged by “nobody”", "?release=no%401": "there is no “no@1”"} {
		for _, path := range []string{"/doc-to-code/distribution", "/doc-to-code/distribution.csv", "/doc-to-code/distribution.svg", "/doc-to-code/distribution/stability.csv"} {
			if body := html.UnescapeString(r.ask(path+address, http.StatusUnprocessableEntity)); !strings.Contains(body, want) {
				t.Errorf("%s: %q is not in %.1500s", path+address, want, body)
			}
		}
	}
}

func TestOneConfigurationHasADistributionButNoOrder(t *testing.T) {
	r := newReference(t)
	r.judge(judgment{system: "Agent", model: "small", evaluator: "judge", value: 0.5})
	page := r.page("/doc-to-code/distribution")
	page.has("Showing starter@1, pass@1, judged by judge.", "Agent · small has a median pass@1 of 0.500", "there are fewer than two systems to put in order")
	if lines := page.table("spreads-table"); len(lines) != 2 || strings.Join(lines[1], " ") != "Agent small 0.500 0.500 0.500 0.500 3" {
		t.Errorf("%q", lines)
	}
	// A second one that is equal everywhere, and a third that is better.
	r.judge(judgment{system: "Agent", model: "large", evaluator: "judge", value: 0.5})
	r.page("/doc-to-code/distribution").has("2 of 2 configurations share the highest median pass@1: 0.500", "There is nothing to compare: all systems are equal.")
	r.judge(judgment{system: "Better", evaluator: "judge", value: 0.75})
	r.page("/doc-to-code/distribution").has("3 of 3 repositories (100.0 %) preserve the order in all three settings.", "do not agree on one strict order")
}

func TestADistributionBearsAnyName(t *testing.T) {
	r := newReference(t)
	hostile := `<script>alert("x")</script>` + "\x07"
	r.judge(judgment{system: strings.Repeat("n", 300), model: strings.Repeat("m", 200), evaluator: "judge", value: 0.5})
	r.judge(judgment{system: hostile, evaluator: "judge", value: 0.7})
	for _, address := range []string{"/doc-to-code/distribution", "/doc-to-code/distribution.svg"} {
		if body := r.ask(address, http.StatusOK); strings.Contains(body, "<script>alert") || !strings.Contains(body, "&lt;script&gt;alert") {
			t.Errorf("%s: the name is not there, or it is markup", address)
		}
	}
	r.page("/doc-to-code/distribution").part("stability").has(strings.Repeat("n", 300))
	d := xml.NewDecoder(strings.NewReader(r.ask("/doc-to-code/distribution.svg", http.StatusOK)))
	for {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		r.check(err)
	}
}

func TestADrawingIsAFileThatMayUseNothingElse(t *testing.T) {
	r := newReference(t)
	w := httptest.NewRecorder()
	r.site.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/doc-to-code/distribution.svg?k=3", nil))
	if got := w.Header().Get("Content-Type"); w.Code != http.StatusOK || got != "image/svg+xml" {
		t.Errorf("status %d, type %s", w.Code, got)
	}
	if got := w.Header().Values("Content-Security-Policy"); len(got) != 1 || got[0] != "default-src 'none'; style-src 'unsafe-inline'" {
		t.Errorf("the policy is %q", got)
	}
	for _, want := range []string{"RepoAgent · gpt-5-mini has the highest median pass@3: 0.905", "psf/requests: 0.9"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%q is not in the drawing", want)
		}
	}
}

func TestTwelveConfigurationsAreDrawnAtATime(t *testing.T) {
	site := &reference{T: t, site: crowded(t, 30)}
	page := site.page("/doc-to-code/distribution")
	if got := len(page.withClass("spread")); got != 12 {
		t.Errorf("%d configurations are drawn", got)
	}
	page.has("1–12 of 30 configurations", "do not agree on one strict order", "in all three settings")
	last := site.page(page.links()["3"])
	if got := len(last.withClass("spread")); got != 6 {
		t.Errorf("%d configurations are drawn last", got)
	}
	drawn := site.ask(last.part("spreads").links()["Download SVG"], http.StatusOK)
	if got := strings.Count(drawn, `class="spread `); got != 6 {
		t.Errorf("the file of the last page draws %d", got)
	}
}

func TestFilesSayHowMuchOfTheOrderIsKept(t *testing.T) {
	r := newReference(t)
	lines := r.file("/doc-to-code/distribution/stability.csv?release=documentation-paper")
	if len(lines) != 28*5 {
		t.Fatalf("%d lines", len(lines))
	}
	kept := 0
	for _, line := range lines {
		if line["evaluator"] == "" && line["preserves"] == "true" {
			kept++
			if line["pairs"] != "40" || line["kept"] != "40" || line["systems"] != "5" {
				t.Errorf("%v", line)
			}
		}
	}
	if kept != 6 {
		t.Errorf("%d keep the order", kept)
	}
	total := 0.0
	rows := r.file("/doc-to-code/distribution/popularity.csv?release=documentation-paper")
	for _, line := range rows {
		var difference float64
		if _, err := fmt.Sscan(line["difference"], &difference); err != nil || line["popular_repositories"] != "10" || line["other_repositories"] != "18" {
			t.Fatalf("%v, %v", line, err)
		}
		total += max(difference, -difference)
	}
	if got := fmt.Sprintf("%d %.4f", len(rows), total/float64(len(rows))); got != "20 0.0492" {
		t.Errorf("mean absolute difference: %s", got)
	}
}

func TestTheLeaderboardLeadsToTheDistribution(t *testing.T) {
	r := newReference(t)
	links := r.page("/doc-to-code").links()
	for text, want := range map[string]string{"By repository": "/doc-to-code/repos", "Distribution and ranking stability": "/doc-to-code/distribution"} {
		if links[text] != want {
			t.Errorf("%s leads to %q", text, links[text])
		}
	}
}
