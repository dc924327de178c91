"""What a builder of releases asks of a whole repository: its tests, what
they reach, its definitions. All of it over a tree of the server's own."""

import base64
import os

from . import children, definitions, interpreter, limits, mutants

_LONGEST_DETAIL = 2000


class _Records:
    """Collects what a run of the suite reports."""

    def __init__(self):
        self.tests = []
        self.phases = {}
        self.collection = []
        self.reached = []
        self.modules = []
        self.current = ""
        self.ended = False
        self.status = -1

    def take(self, r):
        kind = r["kind"]
        if kind == "collected":
            self.tests = r["tests"]
        elif kind == "collection":
            self.collection.append({"node": r["node"], "detail": r["detail"]})
        elif kind == "test":
            self.current = r["test"]
        elif kind == "phase":
            phase = {k: r[k] for k in ("when", "outcome", "seconds")}
            if "detail" in r:
                phase["detail"] = r["detail"][-_LONGEST_DETAIL:]
            self.phases.setdefault(r["test"], []).append(phase)
        elif kind == "reached":
            self.reached.append({k: r[k] for k in ("path", "name", "line", "tests")})
        elif kind == "modules":
            self.modules = r["names"]
        elif kind == "end":
            self.ended, self.status = True, r["status"]


def _run(server, mode, fields, bytecode=False):
    server.tree.restore()
    records = _Records()

    def child(writer):
        if bytecode:
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        limits.apply(fields.get("memory"), fields.get("file_size"), fields.get("processes"), None)
        order = {"root": server.root, "pytest_args": server.pytest_args, "deselect": fields.get("deselect", []), "nonce": writer.nonce}
        interpreter.replace(mode, order)

    bounds = children.Bounds(fields["wall"], test_wall=fields.get("test_wall"))
    return records, server.children.run(child, bounds, records.take)


def suite(server, mode, fields):
    """Runs every test; with the mode "trace" noting which functions each reaches."""
    records, ended = _run(server, mode, fields)
    answer = {
        "tests": [{"id": test, "phases": records.phases.get(test, [])} for test in records.tests],
        "collection": records.collection,
        "ended": records.ended,
        "status": records.status,
        "timed_out": ended.timed_out,
        "current": records.current,
        "test_timed_out": ended.test_timed_out,
        "seconds": ended.seconds,
        "output": _text(ended.output),
        "signal": ended.signal or 0,
        "leave": ended.leave,
    }
    if mode == "trace":
        answer["reached"] = records.reached
    return answer


def warm(server, fields):
    """Collects once and returns the bytecode that this wrote, and the
    modules from outside the repository that it needed."""
    records, ended = _run(server, "warm", fields, bytecode=True)
    caches = []
    for folder, _, names in os.walk(server.root):
        if os.path.basename(folder) == "__pycache__":
            for name in sorted(names):
                with open(os.path.join(folder, name), "rb") as file:
                    data = base64.b64encode(file.read()).decode("ascii")
                path = os.path.relpath(os.path.join(folder, name), server.root)
                caches.append({"path": path, "mode": 0o644, "data": data})
    return {"tests": records.tests, "collection": records.collection, "modules": records.modules, "caches": caches,
            "ended": records.ended, "output": _text(ended.output), "leave": ended.leave}


def index(server, fields):
    """Definitions of every Python file of the tree."""
    files, unreadable = [], []

    def child(writer):
        for path in sorted(server.tree.files):
            mode, data = server.tree.files[path]
            if mode is None or not path.endswith(".py"):
                continue
            try:
                writer.send("file", **definitions.describe(path, data))
            except (SyntaxError, UnicodeDecodeError, ValueError, RecursionError) as error:
                writer.send("unreadable", path=path, why=str(error))
        writer.send("end")

    def take(record):
        kind = record.pop("kind")
        if kind == "file":
            files.append(record)
        elif kind == "unreadable":
            unreadable.append(record)

    ended = server.children.run(child, children.Bounds(fields["wall"]), take)
    return {"files": files, "unreadable": unreadable, "ended": ended.code == 0, "output": _text(ended.output), "leave": ended.leave}


def mutants_of(server, fields):
    """Changed bodies of one function, as canonical text."""
    found = []

    def child(writer):
        source = server.source_text(fields["path"])
        for body in mutants.of(source, fields["line"], fields["name"], fields["most"], fields["seed"]):
            writer.send("mutant", **body)

    ended = server.children.run(child, children.Bounds(fields["wall"]), found.append)
    return {"mutants": [{"operator": r["operator"], "body": r["body"]} for r in found if r["kind"] == "mutant"], "leave": ended.leave}


def _text(data):
    return data.decode("utf-8", "replace")
