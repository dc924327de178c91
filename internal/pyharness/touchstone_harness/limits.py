"""What a child may use, and what it must not have changed of its server."""

import ctypes
import os
import resource
import signal

_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_DUMPABLE = 4
_WATCHED = [
    resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_DATA, resource.RLIMIT_FSIZE,
    resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_STACK, resource.RLIMIT_CORE,
    resource.RLIMIT_MEMLOCK,
]


def hide():
    """Closes this process's memory and descriptors in /proc to its children."""
    _LIBC.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def show():
    """Undoes hide in a child, which is to look like any other process."""
    _LIBC.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)


def apply(memory, file_size, processes, cpu_seconds):
    for kind, limit in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_NPROC, processes),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_CORE, 0),
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
        [resource.getrlimit(kind) for kind in _WATCHED],
        os.getpriority(os.PRIO_PROCESS, 0),
        sorted(os.sched_getaffinity(0)),
        os.sched_getscheduler(0),
    )


def ignore_signals():
    """As process 1 the server is deaf to signals of its children that have
    no handler; Python's own handler for SIGINT would be one."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE,
                   signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)


def default_signals():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2,
                   signal.SIGALRM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


_SYSV = (("shm", "shmid", _LIBC.shmctl, 2), ("msg", "msqid", _LIBC.msgctl, 2), ("sem", "semid", _LIBC.semctl, 3))


def remove_shared_memory():
    """Removes System V objects, which outlive the process that made them."""
    for name, column, control, arity in _SYSV:
        try:
            with open("/proc/sysvipc/" + name) as table:
                rows = [line.split() for line in table]
        except OSError:
            continue
        if len(rows) < 2:
            continue
        index = rows[0].index(column)
        for row in rows[1:]:
            identifier = int(row[index])
            if arity == 2:
                control(identifier, 0, None)
            else:
                control(identifier, 0, 0, None)
