"""The table itself: named columns over rows of text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Union

from .cells import ALIGNMENTS
from .kinds import Value, classify, convert, infer_kind


@dataclass
class Column:
    """Name and alignment of one column."""

    name: str
    align: str = "left"

    def __post_init__(self) -> None:
        """Tidy the fields up.

        Runs of white space in the name shrink to one space.  The alignment
        may be shortened to any non-empty beginning of one of ``ALIGNMENTS``
        and case does not matter, so ``"R"`` is the same as ``"right"``.
        """
        self.name = " ".join(self.name.split())
        wanted = self.align.strip().lower()
        for known in ALIGNMENTS:
            if wanted and known.startswith(wanted):
                self.align = known
                return
        raise ValueError(f"unknown alignment: {self.align!r}")


class Table:
    """A list of columns and a list of rows, every cell a string.

    ``columns`` is a list of :class:`Column`, ``rows`` a list of lists which
    are all as long as ``columns``.
    """

    def __init__(
        self,
        columns: Iterable[Union[str, Column]],
        rows: Iterable[Iterable[Any]] = (),
    ) -> None:
        """Make a table from columns (or just their names) and rows.

        Columns without a name are numbered, as in ``col1``.  Short rows are
        filled up with empty cells.  Raises ``ValueError`` for rows that are
        too long and for repeated column names.
        """
        self.columns = [
            replace(column) if isinstance(column, Column) else Column(column)
            for column in columns
        ]
        for number, column in enumerate(self.columns, start=1):
            if not column.name:
                column.name = f"col{number}"
        if len({column.name for column in self.columns}) < len(self.columns):
            raise ValueError("column names must be unique")
        self.rows: list[list[str]] = []
        for row in rows:
            cells = ["" if cell is None else str(cell) for cell in row]
            spare = len(self.columns) - len(cells)
            if spare < 0:
                raise ValueError(f"row has {-spare} cells too many: {cells!r}")
            self.rows.append(cells + [""] * spare)

    @classmethod
    def from_records(
        cls,
        records: Iterable[Mapping[str, Any]],
        columns: Optional[Iterable[str]] = None,
    ) -> Table:
        """Build a table from dictionaries, one per row.

        The columns are those of the first record unless given.
        """
        records = list(records)
        if columns is None:
            names = list(dict.fromkeys(key for record in records for key in record))
        else:
            names = list(columns)
        return cls(names, ([record.get(name) for name in names] for record in records))

    @property
    def header(self) -> tuple[str, ...]:
        """The column names."""
        return tuple(column.name for column in self.columns)

    @header.setter
    def header(self, names: Union[Iterable[str], Mapping[str, str]]) -> None:
        if isinstance(names, Mapping):
            changes = {self.index_of(old): new for old, new in names.items()}
            wanted = [changes.get(at, name) for at, name in enumerate(self.header)]
        else:
            wanted = list(names)
        if len(wanted) != len(self.columns):
            raise ValueError(f"expected {len(self.columns)} names, got {len(wanted)}")
        columns = [replace(col, name=name) for col, name in zip(self.columns, wanted)]
        self.columns = Table(columns).columns

    def index_of(self, name: str) -> int:
        """Return the position of the column called ``name``.

        An exact match wins.  Failing that, case is ignored, provided that
        only one column fits.
        """
        if name in self.header:
            return self.header.index(name)
        folded = name.casefold()
        close = [at for at, own in enumerate(self.header) if own.casefold() == folded]
        if len(close) != 1:
            raise KeyError(name)
        return close[0]

    def __getitem__(self, key: Union[int, slice, str]) -> Any:
        """Get a row, some rows or a column."""
        if isinstance(key, str):
            position = self.index_of(key)
            return [row[position] for row in self.rows]
        if isinstance(key, slice):
            return type(self)(self.columns, self.rows[key])
        if isinstance(key, int):
            return dict(zip(self.header, self.rows[key]))
        raise TypeError(f"cannot look up {key!r} in a table")

    def records(self, typed: bool = False) -> Iterator[dict[str, Value]]:
        """Yield each row as a dictionary."""
        kinds = ["text"] * len(self.columns)
        if typed:
            kinds = [infer_kind(self[name]) for name in self.header]
        for row in self.rows:
            values: list[Value] = list(row)
            if typed:
                values = [convert(cell, kind) for cell, kind in zip(row, kinds)]
            yield dict(zip(self.header, values))

    def select(self, *names: str, **aliases: str) -> Table:
        """Return a new table with just the given columns.

        Positional names come first, in the order given.  Keyword arguments
        add further columns under a new name: ``select("id", total="sum")``
        keeps ``id`` and then ``sum``, which is called ``total`` from there
        on.  Alignments are kept.  At least one column has to be asked for
        (``ValueError``); unknown ones are a ``KeyError``.
        """
        if not names and not aliases:
            raise ValueError("no columns selected")
        positions = [self.index_of(name) for name in (*names, *aliases.values())]
        columns = [replace(self.columns[position]) for position in positions]
        for column, alias in zip(columns[len(names):], aliases):
            column.name = alias
        return Table(columns, ([row[at] for at in positions] for row in self.rows))

    def where(
        self,
        test: Optional[Callable[[dict[str, str]], object]] = None,
        /,
        **cells: Any,
    ) -> Table:
        """Return a new table with the rows that pass all the conditions.

        A condition is either a function of the row or a keyword argument with
        the text wanted in that column: a single one, a list or set of them,
        or ``None`` for any blank.
        """
        wanted = {self.index_of(name): value for name, value in cells.items()}
        kept = []
        for at, row in enumerate(self.rows):
            for position, value in wanted.items():
                cell = row[position].strip()
                if value is None:
                    if classify(cell) != "empty":
                        break
                elif isinstance(value, (list, tuple, set, frozenset)):
                    if cell not in {str(option) for option in value}:
                        break
                elif cell != str(value):
                    break
            else:
                if test is None or test(self[at]):
                    kept.append(row)
        return Table(self.columns, kept)

    def sort_by(self, name: str, reverse: bool = False) -> Table:
        """Return a new table sorted by the column ``name``.

        Numbers sort as numbers and text sorts naturally, so ``a2`` comes
        before ``a10``.  Rows that have no value in the column stay at the
        end, whether or not the order is reversed.  Sorting is stable in both
        directions.
        """
        position = self.index_of(name)
        kind = infer_kind(self[name])

        def rank(row: list[str]) -> tuple[bool, Any]:
            """Key for sorting; blank cells last."""
            cell = row[position]
            if classify(cell) == "empty":
                return (not reverse, ())
            if kind != "text":
                return (reverse, convert(cell, kind))
            parts = re.split(r"([0-9]+)", cell.strip().casefold())
            parts[1::2] = [int(part) for part in parts[1::2]]
            return (reverse, parts)

        return Table(self.columns, sorted(self.rows, key=rank, reverse=reverse))

    def transpose(self) -> Table:
        """Swap rows and columns."""
        if not self.columns:
            return Table([])
        corner, *names = self.header
        turned = zip(*(row[1:] for row in self.rows)) if self.rows else ([] for _ in names)
        return Table(
            [corner, *(row[0] for row in self.rows)],
            [[name, *cells] for name, cells in zip(names, turned)],
        )

    def join(self, other: Table, on: str, how: str = "inner") -> Table:
        if how not in ("inner", "left"):
            raise ValueError(f"unknown kind of join: {how!r}")
        left, right = self.index_of(on), other.index_of(on)
        partners: dict[str, list[list[str]]] = {}
        for row in other.rows:
            rest = row[:right] + row[right + 1:]
            if row[right].strip():
                partners.setdefault(row[right].strip(), []).append(rest)
        extra = [replace(column) for column in other.columns]
        del extra[right]
        for column in extra:
            if column.name in self.header:
                column.name += "_right"
        rows = []
        for row in self.rows:
            found = partners.get(row[left].strip(), [])
            if not found and how == "left":
                found = [[""] * len(extra)]
            rows.extend(row + rest for rest in found)
        return Table(self.columns + extra, rows)
