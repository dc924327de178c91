package execute_test

import (
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
)

// BenchmarkCandidate is the cost of one candidate that passes, with seven tests.
func BenchmarkCandidate(b *testing.B) {
	const task = "parcel/plain.py::scale"
	for _, strategy := range doctocode.Strategies {
		b.Run(string(strategy), func(b *testing.B) {
			runner := fixtureRunner(b, 1)
			c := execute.Candidate{Task: taskID(task), Tests: taskTests(fixtureTests[task]), Strategy: strategy,
				Body: "if not factor:\n    raise ValueError\nreturn [factor * v for v in values]"}
			if got := run(b, runner, c); got.Verdict != benchmark.Passed { // starts the server
				b.Fatal(show(got))
			}
			for b.Loop() {
				run(b, runner, c)
			}
		})
	}
}
