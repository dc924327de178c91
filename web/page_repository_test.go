package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/store"
)

// addRelease imports a release that a test makes up.
func (r *reference) addRelease(name string, drops []store.Drop, repositories ...store.Repository) {
	r.Helper()
	release := store.Release{Track: benchmark.DocToCode, Name: name, Version: "1", Dir: name, SHA256: strings.Repeat("ab", 32), Context: "scope-v1", Prompt: "a2-v1",
		ToolVersion: "v9", Repositories: repositories}
	for _, x := range repositories {
		release.Tasks += x.Tasks
	}
	r.check(r.db.AddRelease(r.Context(), &release, nil, drops))
	r.restart()
}

var requests = store.Repository{Name: "psf/requests", Source: "https://example.org/requests.git", Commit: strings.Repeat("0123456789", 4), License: "Apache-2.0",
	Python: "3.12", Candidates: 660, AllTasks: 157, Targets: 99, Tasks: 61, Tests: 400}

func TestARepositoryIsShownInEverySetThatHasIt(t *testing.T) {
	r := newReference(t)
	r.addRelease("pilot", []store.Drop{
		{Repository: "psf/requests", Kind: "task", Key: "psf/requests:a.py::f", Reason: "slow", Detail: "ran <11> seconds"},
		{Repository: "psf/requests", Kind: "task", Key: "psf/requests:a.py::g", Reason: "vacuous_tests"},
		{Repository: "psf/requests", Kind: "task", Key: "psf/requests:a.py::h", Reason: "vacuous_tests"},
		{Repository: "other/one", Kind: "task", Key: "other/one:a.py::h", Reason: "slow"},
	}, requests, store.Repository{Name: "other/one", Tasks: 3})
	sub := r.judge(judgment{system: "Agent", model: "small", evaluator: "gpt-5-mini", value: 0.5})
	page := r.page("/doc-to-code/repos/psf/requests")

	facts := page.table("repository-facts")
	if got, want := row(t, facts, "pilot@1")[2:], []string{"660", "157", "99", "61", "400", "53,682", "9,707", "3.12", "Apache-2.0", "012345678901", "https://example.org/requests.git"}; !slices.Equal(got, want) {
		t.Errorf("facts of the release: %q, want %q", got, want)
	}
	if got := row(t, facts, "documentation paper"); got[2] != "661" || got[4] != "— the paper does not count them" || got[5] != "63" || got[7] != "53,682" {
		t.Errorf("facts of the paper: %q", got)
	}
	scores := page.table("repository-scores")
	if got, want := row(t, scores, "Agent small"), []string{"● evaluated", "0.500", "0.510", "0.520", "— not judged by qwen3-235b-a22b", "— not judged by qwen3-235b-a22b"}; !slices.Equal(got[1:], want) {
		t.Errorf("evaluated: %q, want %q", got, want)
	}
	if got, want := row(t, scores, "RepoAgent gpt-5-mini"), []string{"○ published", "0.84", "— the paper does not print pass@2", "0.93"}; !slices.Equal(got[1:5], want) {
		t.Errorf("published: %q, want %q", got, want)
	}
	if got := page.part("repository-scores").links()["Agent"]; got != "/submissions/"+sub.PublicID {
		t.Errorf("the row leads to %q", got)
	}
	page.part("dropped").has("2 functions vacuous tests", "1 function slow", "psf/requests:a.py::f ran <11> seconds")
	page.part("dropped").hasNot("other/one")
	page.has("In pilot@1 (evaluated here) and the documentation paper (published).")
}

func TestARepositoryOfOneSetAlone(t *testing.T) {
	r := newReference(t)
	page := r.page("/doc-to-code/repos/CepstrumLabs/pylox")
	page.has("In the documentation paper (published).", "The paper does not list what it left out.")
	if got := row(t, page.table("repository-scores"), "OSA gpt-5-mini"); !slices.Equal(got[1:], []string{"○ published", "0.85", "0.89", "0.85", "0.87"}) {
		t.Errorf("%q", got)
	}
	page = r.page("/doc-to-code/repos/touchstone/spans")
	page.has("No system has a score on this repository yet.", "From starter@1 : no function and no test.", "folder:spans")
}

func TestAnUnknownRepositoryIsSaidSo(t *testing.T) {
	r := newReference(t)
	for _, address := range []string{"/doc-to-code/repos/no/such", "/doc-to-code/repos/no/such.csv", "/api/v1/doc-to-code/repos/no/such"} {
		if body := r.ask(address, http.StatusNotFound); !strings.Contains(body, "No release and no paper has the repository “no/such”.") {
			t.Errorf("%s: %.800s", address, body)
		}
	}
}

func TestTheFileOfARepositoryIsItsPagesAddressWithASuffix(t *testing.T) {
	r := newReference(t)
	r.addRelease("odd", nil, store.Repository{Name: "odd/name.csv", Tasks: 1}, store.Repository{Name: "odd/name", Tasks: 2}, store.Repository{Name: "odd/<b>ä?#", Tasks: 3},
		store.Repository{Name: "odd/" + strings.Repeat("n", 290), Tasks: 4})
	lines := r.file("/doc-to-code/repos/psf/requests.csv")
	if len(lines) != 5*2*2 {
		t.Errorf("%d lines, want 20", len(lines))
	}
	for _, line := range lines {
		if line["repository"] != "psf/requests" {
			t.Errorf("%v", line)
		}
	}
	if rows := r.rows("/api/v1/doc-to-code/repos/psf/requests"); len(rows) != len(lines) || fmt.Sprint(rows[0]) != fmt.Sprint(lines[0]) {
		t.Errorf("JSON has %d rows: %v", len(rows), rows[0])
	}
	// A repository may be called as another one's file.
	r.page("/doc-to-code/repos/odd/name.csv").has("odd/name.csv")
	// Every repository's page and file can be reached from the heatmap.
	for name, address := range r.page("/doc-to-code/repos").part("repositories-odd-1").links() {
		if strings.HasPrefix(name, "odd/") {
			r.page(address).has(name)
			if name != "odd/name" {
				if got := r.file(address + ".csv"); len(got) != 1 || got[0]["repository"] != name {
					t.Errorf("the file of %s is %v", name, got)
				}
			}
		}
	}
}

func TestManySystemsOnARepositoryAreCutIntoPages(t *testing.T) {
	r := &reference{T: t, site: crowded(t, 120)}
	page := r.page("/doc-to-code/repos/owner/repository-00")
	table := page.table("repository-scores")
	if got := len(table); got != 1+1+50 {
		t.Errorf("%d lines", got)
	}
	page.has("1–50 of 120 rows")
	if got := r.page(page.links()["3"]).table("repository-scores"); len(got) != 1+1+20 {
		t.Errorf("the last page has %d lines", len(got))
	}
}
