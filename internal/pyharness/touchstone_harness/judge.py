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

from . import candidate, limits, swap
from .codec import Codec, Untransferable

MODULE = "_touchstone_split"
_LONGEST = 64 << 20


def run(server, fields):
    """{"outcome": passed, failed, undecided or rejected, "why"}."""
    request = candidate.Request(fields)
    request.original = None
    judgement = candidate.Judgement(request)
    undecided = []

    def record(r):
        if r["kind"] == "undecided":
            undecided.append(r["why"])
        else:
            judgement.record(r)

    ended = server.children.run(lambda writer: _judge(writer, request, server), request.wall * 2 + candidate.PATIENCE, record)
    verdict, detail = judgement.verdict(ended)
    if undecided:
        return {"outcome": "undecided", "why": undecided[0]}
    if verdict == "passed":
        return {"outcome": "passed", "why": ""}
    return {"outcome": "failed", "why": "%s: %s" % (verdict, detail[-2000:])}


def _judge(writer, request, server):
    filename = os.path.join(server.root, request.path)
    full = server.source_text(request.path)
    theirs = candidate.spliced(full, request)
    try:
        ours = _proxied(theirs, request)
    except Untransferable as error:
        writer.send("undecided", why=str(error))
        return
    data = server.encode(request.path, theirs)
    server.forget(request.path)
    near, far = socket.socketpair()
    if os.fork() == 0:
        try:
            near.close()
            os.close(3)
            candidate.limit(request)
            server.sources.put(filename, data)
            _answer(far, filename, server.root, request)
        finally:
            os._exit(0)
    far.close()
    limits.hide()
    server.sources.put(filename, ours.encode("utf-8", "surrogatepass"))
    candidate.limit(request)
    split = types.ModuleType(MODULE)
    caller = _Caller(near, server.root, writer)
    split.call = caller.call
    sys.modules[MODULE] = split
    candidate.run_pytest(writer, server.root, server.pytest_args, request.tests, True)


def _proxied(source, request):
    """The file with the target's body replaced by the call across."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno == request.line and node.name == request.name:
            break
    else:
        raise Untransferable("the definition is not there")
    if request.outer["name"] != request.name or request.outer["first_line"] != request.first_line:
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
            result = codec.decode(reply["value"])
            for description in reply["changed"]:
                codec.update(description)
        except (Untransferable, KeyError, TypeError, ValueError, RecursionError, OSError, AttributeError) as error:
            self._writer.send("undecided", why="%s: %s" % (type(error).__name__, error))
            raise RuntimeError("the call could not be taken across: %s" % error) from None
        if reply["raised"]:
            raise result
        return iter(result) if reply["iterator"] else result


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
            reply = {"value": codec.encode(value), "raised": raised, "iterator": iterator, "changed": codec.changed()}
        except BaseException as error:
            reply = {"undecided": "%s: %s" % (type(error).__name__, error)}
        _send(stream, reply)


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
