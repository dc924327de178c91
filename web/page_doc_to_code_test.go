package web

import (
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// The paper's rows stand with its decimals, and with what is to be known of
// its table.
func TestTheLeaderboardShowsThePapersRowsWithTheirNotes(t *testing.T) {
	r := newReference(t)
	page := r.ask("/doc-to-code", http.StatusOK)
	for _, want := range []string{"RepoAgent", "0.75", "published", "0.016"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(r.ask("/doc-to-code?provenance=evaluated", http.StatusOK), "RepoAgent") {
		t.Error("a published row is there though only evaluated ones were asked for")
	}
}

// order is the systems of the evaluated rows of a leaderboard's file.
func order(r *reference, query string) []string {
	var systems []string
	for _, row := range r.file("/doc-to-code.csv?provenance=evaluated&" + query) {
		if !slices.Contains(systems, row["system"]) {
			systems = append(systems, row["system"])
		}
	}
	return systems
}

func TestTheLeaderboardIsOrderedAndFilteredByItsAddress(t *testing.T) {
	r := newReference(t)
	r.judge(judgment{system: "Beta", evaluator: "judge", value: 0.9})
	r.judge(judgment{system: "alpha", evaluator: "judge", value: 0.5})
	r.judge(judgment{system: "Gamma", model: "small", evaluator: "other", value: 0.7})
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"", []string{"Beta", "alpha", "Gamma"}}, // ranked by the first evaluator; who has no score comes last
		{"sort=system&order=asc", []string{"alpha", "Beta", "Gamma"}},
		{"sort=system&order=desc", []string{"Gamma", "Beta", "alpha"}},
		{"sort=score:judge:1&order=asc", []string{"alpha", "Beta", "Gamma"}},
		{"evaluator=other", []string{"Gamma"}},
		{"q=ALPH", []string{"alpha"}},
		{"q=small", []string{"Gamma"}},
		{"q=nobody", nil},
		{"release=starter%401", []string{"Beta", "alpha", "Gamma"}},
		{"by=task&k=3", []string{"Beta", "alpha", "Gamma"}},
	} {
		if got := order(r, c.query); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v instead of %v", c.query, got, c.want)
		}
	}
	for _, query := range []string{"k=0", "k=x", "release=none", "evaluator=none", "by=none", "provenance=none"} {
		field, _, _ := strings.Cut(query, "=")
		if page := r.ask("/doc-to-code?"+query, http.StatusUnprocessableEntity); !strings.Contains(page, field) {
			t.Errorf("%s: the page does not name %s", query, field)
		}
	}
}

// Equal scores on every repository cannot be told apart, different ones can:
// they do not vary between repositories.
// A link with a slip in it must not show something else than it says.
func TestAnAddressThatAsksForNothingThereIsSaysWhatThereIs(t *testing.T) {
	r := newReference(t)
	for query, want := range map[string]string{
		"k=99":                 "no row has a pass@99",
		"k=0":                  "is not a number from 1 on",
		"sort=zzz":             "there is no column “zzz”",
		"sort=score:judge":     "score:EVALUATOR:K",
		"by=median":            "choose repository, task or tests",
		"provenance=somewhere": "choose published or evaluated",
		"evaluator=nobody":     "nothing was judged by “nobody”",
	} {
		for _, path := range []string{"/doc-to-code?", "/doc-to-code.csv?"} {
			if body := html.UnescapeString(r.ask(path+query, http.StatusUnprocessableEntity)); !strings.Contains(body, want) {
				t.Errorf("%s: %q is not in %.1500s", path+query, want, body)
			}
		}
	}
}

func TestEqualRowsShareARank(t *testing.T) {
	r := newReference(t)
	r.judge(judgment{system: "one", evaluator: "judge", value: 0.6})
	r.judge(judgment{system: "two", evaluator: "judge", value: 0.6})
	r.judge(judgment{system: "three", evaluator: "judge", value: 0.4})
	got := map[string]string{}
	for _, row := range r.file("/doc-to-code.csv?provenance=evaluated") {
		if row["k"] == "1" {
			got[row["system"]] = row["rank"] + " " + row["tied"]
		}
	}
	want := map[string]string{"one": "1 true", "two": "1 true", "three": "3 false"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v instead of %v", got, want)
	}
	if rows := r.rows("/api/v1/doc-to-code?provenance=evaluated"); len(rows) != 9 || rows[0]["pass_at_k"] != "0.600000" {
		t.Errorf("%v", rows)
	}
}

func TestALeaderboardOfManyRowsHasPages(t *testing.T) {
	r := emptyReference(t)
	site := crowded(t, rowsPerPage+5)
	r.site = site
	first, second := r.ask("/doc-to-code", http.StatusOK), r.ask("/doc-to-code?page=2", http.StatusOK)
	if n := strings.Count(first, `class="system-name"`); n != rowsPerPage {
		t.Errorf("the first page has %d rows", n)
	}
	if n := strings.Count(second, `class="system-name"`); n != 5 {
		t.Errorf("the second page has %d rows", n)
	}
}

func TestAnEmptySiteTellsTheNextStep(t *testing.T) {
	page := emptyReference(t).ask("/doc-to-code", http.StatusOK)
	if !strings.Contains(page, "No row fits") {
		t.Errorf("%s", page)
	}
}

// A page that a browser has already is not sent again, until results change.
func TestAPageIsSentAgainWhenResultsChange(t *testing.T) {
	r := newReference(t)
	answer := func(tag string) (int, string) {
		request, err := http.NewRequest(http.MethodGet, "/doc-to-code", nil)
		r.check(err)
		request.Header.Set("If-None-Match", tag)
		w := record(r, request)
		return w.Code, w.Header().Get("Etag")
	}
	_, tag := answer("")
	if status, _ := answer(tag); status != http.StatusNotModified || tag == "" {
		t.Errorf("status %d, tag %q", status, tag)
	}
	r.judge(judgment{system: "new", evaluator: "judge", value: 0.6})
	if status, next := answer(tag); status != http.StatusOK || next == tag {
		t.Errorf("after a change: status %d, tag %q", status, next)
	}
}
