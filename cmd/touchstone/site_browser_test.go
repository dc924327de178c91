package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"html"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"touchstone/data"
	"touchstone/internal/browsertest"
	"touchstone/internal/store"
)

// mixed is the first half of the detailed sample and the second of the vague
// one: a documentation that nobody has uploaded yet, with a reply for each.
func mixed(t *testing.T) string {
	t.Helper()
	lines := func(name string) []string {
		file, err := data.Submission(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		text, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		return strings.SplitAfter(strings.TrimSuffix(string(text), "\n")+"\n", "\n")
	}
	good, poor := lines("detailed"), lines("vague")
	path := filepath.Join(t.TempDir(), "docs.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(good[:40], "")+strings.Join(poor[40:], "")), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func get(t *testing.T, address string) []byte {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", address, r.Status, err)
	}
	return body
}

// press clicks an element by itself: one that is aimed at by its place is
// missed when the fonts arrive in that moment and move it.
func press(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void]("document.querySelector(" + strconv.Quote(selector) + ").click()")
}

// watch looks at a submission's page until it says that it is finished, which
// it must do without being loaded again.
func watch(t *testing.T, window context.Context, page string) {
	t.Helper()
	if err := chromedp.Do(window, chromedp.Navigate(page), chromedp.Evaluate[chromedp.Void]("window.loadedOnce = true")); err != nil {
		t.Fatal(err)
	}
	first, said := "", ""
	for deadline := time.Now().Add(4 * time.Minute); !strings.Contains(said, "finished"); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s says %q, first %q", page, said, first)
		}
		brief, done := context.WithTimeout(window, 10*time.Second)
		text, err := chromedp.Run(brief, chromedp.Evaluate[string](`document.querySelector(".live-part").innerText.toLowerCase()`))
		done()
		if err != nil {
			t.Logf("the page did not answer: %v", err)
			continue
		}
		if said = text; first == "" {
			first = said
		}
	}
	once, err := chromedp.Run(window, chromedp.Evaluate[bool]("window.loadedOnce === true"))
	if err != nil || !once {
		t.Errorf("the page was loaded again, %v", err)
	}
	if strings.Contains(first, "finished") {
		t.Errorf("the submission was over before the page was looked at: %q", first)
	}
}

// The way of a newcomer: the samples are evaluated before their eyes, they
// upload docstrings of their own through the form, see them judged, find them on
// the leaderboard and download its CSV.
func TestANewcomerSeesTheirDocstringsRanked(t *testing.T) {
	needs(t)
	const system = `<b>Newcomer</b> & "sons"`
	window := browsertest.Open(t, 1200, 900)
	dir := evaluated
	if dir == "" {
		dir = t.TempDir()
	}
	site := serve(t, dir)
	allOver(t, dir)

	patient, cancel := context.WithTimeout(window, 5*time.Minute)
	defer cancel()
	err := chromedp.Do(patient,
		chromedp.Navigate(site.address+"/"),
		chromedp.Click(`a[href="/submit/doc-to-code"]`),
		chromedp.SendKeys("#field-system", system),
		chromedp.SendKeys("#field-model", "none, by hand"),
		chromedp.SetUploadFiles("#field-file", []string{mixed(t)}),
		press(`form.form button[type="submit"]`),
		chromedp.WaitVisible(`form[action$="/confirm"] button`))
	if err != nil {
		t.Fatal(err)
	}
	report, err := chromedp.Run(patient, chromedp.Text("main"))
	if err != nil || !strings.Contains(report, "83") {
		t.Errorf("the preflight says %q, %v", report, err)
	}
	confirm, err := chromedp.Run(patient, chromedp.Evaluate[string](`document.querySelector('form[action$="/confirm"]').getAttribute("action")`))
	if err != nil {
		t.Fatal(err)
	}
	page := site.address + strings.TrimSuffix(confirm, "/confirm")
	// The answer may be lost as one page gives way to the next, so another window,
	// open already, goes on from there.
	another := browsertest.Open(t, 1200, 900)
	if err := chromedp.Do(another, chromedp.Navigate(site.address+"/submissions")); err != nil {
		t.Fatal(err)
	}
	brief, done := context.WithTimeout(patient, 10*time.Second)
	defer done()
	_ = chromedp.Do(brief, press(`form[action$="/confirm"] button`))
	for deadline := time.Now().Add(time.Minute); states(t, dir)[store.Finished] == 4 && len(states(t, dir)) == 1; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the press of the button confirms nothing")
		}
	}
	watch(t, another, page)
	if over := states(t, dir)[store.Finished]; over != 5 {
		t.Errorf("the page tells of an end, but the submissions are %v", states(t, dir))
	}
	for _, address := range []string{page, site.address + "/doc-to-code"} {
		if text := string(get(t, address)); !strings.Contains(text, html.EscapeString(system)) {
			t.Errorf("%s does not name %s", address, system)
		}
	}
	// Asked by a script: behind a page that changed, the driver may wait for a node for ever.
	if err := chromedp.Do(another, chromedp.Navigate(site.address+"/doc-to-code")); err != nil {
		t.Fatal(err)
	}
	board, err := chromedp.Run(another, chromedp.Evaluate[string](`document.querySelector("main table").closest("main").innerText`))
	if err != nil || !strings.Contains(board, system) {
		t.Errorf("the leaderboard shows no row of %s: %v\n%s", system, err, board)
	}
	address := site.address + "/doc-to-code.csv"
	rows, err := csv.NewReader(bytes.NewReader(get(t, address))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	found := false
	for _, row := range rows[1:] {
		if row[column["system"]] != system || row[column["evaluator"]] != "recorded" || row[column["k"]] != "1" {
			continue
		}
		found = true
		// Between the samples that it was made of.
		if v, err := strconv.ParseFloat(row[column["pass_at_k"]], 64); err != nil || v < 0.21 || v > 0.88 {
			t.Errorf("pass@1 is %q", row[column["pass_at_k"]])
		}
		if !strings.Contains(page, row[column["submission"]]) {
			t.Errorf("the row is of submission %s, the page was %s", row[column["submission"]], page)
		}
	}
	if !found {
		t.Errorf("the CSV has no row of %s", system)
	}
}
