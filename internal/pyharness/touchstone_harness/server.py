"""Process 1 of the sandbox: answers requests, one at a time.

A request is a line of JSON with an "id" and an "op"; the answer is a line
with the same id. The first must be "open". When standard input closes, the
server ends, and with it everything in its PID namespace.
"""

import base64
import functools
import json
import os
import sys
import traceback

from . import candidate, children, judge, judgement, limits, loader, plugin, strategies, survey, swap, text, tree


class Server:
    RECORDS_MOST = 64 << 20  # bytes that the run of a candidate may report

    def __init__(self, in_fd, out_fd):
        self._in = in_fd
        self._out = out_fd
        self._buffer = b""
        self.children = children.Children(in_fd)
        self.root = "/repo"
        self.pytest_args = []
        self.kind = None
        self.sources = loader.Sources()
        self.tree = None
        self.session = None
        self.functions = None
        self._texts = {}  # relative path → (text, encoding, bom)
        self._facts = {}

    # Requests.

    def read(self):
        """The next request, or None at the end of input."""
        while b"\n" not in self._buffer:
            data = os.read(self._in, 1 << 20)
            if not data:
                return None
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        return json.loads(line)

    def answer(self, identifier, **fields):
        fields["id"] = identifier
        data = (json.dumps(fields) + "\n").encode("ascii")
        view = memoryview(data)
        while view:
            view = view[os.write(self._out, view):]

    def serve(self):
        while True:
            request = self.read()
            if request is None:
                return
            try:
                fields = getattr(self, "op_" + request["op"])(request)
            except children.ParentGone:
                return
            except Exception:
                fields = {"error": traceback.format_exc(limit=-6), "leave": True}
            self.answer(request["id"], **fields)
            if fields.get("leave"):
                return

    def open(self, request):
        """kind: "swapped", "hooked" (both over masked files at root, whose true
        text is in `sources`) or "private" (a tree of its own, in `files`)."""
        self.root = request.get("root", self.root)
        self.kind = request["kind"]
        self.pytest_args = request.get("pytest_args", [])
        for source in request.get("sources", []):
            data = base64.b64decode(source["data"])
            self._texts[source["path"]] = text.decode(data)
            if self.kind != "private":
                self.sources.put(os.path.join(self.root, source["path"]), data)
        if self.kind == "private":
            files = {}
            for file in request.get("files", []):
                files[file["path"]] = (file.get("mode"), base64.b64decode(file["data"]))
            self.tree = tree.Tree(self.root, files)
        else:
            loader.install(self.sources)
            self.sources.compile_all()
        loader.preload(request.get("preload", []))
        os.chdir(self.root)

    def settle(self):
        children.settle()
        limits.ignore_signals()
        limits.hide()

    # What the children ask of the server they were forked from.

    def source_text(self, path):
        return self._texts[path][0]

    def encode(self, path, source):
        _, encoding, bom = self._texts[path]
        return text.encode(source, encoding, bom)

    def facts(self, path):
        if path not in self._facts:
            self._facts[path] = candidate.Facts(self._texts[path][0])
        return self._facts[path]

    def forget(self, path):
        """Drops every copy of the file's original text and code."""
        self._texts.pop(path, None)
        self.sources.drop(os.path.join(self.root, path))
        if self.tree is not None:
            self.tree.forget_file(path)

    # Operations.

    def op_ping(self, request):
        with open("/proc/self/statm") as file:
            resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return {"python": sys.version.split()[0], "pytest": sys.modules["pytest"].__version__,
                "items": len(self.session.items) if self.session else None,
                "resident": resident, "files": len(os.listdir("/dev/fd"))}

    def op_run(self, fields):
        request = candidate.Request(fields)
        strategy = request.strategy
        if strategy == "swapped" and (self.session is None or self.functions is None):
            return {"unsupported": "the tests could not be collected beforehand"}
        full = self.source_text(request.path)
        request.original = candidate.cut(full, request.outer)
        request.segment = self._as_on_disk(request.path, request.segment)
        self.facts(request.path)
        child = functools.partial(strategies.run, request=request, server=self)
        if strategy in ("forked", "fresh"):
            self.tree.restore_with(request.path, self.encode(request.path, candidate.spliced(full, request)))
        del full  # a child sees what its server holds
        judged = judgement.Judgement(request)
        bounds = children.Bounds(request.wall + strategies.PATIENCE, run_wall=request.wall, memory=request.memory, records=self.RECORDS_MOST)
        ended = self.children.run(child, bounds, judged.record)
        if judged.unsupported:
            return {"unsupported": judged.unsupported, "leave": ended.leave}
        verdict, detail = judged.verdict(ended)
        return {
            "verdict": verdict,
            "detail": detail[-_LONGEST_DETAIL:],
            "flags": judged.flags,
            "seconds": ended.seconds,
            "call_seconds": judged.call_seconds,
            "ran": len(judged.order),
            "failed_tests": judged.failed_tests,
            "test": judged.problem["test"] if judged.problem else "",
            "leave": ended.leave,
        }

    def _as_on_disk(self, path, segment):
        """The segment as it would be read from the file in its own encoding."""
        _, encoding, _ = self._texts[path]
        return text.encode(segment, encoding).decode(encoding)

    def op_judge(self, fields):
        return judge.run(self, fields)

    def op_suite(self, fields):
        return survey.suite(self, "suite", fields)

    def op_trace(self, fields):
        return survey.suite(self, "trace", fields)

    def op_warm(self, fields):
        return survey.warm(self, fields)

    def op_index(self, fields):
        return survey.index(self, fields)

    def op_mutants(self, fields):
        return survey.mutants_of(self, fields)


_LONGEST_DETAIL = 16_000


class _Collected:
    """With the tests of the whole suite collected, the requests are served
    from inside pytest's own run, whose configuration the children inherit."""

    def __init__(self, server):
        self._server = server

    def pytest_runtestloop(self, session):
        server = self._server
        server.session = session
        server.functions = swap.Functions(server.root + os.sep)
        server.settle()
        server.answer(0, ready=True, items=len(session.items))
        server.serve()
        os._exit(0)


def main():
    if os.getpid() != 1:
        sys.exit("the harness ends every process it can see: it only runs as process 1 of a sandbox")
    os.set_inheritable(0, False)
    in_fd, out_fd = _private(0), _private(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    server = Server(in_fd, out_fd)
    request = server.read()
    if request is None:
        return
    try:
        import pytest

        loader.preload(["_pytest.python", "_pytest.terminal", "_pytest.fixtures", "_pytest.assertion.rewrite"])
        server.open(request)
        if server.kind == "swapped":
            collected = _Collected(server)
            pytest.hookimpl(tryfirst=True)(_Collected.pytest_runtestloop)
            status = pytest.main(plugin.arguments(server.root, server.pytest_args, []), plugins=[collected])
            # Only reached when collection as a whole broke.
            sys.stderr.write("pytest ended with status %s before its loop\n" % status)
    except BaseException:
        server.answer(0, error=traceback.format_exc())
        return
    server.settle()
    server.answer(0, ready=True, items=0)
    server.serve()


def _private(fd):
    """A copy of a descriptor that programs started from here do not get."""
    import fcntl

    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 64)
