"""Things and links that pending proposals would add: dashed and amber."""

from math import cos, pi, sin

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPen, QPolygonF

from core.model.sky import APPEAR, LINK
from ui.constellation.frame import growth
from ui.constellation.layers.canvas import Box, Canvas, meet
from ui.constellation.layers.ink import Ink, Weight, hand

_SIZE = 11.5
_NAMED_FROM = 34.0


def paint(canvas: Canvas, ink: Ink) -> list[Box]:
    """Draw the ghosts; returns the boxes their names take."""
    ghosts, frame, painter = canvas.scene.ghosts, canvas.frame, canvas.painter
    amber = canvas.theme.color("proposal")
    painter.setOpacity(1.0 - 0.7 * frame.sight.lighting.level)
    pen = QPen(amber, 1.5)
    pen.setDashPattern([3.2, 2.4])
    boxes: list[Box] = []
    for k in range(len(ghosts.effect)):
        effect, node, other = int(ghosts.effect[k]), int(ghosts.node[k]), int(ghosts.other[k])
        if effect == LINK and node >= 0 and other >= 0:
            painter.setPen(pen)
            _line(canvas, _spot(canvas, node), _spot(canvas, other))
        elif effect == APPEAR:
            x, y = frame.sight.camera.to_screen(float(ghosts.x[k]), float(ghosts.y[k]))
            if not (-60 < x < canvas.width + 60 and -60 < y < canvas.height + 60):
                continue
            r = max(_SIZE * growth(frame.step), 2.0)
            painter.setPen(pen)
            if node >= 0:
                _line(canvas, (x, y, r), _spot(canvas, node))
            _hexagon(canvas, x, y, r, amber, pen)
            if frame.step >= _NAMED_FROM:
                _name(canvas, ink, ghosts.labels[k], (x, y, r), boxes)
    painter.setOpacity(1.0)
    return boxes


def _spot(canvas: Canvas, node: int) -> tuple[float, float, float]:
    frame = canvas.frame
    return float(frame.x[node]), float(frame.y[node]), float(frame.radius[node])


def _line(
    canvas: Canvas, start: tuple[float, float, float], end: tuple[float, float, float]
) -> None:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max((dx * dx + dy * dy) ** 0.5, 1e-6)
    if length <= start[2] + end[2]:
        return
    ux, uy = dx / length, dy / length
    canvas.painter.drawLine(QPointF(start[0] + ux * start[2], start[1] + uy * start[2]),
                            QPointF(end[0] - ux * end[2], end[1] - uy * end[2]))


def _hexagon(canvas: Canvas, x: float, y: float, r: float, amber: QColor, pen: QPen) -> None:
    corners = [QPointF(x + r * sin(pi * k / 3), y - r * cos(pi * k / 3)) for k in range(6)]
    fill = QColor(amber)
    fill.setAlphaF(0.14)
    canvas.painter.setBrush(fill)
    canvas.painter.setPen(pen)
    canvas.painter.drawPolygon(QPolygonF(corners))


def _name(
    canvas: Canvas, ink: Ink, text: str, spot: tuple[float, float, float], boxes: list[Box]
) -> None:
    """Draw a ghost's name on its left or right, or not at all where another ghost's stands."""
    x, y, r = spot
    stamp = ink.stamp(text, hand(12, Weight.Medium), canvas.theme.color("proposal"))
    for left in (x - r - 7 - stamp.width, x + r + 7):
        box = (left, y - stamp.height / 2, stamp.width, stamp.height)
        if left >= 8 and not any(meet(box, other) for other in boxes):
            boxes.append(box)
            ink.draw(canvas.painter, stamp, left, box[1])
            return
