"""Reading and writing intervals as text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Callable

from .interval import Interval

_BRACKETED = re.compile(r"\s*([\[\](])(.*?)(?:,|\.\.)(.*)([\])\[])\s*")
_POINT = re.compile(r"\s*\{([^{}]+)\}\s*")
_BARE = re.compile(r"\s*([^\s\[\](){},]+?)\s*\.\.\s*([^\s\[\](){},]+)\s*")

_UNBOUNDED = {"", "inf", "+inf", "-inf"}


@lru_cache(maxsize=256)
def parse_interval(text: str, convert: Callable[[str], Any] = float) -> Interval:
    """Read an interval from its usual notation.

    The accepted forms are

    * ``[a, b)`` with any mix of brackets, ``..`` may stand for the comma;
    * ``{a}``, the single value ``a``;
    * ``a..b`` without brackets, which is closed at both ends.

    An end that is blank or spelled ``inf``, ``+inf`` or ``-inf`` is unbounded.
    Other ends are stripped and given to ``convert``. Text in none of these
    forms raises :class:`ValueError`.
    """
    if match := _POINT.fullmatch(text):
        value = convert(match[1].strip())
        return Interval(value, value, "[]")
    if match := _BRACKETED.fullmatch(text):
        left, lower, upper, right = match.groups()
    elif match := _BARE.fullmatch(text):
        (lower, upper), left, right = match.groups(), "[", "]"
    else:
        raise ValueError(f"not an interval: {text!r}")
    ends = [None if end.strip() in _UNBOUNDED else convert(end.strip()) for end in (lower, upper)]
    return Interval(*ends, left + right)


def format_interval(
    interval: Interval,
    render: Callable[[Any], str] = str,
    separator: str = ", ",
    infinity: str = "inf",
) -> str:
    """Write an interval in bracket notation."""
    lower, upper = interval.lower, interval.upper
    if lower is not None and lower == upper:
        return "{" + render(lower) + "}"
    if lower is None:
        start = "-" + infinity if infinity else ""
    else:
        start = render(lower)
    stop = infinity if upper is None else render(upper)
    left, right = interval.bounds
    return f"{left}{start}{separator}{stop}{right}"
