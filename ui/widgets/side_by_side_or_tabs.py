"""Parts side by side that fold into one at a time, with tabs, where their place is low."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from ui.widgets.filter_chips import chip_button
from ui.widgets.layouts import column_layout, put, row_layout, side_by_side

LOW = 140
"""A place lower than this holds fewer than three lines below a head, in pixels."""


class Part(NamedTuple):
    """A part: its words on a tab, its widget, and its least width in pixels."""

    words: str
    widget: QWidget
    least: int


class FoldingViews(QWidget):
    """Parts whose borders can be dragged; in a low place the chosen one has all the width.

    Args:
        parts: from the left.
        widths, shares: as for `side_by_side`.
        first: the place of the part that is shown at first where they are folded.
    """

    def __init__(
        self, parts: Sequence[Part], widths: Sequence[int], shares: Sequence[int], first: int
    ) -> None:
        super().__init__()
        self._parts = tuple(parts)
        self._splitter = side_by_side(
            [(part.widget, part.least) for part in parts], widths, shares)
        self._row = QWidget()
        self.tabs = [self._tab(part.words) for part in parts]
        group = QButtonGroup(self)
        for tab in self.tabs:
            group.addButton(tab)
            tab.toggled.connect(self._arrange)
        put(row_layout(self._row, (14, 0, 14, 2), 5), *self.tabs, None)
        put(column_layout(self, (0, 0, 0, 0), 0), self._row, (self._splitter, 1))
        self.folded = False
        """Whether only one part is shown."""
        self._row.hide()
        self.tabs[first].setChecked(True)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Low enough to fold."""
        least = self._splitter.minimumSizeHint()
        return QSize(least.width(), min(least.height(), LOW // 2))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if (self.height() < LOW) != self.folded:
            self.folded = not self.folded
            self._arrange()

    def _arrange(self, _on: bool = False) -> None:
        for part, tab in zip(self._parts, self.tabs, strict=True):
            part.widget.setVisible(tab.isChecked() or not self.folded)
        self._row.setVisible(self.folded)

    def _tab(self, words: str) -> QPushButton:
        tab = chip_button(words, checkable=True)
        tab.setAccessibleName(f"Show {words}")
        return tab
