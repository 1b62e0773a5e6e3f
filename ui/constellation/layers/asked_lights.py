"""The light on what an agent has asked for: entities and memories glow, followed links shine."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPen, QRadialGradient

from ui.constellation.layers.paint_context import AskedLight, Canvas, Spot, between

GLOW, FOCAL_GLOW, MEMORY_GLOW = 1.1, 2.0, 5.0
"""How far a glow reaches over the rim, in radii."""
LEAST, WIDEST = 5.0, 30.0
"""Pixels of that at least and at most."""
STRENGTH, FOCAL_STRENGTH, LINE_STRENGTH = 0.35, 0.55, 0.6
INSIDE = 0.2
"""How much of the glow lies over the thing itself, which keeps its colour."""


def paint(canvas: Canvas) -> None:
    """Every light at its level, the faintest first."""
    for light in sorted(canvas.overlay.asked, key=lambda each: each.level):
        if light.level > 0.0:
            _paint_light(canvas, light)


def _paint_light(canvas: Canvas, light: AskedLight) -> None:
    color = canvas.theme.color("accent")
    scene, walked = canvas.scene, set(light.walk.nodes)
    for edge in light.walk.edges:
        ends = int(scene.edge_source[edge]), int(scene.edge_target[edge])
        if walked.issuperset(ends):
            _line(canvas, canvas.entity(ends[0]), canvas.entity(ends[1]),
                  _with(color, LINE_STRENGTH * light.level))
    focal = set(light.focal)
    for node in light.walk.nodes:
        if node not in focal:
            _glow(canvas, canvas.entity(node), GLOW, _with(color, STRENGTH * light.level))
    for node in light.walk.memories:
        spot = canvas.spot(node)
        if spot is not None:
            _glow(canvas, spot, MEMORY_GLOW, _with(color, FOCAL_STRENGTH * light.level))
    for node in light.focal:
        x, y, radius = canvas.entity(node)
        _glow(canvas, (x, y, radius), FOCAL_GLOW, _with(color, FOCAL_STRENGTH * light.level))
        canvas.painter.setBrush(Qt.BrushStyle.NoBrush)
        canvas.painter.setPen(QPen(_with(color, light.level), 1.6))
        canvas.painter.drawEllipse(QPointF(x, y), radius + 4.0, radius + 4.0)


def _line(canvas: Canvas, start: Spot, end: Spot, color: QColor) -> None:
    line = between(start, end)
    if line is not None:
        canvas.painter.setPen(QPen(color, 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        canvas.painter.drawLine(line)


def _glow(canvas: Canvas, spot: Spot, reach: float, color: QColor) -> None:
    x, y, radius = spot
    outer = radius + min(max(radius * reach, LEAST), WIDEST)
    gradient = QRadialGradient(QPointF(x, y), outer)
    gradient.setColorAt(0.0, _with(color, INSIDE * color.alphaF()))
    gradient.setColorAt(max(radius - 2.0, 0.0) / outer, _with(color, INSIDE * color.alphaF()))
    gradient.setColorAt(radius / outer, color)
    gradient.setColorAt(1.0, _with(color, 0.0))
    canvas.painter.setPen(Qt.PenStyle.NoPen)
    canvas.painter.setBrush(gradient)
    canvas.painter.drawEllipse(QPointF(x, y), outer, outer)


def _with(color: QColor, alpha: float) -> QColor:
    faded = QColor(color)
    faded.setAlphaF(min(max(alpha, 0.0), 1.0))
    return faded
