"""The repository's tree, kept in the server's memory and written afresh for
every candidate of the strategies that run over a tree of their own."""

import os
import stat

from . import scratch

MTIME = 1_000_000_000  # every file's, so that cached bytecode stays valid
_FOLDER_MODE = 0o755


class Tree:
    """files maps a path to (mode, bytes); a symbolic link has mode None and its target as bytes."""

    def __init__(self, root, files):
        self.root = root
        self.files = files
        self._written = {}  # path → what it was like, and its entry

    def restore(self, changed=None):
        """Makes the tree on disk equal to the files, with `changed` (path →
        bytes, or None for absent) laid over them. Only what differs is
        written."""
        wanted = dict(self.files)
        for path, data in (changed or {}).items():
            if data is None:
                wanted.pop(path, None)
            else:
                wanted[path] = (wanted.get(path, (0o644, b""))[0] or 0o644, data)
        folders = _folders_of(wanted)
        present = {}
        for folder in folders:
            self._sweep(folder, folders, wanted, present)
        for path, entry in wanted.items():
            if not self._holds(path, entry, present.get(path)):
                self._write(path, entry, path in present)
        for path in set(self._written).difference(wanted):
            del self._written[path]
        for folder in folders:
            scratch.date(self._full(folder), MTIME)

    def restore_with(self, path, data):
        """The tree with one source file exchanged and its cached bytecode gone."""
        changed = dict.fromkeys(self._caches(path))
        changed[path] = data
        self.restore(changed)

    def forget_file(self, path):
        """Drops a source file's bytes and bytecode from memory, for a child
        that must not find them."""
        for name in [path, *self._caches(path)]:
            self.files.pop(name, None)
            self._written.pop(name, None)

    def _caches(self, path):
        folder, _, name = path.rpartition("/")
        stem = (folder + "/" if folder else "") + "__pycache__/" + name[: -len(".py")] + "."
        return [p for p in self.files if p.startswith(stem)]

    def _full(self, path):
        return os.path.join(self.root, path) if path else self.root

    def _sweep(self, folder, folders, wanted, present):
        """Makes a folder that there should be, and removes from it all that
        should not be there; notes in `present` what its files are like."""
        full = self._full(folder)
        try:
            if not stat.S_ISDIR(os.lstat(full).st_mode):
                os.unlink(full)
                os.mkdir(full, _FOLDER_MODE)
        except FileNotFoundError:
            os.mkdir(full, _FOLDER_MODE)
        scratch.mend(full, _FOLDER_MODE if folder else scratch.OPEN)
        for entry in list(os.scandir(full)):
            path = folder + "/" + entry.name if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                if path not in folders:
                    scratch.remove(entry.path)
            elif path in wanted:
                present[path] = _likeness(entry.stat(follow_symlinks=False))
            else:
                os.unlink(entry.path)

    def _holds(self, path, entry, likeness):
        """Whether a file on disk is what was written there. Its change time
        tells of most changes; its content of those through a memory map."""
        was, old = self._written.get(path, (None, None))
        if likeness is None or likeness != was or old[0] != entry[0] or old[1] != entry[1]:
            return False
        if entry[0] is None:
            return True
        fd = os.open(self._full(path), os.O_RDONLY | os.O_NOFOLLOW)
        try:
            return os.read(fd, len(entry[1]) + 1) == entry[1]
        finally:
            os.close(fd)

    def _write(self, path, entry, exists):
        mode, data = entry
        full = self._full(path)
        if exists:
            os.unlink(full)
        if mode is None:
            os.symlink(data.decode("utf-8"), full)
        else:
            fd = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
            with os.fdopen(fd, "wb") as file:
                file.write(data)
            os.utime(full, (MTIME, MTIME))
        self._written[path] = (_likeness(os.lstat(full)), entry)


def _folders_of(paths):
    """Every folder above the paths, outer ones first."""
    folders = {""}
    for path in paths:
        folder = os.path.dirname(path)
        while folder not in folders:
            folders.add(folder)
            folder = os.path.dirname(folder)
    return dict.fromkeys(sorted(folders))


def _likeness(info):
    return info.st_ino, info.st_ctime_ns, info.st_size
