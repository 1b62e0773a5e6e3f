"""Tries a thing out: the session start if it were changed."""

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from core.embedding.choose_embedder import choose
from core.traversal.focal_signals import Signals
from ui.context import Context
from ui.error_words import words_of
from ui.models import what_if
from ui.models.agent_view import Sight, see
from ui.models.what_if import Thing
from ui.runner import Job

PATIENCE_MS = 250
"""A trial that is done by then needs no words."""
Wanted = tuple[Thing, Signals]


class WhatIfTrial(QObject):
    """One trial at a time; of those requested meanwhile only the newest follows.

    A read-only file is copied for a trial, so one may take seconds. Starting all of them would
    block the reading threads with obsolete ones.
    """

    tried = Signal(object, bool, object)
    """The `Thing`, whether it holds now, and the `Sight` of the other case."""
    refused = Signal(object, str)
    """The `Thing`, and why it can't be tried."""
    lasts = Signal()
    """It takes a moment."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._wanted: Wanted | None = None
        self._running = False
        self._slow = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._slow.timeout.connect(self.lasts)

    def want(self, thing: Thing, given: Signals) -> None:
        """Try it out with these signals, now or after the one that runs."""
        self._wanted = (thing, given)
        if not self._slow.isActive():
            self._slow.start()
        if not self._running:
            self._begin(self._wanted)

    def forget(self) -> None:
        """Drop the result of the running trial."""
        self._wanted = None
        self._slow.stop()

    def _begin(self, wanted: Wanted) -> None:
        self._running = True
        thing, given = wanted
        settings = self._context.engine.settings

        def rehearse(_job: Job) -> tuple[bool, Sight]:
            return what_if.rehearsed(
                self._context.workspace, thing,
                lambda reader: see(reader, given, settings, choose(settings.embedding)))

        self._context.runner.job(rehearse, partial(self._got, wanted),
                                 partial(self._failed, wanted))

    def _got(self, wanted: Wanted, outcome: tuple[bool, Sight]) -> None:
        if self._is_newest(wanted):
            self.tried.emit(wanted[0], *outcome)

    def _failed(self, wanted: Wanted, error: BaseException) -> None:
        if self._is_newest(wanted):
            self.refused.emit(wanted[0], words_of(error))

    def _is_newest(self, wanted: Wanted) -> bool:
        self._running = False
        if wanted is self._wanted:
            self.forget()
            return True
        if self._wanted is not None:
            self._begin(self._wanted)
        return False
