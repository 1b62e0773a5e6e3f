"""A focal walk: a number on each memory it found, in order."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont

from ui.constellation.layers.canvas import Canvas
from ui.theme.apply_theme import body_font

_RADIUS = 8.0
_MOST = 60


def paint(canvas: Canvas) -> None:
    """Draw the numbers."""
    memories = canvas.overlay.walk.memories[:_MOST]
    if not memories:
        return
    painter, accent = canvas.painter, canvas.theme.color("accent")
    painter.setFont(body_font(10, weight=QFont.Weight.DemiBold))
    for number, node in enumerate(memories, 1):
        spot = canvas.spot(node)
        if spot is None:
            continue
        x, y, _ = spot
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawEllipse(QPointF(x, y), _RADIUS, _RADIUS)
        painter.setPen(canvas.theme.color("sky.bottom"))
        box = QRectF(x - _RADIUS, y - _RADIUS, 2 * _RADIUS, 2 * _RADIUS)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(number))
