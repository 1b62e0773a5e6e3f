"""Connections to SQLite with the settings that every part of the store relies on."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from core import error_advice
from core.errors import Busy, ConstellationError, Damaged, DeadlinePassed
from core.model.names import name_key
from core.store.read_bytes_keeping_locks import CountedConnection

Row = sqlite3.Row
BUSY_MS = 5000
"""How long a statement waits for another process's lock, as Signet's own connections do."""


def connect(path: Path, *, mode: str = "ro", immutable: bool = False) -> sqlite3.Connection:
    """A connection in autocommit, usable from any one thread at a time.

    Args:
        path: the file.
        mode: `ro`, `rw` or `rwc` (create).
        immutable: read a file in a folder where SQLite may not place its side files; only for
            files that nobody writes.
    """
    uri = f"{path.absolute().as_uri()}?mode={mode}" + ("&immutable=1" if immutable else "")
    connection = CountedConnection(
        uri, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000,
        cached_statements=256, counted=path,
    )
    connection.row_factory = sqlite3.Row
    connection.create_function("name_key", 1, _name_key, deterministic=True)
    connection.execute("PRAGMA temp_store = MEMORY")
    _be_wary(connection, reading=mode == "ro")
    return connection


def _be_wary(connection: sqlite3.Connection, *, reading: bool) -> None:
    """Take the file for one that may be damaged, or made to do harm.

    What its own views and triggers may call is only limited while nothing is written: Signet's
    triggers keep a full text index, which SQLite counts as unsafe. The TEMP views are not meant.
    """
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute(f"PRAGMA trusted_schema = {'OFF' if reading else 'ON'}")
    configure = getattr(connection, "setconfig", None)
    if configure is not None:  # since Python 3.12
        configure(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # type: ignore[attr-defined]


def _name_key(name: object) -> str | None:
    """`name_key` for SQL: a name that is missing, or no text, is known by nothing."""
    return name_key(name) if isinstance(name, str) else None


def memory(*, cached_statements: int = 128) -> sqlite3.Connection:
    """A private database in memory, usable from any one thread at a time."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False,
                                 cached_statements=cached_statements)
    connection.row_factory = sqlite3.Row
    return connection


def library_version() -> str:
    """The version of SQLite that runs."""
    return sqlite3.sqlite_version


def read_tolerantly(connection: sqlite3.Connection) -> None:
    """Decode broken UTF-8 with replacement marks instead of failing the whole statement."""
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")


SqliteError = sqlite3.DatabaseError | UnicodeDecodeError | MemoryError
"""What a call of SQLite may raise: a damaged length may ask for more memory than there is."""


class in_words:  # noqa: N801 (used as a function)
    """Turn SQLite's own errors into ones a person can read; everything else passes."""

    __slots__ = ("_path",)

    def __init__(self, path: Path | str) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, SqliteError) and not isinstance(error, sqlite3.IntegrityError):
            raise worded(error, self._path) from error


def worded(error: SqliteError, path: Path | str) -> ConstellationError:
    """The sentence for one SQLite error on `path`."""
    text, where = str(error), str(path)
    if text == "interrupted":
        return DeadlinePassed("The time limit was reached", where=where)
    if "locked" in text or "busy" in text:
        return Busy(
            "The file is locked by another program", where=where, detail=text,
            do="Close the other program or try again in a moment")
    if is_damage(error):
        return Damaged(
            "A part of the file is damaged", where=where, detail=text or "out of memory",
            do=error_advice.DAMAGED)
    if "readonly" in text and Path(f"{where}-journal").exists():
        # Only a connection that may write can roll back what another program left half-done.
        return ConstellationError(
            "Another program was stopped in the middle of writing this file", where=where,
            detail=text, do=error_advice.HALF_WRITTEN)
    if "readonly" in text:
        return ConstellationError(
            "The file can't be written", where=where, detail=text,
            do="Check its permissions and those of its folder")
    if "disk is full" in text or "disk I/O" in text:
        return ConstellationError(
            "The disk could not be read or written", where=where, detail=text,
            do="Free some space or check the disk, then try again; no change was left incomplete")
    if "unable to open" in text:
        return ConstellationError(
            "The file, or a file next to it (-wal, -shm, -journal), can't be opened",
            where=where, detail=text,
            do="Check the permissions of its folder, or copy all of these and open the copy")
    return ConstellationError("SQLite reported an error", where=where, detail=text)


def is_damage(error: Exception) -> bool:
    """True if SQLite reports a damaged database."""
    # Where damage hits a name of the schema, the message itself is no text any more.
    return isinstance(error, UnicodeDecodeError | MemoryError) or any(
        word in str(error)
        for word in ("malformed", "corrupt", "not a database", "decode to UTF-8"))


def quoted(name: str) -> str:
    """An identifier for use in SQL text."""
    return '"' + name.replace('"', '""') + '"'


def ordinary_tables(connection: sqlite3.Connection, schema: str = "main") -> tuple[str, ...]:
    """The tables of `schema` that store rows themselves: no views, virtual or shadow tables."""
    rows = connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = ? AND type = 'table' "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name", (schema,)).fetchall()
    virtual = {r[0] for r in connection.execute(
        f"SELECT name FROM {schema}.sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'")}
    return tuple(r[0] for r in rows
                 if not any(r[0].startswith(v + "_") or r[0] == v for v in virtual))


def columns_of(connection: sqlite3.Connection, table: str, schema: str = "main") -> list[Row]:
    """`PRAGMA table_info` of one table: name, type, notnull, dflt_value, pk.

    None of what has a table's name and is none: a view of a file may run for ever.
    """
    if table in views_of(connection, schema):
        return []
    return connection.execute(
        "SELECT * FROM pragma_table_info(?, ?)", (table, schema)).fetchall()


def views_of(connection: sqlite3.Connection, schema: str = "main") -> frozenset[str]:
    """The names of the views in `schema`."""
    return frozenset(row[0] for row in connection.execute(
        f"SELECT name FROM {schema}.sqlite_master WHERE type = 'view'"))


def without_row_numbers(connection: sqlite3.Connection) -> frozenset[str]:
    """The tables of the file whose rows have no `rowid`."""
    return frozenset(row[0] for row in connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND wr"))


def key_of(columns: Sequence[Row]) -> tuple[str, ...]:
    """The columns that name a row to a person: `id` where there is one, else the primary key."""
    names = [c["name"] for c in columns]
    if "id" in names:
        return ("id",)
    return tuple(c["name"] for c in sorted(columns, key=lambda c: c["pk"]) if c["pk"])
