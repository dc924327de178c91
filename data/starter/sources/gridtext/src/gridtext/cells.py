"""Handling of single cells and single lines of a table."""

from __future__ import annotations

import re
import unicodedata

ALIGNMENTS = ("left", "right", "center")


def display_width(text: str) -> int:
    """Return how many terminal columns ``text`` takes up.

    Wide and full-width East Asian characters count as two.
    """
    total = 0
    for char in text:
        if unicodedata.category(char) in ("Mn", "Me", "Cc", "Cf"):
            continue
        total += 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
    return total


def pad(text: str, width: int, align: str = "left") -> str:
    """Pad ``text`` with spaces to ``width`` display columns.

    ``align`` is one of :data:`ALIGNMENTS`; anything else is a ``ValueError``.
    Text that is too wide already comes back as it is, never cut.  When a
    centred text cannot sit exactly in the middle, the spare space goes to
    the right of it.
    """
    if align not in ALIGNMENTS:
        raise ValueError(f"unknown alignment: {align!r}")
    gap = max(0, width - display_width(text))
    if align == "right":
        return " " * gap + text
    if align == "center":
        left = gap // 2
        return " " * left + text + " " * (gap - left)
    return text + " " * gap


def split_row(line: str) -> list[str]:
    """Split a pipe-table line into stripped cells, honouring ``\\|``."""
    line = line.strip()
    if not line:
        return []
    cells: list[str] = []
    current: list[str] = []
    chars = iter(line)
    for char in chars:
        if char == "\\":
            following = next(chars, "")
            if following in ("|", "\\"):
                current.append(following)
            else:
                current.append(char + following)
        elif char == "|":
            cells.append("".join(current).strip())
            current = []
        else:
            current.append(char)
    if line.startswith("|"):
        cells.pop(0)
    tail = "".join(current).strip()
    if tail or not cells:
        cells.append(tail)
    return cells


def escape_cell(text: str) -> str:
    text = text.strip().replace("\\", "\\\\").replace("|", "\\|")
    return re.sub(r"\r\n|\r|\n", "<br>", text)
