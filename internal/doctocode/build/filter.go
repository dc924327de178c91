package build

import (
	"context"
	"fmt"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
)

// filtered is what the stub filter found out about a target.
type filtered struct {
	Reason  string            `json:"reason,omitempty"` // why it is dropped
	Detail  string            `json:"detail,omitempty"`
	Failed  []string          `json:"failed,omitempty"`  // tests that the pass stub failed
	Default benchmark.Verdict `json:"default,omitempty"` // of a default of the annotated type, where there is one
}

// filter replaces the target's body by stubs, in a fresh process each. A
// target whose tests all pass with one of them is dropped, and so is one whose
// tests, those first that the stub failed, do not pass with the original body.
func (b *builder) filter(ctx context.Context, runner *execute.Runner, t *target) (filtered, error) {
	d := t.definition
	original := t.file.OriginalBody(d)
	if original == "" || original == passStub || original == "..." {
		return filtered{Reason: doctocode.ReasonEmptyBody, Detail: "the body does nothing"}, nil
	}
	baseline := b.baseline(t.Tests)
	if baseline > b.maxSeconds {
		return filtered{Reason: doctocode.ReasonSlow, Detail: fmt.Sprintf("its tests take more than %g s", b.maxSeconds)}, nil
	}
	run := func(body string, tests []string, all bool) (execute.Outcome, error) {
		return runner.Run(ctx, execute.Candidate{Task: t.ID, Body: body, Tests: tests, Strategy: doctocode.Fresh,
			Wall: execute.Wall(baseline), All: all, NoJudge: true})
	}
	stub, err := run(passStub, t.Tests, true)
	if err != nil {
		return filtered{}, err
	}
	if stub.Verdict == benchmark.Passed {
		return filtered{Reason: doctocode.ReasonVacuous, Detail: "its tests pass with the body `pass`"}, nil
	}
	tests, _ := ordered(t.Tests, stub.Failed)
	reference, err := run(original, tests, false)
	if err != nil {
		return filtered{}, err
	}
	if reference.Verdict != benchmark.Passed {
		return filtered{Reason: doctocode.ReasonReference, Detail: string(reference.Verdict) + " at " + reference.Test + ": " + lastLines(reference.Detail, 4)}, nil
	}
	result := filtered{Failed: stub.Failed}
	if body := defaultStub(d); body != "" {
		stub, err := run(body, tests, false)
		if err != nil {
			return filtered{}, err
		}
		if stub.Verdict == benchmark.Passed {
			return filtered{Reason: doctocode.ReasonDefault, Detail: "its tests pass with the body `" + body + "`"}, nil
		}
		result.Default = stub.Verdict
	}
	return result, nil
}

func (b *builder) baseline(tests []string) float64 {
	var sum float64
	for _, t := range tests {
		sum += b.seconds[t]
	}
	return sum
}

// ordered puts the tests that the stub failed first; both parts keep the
// suite's order.
func ordered(tests, failed []string) (all []string, failing int) {
	bad := make(map[string]bool, len(failed))
	for _, id := range failed {
		bad[id] = true
	}
	var rest []string
	for _, id := range tests {
		if bad[id] {
			all = append(all, id)
		} else {
			rest = append(rest, id)
		}
	}
	return append(all, rest...), len(all)
}
