from datetime import date

import pytest

from spans import Interval, coverage, depth_profile, merge_labelled


class TestDepthProfile:
    def test_overlap(self):
        assert depth_profile([Interval(2, 5), Interval(1, 3)]) == [
            (Interval(1, 2), 1),
            (Interval(2, 3), 2),
            (Interval(3, 5), 1),
        ]

    def test_uncovered_places_are_left_out(self):
        assert depth_profile([Interval(1, 2), Interval(4, 5)]) == [
            (Interval(1, 2), 1),
            (Interval(4, 5), 1),
        ]

    def test_same_depth_is_one_region(self):
        assert depth_profile([Interval(1, 2), Interval(2, 3)]) == [(Interval(1, 3), 1)]
        assert depth_profile([Interval(0, 9), Interval(1, 2), Interval(2, 3)]) == [
            (Interval(0, 1), 1),
            (Interval(1, 3), 2),
            (Interval(3, 9), 1),
        ]

    def test_shared_end(self):
        assert depth_profile([Interval(1, 3, "[]"), Interval(3, 5)]) == [
            (Interval(1, 3), 1),
            (Interval(3, 3, "[]"), 2),
            (Interval(3, 5, "()"), 1),
        ]

    def test_unbounded_and_repeated(self):
        both = [Interval(None, None), Interval(None, 0), Interval(None, 0)]
        assert depth_profile(iter(both)) == [(Interval(None, 0), 3), (Interval(0, None), 1)]

    def test_nothing(self):
        assert depth_profile([]) == []


class TestMergeLabelled:
    def test_touching_items(self):
        items = [(Interval(4, 6), "c"), (Interval(1, 3), "a"), (Interval(3, 4), "b")]
        assert merge_labelled(items) == [(Interval(1, 6), ("a", "b", "c"))]

    def test_separate_items(self):
        items = [(Interval(8, 9), "b"), (Interval(1, 3), "a")]
        assert merge_labelled(items) == [(Interval(1, 3), ("a",)), (Interval(8, 9), ("b",))]

    def test_missing_value_separates(self):
        items = [(Interval(1, 3), "a"), (Interval(3, 4, "(]"), "a")]
        assert merge_labelled(items) == [(Interval(1, 3), ("a",)), (Interval(3, 4, "(]"), ("a",))]

    def test_long_item_reaches_over_short_ones(self):
        items = [(Interval(0, 10), "x"), (Interval(1, 2), "y"), (Interval(9, 12, "[]"), "z")]
        assert merge_labelled(items) == [(Interval(0, 12, "[]"), ("x", "y", "z"))]

    def test_labels_are_distinct_and_ordered(self):
        items = [(Interval(1, 9), "b"), (Interval(1, 2), "c"), (Interval(2, 3), "b"), (Interval(1, 9), "a")]
        assert merge_labelled(items) == [(Interval(1, 9), ("c", "b", "a"))]

    def test_labels_need_no_order(self):
        items = [(Interval(1, 2), "b"), (Interval(1, 2), 1), (Interval(1, 2), None)]
        assert merge_labelled(iter(items)) == [(Interval(1, 2), ("b", 1, None))]

    def test_combine(self):
        items = [(Interval(1, 3), "b"), (Interval(2, 4), "a"), (Interval(2, 4), "b"), (Interval(6, 7), "c")]
        assert merge_labelled(items, combine=sorted) == [
            (Interval(1, 4), ["a", "b"]),
            (Interval(6, 7), ["c"]),
        ]
        assert merge_labelled(items, "+".join) == [(Interval(1, 4), "b+a"), (Interval(6, 7), "c")]

    def test_nothing(self):
        assert merge_labelled([]) == []


class TestCoverage:
    def test_fraction(self):
        assert coverage([Interval(0, 2), Interval(5, 8)], Interval(0, 10)) == 0.5

    def test_overlaps_count_once(self):
        assert coverage([Interval(0, 4), Interval(2, 5)], Interval(0, 10)) == 0.5

    def test_outside_counts_not(self):
        assert coverage([Interval(-5, 2), Interval(8, None)], Interval(0, 10)) == 0.4
        assert coverage([Interval(20, 30)], Interval(0, 10)) == 0.0
        assert coverage([Interval(None, None)], Interval(0, 10)) == 1.0

    def test_nothing(self):
        assert coverage([], Interval(0, 10)) == 0.0

    def test_single_value(self):
        assert coverage([Interval(0, 4)], Interval(3, 3, "[]")) == 1.0
        assert coverage([Interval(0, 3)], Interval(3, 3, "[]")) == 0.0

    def test_dates(self):
        within = Interval(date(2024, 1, 1), date(2024, 1, 11))
        half = Interval(date(2024, 1, 6), None)
        assert coverage([half], within) == 0.5
        assert coverage([], within) == 0.0

    @pytest.mark.parametrize("within", [Interval(0, None), Interval(None, 0), Interval(None, None)])
    def test_unbounded(self, within):
        with pytest.raises(ValueError):
            coverage([Interval(0, 1)], within)
