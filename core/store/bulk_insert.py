"""Inserts many rows in few statements: a statement of its own for each row costs more than the row.

Each statement that meets triggers and full text opens and closes them. So rows are laid into a
TEMP table without either, and go from there into their table many at once, in their order.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain, islice
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from core.store.bound_values import PLAIN, bindable
from core.store.database import quoted

_NARROW, WIDEST = 8, 64
"""Columns of the TEMP tables; what has more than the wider one is inserted row by row. SQLite
writes down every column of a row, whether it has a value or not."""
FEW = 8
"""Rows up to which the way over the TEMP table does not pay."""
_AT_ONCE = 2_000
_BOUND = 400
"""Values that one statement inserts where no trigger looks at them."""

_SAME = frozenset((str, type(None)))
"""Types of which what is equal is bound as the same."""

Values = tuple[Any, ...]


class Portion(Struct, frozen=True):
    """Rows that are inserted together.

    Attributes:
        columns: those in which they differ.
        rows: their values in these.
        kinds: the types of the values in each.
        same: what is the same in all rows, by its column.
    """

    columns: Sequence[str]
    rows: Sequence[Values]
    kinds: Sequence[frozenset[type]]
    same: Mapping[str, object]


Recorded = Callable[[Portion | None], AbstractContextManager[None]]


def prepare(connection: sqlite3.Connection) -> None:
    """Make the TEMP tables; outside a transaction, since a rollback would take them along."""
    for width in (_NARROW, WIDEST):
        columns = ", ".join(_column(number) for number in range(width))
        connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {_between(width)}"
                           f" (seq INTEGER PRIMARY KEY, {columns})")


def insert_rows(
    connection: sqlite3.Connection, place: str, columns: Sequence[str], rows: Iterable[Values],
    recorded: Recorded, same: Mapping[str, object] = MappingProxyType({}),
) -> int:
    """Insert rows into a table, in their order; returns how many.

    A list is inserted by one statement, other rows some thousand at a time.

    Args:
        place: the table, as SQL names it.
        columns: the columns that each row gives, in its order.
        recorded: stands around each insertion, and is given the rows; None for few.
        same: what is the same in all rows, by its column.

    Collections are stored as JSON.
    """
    count = 0
    for some in _portions(rows):
        count += len(some)
        many = len(some) > FEW and len(columns) <= WIDEST
        portion = _portion(columns, some, same) if many else None
        with recorded(portion):
            if portion is not None:
                insert_at_once(connection, place, portion.columns, portion.rows, portion.same)
            else:
                connection.executemany(_insert(place, [*columns, *same]),
                                       [(*map(bindable, row), *same.values()) for row in some])
    return count


def _portions(rows: Iterable[Values]) -> Iterator[list[Values]]:
    if isinstance(rows, list):
        yield from filter(None, [rows])
        return
    rest = iter(rows)
    while some := list(islice(rest, _AT_ONCE)):
        yield some


def _portion(
    columns: Sequence[str], rows: Sequence[Values], same: Mapping[str, object]
) -> Portion:
    """Rows taken apart by column: looking at a column takes less time than at each row."""
    varied, alike = dict[str, Values](), dict[str, object]()
    for column, given in zip(columns, zip(*rows, strict=True), strict=True):
        values = given if _is_one(given) else _bindable(given)
        if varied and _is_one(values):
            alike[column] = values[0]
        else:
            varied[column] = values
    return Portion(
        [*varied], [*zip(*varied.values(), strict=True)],
        [frozenset(map(type, values)) for values in varied.values()], alike | dict(same))


def _is_one(values: Values) -> bool:
    """True if a column is known to have one value in all rows, which is bound as it is."""
    first = values[0]
    if first != values[-1] or values.count(first) < len(values):
        return False
    # A number may equal one of another type.
    return type(first) in _SAME or type(first) is int and {int}.issuperset(map(type, values))


def _bindable(values: Values) -> Values:
    return values if PLAIN.issuperset(map(type, values)) else tuple(map(bindable, values))


def insert_at_once(
    connection: sqlite3.Connection, place: str, columns: Sequence[str], rows: Sequence[Values],
    same: Mapping[str, object] = MappingProxyType({}),
) -> None:
    """Insert rows by one statement, over a TEMP table."""
    values = [_column(number) for number in range(len(columns))]
    between = f"temp.{_between(len(columns))}"
    insert_by_few_statements(connection, between, values, rows)
    connection.execute(
        f"INSERT INTO {place} ({_listed([*columns, *same])})"
        f" SELECT {', '.join([*values, *('?' for _ in same)])} FROM {between}"
        " ORDER BY seq", tuple(same.values()))
    connection.execute(f"DELETE FROM {between}")


def insert_by_few_statements(
    connection: sqlite3.Connection, place: str, columns: Sequence[str],
    rows: Iterable[Sequence[object]],
) -> None:
    """Insert rows into a table without triggers, some by each statement: that takes half the time.

    What they hold is bound as it is.
    """
    some, rest, left = max(_BOUND // len(columns), 1), iter(rows), list[Sequence[object]]()

    def at_once() -> Iterator[list[object]]:
        while len(part := list(islice(rest, some))) == some:
            yield [*chain.from_iterable(part)]
        left.extend(part)

    connection.executemany(_insert(place, columns, some), at_once())
    connection.executemany(_insert(place, columns), left)


def _insert(place: str, columns: Sequence[str], rows: int = 1) -> str:
    row = f"({', '.join('?' for _ in columns)})"
    return f"INSERT INTO {place} ({_listed(columns)}) VALUES {', '.join([row] * rows)}"


def _listed(columns: Iterable[str]) -> str:
    return ", ".join(map(quoted, columns))


def _between(columns: int) -> str:
    """The TEMP table that takes rows of so many columns."""
    return f"rows_to_insert_{_NARROW if columns <= _NARROW else WIDEST}"


def _column(number: int) -> str:
    return f"c{number}"
