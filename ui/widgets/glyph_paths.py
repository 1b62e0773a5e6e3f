"""Signs drawn as paths, so that no font has to have them: type glyphs, star, meter."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from math import cos, pi, sin

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from ui.theme import Theme

METER_HEIGHT = 3.0
ICON_WIDTH, ICON_HEIGHT, RATIO = 14, 11, 2
"""Of a sign in a button, in pixels, and pixels of the picture to one of them."""


@contextmanager
def painting(
    painter: QPainter, fill: QColor | None = None, pen: QPen | None = None
) -> Iterator[None]:
    """Smooth shapes with this fill and this outline, where they are given; undone at the end."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen if pen is None else pen)
    painter.setBrush(Qt.BrushStyle.NoBrush if fill is None else fill)
    yield
    painter.restore()


def transparent(width: float, height: float, ratio: float = 1.0) -> QPixmap:
    """An empty picture of so many pixels, with `ratio` of them to a logical one."""
    picture = QPixmap(max(int(width), 1), max(int(height), 1))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


def _draw(painter: QPainter, path: QPainterPath, color: QColor, line: float = 0.0) -> None:
    """A shape filled with a colour, or only its outline of `line` pixels."""
    with painting(painter, None if line else color, QPen(color, line) if line else None):
        painter.drawPath(path)


def draw_glyph(painter: QPainter, rect: QRectF, theme: Theme, entity_type: str) -> None:
    """The sign of an entity type in its hue, centred in `rect`."""
    box = _square(rect)
    path, filled = glyph_of(theme, entity_type)
    _draw(painter, path(box), theme.type_color(entity_type),
          0.0 if filled else max(1.2, box.width() / 8))


def glyph_of(theme: Theme, entity_type: str) -> tuple[Callable[[QRectF], QPainterPath], bool]:
    """The shape of a type's sign, and whether it is filled; a dot where there is no type."""
    number = theme.type_number(entity_type)
    if number is not None:
        return FILE_GLYPHS[number % len(FILE_GLYPHS)], True
    return GLYPH_PATHS.get(entity_type.casefold(), (_dot, True))


def type_icon(theme: Theme, entity_type: str) -> QIcon:
    """The sign of an entity type, for a button or a menu."""
    picture = transparent(ICON_WIDTH * RATIO, ICON_HEIGHT * RATIO, RATIO)
    painter = QPainter(picture)
    draw_glyph(painter, QRectF(0, 0, ICON_WIDTH, ICON_HEIGHT), theme, entity_type)
    painter.end()
    return QIcon(picture)


def draw_star(painter: QPainter, rect: QRectF, color: QColor, *, filled: bool = True) -> None:
    """The pin's star, centred in `rect`."""
    _draw(painter, _star(_square(rect), 5, 0.45), color, 0.0 if filled else 1.2)


def draw_diamond(painter: QPainter, rect: QRectF, color: QColor) -> None:
    """The constraint's sign."""
    _draw(painter, _polygon(_square(rect), 4, 0.0), color)


def hexagon(box: QRectF) -> QPainterPath:
    """The outline of an entity."""
    return _polygon(box, 6, 0.0)


def draw_fold(painter: QPainter, center: QPointF, color: QColor, *, closed: bool) -> None:
    """The small triangle that says whether more is below: to the right while closed, else down."""
    corners = ((-2.2, -3.8), (3.2, 0), (-2.2, 3.8)) if closed else (
        (-3.8, -2.2), (3.8, -2.2), (0, 3.2))
    with painting(painter, color):
        painter.drawPolygon(QPolygonF([center + QPointF(*corner) for corner in corners]))


def draw_meter(
    painter: QPainter, rect: QRectF, theme: Theme, value: float, token: str = "accent"
) -> None:
    """A 3 px bar for a number between 0 and 1, in the vertical middle of `rect`."""
    bar = QRectF(rect.left(), rect.center().y() - METER_HEIGHT / 2, rect.width(), METER_HEIGHT)
    part = QRectF(bar)
    part.setWidth(bar.width() * min(1.0, max(0.0, value)))
    with painting(painter, theme.color("line")):
        painter.drawRoundedRect(bar, 1.5, 1.5)
        painter.setBrush(theme.color(token))
        painter.drawRoundedRect(part, 1.5, 1.5)


def draw_trend(
    painter: QPainter, rect: QRectF, theme: Theme, values: Sequence[float], token: str = "accent"
) -> None:
    """Numbers between 0 and 1 over time as a thin line that ends in a dot."""
    step = rect.width() / max(1, len(values) - 1)
    points = [QPointF(rect.left() + at * step,
                      rect.bottom() - rect.height() * min(1.0, max(0.0, value)))
              for at, value in enumerate(values)]
    with painting(painter, theme.color(token), QPen(theme.color(token, 0.8), 1.2)):
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(points[-1], 1.8, 1.8)


def _square(rect: QRectF) -> QRectF:
    """The largest square in the middle of a rectangle."""
    side = min(rect.width(), rect.height())
    box = QRectF(0, 0, side, side)
    box.moveCenter(rect.center())
    return box


def _polygon(box: QRectF, corners: int, turn: float) -> QPainterPath:
    return _polygon_at_zero(box.width() / 2, corners, turn).translated(box.center())


def _star(box: QRectF, rays: int, inner: float) -> QPainterPath:
    return _star_at_zero(box.width() / 2, rays, inner).translated(box.center())


# Lists draw the same few signs in every row.
@lru_cache(maxsize=256)
def _polygon_at_zero(radius: float, corners: int, turn: float) -> QPainterPath:
    return _closed(QPointF(sin(angle), -cos(angle)) * radius
                   for angle in (turn + 2 * pi * i / corners for i in range(corners)))


@lru_cache(maxsize=256)
def _star_at_zero(radius: float, rays: int, inner: float) -> QPainterPath:
    return _closed(QPointF(sin(pi * i / rays), -cos(pi * i / rays))
                   * (radius * inner if i % 2 else radius) for i in range(rays * 2))


def _closed(corners: Iterable[QPointF]) -> QPainterPath:
    points = list(corners)
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


def _target(box: QRectF) -> QPainterPath:
    path = _ellipse(box, 0.02)
    path.addEllipse(_inset(box, 0.18))
    path.addEllipse(_inset(box, 0.34))
    return path


def _cross(box: QRectF) -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    by = box.width() * 0.34
    path.addRect(box.adjusted(by, 0, -by, 0))
    path.addRect(box.adjusted(0, by, 0, -by))
    return path


def _crescent(box: QRectF) -> QPainterPath:
    return _ellipse(box, 0.02).subtracted(
        _ellipse(box.translated(box.width() * 0.3, -box.height() * 0.1), 0.08))


def _hourglass(box: QRectF) -> QPainterPath:
    inner = _inset(box, 0.06)
    path = _closed((inner.topLeft(), inner.topRight(), inner.bottomLeft(), inner.bottomRight()))
    path.setFillRule(Qt.FillRule.WindingFill)
    return path


def _frame(box: QRectF) -> QPainterPath:
    path = QPainterPath()
    path.addRect(_inset(box, 0.08))
    path.addRect(_inset(box, 0.3))
    return path


def _half_disc(box: QRectF) -> QPainterPath:
    path = QPainterPath(box.center() + QPointF(box.width() / 2, box.height() / 5))
    path.arcTo(box.translated(0, box.height() / 5), 0, 180)
    path.closeSubpath()
    return path


def _chevron(box: QRectF) -> QPainterPath:
    left, right, middle = box.left(), box.right(), box.center().x()
    top, high = box.top() + box.height() * 0.1, box.height()
    return _closed((QPointF(left, top + high * 0.5), QPointF(middle, top),
                    QPointF(right, top + high * 0.5), QPointF(right, top + high * 0.85),
                    QPointF(middle, top + high * 0.35), QPointF(left, top + high * 0.85)))


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
FILE_GLYPHS: tuple[Callable[[QRectF], QPainterPath], ...] = (
    lambda box: _polygon(box, 3, pi), _target, _cross, _crescent, _hourglass,
    lambda box: _star(box, 6, 0.5), _frame, _half_disc, _chevron,
)
"""Signs for the types of a file that nobody listed, all filled; 9 of them, and 8 hues, so that
72 types differ."""
