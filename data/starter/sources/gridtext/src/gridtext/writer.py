"""Writers for the pipe and grid notations."""

from __future__ import annotations

from typing import Iterable, Optional, Sequence

from .cells import display_width, escape_cell, pad
from .table import Table


def column_widths(
    rows: Iterable[Sequence[str]],
    minimum: int = 1,
    maximum: Optional[int] = None,
) -> list[int]:
    """Work out how wide each column has to be.

    A column is as wide as its widest cell (or its longest line, if there are
    several in a cell), but at least ``minimum`` and at most ``maximum``.
    """
    widths: list[int] = []
    for row in rows:
        for at, cell in enumerate(row):
            if at == len(widths):
                widths.append(minimum)
            for line in cell.splitlines():
                widths[at] = max(widths[at], display_width(line))
    if maximum is not None:
        widths = [min(width, maximum) for width in widths]
    return widths


def render_pipe(table: Table) -> str:
    """Write a table in Markdown notation, no column narrower than three."""
    if not table.columns:
        return ""
    aligns = [column.align for column in table.columns]
    cells = [[escape_cell(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = column_widths(cells, minimum=3)
    lines = [
        [pad(cell, width, align) for cell, width, align in zip(row, widths, aligns)]
        for row in cells
    ]
    rule = []
    for width, align in zip(widths, aligns):
        left = ":" if align == "center" else "-"
        right = "-" if align == "left" else ":"
        rule.append(left + "-" * (width - 2) + right)
    lines.insert(1, rule)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def render_grid(table: Table, header: bool = True) -> str:
    """Write a table as a grid with borders.

    Every row is closed by a border of dashes, the header by one of equals
    signs.  Cells of several lines make the row taller.
    """
    if not table.columns:
        return ""
    aligns = [column.align for column in table.columns]
    rows = [
        ["\n".join(map(escape_cell, cell.splitlines())) for cell in row]
        for row in ([table.header, *table.rows] if header else table.rows)
    ]
    widths = column_widths(rows) or [1] * len(aligns)
    border = "+" + "".join("-" * (width + 2) + "+" for width in widths)
    out = [border]
    for at, row in enumerate(rows):
        stacks = [cell.splitlines() for cell in row]
        for level in range(max(1, *map(len, stacks))):
            parts = [stack[level] if level < len(stack) else "" for stack in stacks]
            out.append("| " + " | ".join(map(pad, parts, widths, aligns)) + " |")
        out.append(border.replace("-", "=") if header and at == 0 else border)
    return "\n".join(out) + "\n"
