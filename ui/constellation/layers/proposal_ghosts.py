"""Things and links that pending proposals would add: dashed and amber."""

from math import cos, pi, sin

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter, QPen, QPolygonF

from core.model.sky_columns import LINK
from ui.constellation.frame import REST
from ui.constellation.layers.paint_context import Canvas, Spot, between

_WIDE = 2.0
"""A line so far out of the window, in logical pixels, is not seen in it."""


def paint(canvas: Canvas) -> None:
    """Draw the ghosts without their names."""
    ghosts, painter = canvas.scene.ghosts, canvas.painter
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    dimmed = REST if canvas.frame.viewpoint.narrowed else 1.0
    painter.setOpacity(dimmed * (1.0 - 0.7 * canvas.frame.viewpoint.lighting.level))
    pen = QPen(canvas.theme.color("proposal"), 1.5)
    pen.setDashPattern([3.2, 2.4])
    painter.setPen(pen)
    painter.drawLines(_links_in_sight(canvas))
    painter.setBrush(canvas.theme.color("proposal", 0.14))
    outline, outlined = QPolygonF(), 0.0
    for row in canvas.ghosts_in_sight():
        if row >= len(ghosts.ids):
            continue
        spot, node = canvas.ghost(row), int(ghosts.node[row])
        if node >= 0:
            _line(canvas, spot, canvas.entity(node))
        x, y, radius = spot
        if radius != outlined:  # All are of one size, made once.
            outline, outlined = _hexagon(radius), radius
        painter.drawPolygon(outline.translated(x, y))
    painter.setOpacity(1.0)


def _links_in_sight(canvas: Canvas) -> list[QLineF]:
    """The links that would be added, from rim to rim, that may cross the window."""
    ghosts, frame = canvas.scene.ghosts, canvas.frame
    linked = (ghosts.effect == LINK) & (ghosts.node >= 0) & (ghosts.other >= 0)
    start, end = ghosts.node[linked], ghosts.other[linked]
    x0, y0, x1, y1 = frame.x[start], frame.y[start], frame.x[end], frame.y[end]
    length = np.hypot(x1 - x0, y1 - y0)
    apart = length > frame.radius[start] + frame.radius[end]
    away = ((np.maximum(x0, x1) < -_WIDE) | (np.minimum(x0, x1) > canvas.width + _WIDE)
            | (np.maximum(y0, y1) < -_WIDE) | (np.minimum(y0, y1) > canvas.height + _WIDE))
    rows = np.flatnonzero(apart & ~away)
    x0, y0, x1, y1, length = (each[rows].astype(float) for each in (x0, y0, x1, y1, length))
    after, before = frame.radius[start[rows]] / length, 1.0 - frame.radius[end[rows]] / length
    ends = (x0 + (x1 - x0) * after, y0 + (y1 - y0) * after,
            x0 + (x1 - x0) * before, y0 + (y1 - y0) * before)
    return [QLineF(*four) for four in zip(*(each.tolist() for each in ends), strict=True)]


def _line(canvas: Canvas, start: Spot, end: Spot) -> None:
    line = between(start, end)
    if line is not None:
        canvas.painter.drawLine(line)


def _hexagon(radius: float) -> QPolygonF:
    return QPolygonF([QPointF(radius * sin(pi * k / 3), -radius * cos(pi * k / 3))
                      for k in range(6)])
