"""What is ours stays beside a graph, not inside: places, mutes, permission.

One small SQLite file per graph file in the person's data folder, keyed by the graph's path.
"""

import hashlib
import os
import sqlite3
from pathlib import Path

import platformdirs

from core.store.database import connect

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blobs (key TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS places (
    id TEXT PRIMARY KEY, x REAL NOT NULL, y REAL NOT NULL,
    fixed INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS muted_entities (entity_id TEXT PRIMARY KEY, muted_at TEXT);
"""

JOURNALED = ("muted_entities", "places")
"""The tables of the sidecar whose changes a person can take back."""


def data_folder() -> Path:
    """Where this person's sidecars and backups live; `CONSTELLATION_DATA` overrides it."""
    chosen = os.environ.get("CONSTELLATION_DATA")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("constellation"))


def sidecar_path(graph: Path, folder: Path) -> Path:
    """The sidecar of one graph file."""
    digest = hashlib.sha256(str(graph.resolve()).encode()).hexdigest()[:16]
    return folder / "beside" / f"{graph.stem[:40]}-{digest}.db"


def prepare(path: Path) -> None:
    """Create the sidecar if it is not there; a damaged one is set aside, never trusted."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        _create(path)
    except sqlite3.DatabaseError as error:
        if "locked" in str(error):
            raise
        for suffix in ("", "-wal", "-shm"):
            piece = path.with_name(path.name + suffix)
            if piece.exists():
                piece.replace(piece.with_name(piece.name + ".damaged"))
        _create(path)


def _create(path: Path) -> None:
    connection = connect(path, mode="rwc")
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(SCHEMA)
    finally:
        connection.close()


def attach(connection: sqlite3.Connection, path: Path, *, mode: str) -> None:
    """Make the sidecar readable (or writable) as `side` on a graph's connection."""
    connection.execute("ATTACH ? AS side", (f"{path.absolute().as_uri()}?mode={mode}",))
    connection.execute("PRAGMA side.synchronous = NORMAL")
