"""Removing what a child has left, whatever shape it is in.

Nothing else runs meanwhile, but the child may have made folders deeper than a
path can be long, or closed them to their owner.
"""

import ctypes
import os
import stat

_LIBC = ctypes.CDLL(None, use_errno=True)
OPEN = 0o1777  # mode of a folder that everyone may write to
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def empty(folder):
    """Removes everything in a folder that exists."""
    try:
        names = os.listdir(folder)
    except PermissionError:
        os.chmod(folder, 0o700)
        names = os.listdir(folder)
    except FileNotFoundError:
        return
    for name in names:
        remove(os.path.join(folder, name))
    mend(folder, OPEN)


def remove(path):
    """Removes a file, a link or a whole folder."""
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        os.unlink(path)
        return
    parent, name = os.path.split(path)
    fd = os.open(parent, _FOLDER)
    levels = [[name]]  # of each open level, the folders still to be removed
    while True:
        if levels[-1]:
            name = levels[-1][-1]
            os.chmod(name, 0o700, dir_fd=fd)
            fd = _enter(fd, name)
            levels.append(_without_files(fd))
            continue
        levels.pop()
        if not levels:
            os.close(fd)
            return
        fd = _enter(fd, "..")
        os.rmdir(levels[-1].pop(), dir_fd=fd)


def _enter(fd, name):
    inner = os.open(name, _FOLDER, dir_fd=fd)
    os.close(fd)
    return inner


def _without_files(fd):
    """Removes the files of an open folder and returns the names of its folders."""
    folders = []
    with os.scandir(fd) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=fd)
    return folders


def mend(folder, mode):
    """Gives a folder its mode back, as far as it is ours, and takes away
    attributes in which a child could have left something."""
    info = os.lstat(folder)
    if info.st_uid != os.getuid():
        return
    if stat.S_IMODE(info.st_mode) != mode:
        os.chmod(folder, mode)
    try:
        for name in os.listxattr(folder, follow_symlinks=False):
            os.removexattr(folder, name, follow_symlinks=False)
    except OSError:
        pass  # a file system without attributes


def date(folder, seconds):
    """Sets a folder's times, if it is ours."""
    if os.lstat(folder).st_uid == os.getuid():
        os.utime(folder, (seconds, seconds), follow_symlinks=False)


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
