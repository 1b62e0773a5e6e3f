"""Text with a halo, drawn once and kept as small pictures: drawing them again costs nothing."""

from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

_KEPT = 1500
_LONGEST = 200
_HALO = 3.6


@dataclass(frozen=True, slots=True)
class Stamp:
    """A drawn text. `width` and `height` are of the text; the picture has a margin round it."""

    picture: QPixmap
    width: float
    height: float
    margin: float


class Ink:
    """Draws texts of a theme at a device pixel ratio, and measures them."""

    def __init__(self) -> None:
        self._stamps: OrderedDict[tuple, Stamp] = OrderedDict()
        self._sizes: dict[tuple[str, str], tuple[str, float, float]] = {}
        self._metrics: dict[str, QFontMetricsF] = {}
        self._ground = QColor()
        self._dpr = 1.0

    def begin(self, ground: QColor, dpr: float) -> None:
        """Set the halo's colour and the pixel ratio for the stamps that follow."""
        if (ground, dpr) != (self._ground, self._dpr):
            self._ground, self._dpr = QColor(ground), dpr
            self._stamps.clear()

    def size(self, text: str, font: QFont, most: float = 230.0) -> tuple[str, float, float]:
        """The text as one line of at most `most` pixels, its width and its height."""
        key = (text[:_LONGEST], f"{font.key()}/{most}")
        known = self._sizes.get(key)
        if known is None:
            metrics = self._metrics.get(font.key())
            if metrics is None:
                metrics = self._metrics[font.key()] = QFontMetricsF(font)
            line = " ".join(text[:_LONGEST].split())
            line = metrics.elidedText(line, Qt.TextElideMode.ElideRight, most)
            if len(self._sizes) > 20 * _KEPT:
                self._sizes.clear()
            known = self._sizes[key] = (line, metrics.horizontalAdvance(line), metrics.height())
        return known

    def has(self, text: str, font: QFont, color: QColor, most: float = 230.0) -> bool:
        """True if this text has been drawn already."""
        return (self.size(text, font, most)[0], font.key(), color.rgba(), True) in self._stamps

    def stamp(
        self, text: str, font: QFont, color: QColor, *, halo: bool = True, most: float = 230.0
    ) -> Stamp:
        """The picture of a text."""
        line, width, height = self.size(text, font, most)
        key = (line, font.key(), color.rgba(), halo)
        known = self._stamps.get(key)
        if known is not None:
            self._stamps.move_to_end(key)
            return known
        margin = _HALO if halo else 1.0
        stamp = Stamp(self._render(line, font, color, width, height, margin, halo), width, height,
                      margin)
        self._stamps[key] = stamp
        if len(self._stamps) > _KEPT:
            self._stamps.popitem(last=False)
        return stamp

    def draw(self, painter: QPainter, stamp: Stamp, x: float, y: float) -> None:
        """Draw a stamp with the text's top left corner at (x, y), on whole device pixels."""
        left = round((x - stamp.margin) * self._dpr) / self._dpr
        top = round((y - stamp.margin) * self._dpr) / self._dpr
        painter.drawPixmap(QPointF(left, top), stamp.picture)

    def _render(
        self, line: str, font: QFont, color: QColor, width: float, height: float, margin: float,
        halo: bool,
    ) -> QPixmap:
        picture = QPixmap(max(int((width + 2 * margin) * self._dpr) + 2, 1),
                          max(int((height + 2 * margin) * self._dpr) + 2, 1))
        picture.setDevicePixelRatio(self._dpr)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing
                               | QPainter.RenderHint.TextAntialiasing)
        base = QPointF(margin, margin + QFontMetricsF(font).ascent())
        if halo:
            path = QPainterPath()
            path.addText(base, font, line)
            ground = QColor(self._ground)
            for size, alpha in ((2 * _HALO, 0.3), (_HALO + 0.6, 0.75)):
                ground.setAlphaF(alpha)
                painter.strokePath(path, QPen(ground, size, Qt.PenStyle.SolidLine,
                                              Qt.PenCapStyle.RoundCap,
                                              Qt.PenJoinStyle.RoundJoin))
        painter.setFont(font)
        painter.setPen(color)
        painter.drawText(base, line)
        painter.end()
        return picture
