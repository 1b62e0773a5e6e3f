"""Puts one stylesheet in the place of another: first on what is in sight, later on the rest."""

import time
from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from ui.turns import NextTurn

TURN_S = 0.008
"""How long a turn of the event loop works at what is hidden."""
SEEN_TURN_S = 0.02
"""How long one works at what is in sight, which is not painted until all of it is done."""
_POLISHED = Qt.WidgetAttribute.WA_WState_Polished
_STYLED = Qt.WidgetAttribute.WA_StyleSheet
_OWN_STYLE = Qt.WidgetAttribute.WA_SetStyle


def change_sheet(app: QApplication, sheet: str) -> None:
    """Give the application another stylesheet that differs from the last one in colours alone.

    Qt looks at a widget anew once for itself and once for each widget that it lies in, seven times
    on average, where a sheet takes the place of another; so the last one is taken off before. It
    looks at all that was ever shown in one turn of the event loop, and lays everything out twice: a
    widget that Qt takes for never shown is left out, one that it takes for having a style of its
    own is not told. What is in sight gets its look in the next turns, in which no window is
    painted, then all of it is painted at once; what is hidden, or lies beyond the edge of what
    scrolls, comes after that.
    """
    if not app.styleSheet():
        app.setStyleSheet(sheet)
        return
    change = _change(app)
    change.give_back()
    widgets = [widget for widget in app.allWidgets() if isValid(widget)]
    told = [each for each in widgets if not each.testAttribute(_OWN_STYLE)]
    for widget in told:
        widget.setAttribute(_OWN_STYLE)
    change.take(widget for widget in widgets if widget.testAttribute(_POLISHED))
    try:
        app.setStyleSheet("")
        app.setStyleSheet(sheet)
    finally:
        for widget in told:
            if isValid(widget):
                widget.setAttribute(_OWN_STYLE, False)
    change.start(window for window in app.topLevelWidgets() if window.isVisible())


def _change(app: QApplication) -> "_Change":
    found = app.findChild(_Change, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return found if isinstance(found, _Change) else _Change(app)


class _Change(QObject):
    """The widgets that do not have the new look yet, and the windows that are not painted."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self._seen: list[QWidget] = []
        self._unseen: list[QWidget] = []
        self._held: list[QWidget] = []
        self._turn = NextTurn(self)
        self._turn.timeout.connect(self._work)

    def take(self, widgets: Iterable[QWidget]) -> None:
        """Have Qt pass over these."""
        beyond: list[QWidget] = []
        for widget in widgets:
            if not widget.isVisible():
                self._unseen.append(widget)
            else:
                (beyond if widget.visibleRegion().isEmpty() else self._seen).append(widget)
            widget.setAttribute(_POLISHED, False)
            # Where the style is the new one Qt has it follow the life of the widget.
            widget.setAttribute(_STYLED, False)
        # What waits last is looked at first: what lies beyond the edge of a list may be scrolled
        # in, and what is in a window gets its colours from it.
        self._unseen += beyond
        self._seen.reverse()

    def start(self, windows: Iterable[QWidget]) -> None:
        """Begin with what is in sight; these windows are painted when it is done."""
        for window in windows:
            if window.updatesEnabled():
                window.setUpdatesEnabled(False)
                self._held.append(window)
        self._turn.start()

    def give_back(self) -> None:
        """Take none any more: another look is about to come."""
        for widget in (*self._seen, *self._unseen):
            if isValid(widget):
                widget.setAttribute(_POLISHED)
        self._seen.clear()
        self._unseen.clear()

    def _work(self) -> None:
        if self._seen:
            _polish(self._seen, SEEN_TURN_S)
        elif self._held:
            self._paint()
        else:
            _polish(self._unseen, TURN_S)
        if self._seen or self._held or self._unseen:
            self._turn.start()

    def _paint(self) -> None:
        for window in self._held:
            if isValid(window):
                window.setUpdatesEnabled(True)
                # Qt does not ask again for what was to be painted before it was held.
                QCoreApplication.postEvent(window, QEvent(QEvent.Type.UpdateRequest))
        self._held.clear()


def _polish(waiting: list[QWidget], seconds: float) -> None:
    end = time.perf_counter() + seconds
    while waiting and time.perf_counter() < end:
        widget = waiting.pop()
        if isValid(widget):
            widget.setAttribute(_POLISHED)
            widget.style().polish(widget)
