"""From what arrived of a child to a verdict. It is decided in the server;
the records are claims of a process in which the candidate runs."""

import signal

_LIMITS = {"MemoryError", "EFBIG", "ENOSPC", "EDQUOT"}  # exceptions that say that a limit was hit
_PHASES = [("setup", "passed"), ("call", "passed"), ("teardown", "passed")]


class _OutOfOrder(Exception):
    """A record that the harness would not have sent at this time."""


class Judgement:
    """Reads a child's records and decides.

    What the harness sends before it hands over to the tests is trusted as it
    comes first: it cannot be sent a second time.
    """

    def __init__(self, request):
        self._request = request
        self._stage = "checking"  # then collecting, running, after
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
        self.tampered = None

    def record(self, record):
        """Takes a record; never raises, whatever it holds."""
        if self.tampered:
            return
        try:
            take = getattr(self, "_take_" + record["kind"], None)
            if take is None:
                raise _OutOfOrder()
            take(record)
        except (_OutOfOrder, KeyError, TypeError, ValueError):
            self.tampered = "a record came that the harness did not send: %.40r" % (record["kind"],)

    def _require(self, *stages):
        if self._stage not in stages:
            raise _OutOfOrder()

    def _take_screen(self, record):
        self._require("checking")
        self.flags = list(record["flags"])
        self._stage = "collecting"

    def _take_rejected(self, record):
        self._require("checking")
        self.rejected = (record["verdict"], record["why"])
        self._stage = "after"

    def _take_unsupported(self, record):
        self._require("collecting")
        if self._request.strategy != "swapped":
            raise _OutOfOrder()
        self.unsupported = record["why"]
        self._stage = "after"

    def _take_collection(self, record):
        self._require("collecting")
        self.collection.append(_string(record["detail"]))

    def _take_collected(self, record):
        self._require("collecting")
        self.collected = [_string(test) for test in record["tests"]]
        self._stage = "running"

    def _take_watched(self, record):
        """What the dynamic screen saw."""
        self._require("collecting", "running", "after")
        if record["code"] not in self.flags:
            self.flags = sorted([*self.flags, _string(record["code"])])

    def _take_test(self, record):
        self._require("running")
        self.order.append(_string(record["test"]))

    def _take_phase(self, record):
        self._require("running")
        test, when, outcome = _string(record["test"]), _string(record["when"]), _string(record["outcome"])
        self.phases.setdefault(test, []).append((when, outcome))
        if when == "call":
            self.call_seconds += max(0.0, min(float(record["seconds"]), 1e6))
        if outcome == "passed":
            return
        problem = {"test": test, "when": when, "detail": _string(record["detail"]), "exception": _string(record["exception"])}
        if test not in self.failed_tests:
            self.failed_tests.append(test)
        self.problem = self.problem or problem

    def _take_canary(self, record):
        self._require("running")
        self.canary = (_string(record["outcome"]), record["told"] is True)
        self._stage = "after"

    def _take_end(self, record):
        self._require("collecting", "running", "after")
        if self.ended:
            raise _OutOfOrder()
        self.ended = True
        self._stage = "after"

    def verdict(self, ended):
        """(verdict, detail)."""
        if self.rejected:
            return self.rejected
        return self._meddled(ended) or self._unfinished(ended) or self._incomplete(ended) or ("passed", "")

    def _meddled(self, ended):
        if ended.meddled:
            return "tampered", "the candidate changed limits or priority of the process that watches it"
        if ended.forged:
            return "tampered", "something that is not a report was written where the reports go"
        if self.tampered:
            return "tampered", self.tampered
        return None

    def _unfinished(self, ended):
        """A test that did not pass, or a child that was stopped or did not get to its end."""
        problem = self.problem
        if problem is not None and problem["exception"] in _LIMITS:
            return "resource_limit", problem["detail"]
        if ended.overfed:
            return "resource_limit", "more memory than is allowed"
        if ended.flooded:
            return "resource_limit", "more output than is allowed"
        if ended.signal in (signal.SIGXFSZ, signal.SIGXCPU):
            return "resource_limit", "ended by " + signal.Signals(ended.signal).name
        if problem is not None:
            return ("failed" if problem["when"] == "call" else "error"), problem["detail"]
        if ended.timed_out:
            return "timeout", "not done after %.1f s" % ended.seconds
        wanted = self._request.tests
        if self.collected is not None and self.collected != wanted:
            missing = [t for t in wanted if t not in self.collected]
            why = "\n".join(self.collection)
            return "error", "%d of %d tests were not collected\n%s" % (len(missing), len(wanted), why)
        if ended.signal is not None:
            return "error", "ended by signal %d\n%s" % (ended.signal, _tail(ended))
        if self.canary is not None and self.canary != ("failed", True):
            return "tampered", "a test that must fail was reported as " + self.canary[0]
        if not self.ended or ended.code != 0 or self.canary is None:
            return "error", "the process ended before its tests did (status %s)\n%s" % (ended.code, _tail(ended))
        return None

    def _incomplete(self, ended):
        """A run that looks like a pass but lacks a part, or has one too many."""
        wanted = self._request.tests
        if self.collected is None or self.order != wanted:
            return "tampered", "the tests that ran are not those asked for, in their order"
        for test in wanted:
            if self.phases.get(test) != _PHASES:
                return "tampered", "%s was not reported once in setup, call and teardown" % test
        if set(self.phases) != set(wanted):
            return "tampered", "a test was reported that was not asked for"
        return None


def _string(value):
    if not isinstance(value, str):
        raise ValueError("not a string")
    return value


def _tail(ended):
    return ended.output.decode("utf-8", "replace")[-4000:]
