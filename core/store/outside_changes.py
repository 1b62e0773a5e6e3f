"""Tells which rows other processes have changed, where that is certain.

SQLite only says that somebody has written. Each commit ends with a mark in the write-ahead log, and
each change by this program is an entry of the undo log. Where there are as many of one as of the
other, the undo log tells everything; what another program wrote has no entry. The pages that it
wrote tell which rows may be other.
"""

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from core.model.changes import Changes
from core.store.changed_rows_from_wal import Range, written_ranges
from core.store.database import without_row_numbers
from core.store.graph_file import contents_state
from core.store.reader_and_writer import Reader
from core.store.sidecar_file import JOURNALED
from core.store.stale_wal import commits_in_log
from core.store.undo_log import UndoLog

OTHER_PROCESS = "other process"
"""The initiator of Changes by another process, of this program or any other."""
ALONGSIDE = frozenset(("ontology_proposals", "automatic_changes"))
"""Where a change may leave a record that is no step of its entry."""


class _Seen(Struct, frozen=True):
    """How far both logs were at a moment.

    Attributes:
        log: tells the write-ahead log from any other; while it is empty, the state of the graph's
            own file, which changes when a log is brought over into it.
        commits: in the write-ahead log.
        frames: how many frames those commits have.
        schema: the tables that there were.
        moved: how many changes of entries the undo log has counted.
    """

    log: object
    commits: int
    frames: int
    schema: "Schema"
    moved: int


class Schema(Struct, frozen=True):
    """The tables of a file.

    Attributes:
        cookie: a number that differs after each change of them.
        roots: the first page of each whose rows have numbers.
        unnumbered: those whose rows have none, and lie among the indices.
    """

    cookie: int
    roots: Mapping[str, int]
    unnumbered: frozenset[str]


def schema_of(connection: sqlite3.Connection, known: Schema | None = None) -> Schema:
    """The tables of an open file; those that are `known` if it has no others."""
    cookie = int(connection.execute("PRAGMA main.schema_version").fetchone()[0])
    if known is not None and known.cookie == cookie:
        return known
    unnumbered = without_row_numbers(connection)
    rows = connection.execute(
        "SELECT name, rootpage FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0")
    return Schema(cookie, {name: page for name, page in map(tuple, rows)
                           if name not in unnumbered}, frozenset(unnumbered))


class OutsideChanges:
    """Follows both logs of one graph; used on one thread.

    Args:
        path: the graph's own file, not a link to it.
        undo_log: the one beside it.
    """

    def __init__(self, path: Path, undo_log: UndoLog) -> None:
        self._path, self._undo_log = path, undo_log
        self._before: _Seen | None = None
        self._schema: Schema | None = None

    @property
    def is_following(self) -> bool:
        """True if it is known how far both logs were."""
        return self._before is not None

    def forget(self) -> None:
        """Nothing is certain of what comes next: the connections are others."""
        self._before = None

    def follow(self, version: Callable[[], int], seen: int, watched: Reader) -> None:
        """Keep how far both logs are, if `version` is still what was seen last."""
        self._before = self._now(version, seen, watched)

    def changes(self, version: Callable[[], int], seen: int, watched: Reader) -> Changes | None:
        """What was committed since the last call of this or `follow`; None where not all is known.

        Own changes may be among it.

        Args:
            version: what differs after each commit; still `seen` if nobody has committed since.
            watched: a reader of the file.
        """
        before, now = self._before, self._now(version, seen, watched)
        self._before = now
        if before is None or now is None:
            return None
        same = now.log == before.log
        commits = now.commits - (before.commits if same else 0)
        known = same or (not before.commits and before.log == contents_state(self._path))
        ids = self._undo_log.touched_since(before.moved) if known and commits > 0 else None
        if ids is None or not frozenset(JOURNALED).isdisjoint(ids):
            return None
        if commits == now.moved - before.moved:
            return _changes(frozenset(ids), ids)
        if now.schema != before.schema:
            return None
        changes = self._by_pages(now, before.frames if same else 0, ids)
        # Pages of a later commit may have been among those that were read.
        return changes if version() == seen else None

    def _by_pages(
        self, now: _Seen, frames: int, ids: Mapping[str, frozenset[str]]
    ) -> Changes | None:
        """What the pages tell that were written after so many frames."""
        ranges = written_ranges(self._path, str(now.log), (frames, now.frames),
                                now.schema.roots, now.schema.cookie)
        if ranges is None:
            return None
        tables = now.schema.unnumbered.union(ranges, ids)
        return _changes(tables, {table: ids[table] for table in ids.keys() - ranges.keys()}, ranges)

    def _now(self, version: Callable[[], int], seen: int, watched: Reader) -> _Seen | None:
        moved = self._undo_log.moved()
        if moved is None or version() != seen:
            return None
        try:
            log, commits, frames = commits_in_log(self._path)
            self._schema = schema_of(watched.connection, self._schema)
            state = _Seen(log if commits else contents_state(self._path), commits, frames,
                          self._schema, moved)
        except (OSError, sqlite3.Error):
            return None
        # Both logs were looked at while nobody committed, or it is not known what was seen.
        return state if version() == seen and self._undo_log.moved() == moved else None


def _changes(
    tables: frozenset[str], ids: Mapping[str, frozenset[str]],
    ranges: Mapping[str, tuple[Range, ...]] | None = None,
) -> Changes:
    beside = {"entity_dependency_history"} if "entity_dependencies" in tables else set()
    if ids or not ranges:
        beside |= ALONGSIDE
    return Changes(tables | beside, ids, OTHER_PROCESS, ranges=ranges or {})
