import math
from datetime import date, timedelta

import pytest

from spans import Interval, SpanSet


def spans(*texts):
    return SpanSet(texts)


class TestCreate:
    def test_empty(self):
        assert SpanSet().spans == ()
        assert SpanSet([]).spans == ()

    def test_sorted_and_merged(self):
        made = SpanSet([Interval(5, 8), Interval(1, 3), Interval(2, 4)])
        assert made.spans == (Interval(1, 4), Interval(5, 8))

    def test_nested_interval_does_not_shorten(self):
        assert SpanSet([Interval(1, 9), Interval(2, 3), Interval(8, 10)]).spans == (Interval(1, 10),)

    def test_adjacent(self):
        assert SpanSet([Interval(1, 3), Interval(3, 5)]).spans == (Interval(1, 5),)
        assert SpanSet([Interval(1, 3), Interval(3, 5, "()")]).spans == (
            Interval(1, 3),
            Interval(3, 5, "()"),
        )

    def test_text_and_iterators(self):
        made = SpanSet(iter(["[4, 5)", Interval(1, 2)]))
        assert made.spans == (Interval(1, 2), Interval(4, 5))
        with pytest.raises(ValueError):
            SpanSet(["nonsense"])

    def test_unbounded(self):
        assert SpanSet([Interval(3, None), Interval(None, 3)]).spans == (Interval(None, None),)


class TestFromPoints:
    def test_runs(self):
        made = SpanSet.from_points([3, 1, 2, 7])
        assert made.spans == (Interval(1, 3, "[]"), Interval(7, 7, "[]"))

    def test_duplicates(self):
        assert SpanSet.from_points([4, 4, 5, 4]).spans == (Interval(4, 5, "[]"),)

    def test_step(self):
        assert SpanSet.from_points([0, 10, 15, 26], step=10).spans == (
            Interval(0, 15, "[]"),
            Interval(26, 26, "[]"),
        )
        assert len(SpanSet.from_points([0, 1, 2], step=0.5).spans) == 3

    def test_dates(self):
        days = [date(2024, 2, 28), date(2024, 3, 2), date(2024, 2, 29)]
        assert SpanSet.from_points(iter(days), timedelta(days=1)).spans == (
            Interval(date(2024, 2, 28), date(2024, 2, 29), "[]"),
            Interval(date(2024, 3, 2), date(2024, 3, 2), "[]"),
        )

    def test_empty(self):
        assert SpanSet.from_points([]).spans == ()


class TestLift:
    def test_kinds(self):
        made = spans("[1, 2)")
        assert SpanSet._lift(made) is made
        assert SpanSet._lift(Interval(1, 2)).spans == (Interval(1, 2),)
        assert SpanSet._lift([Interval(1, 2)]) is None
        assert SpanSet._lift("[1, 2)") is None
        assert SpanSet._lift(None) is None


class TestEquality:
    def test_sets(self):
        assert spans("[1, 2)", "[2, 3)") == spans("[1, 3)")
        assert spans("[1, 2)") != spans("[1, 2]")
        assert SpanSet() == SpanSet()

    def test_single_interval(self):
        assert spans("[1, 2)") == Interval(1, 2)
        assert spans("[1, 2)", "[5, 6)") != Interval(1, 2)

    def test_other_types(self):
        made = spans("[1, 2)")
        assert made != made.spans
        assert made.__eq__("[1, 2)") is NotImplemented
        assert (SpanSet() == None) is False  # noqa: E711


class TestContains:
    def test_values(self):
        made = spans("[1, 2)", "(4, 5]")
        assert 1 in made and 5 in made
        assert 2 not in made and 4 not in made and 3 not in made
        assert None not in made

    def test_intervals(self):
        made = spans("[1, 2)", "(4, 5]")
        assert Interval(1, 1.5) in made
        assert Interval(1, 5) not in made

    def test_sets(self):
        made = spans("[1, 2)", "(4, 5]")
        assert spans("[1, 1.5]", "{5}") in made
        assert spans("[1, 2]", "{5}") not in made
        assert SpanSet() in made and SpanSet() in SpanSet()
        assert made not in SpanSet()


class TestOperators:
    def test_or(self):
        assert (spans("[1, 2)") | spans("[2, 3)", "[7, 8)")).spans == (Interval(1, 3), Interval(7, 8))
        assert (spans("[1, 2)") | Interval(5, 6)).spans == (Interval(1, 2), Interval(5, 6))
        assert (SpanSet() | SpanSet()).spans == ()

    def test_and(self):
        left, right = spans("[1, 5)", "[8, 12)"), spans("[3, 9]", "[11, 20)")
        assert (left & right).spans == (Interval(3, 5), Interval(8, 9, "[]"), Interval(11, 12))
        assert (left & Interval(4, None)).spans == (Interval(4, 5), Interval(8, 12))
        assert (spans("[1, 2)") & spans("[2, 3)")).spans == ()

    def test_sub(self):
        made = spans("[0, 10]")
        assert (made - spans("[2, 3)", "[5, 6]")).spans == (
            Interval(0, 2),
            Interval(3, 5),
            Interval(6, 10, "(]"),
        )
        assert (made - Interval(5, None)).spans == (Interval(0, 5),)
        assert (made - made).spans == ()
        assert (made - SpanSet()).spans == made.spans
        assert (made - Interval(4, 4, "[]")).spans == (Interval(0, 4), Interval(4, 10, "(]"))

    @pytest.mark.parametrize("name", ["__or__", "__and__", "__sub__"])
    def test_foreign_operands(self, name):
        assert getattr(spans("[1, 2)"), name)([Interval(1, 2)]) is NotImplemented
        assert getattr(spans("[1, 2)"), name)(1) is NotImplemented

    def test_operands_are_unchanged(self):
        left, right = spans("[1, 5)"), spans("[3, 9)")
        left | right, left & right, left - right
        assert left.spans == (Interval(1, 5),) and right.spans == (Interval(3, 9),)


class TestComplement:
    def test_whole_line(self):
        assert spans("[1, 2)", "(4, 5]").complement().spans == (
            Interval(None, 1),
            Interval(2, 4, "[]"),
            Interval(5, None, "()"),
        )
        assert SpanSet().complement().spans == (Interval(None, None),)
        assert SpanSet([Interval(None, None)]).complement().spans == ()

    def test_within(self):
        made = spans("[1, 2)", "(4, 5]")
        assert made.complement(Interval(0, 3)).spans == (Interval(0, 1), Interval(2, 3))
        assert made.complement(Interval(1.5, 4.5)).spans == (Interval(2, 4, "[]"),)
        assert made.complement(Interval(1, 1.5)).spans == ()
        assert made.complement(Interval(8, 9)).spans == (Interval(8, 9),)
        assert SpanSet().complement(Interval(8, 9, "(]")).spans == (Interval(8, 9, "(]"),)

    def test_twice(self):
        made = spans("[1, 2)", "{3}", "(4, inf)")
        assert made.complement().complement().spans == made.spans


class TestGaps:
    def test_between_only(self):
        assert list(spans("[1, 2)", "(4, 5]", "[7, 8]").gaps()) == [
            Interval(2, 4, "[]"),
            Interval(5, 7, "()"),
        ]
        assert list(spans("(-inf, 2)", "[4, inf)").gaps()) == [Interval(2, 4)]

    def test_none(self):
        assert list(SpanSet().gaps()) == []
        assert list(spans("[1, 2)").gaps()) == []

    def test_minimum(self):
        made = spans("[1, 2)", "[3, 4)", "[6, 7)", "[10, 11)")
        assert list(made.gaps(2)) == [Interval(4, 6), Interval(7, 10)]
        assert list(made.gaps(minimum=5)) == []

    def test_missing_value(self):
        made = spans("[1, 2)", "(2, 3]")
        assert list(made.gaps()) == [Interval(2, 2, "[]")]
        assert list(made.gaps(0)) == [Interval(2, 2, "[]")]
        assert list(made.gaps(0.1)) == []

    def test_is_an_iterator(self):
        gaps = spans("[1, 2)", "[3, 4)").gaps()
        assert next(gaps) == Interval(2, 3)
        with pytest.raises(StopIteration):
            next(gaps)


class TestMeasure:
    def test_numbers(self):
        assert spans("[1, 2)", "(4, 6.5]").measure == 3.5
        assert spans("{4}").measure == 0

    def test_empty(self):
        assert SpanSet().measure == 0

    def test_unbounded(self):
        assert spans("[1, 2)", "[4, )").measure == math.inf
        assert spans("(, 2)").measure == math.inf

    def test_dates(self):
        first = Interval(date(2024, 1, 1), date(2024, 1, 3))
        second = Interval(date(2024, 2, 1), date(2024, 2, 2))
        assert SpanSet([first, second]).measure == timedelta(days=3)
