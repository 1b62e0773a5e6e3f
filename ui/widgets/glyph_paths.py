"""Signs drawn as paths, so that no font has to have them: type glyphs, star, meter."""

from collections.abc import Callable, Sequence
from math import cos, pi, sin

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from ui.theme import Theme

METER_HEIGHT = 3.0


def draw_glyph(painter: QPainter, rect: QRectF, theme: Theme, entity_type: str) -> None:
    """The sign of an entity type in its hue, centred in `rect`."""
    color = theme.type_color(entity_type)
    side = min(rect.width(), rect.height())
    box = QRectF(0, 0, side, side)
    box.moveCenter(rect.center())
    draw, filled = GLYPH_PATHS.get(entity_type, (_dot, True))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen if filled else QPen(color, max(1.2, side / 8)))
    painter.setBrush(color if filled else Qt.BrushStyle.NoBrush)
    painter.drawPath(draw(box))
    painter.restore()


def draw_star(painter: QPainter, rect: QRectF, color: QColor, *, filled: bool = True) -> None:
    """The pin's star, centred in `rect`."""
    side = min(rect.width(), rect.height())
    path = _star(_square(rect.center(), side), 5, 0.45)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(color if filled else Qt.BrushStyle.NoBrush)
    painter.setPen(Qt.PenStyle.NoPen if filled else QPen(color, 1.2))
    painter.drawPath(path)
    painter.restore()


def draw_meter(
    painter: QPainter, rect: QRectF, theme: Theme, value: float, token: str = "accent"
) -> None:
    """A 3 px bar for a number between 0 and 1, in the vertical middle of `rect`."""
    bar = QRectF(rect.left(), rect.center().y() - METER_HEIGHT / 2, rect.width(), METER_HEIGHT)
    part = QRectF(bar)
    part.setWidth(bar.width() * min(1.0, max(0.0, value)))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("line"))
    painter.drawRoundedRect(bar, 1.5, 1.5)
    painter.setBrush(theme.color(token))
    painter.drawRoundedRect(part, 1.5, 1.5)
    painter.restore()


def draw_trend(
    painter: QPainter, rect: QRectF, theme: Theme, values: Sequence[float], token: str = "accent"
) -> None:
    """Numbers between 0 and 1 over time as a thin line that ends in a dot."""
    step = rect.width() / max(1, len(values) - 1)
    points = [QPointF(rect.left() + at * step,
                      rect.bottom() - rect.height() * min(1.0, max(0.0, value)))
              for at, value in enumerate(values)]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color(token, 0.8), 1.2))
    painter.drawPolyline(QPolygonF(points))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(token))
    painter.drawEllipse(points[-1], 1.8, 1.8)
    painter.restore()


def draw_diamond(painter: QPainter, rect: QRectF, color: QColor) -> None:
    """The constraint's sign."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPath(_polygon(_square(rect.center(), min(rect.width(), rect.height())), 4, 0.0))
    painter.restore()


def _square(center: QPointF, side: float) -> QRectF:
    box = QRectF(0, 0, side, side)
    box.moveCenter(center)
    return box


def _polygon(box: QRectF, corners: int, turn: float) -> QPainterPath:
    radius = box.width() / 2
    points = [
        box.center() + QPointF(sin(turn + 2 * pi * i / corners), -cos(turn + 2 * pi * i / corners))
        * radius
        for i in range(corners)
    ]
    path = QPainterPath()
    path.addPolygon(QPolygonF([*points, points[0]]))
    return path


def _star(box: QRectF, rays: int, inner: float) -> QPainterPath:
    radius = box.width() / 2
    points = []
    for i in range(rays * 2):
        reach = radius if i % 2 == 0 else radius * inner
        angle = pi * i / rays
        points.append(box.center() + QPointF(sin(angle) * reach, -cos(angle) * reach))
    path = QPainterPath()
    path.addPolygon(QPolygonF([*points, points[0]]))
    return path


def _ellipse(box: QRectF, inset: float) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(_inset(box, inset))
    return path


def _dot(box: QRectF) -> QPainterPath:
    return _ellipse(box, 0.28)


def _block(box: QRectF) -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(_inset(box, 0.1), 2, 2)
    return path


def _page(box: QRectF) -> QPainterPath:
    path = QPainterPath()
    height = box.height() / 6
    for line in range(3):
        top = box.top() + height * (0.5 + 2 * line)
        path.addRect(QRectF(box.left() + box.width() * 0.08, top, box.width() * 0.84, height))
    return path


def _asterisk(box: QRectF) -> QPainterPath:
    path = QPainterPath()
    radius = box.width() * 0.44
    for i in range(3):
        reach = QPointF(sin(pi * i / 3), -cos(pi * i / 3)) * radius
        path.moveTo(box.center() - reach)
        path.lineTo(box.center() + reach)
    return path


def _shield(box: QRectF) -> QPainterPath:
    inner = _inset(box, 0.08)
    path = QPainterPath(inner.topLeft())
    path.lineTo(inner.topRight())
    path.lineTo(inner.right(), inner.center().y())
    path.quadTo(inner.right(), inner.bottom() - inner.height() * 0.15, inner.center().x(),
                inner.bottom())
    path.quadTo(inner.left(), inner.bottom() - inner.height() * 0.15, inner.left(),
                inner.center().y())
    path.closeSubpath()
    return path


def _inset(box: QRectF, share: float) -> QRectF:
    by = box.width() * share
    return box.adjusted(by, by, -by, -by)


GLYPH_PATHS: dict[str, tuple[Callable[[QRectF], QPainterPath], bool]] = {
    "person": (lambda box: _ellipse(box, 0.06), True),
    "project": (lambda box: _polygon(box, 4, 0.0), True),
    "system": (_block, True),
    "tool": (lambda box: _polygon(box, 3, 0.0), True),
    "concept": (lambda box: _star(box, 4, 0.42), True),
    "skill": (lambda box: _polygon(box, 5, 0.0), True),
    "task": (lambda box: _ellipse(box, 0.14), False),
    "source": (_page, True),
    "artifact": (_page, True),
    "agent": (lambda box: _polygon(box, 6, 0.0), True),
    "event": (_asterisk, False),
    "policy": (_shield, True),
}
