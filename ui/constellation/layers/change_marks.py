"""Signs at what is added, changed or gone: a plus, a triangle, a minus, each in its colour.

They stand at the upper left, where neither the pin's star nor a proposal's dot is.
"""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPen

from core.constellation.plain_numbers import distinct
from ui.constellation.difference_signs import GONE, TOKENS, draw_sign, draw_signs
from ui.constellation.layers.paint_context import Canvas, Spot, between
from ui.constellation.layers.rings import signs_radii

_LEAST, _MOST, _SHARE = 8.0, 13.0, 0.7
"""Pixels of a sign, and its share of the radius of what it stands at."""
_CROWDED, _TINY = 400, 2.5
"""Of more marks than this those at tiny stars are hardly larger than these."""
_DIAGONAL = 0.7071
_DASH = (1.2, 2.4)
_SHORTEST = 26.0
"""A link of fewer pixels has no sign: those of its ends tell."""


def paint(canvas: Canvas) -> None:
    """Draw all of them: links, then what is not in the sky, then the signs."""
    if canvas.overlay.marks is None:
        return
    _paint_links(canvas)
    _paint_absent(canvas)
    _paint_signs(canvas)
    _paint_near(canvas)
    canvas.painter.setOpacity(1.0)


def discs(canvas: Canvas) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Centre and radius of the signs at entities: no name lies on one."""
    nodes, _ = _in_sight(canvas)
    x, y, size = _spots(canvas, nodes[nodes < canvas.scene.entities])
    return x, y, size / 2


def _in_sight(canvas: Canvas) -> tuple[np.ndarray, np.ndarray]:
    """The marked entities that are drawn, and the marked memories, with their codes."""
    marks, frame = canvas.overlay.marks, canvas.frame
    assert marks is not None
    entities = marks.nodes < canvas.scene.entities
    drawn = np.where(entities, np.isin(marks.nodes, frame.visible), True)
    return marks.nodes[drawn], marks.codes[drawn]


def _spots(canvas: Canvas, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where the signs of these entities are, and how large."""
    frame = canvas.frame
    radius = np.maximum(frame.radius[rows], 2.0)
    away = signs_radii(canvas, rows, radius) * _DIAGONAL + 1.0
    marks = canvas.overlay.marks
    crowded = marks is not None and len(marks.nodes) > _CROWDED
    least = np.minimum(_LEAST, _TINY + radius) if crowded else _LEAST
    size = (radius * _SHARE).clip(least, _MOST)
    return frame.x[rows] - away, frame.y[rows] - away, size


def _paint_signs(canvas: Canvas) -> None:
    nodes, codes = _in_sight(canvas)
    entities = nodes < canvas.scene.entities
    rows, kinds = nodes[entities], codes[entities]
    alphas = np.round(canvas.frame.alpha[rows], 2)
    for alpha in distinct(alphas).tolist():
        canvas.painter.setOpacity(alpha)
        for code in TOKENS:
            alike = rows[(alphas == alpha) & (kinds == code)]
            x, y, size = _spots(canvas, alike)
            draw_signs(canvas.painter, canvas.theme, x.tolist(), y.tolist(), size.tolist(), code)
    canvas.painter.setOpacity(1.0)
    for node, code in zip(nodes[~entities].tolist(), codes[~entities].tolist(), strict=True):
        _sign_at(canvas, canvas.spot(node), code)


def _paint_near(canvas: Canvas) -> None:
    """Signs at the marked values of what is opened."""
    frame, marks = canvas.frame, canvas.overlay.marks
    if marks is None or not marks.others:
        return
    first, end = canvas.scene.starts[2:4]
    seen = (frame.near_alpha > 0.5) & (frame.near >= first) & (frame.near < end)
    for node in frame.near[seen].tolist():
        code = marks.others.get(canvas.scene.ids[node])
        if code is not None:
            _sign_at(canvas, canvas.spot(node), code)


def _paint_absent(canvas: Canvas) -> None:
    """What is not in the sky: a dotted ring in the colour of its sign."""
    marks, ghosts = canvas.overlay.marks, len(canvas.scene.ghosts.ids)
    assert marks is not None
    for row in canvas.ghosts_in_sight():
        if row < ghosts:
            continue
        x, y, radius = canvas.ghost(row)
        code = int(marks.absent_codes[row - ghosts])
        color = canvas.theme.color(TOKENS[code])
        canvas.painter.setBrush(QColor(color.red(), color.green(), color.blue(), 26))
        canvas.painter.setPen(_dotted(color))
        canvas.painter.drawEllipse(QPointF(x, y), radius, radius)
        _sign_at(canvas, (x, y, radius), code)


def _paint_links(canvas: Canvas) -> None:
    """Lines from rim to rim with a sign in the middle; what is gone is dotted."""
    marks = canvas.overlay.marks
    assert marks is not None
    for start, end, code in marks.links.tolist():
        line = between(_end(canvas, start), _end(canvas, end))
        if line is None or not _crosses(canvas, line):
            continue
        color = canvas.theme.color(TOKENS[code])
        canvas.painter.setOpacity(0.85 * _link_alpha(canvas, start, end))
        canvas.painter.setPen(_dotted(color) if code == GONE else QPen(color, 1.4))
        canvas.painter.drawLine(line)
        if line.length() >= _SHORTEST:
            draw_sign(canvas.painter, canvas.theme, line.center(), _LEAST + 1.0, code)
    canvas.painter.setOpacity(1.0)


def _end(canvas: Canvas, node: int) -> Spot:
    count = canvas.scene.entities
    if node < count:
        return canvas.entity(node)
    return canvas.ghost(len(canvas.scene.ghosts.ids) + node - count)


def _link_alpha(canvas: Canvas, *ends: int) -> float:
    count = canvas.scene.entities
    return min((float(canvas.frame.alpha[end]) for end in ends if end < count), default=1.0)


def _crosses(canvas: Canvas, line: QLineF) -> bool:
    return not (max(line.x1(), line.x2()) < 0 or min(line.x1(), line.x2()) > canvas.width
                or max(line.y1(), line.y2()) < 0 or min(line.y1(), line.y2()) > canvas.height)


def _dotted(color: QColor) -> QPen:
    pen = QPen(color, 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    pen.setDashPattern(list(_DASH))
    return pen


def _sign_at(canvas: Canvas, spot: Spot | None, code: int) -> None:
    if spot is None:
        return
    x, y, radius = spot
    away = radius * _DIAGONAL + 1.0
    size = min(max(radius * _SHARE, _LEAST), _MOST)
    draw_sign(canvas.painter, canvas.theme, QPointF(x - away, y - away), size, code)
