package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/build"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/published"
	"touchstone/views"
)

func TestTheMethodologyHoldsTheRules(t *testing.T) {
	r := newReference(t)
	page := r.page("/methodology")
	for _, v := range benchmark.Verdicts {
		page.part("verdict-" + string(v)).has(views.VerdictMeaning(v))
	}
	for _, reason := range views.DropReasons {
		page.part("drop-meanings").has(reason, views.DropMeaning(reason))
	}
	for _, prompt := range evaluator.Prompts {
		page.part("prompt").has(prompt.Version, prompt.SHA256)
		if body := html.UnescapeString(r.ask("/methodology", http.StatusOK)); !strings.Contains(body, ">"+prompt.Text+"</pre>") {
			t.Errorf("the text of %s is not there character by character", prompt.Version)
		}
	}
	for _, policy := range evaluator.Policies {
		page.part("context").has(policy)
	}
	for _, control := range evaluator.Controls {
		page.part("controls").has(control.Name())
	}
	for _, note := range published.Notes() {
		page.part("papers").has(note.Text)
	}
	page.part("papers").has("Beyond Lexical Similarity", "doi:10.5281/zenodo.19253895", "arXiv:2603.26137v1")
	page.part("tasks").has(fmt.Sprintf("may take %d seconds", build.DefaultMaxSeconds))
	page.part("licence").has("MIT licence", "belong to their papers")
	if math := page.all(func(n *html.Node) bool { return n.Data == "math" }); len(math) != 1 || attribute(math[0], "alttext") == "" {
		t.Errorf("%d formulas", len(math))
	}
}

func TestTheFormulaInWordsIsThatOfTheMeasure(t *testing.T) {
	// The page calculates an example: n = 5, c = 2.
	newReference(t).page("/methodology").part("pass-at-k").has("With n = 5 bodies of which c = 2 pass, pass@1 is 0.4 and pass@3 is 1 − 1/10 = 0.9.")
}

// referencePages are the pages that hold for everybody.
var referencePages = []string{"/", "/doc-to-code", "/doc-to-code/repos", "/doc-to-code/repos/psf/requests", "/doc-to-code/repos/touchstone/spans", "/releases",
	"/methodology", "/api", "/localization"}

func TestEveryLinkIntoAReferencePageArrives(t *testing.T) {
	r := newReference(t)
	r.judge(judgment{system: "Agent", model: "small", evaluator: "judge", value: 0.5})
	ids := map[string]map[string]bool{}
	of := func(path string) map[string]bool {
		if ids[path] == nil {
			ids[path] = map[string]bool{}
			for _, n := range r.page(path).all(func(n *html.Node) bool { return attribute(n, "id") != "" }) {
				if id := attribute(n, "id"); ids[path][id] {
					t.Errorf("%s has the id %s twice", path, id)
				} else {
					ids[path][id] = true
				}
			}
		}
		return ids[path]
	}
	for _, from := range referencePages {
		for text, address := range r.page(from).links() {
			path, anchor, _ := strings.Cut(address, "#")
			if path == "" {
				path = from
			}
			if strings.HasPrefix(path, "/submi") || strings.HasPrefix(path, "http") { // pages that are tested elsewhere
				continue
			}
			if anchor == "" {
				r.ask(path, http.StatusOK)
			} else if anchor != "main" && !of(path)[anchor] {
				t.Errorf("%s: %q leads to %s, where nothing has the id %s", from, text, path, anchor)
			}
		}
	}
	for _, anchor := range []string{"pass-at-k", "licence", "controls", "provenance"} {
		if !of("/methodology")[anchor] {
			t.Errorf("/methodology has no #%s", anchor)
		}
	}
}

func TestReferencePagesKeepTheContentSecurityPolicy(t *testing.T) {
	r := newReference(t)
	for _, path := range referencePages {
		for _, n := range r.page(path).all(func(n *html.Node) bool { return true }) {
			for _, a := range n.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: <%s> has %s", path, n.Data, a.Key)
				}
			}
			if n.Data == "script" && attribute(n, "src") == "" || n.Data == "style" {
				t.Errorf("%s has an inline <%s>", path, n.Data)
			}
		}
	}
}
