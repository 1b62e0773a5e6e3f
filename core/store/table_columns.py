"""The tables of a file with their columns, read once for each schema that this process meets.

Each connection asks for all of them when it opens, and three or four open for one command.
"""

import sqlite3
from collections.abc import Mapping
from typing import NamedTuple

from core.store.database import Row, columns_of, ordinary_tables, without_row_numbers

_KEPT = 32
"""Schemas that are remembered: files of two kinds and the one beside them, at many ages."""

_LARGEST = 1000
"""Tables, indexes and triggers; of a file with more nothing is remembered."""


class Tables(NamedTuple):
    """The ordinary tables of a file."""

    columns: Mapping[str, tuple[Row, ...]]
    """What `columns_of` says of each, by name and in the order of the names."""
    without_row_numbers: frozenset[str]


_known: dict[tuple[object, ...], Tables] = {}


def tables_of(connection: sqlite3.Connection, schema: str = "main") -> Tables:
    """The ordinary tables of `schema`, as its text declares them."""
    # As bytes: a text may be none.
    text = (schema, *map(tuple, connection.execute(
        "SELECT type, CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB)"
        f" FROM {schema}.sqlite_master").fetchall()))
    found = _known.get(text)
    if found is None:
        found = Tables(
            {table: tuple(columns_of(connection, table, schema))
             for table in ordinary_tables(connection, schema)},
            without_row_numbers(connection) if schema == "main" else frozenset())
        if len(_known) >= _KEPT:
            _known.clear()
        if len(text) <= _LARGEST:
            _known[text] = found
    return found
