"""Refuses to write a file in which a trigger would end the process."""

import sqlite3
from pathlib import Path

from core.errors import NotWritable

_SQL = """
SELECT t.name, t.tbl_name FROM main.sqlite_master AS t
JOIN pragma_table_list AS l ON l.schema = 'main' AND l.type = 'shadow'
    AND lower(l.name) = lower(t.tbl_name)
WHERE t.type = 'trigger' ORDER BY t.name"""


def harmful_triggers(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Triggers on the tables that a full text index keeps its pages in, each with its table.

    SQLite writes those in the middle of another statement, and a trigger there makes it crash.
    """
    return [(row[0], row[1]) for row in connection.execute(_SQL)]


def refuse_harmful_triggers(connection: sqlite3.Connection, path: Path | str) -> None:
    """Raises NotWritable if the file has one."""
    for name, table in harmful_triggers(connection):
        raise NotWritable(
            "A trigger inside the full text index makes this file unsafe to write",
            where=str(path), detail=f"trigger {name} on {table}",
            do=f"If it is not yours, remove it: DROP TRIGGER \"{name}\"; reading is safe")
