"""Counts of what is visible, of the whole graph."""

from PySide6.QtCore import QRectF

from core.constellation.scene import ATTRIBUTE, CONSTRAINT
from core.constellation.zoom_detail import near
from core.model.text_formatting import counted
from ui.constellation.frame import Frame
from ui.constellation.layers.paint_context import Canvas, draw_plate
from ui.constellation.layers.picture_cache import Still
from ui.constellation.layers.text_cache import TextCache, text_style

_RIGHT, _TOP, _PAD = 18.0, 13.0, (7.0, 4.0)


def in_sight(frame: Frame) -> int:
    """Entities whose centre is in the window."""
    camera, rows = frame.viewpoint.camera, frame.visible
    x, y = frame.x[rows], frame.y[rows]
    inside = (x >= 0) & (x <= camera.width) & (y >= 0) & (y <= camera.height)
    return int(inside.sum())


def sentence(frame: Frame) -> str:
    """`12 of 51 entities · 400 memories · 2 archived left out`: the counts of list and status."""
    return " · ".join(_parts(frame))


def _parts(frame: Frame) -> list[str]:
    scene = frame.scene
    parts = [_of(in_sight(frame), scene.entities, "entity")]
    if near(frame.viewpoint.detail) in ("values", "memories"):
        kinds = scene.kind[frame.near[frame.near >= scene.starts[2]]]
        every = scene.kind[scene.starts[2] : scene.starts[3]]
        parts += [_of(int((kinds == kind).sum()), int((every == kind).sum()), word)
                  for kind, word in ((ATTRIBUTE, "value"), (CONSTRAINT, "constraint"))]
    if scene.memories:
        parts.append(_of(len(frame.dust) or scene.memories, scene.memories, "memory"))
    if scene.hidden:
        parts.append(f"{scene.hidden:,} archived left out")
    return parts


def _of(seen: int, every: int, word: str) -> str:
    """`12 of 51 entities`, or `51 entities` where all are seen."""
    return counted(every, word) if seen == every else f"{seen:,} of {counted(every, word)}"


class VisibleCounts:
    """Draws the counts on their plate."""

    def __init__(self) -> None:
        self._still = Still()

    def paint(self, canvas: Canvas, text_cache: TextCache, left: float) -> None:
        """Draw top right: as many of the counts as there is room for from `left` on."""
        scene = canvas.frame.scene
        if not (scene.entities or scene.memories or scene.hidden):
            return  # Nothing is here, or not yet: “0 entities” beside a full list would be wrong.
        small, parts = text_style(11), _parts(canvas.frame)
        while parts:
            text = " · ".join(parts)
            wide = small.metrics.horizontalAdvance(text)
            if canvas.width - _RIGHT - wide - 2 * _PAD[0] > left:
                break
            parts.pop()
        else:
            return
        box = QRectF(canvas.width - _RIGHT - wide, _TOP, wide, small.metrics.height())
        plate = box.adjusted(-_PAD[0], -_PAD[1], _PAD[0], _PAD[1])
        self._still.paint(canvas, plate, (text,),
                          lambda canvas: _draw(canvas, text_cache, text, box, plate))


def _draw(canvas: Canvas, text_cache: TextCache, text: str, box: QRectF, plate: QRectF) -> None:
    draw_plate(canvas.painter, canvas.theme, plate)
    text_cache.write(canvas.painter, text, text_style(11), canvas.theme.color("text.soft"),
                     box.x(), box.y())
