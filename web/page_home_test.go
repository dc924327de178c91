package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"touchstone/internal/store"
)

func TestTheHomePageHasTheTopsOfBothTracks(t *testing.T) {
	r := newReference(t)
	for i := range 7 {
		r.judge(judgment{system: fmt.Sprint("Agent ", i), model: "small", evaluator: "judge", value: 0.3 + 0.05*float64(i)})
	}
	page := r.page("/")
	top := page.table("top-starter-1")
	if len(top) != 1+5 || !strings.HasSuffix(top[1][0], "Agent 6 small") || top[1][1] != "● evaluated" || !strings.HasPrefix(top[1][2], "0.600") {
		t.Errorf("the release: %q", top)
	}
	paper := page.table("top-documentation-paper")
	if len(paper) != 1+5 || paper[1][0] != "1= RepoAgent gpt-5-mini" || !strings.HasPrefix(paper[1][2], "0.75 ±.036") || !strings.HasPrefix(paper[5][5], "0.52") {
		t.Errorf("the paper: %q", paper)
	}
	if got := row(t, page.table("top-localization"), "Ops-4.6"); !slices.Equal(got[1:], []string{"○ published", "0.2335", "0.5098", "0.6057", "0.8078"}) {
		t.Errorf("localization: %q", got)
	}
	page.has("Touchstone judges agents that document code", "The first 5 of 7 rows, ranked by pass@1 under judge", "Nothing is running.",
		"touchstone submit docs.jsonl --url http://example.com --system \"My agent\" --model gpt-5-mini --release starter@1 --wait")
	links := page.links()
	for text, want := range map[string]string{
		"The whole leaderboard of starter@1: 7 rows": "/doc-to-code?release=starter%401", "upload a file of docstrings": "/submit/doc-to-code",
		"All tables of the track": "/localization", "All submissions": "/submissions", "Releases": "/releases",
	} {
		if links[text] != want {
			t.Errorf("%q leads to %q, want %q", text, links[text], want)
		}
	}
}

func TestAnEmptySiteSaysWhatToDoNext(t *testing.T) {
	r := emptyReference(t)
	home := r.page("/")
	home.has("No release was imported yet.", "touchstone admin release import starter", "No localization result is known yet.", "Nothing is running.", "touchstone submit")
	r.page("/doc-to-code/repos").has("No repository is known yet.", "touchstone admin release import starter")
	r.page("/releases").has("No release was imported yet.", "How a release is built")
	r.page("/localization").has("No localization result is known yet.")
	for _, path := range []string{"/doc-to-code/repos.csv", "/releases.csv", "/releases/tasks.csv", "/releases/dropped.csv", "/localization.csv"} {
		if got := r.file(path); len(got) != 0 {
			t.Errorf("%s has %v", path, got)
		}
	}
}

func TestAReleaseOnWhichNothingWasJudgedSaysSoOnTheHomePage(t *testing.T) {
	r := newReference(t)
	r.page("/").has("Nothing was judged on starter@1 yet.", "The first submission opens its leaderboard.")
	r.judge(judgment{system: "Agent", evaluator: "stub", kind: store.KindControl, samples: 1})
	r.page("/").has("On starter@1 only controls have judged so far.")
	r.page("/doc-to-code/repos").part("starter-1").has("Only controls have judged here so far.")
	// A newer release without a result does not hide the one with results.
	r.judge(judgment{system: "Agent", evaluator: "judge", value: 0.5})
	r.addRelease("newer", nil, requests)
	page := r.page("/")
	page.part("top-starter-1").has("Agent")
	page.hasNot("newer@1")
}

func TestTheHomePageShowsWhatIsRunning(t *testing.T) {
	r := newReference(t)
	for i := range 7 {
		r.queue(judgment{system: fmt.Sprint("Agent ", i), model: "small", evaluator: "judge"})
	}
	last, evaluation := r.queue(judgment{system: "Agent 7", evaluator: "judge"})
	r.check(r.db.Start(t.Context(), evaluation.ID))
	page := r.page("/")
	table := page.table("running-table")
	if len(table) != 1+5 {
		t.Fatalf("%q", table)
	}
	if want := []string{"Agent 0 small", "starter@1", "queued", "1", "249", "— nothing is known of the pace yet"}; !slices.Equal(table[1], want) {
		t.Errorf("%q, want %q", table[1], want)
	}
	page.has("The next 5 of 8 submissions queued or running.")
	polls := page.all(func(n *html.Node) bool { return attribute(n, "hx-trigger") != "" })
	if len(polls) != 1 || attribute(polls[0], "id") != "running" || attribute(polls[0], "hx-select") != "#running" {
		t.Errorf("%d elements ask again", len(polls))
	}
	r.check(r.db.Hide(t.Context(), last.PublicID, true))
	r.page("/").has("The next 5 of 7 submissions queued or running.")

	idle := newReference(t).page("/").all(func(n *html.Node) bool { return attribute(n, "hx-trigger") != "" })
	if len(idle) != 0 {
		t.Error("a page on which nothing runs asks again")
	}
}

func TestADurationIsSaidAsNobodyHoldsOneToIt(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Second: "less than a minute", 59 * time.Second: "less than a minute", time.Minute: "about 1 minute", 89 * time.Second: "about 1 minute",
		119 * time.Minute: "about 119 minutes", 2 * time.Hour: "about 2 hours", 50 * time.Hour: "about 50 hours",
	} {
		if got := about(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestAPageOfResultsFollowsTheResults(t *testing.T) {
	r := newReference(t)
	site := r.site
	if strings.Contains(r.ask("/doc-to-code/repos", http.StatusOK), "Newcomer") {
		t.Fatal("a result is there before it was")
	}
	r.judge(judgment{system: "Newcomer", evaluator: "judge", value: 0.5})
	r.site = site // not the one that was started anew
	for deadline := time.Now().Add(time.Minute); !strings.Contains(r.ask("/doc-to-code/repos", http.StatusOK), "Newcomer"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a new result is not on the page")
		}
	}
}
