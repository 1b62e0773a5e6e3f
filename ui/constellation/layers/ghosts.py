"""Things and links that pending proposals would add: dashed and amber."""

from math import cos, pi, sin

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPen, QPolygonF

from core.model.sky import APPEAR, LINK
from ui.constellation.frame import growth
from ui.constellation.layers.canvas import Box, Canvas, meet
from ui.constellation.layers.text_cache import TextCache, Weight, hand

_SIZE = 11.5
_NAMED_FROM = 24.0


def paint(canvas: Canvas, text_cache: TextCache) -> list[Box]:
    """Draw the ghosts; returns the boxes that they and their names take."""
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
            boxes.append((x - r, y - r, 2 * r, 2 * r))
            if frame.step >= _NAMED_FROM:
                _name(canvas, text_cache, ghosts.labels[k], (x, y, r), boxes)
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
    canvas: Canvas, text_cache: TextCache, text: str, spot: tuple[float, float, float],
    boxes: list[Box],
) -> None:
    """Draw a ghost's name beside it, or not at all where other ghosts stand on every side.

    Of the sides that are free it goes where it hides the fewest entities.
    """
    x, y, r = spot
    stamp = text_cache.stamp(text, hand(12, Weight.Medium), canvas.theme.color("proposal"))
    wide, high = stamp.width, stamp.height
    sides = ((x - r - 7 - wide, y - high / 2), (x + r + 7, y - high / 2),
             (x - wide / 2, y - r - 4 - high), (x - wide / 2, y + r + 4))
    free = [(left, top, wide, high) for left, top in sides
            if 8 <= left <= canvas.width - 8 - wide
            and not any(meet((left, top, wide, high), other) for other in boxes)]
    if free:
        best = min(free, key=lambda box: _hides(canvas, box))
        boxes.append(best)
        text_cache.draw(canvas.painter, stamp, best[0], best[1])


def _hides(canvas: Canvas, box: Box) -> int:
    """How many entities lie under a box."""
    frame, rows = canvas.frame, canvas.frame.visible
    x, y, r = frame.x[rows], frame.y[rows], 0.8 * frame.radius[rows]
    left, top, wide, high = box
    return int(((x + r > left) & (x - r < left + wide)
                & (y + r > top) & (y - r < top + high)).sum())
