package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"touchstone/data"
	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/intake"
	"touchstone/internal/jsonlines"
)

// mostLines is how many lines about single rows go to standard error; the rest
// is counted.
const mostLines = 20

// givenDocs are the docstrings to judge.
type givenDocs struct {
	docs   evaluator.Docs
	key    string         // names their content
	report *intake.Report // nil when they are from no file
	others []string       // ids of documented functions and classes that are no task
	hint   string         // what was likely forgotten on the command line
}

// readDocs reads what --docs names.
func (c evaluateCommand) readDocs(ctx context.Context, dataset *doctocode.Dataset) (givenDocs, error) {
	switch c.Docs {
	case "original":
		return givenDocs{docs: evaluator.Original(), key: c.Docs}, nil
	case "none":
		return givenDocs{docs: evaluator.NoDocs(), key: c.Docs}, nil
	}
	file, err := c.openDocs()
	if err != nil {
		return givenDocs{}, err
	}
	defer file.Close()
	sum := sha256.New()
	report, docs, err := intake.Preflight(ctx, io.TeeReader(file, sum), c.Docs, dataset, intake.DefaultLimits)
	if err != nil {
		return givenDocs{}, err
	}
	g := givenDocs{docs: docs, key: hex.EncodeToString(sum.Sum(nil)), report: report, others: notTasks(docs, dataset)}
	if c.Release == nil {
		g.hint = "--release was not given, so these were held against the starter release: give --release DIR"
	}
	return g, nil
}

func (c evaluateCommand) openDocs() (io.ReadCloser, error) {
	const mend = "give a docs.jsonl, original, none, or sample:NAME"
	if sample, ok := data.SampleOf(c.Docs); ok {
		file, err := data.Submission(sample)
		if err != nil {
			return nil, &benchmark.InputError{Field: "docs", Problem: err.Error(), Mend: mend}
		}
		return file, nil
	}
	file, err := os.Open(c.Docs)
	if err != nil {
		return nil, &benchmark.InputError{Field: "docs", Problem: err.Error(), Mend: mend}
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, &benchmark.InputError{Field: "docs", Problem: fmt.Sprintf("%q is a folder, not a file", c.Docs), Mend: mend}
	}
	return file, nil
}

// notTasks are the documented functions and classes that are no task, sorted.
func notTasks(docs evaluator.Docs, dataset *doctocode.Dataset) []string {
	tasks := make(map[string]bool, len(dataset.Tasks))
	for _, t := range dataset.Tasks {
		tasks[t.ID] = true
	}
	var others []string
	for row := range docs.Rows {
		if id := row.Task.String(); !tasks[id] {
			others = append(others, id)
		}
	}
	slices.Sort(others)
	return others
}

// tell says what the file is worth before anything is judged. The error is an
// *benchmark.InputError when a line cannot be read or no task is documented.
func (g givenDocs) tell(p *place) error {
	r := g.report
	if r == nil {
		return nil
	}
	for _, line := range g.lines() {
		p.say("%s", line)
	}
	switch {
	case r.Rejected.Count > 0:
		return &benchmark.InputError{File: r.File, Problem: many(r.Rejected.Count, "line", "lines") + " cannot be read", Mend: "mend them; nothing was judged"}
	case r.Documented == 0:
		return &benchmark.InputError{File: r.File, Problem: fmt.Sprintf("documents none of the %d tasks of %s (%s)", r.Tasks, r.Release, g.counts()), Mend: g.mend()}
	}
	p.say("%s: %d of %s of %s documented (%s)", r.File, r.Documented, many(r.Tasks, "task", "tasks"), r.Release, g.counts())
	return nil
}

// mend is what helps when no task is documented.
func (g givenDocs) mend() string {
	switch {
	case g.report.Unmatched.Count == 0 && g.report.Blank.Count > 0:
		return "fill the blank docstrings in, or give --docs none to judge without any"
	case g.report.Unmatched.Count > 0 && g.hint != "":
		return g.hint
	}
	return "the ids of the tasks are in the release's tasks.jsonl"
}

// counts sums up what became of the rows.
func (g givenDocs) counts() string {
	r := g.report
	words := []string{many(r.Rows, "row", "rows")}
	for _, part := range []struct {
		n    int
		what string
	}{
		{r.Unmatched.Count, "unmatched"},
		{r.Superseded.Count, "replaced by a later one"},
		{r.Blank.Count, "blank"},
		{r.Context, "for no task, only in the prompts of its file"},
		{r.Unused, "for no task, unused"},
		{r.Placeholders.Count, "like a placeholder"},
		{r.Long.Count, "very long"},
	} {
		if part.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	return strings.Join(words, ", ")
}

// lines are about single rows, the first of each kind.
func (g givenDocs) lines() []string {
	r := g.report
	at := func(line int, format string, values ...any) string {
		return fmt.Sprintf("%s:%d: ", r.File, line) + fmt.Sprintf(format, values...)
	}
	rejected := listed(r.Rejected, func(x jsonlines.Rejection) string {
		return (&benchmark.InputError{File: r.File, Line: x.Line, Field: x.Field, Problem: x.Problem, Mend: x.Mend}).Error()
	})
	unmatched := listed(r.Unmatched, func(x intake.Unmatched) string {
		return at(x.Line, "no task %s: %s%s", x.ID, x.Problem, didYouMean(x))
	})
	blank := map[int]bool{}
	for _, x := range r.Blank.First {
		blank[x.Line] = true
	}
	superseded := listed(r.Superseded, func(x intake.Duplicate) string {
		if blank[x.Counts] {
			return at(x.Line, "replaced by line %d, which is blank: %s has no docstring", x.Counts, x.ID)
		}
		return at(x.Line, "replaced by line %d, the last for %s", x.Counts, x.ID)
	})
	var others []string
	for _, id := range g.others[:min(len(g.others), mostLines)] {
		others = append(others, fmt.Sprintf("%s: no task %s: the repository has it, but its tests do not judge it", r.File, id))
	}
	return slices.Concat(rejected, unmatched, superseded, withRest(others, len(g.others)))
}

// listed are the lines of a list's first entries.
func listed[T any](l jsonlines.Listed[T], line func(T) string) []string {
	var lines []string
	for _, x := range l.First[:min(len(l.First), mostLines)] {
		lines = append(lines, line(x))
	}
	return withRest(lines, l.Count)
}

func withRest(lines []string, all int) []string {
	if rest := all - len(lines); rest > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more of these", rest))
	}
	return lines
}

// didYouMean offers the nearest names, without the path where it is the row's.
func didYouMean(x intake.Unmatched) string {
	if len(x.Nearest) == 0 {
		return ""
	}
	_, inside, _ := strings.Cut(x.ID, ":")
	file, _, _ := strings.Cut(inside, "::")
	names := make([]string, len(x.Nearest))
	for i, n := range x.Nearest {
		names[i] = n
		if in, name, ok := strings.Cut(n, "::"); ok && in == path.Clean(file) {
			names[i] = name
		}
	}
	last := len(names) - 1
	if last > 0 {
		names[last] = "or " + names[last]
	}
	return "; did you mean " + strings.Join(names, map[bool]string{true: ", ", false: " "}[last > 1]) + "?"
}

// many is a number with the right word.
func many(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
