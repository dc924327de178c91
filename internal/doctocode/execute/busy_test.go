package execute_test

import (
	"context"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/spawn"
)

// A verdict must not depend on what else the machine does: a body that needs
// less than its time is not late because others have the processors.
func TestABusyMachineTakesNoTimeFromACandidate(t *testing.T) {
	w := fixtureWorkspace(t)
	runner := fixtureRunner(t, 1)
	c := execute.Candidate{
		Task: taskID("parcel/plain.py::scale"), Tests: taskTests(fixtureTests["parcel/plain.py::scale"]), Strategy: doctocode.Swapped, Wall: 2 * time.Second,
		Body: "import time\nend = time.process_time() + 0.15\nwhile time.process_time() < end:\n    pass\n" + original(t, w, "parcel/plain.py::scale"),
	}
	warm := c
	warm.Body = original(t, w, "parcel/plain.py::scale")
	run(t, runner, warm)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for range 4 * runtime.NumCPU() {
		busy := exec.CommandContext(ctx, "sh", "-c", "while :; do :; done")
		if err := spawn.Start(busy); err != nil {
			t.Fatal(err)
		}
		defer busy.Wait()
		defer stop()
	}
	if got := run(t, runner, c); got.Verdict != benchmark.Passed {
		t.Errorf("after %.1f s of at most %v on its own: %s", got.Seconds, c.Wall, show(got))
	}
}
