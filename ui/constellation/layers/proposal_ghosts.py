"""Things and links that pending proposals would add: dashed and amber."""

from math import cos, pi, sin

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPen, QPolygonF

from core.model.sky import LINK
from ui.constellation.frame import REST, narrowed
from ui.constellation.layers.canvas import Canvas, Spot, between


def paint(canvas: Canvas) -> None:
    """Draw the ghosts without their names."""
    ghosts, painter = canvas.scene.ghosts, canvas.painter
    dimmed = REST if narrowed(canvas.scene, canvas.frame.viewpoint) is not None else 1.0
    painter.setOpacity(dimmed * (1.0 - 0.7 * canvas.frame.viewpoint.lighting.level))
    pen = QPen(canvas.theme.color("proposal"), 1.5)
    pen.setDashPattern([3.2, 2.4])
    linked = (ghosts.effect == LINK) & (ghosts.node >= 0) & (ghosts.other >= 0)
    for row in np.flatnonzero(linked).tolist():
        painter.setPen(pen)
        _line(canvas, canvas.entity(int(ghosts.node[row])), canvas.entity(int(ghosts.other[row])))
    for row in canvas.ghosts_in_sight():
        if row >= len(ghosts.ids):
            continue
        spot, node = canvas.ghost(row), int(ghosts.node[row])
        painter.setPen(pen)
        if node >= 0:
            _line(canvas, spot, canvas.entity(node))
        _hexagon(canvas, *spot, pen)
    painter.setOpacity(1.0)


def _line(canvas: Canvas, start: Spot, end: Spot) -> None:
    line = between(start, end)
    if line is not None:
        canvas.painter.drawLine(line)


def _hexagon(canvas: Canvas, x: float, y: float, r: float, pen: QPen) -> None:
    corners = [QPointF(x + r * sin(pi * k / 3), y - r * cos(pi * k / 3)) for k in range(6)]
    canvas.painter.setBrush(canvas.theme.color("proposal", 0.14))
    canvas.painter.setPen(pen)
    canvas.painter.drawPolygon(QPolygonF(corners))
