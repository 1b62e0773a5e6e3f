"""Pins, the selection, the pointer's ring and what changes would touch."""

from math import pi
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPen

from core.constellation.plain_numbers import distinct
from core.model.sky_columns import CHANGE, GO
from ui.constellation.layers.paint_context import Canvas, between
from ui.widgets.glyph_paths import draw_star

R = TypeVar("R", float, np.ndarray)
_LEAST_RADIUS = 3.0
_LEAST_LINK = 24.0
_STRIKE = 5.0
_DASHED_WIDTH = 1.6
_TINY = 2.5
"""Below this radius a dot at the corner stands for the halo: its dashes would not be told apart."""
_DOT = 2.6
HALO_DASHES = (2.6, 2.2)
"""On and off, in pen widths, of the halo of what would change."""


def paint(canvas: Canvas) -> None:
    """Draw all of them, from the back to the front."""
    _paint_changes(canvas)
    _paint_pins(canvas)
    _paint_focus(canvas)


def _paint_pins(canvas: Canvas) -> None:
    """A gold ring and a small star on each pinned entity."""
    frame, painter = canvas.frame, canvas.painter
    rows = frame.visible[canvas.scene.entity_pinned[frame.visible]]
    gold = canvas.theme.color("pin")
    for node in rows.tolist():
        x, y, r = float(frame.x[node]), float(frame.y[node]), max(float(frame.radius[node]), 2.0)
        painter.setOpacity(float(frame.alpha[node]))
        ring = pin_radius(r)
        _circle(canvas, x, y, ring, gold, 1.7 if r > 6 else 1.1)
        size = min(max(r * 0.72, 5.0), 15.0)
        at = ring * 0.7071
        star = QRectF(x + at - size / 2 + 1, y - at - size / 2 - 1, size, size)
        draw_star(painter, star, gold)
    painter.setOpacity(1.0)


def pin_radius(radius: R) -> R:
    """Distance of the gold ring from the centre of a thing of this radius."""
    return radius * 1.25 + np.minimum(3.5, radius * 0.4)


def change_radius(radius: R, *, pinned: bool = False) -> R:
    """Distance of the dashed halo from the centre of a thing of this radius: outside its pin."""
    return pin_radius(radius) + 4.0 if pinned else radius * 1.12 + 2.5


def signs_radii(canvas: Canvas, rows: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """Distance from each entity's centre to the outermost of its own rings."""
    pinned, pending = canvas.scene.entity_pinned[rows], canvas.scene.entity_pending[rows] > 0
    radii = radius.copy()
    ringed = np.flatnonzero(pinned | pending)
    of_things = radius[ringed].astype(float)
    outside = np.where(pinned[ringed], change_radius(of_things, pinned=True),
                       change_radius(of_things))
    radii[ringed] = np.where(pending[ringed], outside, pin_radius(of_things))
    return radii


def _paint_focus(canvas: Canvas) -> None:
    """The accent ring of the selection, with a gap, and a thin one under the pointer."""
    accent = canvas.theme.color("accent")
    for node, width in ((canvas.overlay.selected, 2.0), (canvas.overlay.hovered, 1.2)):
        spot = canvas.spot(node)
        if spot is None or (width < 2.0 and node == canvas.overlay.selected):
            continue
        x, y, r = spot
        ring = max(r, _LEAST_RADIUS) + 5.0
        if node < canvas.scene.entities:
            signs = signs_radii(canvas, np.array([node]), np.array([max(r, 2.0)]))
            ring = max(ring, float(signs[0]) + 4.0)
        if width == 2.0:
            _circle(canvas, x, y, ring, canvas.theme.color("accent", 0.16), 6.0)
        _circle(canvas, x, y, ring, accent, width)


def _paint_changes(canvas: Canvas) -> None:
    """A dashed amber halo on what a proposal would change, an amber strike on what would go.

    A change of a link is shown at the link.
    """
    ghosts, frame, painter = canvas.scene.ghosts, canvas.frame, canvas.painter
    amber = canvas.theme.color("proposal")
    for effect in (CHANGE, GO):
        alone = (ghosts.effect == effect) & (ghosts.node >= 0) & (ghosts.other < 0)
        nodes = distinct(ghosts.node[alone])
        if effect == CHANGE:
            tiny = frame.radius[nodes] < _TINY
            _paint_dots(canvas, nodes[tiny], amber)
            nodes = nodes[~tiny]
        for node in nodes.tolist():
            x, y, r = float(frame.x[node]), float(frame.y[node]), float(frame.radius[node])
            if not (-40 < x < canvas.width + 40 and -40 < y < canvas.height + 40):
                continue
            painter.setOpacity(float(frame.alpha[node]))
            r = max(r, _LEAST_RADIUS)
            if effect == GO:
                pen = QPen(amber, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
                painter.setPen(pen)
                reach = r * 1.25
                painter.drawLine(QPointF(x - reach, y + reach * 0.6),
                                 QPointF(x + reach, y - reach * 0.6))
            else:
                pinned = bool(canvas.scene.entity_pinned[node])
                _dashed_circle(canvas, QPointF(x, y), change_radius(r, pinned=pinned), amber)
    painter.setOpacity(1.0)
    between = np.isin(ghosts.effect, (CHANGE, GO)) & (ghosts.node >= 0) & (ghosts.other >= 0)
    for row in np.flatnonzero(between).tolist():
        _mark_link(canvas, int(ghosts.node[row]), int(ghosts.other[row]), amber,
                   goes=int(ghosts.effect[row]) == GO)


def _paint_dots(canvas: Canvas, nodes: np.ndarray, amber: QColor) -> None:
    """A dot at the upper right of each of these, all of one opacity at once."""
    frame = canvas.frame
    x, y = frame.x[nodes], frame.y[nodes]
    nodes = nodes[(x > -40) & (x < canvas.width + 40) & (y > -40) & (y < canvas.height + 40)]
    canvas.painter.setPen(QPen(amber, _DOT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    for alpha in distinct(frame.alpha[nodes]).tolist():
        alike = nodes[frame.alpha[nodes] == alpha]
        away = frame.radius[alike] * 0.8 + 1.5
        canvas.painter.setOpacity(alpha)
        canvas.painter.drawPoints([QPointF(x, y) for x, y in zip(
            (frame.x[alike] + away).tolist(), (frame.y[alike] - away).tolist(), strict=True)])


def _mark_link(canvas: Canvas, node: int, other: int, amber: QColor, *, goes: bool) -> None:
    """A link that would change is amber, one that would go is struck in its middle, too."""
    start, end = canvas.entity(node), canvas.entity(other)
    whole, line = QLineF(start[0], start[1], end[0], end[1]), between(start, end)
    if line is None or whole.length() < _LEAST_LINK:
        return
    canvas.painter.setOpacity(float(min(canvas.frame.alpha[node], canvas.frame.alpha[other])))
    canvas.painter.setPen(QPen(canvas.theme.color("proposal", 0.45), 1.0))
    canvas.painter.drawLine(line)
    if goes:
        _strike(canvas, whole, amber)
    canvas.painter.setOpacity(1.0)


def _strike(canvas: Canvas, whole: QLineF, amber: QColor) -> None:
    along = QPointF(whole.dx(), whole.dy()) * (_STRIKE / whole.length())
    across, middle = QPointF(-along.y(), along.x()) + along, whole.center()
    canvas.painter.setPen(QPen(amber, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    canvas.painter.drawLine(middle - across, middle + across)


def _dashed_circle(canvas: Canvas, center: QPointF, radius: float, color: QColor) -> None:
    """A ring of whole dashes, as long as those of what would come."""
    pen = QPen(color, _DASHED_WIDTH)
    many = max(round(2 * pi * radius / (_DASHED_WIDTH * sum(HALO_DASHES))), 5)
    stretch = 2 * pi * radius / (many * _DASHED_WIDTH * sum(HALO_DASHES))
    pen.setDashPattern([part * stretch for part in HALO_DASHES])
    canvas.painter.setPen(pen)
    canvas.painter.setBrush(Qt.BrushStyle.NoBrush)
    canvas.painter.drawEllipse(center, radius, radius)


def _circle(canvas: Canvas, x: float, y: float, r: float, color: QColor, width: float) -> None:
    canvas.painter.setBrush(Qt.BrushStyle.NoBrush)
    canvas.painter.setPen(QPen(color, width))
    canvas.painter.drawEllipse(QPointF(x, y), r, r)
