"""The signs of what is added, changed or gone: a plus, a triangle, a minus, each in its colour."""

from collections.abc import Iterable, Sequence
from math import ceil

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

from core.queries.graph_difference import CHANGES
from ui.theme import Theme
from ui.widgets.glyph_paths import transparent

ADDED, GONE, CHANGED = (CHANGES.index(change) for change in ("added", "gone", "changed"))
TOKENS = {ADDED: "good", GONE: "bad", CHANGED: "accent"}
"""The colour of each, by its index into `CHANGES`."""
_DRAWN = 150
"""More of one kind than this are stamped."""
_STROKE, _EDGE = 0.26, 1.5
"""The width of a stroke as a share of the sign, and of the ground round it in pixels."""


def draw_sign(painter: QPainter, theme: Theme, at: QPointF, size: float, code: int) -> None:
    """One sign, centred, on ground of the sky's colour, so that it shows on any star."""
    draw_signs(painter, theme, (at.x(),), (at.y(),), (size,), code)


def draw_signs(
    painter: QPainter, theme: Theme, xs: Iterable[float], ys: Iterable[float],
    sizes: Iterable[float], code: int,
) -> None:
    """Many signs of one kind: their ground first, then the signs; very many are stamped."""
    spots = list(zip(xs, ys, sizes, strict=True))
    if len(spots) > _DRAWN:
        _stamp(painter, theme, spots, code)
    else:
        _draw(painter, theme, spots, code)


def _stamp(
    painter: QPainter, theme: Theme, spots: Sequence[tuple[float, float, float]], code: int
) -> None:
    """Each as a copy of one picture of its size: drawing thousands one by one takes too long."""
    ratio = painter.device().devicePixelRatioF()
    pictures: dict[float, QPixmap] = {}
    for x, y, exact in spots:
        size = round(2 * exact) / 2
        half = size / 2 + 2 * _EDGE
        if size not in pictures:
            picture = pictures[size] = transparent(ceil(2 * half * ratio), ceil(2 * half * ratio),
                                                   ratio)
            stamp = QPainter(picture)
            stamp.setRenderHint(QPainter.RenderHint.Antialiasing)
            _draw(stamp, theme, [(half, half, size)], code)
            stamp.end()
        painter.drawPixmap(QPointF(x - half, y - half), pictures[size])


def _draw(
    painter: QPainter, theme: Theme, spots: Sequence[tuple[float, float, float]], code: int
) -> None:
    color, ground = theme.color(TOKENS[code]), theme.mix("sky.top", "sky.bottom", 0.5)
    if code == CHANGED:
        _draw_triangles(painter, spots, color, ground)
        return
    by_width: dict[float, list[QLineF]] = {}
    for x, y, size in spots:
        half, lines = size / 2, by_width.setdefault(round(max(size * _STROKE, 1.8), 1), [])
        lines.append(QLineF(x - half, y, x + half, y))
        if code == ADDED:
            lines.append(QLineF(x, y - half, x, y + half))
    for more, paint_color in ((2 * _EDGE, ground), (0.0, color)):
        for width, lines in by_width.items():
            painter.setPen(QPen(paint_color, width + more, Qt.PenStyle.SolidLine,
                                Qt.PenCapStyle.RoundCap))
            painter.drawLines(lines)


def _draw_triangles(
    painter: QPainter, spots: Sequence[tuple[float, float, float]], color: QColor, ground: QColor
) -> None:
    corners = [QPolygonF([
        QPointF(x, y - size * 0.55), QPointF(x + size * 0.55, y + size * 0.44),
        QPointF(x - size * 0.55, y + size * 0.44)]) for x, y, size in spots]
    for pen, fill in ((QPen(ground, 2 * _EDGE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap,
                            Qt.PenJoinStyle.RoundJoin), ground), (Qt.PenStyle.NoPen, color)):
        painter.setPen(pen)
        painter.setBrush(fill)
        for triangle in corners:
            painter.drawPolygon(triangle)
    painter.setBrush(Qt.BrushStyle.NoBrush)
