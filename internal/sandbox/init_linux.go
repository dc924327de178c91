package sandbox

import (
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// initName is the argv[0] by which a re-executed binary knows it is to set up
// a sandbox.
const initName = "touchstone-sandbox-init"

// File descriptors of the init besides 0, 1, 2.
const (
	orderFD  = 3 // an order comes in; it stays open as long as the parent lives
	statusFD = 4 // the status goes out; execve closes it
)

// The status: statusReady just before execve; then, or instead, one of the
// failures followed by its text.
const (
	statusReady       = 'R'
	statusFailed      = 'F'
	statusUnavailable = 'U'
)

// order is what the parent tells the init.
type order struct {
	Spec       Spec
	SwitchUser bool
	Trial      bool // set everything up, start nothing
}

// unavailable marks an error that is the machine's fault, not the spec's.
type unavailable struct{ error }

func (u *unavailable) Unwrap() error { return u.error }

// runInit never returns: it becomes the program or exits.
func runInit() {
	// Privileges, Landlock and seccomp belong to threads; the one that execs
	// decides.
	runtime.LockOSThread()
	debug.SetGCPercent(-1) // it lives for milliseconds
	err := setUp()
	status := []byte{statusFailed}
	var machine *unavailable
	if errors.As(err, &machine) {
		status[0] = statusUnavailable
	}
	status = append(status, err.Error()...)
	unix.Write(statusFD, status)
	os.Exit(1)
}

// setUp builds the sandbox around this process from the outside in, then
// becomes the program. It returns only if it failed.
func setUp() error {
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return &unavailable{fmt.Errorf("close_range: %w", err)}
	}
	var o order
	if err := gob.NewDecoder(os.NewFile(orderFD, "order")).Decode(&o); err != nil {
		return fmt.Errorf("read the order: %w", err)
	}
	if err := dieWithParent(); err != nil {
		return &unavailable{err}
	}
	unix.Umask(0o022)
	if err := unix.Sethostname([]byte("sandbox")); err != nil {
		return &unavailable{fmt.Errorf("set the host name: %w", err)}
	}
	if err := loopbackUp(); err != nil {
		return &unavailable{fmt.Errorf("bring up the loopback interface: %w", err)}
	}
	if err := buildRoot(o.Spec); err != nil {
		return err
	}
	setKernelLimits()
	if err := dropPrivileges(o.SwitchUser); err != nil {
		return &unavailable{err}
	}
	// Changing the user has cleared it.
	if err := dieWithParent(); err != nil {
		return &unavailable{err}
	}
	writable, err := checkAccess(o.Spec)
	if err != nil {
		return err
	}
	if err := unix.Chdir(o.Spec.Dir); err != nil {
		return fmt.Errorf("working directory %s: %w", o.Spec.Dir, err)
	}
	if err := restrictPaths(writable); err != nil {
		return &unavailable{fmt.Errorf("landlock: %w", err)}
	}
	if err := restrictCalls(); err != nil {
		return &unavailable{fmt.Errorf("seccomp: %w", err)}
	}
	if o.Trial {
		unix.Write(statusFD, []byte{statusReady})
		os.Exit(0)
	}
	return become(o.Spec)
}

// setKernelLimits sets what is neither a privilege nor an rlimit. Kernels
// differ in what they let us set; nothing here is the only fence.
func setKernelLimits() {
	// The system call filter forbids user namespaces, too.
	_ = os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0)
	_ = os.WriteFile("/proc/self/oom_score_adj", strconv.AppendInt(nil, oomScore, 10), 0)
}

// dieWithParent has the kernel kill us when the parent's spawning thread ends,
// and makes sure that it has not ended already.
func dieWithParent() error {
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("set the parent death signal: %w", err)
	}
	poll := []unix.PollFd{{Fd: orderFD}}
	if _, err := unix.Poll(poll, 0); err != nil && err != unix.EINTR {
		return fmt.Errorf("poll: %w", err)
	}
	if poll[0].Revents&unix.POLLHUP != 0 {
		os.Exit(1)
	}
	return nil
}

// loopbackUp lets tests talk to servers of their own.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}

// checkAccess makes sure the program will be able to use its mounts, and
// returns the writable places.
func checkAccess(spec Spec) (writable []string, err error) {
	writable = append([]string{"/tmp", "/dev/shm"}, spec.Tmpfs...)
	for _, m := range spec.Mounts {
		var stat unix.Stat_t
		if err := unix.Stat(m.Target, &stat); err != nil {
			return nil, fmt.Errorf("mount %s: %w", m.Source, err)
		}
		need, advice := uint32(unix.R_OK), "o+r"
		if stat.Mode&unix.S_IFMT == unix.S_IFDIR {
			need, advice = need|unix.X_OK, "o+rx"
		}
		if m.Writable {
			need, advice = need|unix.W_OK, advice+"w"
			writable = append(writable, m.Target)
		}
		// The real and the effective user are the same here.
		if err := unix.Access(m.Target, need); err != nil {
			return nil, fmt.Errorf("mount %s: the sandboxed user may not use it (chmod %s): %w", m.Source, advice, err)
		}
	}
	return writable, nil
}

// become sets the resource limits and executes the program. From the moment
// the address space is limited our own runtime could not grow any more, so
// everything is allocated before.
func become(spec Spec) error {
	path, err := syscall.BytePtrFromString(spec.Argv[0])
	if err != nil {
		return err
	}
	argv, err := syscall.SlicePtrFromStrings(spec.Argv)
	if err != nil {
		return err
	}
	env, err := syscall.SlicePtrFromStrings(spec.Env)
	if err != nil {
		return err
	}
	ready := []byte{statusReady}
	for _, limit := range resourceLimits(spec.Limits) {
		if err := limit.set(); err != nil {
			return &unavailable{fmt.Errorf("set resource limit %d: %w", limit.resource, err)}
		}
	}
	unix.RawSyscall(unix.SYS_WRITE, statusFD, uintptr(unsafe.Pointer(&ready[0])), 1)
	_, _, errno := unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(path)),
		uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&env[0])))
	return fmt.Errorf("execute %s: %w", spec.Argv[0], errno)
}
