"""Each entity type's sign inside its hexagon, so that colour is never the only one."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from ui.constellation.layers.canvas import Canvas
from ui.widgets.glyph_paths import GLYPH_PATHS, transparent

_FROM, _FULL = 8.0, 12.0
_MOST = 500


class TypeGlyphs:
    """Caches the signs as small pictures, by type and size."""

    def __init__(self) -> None:
        self._pictures: dict[tuple, QPixmap] = {}

    def paint(self, canvas: Canvas) -> None:
        """Draw a sign on every hexagon that is large enough."""
        frame, scene, painter = canvas.frame, canvas.scene, canvas.painter
        rows = frame.visible[frame.radius[frame.visible] > _FROM]
        if len(rows) > _MOST:
            return
        muted = scene.entity_muted[rows]
        strength = np.clip((frame.radius[rows] - _FROM) / (_FULL - _FROM), 0.0, 1.0)
        for node, grey, share in zip(rows.tolist(), muted, strength.tolist(), strict=True):
            side = round(float(frame.radius[node]) * 0.8)
            word = scene.type_words[max(int(scene.type_code[node]), 0)]
            picture = self._picture(canvas, word, side, bool(grey))
            x = round((float(frame.x[node]) - side / 2) * canvas.dpr) / canvas.dpr
            y = round((float(frame.y[node]) - side / 2) * canvas.dpr) / canvas.dpr
            painter.setOpacity(share * float(frame.alpha[node]))
            painter.drawPixmap(QPointF(x, y), picture)
        painter.setOpacity(1.0)

    def _picture(self, canvas: Canvas, word: str, side: int, grey: bool) -> QPixmap:
        theme = canvas.theme
        key = (theme.name, word, side, grey, canvas.dpr)
        known = self._pictures.get(key)
        if known is not None:
            return known
        if len(self._pictures) > 600:
            self._pictures.clear()
        picture = transparent(side * canvas.dpr, side * canvas.dpr, canvas.dpr)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = QColor(theme.color("text.faint") if grey else
                       theme.mix("sky.bottom", theme.type_color(word), 0.12))
        color.setAlphaF(0.55 if theme.dark else 0.8)
        draw, filled = GLYPH_PATHS.get(word, GLYPH_PATHS["person"])
        box = QRectF(0, 0, side, side)
        if word not in GLYPH_PATHS:
            box = box.adjusted(side * 0.3, side * 0.3, -side * 0.3, -side * 0.3)
        painter.setPen(Qt.PenStyle.NoPen if filled else QPen(color, max(1.2, side / 8)))
        painter.setBrush(color if filled else Qt.BrushStyle.NoBrush)
        painter.drawPath(draw(box.adjusted(side * 0.1, side * 0.1, -side * 0.1, -side * 0.1)))
        painter.end()
        self._pictures[key] = picture
        return picture
