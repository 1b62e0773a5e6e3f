"""What the colours and signs mean, for the types that are in the sky."""

import numpy as np
from PySide6.QtCore import QRectF

from core.constellation.scene import CONSTRAINT, Scene
from ui.constellation.layers.canvas import Canvas
from ui.constellation.layers.ink import Ink, hand
from ui.widgets.shapes import draw_diamond, draw_glyph

_LEFT, _BOTTOM, _SIGN, _GAP = 14.0, 11.0, 9.0, 16.0
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

    def paint(self, canvas: Canvas, ink: Ink, right: float) -> None:
        """Draw bottom left, up to `right`."""
        if self._scene is not canvas.scene:
            self._scene, self._words = canvas.scene, entries(canvas.scene)
        small, soft = hand(11), canvas.theme.color("text.soft")
        painter, x = canvas.painter, _LEFT
        for word in self._words:
            stamp = ink.stamp(word.replace("_", " "), small, soft, most=110)
            width = _SIGN + 5 + stamp.width
            if x + width > right:
                break
            top = canvas.height - _BOTTOM - stamp.height
            sign = QRectF(x, top + (stamp.height - _SIGN) / 2 + 0.5, _SIGN, _SIGN)
            if word == "constraint":
                draw_diamond(painter, sign, canvas.theme.color("constraint"))
            else:
                draw_glyph(painter, sign, canvas.theme, word)
            ink.draw(painter, stamp, x + _SIGN + 5, top)
            x += width + _GAP
