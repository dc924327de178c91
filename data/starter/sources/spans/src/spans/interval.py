"""Single intervals with open, closed or unbounded ends.

An end of an interval is handled as a *cut*: a position between values. Cuts
are plain tuples, so they can be sorted and compared without special cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Any, Iterable, Iterator, List, Optional, Tuple

Cut = Tuple[Any, ...]

BELOW_ALL: Cut = (0,)
ABOVE_ALL: Cut = (2,)


@dataclass(frozen=True)
class Interval:
    """A non-empty run of ordered values between ``lower`` and ``upper``.

    ``None`` as an end means unbounded on that side.
    """

    lower: Any
    upper: Any
    bounds: str = "[)"

    @staticmethod
    def flags(bounds: str) -> Tuple[bool, bool]:
        """Turn a bounds code such as ``"[)"`` into two booleans."""
        if len(bounds) != 2 or bounds[0] not in "[(]" or bounds[1] not in "])[":
            raise ValueError(f"invalid bounds: {bounds!r}")
        return bounds[0] == "[", bounds[1] == "]"

    def __post_init__(self) -> None:
        lower_closed, upper_closed = self.flags(self.bounds)
        left = "[" if lower_closed and self.lower is not None else "("
        right = "]" if upper_closed and self.upper is not None else ")"
        object.__setattr__(self, "bounds", left + right)
        low, high = self.cuts
        if not low < high:
            raise ValueError(f"no values between {self.lower!r} and {self.upper!r}")

    @property
    def cuts(self) -> Tuple[Cut, Cut]:
        """The lower and the upper end as comparable tuples.

        A cut is ``(1, value, side)`` where ``side`` is 0 for the position just
        before ``value`` and 1 for the position just after it. A closed lower
        end and an open upper end are cuts *before* their value, the other two
        kinds are cuts *after* it. Unbounded ends are :data:`BELOW_ALL` and
        :data:`ABOVE_ALL`.
        """
        lower_closed, upper_closed = self.flags(self.bounds)
        low, high = BELOW_ALL, ABOVE_ALL
        if self.lower is not None:
            low = (1, self.lower, 0 if lower_closed else 1)
        if self.upper is not None:
            high = (1, self.upper, 1 if upper_closed else 0)
        return low, high

    @classmethod
    def from_cuts(cls, low: Cut, high: Cut) -> Optional[Interval]:
        """Build the interval between two cuts; the inverse of :attr:`cuts`."""
        if not low < high:
            return None
        lower, left = (None, "(") if low == BELOW_ALL else (low[1], "[("[low[2]])
        upper, right = (None, ")") if high == ABOVE_ALL else (high[1], ")]"[high[2]])
        return cls(lower, upper, left + right)

    @classmethod
    def hull(cls, intervals: Iterable[Interval]) -> Interval:
        """Return the smallest interval that contains all of ``intervals``.

        Holes between the intervals are filled. Where two of them end at the
        same value, the closed end wins. Raises :class:`ValueError` if there
        are no intervals at all.
        """
        pairs = [interval.cuts for interval in intervals]
        if not pairs:
            raise ValueError("hull of no intervals")
        return cls.from_cuts(min(low for low, _ in pairs), max(high for _, high in pairs))

    def __contains__(self, item: Any) -> bool:
        """Whether a value lies inside the interval."""
        if item is None:
            return False
        if isinstance(item, Interval):
            first, last = item.cuts
        else:
            first, last = (1, item, 0), (1, item, 1)
        low, high = self.cuts
        return low <= first and last <= high

    def intersect(self, other: Interval) -> Optional[Interval]:
        """The part common to both intervals, or ``None``."""
        low, high = self.cuts
        other_low, other_high = other.cuts
        return Interval.from_cuts(max(low, other_low), min(high, other_high))

    def touches(self, other: Interval) -> bool:
        """Check whether the two intervals overlap or are adjacent."""
        low, high = self.cuts
        other_low, other_high = other.cuts
        return low <= other_high and other_low <= high

    def split(self, *points: Any, owner: str = "right") -> List[Interval]:
        """Cut the interval at each of ``points``.

        :param points: the values to cut at, in any order. Repeated points and
            points outside of the interval are ignored.
        :param owner: which piece gets the point itself, ``"right"`` (the
            default) or ``"left"``.
        :returns: the pieces from left to right.
        """
        if owner not in ("left", "right"):
            raise ValueError(f"owner must be 'left' or 'right', not {owner!r}")
        side = 1 if owner == "left" else 0
        low, high = self.cuts
        inner = {(1, point, side) for point in points}
        edges = [low, *sorted(cut for cut in inner if low < cut < high), high]
        return [Interval.from_cuts(a, b) for a, b in zip(edges, edges[1:])]

    def steps(self, delta: Any) -> Iterator[Any]:
        """Yield the values of the interval that are ``delta`` apart."""
        zero = delta - delta
        if delta == zero:
            raise ValueError("delta must not be zero")
        start = self.lower if delta > zero else self.upper
        if start is None:
            raise ValueError("cannot step from an unbounded end")
        for index in count():
            value = start + index * delta
            if value in self:
                yield value
            elif index:
                return
