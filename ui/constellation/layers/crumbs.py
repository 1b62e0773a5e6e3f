"""Where one is: All, then each entity that was dived into. Every step can be clicked."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF

from core.constellation.scene import Scene
from ui.constellation.layers.canvas import Canvas
from ui.theme.look import body_font

_LEFT, _TOP, _GAP = 14.0, 12.0, 7.0
_LONGEST = 180.0
_MOST = 4


def boxes(scene: Scene, trail: tuple[int, ...]) -> list[tuple[int, str, QRectF]]:
    """Each step of the trail with its text and place; the first is -1, the whole sky."""
    steps = [(-1, "All"), *((node, scene.labels[node]) for node in trail)]
    if len(steps) > _MOST + 1:
        steps = [steps[0], (steps[-_MOST][0], "…"), *steps[1 - _MOST:]]
    found = []
    x = _LEFT
    for place, (node, text) in enumerate(steps):
        metrics = QFontMetricsF(_font(place == len(steps) - 1))
        line = metrics.elidedText(" ".join(text[:200].split()), Qt.TextElideMode.ElideRight,
                                  _LONGEST)
        width = metrics.horizontalAdvance(line)
        found.append((node, line, QRectF(x, _TOP, width, metrics.height())))
        x += width + 2 * _GAP + 6
    return found


def paint(canvas: Canvas) -> None:
    """Draw the trail."""
    painter, theme = canvas.painter, canvas.theme
    steps = boxes(canvas.scene, canvas.showing.trail)
    for place, (_, text, box) in enumerate(steps):
        last = place == len(steps) - 1
        font = _font(last)
        base = box.top() + QFontMetricsF(font).ascent()
        painter.setFont(font)
        painter.setPen(theme.color("text" if last else "text.soft"))
        painter.drawText(QPointF(box.left(), base), text)
        if not last:
            painter.setPen(theme.color("text.faint"))
            painter.drawText(QPointF(box.right() + _GAP, base), "›")


def _font(last: bool) -> QFont:
    return body_font(12, weight=QFont.Weight.DemiBold if last else QFont.Weight.Normal)
