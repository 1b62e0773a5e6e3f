"""A tick box whose box is seen in every theme."""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox, QStyle, QStyleOptionButton

from ui.widgets.glyph_paths import painting

STRENGTH, WEAK = 0.7, 0.4
"""How strong the outline is against the words beside it, where it can be ticked and where not."""
TICK = ((0.24, 0.52), (0.43, 0.72), (0.77, 0.30))
"""The corners of the tick, as shares of the box."""


class TickBox(QCheckBox):
    """Draws box and tick in the colour of its words; the style's own box is too faint to see."""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        rect = self.style().subElementRect(
            QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        box = QRectF(rect).adjusted(1, 1, -1, -1)
        words = self.palette().color(self.foregroundRole())
        outline, fill = self.palette().color(self.foregroundRole()), self.palette().base().color()
        outline.setAlphaF(STRENGTH if self.isEnabled() else WEAK)
        painter = QPainter(self)
        with painting(painter, fill, QPen(outline, 1.4)):
            painter.drawRoundedRect(box, 3, 3)
            if self.isChecked():
                painter.setPen(QPen(words, 2))
                painter.drawPolyline(QPolygonF([
                    QPointF(box.x() + x * box.width(), box.y() + y * box.height())
                    for x, y in TICK]))
        painter.end()
