"""Distinguishes a graph file from a later one at the same path."""

import sqlite3
from pathlib import Path

from core.store.database import columns_of, is_damage
from core.store.stale_wal import set_aside


def identity_in(connection: sqlite3.Connection, kind: str) -> str:
    """The identity of an open file independent of its path; copies and restored backups share it.

    A native graph has a random id from its creation. A Signet database is not written into:
    the moment at which its first migration ran is its own, and no later one moves it. Empty if
    unknown.
    """
    try:
        identity = _own_id(connection) if kind == "native" else _first_step(connection)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if not is_damage(error):
            raise
        identity = ""
    return f"{kind}:{identity}" if identity else ""


def _own_id(connection: sqlite3.Connection) -> str:
    if not columns_of(connection, "graph_identity"):
        return ""
    row = connection.execute("SELECT min(id) FROM graph_identity").fetchone()
    return str(row[0] or "")


def _first_step(connection: sqlite3.Connection) -> str:
    if "applied_at" not in {c["name"] for c in columns_of(connection, "schema_migrations")}:
        return ""
    # Two ways to write a time are in use; one migration may be run again, but not the first.
    row = connection.execute(
        "SELECT min(replace(applied_at, 'T', ' ')) FROM schema_migrations").fetchone()
    return str(row[0] or "")


def clear_logs(path: Path) -> None:
    """Move away logs that a deleted file left at `path`.

    For where a whole file is about to be put there: SQLite would take them for the new file's and
    play them into it. (Where it makes a file itself, it throws them away.)
    """
    if not path.exists():
        set_aside(path, ("-wal", "-journal", "-shm"))
