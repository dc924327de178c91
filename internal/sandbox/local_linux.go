package sandbox

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"touchstone/internal/spawn"
)

// Local runs programs in namespaces of their own, fenced further by Landlock
// where the kernel has it, by a system call filter and by resource limits. It
// needs no privilege, no installation and nothing on disk, and is safe for
// concurrent use.
type Local struct{ identity identity }

// NewLocal proves, by setting up a sandbox and discarding it, that this
// machine allows local sandboxes; otherwise the error is an *UnavailableError.
// The program must have called Init.
func NewLocal() (*Local, error) {
	id, err := callerIdentity()
	if err != nil {
		return nil, diagnose(err)
	}
	l := &Local{identity: id}
	trial := Spec{Argv: []string{"/"}, Dir: "/", Limits: Limits{}.withDefaults()}
	started, err := l.launch(order{Spec: trial, Trial: true})
	if err != nil {
		return nil, err
	}
	started.discard()
	return l, nil
}

// Name returns "local".
func (l *Local) Name() string { return "local" }

// Reap has nothing to do: the kernel removes a sandbox with its processes, and
// these with their parent.
func (l *Local) Reap(context.Context) (int, error) { return 0, nil }

// Start runs spec.
func (l *Local) Start(ctx context.Context, spec Spec) (Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	spec, err := spec.prepared()
	if err != nil {
		return nil, err
	}
	started, err := l.launch(order{Spec: spec})
	if err != nil {
		return nil, err
	}
	p := &localProcess{started: started, stdout: &output{file: started.stdout}, stderr: newTail(spec.Limits.StderrBytes)}
	p.life = newLife(ctx, spec.Limits.Wall, func() { _ = started.process.Kill() })
	go p.watch()
	return p, nil
}

type localProcess struct {
	*life
	started *launched
	stdout  *output
	stderr  *tail
}

func (p *localProcess) Stdin() io.WriteCloser { return p.started.stdin }
func (p *localProcess) Stdout() io.Reader     { return p.stdout }
func (p *localProcess) Stderr() string        { return p.stderr.String() }

// watch keeps the end of standard error and sees the process out. Process 1 is
// only reported dead when its whole namespace is empty, so nothing holds the
// pipe after it.
func (p *localProcess) watch() {
	_, _ = io.Copy(p.stderr, p.started.stderr)
	state, err := p.started.process.Wait()
	p.started.stdin.Close()
	p.started.stderr.Close()
	exit := Exit{Code: -1, Stderr: p.stderr.String()}
	if err != nil {
		exit.Signal = "unknown: " + err.Error()
	} else if status := state.Sys().(syscall.WaitStatus); status.Signaled() {
		exit.Signal = status.Signal().String()
	} else {
		exit.Code = status.ExitStatus()
	}
	p.end(exit)
}

// launched is a running program and our ends of its pipes.
type launched struct {
	process *os.Process
	stdin   *os.File
	stdout  *os.File
	stderr  *os.File
}

func (s *launched) discard() {
	_ = s.process.Kill()
	_, _ = s.process.Wait()
	s.stdin.Close()
	s.stdout.Close()
	s.stderr.Close()
}

// launch starts the init and waits until it has become the program.
func (l *Local) launch(o order) (*launched, error) {
	if !initialised.Load() {
		return nil, errors.New("sandbox: main must call sandbox.Init first")
	}
	o.SwitchUser = l.identity.switchUser
	var message bytes.Buffer
	if err := gob.NewEncoder(&message).Encode(o); err != nil {
		return nil, err
	}

	var pipes pipes
	defer pipes.closeAll()
	stdin, toProgram := pipes.make()
	fromStdout, stdout := pipes.make()
	fromStderr, stderr := pipes.make()
	orders, toInit := pipes.make()
	fromInit, status := pipes.make()
	if pipes.err != nil {
		return nil, pipes.err
	}

	process, err := l.clone([]*os.File{stdin, stdout, stderr, orders, status})
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.ENOMEM) {
		return nil, fmt.Errorf("sandbox: %w", err) // the caller's own limits
	}
	if err != nil {
		return nil, diagnose(fmt.Errorf("create namespaces: %w", err))
	}
	// The child holds these now; our copies would hide its end of file.
	pipes.close(stdin, stdout, stderr, orders, status)
	s := &launched{process: process, stdin: toProgram, stdout: fromStdout, stderr: fromStderr}
	_, writeErr := toInit.Write(message.Bytes())
	report, err := io.ReadAll(fromInit)
	if err = errors.Join(err, readStatus(report)); err != nil {
		s.discard()
		return nil, errors.Join(err, writeErr)
	}
	pipes.keep(toProgram, fromStdout, fromStderr)
	return s, nil
}

// readStatus turns the init's report into the error it means.
func readStatus(report []byte) error {
	report, ready := bytes.CutPrefix(report, []byte{statusReady})
	switch {
	case len(report) == 0 && ready:
		return nil
	case len(report) == 0:
		return errors.New("sandbox: the process was killed while it was set up")
	case report[0] == statusUnavailable:
		return diagnose(errors.New(string(report[1:])))
	default:
		return errors.New("sandbox: " + string(report[1:]))
	}
}

const namespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC |
	unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// clone starts this binary again in new namespaces.
func (l *Local) clone(files []*os.File) (process *os.Process, err error) {
	attr := &os.ProcAttr{
		Dir:   "/",
		Env:   []string{},
		Files: files,
		Sys: &syscall.SysProcAttr{
			Cloneflags:                 namespaces,
			UidMappings:                l.identity.uids,
			GidMappings:                l.identity.gids,
			GidMappingsEnableSetgroups: l.identity.switchUser,
			Setsid:                     true, // no terminal to push input into
		},
	}
	if !l.identity.switchUser {
		attr.Sys.AmbientCaps = setupCapabilities
	}
	spawn.OnThread(func() { process, err = os.StartProcess("/proc/self/exe", []string{initName}, attr) })
	return process, err
}
