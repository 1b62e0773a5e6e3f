"""Rows of two lines, which become one line each where a list is too low for three of them."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractItemView

from ui.theme import Theme
from ui.widgets.row_delegate import RowDelegate

LOW = 140
"""A list lower than this has no room for a head and three rows of two lines, in pixels."""
LOW_HEAD, LOW_ROW = 20, 22
"""The heights of a head and of a row there."""


class TwoLineRows(RowDelegate):
    """A subclass draws one line where `low` is true."""

    def __init__(self, theme: Theme, view: QAbstractItemView) -> None:
        super().__init__(theme, view)
        view.viewport().installEventFilter(_LaidOutAgain(self, view))

    @property
    def low(self) -> bool:
        """Whether there is no room for two lines."""
        return self.view.viewport().height() < LOW

    def lay_out_again(self) -> None:
        """Have the view ask for the heights of its rows again."""
        self.view.scheduleDelayedItemsLayout()


class _LaidOutAgain(QObject):
    """Tells the rows of a view when it has become low, or high."""

    def __init__(self, rows: TwoLineRows, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._rows, self._low = rows, rows.low

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize and self._rows.low != self._low:
            self._low = self._rows.low
            self._rows.lay_out_again()
        return False
