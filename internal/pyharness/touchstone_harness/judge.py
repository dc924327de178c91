"""The split run: the tests run in one process, in which the target's body is
a call to another; that one holds the candidate and sees no test.

What the candidate returns crosses as plain data, so it can neither bend the
tests' comparisons nor their reporting. What cannot cross is undecided.
"""

import ast
import asyncio
import inspect
import json
import os
import socket
import sys
import types

from . import candidate, children, interpreter, judgement, limits, strategies, swap
from .codec import Codec, Untransferable
from .definitions import is_test_path

MODULE = "_touchstone_split"
_LONGEST = 64 << 20


def run(server, fields):
    """{"outcome": passed, failed or undecided, "why"}."""
    request = candidate.Request(fields)
    judged = judgement.Judgement(request)
    undecided, looked = [], []

    def record(r):
        if r["kind"] == "undecided":
            undecided.append(str(r.get("why")))
        elif r["kind"] == "looked":
            looked.append("the candidate does what cannot be watched: " + str(r.get("what")))
        else:
            judged.record(r)

    bounds = children.Bounds(request.wall * 2 + strategies.PATIENCE, memory=request.memory, records=server.RECORDS_MOST)
    ended = server.children.run(lambda writer: _judge(writer, request, server), bounds, record)
    verdict, detail = judged.verdict(ended)
    outcome, why = "failed", "%s: %s" % (verdict, detail[-2000:])
    if verdict == "passed":
        outcome, why = ("undecided", looked[0]) if looked else ("passed", "")
    if undecided and not ended.meddled:
        outcome, why = "undecided", undecided[0]
    elif verdict in ("timeout", "resource_limit"):
        outcome = "undecided"
    return {"outcome": outcome, "why": why, "leave": ended.leave}


def _judge(writer, request, server):
    filename = os.path.join(server.root, request.path)
    theirs = candidate.spliced(server.source_text(request.path), request)
    try:
        ours = _proxied(theirs, request)
    except Untransferable as error:
        writer.send("undecided", why=str(error))
        return
    data = server.encode(request.path, theirs)
    server.forget(request.path)
    near, far = socket.socketpair()
    strategies.limit(request)
    if os.fork() == 0:
        try:
            near.close()
            os.close(3)
            server.sources.put(filename, data)
            _answer(far, filename, server.root, request)
        finally:
            os._exit(0)
    far.close()
    limits.hide()
    server.sources.put(filename, ours.encode("utf-8", "surrogatepass"))
    writer.send("screen", flags=[])
    split = types.ModuleType(MODULE)
    caller = _Caller(near, server.root, writer)
    split.call = caller.call
    sys.modules[MODULE] = split
    interpreter.run_pytest(writer, server.root, server.pytest_args, request.tests, True)


def _proxied(source, request):
    """The file with the target's body replaced by the call across."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno == request.line and node.name == request.name:
            break
    else:
        raise Untransferable("the definition is not there")
    if request.nested():
        raise Untransferable("a nested function cannot be called from outside")
    a = node.args
    names = [x.arg for x in a.posonlyargs + a.args]
    positional = ", ".join(names + (["*" + a.vararg.arg] if a.vararg else []))
    keywords = "".join("%r: %s, " % (x.arg, x.arg) for x in a.kwonlyargs)
    if a.kwarg:
        keywords += "**" + a.kwarg.arg
    # The names of the module's imports are looked up at call time, whatever the body shadowed.
    call = "return __import__('sys').modules[%r].call([%s], {%s})" % (MODULE, positional, keywords)
    node.body = ast.parse("def f():\n    " + call).body[0].body
    return ast.unparse(ast.fix_missing_locations(tree))


class _Caller:
    """The tests' side."""

    def __init__(self, near, root, writer):
        self._stream = near.makefile("rwb")
        self._root = root
        self._writer = writer

    def call(self, positional, keywords):
        codec = Codec(self._root, 1)
        try:
            message = {
                "positional": [codec.encode(v) for v in positional],
                "keywords": [[k, codec.encode(v)] for k, v in keywords.items()],
            }
            _send(self._stream, message)
            reply = _receive(self._stream)
            if "undecided" in reply:
                raise Untransferable(reply["undecided"])
            if "trespass" in reply:
                raise RuntimeError(reply["trespass"])
            result = codec.decode(reply["value"])
            for description in reply["changed"]:
                codec.update(description)
            if reply["looked"]:
                self._writer.send("looked", what=str(reply["looked"]))
        except (Untransferable, KeyError, TypeError, ValueError, RecursionError, OSError, AttributeError) as error:
            self._writer.send("undecided", why="%s: %s" % (type(error).__name__, error))
            raise RuntimeError("the call could not be taken across: %s" % error) from None
        if reply["raised"]:
            raise result
        return iter(result) if reply["iterator"] else result


class _Trespass:
    """Notes when the candidate's side opens what holds the answers, a test's
    source or raw memory, or does what keeps that from being seen."""

    def __init__(self, root):
        self.opened = ""
        self.looked_around = ""
        self._root = root + os.sep
        sys.addaudithook(self._hook)

    def _hook(self, event, arguments):
        if event == "open" and isinstance(arguments[0], (str, bytes)):
            path = os.path.normpath(os.path.join(os.getcwd(), os.fsdecode(arguments[0])))
            if path.startswith(self._root) and path.endswith((".py", ".pyc")) and is_test_path(_source(path[len(self._root):])):
                self.opened = path
            elif path.startswith("/proc/") and path.endswith("/mem"):
                self.opened = path
        elif event.startswith(("gc.", "ctypes.", "subprocess.", "os.fork", "os.exec", "os.posix_spawn", "os.system", "pty.")):
            self.looked_around = event


def _source(path):
    """The source file of a path that may be its bytecode."""
    return path.replace("__pycache__/", "").split(".")[0] + ".py"


def _answer(far, filename, root, request):
    """The candidate's side: imports the module and answers calls."""
    stream = far.makefile("rwb")
    function = None
    while True:
        try:
            message = _receive(stream)
        except (EOFError, OSError, ValueError):
            return
        codec = Codec(root, 1_000_000)
        try:
            if function is None:
                function = _function(filename, root, request)
                trespass = _Trespass(root)
            _send(stream, _called(function, message, codec, trespass))
        except BaseException as error:
            _send(stream, {"undecided": "%s: %s" % (type(error).__name__, error)})


def _called(function, message, codec, trespass):
    positional = [codec.decode(v) for v in message["positional"]]
    keywords = {k: codec.decode(v) for k, v in message["keywords"]}
    raised, iterator = False, False
    try:
        value = function(*positional, **keywords)
        if inspect.iscoroutine(value):
            value = asyncio.run(value)
        if inspect.isgenerator(value):
            value, iterator = list(value), True
    except Exception as error:
        value, raised = error, True
    if trespass.opened:
        return {"trespass": "the candidate opens " + trespass.opened}
    return {"value": codec.encode(value), "raised": raised, "iterator": iterator, "changed": codec.changed(),
            "looked": trespass.looked_around}


def _function(filename, root, request):
    """The undecorated target, in a module imported by its own name."""
    relative = os.path.relpath(filename, root)[: -len(".py")]
    parts = relative.split(os.sep)
    if parts[-1] == "__init__":
        parts.pop()
    for start in range(len(parts)):
        name = ".".join(parts[start:])
        try:
            module = __import__(name, fromlist=["*"])
        except ImportError:
            continue
        if getattr(module, "__file__", None) == filename:
            break
    else:
        raise Untransferable("the module cannot be imported by its path")
    live = swap.Functions(root + os.sep)
    functions = live.at(filename, request.name, request.first_line)
    if len(functions) != 1:
        raise Untransferable("%d live functions instead of one" % len(functions))
    return functions[0]


def _send(stream, message):
    data = json.dumps(message).encode("ascii")
    if len(data) > _LONGEST:
        raise Untransferable("more data than is taken across")
    stream.write(len(data).to_bytes(8, "big") + data)
    stream.flush()


def _receive(stream):
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError("the other process is gone")
    size = int.from_bytes(head, "big")
    if size > _LONGEST:
        raise ValueError("too long a message")
    return json.loads(stream.read(size))
