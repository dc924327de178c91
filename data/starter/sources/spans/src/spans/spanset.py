"""Sets of values made of disjoint intervals.

The work is done on the cuts of the intervals (``Interval.cuts`` gives the low
and the high one, ``Interval.from_cuts`` goes back), so that no operation has
to know about open and closed ends.
"""

from __future__ import annotations

import math
from typing import Any, Iterable, Iterator, List, Optional, Union

from .interval import ABOVE_ALL, BELOW_ALL, Interval
from .notation import parse_interval


class SpanSet:
    """An immutable union of intervals.

    ``spans`` is the tuple of its intervals: sorted, disjoint, and with a real
    gap between any two neighbours.
    """

    __slots__ = ("spans",)

    def __init__(self, intervals: Iterable[Union[Interval, str]] = ()) -> None:
        """Create a set from intervals, which may overlap."""
        parsed = [parse_interval(item) if isinstance(item, str) else item for item in intervals]
        merged: List[list] = []
        for low, high in sorted(interval.cuts for interval in parsed):
            if merged and low <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], high)
            else:
                merged.append([low, high])
        self.spans = tuple(Interval.from_cuts(low, high) for low, high in merged)

    @classmethod
    def from_points(cls, values: Iterable[Any], step: Any = 1) -> SpanSet:
        """Group single values into closed runs.

        Sorted neighbours that are at most ``step`` apart belong to the same
        run. Duplicates do no harm and the order of ``values`` does not matter.

        >>> SpanSet.from_points([3, 1, 2, 7]).spans
        (Interval(lower=1, upper=3, bounds='[]'), Interval(lower=7, upper=7, bounds='[]'))
        """
        runs: List[list] = []
        for value in sorted(values):
            if runs and value - runs[-1][1] <= step:
                runs[-1][1] = value
            else:
                runs.append([value, value])
        return cls(Interval(first, last, "[]") for first, last in runs)

    @staticmethod
    def _lift(other: Any) -> Optional[SpanSet]:
        if isinstance(other, Interval):
            return SpanSet([other])
        return other if isinstance(other, SpanSet) else None

    def __eq__(self, other: object) -> bool:
        lifted = self._lift(other)
        if lifted is None:
            return NotImplemented
        return self.spans == lifted.spans

    def __contains__(self, item: Any) -> bool:
        """True if the value, interval or set is covered by this set."""
        if isinstance(item, SpanSet):
            return all(span in self for span in item.spans)
        return any(item in span for span in self.spans)

    def __or__(self, other: Union[SpanSet, Interval]) -> SpanSet:
        lifted = self._lift(other)
        if lifted is None:
            return NotImplemented
        return SpanSet(self.spans + lifted.spans)

    def __and__(self, other: Union[SpanSet, Interval]) -> SpanSet:
        """Intersection with another set or a single interval."""
        lifted = self._lift(other)
        if lifted is None:
            return NotImplemented
        common = (mine.intersect(theirs) for mine in self.spans for theirs in lifted.spans)
        return SpanSet(part for part in common if part is not None)

    def complement(self, within: Optional[Interval] = None) -> SpanSet:
        """Everything that is not in this set.

        With ``within``, only the part of the complement that lies inside of
        that interval. An end that is closed in the set is open in the
        complement and the other way round.
        """
        cursor, limit = (BELOW_ALL, ABOVE_ALL) if within is None else within.cuts
        holes = []
        for span in self.spans:
            low, high = span.cuts
            holes.append(Interval.from_cuts(cursor, min(low, limit)))
            cursor = max(cursor, high)
        holes.append(Interval.from_cuts(cursor, limit))
        return SpanSet(hole for hole in holes if hole is not None)

    def __sub__(self, other: Union[SpanSet, Interval]) -> SpanSet:
        """Difference."""
        lifted = self._lift(other)
        if lifted is None:
            return NotImplemented
        return self & lifted.complement()

    def gaps(self, minimum: Any = None) -> Iterator[Interval]:
        """Iterate over the gaps between the spans.

        Gaps shorter than ``minimum`` are left out.
        """
        for before, after in zip(self.spans, self.spans[1:]):
            gap = Interval.from_cuts(before.cuts[1], after.cuts[0])
            if minimum is None or gap.upper - gap.lower >= minimum:
                yield gap

    @property
    def measure(self) -> Any:
        """Total length of all spans, or None if the set is unbounded."""
        total = None
        for span in self.spans:
            if span.lower is None or span.upper is None:
                return math.inf
            length = span.upper - span.lower
            total = length if total is None else total + length
        return 0 if total is None else total
