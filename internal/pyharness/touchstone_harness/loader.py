"""Serves modules from memory, so that the folder on disk can hold masked
files: there the bodies of all tasks are gone."""

import importlib.machinery
import linecache
import marshal
import os
import sys


class Sources:
    """The true text of the masked files, by absolute path."""

    def __init__(self):
        self._bytes = {}
        self._code = {}

    def put(self, path, data):
        self._bytes[path] = data
        self._code.pop(path, None)

    def drop(self, path):
        self._bytes.pop(path, None)
        self._code.pop(path, None)

    def has(self, path):
        return path in self._bytes

    def bytes(self, path):
        return self._bytes[path]

    def code(self, path):
        """The compiled module; unmarshalled anew for every import."""
        if path not in self._code:
            self._code[path] = marshal.dumps(compile(self._bytes[path], path, "exec", dont_inherit=True))
        return marshal.loads(self._code[path])

    def compile_all(self):
        for path in list(self._bytes):
            try:
                self.code(path)
            except (SyntaxError, ValueError):
                pass  # importing it will say so where it matters


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name, path, sources):
        super().__init__(name, path)
        self._sources = sources

    def get_data(self, path):
        if self._sources.has(path):
            return self._sources.bytes(path)
        return super().get_data(path)

    def get_code(self, fullname):
        return self._sources.code(self.path)


class Finder:
    """Stands first on sys.meta_path; leaves finding to the ordinary finder
    and only exchanges the loader of the files it serves."""

    def __init__(self, sources):
        self._sources = sources

    def find_spec(self, name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.origin and self._sources.has(spec.origin):
            spec.loader = _Loader(name, spec.origin, self._sources)
            spec.cached = None
        return spec

    def invalidate_caches(self):
        pass


def install(sources):
    sys.meta_path.insert(0, Finder(sources))


def show_in_tracebacks(path, source):
    """Lets tracebacks quote the candidate's file, not the masked one."""
    lines = source.splitlines(keepends=True)
    linecache.cache[path] = (len(source), None, lines, path)


def preload(names):
    """Imports modules that the tests will want and that are not the
    repository's own; one that cannot be imported is left to them."""
    for name in names:
        try:
            __import__(name)
        except BaseException:  # a module may do anything while importing
            sys.modules.pop(name, None)


def outside(root):
    """Names of loaded modules whose file lies outside root."""
    names = []
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        if name == "__main__" or spec is None or getattr(spec, "name", None) != name:
            continue
        origin = getattr(module, "__file__", None)
        if origin is None or not os.path.abspath(origin).startswith(root + os.sep):
            names.append(name)
    return sorted(names)
