"""The four ways to run a candidate, each in a forked child of the server."""

import os
import secrets
import sys

from . import candidate, interpreter, limits, loader, plugin, swap, watch

PATIENCE = 10.0  # seconds for starting and collecting, beside the tests' own limit


def run(writer, request, server):
    """Checks the candidate, limits this process, lets go of the original, runs."""
    try:
        checked = candidate.check(request, server.facts(request.path))
    except candidate.Rejected as rejected:
        writer.send("rejected", verdict=rejected.verdict, why=rejected.why)
        return
    request.original = None
    writer.send("screen", flags=checked.flags)
    limit(request)
    _STRATEGIES[request.strategy](writer, request, server, checked)


def limit(request):
    limits.apply(request.memory, request.file_size, request.processes, int(request.wall + PATIENCE) + 5)


def _watch(writer, request, server, checked):
    watch.install(writer, os.path.join(server.root, request.path), request.lines(), {*checked.flags, *checked.known})


def _swapped(writer, request, server, checked):
    """The tests are collected already; the function's code is exchanged."""
    items = list(server.session.items)
    plugin.pick(items, request.tests)
    filename = os.path.join(server.root, request.path)
    code = compile(checked.wrapped, filename, "exec", flags=server.facts(request.path).future_flags, dont_inherit=True)
    outer = request.outer
    new = swap.find(code, outer["name"], outer["first_line"])
    nested = None
    if request.nested():
        nested = (request.name, request.first_line, swap.find(new, request.name, request.first_line))
    try:
        server.functions.swap(filename, (outer["name"], outer["first_line"], new), nested)
    except swap.Unsupported as error:
        writer.send("unsupported", why=str(error))
        return
    loader.show_in_tracebacks(filename, candidate.spliced(server.source_text(request.path), request))
    server.forget(request.path)
    canary = plugin.Canary(writer, secrets.token_hex(8))
    reporter = plugin.Reporter(writer)
    server.session.config.pluginmanager.register(reporter)
    _watch(writer, request, server, checked)
    writer.send("collected", tests=[item.nodeid for item in items])
    server.session.items = items
    reporter.run(items, request.stop)
    if not reporter.failed:
        canary.run(server.session, reporter)
    writer.send("end")


def _hooked(writer, request, server, checked):
    """Everything is imported anew, the candidate's file from memory."""
    filename = os.path.join(server.root, request.path)
    source = candidate.spliced(server.source_text(request.path), request)
    data = server.encode(request.path, source)
    server.forget(request.path)
    server.sources.put(filename, data)
    loader.show_in_tracebacks(filename, source)
    _watch(writer, request, server, checked)
    interpreter.run_pytest(writer, server.root, server.pytest_args, request.tests, request.stop)


def _forked(writer, request, server, checked):
    """Over the tree that the server has written for this candidate."""
    # Folders of the path that were not there when the server started are remembered as missing.
    sys.path_importer_cache.clear()
    server.forget(request.path)
    _watch(writer, request, server, checked)
    interpreter.run_pytest(writer, server.root, server.pytest_args, request.tests, request.stop)


def _fresh(writer, request, server, checked):
    """A new interpreter over the tree that the server has written."""
    order = {
        "root": server.root,
        "pytest_args": server.pytest_args,
        "tests": request.tests,
        "stop": request.stop,
        "nonce": writer.nonce,
        "watch": [os.path.join(server.root, request.path), request.lines(), sorted({*checked.flags, *checked.known})],
    }
    interpreter.replace("run", order)


_STRATEGIES = {"swapped": _swapped, "hooked": _hooked, "forked": _forked, "fresh": _fresh}
