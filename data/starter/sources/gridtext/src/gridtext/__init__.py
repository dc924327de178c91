"""Read, reshape and write plain-text tables."""

from .cells import display_width, escape_cell, pad, split_row
from .kinds import classify, convert, infer_kind
from .reader import parse_alignment, read_fixed, read_grid, read_pipe
from .table import Column, Table
from .writer import column_widths, render_grid, render_pipe

__version__ = "1.0.0"

__all__ = [
    "Column",
    "Table",
    "classify",
    "column_widths",
    "convert",
    "display_width",
    "escape_cell",
    "infer_kind",
    "pad",
    "parse_alignment",
    "read_fixed",
    "read_grid",
    "read_pipe",
    "render_grid",
    "render_pipe",
    "split_row",
]
