package main

import (
	"fmt"
	"strings"

	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluate"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/intake"
)

// summary is the line that a program reads. docs/commands.md says what each
// field is.
func summary(d *doctocode.Dataset, judge evaluator.Evaluator, docs *intake.Report, r evaluate.Result) map[string]any {
	at := map[string]float64{}
	for _, p := range r.Score.PassAt {
		if p.Tasks > 0 {
			at[fmt.Sprint(p.K)] = p.Value
		}
	}
	judged := evaluate.Judged(r.Score.PassAt)
	line := map[string]any{
		"release": d.Release.ID(), "evaluator": judge.Name(), "tasks": r.Score.Tasks, "judged_tasks": judged, "missing_tasks": r.Score.Tasks - judged,
		"samples": r.Score.Samples, "missing_samples": r.Missing.Samples, "documented": r.Score.Documented,
		"pass@1": nil, "pass@k": at, "verdicts": r.Score.Verdicts, "suspicious": r.Flagged, "tokens": r.Tokens,
		"executed": r.Ran, "seconds": r.Took.Seconds(), "candidates_per_second": float64(r.Ran) / r.Took.Seconds(),
	}
	if v, ok := doctocode.At(r.Score.PassAt, 1); ok {
		line["pass@1"] = v
	}
	if docs != nil {
		line["docs"] = map[string]int{"rows": docs.Rows, "unmatched": docs.Unmatched.Count, "superseded": docs.Superseded.Count,
			"blank": docs.Blank.Count, "no_task": docs.Context + docs.Unused}
	}
	return line
}

// incomplete is nil when every sample has a verdict; else it says which lack
// one, and what the score is of.
func incomplete(r evaluate.Result, recorded, kept bool) error {
	m := r.Missing
	if m.Samples == 0 {
		return nil
	}
	reply, mend := "reply", "run the same command again"
	if recorded && m.Replies > 0 {
		reply, mend = "recorded reply", "add the missing replies to the completions file and "+mend
	}
	if kept {
		mend += ": only these are done again"
	}
	var parts []string
	single := m.Replies - len(m.Tasks)*len(r.Score.PassAt)
	if len(m.Tasks) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s have no %s, such as %s", len(m.Tasks), many(r.Score.Tasks, "task", "tasks"), reply, m.Tasks[0]))
	}
	if single > 0 {
		of := ""
		if len(m.Tasks) > 0 {
			of = " of other tasks"
		}
		parts = append(parts, fmt.Sprintf("%s%s without %s", many(single, "sample", "samples"), of, reply))
	}
	if failed := m.Samples - m.Replies; failed > 0 {
		parts = append(parts, many(failed, "sample", "samples")+" that could not be executed (see infra_error in the verdicts)")
	}
	return fmt.Errorf("%s; pass@1 is of %s; %s", strings.Join(parts, ", "), many(evaluate.Judged(r.Score.PassAt), "task", "tasks"), mend)
}
