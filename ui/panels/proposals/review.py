"""The review behind the panel: what waits, which card is open, what was decided and taken back.

A verdict shows at once and is written in the background. When the write is refused, the
proposal comes back with the reason. A file that may not be written yet asks first, so there
nothing shows before it is written.
"""

import json
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from core.errors import ConstellationError
from core.model.changes import Changes
from core.store.handles import Reader
from core.workspace import Written
from ui.context import Context
from ui.models.review_queue import SHOWN, Queue, QueueRow, load_queue, state_of_queue
from ui.models.verdicts import (
    Decide,
    Report,
    Verdict,
    Word,
    applying,
    decide_all,
    decide_each,
    rejecting,
)
from ui.panels.proposals.card_cache import Cards

FLAGS = "review.flagged"
INITIATOR = "proposals"

_Found = tuple[Queue, frozenset[str], tuple[object, ...]]
"""The queue, the flags, and the state in which they were read."""


class Review(QObject):
    """Everything of the review that is no widget."""

    queue_changed = Signal()
    decided = Signal(object)
    """A verdict has begun; its proposals no longer wait."""
    returned = Signal(list)
    """These proposals wait again: refused, or taken back."""
    reported = Signal(object)
    """What became of a batch."""
    told = Signal(str, str)
    """Words for the line beside the buttons, and their role."""
    failed = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.cards = Cards(context, self)
        self.loaded = False
        self.queue = Queue()
        self.verdicts: list[Verdict] = []
        self.refusals: dict[str, str] = {}
        """Why a proposal that was decided on came back."""
        self._errors: dict[str, BaseException] = {}
        self._flagged: frozenset[str] | None = None
        self._reads = 0
        self._known_to = 0
        self._reading = False
        self._again = False
        self._state: tuple[object, ...] | None = None

    # -- the queue ---------------------------------------------------------------------------

    @property
    def rows(self) -> tuple[QueueRow, ...]:
        """What waits, without what is being decided."""
        hidden = self._hidden()
        return tuple(row for row in self.queue.rows if row.id not in hidden)

    @property
    def total(self) -> int:
        return self.queue.total - (len(self.queue.rows) - len(self.rows))

    def row(self, proposal_id: str) -> QueueRow | None:
        return next((row for row in self.queue.rows if row.id == proposal_id), None)

    def refresh(self, changes: Changes | None) -> None:
        """Read the queue again if a commit may have changed it."""
        if changes is None or changes.external:
            self._flagged = None
        if changes is None or (changes.touches("ontology_proposals")
                               and changes.initiator != INITIATOR):
            self._read_queue(unless=self._state if changes and changes.external else None)

    def _read_queue(self, unless: tuple[object, ...] | None = None) -> None:
        """Read the queue again, `unless` it is still in this state."""
        if self._reading:
            self._again = True
            return
        self._reading, self._again = True, False
        self._reads += 1
        flagged, number = self._flagged, self._reads

        def read(reader: Reader) -> _Found | None:
            marks = self._load_flags() if flagged is None else flagged
            state = (*state_of_queue(reader), marks)
            return None if state == unless else (load_queue(reader, marks), marks, state)

        self._context.runner.read(read, partial(self._got_queue, number), self._no_queue)

    def _got_queue(self, number: int, found: _Found | None) -> None:
        self._reading = False
        self._known_to = number
        if found is not None:
            self.queue, marks, self._state = found
            self._flagged = marks if self._flagged is None else self._flagged
            self._notice_undone()
            self.loaded = True
            self.queue_changed.emit()
        if self._again:
            self._read_queue()

    def _no_queue(self, error: BaseException) -> None:
        self._reading = False
        if not isinstance(error, ConstellationError):
            raise error
        self.failed.emit(error)

    def _hidden(self) -> set[str]:
        """Proposals whose verdict the last read of the queue may not know of."""
        return {key for verdict in self.verdicts for key in verdict.ids
                if verdict.state == "writing"
                or (verdict.state == "done" and self._known_to <= verdict.settled)}

    def _notice_undone(self) -> None:
        """A verdict that was undone elsewhere (Ctrl+Z, the Activity panel) is none any more."""
        waiting = {row.id for row in self.queue.rows}
        for verdict in self.verdicts:
            if (verdict.state == "done" and self._known_to > verdict.settled
                    and not waiting.isdisjoint(verdict.ids)):
                verdict.state = "taken back"

    # -- marks -------------------------------------------------------------------------------

    def toggle_flag(self, proposal_id: str) -> None:
        """Mark a proposal for later, or take the mark away; it is kept beside the file."""
        marks = self._flagged or frozenset()
        self._flagged = marks ^ {proposal_id}
        text = json.dumps(sorted(self._flagged))
        self._context.runner.job(
            lambda _job: self._context.workspace.sidecar.put(FLAGS, text.encode()))
        self._read_queue()

    def _load_flags(self) -> frozenset[str]:
        try:
            found = json.loads(self._context.workspace.sidecar.get(FLAGS) or b"[]")
        except ValueError:
            return frozenset()
        return frozenset(str(key) for key in found) if isinstance(found, list) else frozenset()

    # -- verdicts ----------------------------------------------------------------------------

    def apply(self, proposal_id: str, payload: dict[str, object] | None = None, *,
              force: bool = False, hold: bool = False) -> None:
        """Apply one; `hold` shows nothing before it is written (an edited payload)."""
        edited = " as edited" if payload is not None else ""
        self._decide((proposal_id,), "applied", f"Apply{edited}: {self._name(proposal_id)}",
                     applying(payload, force=force), hold=hold)

    def reject(self, proposal_id: str, reason: str = "") -> None:
        self._decide((proposal_id,), "rejected", f"Reject: {self._name(proposal_id)}",
                     rejecting(reason))

    def apply_all(self, ids: Sequence[str]) -> None:
        """Apply each on its own in one step that is undone as one."""
        self._decide(tuple(ids), "applied", f"Apply {len(ids)} proposals", applying(), each=True)

    def reject_all(self, ids: Sequence[str], reason: str = "") -> None:
        self._decide(tuple(ids), "rejected", f"Reject {len(ids)} proposals", rejecting(reason),
                     each=True)

    def _name(self, proposal_id: str) -> str:
        row = self.row(proposal_id)
        parts = (row.title, row.target) if row else ()
        return " · ".join(part for part in parts if part) or "a proposal"

    def _decide(self, ids: tuple[str, ...], word: Word, label: str, decide: Decide, *,
                each: bool = False, hold: bool = False) -> None:
        verdict = Verdict(ids, word, label)
        for key in ids:
            self.refusals.pop(key, None)
        at_once = self._context.runner.may_write and not hold and not each
        if at_once:
            self._begin(verdict)
        run = decide_each if each else decide_all
        done = partial(self._written, verdict, at_once)
        self._context.runner.write(
            label, lambda writer: run(writer, ids, decide), done,
            partial(self._refused, verdict), initiator=INITIATOR)

    def _begin(self, verdict: Verdict) -> None:
        self.verdicts.append(verdict)
        self.queue_changed.emit()
        self.decided.emit(verdict)

    def _written(self, verdict: Verdict, at_once: bool, written: Written[Report]) -> None:
        whole, report = verdict.ids, written.result
        verdict.ids, verdict.entry, verdict.settled = report.done, written.entry, self._reads
        verdict.state = "done"
        self.refusals.update(report.failed)
        if not at_once and report.done:
            self._begin(verdict)
        if len(whole) > 1 or report.failed:
            self.reported.emit(report)
        self.queue = self.queue.without(report.done)
        if len(self.queue.rows) < SHOWN // 2 and self.queue.total > len(self.queue.rows):
            self._read_queue()
        self.cards.outdate()
        if verdict.unwanted:
            self._take_back(verdict)

    def _refused(self, verdict: Verdict, error: BaseException) -> None:
        verdict.state = "failed"
        if not isinstance(error, ConstellationError):
            self._bring_back(verdict)
            raise error
        self.refusals.update(dict.fromkeys(verdict.ids, str(error)))
        self._errors.update(dict.fromkeys(verdict.ids, error))
        self._bring_back(verdict)

    def refused(self, proposal_id: str) -> BaseException:
        """The error for which a proposal came back."""
        return self._errors[proposal_id]

    def _bring_back(self, verdict: Verdict) -> None:
        if verdict in self.verdicts:
            self.verdicts.remove(verdict)
        self._read_queue()
        self.queue_changed.emit()
        self.returned.emit(list(verdict.ids))

    # -- back again --------------------------------------------------------------------------

    @property
    def last(self) -> Verdict | None:
        """The verdict that would be taken back."""
        return next((verdict for verdict in reversed(self.verdicts)
                     if verdict.state in ("writing", "done") and not verdict.unwanted), None)

    def counts(self) -> tuple[int, int]:
        """How many proposals were applied and rejected in this sitting."""
        sums = {"applied": 0, "rejected": 0}
        for verdict in self.verdicts:
            if verdict.state in ("writing", "done") and not verdict.unwanted:
                sums[verdict.word] += len(verdict.ids)
        return sums["applied"], sums["rejected"]

    def take_back(self) -> None:
        """Undo the last verdict."""
        verdict = self.last
        if verdict is None:
            self.told.emit("There is no verdict of this sitting to take back", "soft")
            return
        verdict.unwanted = True
        if verdict.state == "done":
            self._take_back(verdict)

    def _take_back(self, verdict: Verdict) -> None:
        workspace = self._context.workspace

        self._context.runner.job(lambda _job: workspace.undo(verdict.entry),
                                 partial(self._taken_back, verdict),
                                 partial(self._kept, verdict))

    def _taken_back(self, verdict: Verdict, _label: str) -> None:
        verdict.state = "taken back"
        self.cards.outdate()
        self._read_queue()
        self.returned.emit(list(verdict.ids))
        what = verdict.label.partition(": ")[2] or verdict.label
        self.told.emit(f"Taken back: {what}", "soft")

    def _kept(self, verdict: Verdict, error: BaseException) -> None:
        verdict.unwanted = False
        if not isinstance(error, ConstellationError):
            raise error
        self.told.emit(f"Could not be taken back: {error}", "bad")

    def start_over(self) -> None:
        """Another agent's proposals are shown: this sitting is over."""
        self.verdicts.clear()
        self.refusals.clear()
        self._errors.clear()
        self.cards.forget()

