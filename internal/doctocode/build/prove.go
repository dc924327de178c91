package build

import (
	"context"
	"fmt"
	"hash/fnv"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
)

// provingMutants is how many changed bodies a strategy is tried on, where a
// function has that many.
const provingMutants = 6

// proven is the fastest strategy that agreed with a fresh process.
type proven struct {
	Strategy doctocode.Strategy `json:"strategy"`
	Proof    doctocode.Proof    `json:"proof"`
	Reason   string             `json:"reason,omitempty"` // why the task is dropped after all
	Detail   string             `json:"detail,omitempty"`
}

type body struct {
	what string
	text string
}

// prove tries the strategies from fast to slow on the original body, the stubs
// and mutants, and takes the first whose verdicts are those of a fresh process.
func (b *builder) prove(ctx context.Context, runner *execute.Runner, t *target, tests []string) (proven, error) {
	bodies, result, err := b.provingBodies(ctx, runner, t)
	if err != nil {
		return proven{}, err
	}
	wall := execute.Wall(b.baseline(tests))
	run := func(text string, s doctocode.Strategy) (execute.Outcome, error) {
		return runner.Run(ctx, execute.Candidate{Task: t.ID, Body: text, Tests: tests, Strategy: s, Wall: wall, NoJudge: true})
	}
	truth := make([]benchmark.Verdict, len(bodies))
	for i, x := range bodies {
		outcome, err := run(x.text, doctocode.Fresh)
		if err != nil {
			return proven{}, err
		}
		truth[i] = outcome.Verdict
		if wanted := x.what == "reference"; wanted != (outcome.Verdict == benchmark.Passed) && x.what != "mutant" {
			// It behaved otherwise in the stub filter: its tests depend on their order or on chance.
			return proven{Reason: doctocode.ReasonFlaky, Detail: fmt.Sprintf("the %s ended as %s when its tests were reordered or repeated: %s",
				x.what, outcome.Verdict, lastLines(outcome.Detail, 4))}, nil
		}
	}
	result.Proof.Rejected = map[doctocode.Strategy]string{}
	for _, s := range doctocode.Strategies {
		if s == doctocode.Fresh {
			break
		}
		if s == doctocode.Swapped && t.AtImport {
			result.Proof.Rejected[s] = "it also runs while the package is imported"
			continue
		}
		why, err := disagreement(bodies, truth, s, run)
		if err != nil {
			return proven{}, err
		}
		if why == "" {
			result.Strategy = s
			return result, nil
		}
		result.Proof.Rejected[s] = why
	}
	result.Strategy = doctocode.Fresh
	return result, nil
}

func disagreement(bodies []body, truth []benchmark.Verdict, s doctocode.Strategy, run func(string, doctocode.Strategy) (execute.Outcome, error)) (string, error) {
	for i, x := range bodies {
		outcome, err := run(x.text, s)
		if err != nil {
			return "", err
		}
		if outcome.Strategy != s {
			return "not possible for the " + x.what, nil
		}
		if outcome.Verdict != truth[i] {
			return fmt.Sprintf("%s instead of %s for a %s", outcome.Verdict, truth[i], x.what), nil
		}
	}
	return "", nil
}

func (b *builder) provingBodies(ctx context.Context, runner *execute.Runner, t *target) ([]body, proven, error) {
	var result proven
	bodies := []body{{"reference", t.file.OriginalBody(t.definition)}, {"stub", passStub}}
	if text := defaultStub(t.definition); text != "" {
		bodies = append(bodies, body{"stub", text})
	}
	result.Proof.Reference, result.Proof.Stubs = 1, len(bodies)-1
	mutants, err := runner.Mutants(ctx, t.ID, provingMutants, Seed(t.ID))
	if err != nil {
		return nil, result, err
	}
	for _, m := range mutants {
		bodies = append(bodies, body{"mutant", m.Body})
	}
	result.Proof.Mutants = len(mutants)
	return bodies, result, nil
}

// Seed is the seed that chooses a task's mutants.
func Seed(task string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(task))
	return h.Sum32()
}
