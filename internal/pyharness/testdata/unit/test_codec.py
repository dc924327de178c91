"""What crosses between the two processes of the split run, and what does not."""

import collections
import datetime
import decimal
import enum
import fractions
import json
import math
import pathlib
import re
import sys
import types
import uuid
from typing import NamedTuple
from unittest import mock

import pytest

from touchstone_harness.codec import Codec, Opaque, Untransferable

ROOT = "/package"


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return type(other) is Point and (self.x, self.y) == (other.x, other.y)

    __hash__ = None


class Slotted:
    __slots__ = ("a", "__b")

    def __init__(self, a, b):
        self.a, self.__b = a, b

    def __eq__(self, other):
        return (self.a, self.__b) == (other.a, other.__b)

    __hash__ = None


class Pair(NamedTuple):
    left: object
    right: object


class Colour(enum.Enum):
    RED = 1


class Wrong(ValueError):
    pass


class Ordered(list):
    pass


@pytest.fixture(autouse=True)
def package(monkeypatch):
    """These classes are a package's own, not a test's."""
    module = types.ModuleType("package.things")
    module.__file__ = ROOT + "/package/things.py"
    for kind in (Point, Slotted, Pair, Colour, Wrong, Ordered):
        monkeypatch.setattr(kind, "__module__", "package.things")
        setattr(module, kind.__name__, kind)
    monkeypatch.setitem(sys.modules, "package.things", module)


def cross(value):
    sent = json.loads(json.dumps(Codec(ROOT, 1).encode(value)))
    return Codec(ROOT, 1_000_000).decode(sent)


ZONE = datetime.timezone(datetime.timedelta(hours=-3, minutes=-30))


@pytest.mark.parametrize("value", [
    None, True, 0, -5, 1 << 60, -(1 << 5000), "", "é\ud800\x00", 0.1, -0.0, 1e308, math.inf, -math.inf, 1 + 2j, b"", b"\x00\xff", ...,
    NotImplemented, [], [1, [2]], (), (1, (2,)), {}, {1: "a", "b": [None], (1, 2): 3}, set(), {1, "a"}, frozenset({1, (2,)}), bytearray(b"ab"),
    range(1, 1 << 70, 3), slice(None, 4, "x"), collections.OrderedDict([("b", 1), ("a", 2)]), collections.Counter("aab"),
    collections.deque([1, [2]]), decimal.Decimal("1.20"), fractions.Fraction(1, 3), uuid.UUID(int=5), pathlib.Path("/a/b"),
    pathlib.PurePosixPath("c"), datetime.date(2020, 2, 29), datetime.time(1, 2, 3, 4), datetime.timedelta(-1, 2, 3),
    datetime.datetime(2020, 1, 2, 3, 4, 5, 6), datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc),
    datetime.datetime(2020, 1, 2, tzinfo=ZONE), Point(1, [Point(2, 3)]), Slotted(1, "b"), Pair(1, Pair([2], None)), Colour.RED, Point, len,
    math.sqrt, int, json.dumps,
], ids=lambda v: repr(v)[:40])
def test_round_trip(value):
    back = cross(value)
    assert type(back) is type(value)
    assert back == value
    assert repr(back) == repr(value) or "object at" in repr(value)


def test_not_a_number():
    assert math.isnan(cross(float("nan")))


def test_pattern():
    back = cross(re.compile("a+", re.I))
    assert (back.pattern, back.flags) == ("a+", re.compile("a", re.I).flags)


@pytest.mark.parametrize("error", [ValueError("a", 1), KeyError(), Wrong("x"), OSError(2, "no")], ids=repr)
def test_exceptions(error):
    error.note = [1]
    back = cross(error)
    assert type(back) is type(error) and back.args == error.args and back.note == [1]


def test_shared_references_and_cycles():
    shared = []
    value = [shared, {"again": shared}]
    value.append(value)
    back = cross(value)
    assert back[0] is back[1]["again"]
    assert back[2] is back
    point = Point(1, None)
    point.y = point
    assert cross(point).y.x == 1


class Zone(datetime.tzinfo):
    def utcoffset(self, when):
        return datetime.timedelta(hours=1)


def local():
    class Local:
        pass

    return Local()


@pytest.mark.parametrize("value", [
    object(), local(), lambda: 0, iter([]), map(len, []), {}.keys(), (i for i in ()), memoryview(b""), [].append, sys, Ordered([1]),
    collections.deque([1], 3), collections.defaultdict(list), types.SimpleNamespace(), datetime.datetime(2020, 1, 1, tzinfo=Zone()),
    [object()], {"a": object()}, Point(1, object()), [0] * 200_001,
], ids=lambda v: repr(v)[:30])
def test_what_cannot_cross(value):
    with pytest.raises(Untransferable):
        cross(value)


def always_equal(*bases, **more):
    return type("Anything", bases, {"__eq__": lambda self, other: True, "__init__": lambda self: None, **more})()


@pytest.mark.parametrize("value", [
    always_equal(), always_equal(list), always_equal(int), always_equal(str), always_equal(Point), mock.ANY,
    type("Lazy", (), {"__getattr__": lambda self, name: 1})(), always_equal(dict, __module__="package.things", __qualname__="Point"),
    type("Base", (type(always_equal()),), {})(),
], ids=lambda v: type(v).__mro__[-2].__name__)
def test_what_wants_to_decide_comparisons_decides_nothing(value):
    back = cross([value])[0]
    assert type(back) is Opaque
    assert back != 1 and back != [] and back != value.__class__


def test_objects_of_the_caller_are_brought_up_to_date():
    ours = [1, {"a": Point(1, 2)}, bytearray(b"x"), {3}, collections.deque([4]), Slotted(1, 2)]
    caller, callee = Codec(ROOT, 1), Codec(ROOT, 1_000_000)
    theirs = callee.decode(json.loads(json.dumps(caller.encode(ours))))
    theirs[1]["a"].x = [theirs]
    theirs[1]["b"] = theirs[1]["a"]
    theirs[2].append(7)
    theirs[3].clear()
    theirs[4].append(5)
    theirs[5].a = "new"
    theirs.append("end")
    result = callee.encode(theirs[1]["a"])
    reply = json.loads(json.dumps([result, callee.changed()]))
    point = ours[1]["a"]
    assert caller.decode(reply[0]) is point
    for description in reply[1]:
        caller.update(description)
    assert point.x == [ours] and point.x[0] is ours
    assert ours[1]["b"] is point
    assert ours[2:5] == [bytearray(b"x\x07"), set(), collections.deque([4, 5])]
    assert ours[5].a == "new" and ours[-1] == "end"


# What the other process could make up.
@pytest.mark.parametrize("data", [
    [], 1.5, {"list": 3, "n": 1}, {"nothing": []}, {"name": "unittest.mock:ANY"}, {"name": "sys:modules"}, {"name": "os:environ"}, {"name": "no.such:thing"},
    {"name": "builtins:None"}, {"member": ["package.things:Point", "x"], "n": 1}, {"member": ["builtins:dict", "x"], "n": 1},
    {"instance": ["builtins:list", []], "n": 1}, {"instance": ["unittest.mock:_ANY", []], "n": 1}, {"instance": ["json:dumps", []], "n": 1},
    {"instance": ["package.things:Point", [["__class__", {"name": "builtins:int"}]]], "n": 1},
    {"instance": ["package.things:Point", [["__dict__", {"dict": [], "n": 2}]]], "n": 1}, {"instance": ["package.things:Point", [[1, 2]]], "n": 1},
    {"named": ["package.things:Point", []], "n": 1}, {"named": ["builtins:tuple", []], "n": 1}, {"exception": ["builtins:SystemExit", [], []], "n": 1},
    {"exception": ["_pytest.outcomes:Skipped", [], []], "n": 1}, {"exception": ["builtins:int", [], []], "n": 1},
    {"exception": ["builtins:ValueError", [], [["__class__", 1]]], "n": 1}, {"known": 5}, {"text": ["str", "x"]}, {"date": ["x", []]}, {"float": "x"},
    {"int": "g"}, {"bytes": "0"}, {"range": [1, 2, 0]}, {"dict": [[{"list": [], "n": 3}, 1]], "n": 1},
], ids=lambda v: json.dumps(v)[:50])
def test_what_is_made_up_is_refused(data):
    # The caller takes each of these for undecided.
    with pytest.raises((Untransferable, KeyError, TypeError, ValueError, AttributeError)):
        Codec(ROOT, 1).decode(data)


@pytest.mark.parametrize("data", [{"dict": [], "n": 1}, {"opaque": 1, "n": 1}, {"tuple": [], "n": 1}, {"list": [], "n": 2}])
def test_an_object_cannot_change_its_type(data):
    codec = Codec(ROOT, 1)
    codec.encode([1])
    with pytest.raises((Untransferable, KeyError)):
        codec.update(data)
