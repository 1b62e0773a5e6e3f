"""Keeps a commit that SQLite has refused from coming back after a crash.

The write-ahead log is written before its index. Where the log has room and the index can't grow
(a full disk, SQLITE_IOERR_SHMSIZE), COMMIT is refused and rolled back, but stands whole in the log:
the next program that opens the file after a crash takes it for done.
"""

import sqlite3
from contextlib import suppress


def overwrite_failed_commit(connection: sqlite3.Connection) -> None:
    """Write a transaction that changes nothing over the one that was refused.

    Where that is refused as well, its first page lies over the other's all the same, and what
    follows no longer fits to it. It does nothing while a transaction is still open.
    """
    if connection.in_transaction:
        return
    with suppress(sqlite3.Error):
        connection.execute("BEGIN IMMEDIATE")
        [version] = connection.execute("PRAGMA main.user_version").fetchone()
        connection.execute(f"PRAGMA main.user_version = {int(version)}")
        connection.execute("COMMIT")
    with suppress(sqlite3.Error):
        connection.execute("ROLLBACK")  # where that was refused as well
