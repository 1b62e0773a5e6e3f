"""Where a graph's sidecar file lies, its tables, and how it is made, checked and attached.

One small SQLite file per graph file in the person's data folder, keyed by the graph's path and the
file's identity, so that an earlier file at the path is not confused with it.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.errors import OpenError
from core.store.database import (
    columns_of,
    connect,
    is_damage,
    memory,
    ordinary_tables,
    quoted,
)

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blobs (key TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS places (
    id TEXT PRIMARY KEY, x REAL NOT NULL, y REAL NOT NULL,
    fixed INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS asked (
    number INTEGER PRIMARY KEY AUTOINCREMENT, agent_id TEXT NOT NULL, at TEXT NOT NULL,
    fields TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS idx_asked_agent ON asked(agent_id, number);
CREATE TABLE IF NOT EXISTS visits (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, who TEXT NOT NULL, door TEXT NOT NULL,
    address TEXT NOT NULL, since TEXT NOT NULL, seen TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS muted_entities (entity_id TEXT PRIMARY KEY, muted_at TEXT);
CREATE TABLE IF NOT EXISTS other_names (
    id TEXT PRIMARY KEY, entity_id TEXT NOT NULL, agent_id TEXT NOT NULL, alias TEXT NOT NULL,
    canonical_alias TEXT NOT NULL, confidence REAL, source TEXT, status TEXT NOT NULL,
    created_at TEXT, updated_at TEXT);
CREATE TABLE IF NOT EXISTS restored_versions (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, attribute_id TEXT NOT NULL, held_from TEXT,
    held_until TEXT, restored_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS review_dates (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, review_after TEXT NOT NULL, set_by TEXT,
    updated_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS disputed_values (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, older_id TEXT NOT NULL, newer_id TEXT NOT NULL,
    asked_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS imported_fields (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, owner_id TEXT NOT NULL, fields TEXT NOT NULL,
    source_path TEXT, created_at TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS idx_imported_fields_owner ON imported_fields(owner_id);
CREATE TABLE IF NOT EXISTS expectations (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, question TEXT NOT NULL, must INTEGER NOT NULL,
    kind TEXT NOT NULL, target_id TEXT NOT NULL, made_at TEXT NOT NULL, made_by TEXT);
CREATE INDEX IF NOT EXISTS idx_expectations_agent ON expectations(agent_id, made_at);
CREATE TABLE IF NOT EXISTS change_records (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, subject_id TEXT NOT NULL, event TEXT NOT NULL,
    old_content TEXT, new_content TEXT, changed_by TEXT NOT NULL, reason TEXT, metadata TEXT,
    created_at TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS idx_change_records_subject ON change_records(subject_id, event);
CREATE TABLE IF NOT EXISTS inbox_seen (
    id TEXT NOT NULL, agent_id TEXT NOT NULL, seen_at TEXT NOT NULL, PRIMARY KEY (id, agent_id));
CREATE TABLE IF NOT EXISTS inbox_since (agent_id TEXT PRIMARY KEY, since TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS inbox_holds (
    hand TEXT NOT NULL, agent_id TEXT NOT NULL, since TEXT NOT NULL, PRIMARY KEY (hand, agent_id));
CREATE TABLE IF NOT EXISTS watched_folders (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, path TEXT NOT NULL, since TEXT NOT NULL,
    changed_at TEXT NOT NULL DEFAULT '', changes INTEGER NOT NULL DEFAULT 0,
    fault TEXT NOT NULL DEFAULT '');
CREATE UNIQUE INDEX IF NOT EXISTS idx_watched_folders ON watched_folders(agent_id, path);
CREATE TABLE IF NOT EXISTS watched_notes (
    number INTEGER PRIMARY KEY, folder_id TEXT NOT NULL, place TEXT NOT NULL,
    modified INTEGER NOT NULL, size INTEGER NOT NULL, title TEXT NOT NULL,
    permalink TEXT NOT NULL, said TEXT NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS idx_watched_notes ON watched_notes(folder_id, place);
CREATE TABLE IF NOT EXISTS watched_rows (
    folder_id TEXT NOT NULL, said TEXT NOT NULL, row_id TEXT NOT NULL, archived INTEGER NOT NULL,
    PRIMARY KEY (folder_id, said)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS watched_steps (
    folder_id TEXT PRIMARY KEY, entry INTEGER NOT NULL, tbl TEXT NOT NULL, row_id TEXT NOT NULL);
"""

BESIDE = {"entity_aliases": "other_names", "claim_restores": "restored_versions",
          "source_fields": "imported_fields", "disputed_values": "disputed_values",
          "expectations": "expectations", "claim_reviews": "review_dates",
          "automatic_changes": "change_records",
          "inbox_seen": "inbox_seen", "inbox_since": "inbox_since",
          "inbox_holds": "inbox_holds"}
"""Tables that a file lacks, and the table beside it that has their rows instead; expectations and
the marks of what was seen are beside every file."""

CHECKED = 32_000_000
"""Larger ones are not read through each time a graph is opened."""

JOURNALED = ("change_records", "disputed_values", "expectations", "imported_fields",
             "inbox_holds", "inbox_seen", "inbox_since", "muted_entities", "other_names",
             "places", "restored_versions", "review_dates")
"""The tables of the sidecar whose changes a person can take back."""

KNOWLEDGE = (*(table for table in JOURNALED if table != "places"),
             "watched_notes", "watched_rows", "watched_steps")
"""Its tables that belong to what the graph says, so that a backup of the graph has them, too."""


def data_folder() -> Path:
    """Where this person's sidecars and backups live; `CONSTELLATION_DATA` overrides it."""
    chosen = os.environ.get("CONSTELLATION_DATA")
    if chosen:
        return Path(chosen)
    import platformdirs  # noqa: PLC0415  only without that variable

    return Path(platformdirs.user_data_dir("constellation"))


OWNER = "graph"
"""The fact of the sidecar that says whose it is."""


def sidecar_path(graph: Path, folder: Path, identity: str = "", *, new: bool = False) -> Path:
    """The sidecar of one graph file.

    The sidecar of an earlier file at the same path is left unchanged, and used again if that file
    returns.

    Args:
        identity: the file's identity; empty if unknown.
        new: the file was made just now: a sidecar without an identity is not its own.
    """
    usual = usual_path(graph, folder)
    owner = _owner(usual)
    if not identity or owner in (None, identity) or (owner == "" and not new):
        return usual
    return usual.with_name(
        f"{usual.stem}-{hashlib.sha256(identity.encode()).hexdigest()[:8]}.db")


def usual_path(graph: Path, folder: Path) -> Path:
    """Where the sidecar of the first file at a path is; that of a later one begins like it."""
    real = graph.resolve()
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
    return folder / "beside" / f"{real.stem[:40]}-{digest}.db"


def _owner(path: Path) -> str | None:
    """Whose a sidecar is: empty where it does not say, None where nothing sound is there."""
    if not path.is_file():
        return None
    try:
        connection = connect(path)
        try:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (OWNER,)).fetchone()
        finally:
            connection.close()
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if is_damage(error):
            return None
        if "no such" in str(error):
            return ""
        raise no_place(path, error) from error
    return "" if row is None else str(row[0])


def make_room(folder: Path) -> None:
    """Make the folder of the sidecars. Raises OpenError where that is not allowed."""
    try:
        (folder / "beside").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise no_place(folder, error) from error


def prepare(path: Path, schema: str = SCHEMA) -> None:
    """Create a file that is kept beside a graph, with its tables, if it is not there.

    One that is damaged is set aside, never trusted; one that is locked, or that only lacks room,
    is left alone. Raises OpenError for those.
    """
    make_room(path.parent.parent)
    try:
        if not _create(path, schema):
            _set_aside(path)
            _create(path, schema)
    except (sqlite3.DatabaseError, OSError) as error:
        raise no_place(path, error) from error


def _create(path: Path, schema: str) -> bool:
    """Create the tables that are missing; False if what is there is not sound."""
    if path.is_dir():
        return False
    connection = connect(path, mode="rwc")
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        as_declared = _declared(schema).texts <= _texts(connection)
        if not as_declared:
            # In one step, or the disk is waited for once per table.
            connection.executescript(f"BEGIN; {schema} COMMIT;")
        return _is_sound(connection, path, schema, as_declared)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if is_damage(error) or "no such column" in str(error):
            return False
        raise
    finally:
        connection.close()


def _is_sound(
    connection: sqlite3.Connection, path: Path, schema: str, as_declared: bool
) -> bool:
    """True if the tables have their columns and keys, nothing else writes in them, and, as far as
    it is quick, their pages are whole.

    Args:
        as_declared: each table is there in the words of the schema; no need to look at it.
    """
    columns = _declared(schema).columns
    if not as_declared and not all(
            names <= _columns(connection, table) for table, names in columns.items()):
        return False
    if connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'trigger'").fetchone():
        return False
    if path.stat().st_size > CHECKED:
        return True
    whole = connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
    wrong = _declared(schema).wrong_numbers if as_declared else _wrong_numbers(connection, columns)
    return bool(whole) and not connection.execute(f"SELECT {wrong}").fetchone()[0]


def _wrong_numbers(connection: sqlite3.Connection, tables: Iterable[str]) -> str:
    """SQL for whether a column for whole numbers holds text or bytes, which SQLite does not
    refuse."""
    looks = []
    for table in tables:
        wrong = " OR ".join(
            f"typeof({quoted(c['name'])}) IN ('text', 'blob')"
            for c in columns_of(connection, table) if c["type"] == "INTEGER")
        if wrong:
            looks.append(f"EXISTS (SELECT 1 FROM {quoted(table)} WHERE {wrong})")
    return " OR ".join(looks) or "0"


class _Declared(NamedTuple):
    """What a schema declares.

    Attributes:
        texts: each table and index in the words in which SQLite keeps it.
        columns: those of each table.
        wrong_numbers: see `_wrong_numbers`.
    """

    texts: frozenset[tuple[object, ...]]
    columns: dict[str, frozenset[tuple[str, int]]]
    wrong_numbers: str


@cache
def _declared(schema: str) -> _Declared:
    connection = memory()
    connection.executescript(schema)
    columns = {table: _columns(connection, table) for table in ordinary_tables(connection)}
    declared = _Declared(_texts(connection), columns, _wrong_numbers(connection, columns))
    connection.close()
    return declared


def _texts(connection: sqlite3.Connection) -> frozenset[tuple[object, ...]]:
    # As bytes: a text may be none.
    return frozenset(map(tuple, connection.execute(
        "SELECT type, CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB)"
        " FROM sqlite_master")))


def _columns(connection: sqlite3.Connection, table: str) -> frozenset[tuple[str, int]]:
    """The columns of a table, each with its place in the key."""
    return frozenset((c["name"], c["pk"]) for c in columns_of(connection, table))


def _set_aside(path: Path) -> None:
    """Move a damaged file and its side files out of the way; nothing is thrown away."""
    number = 1
    while (name := f"{path.name}.damaged-{number}") in _names(path.parent):
        number += 1
    for suffix in ("-wal", "-shm", ""):
        piece = path.with_name(path.name + suffix)
        if piece.exists():
            piece.replace(path.with_name(name + suffix))


def _names(folder: Path) -> set[str]:
    return {item.name for item in folder.iterdir()}


def no_place(path: Path, error: Exception) -> OpenError:
    """Why nothing can be kept beside a graph, in words."""
    if "locked" in str(error):
        return OpenError(
            "locked", "The data file of this program for the graph is locked by another program",
            where=str(path), detail=str(error),
            do="Close the other program or try again in a moment")
    if "disk" in str(error) or "No space" in str(error):
        return OpenError("unwritable", "There is not enough disk space for this program's data "
                                       "about the graph",
                         where=str(path), detail=str(error),
                         do="Free some space, then try again; nothing was lost")
    return OpenError("unwritable", "This program's data about the graph can't be written",
                     where=str(path), detail=str(error),
                     do="Set CONSTELLATION_DATA to a folder that you may write to")


def attach(connection: sqlite3.Connection, path: Path, *, mode: str) -> None:
    """Make the sidecar readable (or writable) as `side` on a graph's connection."""
    connection.execute("ATTACH ? AS side", (f"{path.absolute().as_uri()}?mode={mode}",))
    connection.execute("PRAGMA side.synchronous = NORMAL")


def copy_knowledge(source: Path, target: Path) -> None:
    """Have the tables of `KNOWLEDGE` in one sidecar hold what they hold in another."""
    connection = connect(target, mode="rwc")
    try:
        connection.executescript(f"BEGIN; {SCHEMA} COMMIT;")
        connection.execute("ATTACH ? AS source", (f"{source.absolute().as_uri()}?mode=ro",))
        connection.execute("BEGIN IMMEDIATE")
        there = {row[0] for row in connection.execute(
            "SELECT name FROM source.sqlite_master WHERE type = 'table'")}
        for table in there.intersection(KNOWLEDGE):  # An older backup has fewer of them.
            connection.execute(f"DELETE FROM main.{table}")
            connection.execute(f"INSERT INTO main.{table} SELECT * FROM source.{table}")
        connection.execute("COMMIT")
    finally:
        connection.close()
