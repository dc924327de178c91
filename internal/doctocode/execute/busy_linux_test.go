package execute_test

import (
	"context"
	"os/exec"
	"runtime"
	"syscall"
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
		Body: "import time\nend = time.process_time() + 0.08\nwhile time.process_time() < end:\n    pass\n" + original(t, w, "parcel/plain.py::scale"),
	}
	warm := c
	warm.Body = original(t, w, "parcel/plain.py::scale")
	run(t, runner, warm)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for range 8 * runtime.NumCPU() {
		busy := exec.CommandContext(ctx, "sh", "-c", "while :; do :; done")
		// Linux shares processors among sessions first: all hogs in one would leave the candidate half the machine.
		busy.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
		var err error
		if spawn.OnThread(func() { err = busy.Start() }); err != nil {
			t.Fatal(err)
		}
		defer busy.Wait()
		defer stop()
	}
	got := run(t, runner, c)
	if got.Verdict != benchmark.Passed {
		t.Errorf("after %.1f s of at most %v on its own: %s", got.Seconds, c.Wall, show(got))
	}
	if got.Seconds <= c.Wall.Seconds() {
		t.Errorf("the candidate took %.1f s: it had no need to wait", got.Seconds)
	}
}
