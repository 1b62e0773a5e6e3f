"""Closes the window at Ctrl+C in its terminal, from its event loop.

An exception that is raised between two lines of Python, as Ctrl+C does by itself, comes amid what
Qt has called: Qt goes on with half of it done, and crashes.
"""

import signal
import socket
from types import FrameType
from typing import Self

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication

from explorer.streams import on_interrupt, stop_at_once
from ui.main_window import MainWindow


class ClosedByInterrupt(QObject):
    """While it is entered, Ctrl+C closes the window and ends the event loop; a second one ends the
    process at once. `came` tells that there was one."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self.came = False
        self._window = window
        self._heard, self._told = socket.socketpair()
        for end in (self._heard, self._told):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._heard.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._close)

    def __enter__(self) -> Self:
        # Qt sleeps: only a byte in this socket wakes it.
        self._before = (signal.getsignal(signal.SIGINT), signal.set_wakeup_fd(
            self._told.fileno(), warn_on_full_buffer=False))
        on_interrupt(self._hear)
        return self

    def __exit__(self, *_error: object) -> None:
        handler, descriptor = self._before
        signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(descriptor)
        self._notifier.setEnabled(False)
        for end in (self._heard, self._told):
            end.close()

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        self.came = True
        signal.signal(signal.SIGINT, stop_at_once)

    def _close(self) -> None:
        self._heard.recv(64)
        if self.came:
            self._window.close()
            QApplication.exit()
