"""One candidate body, from text to verdict. The functions named child_* run
in the forked child; the verdict is decided by the server from what arrived."""

import ast
import json
import os
import secrets
import signal
import sys

from . import limits, loader, plugin, screen, swap

PATIENCE = 10.0  # seconds for starting and collecting, beside the tests' own limit


class Request:
    """A candidate as the server got it."""

    def __init__(self, fields):
        self.strategy = fields["strategy"]
        self.path = fields["path"]  # relative to the root
        self.line = fields["line"]  # of the target's def
        self.first_line = fields["first_line"]  # with decorators
        self.name = fields["name"]
        self.classes = fields.get("classes", [])
        self.outer = fields["outer"]  # {"name", "line", "first_line", "start", "end"}; offsets in the UTF-8 text
        self.original = None  # original text of the outermost definition, until the candidate is checked
        self.segment = fields["segment"]  # the candidate's
        self.tests = fields["tests"]
        self.wall = fields["wall"]
        self.stop = fields.get("stop", True)
        self.memory = fields.get("memory")
        self.file_size = fields.get("file_size")
        self.processes = fields.get("processes")


class Checked:
    """A candidate that parses and changes nothing but the target's body."""

    def __init__(self, wrapped, flags):
        self.wrapped = wrapped
        self.flags = flags


class Rejected(Exception):
    """The candidate is not run: verdict syntax_error or tampered."""

    def __init__(self, verdict, why):
        super().__init__(why)
        self.verdict = verdict
        self.why = why


def check(request, future_flags):
    indented = request.segment[:1] in " \t\f"
    try:
        source, depth = swap.wrap(request.segment, request.outer["first_line"], request.classes, indented)
        original, _ = swap.wrap(request.original, request.outer["first_line"], request.classes, indented)
    except swap.Unsupported:
        # Rare layouts: put the classes on one generic header each, without line numbers.
        source, original, depth = _loose(request, request.segment), _loose(request, request.original), 1
    try:
        statement = swap.parse(source, depth)
        if statement is not None:
            compile(source, request.path, "exec", flags=future_flags, dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise Rejected("syntax_error", str(error)) from None
    except (RecursionError, MemoryError):
        raise Rejected("syntax_error", "nested too deeply to parse") from None
    if statement is None:
        raise Rejected("tampered", "there is code behind the function's end")
    before = swap.parse(original, depth)
    target, old = _target(statement, request), _target(before, request)
    if target is None or old is None:
        raise Rejected("tampered", "the target's definition is no longer there")
    body, old_body = target.body, old.body
    doc = _documented(old)
    if doc and not _same(body[:1], old_body[:1]):
        raise Rejected("tampered", "the docstring was changed")
    target.body, old.body = [], []
    if ast.dump(statement) != ast.dump(before):
        raise Rejected("tampered", "code outside the body was changed")
    new, was = body[doc:], old_body[doc:]
    try:
        flags = screen.flags(new, was)
    except RecursionError:
        flags = ["deep"]
    return Checked(source, flags)


def _loose(request, segment):
    return "\n" * max(0, request.outer["first_line"] - 2) + "if 1:\n" + segment


def _target(statement, request):
    for node in ast.walk(statement):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.lineno == request.line and node.name == request.name:
                return node
    return None


def _documented(node):
    first = node.body[0]
    return int(isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str))


def _same(left, right):
    return [ast.dump(n) for n in left] == [ast.dump(n) for n in right]


def spliced(full, request):
    """The whole file's text with the candidate in it."""
    data = full.encode("utf-8", "surrogatepass")
    outer = request.outer
    new = data[: outer["start"]] + request.segment.encode("utf-8", "surrogatepass") + data[outer["end"] :]
    return new.decode("utf-8", "surrogatepass")


# In the child.


def screened(writer, request, server):
    """Checks the candidate, reports its flags and lets go of the original."""
    checked = check(request, server.future_flags(request.path))
    request.original = None
    writer.send("screen", flags=checked.flags)
    return checked


def limit(request):
    limits.apply(request.memory, request.file_size, request.processes, int(request.wall + PATIENCE) + 5)


def child_swapped(writer, request, server):
    """Strategy `swapped`."""
    checked = screened(writer, request, server)
    limit(request)
    items = list(server.session.items)
    plugin.pick(items, request.tests)
    filename = os.path.join(server.root, request.path)
    code = compile(checked.wrapped, filename, "exec", flags=server.future_flags(request.path), dont_inherit=True)
    outer = request.outer
    new = swap.find(code, outer["name"], outer["first_line"])
    nested = None
    if outer["first_line"] != request.first_line or outer["name"] != request.name:
        nested = (request.name, request.first_line, swap.find(new, request.name, request.first_line))
    try:
        server.functions.swap(filename, (outer["name"], outer["first_line"], new), nested)
    except swap.Unsupported as error:
        writer.send("unsupported", why=str(error))
        return
    loader.show_in_tracebacks(filename, spliced(server.source_text(request.path), request))
    server.forget(request.path)
    canary = plugin.Canary(writer, secrets.token_hex(8))
    reporter = plugin.Reporter(writer)
    manager = server.session.config.pluginmanager
    manager.register(reporter)
    writer.send("collected", tests=[item.nodeid for item in items])
    server.session.items = items
    reporter.run(items, request.stop)
    if not reporter.failed:
        canary.run(server.session, reporter)
    writer.send("end")


def child_hooked(writer, request, server):
    """Strategy `hooked`."""
    screened(writer, request, server)
    filename = os.path.join(server.root, request.path)
    source = spliced(server.source_text(request.path), request)
    data = server.encode(request.path, source)
    server.forget(request.path)
    server.sources.put(filename, data)
    loader.show_in_tracebacks(filename, source)
    limit(request)
    run_pytest(writer, server.root, server.pytest_args, request.tests, request.stop)


def child_forked(writer, request, server):
    """Strategy `forked`: the server has written the tree already."""
    screened(writer, request, server)
    limit(request)
    server.forget(request.path)
    run_pytest(writer, server.root, server.pytest_args, request.tests, request.stop)


def child_fresh(writer, request, server):
    """Strategy `fresh`: a new interpreter over the tree the server has written."""
    screened(writer, request, server)
    limit(request)
    order = {
        "root": server.root,
        "pytest_args": server.pytest_args,
        "tests": request.tests,
        "stop": request.stop,
        "nonce": writer.nonce,
    }
    execute_fresh("run", order)


def execute_fresh(mode, order):
    """Replaces this child by a new interpreter that reads its order from
    descriptor 4 and reports on descriptor 3."""
    read, write = os.pipe()
    data = json.dumps(order).encode()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(write, view):]
        finally:
            os._exit(0)
    os.close(write)
    if read != 4:
        os.dup2(read, 4)
    os.set_inheritable(4, True)
    os.set_inheritable(3, True)
    launcher = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fresh.py")
    os.execv(sys.executable, [sys.executable, launcher, mode])


def run_pytest(writer, root, pytest_args, tests, stop):
    import pytest

    canary = plugin.Canary(writer, secrets.token_hex(8))
    selection = plugin.Selection(writer, tests, stop, canary=canary)
    files = list(dict.fromkeys(os.path.join(root, test.split("::")[0]) for test in tests))
    pytest.main(plugin.arguments(root, pytest_args, files), plugins=[selection, selection.reporter])
    writer.send("end")


# In the server.


class Judgement:
    """Reads a child's records and decides."""

    def __init__(self, request):
        self._request = request
        self.flags = []
        self.phases = {}
        self.order = []
        self.collected = None
        self.canary = None
        self.ended = False
        self.unsupported = None
        self.rejected = None
        self.problem = None  # first phase that did not pass
        self.collection = []
        self.call_seconds = 0.0
        self.failed_tests = []

    def record(self, record):
        kind = record["kind"]
        if kind == "screen":
            self.flags = record["flags"]
        elif kind == "rejected":
            self.rejected = (record["verdict"], record["why"])
        elif kind == "unsupported":
            self.unsupported = record["why"]
        elif kind == "collected":
            self.collected = record["tests"]
        elif kind == "collection":
            self.collection.append(record)
        elif kind == "test":
            self.order.append(record["test"])
        elif kind == "phase":
            self.phases.setdefault(record["test"], []).append((record["when"], record["outcome"]))
            if record["when"] == "call":
                self.call_seconds += record["seconds"]
            if record["outcome"] != "passed":
                if record["test"] not in self.failed_tests:
                    self.failed_tests.append(record["test"])
                if self.problem is None:
                    self.problem = record
        elif kind == "canary":
            self.canary = record
        elif kind == "end":
            self.ended = True

    def verdict(self, ended):
        """(verdict, detail)."""
        if self.rejected:
            return self.rejected
        if ended.meddled:
            return "tampered", "the candidate changed limits or priority of the process that watches it"
        if ended.forged:
            return "tampered", "something that is not a report was written where the reports go"
        problem = self.problem
        if problem is not None and problem.get("exception") == "MemoryError":
            return "resource_limit", problem["detail"]
        if ended.flooded:
            return "resource_limit", "more output than is allowed"
        if ended.signal in (signal.SIGXFSZ, signal.SIGXCPU):
            return "resource_limit", "ended by " + signal.Signals(ended.signal).name
        if problem is not None:
            detail = problem["detail"]
            if problem["when"] == "call":
                return "failed", detail
            return "error", detail
        if ended.timed_out:
            return "timeout", "not done after %.1f s" % ended.seconds
        wanted = self._request.tests
        if self.collected is not None and self.collected != wanted:
            missing = [t for t in wanted if t not in self.collected]
            why = "".join(c["detail"] + "\n" for c in self.collection)
            return "error", "%d of %d tests were not collected\n%s" % (len(missing), len(wanted), why)
        if ended.signal is not None:
            return "error", "ended by signal %d\n%s" % (ended.signal, _tail(ended))
        if self.canary is not None and (self.canary["outcome"] != "failed" or not self.canary["told"]):
            return "tampered", "a test that must fail was reported as " + self.canary["outcome"]
        if not self.ended or ended.code != 0 or self.canary is None:
            return "error", "the process ended before its tests did (status %s)\n%s" % (ended.code, _tail(ended))
        if self.order != wanted:
            return "tampered", "the tests that ran are not those asked for, in their order"
        phases = [("setup", "passed"), ("call", "passed"), ("teardown", "passed")]
        for test in wanted:
            if self.phases.get(test) != phases:
                return "tampered", "%s was not reported once in setup, call and teardown" % test
        if set(self.phases) != set(wanted):
            return "tampered", "a test was reported that was not asked for"
        return "passed", ""


def _tail(ended):
    return ended.output.decode("utf-8", "replace")[-4000:]
