from datetime import date, timedelta
from itertools import islice

import pytest

from spans import Interval
from spans.interval import ABOVE_ALL, BELOW_ALL


class TestFlags:
    def test_plain_brackets(self):
        assert Interval.flags("[)") == (True, False)
        assert Interval.flags("(]") == (False, True)
        assert Interval.flags("[]") == (True, True)
        assert Interval.flags("()") == (False, False)

    def test_reversed_brackets_are_open(self):
        assert Interval.flags("][") == (False, False)
        assert Interval.flags("]]") == (False, True)
        assert Interval.flags("[[") == (True, False)

    @pytest.mark.parametrize("code", ["", "[", "[]]", ")(", ")]", "[(", "<>", "ab", "{}"])
    def test_anything_else_is_rejected(self, code):
        with pytest.raises(ValueError):
            Interval.flags(code)


class TestCreate:
    def test_default_is_half_open(self):
        assert Interval(1, 5).bounds == "[)"
        assert Interval(1, 5) == Interval(1, 5, "[)")
        assert Interval(1, 5) != Interval(1, 5, "[]")

    def test_reversed_brackets_are_rewritten(self):
        assert Interval(1, 5, "][").bounds == "()"
        assert Interval(1, 5, "[[") == Interval(1, 5)

    def test_unbounded_ends_become_open(self):
        assert Interval(None, 5, "[]").bounds == "(]"
        assert Interval(1, None, "[]").bounds == "[)"
        assert Interval(None, None, "[]") == Interval(None, None, "()")

    def test_single_point_must_be_closed(self):
        assert Interval(3, 3, "[]").lower == 3
        for code in ("[)", "(]", "()"):
            with pytest.raises(ValueError):
                Interval(3, 3, code)

    def test_errors(self):
        with pytest.raises(ValueError):
            Interval(5, 1)
        with pytest.raises(ValueError):
            Interval(1, 5, "<>")

    def test_usable_as_key(self):
        assert len({Interval(1, 2), Interval(1, 2, "[["), Interval(1, 2, "[]")}) == 2


class TestCuts:
    def test_values(self):
        assert Interval(1, 5).cuts == ((1, 1, 0), (1, 5, 0))
        assert Interval(1, 5, "(]").cuts == ((1, 1, 1), (1, 5, 1))

    def test_unbounded(self):
        assert Interval(None, None).cuts == (BELOW_ALL, ABOVE_ALL)
        assert Interval("a", None).cuts == ((1, "a", 0), ABOVE_ALL)
        assert Interval(None, "a").cuts == (BELOW_ALL, (1, "a", 0))

    def test_round_trip(self):
        for code in ("[)", "[]", "(]", "()"):
            for lower, upper in ((1, 5), (None, 5), (1, None), (None, None)):
                interval = Interval(lower, upper, code)
                assert Interval.from_cuts(*interval.cuts) == interval

    def test_from_cuts_empty(self):
        assert Interval.from_cuts((1, 3, 0), (1, 3, 0)) is None
        assert Interval.from_cuts((1, 4, 0), (1, 3, 1)) is None
        assert Interval.from_cuts(ABOVE_ALL, BELOW_ALL) is None

    def test_from_cuts_point(self):
        assert Interval.from_cuts((1, 3, 0), (1, 3, 1)) == Interval(3, 3, "[]")

    def test_from_cuts_keeps_the_class(self):
        class Shift(Interval):
            pass

        assert type(Shift.from_cuts((1, 3, 0), (1, 4, 1))) is Shift


class TestHull:
    def test_fills_holes(self):
        assert Interval.hull([Interval(5, 7), Interval(1, 2)]) == Interval(1, 7)

    def test_nested(self):
        assert Interval.hull([Interval(1, 9), Interval(2, 3, "[]")]) == Interval(1, 9)

    def test_closed_end_wins(self):
        parts = [Interval(1, 5, "()"), Interval(1, 3, "[]"), Interval(4, 5, "(]")]
        assert Interval.hull(parts) == Interval(1, 5, "[]")

    def test_unbounded_and_iterators(self):
        parts = iter([Interval(3, 4), Interval(None, 0, "()")])
        assert Interval.hull(parts) == Interval(None, 4, "()")
        assert Interval.hull([Interval(3, None), Interval(1, 2)]) == Interval(1, None)

    def test_nothing(self):
        with pytest.raises(ValueError):
            Interval.hull(iter(()))


class TestContains:
    def test_values(self):
        span = Interval(1, 5)
        assert 1 in span and 4.99 in span
        assert 5 not in span and 0 not in span
        assert 1 not in Interval(1, 5, "(]") and 5 in Interval(1, 5, "(]")

    def test_unbounded(self):
        assert -1000 in Interval(None, 3)
        assert 3 not in Interval(None, 3)
        assert "zzz" in Interval("b", None)

    def test_none_is_never_inside(self):
        assert None not in Interval(1, 5)
        assert None not in Interval(None, None)

    def test_intervals(self):
        span = Interval(1, 5)
        assert Interval(2, 3, "[]") in span
        assert span in span
        assert Interval(1, 5, "[]") not in span
        assert Interval(0, 3) not in span
        assert Interval(1, None) not in span
        assert span in Interval(None, None)


class TestIntersect:
    def test_overlap(self):
        assert Interval(1, 5).intersect(Interval(3, 9)) == Interval(3, 5)
        assert Interval(1, 5, "()").intersect(Interval(1, 5, "[]")) == Interval(1, 5, "()")

    def test_unbounded(self):
        assert Interval(None, 5, "(]").intersect(Interval(2, None)) == Interval(2, 5, "[]")
        assert Interval(None, None).intersect(Interval(None, 1)) == Interval(None, 1)

    def test_single_shared_value(self):
        assert Interval(1, 3, "[]").intersect(Interval(3, 5)) == Interval(3, 3, "[]")

    def test_disjoint(self):
        assert Interval(1, 3).intersect(Interval(3, 5)) is None
        assert Interval(7, 8).intersect(Interval(3, 5)) is None


class TestTouches:
    def test_overlap(self):
        assert Interval(1, 4).touches(Interval(3, 5)) is True
        assert Interval(1, 9).touches(Interval(3, 5)) is True
        assert Interval(3, 5).touches(Interval(1, 9)) is True

    def test_adjacent(self):
        assert Interval(1, 3).touches(Interval(3, 5)) is True
        assert Interval(3, 5).touches(Interval(1, 3)) is True
        assert Interval(1, 3, "[]").touches(Interval(3, 5, "()")) is True

    def test_one_value_missing_between(self):
        assert Interval(1, 3).touches(Interval(3, 5, "(]")) is False
        assert Interval(3, 5, "(]").touches(Interval(1, 3)) is False

    def test_apart(self):
        assert Interval(1, 2).touches(Interval(3, 5)) is False
        assert Interval(1, 2, "[]").touches(Interval(3, 5, "[]")) is False
        assert Interval(None, 2).touches(Interval(3, None)) is False
        assert Interval(None, 4).touches(Interval(3, None)) is True


class TestSplit:
    def test_point_goes_right(self):
        assert Interval(1, 9).split(4) == [Interval(1, 4), Interval(4, 9)]

    def test_point_goes_left(self):
        pieces = Interval(1, 9).split(4, owner="left")
        assert pieces == [Interval(1, 4, "[]"), Interval(4, 9, "()")]

    def test_order_and_repeats(self):
        pieces = Interval(0, 9, "(]").split(6, 3, 6)
        assert pieces == [Interval(0, 3, "()"), Interval(3, 6), Interval(6, 9, "[]")]

    def test_useless_points(self):
        assert Interval(1, 9).split(1, 9, -4, 30) == [Interval(1, 9)]
        assert Interval(1, 9, "()").split(1) == [Interval(1, 9, "()")]
        assert Interval(1, 9).split() == [Interval(1, 9)]

    def test_closed_end_can_be_split_off(self):
        assert Interval(1, 9, "[]").split(9) == [Interval(1, 9), Interval(9, 9, "[]")]
        assert Interval(1, 9).split(1, owner="left") == [Interval(1, 1, "[]"), Interval(1, 9, "()")]

    def test_unbounded(self):
        assert Interval(None, None).split(0) == [Interval(None, 0), Interval(0, None)]

    def test_owner(self):
        with pytest.raises(ValueError):
            Interval(1, 9).split(4, owner="both")


class TestSteps:
    def test_up(self):
        assert list(Interval(1, 7).steps(2)) == [1, 3, 5]
        assert list(Interval(1, 7, "[]").steps(2)) == [1, 3, 5, 7]
        assert list(Interval(1, 7, "(]").steps(2)) == [3, 5, 7]

    def test_down(self):
        assert list(Interval(1, 7, "[]").steps(-3)) == [7, 4, 1]
        assert list(Interval(1, 7).steps(-3)) == [4, 1]

    def test_no_drift(self):
        assert len(list(Interval(0, 1).steps(0.1))) == 10
        assert list(Interval(0, 1).steps(0.1))[3] == 3 * 0.1

    def test_longer_than_the_interval(self):
        assert list(Interval(1, 3).steps(10)) == [1]
        assert list(Interval(1, 3, "()").steps(10)) == []

    def test_is_lazy(self):
        assert list(islice(Interval(0, None).steps(5), 3)) == [0, 5, 10]
        assert list(islice(Interval(None, 0, "(]").steps(-5), 3)) == [0, -5, -10]

    def test_dates(self):
        days = list(Interval(date(2024, 2, 28), date(2024, 3, 2)).steps(timedelta(days=1)))
        assert days == [date(2024, 2, 28), date(2024, 2, 29), date(2024, 3, 1)]

    def test_errors(self):
        with pytest.raises(ValueError):
            list(Interval(1, 7).steps(0))
        with pytest.raises(ValueError):
            list(Interval(None, 7).steps(1))
        with pytest.raises(ValueError):
            list(Interval(1, None).steps(-1))
