"""Puts one stylesheet in the place of another: on what is in sight at once, later on the rest."""

import time
from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

TURN_S = 0.008
"""How long a turn of the event loop works at what is hidden."""
_POLISHED = Qt.WidgetAttribute.WA_WState_Polished
_STYLED = Qt.WidgetAttribute.WA_StyleSheet
_OWN_STYLE = Qt.WidgetAttribute.WA_SetStyle


def change_sheet(app: QApplication, sheet: str) -> None:
    """Give the application another stylesheet that differs from the last one in colours alone.

    Qt looks at a widget anew once for itself and once for each widget that it lies in, seven times
    on average, where a sheet takes the place of another; so the last one is taken off before. It
    looks at all that was ever shown, and lays everything out twice: a widget that Qt takes for
    never shown is left out, one that it takes for having a style of its own is not told. What is
    hidden, or lies beyond the edge of what scrolls, gets its look in later turns of the event loop.
    """
    if not app.styleSheet():
        app.setStyleSheet(sheet)
        return
    rest = _rest(app)
    rest.give_back()
    widgets = [widget for widget in app.allWidgets() if isValid(widget)]
    told = [each for each in widgets if not each.testAttribute(_OWN_STYLE)]
    for widget in told:
        widget.setAttribute(_OWN_STYLE)
    unseen = [each for each in widgets if each.testAttribute(_POLISHED)
              and each.visibleRegion().isEmpty()]
    # What waits last is looked at first: what lies beyond the edge of a list may be scrolled in.
    rest.take(sorted(unseen, key=QWidget.isVisible))
    try:
        app.setStyleSheet("")
        app.setStyleSheet(sheet)
    finally:
        for widget in told:
            if isValid(widget):
                widget.setAttribute(_OWN_STYLE, False)
    for window in app.topLevelWidgets():
        window.update()
    rest.start()


def _rest(app: QApplication) -> "_Rest":
    found = app.findChild(_Rest, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return found if isinstance(found, _Rest) else _Rest(app)


class _Rest(QObject):
    """The widgets out of sight that do not have the new look yet."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self._waiting: list[QWidget] = []
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._work)

    def take(self, widgets: Iterable[QWidget]) -> None:
        """Have Qt pass over these."""
        for widget in widgets:
            widget.setAttribute(_POLISHED, False)
            # Where the style is the new one Qt has it follow the life of the widget.
            widget.setAttribute(_STYLED, False)
            self._waiting.append(widget)

    def start(self) -> None:
        if self._waiting:
            self._timer.start()

    def give_back(self) -> None:
        """Take none any more: another look is about to come."""
        for widget in self._waiting:
            if isValid(widget):
                widget.setAttribute(_POLISHED)
        self._waiting.clear()

    def _work(self) -> None:
        end = time.perf_counter() + TURN_S
        while self._waiting and time.perf_counter() < end:
            widget = self._waiting.pop()
            if isValid(widget):
                widget.setAttribute(_POLISHED)
                widget.style().polish(widget)
        if not self._waiting:
            self._timer.stop()

