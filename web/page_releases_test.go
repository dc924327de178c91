package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/store"
)

func TestAReleaseSaysWhatItIsMadeOf(t *testing.T) {
	r := newReference(t)
	page := r.page("/releases")
	page.part("starter-1").has("83 tasks of 3 repositories, checked by 529 tests.", "prefix-v1", "a2-v1", "371b5276adeb53e7ce3e2880126ef99988b393b041df67ddb3514c6c56cd21d7",
		r.release().SHA256, "Nothing: every function that a passing test reaches is a task")
	if got := row(t, page.table("release-starter-1"), "touchstone/gridtext"); !slices.Equal(got[1:8], []string{"189", "28", "28", "28", "252", "3.11", "MIT"}) {
		t.Errorf("%q", got)
	}
	if got := row(t, page.table("release-starter-1"), "touchstone/fadecache"); got[7] != "— its source names none" {
		t.Errorf("a licence that is not known: %q", got)
	}
}

func TestWhatLeftAReleaseIsListedByReason(t *testing.T) {
	r := newReference(t)
	drops := []store.Drop{{Repository: "gone/whole", Kind: "repository", Key: "gone/whole", Reason: "repository", Detail: "<b>no tests</b>"}}
	for i := range dropsShown + 50 {
		drops = append(drops, store.Drop{Repository: "psf/requests", Kind: "test", Key: fmt.Sprintf("tests/test_%03d.py::test", i), Reason: "flaky"})
	}
	r.addRelease("pilot", drops, requests)
	page := r.page("/releases").part("pilot-1")
	page.has("250 tests flaky The test passed some of three runs", "and 50 more in the CSV", "1 repository repository The repository as a whole", "gone/whole <b>no tests</b>",
		"scope-v1", "012345678901", "touchstone v9")
	page.hasNot("test_200.py")
	if got := r.file(page.links()["50 more in the CSV"]); len(got) != 251 || got[0]["repository"] != "gone/whole" || got[250]["key"] != "tests/test_249.py::test" {
		t.Errorf("the file has %d lines", len(got))
	}
	// The newest release stands first.
	whole := r.page("/releases").text()
	if strings.Index(whole, "pilot@1") > strings.Index(whole, "starter@1") {
		t.Error("the older release stands first")
	}
}

func TestReleasesAsFiles(t *testing.T) {
	r := newReference(t)
	r.addRelease("pilot", nil, requests)
	if got := r.file("/releases.csv"); len(got) != 4 || got[0]["release"] != "pilot@1" || got[0]["commit"] != requests.Commit || got[3]["tests"] != "147" ||
		got[3]["prompt_sha256"] != "371b5276adeb53e7ce3e2880126ef99988b393b041df67ddb3514c6c56cd21d7" {
		t.Errorf("%v", got)
	}
	tasks := r.file("/releases/tasks.csv?release=starter%401")
	if len(tasks) != 83 || tasks[0]["task"] != tasks[0]["repository"]+":"+tasks[0]["path"]+"::"+tasks[0]["qualname"] || tasks[0]["tests"] == "0" {
		t.Errorf("%d tasks, the first is %v", len(tasks), tasks[0])
	}
	if got := r.rows("/api/v1/releases/dropped"); len(got) != 0 {
		t.Errorf("%v", got)
	}
	for _, path := range []string{"/releases", "/releases.csv", "/releases/tasks.csv", "/releases/dropped.csv"} {
		if body := r.ask(path+"?release=no%401", http.StatusUnprocessableEntity); !strings.Contains(body, "there is no &#34;no@1&#34;") {
			t.Errorf("%s: %.600s", path, body)
		}
	}
}
