"""Each entity type's sign inside its hexagon, so that colour is never the only one."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from ui.constellation.layers.paint_context import Canvas
from ui.constellation.sky_colors import shade_of, sign_color
from ui.theme import Theme
from ui.widgets.glyph_paths import glyph_of, transparent

_FROM, _FULL = 4.2, 6.0
"""Radii of hexagons at which signs begin to be seen, and are wholly there."""
_SHARE, _LARGE_SHARE, _LEAST = 0.8, 1.3, 9.0
"""A sign's side in radii; small hexagons are filled by it, up to so many pixels."""
_MOST = 500

Sign = tuple[int, int, int]
"""The number of an entity's type, the side of its sign and the step of its fill."""


class TypeGlyphs:
    """Caches the signs as small pictures, by type and size."""

    def __init__(self) -> None:
        self._pictures: dict[tuple, QPixmap] = {}

    def paint(self, canvas: Canvas) -> None:
        """Draw a sign on every hexagon that is large enough."""
        frame, painter = canvas.frame, canvas.painter
        rows = frame.visible[frame.radius[frame.visible] > _FROM]
        if len(rows) > _MOST:
            return
        radius = frame.radius[rows]
        sides = _sides(radius)
        x = np.round((frame.x[rows] - sides / 2) * canvas.dpr) / canvas.dpr
        y = np.round((frame.y[rows] - sides / 2) * canvas.dpr) / canvas.dpr
        opacity = np.clip((radius - _FROM) / (_FULL - _FROM), 0.0, 1.0) * frame.alpha[rows]
        signs = _signs_of(canvas, rows, sides)
        pictures = {sign: self._picture_of(canvas, sign) for sign in set(signs)}
        for left, top, share, sign in zip(x.tolist(), y.tolist(), opacity.tolist(), signs,
                                          strict=True):
            self._stamp(canvas, left, top, share, pictures[sign], sign)
        painter.setOpacity(1.0)

    def _stamp(
        self, canvas: Canvas, left: float, top: float, share: float, picture: QPixmap, sign: Sign
    ) -> None:
        """Draw one sign with its left upper corner here."""
        canvas.painter.setOpacity(share)
        canvas.painter.drawPixmap(QPointF(left, top), picture)

    def _picture_of(self, canvas: Canvas, sign: Sign) -> QPixmap:
        code, side, shade = sign
        return self._picture(canvas, canvas.scene.type_words[code], side, shade)

    def _picture(self, canvas: Canvas, word: str, side: int, shade: int) -> QPixmap:
        """The sign on a fill of this step; -1 for none, of what is muted."""
        theme = canvas.theme
        key = (theme.name, word, theme.type_number(word), side, shade, canvas.dpr)
        known = self._pictures.get(key)
        if known is not None:
            return known
        if len(self._pictures) > 2000:
            self._pictures.clear()
        picture = transparent(side * canvas.dpr, side * canvas.dpr, canvas.dpr)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_sign(painter, theme, word, side, shade)
        painter.end()
        self._pictures[key] = picture
        return picture


class SharpSigns(TypeGlyphs):
    """Draws the signs as shapes, for a page that may be looked at in any size."""

    def _stamp(
        self, canvas: Canvas, left: float, top: float, share: float, picture: QPixmap, sign: Sign
    ) -> None:
        code, side, shade = sign
        canvas.painter.save()
        canvas.painter.translate(left, top)
        draw_sign(canvas.painter, canvas.theme, canvas.scene.type_words[code], side, shade, share)
        canvas.painter.restore()

    def _picture_of(self, canvas: Canvas, sign: Sign) -> QPixmap:
        return QPixmap()


def draw_sign(
    painter: QPainter, theme: Theme, word: str, side: int, shade: int, share: float = 1.0
) -> None:
    """The sign on a fill of this step, -1 for none; `share` is how much of it is to be seen."""
    color = QColor(theme.color("text.faint") if shade < 0 else
                   sign_color(theme, theme.type_color(word), shade))
    color.setAlphaF(color.alphaF() * share)
    draw, filled = glyph_of(theme, word)
    box = QRectF(0, 0, side, side)
    painter.setPen(Qt.PenStyle.NoPen if filled else QPen(color, max(1.2, side / 8)))
    painter.setBrush(color if filled else Qt.BrushStyle.NoBrush)
    painter.drawPath(draw(box.adjusted(side * 0.1, side * 0.1, -side * 0.1, -side * 0.1)))


def _sides(radius: np.ndarray) -> np.ndarray:
    """The side of each sign in whole pixels."""
    return np.round(np.maximum(_SHARE * radius, np.minimum(_LARGE_SHARE * radius, _LEAST))
                    ).astype(np.int64)


def _signs_of(
    canvas: Canvas, rows: np.ndarray, sides: np.ndarray
) -> list[Sign]:
    """The sign of each of these entities."""
    scene = canvas.scene
    code = np.maximum(scene.type_code[rows], 0)
    shade = np.where(scene.entity_muted[rows], -1, shade_of(scene.presence[rows]))
    return list(zip(code.tolist(), sides.tolist(), shade.tolist(), strict=True))
