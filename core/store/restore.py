"""Puts a backup in a graph's place, and keeps what was there as a backup of its own."""

import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from core import error_advice
from core.errors import ConstellationError, OpenError
from core.model.text_formatting import counted, one_line
from core.store import sidecar_file
from core.store.backup import (
    BESIDE,
    HISTORY,
    back_up,
    backups_of,
    check,
    connect_copy,
    copy_file,
    made_at,
    order_made,
)
from core.store.database import connect, in_words, is_damage
from core.store.file_detection import DetectedFile, inspect
from core.store.stale_wal import has_frames

COUNTED = {"entities": "status", "entity_attributes": "status", "memories": "is_deleted"}
"""The tables that are counted, and what says of a row that it does not count any more."""
NOUNS = {"entities": "entity", "entity_attributes": "value", "memories": "memory"}
_ASIDE = ("", "-wal", "-shm", "-journal")
WAIT = 10.0
"""Seconds that a file which another program reads or writes is waited for."""


class Backup(Struct, frozen=True):
    """A backup of a graph: `bytes` is its size, `counts` how many of each thing it has.

    A backup that can't be read has no counts, one without its history no last change.
    """

    path: Path
    made_at: datetime
    bytes: int
    counts: dict[str, int]
    last_change: str = ""
    """What was changed last before it was made: `Pin “Vega”`."""
    since: tuple[str, ...] = ()
    """What has been changed since and is not in it, newest first, of the newest `LOOKED`."""


LOOKED = 1_000
_STEPS = """
SELECT id, at, label FROM entries WHERE state = 'done'
ORDER BY MAX(id, moved) DESC, id DESC LIMIT :most"""


def list_backups(graph: Path, folder: Path | None = None) -> list[Backup]:
    """The backups of the graph at a path, newest first; the file itself may be gone or damaged."""
    beside = sidecar_file.usual_path(graph, folder or sidecar_file.data_folder())
    now = _steps(beside.with_name(f"{beside.stem}-undo.db"))
    return [_listed(path, now) for path in backup_paths(graph, folder)]


def _listed(path: Path, now: Mapping[tuple[object, ...], str]) -> Backup:
    then = _steps(path.with_suffix(HISTORY))
    since = tuple(label for step, label in now.items() if step not in then) if then else ()
    return Backup(path, made_at(path), path.stat().st_size, count_rows(path),
                  next(iter(then.values()), ""), since)


def backup_paths(graph: Path, folder: Path | None = None) -> list[Path]:
    """Where they are, newest first."""
    folder = folder or sidecar_file.data_folder()
    backups = folder / "backups"
    usual = sidecar_file.usual_path(graph, folder).stem
    own = [backups / usual, *backups.glob(f"{usual}-*")]
    paths = {path for one in own for path in backups_of(one, graph.stem)}
    paths |= {path for path in backups_of(backups / graph.stem, graph.stem) if _fits(graph, path)}
    return sorted(paths, key=order_made, reverse=True)


def _steps(history: Path) -> dict[tuple[object, ...], str]:
    """What was done last and is in force, newest first: the labels by number and time."""
    if not history.exists():
        return {}
    try:
        with closing(connect(history)) as connection:
            return {(row["id"], row["at"]): str(row["label"])
                    for row in connection.execute(_STEPS, {"most": LOOKED})}
    except sqlite3.DatabaseError:
        return {}


def count_rows(path: Path) -> dict[str, int]:
    """How many entities, values in force and memories a file has, of every agent."""
    try:
        with closing(connect(path)) as connection:
            return {table: _count(connection, table, column) for table, column in COUNTED.items()}
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return {}


def difference(counts: Mapping[str, int], now: Mapping[str, int]) -> str:
    """What a backup has more or less than the graph has now, in words; empty if unknown."""
    if not counts or not now:
        return ""
    steps = [(counts[table] - now[table], noun) for table, noun in NOUNS.items()]
    words = [f"{'+' if step > 0 else '−'}{counted(abs(step), noun)}"
             for step, noun in steps if step]
    return ", ".join(words) or "as many of each"


def changed_since(backup: Backup, longest: int) -> str:
    """What was changed since a backup, in words: `Set phone of Anna, and 2 more`.

    Args:
        longest: the characters of a change that are told.
    """
    if not backup.since:
        return ""
    others = len(backup.since) - 1
    more = f", and {others:,} more" if others else ""
    return f"{one_line(backup.since[0], longest)}{more}"


def put_back(
    graph: Path, backup: Path, aside: Path, history: Path, sidecar: Path
) -> Path | None:
    """Give a graph the contents of a backup; returns the backup of what was there.

    The file stays the same one, so that programs that have it open go on with the new contents:
    they see them as one commit. Only a file that SQLite can't open any more is replaced; then
    it is kept next to the new one under another name, and None is returned.

    Args:
        graph: the file; no connection of this process may write it meanwhile.
        aside: the folder for the backup of what was there.
        history: the undo log, which gets its own state of then.
        sidecar: what is kept beside the graph; what belongs to the graph gets its state of then.

    Raises OpenError where the backup is no graph or one of another graph, Damaged where it is not
    whole; nothing has been changed then.
    """
    _must_fit(graph, backup)
    kept: Path | None = None
    try:
        kept = back_up(graph, aside, history, sidecar, keep=backup)
        _copy_into(backup, graph)
    except (ConstellationError, FileNotFoundError) as error:
        if not _is_beyond_use(graph):
            raise
        _replace(graph, backup, error)
    if backup.with_suffix(HISTORY).exists() and history.exists():
        _copy_into(backup.with_suffix(HISTORY), history)
    if backup.with_suffix(BESIDE).exists() and sidecar.exists():
        with in_words(sidecar):
            sidecar_file.copy_knowledge(backup.with_suffix(BESIDE), sidecar)
    return kept


def put_back_closed(graph: Path, backup: Path, folder: Path | None = None) -> Path | None:
    """The same for a file that may be too damaged to be opened."""
    folder = folder or sidecar_file.data_folder()
    beside = sidecar_file.usual_path(graph, folder)
    return put_back(graph, backup, folder / "backups" / beside.stem,
                    beside.with_name(f"{beside.stem}-undo.db"), beside)


def _fits(graph: Path, backup: Path) -> bool:
    """False for a backup of another graph: earlier versions kept some by the file's name alone."""
    try:
        return _of_one_graph(graph, inspect(backup))
    except ConstellationError:
        return True  # It is listed without counts, and refused in words.


def _of_one_graph(graph: Path, backup: DetectedFile) -> bool:
    try:
        now = inspect(graph)
    except ConstellationError:
        return True  # Nothing can be said of what is there.
    return now.kind == backup.kind and (not now.identity or backup.identity in ("", now.identity))


def _must_fit(graph: Path, backup: Path) -> None:
    file = inspect(backup)
    with in_words(backup):
        check(backup)
    if not _of_one_graph(graph, file):
        raise OpenError("foreign", "This is a backup of another graph", where=str(backup),
                        do=error_advice.BACKUPS)


def _copy_into(source: Path, target: Path) -> None:
    """Copy a database into one that may be open; raises Busy in words if it is never free."""
    until = time.monotonic() + WAIT

    def give_up(status: int, _remaining: int, _total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > until:
            raise sqlite3.OperationalError("database is locked")

    with in_words(target), closing(connect_copy(source)) as backup, \
            closing(connect(target, mode="rw")) as live:
        live.execute("PRAGMA busy_timeout = 0").close()  # It is waited for here.
        # All pages in one step: one that must wait for others has copied none.
        backup.backup(live, progress=give_up, sleep=0.05)
        live.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _is_beyond_use(graph: Path) -> bool:
    """True where SQLite does not take the file as a database that it could write to."""
    if not graph.exists():
        return True
    try:
        with closing(connect(graph, mode="rw")) as connection:
            return str(connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok"
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return is_damage(error)


def _replace(graph: Path, backup: Path, why: Exception) -> None:
    number = 1
    while any(graph.with_name(f"{graph.name}.damaged-{number}{end}").exists() for end in _ASIDE):
        number += 1
    half = graph.with_name(f"{graph.name}.part")
    try:
        copy_file(backup, half, immutable=not has_frames(backup))
        for end in _ASIDE:
            piece = graph.with_name(f"{graph.name}{end}")
            if piece.exists():
                piece.replace(graph.with_name(f"{graph.name}.damaged-{number}{end}"))
        half.replace(graph)
    except OSError as error:
        raise OpenError("unwritable", "The backup could not be put in place", where=str(graph),
                        do="Check the folder's permissions and the room on the disk",
                        detail=str(error)) from why
    finally:
        half.unlink(missing_ok=True)


def _count(connection: sqlite3.Connection, table: str, column: str) -> int:
    gone = "is_deleted = 0" if column == "is_deleted" else "coalesce(status, 'active') = 'active'"
    columns = {row["name"] for row in connection.execute(f"PRAGMA table_info({table})")}
    where = f" WHERE {gone}" if column in columns else ""
    return int(connection.execute(f"SELECT count(*) FROM {table}{where}").fetchone()[0])
