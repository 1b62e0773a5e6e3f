"""What the colours and signs mean, for the types that are in the sky."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from core.constellation.scene import CONSTRAINT, Scene
from ui.constellation.layers.canvas import Canvas
from ui.theme.look import body_font
from ui.widgets.shapes import draw_diamond, draw_glyph

_LEFT, _BOTTOM, _SIGN, _GAP = 14.0, 14.0, 9.0, 16.0
_MOST = 7


def entries(scene: Scene) -> list[str]:
    """The most frequent types, and `constraint` if there is one."""
    codes = scene.type_code[: scene.entities]
    counts = np.bincount(codes[codes >= 0], minlength=len(scene.type_words))
    order = [int(code) for code in np.argsort(-counts, kind="stable") if counts[code]]
    words = [scene.type_words[code] for code in order[:_MOST]]
    if (scene.kind[scene.starts[2] : scene.starts[3]] == CONSTRAINT).any():
        words.append("constraint")
    return words


class Legend:
    """Keeps the entries of the scene it has counted."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._words: list[str] = []

    def paint(self, canvas: Canvas, right: float) -> None:
        """Draw bottom left, up to `right`."""
        if self._scene is not canvas.scene:
            self._scene, self._words = canvas.scene, entries(canvas.scene)
        font = body_font(11)
        metrics = QFontMetricsF(font)
        painter, x, base = canvas.painter, _LEFT, canvas.height - _BOTTOM
        painter.setFont(font)
        for word in self._words:
            text = metrics.elidedText(word.replace("_", " "), Qt.TextElideMode.ElideRight, 110)
            width = _SIGN + 5 + metrics.horizontalAdvance(text)
            if x + width > right:
                break
            sign = QRectF(x, base - metrics.xHeight() / 2 - _SIGN / 2, _SIGN, _SIGN)
            if word == "constraint":
                draw_diamond(painter, sign, canvas.theme.color("constraint"))
            else:
                draw_glyph(painter, sign, canvas.theme, word)
            painter.setPen(canvas.theme.color("text.soft"))
            painter.drawText(QPointF(x + _SIGN + 5, base), text)
            x += width + _GAP
