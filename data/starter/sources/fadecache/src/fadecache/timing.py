"""Durations, written and read, and delays between attempts."""

from __future__ import annotations

import itertools
import math
import re
from typing import Callable, Iterator, Optional, Union

Duration = Union[str, int, float]

_UNITS = {"w": 604800.0, "d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_TERM = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|[wdhms])\s*")


def parse_duration(value: Optional[Duration]) -> Optional[float]:
    """Convert a duration to seconds.

    Numbers are seconds already.  Strings are made of a number and a unit,
    repeated, for instance ``"1h30m"`` or ``"2d 12h"``; the units are ``w``,
    ``d``, ``h``, ``m``, ``s`` and ``ms``.  ``None`` stands for "no limit".

    Raises ValueError for text which is not a duration.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise TypeError(f"a duration is a number or a string, not {type(value).__name__}")
    if isinstance(value, str):
        text = value.strip().lower()
        if text == "never":
            return None
        if not text:
            raise ValueError("empty duration")
        seconds, position, previous = 0.0, 0, math.inf
        while position < len(text):
            match = _TERM.match(text, position)
            if match is None:
                raise ValueError(f"not a duration: {value!r}")
            unit = _UNITS[match[2]]
            if unit >= previous:
                raise ValueError(f"units must go from large to small: {value!r}")
            seconds += float(match[1]) * unit
            position, previous = match.end(), unit
    else:
        seconds = float(value)
    if not math.isfinite(seconds) or seconds < 0:
        raise ValueError(f"a duration is finite and not negative: {value!r}")
    return seconds


def format_duration(seconds: Optional[float], parts: int = 2) -> str:
    """Inverse of `parse_duration`, e.g. ``format_duration(5400) == "1h30m"``."""
    if seconds is None:
        return "never"
    if parts < 1:
        raise ValueError("parts must be at least 1")
    if not math.isfinite(seconds) or seconds < 0:
        raise ValueError(f"a duration is finite and not negative: {seconds!r}")
    left = int(round(seconds * 1000))
    sizes = [(unit, int(round(size * 1000))) for unit, size in _UNITS.items()]
    while sizes and sizes[0][1] > left:
        sizes.pop(0)
    pieces = []
    for unit, size in sizes[:parts]:
        count, left = divmod(left, size)
        if count:
            pieces.append(f"{count}{unit}")
    return "".join(pieces) or "0s"


def backoff_schedule(
    base: float = 0.5,
    factor: float = 2.0,
    cap: float = 30.0,
    budget: Optional[Duration] = None,
    jitter: Optional[Callable[[float], float]] = None,
) -> Iterator[float]:
    """Yield the delays to wait between attempts.

    The first delay is `base`, each next one is `factor` times as long, and
    none is longer than `cap`.  The schedule is endless unless a `budget` is
    given, in which case it ends once the budget has been used up.
    """
    if base <= 0 or cap <= 0 or factor < 1:
        raise ValueError("base and cap must be positive, and factor at least 1")
    limit = parse_duration(budget)
    spent, plain = 0.0, min(base, cap)
    for _ in itertools.count():
        delay = plain
        if jitter is not None:
            delay = min(cap, max(0.0, jitter(plain)))
        if limit is not None and spent + delay > limit:
            return
        yield delay
        spent += delay
        plain = min(cap, plain * factor)
