"""Sweeps over many intervals at once.

As everywhere in this package, ``Interval.cuts`` is the pair of the low and the
high cut of an interval, and ``Interval.from_cuts(low, high)`` builds one.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Callable, Dict, Hashable, Iterable, List, Tuple

from .interval import Cut, Interval
from .spanset import SpanSet


def depth_profile(intervals: Iterable[Interval]) -> List[Tuple[Interval, int]]:
    """Count how many intervals overlap at each place.

    Returns ``(region, depth)`` pairs from left to right. Places that no
    interval covers are left out.
    """
    changes: Dict[Cut, int] = Counter()
    for interval in intervals:
        low, high = interval.cuts
        changes[low] += 1
        changes[high] -= 1
    profile = []
    depth, start = 0, None
    for cut in sorted(cut for cut, change in changes.items() if change):
        if depth:
            profile.append((Interval.from_cuts(start, cut), depth))
        depth += changes[cut]
        start = cut
    return profile


def merge_labelled(
    items: Iterable[Tuple[Interval, Hashable]],
    combine: Callable[[Iterable[Hashable]], Any] = tuple,
) -> List[Tuple[Interval, Any]]:
    """Merge ``(interval, label)`` items that touch and collect their labels."""
    merged: List[Tuple[Interval, Any]] = []
    pending: List[Tuple[Interval, Hashable]] = []

    def flush() -> None:
        if pending:
            labels = dict.fromkeys(label for _, label in pending)
            merged.append((Interval.hull(span for span, _ in pending), combine(labels)))
            pending.clear()

    reach = None
    for span, label in sorted(items, key=lambda item: item[0].cuts):
        low, high = span.cuts
        if reach is not None and low > reach:
            flush()
        reach = high if reach is None else max(reach, high)
        pending.append((span, label))
    flush()
    return merged


def coverage(intervals: Iterable[Interval], within: Interval) -> float:
    """Return the fraction of ``within`` that is covered by ``intervals``.

    Overlaps count once, and whatever lies outside of ``within`` counts not at
    all. Raises :class:`ValueError` if ``within`` is unbounded.
    """
    if within.lower is None or within.upper is None:
        raise ValueError("coverage needs a bounded interval")
    covered = SpanSet(intervals) & within
    if not covered.spans:
        return 0.0
    if within.lower == within.upper:
        return 1.0
    return covered.measure / (within.upper - within.lower)
