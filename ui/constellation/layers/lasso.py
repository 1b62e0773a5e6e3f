"""The line that is drawn round things to select many."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen, QPolygonF

from ui.constellation.layers.canvas import Canvas


def paint(canvas: Canvas) -> None:
    """Draw the lasso while it is being drawn."""
    points = canvas.overlay.lasso
    if len(points) < 2:
        return
    accent = canvas.theme.color("accent")
    inside = QColor(accent)
    inside.setAlphaF(0.08)
    canvas.painter.setBrush(inside)
    canvas.painter.setPen(QPen(accent, 1.2, Qt.PenStyle.DashLine))
    canvas.painter.drawPolygon(QPolygonF(list(points)))
