"""The queue as last read, without proposals being decided, and the flags."""

import json
from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QObject, Signal

from core.model.changes import Changes
from core.store.outside_changes import OTHER_PROCESS
from core.store.reader_and_writer import Reader
from ui.context import Context
from ui.models.decisions import Decisions
from ui.models.review_queue import (
    ARRANGED,
    PAGE,
    Arrangement,
    Queue,
    QueueRow,
    load_queue,
    state_of_queue,
)

FLAGS = "review.flagged"
INITIATOR = "proposals"
"""Of our own decisions: the queue knows of them and is not read again."""

_Reading = tuple[Queue, frozenset[str], tuple[object, ...]]
"""The queue, the flags, and the state in which they were read."""


class PendingProposals(QObject):
    """The pending proposals."""

    changed = Signal()
    failed = Signal(object)
    missed = Signal(str)
    """A proposal that was looked for waits no longer."""

    def __init__(self, context: Context, decisions: Decisions, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._decisions = context, decisions
        self.loaded = False
        self._most = PAGE
        self._sought, self._tells = "", False
        """The proposal that is looked for, and whether it is told when it is missed."""
        self.reads = 0
        """The number of the last read that has begun."""
        self.came_back: list[str] = []
        """What waits again by an undo that the last read has found."""
        self._rows: dict[str, QueueRow] = {}
        """What was read and has not been decided since, also what is being decided."""
        self._total = 0
        self.kept = True
        """False of a file that can keep no proposals."""
        self._flagged: frozenset[str] | None = None
        self._reading = False
        self._again = False
        self._state: tuple[object, ...] | None = None

    @property
    def rows(self) -> tuple[QueueRow, ...]:
        """The pending rows, without those being decided."""
        hidden = self._decisions.writing
        return tuple(row for row in self._rows.values() if row.id not in hidden)

    @property
    def any(self) -> bool:
        """True if there are such rows."""
        return len(self._rows) > self._hidden

    @property
    def total(self) -> int:
        """All that wait, also those beyond the rows that were loaded."""
        return self._total - self._hidden

    @property
    def _hidden(self) -> int:
        return sum(key in self._rows for key in self._decisions.writing)

    def row(self, proposal_id: str) -> QueueRow | None:
        """The line of this proposal; None if it was not read, or has been decided."""
        return self._rows.get(proposal_id)

    def name_of(self, proposal_id: str) -> str:
        """How a step is labelled that decides on this proposal."""
        row = self.row(proposal_id)
        parts = (row.title, row.target) if row else ()
        return " · ".join(part for part in parts if part) or "a proposal"

    def remove(self, ids: Iterable[str]) -> None:
        """These have been decided; the rest is read where few are left of many."""
        self._drop(ids)
        if len(self._rows) < PAGE // 2 and self._total > len(self._rows):
            self.read()

    def _drop(self, ids: Iterable[str]) -> None:
        for key in ids:
            if self._rows.pop(key, None) is not None:
                self._total -= 1

    def show_more(self) -> bool:
        """Read the next page of older proposals; False if there are none."""
        if len(self._rows) >= self._total:
            return False
        self._most = len(self._rows) + PAGE
        self.read()
        return True

    def follow(self, how: Arrangement) -> None:
        """Read more of them where they are shown in another order than they came."""
        if not how.plain and self._most < ARRANGED:
            self._most = ARRANGED
            if self.any and len(self._rows) < self._total:
                self.read()

    def look_for(self, proposal_id: str, *, tell: bool = True) -> None:
        """Read as far as this one; `tell` by `missed` where it waits no longer."""
        if tell or len(self._rows) < self._total:
            self._sought, self._tells = proposal_id, tell
            self.read()

    def refresh(self, changes: Changes | None) -> None:
        """Read the queue again if a commit may have changed it."""
        if changes is None or changes.external or changes.initiator == OTHER_PROCESS:
            self._flagged = None
        if changes is None or (changes.touches("ontology_proposals")
                               and changes.initiator != INITIATOR):
            self.read(unless=self._state if changes and changes.external else None)

    def read(self, unless: tuple[object, ...] | None = None) -> None:
        """Read the queue again, `unless` it is still in this state."""
        if self._reading:
            self._again = True
            return
        self._reading, self._again = True, False
        self.reads += 1
        flagged, number, most, sought = self._flagged, self.reads, self._most, self._sought

        def query(reader: Reader) -> _Reading | None:
            marks = self._load_flags() if flagged is None else flagged
            state = (*state_of_queue(reader), marks)
            return None if state == unless else (
                load_queue(reader, marks, most, sought), marks, state)

        self._context.runner.read(query, partial(self._got, number), self._not_read)

    def _got(self, number: int, reading: _Reading | None) -> None:
        self._reading = False
        if reading is not None:
            queue, marks, self._state = reading
            self._flagged = marks if self._flagged is None else self._flagged
            self._rows = {row.id: row for row in queue.rows}
            self._total, self.kept = queue.total, queue.kept
            self.came_back = self._decisions.notice_undone(self._rows, number)
            self._drop(self._decisions.unknown_to(number))
            self.loaded = True
            self._most = max(self._most, len(queue.rows))
            self.changed.emit()
            self._tell_missed()
        if self._again:
            self.read()

    def _tell_missed(self) -> None:
        """Once nothing more is read: what was looked for and is not there."""
        if self._sought and not self._again:
            sought, self._sought = self._sought, ""
            if self._tells and sought not in self._rows:
                self.missed.emit(sought)

    def _not_read(self, error: BaseException) -> None:
        self._reading = False
        self.failed.emit(error)

    def toggle_flag(self, proposal_id: str) -> None:
        """Set or clear the flag as it is shown; it is stored in the sidecar, beside others."""
        flagged = self._flagged or frozenset()
        on = proposal_id not in flagged
        self._flagged = flagged | {proposal_id} if on else flagged - {proposal_id}
        self._context.runner.job(lambda _job: self._store_flag(proposal_id, on=on))
        self.read()

    def _store_flag(self, proposal_id: str, *, on: bool) -> None:
        # What another window has flagged meanwhile stays.
        stored = self._load_flags() - {proposal_id}
        marks = stored | {proposal_id} if on else stored
        self._context.workspace.sidecar.put(FLAGS, json.dumps(sorted(marks)).encode())

    def _load_flags(self) -> frozenset[str]:
        try:
            flags = json.loads(self._context.workspace.sidecar.get(FLAGS) or b"[]")
        except ValueError:
            return frozenset()
        return frozenset(str(key) for key in flags) if isinstance(flags, list) else frozenset()
