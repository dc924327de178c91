//go:build !linux

package sandbox

import "context"

// Local needs Linux.
type Local struct{}

// NewLocal returns an *UnavailableError.
func NewLocal() (*Local, error) {
	return nil, &UnavailableError{Sandbox: "local", Reason: "it needs Linux", Mend: "use the docker sandbox"}
}

// Name returns "local".
func (l *Local) Name() string { return "local" }

// Start returns an *UnavailableError.
func (l *Local) Start(context.Context, Spec) (Process, error) {
	_, err := NewLocal()
	return nil, err
}

// Reap has nothing to do.
func (l *Local) Reap(context.Context) (int, error) { return 0, nil }

// No process of ours is ever re-executed under these names here.
const (
	initName  = "touchstone-sandbox-init"
	probeName = "touchstone-sandbox-probe"
)

func runInit()  {}
func runProbe() {}

// checkInside needs a Linux program to run inside.
func checkInside(context.Context, Sandbox) []Finding {
	return []Finding{{What: "the promises", OK: true, Detail: "they can be tried on Linux only"}}
}
