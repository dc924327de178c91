package sandbox

import (
	"fmt"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// The securebits (capabilities(7)): being root or changing user gives no
// capability any more, and none of this can be undone.
const lockedSecurebits = 1<<0 | 1<<1 | // NOROOT, locked
	1<<2 | 1<<3 | // NO_SETUID_FIXUP, locked
	1<<5 | // KEEP_CAPS off, locked
	1<<6 | 1<<7 // NO_CAP_AMBIENT_RAISE, locked

// dropPrivileges makes the calling thread nobody, without any capability now
// or later. It acts on one thread only: that thread then execs.
func dropPrivileges(switchUser bool) error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("clear the ambient capabilities: %w", err)
	}
	for capability := uintptr(0); capability < 64; capability++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0)
		if err == unix.EINVAL { // beyond the last capability this kernel has
			break
		}
		if err != nil {
			return fmt.Errorf("drop capability %d: %w", capability, err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_SECUREBITS, lockedSecurebits, 0, 0, 0); err != nil {
		return fmt.Errorf("lock the securebits: %w", err)
	}
	if switchUser {
		// Not syscall.Setresuid, which would change every thread.
		if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0); errno != 0 {
			return fmt.Errorf("drop the supplementary groups: %w", errno)
		}
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESGID, sandboxGID, sandboxGID, sandboxGID); errno != 0 {
			return fmt.Errorf("become group %d: %w", sandboxGID, errno)
		}
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, sandboxUID, sandboxUID, sandboxUID); errno != 0 {
			return fmt.Errorf("become user %d: %w", sandboxUID, errno)
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("drop all capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	return nil
}

// restrictPaths adds Landlock as a second fence: even a file of the host that
// became reachable by some mistake could not be opened. Kernels without
// Landlock rely on the mount namespace alone; Check says so.
func restrictPaths(writable []string) error {
	version := landlockVersion()
	if version == 0 {
		return nil
	}
	var folders, files []string
	for _, name := range writable {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if info.IsDir() {
			folders = append(folders, name)
		} else {
			files = append(files, name)
		}
	}
	readWrite := landlock.RWDirs(folders...)
	if version >= 2 { // the first version had no right to move between folders
		readWrite = readWrite.WithRefer()
	}
	config := landlock.MustConfig(landlock.V9.HandledAccessFS, landlock.V9.Scoped).BestEffort()
	return config.Restrict(
		landlock.RODirs("/"),
		landlock.RWFiles("/dev").WithIoctlDev(),
		landlock.RWFiles("/proc"),
		readWrite,
		landlock.RWFiles(files...),
	)
}

// landlockVersion returns the version of Landlock this kernel has, 0 for none.
func landlockVersion() int {
	version, err := landlocksys.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return version
}

// resourceLimits returns the rlimits in the order they are to be set: the
// address space last, since our own runtime already uses more than it may
// allow.
func resourceLimits(l Limits) []resourceLimit {
	return []resourceLimit{
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_NOFILE, openFiles},
		{unix.RLIMIT_FSIZE, uint64(l.FileSize)},
		{unix.RLIMIT_NPROC, uint64(l.Processes)},
		{unix.RLIMIT_AS, uint64(l.Memory)},
	}
}

type resourceLimit struct {
	resource int
	value    uint64
}

// set lowers both the soft and the hard limit; a stricter one is kept.
func (r resourceLimit) set() error {
	var now unix.Rlimit
	if err := unix.Prlimit(0, r.resource, nil, &now); err != nil {
		return err
	}
	value := min(r.value, now.Max)
	return unix.Prlimit(0, r.resource, &unix.Rlimit{Cur: value, Max: value}, nil)
}
