package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluate"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/intake"
)

// given are docs of a text for the starter release.
func given(t *testing.T, text string) givenDocs {
	t.Helper()
	d := starterRelease(t)
	report, docs, err := intake.Preflight(t.Context(), strings.NewReader(text), "docs.jsonl", d, intake.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return givenDocs{docs: docs, report: report, others: notTasks(docs, d)}
}

// Whatever a row is not used for is said, with its line and name.
func TestRowsThatCountForNothingAreNamed(t *testing.T) {
	const hull, at = "touchstone/spans:src/spans/interval.py::Interval.hull", "docs.jsonl:"
	for _, c := range []struct {
		rule, text string
		want       []string
		counts     string
	}{
		{"all is well", docLine("Interval.hull", "The smallest interval that holds both."), nil, "1 row"},
		{"a misspelt name", docLine("Interval.hull", "The smallest.") + docLine("Interval.hul", "x"),
			[]string{at + "2: no task touchstone/spans:src/spans/interval.py::Interval.hul: the repository has no such function or class; did you mean Interval.hull, Interval.cuts, or Interval?"},
			"2 rows, 1 unmatched"},
		{"another repository", strings.Replace(docLine("f", "x"), "touchstone/spans", "touchstone/span", 1),
			[]string{at + "1: no task touchstone/span:src/spans/interval.py::f: the release has no such repository; did you mean touchstone/spans, touchstone/fadecache, or touchstone/gridtext?"}, "1 row, 1 unmatched"},
		{"a class, which is no task", docLine("Interval", "Two ends."),
			[]string{"docs.jsonl: no task touchstone/spans:src/spans/interval.py::Interval: the repository has it, but its tests do not judge it"},
			"1 row, 1 for no task, only in the prompts of its file"},
		{"a second row", docLine("Interval.hull", "First.") + docLine("Interval.hull", "The second."), []string{at + "1: replaced by line 2, the last for " + hull},
			"2 rows, 1 replaced by a later one"},
		{"a second row that is blank", docLine("Interval.hull", "First.") + docLine("Interval.hull", " "),
			[]string{at + "1: replaced by line 2, which is blank: " + hull + " has no docstring"}, "2 rows, 1 replaced by a later one, 1 blank"},
	} {
		g := given(t, c.text)
		if got := g.lines(); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.rule, got, c.want)
		}
		if got := g.counts(); got != c.counts {
			t.Errorf("%s: %q, want %q", c.rule, got, c.counts)
		}
	}
}

// Of many lines the first twenty of a kind are shown, and the rest is counted.
func TestManyLinesAreCounted(t *testing.T) {
	var text strings.Builder
	for i := range 50 {
		text.WriteString(docLine(fmt.Sprintf("Interval.hul%d", i), "x"))
	}
	lines := given(t, text.String()).lines()
	if len(lines) != mostLines+1 || lines[mostLines] != "… and 30 more of these" {
		t.Errorf("%d lines, the last: %s", len(lines), lines[len(lines)-1])
	}
}

func starterRelease(t *testing.T) *doctocode.Dataset {
	t.Helper()
	folder, err := workshopFlags{Cache: t.TempDir()}.openCache()
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	d, err := evaluateCommand{}.dataset(folder)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// judgedIn is a result of so many tasks, of which judged have two samples that count.
func judgedIn(tasks, judged int, m evaluate.Missing) evaluate.Result {
	return evaluate.Result{Missing: m, Took: 1, Score: doctocode.Score{Tasks: tasks, Samples: 2 * judged,
		PassAt: []doctocode.PassAt{{K: 1, Value: 0.5, Tasks: judged, Missing: tasks - judged}, {K: 2, Value: 1, Tasks: judged, Missing: tasks - judged}}}}
}

// A score of a part of the tasks says so, in the summary and in words.
func TestMissingSamplesAreCounted(t *testing.T) {
	for _, c := range []struct {
		rule           string
		result         evaluate.Result
		recorded, kept bool
		want           string // "": nothing is missing
	}{
		{"all is there", judgedIn(12, 12, evaluate.Missing{}), true, true, ""},
		{"tasks without a reply", judgedIn(12, 11, evaluate.Missing{Samples: 2, Replies: 2, Tasks: []string{"a/b:c.py::d"}}), true, false,
			"1 of 12 tasks have no recorded reply, such as a/b:c.py::d; pass@1 is of 11 tasks; add the missing replies to the completions file and run the same command again"},
		{"single samples without a reply", judgedIn(12, 12, evaluate.Missing{Samples: 3, Replies: 3}), true, true,
			"3 samples without recorded reply; pass@1 is of 12 tasks; add the missing replies to the completions file and run the same command again: only these are done again"},
		{"both, and the machine failed one", judgedIn(3, 2, evaluate.Missing{Samples: 4, Replies: 3, Tasks: []string{"a/b:c.py::d"}}), false, true,
			"1 of 3 tasks have no reply, such as a/b:c.py::d, 1 sample of other tasks without reply, 1 sample that could not be executed (see infra_error in the verdicts); pass@1 is of 2 tasks; run the same command again: only these are done again"},
		{"the machine failed all", judgedIn(1, 0, evaluate.Missing{Samples: 2}), true, false,
			"2 samples that could not be executed (see infra_error in the verdicts); pass@1 is of 0 tasks; run the same command again"},
	} {
		err := incomplete(c.result, c.recorded, c.kept)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.rule, err)
			}
		} else if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.rule, err, c.want)
		}
	}
	line := summary(starterRelease(t), evaluator.Stub, nil, judgedIn(12, 5, evaluate.Missing{Samples: 14, Replies: 14}))
	for key, want := range map[string]any{"tasks": 12, "judged_tasks": 5, "missing_tasks": 7, "samples": 10, "missing_samples": 14, "pass@1": 0.5,
		"executed": 0, "candidates_per_second": 0.0} {
		if line[key] != want {
			t.Errorf("%s is %v, want %v", key, line[key], want)
		}
	}
	if line = summary(starterRelease(t), evaluator.Stub, nil, judgedIn(12, 0, evaluate.Missing{Samples: 24})); line["pass@1"] != nil {
		t.Errorf("no task is judged, and pass@1 is %v", line["pass@1"])
	}
}
