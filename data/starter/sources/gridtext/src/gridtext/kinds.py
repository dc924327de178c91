"""Guessing what the text in a cell stands for."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Iterable, Union

Value = Union[int, float, bool, str, None]

KINDS = ("int", "float", "bool", "text", "empty")

_BLANKS = frozenset({"", "-", "n/a", "null"})
_WORDS = {"true": True, "yes": True, "false": False, "no": False}


@lru_cache(maxsize=4096)
def classify(text: str) -> str:
    """Tell the kind of a single cell.

    Returns one of :data:`KINDS`.  Thousands separators are allowed in
    whole numbers as long as they are in the right places.
    """
    text = text.strip().lower()
    if text in _BLANKS:
        return "empty"
    if text in _WORDS:
        return "bool"
    if re.fullmatch(r"[+-]?([0-9]+|[0-9]{1,3}(,[0-9]{3})+)", text):
        return "int"
    if re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", text):
        return "float"
    return "text"


def infer_kind(values: Iterable[str]) -> str:
    """Find the narrowest kind that fits all the values of a column."""
    seen = {classify(value) for value in values} - {"empty"}
    if not seen:
        return "empty"
    if len(seen) == 1:
        return seen.pop()
    if seen == {"int", "float"}:
        return "float"
    return "text"


def convert(text: str, kind: str) -> Value:
    """Turn the text of a cell into a Python value of the given kind.

    Blank cells give ``None`` unless the kind is ``"text"``.  Raises
    ``ValueError`` if the text is not of that kind.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind: {kind!r}")
    text = text.strip()
    if kind == "text":
        return text
    found = classify(text)
    if found == "empty":
        return None
    if found != kind and (found, kind) != ("int", "float"):
        raise ValueError(f"not of kind {kind}: {text!r}")
    if kind == "bool":
        return _WORDS[text.lower()]
    digits = text.replace(",", "")
    return int(digits) if kind == "int" else float(digits)
