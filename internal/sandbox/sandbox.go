// Package sandbox runs untrusted programs: no network, no file of the host
// but the mounts it is given, no process of the host, bounded memory,
// processes, file size, output and time.
//
// There are two implementations behind one interface: Local (Linux namespaces,
// Landlock, a system call filter and rlimits, set up by re-executing this
// binary) and Docker (a hardened container). Neither ever falls back to running
// without isolation. Every program that uses them calls Init first.
package sandbox

import (
	"context"
	"io"
	"time"
)

// A Mount makes a file or folder of the host visible inside the sandbox. The
// program runs as nobody (65534), so the source's permissions must let everyone
// use it; folders above it need not. Only the local sandbox of an ordinary user
// has that user's permissions instead. The source must contain no socket of the
// host.
type Mount struct {
	Source   string // absolute path on the host
	Target   string // absolute path inside
	Writable bool   // false: read-only, with all that is mounted below (Docker leaves that out)
}

// Limits bound one sandboxed process tree. Zero means the default below.
type Limits struct {
	Memory      int64         // bytes of address space per process (and of the whole container, for Docker); default 4 GiB
	Processes   int           // processes and threads; default 256
	FileSize    int64         // bytes of any one file written; default 256 MiB
	Scratch     int64         // bytes of /tmp, /dev/shm and the Tmpfs together (with Docker: of each), which live in memory; default 512 MiB
	StderrBytes int           // bytes of standard error kept (the last ones); default 64 KiB
	Wall        time.Duration // the whole life of the process; 0 is no bound (a server)
}

// Spec says what to run and what it may see. The program becomes process 1 of
// its own PID namespace: when it ends, whatever it started ends with it. Its
// standard input closes when the parent dies, and it is killed then too.
// Inside there are the system's programs and libraries (read-only; with Docker
// those of the image), /proc of the namespace, /dev/null, zero, random, urandom,
// an empty writable /tmp and /dev/shm, a loopback interface of its own, the
// mounts, and nothing else. New namespaces and mounts are refused inside.
type Spec struct {
	Argv   []string // Argv[0] is an absolute path inside
	Env    []string // the whole environment, as KEY=value (Docker adds HOME if it is missing)
	Dir    string   // working directory inside; default /tmp
	Mounts []Mount
	Tmpfs  []string // further empty writable folders inside, in memory
	Limits Limits
	Label  string // shown in logs and container labels, e.g. the repository
}

// Exit says how a process ended.
type Exit struct {
	Code     int    // exit status, -1 when ended by a signal (Docker cannot tell a signal n from the status 128+n)
	Signal   string // for example "killed"; "" when it exited by itself
	TimedOut bool   // Limits.Wall was reached
	Stderr   string // the last Limits.StderrBytes of standard error
}

// A Process is a running sandboxed process. Stdin and Stdout carry bytes as
// they are; Stdout must be read until EOF or the process killed.
type Process interface {
	Stdin() io.WriteCloser
	Stdout() io.Reader
	// Stderr returns what is kept of standard error so far.
	Stderr() string
	// Wait returns when the process and everything it started are gone.
	// It may be called from several goroutines.
	Wait() Exit
	// Kill ends the process tree at once; it is safe to call repeatedly.
	Kill()
}

// A Sandbox starts isolated processes.
type Sandbox interface {
	// Name is "local" or "docker".
	Name() string
	// Start runs spec. The context bounds the process's life, too.
	// Errors are *UnavailableError when isolation cannot be had.
	Start(ctx context.Context, spec Spec) (Process, error)
	// Reap removes what earlier, killed runs of this program left behind
	// (containers; the local sandbox leaves nothing) and says how many.
	Reap(ctx context.Context) (int, error)
}

// UnavailableError says why isolation cannot be had on this machine and how
// to mend it.
type UnavailableError struct {
	Sandbox string // "local" or "docker"
	Reason  string
	Mend    string
}

func (e *UnavailableError) Error() string {
	return "the " + e.Sandbox + " sandbox cannot be used: " + e.Reason + " (" + e.Mend + ")"
}
