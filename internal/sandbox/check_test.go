//go:build linux

package sandbox_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"touchstone/internal/sandbox"
)

// noSandbox runs programs without any isolation, as no sandbox may.
type noSandbox struct{}

type noSandboxProcess struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  io.ReadCloser
}

func (noSandbox) Name() string                      { return "none" }
func (noSandbox) Reap(context.Context) (int, error) { return 0, nil }

func (noSandbox) Start(_ context.Context, spec sandbox.Spec) (sandbox.Process, error) {
	command := exec.Command("/proc/self/exe", spec.Argv[1:]...)
	command.Args[0] = filepath.Base(spec.Argv[0])
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := noSandboxProcess{command, stdin, stdout}
	if spec.Limits.Wall > 0 {
		time.AfterFunc(3*time.Second, p.Kill)
	}
	return p, command.Start()
}

func (p noSandboxProcess) Stdin() io.WriteCloser { return p.stdin }
func (p noSandboxProcess) Stdout() io.Reader     { return p.stdout }
func (p noSandboxProcess) Stderr() string        { return "" }
func (p noSandboxProcess) Kill()                 { _ = p.command.Process.Kill() }

func (p noSandboxProcess) Wait() sandbox.Exit {
	_ = p.command.Wait()
	return sandbox.Exit{Code: p.command.ProcessState.ExitCode()}
}

func TestCheckSeesThatNothingIsIsolated(t *testing.T) {
	// Only the promises that can be broken without harm to the host.
	broken := map[string]bool{
		"all processes end with the program": true,
		"no network":                         true,
		"no file of the host":                true,
		"no process of the host":             true,
		"no privilege":                       true,
		"bounded memory":                     true,
		"bounded files":                      true,
		"bounded scratch space":              true,
		"bounded processes":                  true,
		"bounded time":                       true,
	}
	if os.Getuid() == 0 {
		broken["no writing outside the given folders"] = true
	}
	for _, f := range sandbox.Check(context.Background(), noSandbox{}) {
		if broken[f.What] {
			if f.OK || f.Detail == "" || f.Mend == "" {
				t.Errorf("%+v", f)
			}
			delete(broken, f.What)
		}
	}
	if len(broken) > 0 {
		t.Errorf("not tried: %v", broken)
	}
}

func TestOpenKnowsNoOtherSandbox(t *testing.T) {
	for _, name := range []string{"", "none", "Local"} {
		if s, err := sandbox.Open(context.Background(), name, sandbox.DockerConfig{}); err == nil || s != nil {
			t.Errorf("%q opens %v", name, s)
		}
	}
}
