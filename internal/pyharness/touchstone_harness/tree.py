"""The repository's tree, kept in the server's memory and written afresh for
every candidate of the strategies that run over a tree of their own."""

import os

MTIME = 1_000_000_000  # every file's, so that cached bytecode stays valid


class Tree:
    """files maps a path to (mode, bytes); a symbolic link has mode None and its target as bytes."""

    def __init__(self, root, files):
        self.root = root
        self.files = files
        self._written = {}

    def restore(self, changed=None):
        """Makes the tree on disk equal to the files, with `changed` (path →
        bytes, or None for absent) laid over them. Only what differs from
        the last call's outcome is written; a file's change time, which
        ordinary code cannot set, tells whether a child touched it."""
        wanted = dict(self.files)
        for path, data in (changed or {}).items():
            if data is None:
                wanted.pop(path, None)
            else:
                wanted[path] = (wanted.get(path, (0o644, b""))[0] or 0o644, data)
        present = self._scan()
        for path in present:
            if path not in wanted:
                os.unlink(os.path.join(self.root, path))
        for path, entry in wanted.items():
            stamp, old = self._written.get(path, (None, None))
            if old is not None and old[0] == entry[0] and old[1] is entry[1] and present.get(path) == stamp:
                continue
            self._write(path, entry, path in present)
        self._empty_folders(wanted)

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

    def _scan(self):
        found = {}
        stack = [""]
        while stack:
            folder = stack.pop()
            full = os.path.join(self.root, folder)
            try:
                entries = list(os.scandir(full))
            except PermissionError:
                os.chmod(full, 0o755)
                entries = list(os.scandir(full))
            for entry in entries:
                path = folder + "/" + entry.name if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    stack.append(path)
                else:
                    info = entry.stat(follow_symlinks=False)
                    found[path] = (info.st_ino, info.st_ctime_ns, info.st_size)
        return found

    def _write(self, path, entry, exists):
        mode, data = entry
        full = os.path.join(self.root, path)
        if exists:
            os.unlink(full)
        else:
            self._make_parents(path)
        if mode is None:
            os.symlink(data.decode("utf-8"), full)
        else:
            fd = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
            with os.fdopen(fd, "wb") as file:
                file.write(data)
            os.utime(full, (MTIME, MTIME))
        info = os.stat(full, follow_symlinks=False)
        self._written[path] = ((info.st_ino, info.st_ctime_ns, info.st_size), entry)

    def _make_parents(self, path):
        parts = path.split("/")[:-1]
        folder = self.root
        for part in parts:
            folder = os.path.join(folder, part)
            if os.path.islink(folder) or (os.path.exists(folder) and not os.path.isdir(folder)):
                os.unlink(folder)
            if not os.path.isdir(folder):
                os.mkdir(folder, 0o755)

    def _empty_folders(self, wanted):
        """Removes folders that only a child made."""
        keep = {""}
        for path in wanted:
            while "/" in path:
                path = path.rpartition("/")[0]
                keep.add(path)
        for folder, folders, _ in os.walk(self.root, topdown=False):
            relative = os.path.relpath(folder, self.root)
            if relative != "." and relative not in keep:
                os.rmdir(folder)
