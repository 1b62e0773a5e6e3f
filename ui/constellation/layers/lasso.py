"""The line that is drawn round things to select many."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPen, QPolygonF

from ui.constellation.layers.paint_context import Canvas


def paint(canvas: Canvas) -> None:
    """Draw the lasso while it is being drawn."""
    points = canvas.overlay.lasso
    if len(points) < 2:
        return
    canvas.painter.setBrush(canvas.theme.color("accent", 0.08))
    canvas.painter.setPen(QPen(canvas.theme.color("accent"), 1.2, Qt.PenStyle.DashLine))
    canvas.painter.drawPolygon(QPolygonF(list(points)))
