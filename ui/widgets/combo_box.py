"""A field with a few values to choose from."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QComboBox, QWidget

FROM_RIGHT = 13


class ComboBox(QComboBox):
    """A combo box that draws its arrow in the colour of its words.

    Qt draws none once a stylesheet has touched the box, unless an image is named there.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxVisibleItems(16)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        color = self.palette().color(self.foregroundRole())
        color.setAlphaF(0.7 if self.isEnabled() else 0.35)
        at = QPointF(self.width() - FROM_RIGHT, self.height() / 2)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF(
            [at + QPointF(-3.5, -2), at + QPointF(3.5, -2), at + QPointF(0, 2.5)]))
