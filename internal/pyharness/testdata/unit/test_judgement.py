"""Which verdict follows from which records and which end."""

import signal
from types import SimpleNamespace

import pytest

from touchstone_harness import children, judgement

TESTS = ["t.py::one", "t.py::two"]


def phases(test, call="passed", **more):
    for when in ("setup", "call", "teardown"):
        outcome = call if when == "call" else "passed"
        record = {"kind": "phase", "test": test, "when": when, "outcome": outcome, "seconds": 0.5}
        if outcome != "passed":
            record.update({"detail": "why", "exception": ""}, **more)
        yield record


SCREEN = {"kind": "screen", "flags": []}
COLLECTED = {"kind": "collected", "tests": TESTS}
CANARY = {"kind": "canary", "outcome": "failed", "told": True}
END = {"kind": "end"}
ONE = [{"kind": "test", "test": TESTS[0]}, *phases(TESTS[0])]
TWO = [{"kind": "test", "test": TESTS[1]}, *phases(TESTS[1])]
PASS = [SCREEN, COLLECTED, *ONE, *TWO, CANARY, END]


def ended(code=0, **what):
    e = children.Ended()
    e.code = code
    for name, value in what.items():
        setattr(e, name, value)
    return e


def judge(records, end=None, strategy="hooked"):
    j = judgement.Judgement(SimpleNamespace(tests=TESTS, strategy=strategy))
    for record in records:
        j.record(dict(record))
    return j, j.verdict(end or ended())[0]


def without(record):
    return [r for r in PASS if r != record]


def with_behind(record, *more):
    i = PASS.index(record) + 1
    return [*PASS[:i], *more, *PASS[i:]]


def test_a_complete_run_passes():
    j, verdict = judge(PASS)
    assert verdict == "passed"
    assert j.flags == [] and j.order == TESTS and j.call_seconds == 1.0


@pytest.mark.parametrize("what, records, end, verdict", [
    ("failed call", [SCREEN, COLLECTED, ONE[0], *phases(TESTS[0], "failed")], None, "failed"),
    ("skipped call", [SCREEN, COLLECTED, ONE[0], *phases(TESTS[0], "skipped")], None, "failed"),
    ("failed setup", [SCREEN, COLLECTED, ONE[0], {**ONE[1], "outcome": "failed", "detail": "", "exception": ""}], None, "error"),
    ("no memory left", [SCREEN, COLLECTED, ONE[0], *phases(TESTS[0], "failed", exception="MemoryError")], None, "resource_limit"),
    ("file too large", [SCREEN, COLLECTED, ONE[0], *phases(TESTS[0], "failed", exception="EFBIG")], None, "resource_limit"),
    ("too much output", PASS[:4], ended(None, flooded=True, signal=9), "resource_limit"),
    ("too much memory", PASS[:4], ended(None, overfed=True, signal=9), "resource_limit"),
    ("too much processor time", PASS[:4], ended(None, signal=signal.SIGXCPU), "resource_limit"),
    ("too slow", PASS[:4], ended(None, timed_out=True, signal=9), "timeout"),
    ("too slow behind the last record", PASS, ended(None, timed_out=True, signal=9), "timeout"),
    ("crashed", PASS[:4], ended(None, signal=signal.SIGSEGV), "error"),
    ("crashed behind the last record", PASS, ended(None, signal=signal.SIGSEGV), "error"),
    ("left early with success", PASS[:4], ended(0), "error"),
    ("left with another status", PASS, ended(3), "error"),
    ("a test less collected", [SCREEN, {"kind": "collection", "detail": "x"}, {"kind": "collected", "tests": TESTS[:1]}, *ONE, CANARY, END], None, "error"),
    ("not collected at all", [SCREEN, END], None, "error"),
    ("rejected", [{"kind": "rejected", "verdict": "syntax_error", "why": ""}], None, "syntax_error"),
    ("nothing came", [], ended(70), "error"),
    ("no canary", without(CANARY), None, "error"),
    ("no end", without(END), None, "error"),
    ("the canary passes", [{**r, "outcome": "passed"} if r == CANARY else r for r in PASS], None, "tampered"),
    ("the canary does not say why", [{**r, "told": False} if r == CANARY else r for r in PASS], None, "tampered"),
    ("meddled with the server", PASS, ended(meddled=True), "tampered"),
    ("something else on the pipe", PASS, ended(forged=True), "tampered"),
    ("something else on the pipe of a failing run", [SCREEN, COLLECTED, ONE[0], *phases(TESTS[0], "failed")], ended(forged=True), "tampered"),
])
def test_verdicts(what, records, end, verdict):
    assert judge(records, end)[1] == verdict


@pytest.mark.parametrize("what, records", [
    ("flags taken back", with_behind(COLLECTED, SCREEN)),
    ("flags taken back at once", with_behind(SCREEN, SCREEN)),
    ("rejected late", with_behind(COLLECTED, {"kind": "rejected", "verdict": "passed", "why": ""})),
    ("rejected behind the screen", with_behind(SCREEN, {"kind": "rejected", "verdict": "passed", "why": ""})),
    ("unsupported by a strategy that supports all", with_behind(SCREEN, {"kind": "unsupported", "why": ""})),
    ("unsupported late", with_behind(COLLECTED, {"kind": "unsupported", "why": ""})),
    ("collected twice", with_behind(COLLECTED, COLLECTED)),
    ("a test behind the canary", with_behind(CANARY, ONE[0])),
    ("a phase behind the end", [*PASS, ONE[1]]),
    ("two canaries", with_behind(CANARY, CANARY)),
    ("two ends", [*PASS, END]),
    ("no screen", without(SCREEN)),
    ("a test twice", with_behind(TWO[-1], *ONE)),
    ("the other order", [SCREEN, COLLECTED, *TWO, *ONE, CANARY, END]),
    ("a test left out", [SCREEN, COLLECTED, *ONE, CANARY, END]),
    ("a phase left out", without(ONE[2])),
    ("a phase twice", with_behind(ONE[2], ONE[2])),
    ("a phase of a test that was not asked for", with_behind(TWO[-1], *phases("t.py::three"))),
    ("an unknown record", with_behind(SCREEN, {"kind": "applause"})),
    ("an unknown record with a telling name", with_behind(SCREEN, {"kind": "screen__"})),
    ("a phase without a test", with_behind(COLLECTED, {"kind": "phase"})),
    ("a test that is a list", with_behind(COLLECTED, {"kind": "test", "test": []})),
    ("seconds that are a word", with_behind(ONE[0], {**ONE[1], "when": "call", "seconds": "x"})),
    ("a failure without its detail", with_behind(ONE[0], {**ONE[1], "outcome": "failed"})),
    ("flags that are a number", [{"kind": "screen", "flags": 1}, *PASS[1:]]),
    ("tests that are a number", [SCREEN, {"kind": "collected", "tests": 3}]),
])
def test_evidence_of_tampering(what, records):
    assert judge(records)[1] == "tampered"


def test_flags_add_up():
    j, verdict = judge([{"kind": "screen", "flags": ["b"]}, COLLECTED, {"kind": "watched", "code": "a"}, {"kind": "watched", "code": "b"}, *PASS[2:]])
    assert (j.flags, verdict) == (["a", "b"], "passed")


def test_only_swapping_can_be_unsupported():
    j, _ = judge([SCREEN, {"kind": "unsupported", "why": "free variables"}], strategy="swapped")
    assert j.unsupported == "free variables"


@pytest.mark.parametrize("kind", ["screen", "rejected", "unsupported", "collection", "collected", "watched", "test", "phase", "canary"])
def test_no_record_can_raise(kind):
    values = [None, 1, "x", [], {}, [[]], {"a": []}, float("nan")]
    for behind in ([], [SCREEN], [SCREEN, COLLECTED]):
        for value in values:
            record = {"kind": kind, **dict.fromkeys(("flags", "verdict", "why", "detail", "tests", "code", "test", "when", "outcome", "seconds", "told", "exception"), value)}
            judge([*behind, record, *PASS])
