"""Text with a halo, drawn once and cached as small pictures."""

from collections import OrderedDict
from functools import cache

from msgspec import Struct
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap

from core.model.partly_compared_struct import PartlyCompared
from core.model.text_formatting import one_line
from ui.theme.apply_theme import body_font
from ui.widgets.glyph_paths import transparent

Weight = QFont.Weight

_KEPT = 1500
_SIZES_KEPT = 30_000
_LONGEST = 200
_MARGIN = 4.0
# The text itself in the ground's colour, set off all round: a stroked outline of the glyphs looks
# the same and takes twenty times as long.
# Whole pixels, because glyphs between pixels would each be rasterised for themselves.
_NEAR = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
_FAR = [(-2, -1), (-2, 0), (-2, 1), (2, -1), (2, 0), (2, 1), (-1, -2), (0, -2), (1, -2), (-1, 2),
        (0, 2), (1, 2)]
_HALO = ((_FAR, 0.3), (_NEAR, 0.8))


class TextStyle(PartlyCompared, frozen=True, eq=False):
    """A font with its measure, compared by the few numbers it was made from."""

    ASIDE = frozenset({"font", "metrics"})

    key: tuple[int, int, float]
    font: QFont
    metrics: QFontMetricsF


@cache
def text_style(pixels: int, weight: Weight = Weight.Normal, spacing: float = 0.0) -> TextStyle:
    """The interface font in a size and weight."""
    font = body_font(pixels, weight=weight)
    if spacing:
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, spacing)
    return TextStyle((pixels, int(weight), spacing), font, QFontMetricsF(font))


class TextPicture(Struct, frozen=True):
    """A drawn text. `width` and `height` are of the text; the picture has a margin round it."""

    pixmap: QPixmap
    width: float
    height: float


class TextCache:
    """Draws texts over one background at one device pixel ratio, and measures them."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[tuple, TextPicture] = OrderedDict()
        self._sizes: dict[tuple, tuple[str, float, float]] = {}
        self._ground = QColor()
        self._dpr = 1.0

    def begin(self, ground: QColor, dpr: float) -> None:
        """Set the halo's colour and the pixel ratio for what follows."""
        if (ground, dpr) != (self._ground, self._dpr):
            self._ground, self._dpr = QColor(ground), dpr
            self._pictures.clear()

    def size(self, text: str, style: TextStyle, most: float = 230.0) -> tuple[str, float, float]:
        """The text as one line of at most `most` pixels, its width and its height."""
        key = (text if len(text) <= _LONGEST else text[:_LONGEST], style.key, most)
        known = self._sizes.get(key)
        if known is None:
            line = one_line(text, _LONGEST)
            line = style.metrics.elidedText(line, Qt.TextElideMode.ElideRight, most)
            if len(self._sizes) > _SIZES_KEPT:
                self._sizes.clear()
            known = self._sizes[key] = (line, style.metrics.horizontalAdvance(line),
                                        style.metrics.height())
        return known

    def has(self, text: str, style: TextStyle, color: QColor, most: float = 230.0) -> bool:
        """True if this text has been drawn already."""
        return (self.size(text, style, most)[0], style.key, color.rgba(), True) in self._pictures

    def picture(
        self, text: str, style: TextStyle, color: QColor, *, halo: bool = True, most: float = 230.0
    ) -> TextPicture:
        """The picture of a text."""
        line, width, height = self.size(text, style, most)
        key = (line, style.key, color.rgba(), halo)
        known = self._pictures.get(key)
        if known is not None:
            self._pictures.move_to_end(key)
            return known
        pixmap = transparent((width + 2 * _MARGIN) * self._dpr + 2,
                              (height + 2 * _MARGIN) * self._dpr + 2, self._dpr)
        painter = QPainter(pixmap)
        self._write(painter, line, style, color, _MARGIN, _MARGIN, _HALO if halo else ())
        painter.end()
        drawn = self._pictures[key] = TextPicture(pixmap, width, height)
        if len(self._pictures) > _KEPT:
            self._pictures.popitem(last=False)
        return drawn

    def draw(self, painter: QPainter, drawn: TextPicture, x: float, y: float) -> None:
        """Draw a picture with the text's top left corner at (x, y), on whole device pixels."""
        left = round((x - _MARGIN) * self._dpr) / self._dpr
        top = round((y - _MARGIN) * self._dpr) / self._dpr
        painter.drawPixmap(QPointF(left, top), drawn.pixmap)

    def write(
        self, painter: QPainter, text: str, style: TextStyle, color: QColor, x: float, y: float
    ) -> None:
        """Draw a text that changes with each frame, without keeping a picture of it."""
        self._write(painter, text, style, color, round(x), round(y), _HALO[1:])

    def _write(
        self, painter: QPainter, line: str, style: TextStyle, color: QColor, x: float, y: float,
        halo: tuple,
    ) -> None:
        base = y + style.metrics.ascent()
        painter.setFont(style.font)
        ground = QColor(self._ground)
        for offsets, alpha in halo:
            ground.setAlphaF(alpha)
            painter.setPen(ground)
            for dx, dy in offsets:
                painter.drawText(QPointF(x + dx, base + dy), line)
        painter.setPen(color)
        painter.drawText(QPointF(x, base), line)
