"""Parts of the picture that stay where they are, drawn again only when they change."""

from collections.abc import Callable
from math import ceil, floor

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPixmap

from ui.constellation.layers.paint_context import Canvas
from ui.widgets.glyph_paths import transparent


class Still:
    """A cached picture of one such part."""

    def __init__(self) -> None:
        self._key: tuple = ()
        self._corner = QPointF()
        self._picture = QPixmap()

    def paint(
        self, canvas: Canvas, area: QRectF, key: tuple, draw: Callable[[Canvas], None]
    ) -> None:
        """Paint what `draw` draws within `area`, called again when it or the key is another one.

        The theme, the size of the area and the pixel ratio belong to every key.
        """
        theme = canvas.theme
        key = (key, area.getRect(), canvas.dpr, theme.name, theme.type_numbers)
        if key != self._key:
            self._key = key
            self._draw(canvas, area, draw)
        canvas.painter.drawPixmap(self._corner, self._picture)

    def _draw(self, canvas: Canvas, area: QRectF, draw: Callable[[Canvas], None]) -> None:
        dpr = canvas.dpr
        # On whole device pixels, so that the picture stays sharp.
        left, top = floor(area.left() * dpr), floor(area.top() * dpr)
        self._corner = QPointF(left / dpr, top / dpr)
        self._picture = transparent(ceil(area.right() * dpr) - left + 1,
                                    ceil(area.bottom() * dpr) - top + 1, dpr)
        painter = QPainter(self._picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(-self._corner)
        draw(replace(canvas, painter=painter))
        painter.end()
