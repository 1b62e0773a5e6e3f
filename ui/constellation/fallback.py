"""The sky by QPainter alone: what is seen until the kernels are ready, and where they can't be.

Only opaque pens and brushes, with every colour mixed into the background beforehand: a translucent
pen is eight times slower. Caps keep a large graph within a frame.
"""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen, QPolygonF

from ui.constellation.arrays import DIAMOND, DISC, HOLLOW, Lines, Marks, Paint

_MOST_LINES, _MOST_MARKS, _MOST_DUST = 6000, 4000, 2000
_CORNERS = [(np.sin(k * np.pi / 3), -np.cos(k * np.pi / 3)) for k in range(6)]


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
    shade = (lines.alpha[seen] * 10).astype(int)
    kinds = np.stack((lines.color[seen].astype(np.int64), shade), axis=1)
    for color, step in np.unique(kinds, axis=0).tolist():
        rows = seen[(kinds[:, 0] == color) & (kinds[:, 1] == step)]
        painter.setPen(QPen(_mixed(ground, color, (step + 0.5) / 10), 1.0))
        ends = zip(x1[rows].tolist(), y1[rows].tolist(), x2[rows].tolist(), y2[rows].tolist(),
                   strict=True)
        painter.drawLines([QLineF(*four) for four in ends])


def _marks(painter: QPainter, marks: Marks, ground: QColor) -> None:
    rows = np.arange(len(marks.x))[-_MOST_MARKS:]
    columns = (marks.x, marks.y, marks.radius, marks.alpha, marks.fill, marks.rim, marks.shape)
    for x, y, r, alpha, fill, rim, shape in zip(
        *(column[rows].tolist() for column in columns), strict=True
    ):
        brush = Qt.BrushStyle.NoBrush if shape == HOLLOW else _mixed(ground, fill, alpha)
        painter.setBrush(brush)
        painter.setPen(QPen(_mixed(ground, rim, alpha * 0.8), 1.0) if r > 3.0
                       else Qt.PenStyle.NoPen)
        if r < 2.0:
            painter.fillRect(QRectF(x - r, y - r, 2 * r, 2 * r), painter.brush())
        elif shape == DISC:
            painter.drawEllipse(QPointF(x, y), r, r)
        elif shape == DIAMOND:
            painter.drawPolygon(QPolygonF([QPointF(x, y - r), QPointF(x + r, y),
                                           QPointF(x, y + r), QPointF(x - r, y)]))
        else:
            painter.drawPolygon(QPolygonF([QPointF(x + r * dx, y + r * dy)
                                           for dx, dy in _CORNERS]))
