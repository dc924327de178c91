package sandbox

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// deniedCalls need a privilege the program does not have, or reach parts of
// the kernel that a test has no use for and that had holes before. They fail
// with EPERM.
var deniedCalls = []uint32{
	// other processes
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
	unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	// mounts and namespaces
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
	unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_MOUNT_SETATTR,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
	unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_OPEN_BY_HANDLE_AT,
	// memory that the limit on the address space does not see
	unix.SYS_SHMGET, unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET,
	// kernel interfaces with a large attack surface
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_FANOTIFY_INIT, unix.SYS_MOVE_PAGES, unix.SYS_MIGRATE_PAGES,
	// the machine
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_SYSLOG,
	unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME,
}

// allowedFamilies are the socket families a network namespace isolates. Others,
// such as AF_VSOCK, would reach the machine's host around it.
var allowedFamilies = []uint32{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}

const namespaceFlags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID |
	unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// Offsets in struct seccomp_data.
const (
	dataNumber   = 0
	dataArch     = 4
	dataFirstArg = 16 // its low half, on little-endian machines
)

// x32Bit marks system calls of the x32 ABI, which have numbers of their own.
const x32Bit = 0x40000000

var auditArch = map[string]uint32{
	"amd64": unix.AUDIT_ARCH_X86_64,
	"arm64": unix.AUDIT_ARCH_AARCH64,
}

// systemCallFilter returns the filter program for this machine.
func systemCallFilter() ([]unix.SockFilter, error) {
	arch, ok := auditArch[runtime.GOARCH]
	if !ok {
		return nil, fmt.Errorf("there is no system call filter for %s", runtime.GOARCH)
	}
	const (
		load    = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		atLeast = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		anyBit  = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		answer  = unix.BPF_RET | unix.BPF_K
	)
	fails := func(errno uint32) unix.SockFilter {
		return unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ERRNO | errno}
	}
	allow := unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ALLOW}

	program := []unix.SockFilter{
		{Code: load, K: dataArch},
		{Code: equal, K: arch, Jt: 1},
		{Code: answer, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: load, K: dataNumber},
	}
	if runtime.GOARCH == "amd64" {
		program = append(program, unix.SockFilter{Code: atLeast, K: x32Bit, Jf: 1}, fails(uint32(unix.ENOSYS)))
	}
	for _, number := range deniedCalls {
		program = append(program, unix.SockFilter{Code: equal, K: number, Jf: 1}, fails(uint32(unix.EPERM)))
	}
	program = append(program,
		// clone3 hides its flags in memory; without it libraries use clone.
		unix.SockFilter{Code: equal, K: unix.SYS_CLONE3, Jf: 1}, fails(uint32(unix.ENOSYS)),
		unix.SockFilter{Code: equal, K: unix.SYS_CLONE, Jf: 4},
		unix.SockFilter{Code: load, K: dataFirstArg},
		unix.SockFilter{Code: anyBit, K: namespaceFlags, Jf: 1}, fails(uint32(unix.EPERM)),
		allow,
	)
	families := []unix.SockFilter{{Code: load, K: dataFirstArg}}
	for _, family := range allowedFamilies {
		families = append(families, unix.SockFilter{Code: equal, K: family, Jf: 1}, allow)
	}
	families = append(families, fails(uint32(unix.EAFNOSUPPORT)))
	program = append(program, unix.SockFilter{Code: equal, K: unix.SYS_SOCKET, Jf: uint8(len(families))})
	program = append(program, families...)
	return append(program, allow), nil
}

// restrictCalls filters the system calls of the calling thread, which must
// have set no_new_privs.
func restrictCalls() error {
	filter, err := systemCallFilter()
	if err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	err = unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
	runtime.KeepAlive(filter)
	return err
}
