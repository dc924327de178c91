"""Readers for the three table notations."""

from __future__ import annotations

import re
from typing import Optional

from .cells import split_row
from .table import Column, Table


def parse_alignment(line: str) -> Optional[list[str]]:
    """Read the row of dashes below the header of a pipe table.

    Each cell must be dashes with an optional colon at either end.  A colon
    on the right means ``"right"``, on both sides ``"center"``, otherwise the
    column is ``"left"``.  Returns ``None`` if the line is anything else.
    """
    aligns = []
    for cell in split_row(line):
        if not re.fullmatch(r":?-+:?", cell):
            return None
        if cell.endswith(":"):
            aligns.append("center" if cell.startswith(":") else "right")
        else:
            aligns.append("left")
    return aligns or None


def read_pipe(text: str) -> Table:
    """Read a pipe table.

    The table starts at the first line that is not blank and ends at the
    first line without a pipe.
    """
    lines = text.lstrip().splitlines()
    names = split_row(lines[0]) if lines else []
    aligns = parse_alignment(lines[1]) if len(lines) > 1 else None
    if aligns is None or len(aligns) != len(names):
        raise ValueError("no pipe table found")
    rows = []
    for line in lines[2:]:
        if "|" not in line:
            break
        rows.append(split_row(line)[: len(names)])
    return Table(map(Column, names, aligns), rows)


def read_fixed(text: str) -> Table:
    """Read a table whose columns are marked by a ruler, as in::

        name     qty
        =======  ===
        apple     10

    Rulers are made of ``=`` or ``-``.
    """
    lines = [line.rstrip() for line in text.expandtabs().splitlines() if line.strip()]
    rulers = [at for at, line in enumerate(lines) if re.fullmatch(r"[=\- ]+", line)]
    if rulers and rulers[0] == 0:
        lines, rulers = lines[1:], [at - 1 for at in rulers[1:]]
    if not rulers or rulers[0] == 0:
        raise ValueError("no header with a ruler below it found")
    starts = [run.start() for run in re.finditer(r"[=\-]+", lines[rulers[0]])]
    spans = list(zip(starts, [*starts[1:], None]))
    names: list[str] = [""] * len(spans)
    rows: list[list[str]] = []
    for at, line in enumerate(lines):
        if at in rulers:
            continue
        cells = [line[start:end].strip() for start, end in spans]
        if at < rulers[0]:
            names = [f"{name} {cell}" for name, cell in zip(names, cells)]
        elif rows and not cells[0]:
            rows[-1] = [f"{old} {cell}".strip() for old, cell in zip(rows[-1], cells)]
        else:
            rows.append(cells)
    return Table(names, rows)


def read_grid(text: str) -> Table:
    """Read a grid with ``+---+`` borders.

    The row above a border of ``=`` is the header; a grid without such a
    border has no header, and its columns are called ``col1``, ``col2`` and so
    on.  The lines of a cell are joined by newlines.
    """
    names: Optional[list[str]] = None
    groups: list[list[list[str]]] = []
    pending: list[list[str]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if re.fullmatch(r"\+([-=]+\+)+", line):
            if pending:
                groups.append(pending)
            pending = []
            if "=" in line and groups:
                names = [" ".join(column).strip() for column in zip(*groups.pop())]
        elif line.startswith("|") and line.endswith("|"):
            pending.append(split_row(line))
        else:
            raise ValueError(f"not part of a grid: {line!r}")
    if pending or not (groups or names):
        raise ValueError("grid is not closed by a border")
    rows = [["\n".join(cell).strip("\n") for cell in zip(*group)] for group in groups]
    if names is None:
        names = [""] * len(rows[0])
    return Table(names, rows)
