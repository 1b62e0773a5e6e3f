"""Finds what a file's tables are not, and what their fields should not hold.

A file that another program wrote, or that was harmed, may hold text where a number belongs.
"""

import sqlite3
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from core import error_advice
from core.errors import ConstellationError, Damaged
from core.store.compat_views import tables_as_they_are
from core.store.database import quoted, views_of
from core.store.migrate import native_columns, native_kinds
from core.store.reader_and_writer import Reader

LARGEST = 2**53
"""A number above it is no count: another program would read it as another number."""
_TRIPPED = (TypeError, ValueError, AttributeError, ArithmeticError, LookupError)


class WrongField(NamedTuple):
    """A field that should hold something else; `row` is the id of its row."""

    row: str
    field: str
    what: str


def wrong_tables(reader: Reader) -> Iterator[tuple[str, str, str]]:
    """Tables that are not as they should be, as (table, field, what)."""
    real, views = tables_as_they_are(reader.connection), views_of(reader.connection)
    for table, columns in native_columns().items():
        here = real.get(table)
        if table in views:
            yield table, "", "is a view, not a table; read as empty"
        elif here is not None and here.lacks_numbers(table):
            yield table, "", "is a table without row numbers; full text does not find its rows"
        if reader.kind != "native" or table in views:
            continue
        if here is None:
            yield table, "", "is missing; read as empty"
            continue
        for name, default in columns:
            if name not in here.columns:
                yield table, name, f"is missing; read as {default or 'empty'}"


def wrong_fields(reader: Reader, table: str, most: int) -> list[WrongField]:
    """Fields of the agent's rows that hold another kind of value than they should; at most
    `most` rows."""
    rules = {column: rule for column, rule in _rules()[table].items()
             if reader.has_column(table, column)}
    if not rules or not reader.has_column(table, "id"):
        return []
    mine = "agent_id = :agent AND " if reader.has_column(table, "agent_id") else ""
    names = list(rules)
    rows = reader.rows(
        f"SELECT id, {', '.join(map(quoted, names))} FROM main.{quoted(table)} "
        f"WHERE {mine}({' OR '.join(rules.values())}) LIMIT :most", most=most)
    return [WrongField(str(row["id"]), name, what) for row in rows for name in names
            if (what := _wrong(row[name], name in _numbers()[table]))]


class wrong_fields_in_words:  # noqa: N801 (used as a function)
    """Where a reading or a change trips over a field that holds another kind of value than it
    should, say which; in a sound file the error is one of this program and passes."""

    __slots__ = ("_reader",)

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, sqlite3.IntegrityError):
            raise Damaged(
                "A row of the file breaks a rule that its table should keep",
                where=str(self._reader.path), detail=str(error), do=error_advice.BROKEN_ROWS
            ) from error
        if isinstance(error, _TRIPPED):
            table, wrong = _first(self._reader)
            if wrong is not None:
                raise Damaged(
                    "A field of the file does not hold what it should",
                    where=f"{table} {wrong.row}, {wrong.field}", detail=wrong.what,
                    do=error_advice.WRONG_FIELDS) from error


def _first(reader: Reader) -> tuple[str, WrongField | None]:
    """A field that does not hold what it should, with its table."""
    with reader.uninterrupted():
        for table in native_columns():
            try:
                for wrong in wrong_fields(reader, table, 1):
                    return table, wrong
            except ConstellationError:
                continue  # What can't be read at all is told of where it is asked for.
    return "", None


def _wrong(value: object, number: bool) -> str:
    """What is wrong with a value where a number, or text, belongs; empty if nothing is."""
    if number and isinstance(value, str):
        return f"holds text, not a number: {value[:40]}"
    if isinstance(value, bytes):
        return f"holds bytes, not {'a number' if number else 'text'}"
    if number and isinstance(value, int | float) and not abs(value) <= LARGEST:
        return f"is no sensible number: {value}"
    return ""


@cache
def _numbers() -> dict[str, frozenset[str]]:
    """The columns of each table that hold numbers."""
    return {table: frozenset(column for column, kind in columns if kind in ("INTEGER", "REAL"))
            for table, columns in native_kinds().items()}


@cache
def _rules() -> dict[str, dict[str, str]]:
    """For each column of each table the condition that its value is of another kind."""
    return {table: {column: _rule(quoted(column), kind) for column, kind in columns
                    if kind in ("INTEGER", "REAL", "TEXT")}
            for table, columns in native_kinds().items()}


def _rule(column: str, kind: str) -> str:
    if kind == "TEXT":
        return f"typeof({column}) = 'blob'"
    return f"(typeof({column}) IN ('text', 'blob') OR abs({column} + 0.0) > {LARGEST})"
