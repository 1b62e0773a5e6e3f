"""Blocks: many rows of one table that came or went together, as one compact step of the journal.

A step for each row holds the row as SQL text: for an imported file that is fifteen times the file.
A block holds the values themselves, those that are the same in all rows once, compressed.
"""

import json
import sqlite3
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Any, NamedTuple

import msgspec

from core.errors import UndoRefused
from core.model.changes import RowChange
from core.store.bulk_insert import Portion, insert_at_once
from core.store.database import quoted
from core.store.journal_triggers import QUIET, Shape
from core.store.undo_conflicts import merge, refusal

Row = tuple[Any, ...]
_LEVEL = 1
"""How hard zlib tries: higher levels take three times as long for a tenth less."""
_LAST = 2**62
"""Row numbers up to which the next one is one more."""


class Block(NamedTuple):
    """Rows that came (`after`) or went (`before`), as `packed` bytes; the other one is None."""

    before: bytes | None
    after: bytes | None
    rows: int

    @property
    def unpacked(self) -> "list[Row]":
        """Its rows."""
        return unpacked(self.before or self.after or b"")


def block_of(step: sqlite3.Row) -> Block:
    """The block that a step of the journal, or of the log, is."""
    return Block(step["before"], step["after"], step["rows"])


def packed(
    connection: sqlite3.Connection, shape: Shape, portion: Portion, first: int
) -> bytes:
    """Rows that have just been inserted, as bytes.

    Args:
        first: the number of the first row.
    """
    stored = connection.execute(f"SELECT {_names(shape.columns)} FROM {shape.place}"
                                " WHERE rowid = ?", (first,)).fetchone()
    places = [shape.columns.index(column) for column in portion.columns]
    key = [shape.columns.index(column) for column in shape.key]
    counted = shape.columns.index(shape.number) if shape.number else None
    same = [None if place in places else value for place, value in enumerate(stored)]
    numbered = counted if counted not in places else None
    return zlib.compress(
        msgspec.json.encode([key, same, places, numbered, first, portion.rows]), _LEVEL)


@contextmanager
def _undamaged() -> Iterator[None]:
    """Refuse in words what is no block: other programs, and failing disks, write files, too."""
    try:
        yield
    except (zlib.error, ValueError, TypeError, LookupError) as error:
        raise UndoRefused("This step of the undo history is damaged",
                          do="The other steps can be taken back by themselves, in History",
                          ) from error


def unpacked(data: bytes) -> list[Row]:
    """The rows of a block; raises UndoRefused where it is damaged."""
    rows: list[Row] = []
    with _undamaged():
        _, row, places, numbered, first, others = json.loads(zlib.decompress(data))
        for number, values in enumerate(others, first):
            for place, value in zip(places, values, strict=True):
                row[place] = value
            if numbered is not None:
                row[numbered] = number
            rows.append(tuple(row))
    return rows


def first_keys(data: bytes) -> list[str]:
    """The first column of the key of each row; raises UndoRefused where it is damaged."""
    with _undamaged():
        [place, *_], same, places, *_, others = json.loads(zlib.decompress(data))
        if place not in places:
            return [str(same[place])] * len(others)
        at = places.index(place)
        return [str(values[at]) for values in others]


def can_hold(shape: Shape, portion: Portion) -> bool:
    """True if the table will keep these values as they are given, and a block can hold them."""
    for place, (column, kinds) in enumerate(zip(portion.columns, portion.kinds, strict=True)):
        if not kinds <= ({str, type(None)} if column in shape.texts else {int, float, type(None)}):
            return False
        if float in kinds and not all(isfinite(row[place] or 0) for row in portion.rows):
            return False  # SQLite keeps NULL for what is no number, and JSON knows no infinity.
    return True


def next_row(connection: sqlite3.Connection, shape: Shape) -> int | None:
    """The row number that the table's next row gets; None where that can't be known."""
    last = connection.execute(f"SELECT max(rowid) FROM {shape.place}").fetchone()[0] or 0
    return int(last) + 1 if 0 <= last < _LAST else None


@contextmanager
def quiet(connection: sqlite3.Connection, shape: Shape) -> Iterator[None]:
    """What comes and goes in this table is not recorded row by row."""
    connection.execute(f"INSERT INTO {QUIET} VALUES (?)", (shape.table,))
    try:
        yield
    finally:
        connection.execute(f"DELETE FROM {QUIET} WHERE tbl = ?", (shape.table,))


def key_literals(shape: Shape, row: Row) -> str:
    """The row's key as one literal list, as the triggers write it."""
    return ",".join(_literal(value) for value in key_of(shape, row))


def key_of(shape: Shape, row: Row) -> Row:
    """The values that name the row."""
    return tuple(row[shape.columns.index(column)] for column in shape.key)


def changes(table: str, columns: Sequence[str], block: Block) -> Iterator[RowChange]:
    """Each row of a block as a change."""
    rows = block.unpacked
    with _undamaged():
        key = json.loads(zlib.decompress(block.before or block.after or b""))[0]
    for row in rows:
        values = dict(zip(columns, row, strict=True))
        yield RowChange(table, tuple(row[place] for place in key),
                        values if block.before else None, values if block.after else None)


def holds(
    connection: sqlite3.Connection, shape: Shape, block: Block, later: Collection[str]
) -> bool:
    """True if all rows are as the block left them, but for those that a later step has changed.

    Args:
        later: keys of these, as literals.
    """
    rows = {key_literals(shape, row): row for row in block.unpacked}
    now = {key_literals(shape, row): row for row in _now(connection, shape, list(rows.values()))}
    return all(now.get(key) == (row if block.after else None)
               for key, row in rows.items() if key not in later)


def reverse(
    connection: sqlite3.Connection, shape: Shape, block: Block, *, force: bool = False
) -> dict[str, Row | None]:
    """Take the rows away that came, or put those back that went.

    Where programs have counted in some of them since, or others have got their numbers, all are
    moved one by one, so that redo brings them back as they were: then by their keys what each is
    now is returned.

    Raises UndoRefused where one has been changed since, unless `force`.
    """
    rows = block.unpacked
    now = _now(connection, shape, rows)
    left = {key_of(shape, row): row for row in rows} if block.after else {}
    _refuse_conflicts(shape, left, now, force)
    back = with_free_numbers(connection, shape, rows) if block.before else rows
    if block.after and dict.fromkeys(now) != dict.fromkeys(rows) or block.before and now or (
            back is not rows):
        _delete(connection, shape, now)
        if block.before:
            _insert(connection, shape, back)
        return {key_literals(shape, row): row if block.before else None for row in back}
    with quiet(connection, shape):
        (_delete if block.after else _insert)(connection, shape, rows)
    connection.execute(
        "INSERT INTO temp.journal (tbl, before, after, rows) VALUES (?, ?, ?, ?)",
        (shape.table, block.after, block.before, block.rows))
    return {}


def with_free_numbers(
    connection: sqlite3.Connection, shape: Shape, rows: Sequence[Row]
) -> Sequence[Row]:
    """Rows that come back, numbered anew after all others where one of these has a number of
    theirs: what is made after a row went gets its number, which nothing else names it by."""
    if not rows or not shape.number or shape.number in shape.key:
        return rows
    place = shape.columns.index(shape.number)
    numbers = [row[place] for row in rows]
    taken = connection.execute(
        f"SELECT EXISTS (SELECT 1 FROM {shape.place} WHERE {quoted(shape.number)} BETWEEN ? AND ?)",
        (min(numbers), max(numbers))).fetchone()[0]
    first = next_row(connection, shape) if taken else None
    if first is None:
        return rows
    return [(*row[:place], number, *row[place + 1:]) for number, row in enumerate(rows, first)]


def _refuse_conflicts(
    shape: Shape, left: Mapping[Row, Row], now: Sequence[Row], force: bool
) -> None:
    """Raise UndoRefused if a row is not as it was left, by its key, unless `force`."""
    for row in now:
        _, conflicts = merge(shape.columns, None, left.get(key_of(shape, row)), row)
        if conflicts and not force:
            raise refusal(conflicts, shape.table, key_literals(shape, row))


@contextmanager
def _keys(connection: sqlite3.Connection, shape: Shape, rows: Sequence[Row]) -> Iterator[str]:
    """A condition that holds for the rows of the table with the keys of these rows."""
    connection.execute("DELETE FROM temp.keys_of_block")
    width = len(shape.key)
    connection.executemany(
        f"INSERT INTO temp.keys_of_block VALUES ({', '.join('?' * 4)})",
        ((*key_of(shape, row), *[None] * (4 - width)) for row in rows))
    listed = ", ".join(f"k{number}" for number in range(width))
    yield f"({_names(shape.key)}) IN (SELECT {listed} FROM temp.keys_of_block)"
    connection.execute("DELETE FROM temp.keys_of_block")


def _now(connection: sqlite3.Connection, shape: Shape, rows: Sequence[Row]) -> list[Row]:
    """The rows of the table that have the keys of these."""
    with _keys(connection, shape, rows) as condition:
        return [tuple(row) for row in connection.execute(
            f"SELECT {_names(shape.columns)} FROM {shape.place} WHERE {condition}")]


def _delete(connection: sqlite3.Connection, shape: Shape, rows: Sequence[Row]) -> None:
    with _keys(connection, shape, rows) as condition:
        connection.execute(f"DELETE FROM {shape.place} WHERE {condition}")


def _insert(connection: sqlite3.Connection, shape: Shape, rows: Sequence[Row]) -> None:
    insert_at_once(connection, shape.place, shape.columns, rows)


def _names(columns: Sequence[str]) -> str:
    return ", ".join(map(quoted, columns))


def _literal(value: object) -> str:
    """A key's value as SQLite's own `quote` writes it."""
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return "NULL" if value is None else str(value)
