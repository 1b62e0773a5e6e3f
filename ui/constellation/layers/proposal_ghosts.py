"""Things and links that pending proposals would add: dashed and amber."""

from math import cos, pi, sin

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPen, QPolygonF

from core.model.sky import APPEAR, LINK
from ui.constellation.frame import growth
from ui.constellation.layers.canvas import Box, Canvas, Spot, between, meet, stars_under
from ui.constellation.layers.text_cache import TextCache, Weight, text_style

_SIZE = 11.5
_NAMED_FROM = 24.0


def paint(canvas: Canvas, text_cache: TextCache) -> list[Box]:
    """Draw the ghosts; returns the boxes that they and their names take."""
    ghosts, frame, painter = canvas.scene.ghosts, canvas.frame, canvas.painter
    painter.setOpacity(1.0 - 0.7 * frame.viewpoint.lighting.level)
    pen = QPen(canvas.theme.color("proposal"), 1.5)
    pen.setDashPattern([3.2, 2.4])
    boxes: list[Box] = []
    for k in range(len(ghosts.effect)):
        effect, node, other = int(ghosts.effect[k]), int(ghosts.node[k]), int(ghosts.other[k])
        if effect == LINK and node >= 0 and other >= 0:
            painter.setPen(pen)
            _line(canvas, canvas.entity(node), canvas.entity(other))
        elif effect == APPEAR:
            x, y = frame.viewpoint.camera.to_screen(float(ghosts.x[k]), float(ghosts.y[k]))
            if not (-60 < x < canvas.width + 60 and -60 < y < canvas.height + 60):
                continue
            r = max(_SIZE * growth(frame.step), 2.0)
            painter.setPen(pen)
            if node >= 0:
                _line(canvas, (x, y, r), canvas.entity(node))
            _hexagon(canvas, x, y, r, pen)
            boxes.append((x - r, y - r, 2 * r, 2 * r))
            if frame.step >= _NAMED_FROM:
                _name(canvas, text_cache, ghosts.labels[k], (x, y, r), boxes)
    painter.setOpacity(1.0)
    return boxes


def _line(canvas: Canvas, start: Spot, end: Spot) -> None:
    line = between(start, end)
    if line is not None:
        canvas.painter.drawLine(line)


def _hexagon(canvas: Canvas, x: float, y: float, r: float, pen: QPen) -> None:
    corners = [QPointF(x + r * sin(pi * k / 3), y - r * cos(pi * k / 3)) for k in range(6)]
    canvas.painter.setBrush(canvas.theme.color("proposal", 0.14))
    canvas.painter.setPen(pen)
    canvas.painter.drawPolygon(QPolygonF(corners))


def _name(
    canvas: Canvas, text_cache: TextCache, text: str, spot: Spot,
    boxes: list[Box],
) -> None:
    """Draw a ghost's name beside it, or not at all where other ghosts stand on every side.

    Of the sides that are free it goes where it hides the fewest entities.
    """
    x, y, r = spot
    style, amber = text_style(12, Weight.Medium), canvas.theme.color("proposal")
    picture = text_cache.picture(text, style, amber)
    wide, high = picture.width, picture.height
    sides = ((x - r - 7 - wide, y - high / 2), (x + r + 7, y - high / 2),
             (x - wide / 2, y - r - 4 - high), (x - wide / 2, y + r + 4))
    free = [(left, top, wide, high) for left, top in sides
            if 8 <= left <= canvas.width - 8 - wide
            and not any(meet((left, top, wide, high), other) for other in boxes)]
    if free:
        best = min(free, key=lambda box: stars_under(canvas, box))
        boxes.append(best)
        text_cache.draw(canvas.painter, picture, best[0], best[1])
