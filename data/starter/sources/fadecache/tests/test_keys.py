import math
import sys

import pytest

from fadecache import call_key, estimate_size, normalise_key


class User:
    def __init__(self, ident):
        self.ident = ident

    def cache_key(self):
        return [self.ident]


class Team(User):
    pass


def test_normalise_equal():
    assert normalise_key({"a": 1, "b": [2]}) == normalise_key({"b": (2,), "a": 1})
    assert normalise_key({3, 1, 2}) == normalise_key(frozenset([2, 3, 1]))
    assert normalise_key([1, [2, {"x": {4}}]]) == normalise_key((1, (2, {"x": {4}})))
    assert normalise_key("cafe\u0301") == normalise_key("caf\u00e9")
    assert normalise_key(1) == normalise_key(1.0)
    assert normalise_key(User(5)) == normalise_key(User(5))
    for value in ({"a": [1, {2}]}, [[]], User([1])):
        hash(normalise_key(value))


def test_normalise_scalars_unchanged():
    for value in (None, 5, 2.5, "plain", b"raw", User):
        assert normalise_key(value) == value


@pytest.mark.parametrize(
    "one, other",
    [
        (True, 1),
        ([True], [1]),
        ([1, 2], [2, 1]),
        ([1, 2], {1, 2}),
        ([], {}),
        (set(), {}),
        ({"a": 1}, [("a", 1)]),
        ({1: 2}, {2: 1}),
        ("A", "a"),
        ("1", 1),
        (User(5), User(6)),
        (User(5), Team(5)),
    ],
)
def test_normalise_different(one, other):
    assert normalise_key(one) != normalise_key(other)


def test_normalise_refuses_unhashable():
    with pytest.raises(TypeError, match="bytearray"):
        normalise_key({"a": [bytearray(b"x")]})


def area(width, height=1, *more, unit="m", **rest):
    raise AssertionError("must not be called")


def test_call_key_ignores_spelling():
    assert call_key(area, (2,), {}) == call_key(area, (), {"width": 2})
    assert call_key(area, (2, 1), {"unit": "m"}) == call_key(area, (2,), {})
    assert call_key(area, ([1],), {"a": 1, "b": 2}) == call_key(area, ((1,),), {"b": 2, "a": 1})
    assert call_key(area, (2, 3), {}) != call_key(area, (3, 2), {})
    assert call_key(area, (2, 1, 7), {}) != call_key(area, (2, 1), {})
    assert call_key(area, (2,), {"x": 1}) != call_key(area, (2,), {"x": 2})
    hash(call_key(area, ([1], {}), {}))


def test_call_key_tells_functions_apart_by_name():
    def other(width, height=1, *more, unit="m", **rest):
        pass

    def again():
        def inner():
            pass

        return inner

    assert call_key(area, (2,), {}) != call_key(other, (2,), {})
    assert call_key(again(), (), {}) == call_key(again(), (), {})


def test_call_key_ignore_and_errors():
    assert call_key(area, (2,), {"unit": "cm"}, ["unit"]) == call_key(area, (2,), {}, ["unit"])
    assert call_key(area, (2, 5), {}, {"height"}) == call_key(area, (2, 6), {}, {"height"})
    assert call_key(area, (2,), {"unit": "cm"}) != call_key(area, (2,), {})
    with pytest.raises(TypeError):
        call_key(area, (), {})
    with pytest.raises(TypeError):
        call_key(area, (bytearray(),), {})


class Slotted:
    __slots__ = ("left", "right")


def test_size_of_plain_values():
    assert estimate_size(5) == sys.getsizeof(5)
    assert estimate_size("hello") == sys.getsizeof("hello")
    pair = ["one", "two"]
    assert estimate_size(pair) == sum(map(sys.getsizeof, (pair, "one", "two")))
    table = {"key": (1.5,)}
    assert estimate_size(table) == sum(map(sys.getsizeof, (table, "key", (1.5,), 1.5)))


def test_size_counts_each_object_once():
    text = "x" * 500
    twice = [text, text]
    assert estimate_size(twice) == sys.getsizeof(twice) + sys.getsizeof(text)
    loop = []
    loop.append(loop)
    assert estimate_size(loop) == sys.getsizeof(loop)


def test_size_of_objects():
    user = User("x" * 300)
    expected = sum(map(sys.getsizeof, (user, vars(user), "ident", user.ident)))
    assert estimate_size(user) == expected
    slotted = Slotted()
    slotted.left = "y" * 300
    assert estimate_size(slotted) == sys.getsizeof(slotted) + sys.getsizeof(slotted.left)


def test_size_leaves_out_code():
    assert estimate_size(User) == estimate_size(math) == estimate_size(area) == 0
    holder = [len, int]
    assert estimate_size(holder) == sys.getsizeof(holder)


def test_size_limit():
    big = ["x" * 1000, "y" * 1001, "z" * 1002]
    full = estimate_size(big)
    assert estimate_size(big, limit=500) == 501
    assert estimate_size(big, limit=full) == full
    assert estimate_size(big, limit=full - 1) == full
    assert estimate_size(big, limit=0) == 1
