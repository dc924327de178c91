package baseline_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"touchstone/internal/localization/baseline"
	"touchstone/internal/localization/history"
	"touchstone/internal/localization/history/historytest"
)

var begin = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// ask has an agent read a folder and predicts.
func ask(t *testing.T, name, dir, prompt string) []string {
	t.Helper()
	agent, err := baseline.New(context.Background(), name, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return agent.Predict(prompt)
}

// library is a history in which expiry is kept in clock.go, whose content does
// not say so, and was changed together with wheel.go.
func library(t *testing.T) *historytest.History {
	h := historytest.New(t, begin)
	for _, name := range []string{"alpha", "beta", "gamma", "delta"} {
		h.Write("store/"+name+".go", "package store\n\nfunc "+strings.ToUpper(name[:1])+name[1:]+"() {}\n")
	}
	h.Write("store/clock.go", "package store\n\nvar ticks int\n").Write("store/wheel.go", "package store\n\nvar spokes int\n")
	h.Write("README.md", "A store of things.\n")
	h.Commit("First files")
	for i := range 3 {
		h.Write("store/clock.go", fmt.Sprintf("package store\n\nvar ticks = %d\n", i)).Write("store/wheel.go", fmt.Sprintf("package store\n\nvar spokes = %d\n", i))
		h.Commit(fmt.Sprintf("Keys expire too late in round %d (#%d)", i, i+1))
	}
	return h
}

func TestContentAndPathsDecideForBM25(t *testing.T) {
	h := library(t)
	for _, c := range []struct {
		prompt string
		want   []string
	}{
		{"make Gamma faster", []string{"store/gamma.go"}},
		{"a wheel turns the wrong way", []string{"store/wheel.go"}},
		{"A store of the things in the readme", []string{"README.md"}},
		{"keys expire late", nil},
		{"", nil},
	} {
		if got := ask(t, baseline.BM25, h.Dir, c.prompt); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.prompt, got, c.want)
		}
	}
}

func TestHistoryKnowsWhatSimilarCommitsChanged(t *testing.T) {
	h := library(t)
	got := ask(t, baseline.BM25History, h.Dir, "keys that expire stay too late")
	if want := []string{"store/clock.go", "store/wheel.go"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHistoryKnowsFilesByTheirPresentNames(t *testing.T) {
	h := library(t)
	h.Move("store/clock.go", "time/hand.go").Remove("store/wheel.go")
	h.Commit("Move a file")
	got := ask(t, baseline.BM25History, h.Dir, "keys expire too late")
	if len(got) == 0 || got[0] != "time/hand.go" || slices.Contains(got, "store/clock.go") || slices.Contains(got, "store/wheel.go") {
		t.Errorf("got %q", got)
	}
}

// A commit behind T0 that would give the answer away changes nothing of what
// the agents predict from the snapshot.
func TestAPlantedLaterCommitIsNotSeen(t *testing.T) {
	const prompt = "rotate the zanzibar credentials"
	h := library(t)
	at := h.Git("rev-parse", "HEAD")
	snapshot := func() string {
		dir, cleanup, err := history.Snapshot(context.Background(), h.Dir, at)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(cleanup)
		return dir
	}
	before := snapshot()
	h.Write("store/delta.go", "package store\n\nfunc Delta() {} // the zanzibar credentials\n")
	h.Commit("Rotate the zanzibar credentials (#9)")
	after := snapshot()
	for name := range baseline.Conditions {
		want := ask(t, name, before, prompt)
		if got := ask(t, name, after, prompt); !slices.Equal(got, want) || slices.Contains(got, "store/delta.go") {
			t.Errorf("%s: %q with the planted commit, %q without", name, got, want)
		}
		// The plant is one: whoever reads the later history finds the answer.
		if got := ask(t, name, h.Dir, prompt); !slices.Equal(got, []string{"store/delta.go"}) {
			t.Errorf("%s does not find the planted commit where it may: %q", name, got)
		}
	}
}

func TestFilesThatAreNoTextCountByTheirPaths(t *testing.T) {
	h := historytest.New(t, begin)
	h.Write("logo.png", "\x89PNG\x00cache").Write("data/cache.bin", "\x00\x01").Write("big.txt", strings.Repeat("cache of words\n", 80_000))
	h.Write("empty.go", "").Write("code.go", "package code // cache\n").Link("link.go", "code.go")
	h.Commit("All kinds")
	agent, err := baseline.New(context.Background(), baseline.BM25, h.Dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if agent.Files() != 6 {
		t.Errorf("%d files", agent.Files())
	}
	for prompt, want := range map[string]string{"logo": "logo.png", "cache": "code.go", "link": "link.go", "empty": "empty.go", "big words": "big.txt"} {
		if got := agent.Predict(prompt); len(got) == 0 || got[0] != want {
			t.Errorf("%q: %q, want %s first", prompt, got, want)
		}
	}
}

// Mirrors may lack their largest files; what past commits changed is known
// without them.
func TestThePastIsReadWithoutContentsThatAreLacking(t *testing.T) {
	h := library(t)
	h.Move("store/clock.go", "store/hand.go").Write("store/hand.go", "package store\n\nvar ticks = 3\n").Commit("Rename and change a file")
	blob := h.Git("rev-parse", "HEAD~1:store/clock.go")
	if err := os.Remove(filepath.Join(h.Dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	got := ask(t, baseline.BM25History, h.Dir, "keys that expire stay too late")
	if !slices.Contains(got, "store/wheel.go") {
		t.Errorf("got %q", got)
	}
}

func TestASweepSaysNothingOfAnyFile(t *testing.T) {
	h := historytest.New(t, begin)
	for i := range 40 {
		h.Write(fmt.Sprintf("pkg/f%02d.go", i), "package pkg\n")
	}
	h.Commit("Add licence headers everywhere (#1)")
	if got := ask(t, baseline.BM25History, h.Dir, "add licence headers"); len(got) > 0 {
		t.Errorf("got %q", got)
	}
}

func TestAtMostSixFilesArePredicted(t *testing.T) {
	h := historytest.New(t, begin)
	for i := range 20 {
		h.Write(fmt.Sprintf("a%02d.go", i), "package cache\n")
	}
	h.Write("other.go", "package other\n").Commit("First files")
	got := ask(t, baseline.BM25, h.Dir, "cache")
	if want := []string{"a00.go", "a01.go", "a02.go", "a03.go", "a04.go", "a05.go"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnAgentNeedsANameAndARepository(t *testing.T) {
	h := library(t)
	for _, c := range []struct{ name, dir, want string }{
		{"bm26", h.Dir, `agent: there is no agent "bm26"; give bm25 or bm25+history`},
		{baseline.BM25, t.TempDir(), "is not a git repository"},
	} {
		if _, err := baseline.New(context.Background(), c.name, c.dir, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestTheReadingEndsWithItsContext(t *testing.T) {
	h := library(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := baseline.New(ctx, baseline.BM25History, h.Dir, nil); err == nil {
		t.Error("it was read to its end")
	}
}
