package web

import (
	"os"
	"testing"

	"touchstone/internal/sandbox"
)

// TestMain lets the test binary be a sandbox, which tests of the whole site run.
func TestMain(m *testing.M) {
	sandbox.Init() // does not return in the process that becomes a sandbox
	os.Exit(m.Run())
}
