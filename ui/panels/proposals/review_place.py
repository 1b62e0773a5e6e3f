"""Where a review stopped: kept beside the file for each agent, and gone back to."""

import json
from functools import partial
from typing import cast

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer

from core.review.queue_order import GROUPS, SORTS, GroupBy, SortBy
from ui.context import Context
from ui.models.review_queue import Arrangement
from ui.panels.proposals.pending_proposals import PendingProposals
from ui.panels.proposals.queue import QueueColumn
from ui.panels.proposals.review_state import Review

KEY = "review.place:"
REST_MS = 800
"""A place is stored once one rests there."""


class ReviewPlace(QObject):
    """Remembers the order, the groups and the proposal that was looked at last."""

    def __init__(
        self, context: Context, queue: QueueColumn, review: Review, waiting: PendingProposals,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._queue, self._review = context, queue, review
        self._waiting = waiting
        self._restored = False
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._store)
        context.selection.proposal_changed.connect(self._moved)
        queue.arranged.connect(self._moved)

    def restore(self) -> None:
        """Go back to where one stopped, the first time that the queue is there."""
        if self._restored:
            return
        self._restored = True
        how, id = _read(self._context.workspace.sidecar.get(self._key()))
        self._queue.arrange_as(replace(self._queue.how, sort=how.sort, group=how.group))
        if id and not self._context.selection.proposal_id:
            self._review.wanted = [id]
            if self._waiting.row(id) is None:
                self._waiting.look_for(id, tell=False)

    def forget(self) -> None:
        """Another agent's proposals are shown: go to where one stopped there."""
        self._rest.stop()
        self._restored = False

    def _key(self) -> str:
        return f"{KEY}{self._context.workspace.agent}"

    def _moved(self, *_: object) -> None:
        if self._restored:
            self._rest.start()

    def _store(self) -> None:
        how = self._queue.how
        place = {"id": self._review.current, "sort": how.sort, "group": how.group}
        put = partial(self._context.workspace.sidecar.put, self._key(),
                      json.dumps(place).encode())
        self._context.runner.job(lambda _job: put())


def _read(stored: bytes | None) -> tuple[Arrangement, str]:
    """What was stored; the usual order where that is nothing or makes no sense."""
    try:
        place = json.loads(stored or b"{}")
    except ValueError:
        place = {}
    if not isinstance(place, dict):
        place = {}
    sort, group = place.get("sort"), place.get("group")
    return Arrangement(
        group=cast(GroupBy, group) if group in GROUPS else "none",
        sort=cast(SortBy, sort) if sort in SORTS else "newest"), str(place.get("id") or "")
