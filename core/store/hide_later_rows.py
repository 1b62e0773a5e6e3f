"""Rows of a past state's file that came later: where they are many they are left out of sight.

To take a row out costs as much as all the indexes of its table; to list its number costs a
fraction, and where a table is in the order of time its rows' own times tell. The lists lie beside
the file, and a TEMP view of the table's own name leaves the rows out, as the views of
`compat_views` fill in what a file lacks.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from core.store.database import connect, quoted, views_of
from core.store.row_lifetimes import later_sql
from core.store.sidecar_file import attach

_PREFIX, _BY_TIME = "later_", "cut_by_time"


def later_list(table: str) -> str:
    """The table beside the file with the numbers (`place`) of a table's later rows."""
    return f"side.{quoted(_PREFIX + table)}"


def is_listed(table: str, alias: str) -> str:
    """SQL that is true of a row that came later; it needs the list to be there."""
    return f"{alias}.rowid IN (SELECT place FROM {later_list(table)})"


def cut_by_time(connection: sqlite3.Connection, table: str, times: Mapping[str, str]) -> str:
    """Leave out the rows of a table that is in the order of time, by these times of `later_sql`.

    Returns SQL that is true of a later row, with `{alias}` for the table.
    """
    connection.execute(f"CREATE TABLE IF NOT EXISTS side.{_BY_TIME} (tbl TEXT PRIMARY KEY,"
                       " low TEXT NOT NULL, high TEXT NOT NULL, m TEXT NOT NULL)")
    connection.execute(f"INSERT INTO side.{_BY_TIME} VALUES (?, ?, ?, ?)",
                       (table, times["low"], times["high"], times["m"]))
    return _later_by_time(times)


def _later_by_time(times: Mapping[str, str]) -> str:
    text = later_sql("{alias}.created_at")
    for name in ("low", "high", "m"):
        text = text.replace(f":{name}", "'" + times[name].replace("'", "''") + "'")
    return text


def later_by_table(connection: sqlite3.Connection) -> dict[str, str]:
    """SQL that is true of later rows, with `{alias}` for the table, by the tables that have some
    out of sight; none of a file that is no past state."""
    if not any(row[1] == "side" for row in connection.execute("PRAGMA database_list").fetchall()):
        return {}
    there = [str(row[0]) for row in connection.execute(
        "SELECT name FROM side.sqlite_master WHERE type = 'table' AND"
        f" (name GLOB '{_PREFIX}*' OR name = '{_BY_TIME}')")]
    later = {name[len(_PREFIX):]: is_listed(name[len(_PREFIX):], "{alias}")
             for name in there if name != _BY_TIME}
    if _BY_TIME in there:
        later |= {row["tbl"]: _later_by_time(dict(row)) for row in connection.execute(
            f"SELECT tbl, low, high, m FROM side.{_BY_TIME}")}
    return later


def leave_out(connection: sqlite3.Connection) -> dict[str, str]:
    """Lay the views over the tables that have later rows; returns `later_by_table`."""
    tables = later_by_table(connection)
    for table, later in tables.items():
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
                           f" FROM {source} AS {name} WHERE NOT {later.format(alias=name)}")
    return tables


def take_out_later_rows(graph: Path, beside: Path) -> None:
    """Take the listed rows out of a copy for good: who writes to it must not meet them."""
    with closing(connect(graph, mode="rw")) as connection:
        attach(connection, beside, mode="rw")
        for table, later in later_by_table(connection).items():
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute(
                f"DELETE FROM main.{quoted(table)} AS t WHERE {later.format(alias='t')}")
            connection.execute(f"DROP TABLE IF EXISTS {later_list(table)}")
        connection.execute(f"DROP TABLE IF EXISTS side.{_BY_TIME}")
