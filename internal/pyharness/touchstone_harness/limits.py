"""What a child may use, and what it must not have changed of its server."""

import ctypes
import faulthandler
import os
import platform
import resource
import signal

_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_DUMPABLE = 4
_IOPRIO_GET = {"x86_64": 252, "aarch64": 31}.get(platform.machine())  # system call; C libraries have no function for it
_SIGNALS = sorted(signal.valid_signals() - {signal.SIGCHLD, signal.SIGKILL, signal.SIGSTOP})
_KINDS = sorted({value for name, value in vars(resource).items() if name.startswith("RLIMIT_")})


def hide():
    """Closes this process's memory and descriptors in /proc to its children."""
    _LIBC.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def show():
    """Undoes hide in a child, which is to look like any other process."""
    _LIBC.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)


def apply(memory, file_size, processes, cpu_seconds):
    """Limits this process and those it will start. Message queues are
    forbidden: they would outlive it, and the server could not list them."""
    for kind, limit in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_NPROC, processes),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        if limit is None:
            continue
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)
        resource.setrlimit(kind, (limit, limit))


def state():
    """What another process of the same user could have changed of this one."""
    return (
        [resource.getrlimit(kind) for kind in _KINDS],
        os.getpriority(os.PRIO_PROCESS, 0),
        sorted(os.sched_getaffinity(0)),
        os.sched_getscheduler(0),
        _LIBC.syscall(_IOPRIO_GET, 1, 0) if _IOPRIO_GET else None,
    )


def ignore_signals():
    """As process 1 the server is deaf to signals of its children that have no
    handler. Python installs some, its crash reporter and a repository's
    imports may install more."""
    faulthandler.disable()
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def default_signals():
    """What a Python program begins with."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def memory_used():
    """Bytes of private memory of all other processes that can be seen; what
    they share with the process they were forked from counts for each."""
    return sum(map(_private, _others()))


def memory_used_exactly():
    """The same with what is shared divided among those who share it; slow."""
    return sum(map(_share, _others()))


def _others():
    own = os.getpid()
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != own]


def _private(pid):
    try:
        with open("/proc/%d/statm" % pid) as file:
            _, resident, shared, *_ = map(int, file.read().split())
    except (OSError, ValueError):
        return 0  # it has just ended
    return (resident - shared) * resource.getpagesize()


def _share(pid):
    try:
        with open("/proc/%d/smaps_rollup" % pid) as file:
            for line in file:
                if line.startswith("Pss_Anon:"):
                    return int(line.split()[1]) << 10
    except (OSError, ValueError):
        pass
    return _private(pid)  # hidden, or a kernel that does not tell


def waited():
    """Seconds that all other processes that can be seen were ready to run
    while others had the processors: what a busy machine takes from them."""
    return sum(map(_waited, _others()))


def _waited(pid):
    try:
        with open("/proc/%d/schedstat" % pid) as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0  # it has just ended, or a kernel that does not tell
