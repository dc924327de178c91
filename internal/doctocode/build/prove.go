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

// body is one that a strategy is tried on. truth is a fresh process's verdict,
// "" while it is not known.
type body struct {
	what  string
	text  string
	truth benchmark.Verdict
}

// prove tries the strategies from fast to slow on the original body, the stubs
// and mutants, and takes the first whose verdicts are those of a fresh process.
func (b *builder) prove(ctx context.Context, runner *execute.Runner, s survivor) (proven, error) {
	bodies, result, err := b.provingBodies(ctx, runner, s)
	if err != nil {
		return proven{}, err
	}
	wall := execute.Wall(b.baseline(s.tests))
	run := func(text string, strategy doctocode.Strategy) (execute.Outcome, error) {
		return runner.Run(ctx, execute.Candidate{Task: s.ID, Body: text, Tests: s.tests, Strategy: strategy, Wall: wall, NoJudge: true})
	}
	for i := range bodies {
		x := &bodies[i]
		if x.truth != "" {
			continue
		}
		outcome, err := run(x.text, doctocode.Fresh)
		if err != nil {
			return proven{}, err
		}
		if x.truth = outcome.Verdict; x.what == "stub" && x.truth == benchmark.Passed {
			// It failed in the stub filter: its tests depend on their order or on chance.
			return proven{Reason: doctocode.ReasonFlaky, Detail: "the stub, which had failed, passed when its tests were reordered or repeated"}, nil
		}
	}
	result.Proof.Rejected = map[doctocode.Strategy]string{}
	for _, strategy := range doctocode.Strategies {
		if strategy == doctocode.Fresh {
			break
		}
		if strategy == doctocode.Swapped && s.AtImport {
			result.Proof.Rejected[strategy] = "it also runs while the package is imported"
			continue
		}
		why, err := disagreement(bodies, strategy, run)
		if err != nil {
			return proven{}, err
		}
		if why == "" {
			result.Strategy = strategy
			return result, nil
		}
		result.Proof.Rejected[strategy] = why
	}
	result.Strategy = doctocode.Fresh
	return result, nil
}

// disagreement says on which body a strategy errs; "" when on none.
func disagreement(bodies []body, s doctocode.Strategy, run func(string, doctocode.Strategy) (execute.Outcome, error)) (string, error) {
	for _, x := range bodies {
		outcome, err := run(x.text, s)
		if err != nil {
			return "", err
		}
		if outcome.Strategy != s {
			return "not possible for the " + x.what, nil
		}
		if outcome.Verdict != x.truth {
			return fmt.Sprintf("%s instead of %s for a %s", outcome.Verdict, x.truth, x.what), nil
		}
	}
	return "", nil
}

// provingBodies are the bodies to try. The stub filter has run the original
// and the default of the annotated type on the same tests already.
func (b *builder) provingBodies(ctx context.Context, runner *execute.Runner, s survivor) ([]body, proven, error) {
	var result proven
	bodies := []body{{"reference", s.file.OriginalBody(s.definition), benchmark.Passed}, {what: "stub", text: passStub}}
	if text := defaultStub(s.definition); text != "" {
		bodies = append(bodies, body{"stub", text, s.byDefault})
	}
	result.Proof.Reference, result.Proof.Stubs = 1, len(bodies)-1
	mutants, err := runner.Mutants(ctx, s.ID, provingMutants, Seed(s.ID))
	if err != nil {
		return nil, result, err
	}
	for _, m := range mutants {
		bodies = append(bodies, body{what: "mutant", text: m.Body})
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
