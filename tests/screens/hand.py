"""A person's hand at an X screen: real pointer and keys through the X server, and a camera."""

import os
import re
import subprocess
from pathlib import Path

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

_MOMENT_MS = 60


class Hand:
    """Moves the pointer, presses buttons and keys; everything goes the way of a real event.

    Points are logical pixels of the screen, as Qt says them.
    """

    def __init__(self, qtbot: QtBot, window: QWidget, name: str) -> None:
        self._qtbot, self._window = qtbot, window
        self._scale = window.devicePixelRatioF()
        self._name, self._shots = re.sub(r"\W+", "-", name).strip("-"), 0

    def to(self, at: QPoint) -> None:
        """Move the pointer there."""
        self._xdotool("mousemove", *self._pixels(at))

    def click(self, at: QPoint, button: int = 1) -> None:
        self.to(at)
        self._xdotool("click", str(button))

    def drag(self, start: QPoint, *steps: QPoint, button: int = 1) -> None:
        self.to(start)
        self._xdotool("mousedown", str(button))
        for step in steps:
            self.to(step)
        self._xdotool("mouseup", str(button))

    def rest(self) -> None:
        """Wait until the next click is no double click."""
        QTest.qWait(QApplication.doubleClickInterval() + _MOMENT_MS)

    def wheel(self, at: QPoint, turns: int) -> None:
        """Turn the wheel up, or down for a negative number."""
        self.to(at)
        self._xdotool("click", "--repeat", str(abs(turns)), "4" if turns > 0 else "5")

    def press(self, *keys: str) -> None:
        """Press keys by their X names: `Escape`, `ctrl+k`."""
        for key in keys:
            self._xdotool("key", "--clearmodifiers", key)

    def type(self, text: str) -> None:
        self._xdotool("type", "--delay", "20", text)

    def look(self, what: str) -> None:
        """Save a picture of the whole screen, title bars and all."""
        QTest.qWait(4 * _MOMENT_MS)
        folder = Path(os.environ["CONSTELLATION_PICTURES"])
        folder.mkdir(parents=True, exist_ok=True)
        self._shots += 1
        picture = QGuiApplication.primaryScreen().grabWindow(0)
        assert picture.save(str(folder / f"{self._name}-{self._shots}-{what}.png"))

    def _pixels(self, at: QPoint) -> tuple[str, str]:
        return str(round(at.x() * self._scale)), str(round(at.y() * self._scale))

    def _xdotool(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], check=True, timeout=30)
        QTest.qWait(_MOMENT_MS)


def screen_area() -> QRect:
    """What of the screen is free, in logical pixels."""
    return QGuiApplication.primaryScreen().availableGeometry()


def middle(widget: QWidget, at: QPoint | None = None) -> QPoint:
    """A point of a widget on the screen, its middle if none is given."""
    return widget.mapToGlobal(widget.rect().center() if at is None else at)
