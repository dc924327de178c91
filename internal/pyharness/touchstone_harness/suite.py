"""Runs of the whole suite, in a new interpreter: outcomes, traces, and what
collecting it leaves in the bytecode cache."""

import os
import sys
import threading

from . import loader, plugin


class _Whole(plugin.Selection):
    """Collects everything but the deselected, and everything that can be
    collected runs, whatever failed to be."""

    def __init__(self, writer, deselect, reporter=None, run=True):
        super().__init__(writer, None, stop=False, reporter=reporter)
        self._deselect = tuple(deselect)
        self._run = run

    def pytest_collection_modifyitems(self, session, config, items):
        items[:] = [item for item in items if not _named(item.nodeid, self._deselect)]

    def pytest_runtestloop(self, session):
        self._writer.send("collected", tests=[item.nodeid for item in session.items])
        if self._run:
            self.reporter.run(session.items, stop=False)
        return True


def _named(nodeid, names):
    """Whether a test is one of the named, or belongs to a named file, folder, class or function."""
    return any(nodeid.startswith(name) and nodeid[len(name) : len(name) + 1] in ("", "[", ":", "/") for name in names)


def _main(plugins, order):
    import pytest

    return int(pytest.main(plugin.arguments(order["root"], order["pytest_args"], []), plugins=plugins))


def run(writer, order):
    whole = _Whole(writer, order.get("deselect", []))
    status = _main([whole, whole.reporter], order)
    writer.send("end", status=status)


def warm(writer, order):
    whole = _Whole(writer, order.get("deselect", []), run=False)
    status = _main([whole, whole.reporter], order)
    writer.send("modules", names=loader.outside(order["root"]))
    writer.send("end", status=status)


def trace(writer, order):
    tracer = _Monitoring(order["root"]) if hasattr(sys, "monitoring") else _Profile(order["root"])

    class Traced(plugin.Reporter):
        def run(self, items, stop, before=None, after=None):
            super().run(items, stop, lambda item: tracer.begin(item.nodeid), lambda item: tracer.pause())

    whole = _Whole(writer, order.get("deselect", []), reporter=Traced(writer))
    tracer.start()
    status = _main([whole, whole.reporter], order)
    tracer.stop()
    names = {}
    for test, places in tracer.reached.items():
        for place in places:
            names.setdefault(place, []).append(test)
    for (filename, name, line), tests in sorted(names.items()):
        writer.send("reached", path=os.path.relpath(filename, order["root"]), name=name, line=line, tests=tests)
    writer.send("end", status=status)


class _Tracer:
    """Collects which functions of the repository are entered during each
    test; under "" those entered while no test runs: imports, collection."""

    def __init__(self, root):
        self._root = root + os.sep
        self.reached = {}
        self._current = self.reached.setdefault("", set())

    def _enter(self, code):
        if code.co_filename.startswith(self._root):
            self._current.add((code.co_filename, code.co_name, code.co_firstlineno))

    def begin(self, test):
        self._current = self.reached.setdefault(test, set())

    def pause(self):
        self._current = self.reached[""]


class _Monitoring(_Tracer):
    """Python 3.12 and later: each function is reported once a test, after
    which the interpreter forgets about it until the next."""

    TOOL = 4

    def start(self):
        monitoring = sys.monitoring
        monitoring.use_tool_id(self.TOOL, "touchstone")
        monitoring.register_callback(self.TOOL, monitoring.events.PY_START, self._start)
        monitoring.set_events(self.TOOL, monitoring.events.PY_START)

    def _start(self, code, offset):
        self._enter(code)
        return sys.monitoring.DISABLE

    def begin(self, test):
        super().begin(test)
        sys.monitoring.restart_events()

    def pause(self):
        super().pause()
        sys.monitoring.restart_events()

    def stop(self):
        sys.monitoring.set_events(self.TOOL, 0)
        sys.monitoring.free_tool_id(self.TOOL)


class _Profile(_Tracer):
    """Earlier Pythons."""

    def start(self):
        threading.setprofile(self._event)
        sys.setprofile(self._event)

    def begin(self, test):
        super().begin(test)
        sys.setprofile(self._event)  # a test may have taken it off

    def _event(self, frame, event, argument):
        if event == "call":
            self._enter(frame.f_code)

    def stop(self):
        sys.setprofile(None)
        threading.setprofile(None)
