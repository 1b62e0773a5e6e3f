"""Inserts many rows in few statements: a statement of its own for each row costs more than the row.

Each statement that meets triggers and full text opens and closes them. So rows are laid into a
TEMP table without either, and go from there into their table many at once, in their order.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from types import MappingProxyType

from core.store.database import quoted

WIDEST = 64
"""Columns of the TEMP table; what has more of them is inserted row by row."""
FEW = 8
"""Rows up to which the way over the TEMP table does not pay."""
_AT_ONCE = 2_000

Values = tuple[object, ...]
Recorded = Callable[[Sequence[Values]], AbstractContextManager[None]]


def prepare(connection: sqlite3.Connection) -> None:
    """Make the TEMP table; outside a transaction, since a rollback would take it along."""
    columns = ", ".join(_column(number) for number in range(WIDEST))
    connection.execute(
        f"CREATE TEMP TABLE IF NOT EXISTS rows_to_insert (seq INTEGER PRIMARY KEY, {columns})")


def insert_rows(
    connection: sqlite3.Connection, place: str, columns: Sequence[str], rows: Iterable[Values],
    recorded: Recorded, same: Mapping[str, object] = MappingProxyType({}),
) -> int:
    """Insert rows into a table, in their order; returns how many.

    Args:
        place: the table, as SQL names it.
        columns: the columns that each row gives, in its order.
        recorded: stands around each insertion of many rows, and is given them.
        same: what is the same in all rows, by its column.
    """
    rows, count = iter(rows), 0
    while some := list(islice(rows, _AT_ONCE)):
        count += len(some)
        if len(some) > FEW and len(columns) <= WIDEST:
            with recorded(some):
                insert_at_once(connection, place, columns, some, same)
        else:
            connection.executemany(_insert(place, [*columns, *same]),
                                   [(*row, *same.values()) for row in some])
    return count


def insert_at_once(
    connection: sqlite3.Connection, place: str, columns: Sequence[str], rows: Sequence[Values],
    same: Mapping[str, object] = MappingProxyType({}),
) -> None:
    """Insert rows by one statement, over the TEMP table."""
    between = [_column(number) for number in range(len(columns))]
    connection.executemany(_insert("temp.rows_to_insert", between), rows)
    connection.execute(
        f"INSERT INTO {place} ({_listed([*columns, *same])})"
        f" SELECT {', '.join([*between, *('?' for _ in same)])} FROM temp.rows_to_insert"
        " ORDER BY seq", tuple(same.values()))
    connection.execute("DELETE FROM temp.rows_to_insert")


def _insert(place: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {place} ({_listed(columns)}) VALUES ({', '.join('?' for _ in columns)})"


def _listed(columns: Iterable[str]) -> str:
    return ", ".join(map(quoted, columns))


def _column(number: int) -> str:
    return f"c{number}"
