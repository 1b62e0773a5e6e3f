"""The legend: colours, signs, rings and dashes of what is in the sky."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.constellation.encoding import DASHES, FAMILIES
from core.constellation.scene import CONSTRAINT, Scene
from core.model.sky import APPEAR, CHANGE, GO, LINK
from ui.constellation.layers.canvas import Canvas
from ui.constellation.layers.text_cache import TextCache, text_style
from ui.theme import Theme
from ui.widgets.glyph_paths import draw_diamond, draw_glyph, draw_star

_LEFT, _BOTTOM, _SIGN, _GAP, _ROW = 14.0, 11.0, 9.0, 16.0, 19.0
_LINE = 22.0
_MOST = 7
PLAIN_HEIGHT = 34.0
"""Height of the strip at the bottom with one row."""
PINNED_WORD, MUTED_WORD = "pinned", "muted"
COME, DIFFER, LEAVE = "to be added", "to be changed", "to be removed"
DASH_PATTERNS = {1: (6.0, 2.7), 2: (3.3, 2.7), 3: (1.1, 2.3)}
"""On and off in pen widths, as the lines themselves are dashed."""


def entries(scene: Scene) -> list[str]:
    """The most frequent types, and `constraint` if there is one."""
    codes = scene.type_code[: scene.entities]
    counts = np.bincount(codes[codes >= 0], minlength=len(scene.type_words))
    order = [int(code) for code in np.argsort(-counts, kind="stable") if counts[code]]
    words = [scene.type_words[code] for code in order[:_MOST]]
    if (scene.kind[scene.starts[2] : scene.starts[3]] == CONSTRAINT).any():
        words.append("constraint")
    return words


def marks(scene: Scene) -> list[str]:
    """The rings, ghosts and dashed lines that there are: `pinned`, `to be added`, `impact`."""
    effects = set(scene.ghosts.effect.tolist())
    signs = [(PINNED_WORD, scene.entity_pinned.any()), (MUTED_WORD, scene.entity_muted.any()),
             (COME, bool(effects & {APPEAR, LINK})), (DIFFER, CHANGE in effects),
             (LEAVE, GO in effects)]
    families = np.unique(scene.edge_family[scene.edge_dash > 0]).tolist()
    return [*(word for word, there in signs if there), *(FAMILIES[code] for code in families)]


class Legend:
    """The legend's entries, cached per scene."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._words: list[str] = []
        self._marks: list[str] = []

    def height(self, scene: Scene) -> float:
        """Height of the strip at the bottom that it takes."""
        self._count(scene)
        return PLAIN_HEIGHT + (_ROW if self._marks else 0.0)

    def paint(self, canvas: Canvas, text_cache: TextCache, right: float) -> None:
        """Draw bottom left, up to `right`."""
        self._count(canvas.scene)
        self._row(canvas, text_cache, right, self._words, 0.0)
        self._row(canvas, text_cache, right, self._marks, _ROW)

    def _count(self, scene: Scene) -> None:
        if self._scene is not scene:
            self._scene = scene
            self._words, self._marks = entries(scene), marks(scene)

    def _row(
        self, canvas: Canvas, text_cache: TextCache, right: float, words: list[str], above: float
    ) -> None:
        small, soft = text_style(11), canvas.theme.color("text.soft")
        painter, x = canvas.painter, _LEFT
        for word in words:
            picture = text_cache.picture(word.replace("_", " "), small, soft, most=110)
            wide = _LINE if DASHES.get(word) else _SIGN
            if x + wide + 5 + picture.width > right:
                break
            top = canvas.height - _BOTTOM - picture.height - above
            sign = QRectF(x, top + (picture.height - _SIGN) / 2 + 0.5, wide, _SIGN)
            if above:
                _draw_mark(painter, sign, canvas.theme, word)
            elif word == "constraint":
                draw_diamond(painter, sign, canvas.theme.color("constraint"))
            else:
                draw_glyph(painter, sign, canvas.theme, word)
            text_cache.draw(painter, picture, x + wide + 5, top)
            x += wide + 5 + picture.width + _GAP


def _draw_mark(painter: QPainter, box: QRectF, theme: Theme, word: str) -> None:
    """A small one of what is drawn in the sky."""
    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if word in DASHES:
        pen = QPen(theme.color("text.soft"), 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(DASH_PATTERNS[DASHES[word]])
        painter.setPen(pen)
        painter.drawLine(QPointF(box.left(), box.center().y()),
                         QPointF(box.right(), box.center().y()))
    elif word == PINNED_WORD:
        painter.setPen(QPen(theme.color("pin"), 1.4))
        painter.drawEllipse(box.adjusted(0, 1, -1, 0))
        draw_star(painter, QRectF(box.right() - 4, box.top() - 1.5, 6, 6), theme.color("pin"))
    elif word == MUTED_WORD:
        painter.setPen(QPen(theme.color("text.faint"), 1.3))
        painter.drawEllipse(box.adjusted(0.5, 0.5, -0.5, -0.5))
    else:
        _draw_change(painter, box, theme.color("proposal"), word)
    painter.restore()


def _draw_change(painter: QPainter, box: QRectF, amber: QColor, word: str) -> None:
    if word == LEAVE:
        painter.setPen(QPen(amber, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(box.bottomLeft() + QPointF(0, -1.5), box.topRight() + QPointF(0, 1.5))
        return
    pen = QPen(amber, 1.3)
    if word == COME:
        pen.setDashPattern([2.2, 1.6])
    painter.setPen(pen)
    painter.drawEllipse(box.adjusted(0.5, 0.5, -0.5, -0.5))
