"""Where one is: All, then each entity that was dived into. Every step can be clicked."""

from PySide6.QtCore import QRectF, Qt

from core.constellation.scene import Scene
from core.model.text_formatting import one_line
from ui.constellation.layers.paint_context import Canvas, draw_plate
from ui.constellation.layers.picture_cache import Still
from ui.constellation.layers.text_cache import TextCache, TextStyle, Weight, text_style

_LEFT, _TOP, _GAP = 18.0, 12.0, 7.0
_PAD = 7.0, 4.0
_LONGEST = 180.0
_MOST = 4


def boxes(scene: Scene, trail: tuple[int, ...]) -> list[tuple[int, str, QRectF]]:
    """Each step of the trail with its text and where it stands; the first is -1, the whole sky."""
    steps = [(-1, "All"), *((node, scene.labels[node]) for node in trail)]
    if len(steps) > _MOST + 1:
        steps = [steps[0], (steps[-_MOST][0], "…"), *steps[1 - _MOST:]]
    crumbs = []
    x = _LEFT
    for at, (node, text) in enumerate(steps):
        metrics = _text_style(at == len(steps) - 1).metrics
        line = metrics.elidedText(one_line(text, 200), Qt.TextElideMode.ElideRight,
                                  _LONGEST)
        width = metrics.horizontalAdvance(line)
        crumbs.append((node, line, QRectF(x, _TOP, width, metrics.height())))
        x += width + 2 * _GAP + 6
    return crumbs


class Breadcrumbs:
    """Draws the trail on its plate."""

    def __init__(self) -> None:
        self._still = Still()

    def paint(self, canvas: Canvas, text_cache: TextCache) -> float:
        """Draw it, top left; returns where its plate ends."""
        steps = boxes(canvas.scene, canvas.overlay.trail)
        plate = steps[0][2].united(steps[-1][2]).adjusted(-_PAD[0], -_PAD[1], _PAD[0], _PAD[1])
        key = tuple((text, box.left()) for _, text, box in steps)
        self._still.paint(canvas, plate, key,
                          lambda canvas: _draw(canvas, text_cache, plate, steps))
        return plate.right()


def _draw(
    canvas: Canvas, text_cache: TextCache, plate: QRectF, steps: list[tuple[int, str, QRectF]]
) -> None:
    painter, theme = canvas.painter, canvas.theme
    draw_plate(painter, theme, plate)
    for at, (_, text, box) in enumerate(steps):
        last = at == len(steps) - 1
        token = "text" if last else "text.soft"
        picture = text_cache.picture(text, _text_style(last), theme.color(token))
        text_cache.draw(painter, picture, box.left(), box.top())
        if not last:
            mark = text_cache.picture("›", _text_style(False), theme.color("text.faint"))
            text_cache.draw(painter, mark, box.right() + _GAP, box.top())


def _text_style(last: bool) -> TextStyle:
    return text_style(12, Weight.DemiBold if last else Weight.Normal)
