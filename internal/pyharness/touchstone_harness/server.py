"""Process 1 of the sandbox: answers requests, one at a time.

A request is a line of JSON with an "id" and an "op"; the answer is a line
with the same id. The first must be "open". When standard input closes, the
server ends, and with it everything in its PID namespace.
"""

import base64
import json
import os
import sys
import traceback

from . import candidate, children, definitions, judge, limits, loader, mutants, plugin, swap, text, tree


class Server:
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
        self._future = {}

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
                fields = {"error": traceback.format_exc(limit=-6)}
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
        limits.hide()

    # What the children ask of the server they were forked from.

    def source_text(self, path):
        return self._texts[path][0]

    def encode(self, path, source):
        _, encoding, bom = self._texts[path]
        return text.encode(source, encoding, bom)

    def future_flags(self, path):
        if path not in self._future:
            self._future[path] = _future_flags(self._texts[path][0])
        return self._future[path]

    def forget(self, path):
        """Drops every copy of the file's original text and code."""
        self._texts.pop(path, None)
        self.sources.drop(os.path.join(self.root, path))
        if self.tree is not None:
            self.tree.forget_file(path)

    # Operations.

    def op_ping(self, request):
        return {"pid": os.getpid(), "python": sys.version.split()[0], "pytest": sys.modules["pytest"].__version__,
                "items": len(self.session.items) if self.session else None}

    def op_run(self, fields):
        request = candidate.Request(fields)
        request.original = _slice(self.source_text(request.path), request.outer)
        judgement = candidate.Judgement(request)
        strategy = request.strategy
        if strategy == "swapped" and (self.session is None or self.functions is None):
            return {"unsupported": "the tests could not be collected beforehand"}
        self.future_flags(request.path)
        if strategy in ("forked", "fresh"):
            source = candidate.spliced(self.source_text(request.path), request)
            self.tree.restore_with(request.path, self.encode(request.path, source))
        work = getattr(candidate, "child_" + strategy)

        def child(writer):
            try:
                work(writer, request, self)
            except candidate.Rejected as rejected:
                writer.send("rejected", verdict=rejected.verdict, why=rejected.why)

        ended = self.children.run(
            child, request.wall + candidate.PATIENCE, judgement.record, run_wall=request.wall
        )
        if judgement.unsupported:
            return {"unsupported": judgement.unsupported}
        verdict, detail = judgement.verdict(ended)
        answer = {
            "verdict": verdict,
            "detail": detail[-_LONGEST_DETAIL:],
            "flags": judgement.flags,
            "seconds": ended.seconds,
            "call_seconds": judgement.call_seconds,
            "ran": len(judgement.order),
            "failed_tests": judgement.failed_tests,
            "test": judgement.problem["test"] if judgement.problem else "",
        }
        if ended.meddled:
            answer["leave"] = True
        return answer

    def op_judge(self, fields):
        return judge.run(self, fields)

    def op_suite(self, fields):
        return self._suite("suite", fields)

    def op_trace(self, fields):
        return self._suite("trace", fields)

    def op_warm(self, fields):
        """Collects once and returns the bytecode that this wrote, and the
        modules from outside the repository that it needed."""
        answer = self._suite("warm", fields, bytecode=True)
        caches = []
        for folder, _, names in os.walk(self.root):
            if os.path.basename(folder) == "__pycache__":
                for name in sorted(names):
                    with open(os.path.join(folder, name), "rb") as file:
                        data = base64.b64encode(file.read()).decode("ascii")
                    path = os.path.relpath(os.path.join(folder, name), self.root)
                    caches.append({"path": path, "mode": 0o644, "data": data})
        answer["caches"] = caches
        return answer

    def _suite(self, mode, fields, bytecode=False):
        records = {"tests": [], "phases": {}, "collection": [], "reached": [], "modules": [], "current": ""}

        def record(r):
            kind = r["kind"]
            if kind == "collected":
                records["tests"] = r["tests"]
            elif kind == "collection":
                records["collection"].append({"node": r["node"], "detail": r["detail"]})
            elif kind == "test":
                records["current"] = r["test"]
            elif kind == "phase":
                phase = {k: r[k] for k in ("when", "outcome", "seconds")}
                if "detail" in r:
                    phase["detail"] = r["detail"][-2000:]
                records["phases"].setdefault(r["test"], []).append(phase)
            elif kind == "reached":
                records["reached"].append({k: r[k] for k in ("path", "name", "line", "tests")})
            elif kind == "modules":
                records["modules"] = r["names"]
            elif kind == "end":
                records["ended"] = True
                records["status"] = r["status"]

        self.tree.restore()

        def child(writer):
            if bytecode:
                os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
            limits.apply(fields.get("memory"), fields.get("file_size"), fields.get("processes"), None)
            order = {"root": self.root, "pytest_args": self.pytest_args, "deselect": fields.get("deselect", []), "nonce": writer.nonce}
            candidate.execute_fresh(mode, order)

        ended = self.children.run(child, fields["wall"], record, fields.get("test_wall"))
        if bytecode:
            return {"tests": records["tests"], "collection": records["collection"], "modules": records["modules"],
                    "ended": records.get("ended", False), "output": _text(ended.output)}
        tests = []
        for test in records["tests"]:
            tests.append({"id": test, "phases": records["phases"].get(test, [])})
        answer = {"tests": tests, "collection": records["collection"], "ended": records.get("ended", False),
                  "status": records.get("status", -1), "timed_out": ended.timed_out, "current": records["current"],
                  "test_timed_out": ended.test_timed_out, "seconds": ended.seconds, "output": _text(ended.output),
                  "signal": ended.signal or 0}
        if mode == "trace":
            answer["reached"] = records["reached"]
        return answer

    def op_index(self, fields):
        """Definitions of every Python file of the tree."""
        found = []

        def child(writer):
            for path in sorted(self.tree.files):
                mode, data = self.tree.files[path]
                if mode is None or not path.endswith(".py"):
                    continue
                try:
                    writer.send("file", **definitions.describe(path, data))
                except (SyntaxError, UnicodeDecodeError, ValueError, RecursionError) as error:
                    writer.send("unreadable", path=path, why=str(error))
            writer.send("end")

        ended = self.children.run(child, fields["wall"], found.append)
        files, unreadable = [], []
        for record in found:
            kind = record.pop("kind")
            if kind == "file":
                files.append(record)
            elif kind == "unreadable":
                unreadable.append(record)
        return {"files": files, "unreadable": unreadable, "ended": bool(ended.code == 0), "output": _text(ended.output)}

    def op_mutants(self, fields):
        """Changed bodies of one function, as canonical text."""
        found = []

        def child(writer):
            source = self.source_text(fields["path"])
            for body in mutants.of(source, fields["line"], fields["name"], fields["most"], fields["seed"]):
                writer.send("mutant", **body)

        self.children.run(child, fields["wall"], found.append)
        return {"mutants": [{"operator": r["operator"], "body": r["body"]} for r in found if r["kind"] == "mutant"]}


_LONGEST_DETAIL = 16_000


def _slice(source, outer):
    return source.encode("utf-8", "surrogatepass")[outer["start"] : outer["end"]].decode("utf-8", "surrogatepass")


def _text(data):
    return data.decode("utf-8", "replace")


def _future_flags(source):
    import __future__
    import ast

    flags = 0
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                flags |= getattr(__future__, alias.name).compiler_flag
    return flags


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

    def pytest_collectreport(self, report):
        pass


def main():
    os.set_inheritable(0, False)
    in_fd, out_fd = _private(0), _private(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    limits.ignore_signals()
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
