"""Work that waits for a turn of the event loop in which no other has worked long."""

import time
from functools import cache

from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QObject, QTimer, Signal

LONG_S = 0.006
"""From so many seconds of work on, what can wait is left for the next turn."""
PATIENCE = 4
"""So many turns are let pass at most."""


class NextTurn(QObject):
    """A timer that goes off in the next turn of the event loop that has time for it.

    What has been read, a step of the sky, some more rows: each alone is short, and two or three of
    them in one turn, together with the painting of what the last ones changed, is a stall.
    """

    timeout = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._passed = 0
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._go_off)
        self._turn = _turn()

    def start(self) -> None:
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _go_off(self) -> None:
        if self._turn.worked_s > LONG_S and self._passed < PATIENCE:
            self._passed += 1
            self._timer.start()
        else:
            self._passed = 0
            self.timeout.emit()


class _Turn(QObject):
    """The present turn of the event loop."""

    def __init__(self, application: QObject | None) -> None:
        super().__init__(application)
        self._began = time.thread_time()
        dispatcher = QAbstractEventDispatcher.instance()
        for begins in (dispatcher.awake, dispatcher.aboutToBlock):
            begins.connect(self._begin)

    def _begin(self) -> None:
        self._began = time.thread_time()

    @property
    def worked_s(self) -> float:
        """Seconds that the thread has worked in it."""
        return time.thread_time() - self._began


@cache
def _turn() -> _Turn:
    return _Turn(QCoreApplication.instance())
