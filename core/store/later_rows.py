"""Rows of a past state's file that came later: where they are many they are left out of sight.

To take a row out costs as much as all the indexes of its table; to list its number costs a
fraction. The lists lie beside the file, and a TEMP view of the table's own name leaves the rows
out, as the views of `compat_views` fill in what a file lacks.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from core.store.database import connect, quoted, views_of
from core.store.sidecar_file import attach

_PREFIX = "later_"


def later_list(table: str) -> str:
    """The table beside the file with the numbers (`place`) of a table's later rows."""
    return f"side.{quoted(_PREFIX + table)}"


def is_later(table: str, alias: str) -> str:
    """SQL that is true of a row that came later; it needs the list to be there."""
    return f"{alias}.rowid IN (SELECT place FROM {later_list(table)})"


def listed_tables(connection: sqlite3.Connection) -> frozenset[str]:
    """The tables with such a list; none of a file that is no past state."""
    if not any(row[1] == "side" for row in connection.execute("PRAGMA database_list").fetchall()):
        return frozenset()
    return frozenset(str(row[0])[len(_PREFIX):] for row in connection.execute(
        f"SELECT name FROM side.sqlite_master WHERE type = 'table' AND name GLOB '{_PREFIX}*'"))


def leave_out(connection: sqlite3.Connection) -> frozenset[str]:
    """Lay the views over the tables that have a list; returns these tables."""
    tables = listed_tables(connection)
    for table in tables:
        name = quoted(table)
        columns = [quoted(column[0]) for column in connection.execute(
            f"SELECT * FROM {name} LIMIT 0").description if column[0] != "rowid"]
        source = f"main.{name}"
        if table in views_of(connection, "temp"):
            usual = str(connection.execute(
                "SELECT sql FROM temp.sqlite_master WHERE name = ?", (table,)).fetchone()[0])
            source = f"({usual.split(' AS ', 1)[1]})"
            connection.execute(f"DROP VIEW temp.{name}")
        connection.execute(f"CREATE TEMP VIEW {name} AS SELECT rowid AS rowid, {', '.join(columns)}"
                           f" FROM {source} AS {name} WHERE NOT {is_later(table, name)}")
    return tables


def take_out_later_rows(graph: Path, beside: Path) -> None:
    """Take the listed rows out of a copy for good: who writes to it must not meet them."""
    with closing(connect(graph, mode="rw")) as connection:
        attach(connection, beside, mode="rw")
        for table in listed_tables(connection):
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute(
                f"DELETE FROM main.{quoted(table)} AS t WHERE {is_later(table, 't')}")
            connection.execute(f"DROP TABLE {later_list(table)}")
