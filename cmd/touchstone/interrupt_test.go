package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A command that is interrupted has failed, says that it can be gone on with,
// and keeps what it has.
func TestAnInterruptedCommandHasFailed(t *testing.T) {
	needs(t)
	c := program("evaluate", "--docs", "sample:vague", "--evaluator", "recorded", "--sandbox", "local", "--out", filepath.Join(t.TempDir(), "out"))
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	last := ""
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if last = lines.Text(); strings.HasPrefix(last, "samples 0/") {
			if err := c.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.Wait()
	if status := c.ProcessState.ExitCode(); status != exitFailed {
		t.Errorf("status %d", status)
	}
	if last != "touchstone: interrupted; the same command goes on from here" {
		t.Errorf("the last words are %q", last)
	}
}
