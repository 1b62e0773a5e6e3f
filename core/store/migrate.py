"""Migrates a native file's schema to this version, one numbered step at a time."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from core.errors import OpenError
from core.model.memory_text_of_value import states, worded
from core.model.names import canonical, name_key
from core.progress import Report, ignore
from core.store.database import columns_of, memory, ordinary_tables, without_row_numbers

APPLICATION_ID = 0x434E5354
"""`CNST` in the header of a native file, so that any tool can tell what it is."""


@cache
def steps() -> tuple[tuple[int, str], ...]:
    """Every step as (number, SQL), in order."""
    folder = files("core.store.migrations")
    names = sorted(p.name for p in folder.iterdir() if p.name.endswith(".sql"))
    return tuple((int(name[:3]), folder.joinpath(name).read_text("utf-8")) for name in names)


def newest() -> int:
    """The schema version that this program writes."""
    return steps()[-1][0]


def version_of(connection: sqlite3.Connection) -> int:
    """The schema version of a native file (`user_version`)."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(
    connection: sqlite3.Connection, path: Path | str = ":memory:", report: Report = ignore
) -> int:
    """Run the missing steps, each in one transaction with the record of having run.

    Returns how many ran. Raises OpenError("newer") for a file from a newer version, and what
    `report` raises: then the step is taken back.
    """
    have = version_of(connection)
    if have > newest():
        raise OpenError(
            "newer", "This graph was written by a newer version of Constellation",
            where=str(path), do="Update Constellation; the file was left as it is",
            detail=f"schema {have}, this program knows up to {newest()}")
    for name, arguments, function in _FUNCTIONS:
        connection.create_function(name, arguments, function, deterministic=True)
    pending = [(number, sql) for number, sql in steps() if number > have]
    with _reporting(connection, report):
        for number, sql in pending:
            connection.executescript(
                f"BEGIN IMMEDIATE; {sql}; PRAGMA application_id = {APPLICATION_ID}; "
                f"PRAGMA user_version = {number}; COMMIT;")
    return len(pending)


@contextmanager
def _reporting(connection: sqlite3.Connection, report: Report) -> Iterator[None]:
    """Say how far the steps are, by how many of SQLite's own steps large files take."""
    whole, taken = max(_values(connection), 1) * _STEPS_OF_A_VALUE, [0]
    stopped: list[BaseException] = []

    def tell() -> int:
        taken[0] += _OFTEN
        try:
            report(min(taken[0] / whole, 1.0))
        except BaseException as error:  # SQLite would keep it to itself.
            stopped.append(error)
        return len(stopped)

    if report is not ignore:
        connection.set_progress_handler(tell, _OFTEN)
    try:
        yield
    except sqlite3.OperationalError:
        connection.set_progress_handler(None, 0)
        if not stopped:
            raise
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise stopped[0] from None
    finally:
        connection.set_progress_handler(None, 0)


def _values(connection: sqlite3.Connection) -> int:
    if "entity_attributes" not in ordinary_tables(connection):
        return 0
    return int(connection.execute("SELECT COUNT(*) FROM entity_attributes").fetchone()[0])


_OFTEN = 500_000
"""SQLite's steps between two reports: a few reports for each second."""
_STEPS_OF_A_VALUE = 230
"""SQLite's steps for each value that gets a memory, which is nearly all that there is to do."""


_FUNCTIONS: tuple[tuple[str, int, Callable[..., str | bool]], ...] = (
    ("canonical", 1, canonical), ("name_key", 1, name_key), ("claim_words", 4, worded),
    ("states", 2, states))
"""What a step may call, with the number of its arguments."""


class _Column(NamedTuple):
    """A column of a native table, with its default as SQL and the kind of value it is for."""

    name: str
    default: str | None
    kind: str


class _Native(NamedTuple):
    """What an empty native file has."""

    triggers: frozenset[str]
    without_row_numbers: frozenset[str]
    columns: dict[str, tuple[_Column, ...]]


@cache
def _native() -> _Native:
    """Read once from a file in memory: every step has to run for it."""
    connection = memory()
    migrate(connection)
    native = _Native(
        frozenset(_triggers(connection)), without_row_numbers(connection),
        {table: tuple(_Column(c["name"], c["dflt_value"], c["type"].upper())
                      for c in columns_of(connection, table))
         for table in ordinary_tables(connection)})
    connection.close()
    return native


def foreign_triggers(connection: sqlite3.Connection) -> frozenset[str]:
    """The triggers that a native file has beyond its own: whoever made them, they write, too."""
    return frozenset(_triggers(connection)) - _native().triggers


def _triggers(connection: sqlite3.Connection) -> list[str]:
    return [row[0] for row in connection.execute(
        "SELECT name FROM main.sqlite_master WHERE type = 'trigger'")]


def native_without_row_numbers() -> frozenset[str]:
    """The native tables whose rows have no `rowid`."""
    return _native().without_row_numbers


@cache
def native_columns() -> dict[str, tuple[tuple[str, str | None], ...]]:
    """Each native table's columns as (name, default SQL), as every file is shown."""
    return {table: tuple((column.name, column.default) for column in columns)
            for table, columns in _native().columns.items()}


@cache
def native_kinds() -> dict[str, tuple[tuple[str, str], ...]]:
    """Each native table's columns as (name, kind of value that they are for)."""
    return {table: tuple((column.name, column.kind) for column in columns)
            for table, columns in _native().columns.items()}
