"""Tells which rows other processes of this program have changed, where that is certain.

SQLite only says that somebody has written. Each commit ends with a mark in the write-ahead log, and
each change by this program is an entry of the undo log. Where there are as many of one as of the
other, the undo log tells everything; what another program wrote has no entry.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.model.changes import Changes
from core.store.graph_file import contents_state
from core.store.sidecar_file import JOURNALED
from core.store.stale_wal import commits_in_log
from core.store.undo_log import UndoLog

OTHER_PROCESS = "other process"
"""The initiator of Changes by another process, of this program or any other."""
ALONGSIDE = frozenset(("ontology_proposals", "automatic_changes"))
"""Where a change may leave a record that is no step of its entry."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """How far both logs were at a moment.

    Attributes:
        log: tells the write-ahead log from any other; while it is empty, the state of the graph's
            own file, which changes when a log is brought over into it.
        commits: in the write-ahead log.
        moved: how many changes of entries the undo log has counted.
    """

    log: object
    commits: int
    moved: int


class OutsideChanges:
    """Follows both logs of one graph; used on one thread.

    Args:
        path: the graph's own file, not a link to it.
        undo_log: the one beside it.
    """

    def __init__(self, path: Path, undo_log: UndoLog) -> None:
        self._path, self._undo_log = path, undo_log
        self._before: _Seen | None = None

    @property
    def is_following(self) -> bool:
        """True if it is known how far both logs were."""
        return self._before is not None

    def forget(self) -> None:
        """Nothing is certain of what comes next: the connections are others."""
        self._before = None

    def follow(self, version: Callable[[], int], seen: int) -> None:
        """Keep how far both logs are, if `version` is still what was seen last."""
        self._before = self._now(version, seen)

    def changes(self, version: Callable[[], int], seen: int) -> Changes | None:
        """What was committed since the last call of this or `follow`; None where not all is known.

        Own changes may be among it.
        """
        before, now = self._before, self._now(version, seen)
        self._before = now
        if before is None or now is None:
            return None
        commits = now.commits - (before.commits if now.log == before.log else 0)
        known = now.log == before.log or (
            not before.commits and before.log == contents_state(self._path))
        if not known or commits < 1 or commits != now.moved - before.moved:
            return None
        ids = self._undo_log.touched_since(before.moved)
        if ids is None or not frozenset(JOURNALED).isdisjoint(ids):
            return None
        tables = ALONGSIDE.union(ids, ("entity_dependency_history",)
                                 if "entity_dependencies" in ids else ())
        return Changes(tables, ids, OTHER_PROCESS)

    def _now(self, version: Callable[[], int], seen: int) -> _Seen | None:
        moved = self._undo_log.moved()
        if moved is None or version() != seen:
            return None
        try:
            log, commits = commits_in_log(self._path)
            state = _Seen(log if commits else contents_state(self._path), commits, moved)
        except OSError:
            return None
        # Both logs were looked at while nobody committed, or it is not known what was seen.
        return state if version() == seen and self._undo_log.moved() == moved else None
