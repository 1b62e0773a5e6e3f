"""The sky by QPainter alone: used until the kernels are ready, or if they are unavailable.

Only opaque pens and brushes, with every colour mixed into the background beforehand: a translucent
pen is eight times slower. Caps keep a large graph within a frame.
"""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QLinearGradient, QPainter, QPen, QPolygonF

from ui.constellation.raster_input import DIAMOND, DISC, HOLLOW, Lines, Marks, Paint

_MOST_LINES, _MOST_MARKS, _MOST_DUST = 6000, 4000, 2000
_SHADES = 20
_LEAST_SHAPE, _LEAST_RIM = 4, 6
"""In half pixels: smaller marks are squares, and have no rim."""
_CORNERS = [(np.sin(k * np.pi / 3), -np.cos(k * np.pi / 3)) for k in range(6)]
_DIAMOND = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]
_ROUND = [(np.sin(k * np.pi / 8), -np.cos(k * np.pi / 8)) for k in range(16)]


def paint(painter: QPainter, width: float, height: float, paint: Paint) -> None:
    """Draw a frame's arrays, made for a scale of 1."""
    top, bottom = QColor(*map(int, paint.top)), QColor(*map(int, paint.bottom))
    sky = QLinearGradient(0.0, 0.0, 0.0, height)
    sky.setColorAt(0.0, top)
    sky.setColorAt(1.0, bottom)
    painter.fillRect(QRectF(0, 0, width, height), sky)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    _dust(painter, paint, top)
    for lines in paint.lines:
        _lines(painter, lines, width, height, top)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    _marks(painter, paint.marks, top)
    painter.restore()


def _mixed(ground: QColor, color: int, alpha: float) -> QColor:
    keep = 1.0 - min(max(alpha, 0.0), 1.0)
    red, green, blue = (color >> 16) & 255, (color >> 8) & 255, color & 255
    return QColor(int(ground.red() * keep + red * (1 - keep)),
                  int(ground.green() * keep + green * (1 - keep)),
                  int(ground.blue() * keep + blue * (1 - keep)))


def _dust(painter: QPainter, paint: Paint, ground: QColor) -> None:
    dust = paint.dust
    if not len(dust.x):
        return
    painter.setPen(QPen(_mixed(ground, int(dust.color[0]), float(dust.alpha.mean())), 1.4))
    points = [QPointF(x, y) for x, y in
              zip(dust.x[:_MOST_DUST].tolist(), dust.y[:_MOST_DUST].tolist(), strict=True)]
    painter.drawPoints(points)


def _lines(painter: QPainter, lines: Lines, width: float, height: float, ground: QColor) -> None:
    source, target = lines.source, lines.target
    x1, y1, x2, y2 = lines.x[source], lines.y[source], lines.x[target], lines.y[target]
    seen = np.flatnonzero((np.maximum(x1, x2) > 0) & (np.minimum(x1, x2) < width)
                          & (np.maximum(y1, y2) > 0) & (np.minimum(y1, y2) < height)
                          & (lines.alpha > 0.01))[:_MOST_LINES]
    # One pen for each kind of line: shades in steps of a tenth.
    kinds = lines.color[seen].astype(np.int64) * 16 + (lines.alpha[seen] * 10).astype(np.int64)
    for kind in sorted(set(kinds.tolist())):
        rows = seen[kinds == kind]
        painter.setPen(QPen(_mixed(ground, kind >> 4, (kind % 16 + 0.5) / 10), 1.0))
        ends = zip(x1[rows].tolist(), y1[rows].tolist(), x2[rows].tolist(), y2[rows].tolist(),
                   strict=True)
        painter.drawLines([QLineF(*four) for four in ends])


def _marks(painter: QPainter, marks: Marks, ground: QColor) -> None:
    rows = np.arange(len(marks.x))[-_MOST_MARKS:]
    # Few shades and sizes, each made once: this runs while the window has much else to do.
    shade = np.clip(marks.alpha[rows] * _SHADES, 0, _SHADES).astype(int)
    half_pixels = np.clip(marks.radius[rows] * 2, 1, 256).astype(int)
    columns = (marks.x, marks.y, marks.fill, marks.rim, marks.shape)
    paints: dict[tuple[int, int, int, int], tuple[QBrush, QPen]] = {}
    outlines: dict[tuple[int, int], QPolygonF] = {}
    for x, y, fill, rim, shape, step, half in zip(
        *(column[rows].tolist() for column in columns), shade.tolist(), half_pixels.tolist(),
        strict=True
    ):
        key = fill, rim, shape, step
        if key not in paints:
            paints[key] = _paints(ground, *key)
        brush, pen = paints[key]
        if half < _LEAST_SHAPE:
            painter.fillRect(QRectF(x - half / 2, y - half / 2, half, half), brush)
            continue
        if (shape, half) not in outlines:
            outlines[shape, half] = _outline(shape, half / 2)
        painter.setBrush(brush)
        painter.setPen(pen if half > _LEAST_RIM else Qt.PenStyle.NoPen)
        painter.drawPolygon(outlines[shape, half].translated(x, y))


def _paints(
    ground: QColor, fill: int, rim: int, shape: int, step: int
) -> tuple[QBrush, QPen]:
    alpha = (step + 0.5) / _SHADES
    brush = QBrush() if shape == HOLLOW else QBrush(_mixed(ground, fill, alpha))
    return brush, QPen(_mixed(ground, rim, alpha * 0.8), 1.0)


def _outline(shape: int, radius: float) -> QPolygonF:
    corners = {DISC: _ROUND, DIAMOND: _DIAMOND}.get(shape, _CORNERS)
    return QPolygonF([QPointF(radius * dx, radius * dy) for dx, dy in corners])
