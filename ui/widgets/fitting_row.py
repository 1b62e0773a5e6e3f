"""A row whose less important parts go, whole, where there is no room for all."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLayout, QWidget

from ui.widgets.layouts import row_layout

LEAST = 90
"""Pixels that the part which is cut with an ellipsis keeps while others can still go."""


class FittingRow(QWidget):
    """Words that are cut with an ellipsis, and parts beside them that are shown whole or not.

    Args:
        words: takes what room is left; its text may be cut.
    """

    def __init__(self, words: QWidget, spacing: int = 4, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._parts: list[tuple[int, QWidget]] = []
        self._row = row_layout(self, (0, 0, 0, 0), spacing)
        self._row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._row.addWidget(words)
        self._row.addStretch(1)
        self.setMinimumWidth(1)

    def add(self, part: QWidget, weight: int) -> None:
        """Put a part to the right of the others; those of the least weight go first."""
        self._row.insertWidget(self._row.count() - 1, part)
        self._parts.append((weight, part))

    def sizeHint(self) -> QSize:  # noqa: N802
        """Of all parts, shown or not."""
        sizes = [part.sizeHint() for part in (self._words, *(part for _, part in self._parts))]
        width = sum(size.width() for size in sizes) + self._row.spacing() * len(self._parts)
        return QSize(width, max(size.height() for size in sizes))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Keep the weightiest parts that fit beside the least that the words need."""
        left = self.width() - min(LEAST, self._words.sizeHint().width())
        for _, part in sorted(self._parts, key=lambda pair: -pair[0]):
            left -= part.sizeHint().width() + self._row.spacing()
            part.setVisible(left >= 0)
