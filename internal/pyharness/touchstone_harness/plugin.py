"""The pytest plugin of every run: it selects the tests, runs them in the
order asked for, and reports each phase to the server."""

import errno
import traceback

import pytest

LONGEST_DETAIL = 12_000


def arguments(root, pytest_args, paths):
    """The command line of every pytest run; the same in all strategies, so
    that node ids and configuration agree."""
    return [
        "--rootdir=" + root,
        "-p", "no:cacheprovider",
        "-p", "no:stepwise",
        "--capture=sys",
        "--color=no",
        "--tb=native",  # the other styles parse whole files to show a statement
        "-q",
        *pytest_args,
        *paths,
    ]


def detail(report):
    """What a person wants to read of a test that did not pass: bounded, the
    end kept, where the error stands."""
    text = getattr(report, "touchstone_traceback", None) or getattr(report, "longreprtext", "") or ""
    for name, content in getattr(report, "sections", []):
        text += "\n---- %s ----\n%s" % (name, content)
    if len(text) > LONGEST_DETAIL:
        text = text[: LONGEST_DETAIL // 3] + "\n… %d characters left out …\n" % (
            len(text) - LONGEST_DETAIL
        ) + text[-2 * LONGEST_DETAIL // 3 :]
    return text


def _traceback(error, root):
    """An exception's traceback from the first line that is the repository's own."""
    entry = error.__traceback__
    while entry is not None and not entry.tb_frame.f_code.co_filename.startswith(root + "/"):
        entry = entry.tb_next
    return "".join(traceback.format_exception(type(error), error, entry or error.__traceback__))


def _exception(value):
    """The name of an exception, or of the error behind it that says that a limit was hit."""
    if isinstance(value, OSError) and value.errno in (errno.EFBIG, errno.ENOSPC, errno.EDQUOT):
        return errno.errorcode[value.errno]
    return type(value).__name__


class Reporter:
    """Sends each phase of each test as it ends, and remembers whether all
    passed."""

    def __init__(self, writer):
        self._writer = writer
        self.failed = False

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        if call.excinfo is not None:
            report = outcome.get_result()
            report.touchstone_exception = _exception(call.excinfo.value)
            if report.outcome == "failed":
                report.touchstone_traceback = _traceback(call.excinfo.value, str(item.config.rootpath))

    def pytest_runtest_logreport(self, report):
        strict = report.outcome == "passed" and not hasattr(report, "wasxfail")
        fields = {
            "test": report.nodeid,
            "when": report.when,
            "outcome": "passed" if strict else ("failed" if report.failed else "skipped"),
            "seconds": report.duration,
        }
        if not strict:
            self.failed = True
            fields["detail"] = detail(report)
            fields["exception"] = getattr(report, "touchstone_exception", "")
            self._writer.send("phase", **fields)
            return
        # The next test's start, the canary or the end takes it along.
        self._writer.hold("phase", **fields)

    def run(self, items, stop, before=None, after=None):
        """Runs the items in their order; with stop, ends at the first that
        does not pass."""
        for i, item in enumerate(items):
            following = items[i + 1] if i + 1 < len(items) else None
            self._writer.send("test", test=item.nodeid)
            if before:
                before(item)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if after:
                after(item)
            if stop and self.failed:
                if following is not None:
                    # Tear down what later tests would have shared.
                    item.session._setupstate.teardown_exact(None)
                return


class Selection:
    """Collects whole files, keeps the wanted tests in the wanted order and
    runs them by the reporter. A wanted test that is not there is reported."""

    def __init__(self, writer, wanted, stop, reporter=None, canary=None):
        self._writer = writer
        self._wanted = wanted
        self._stop = stop
        self._canary = canary
        self.reporter = reporter or Reporter(writer)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, session, config, items):
        if self._wanted is not None:
            pick(items, self._wanted)

    def pytest_collectreport(self, report):
        if report.failed:
            self._writer.send(
                "collection", node=report.nodeid, detail=detail(report)
            )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        self._writer.send("collected", tests=[item.nodeid for item in session.items])
        self.reporter.run(session.items, self._stop)
        if self._canary and not self.reporter.failed:
            self._canary.run(session, self.reporter)
        return True


def pick(items, wanted):
    """Reorders items in place to exactly the wanted ids, leaving out what is
    missing. The n-th of several tests with one id stands for its n-th mention."""
    by_id = {}
    for item in items:
        by_id.setdefault(item.nodeid, []).append(item)
    items[:] = [by_id[i].pop(0) for i in wanted if by_id.get(i)]


class Canary:
    """A test that must fail, run after the others: code that has bent the
    reporting so that everything passes makes it pass, too."""

    NAME = "touchstone_canary"

    def __init__(self, writer, token):
        self._writer = writer
        self._token = token

    def run(self, session, reporter):
        token = self._token
        seen = []

        class Listener:
            @pytest.hookimpl(tryfirst=True)
            def pytest_runtest_logreport(self, report):
                if report.when == "call":
                    seen.append((report.outcome, token in (getattr(report, "longreprtext", "") or "")))

        def touchstone_canary():
            left, right = object(), [token]
            assert left == right, token

        item = _CanaryItem.from_parent(session, name=self.NAME)
        item.obj = touchstone_canary
        listener = Listener()
        manager = session.config.pluginmanager
        quiet = manager.unregister(reporter) is not None
        manager.register(listener)
        try:
            session._setupstate.teardown_exact(None)
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        finally:
            manager.unregister(listener)
            if quiet:
                manager.register(reporter)
        outcome, told = seen[0] if seen else ("missing", False)
        self._writer.send("canary", outcome=outcome, told=told)


class _CanaryItem(pytest.Item):
    """Goes the way of an ordinary test function, but without a file."""

    class _fixtureinfo:
        argnames = ()

    funcargs = {}
    obj = None

    def runtest(self):
        self.ihook.pytest_pyfunc_call(pyfuncitem=self)

    def repr_failure(self, excinfo):
        return str(excinfo.value)

    def reportinfo(self):
        return self.path, 0, self.name
