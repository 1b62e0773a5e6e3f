"""Counts of what is visible, of the whole graph."""

from PySide6.QtCore import QRectF

from core.constellation.zoom_detail import near
from ui.constellation.frame import Frame
from ui.constellation.layers.canvas import Canvas, draw_plate
from ui.constellation.layers.text_cache import TextCache, text_style

_RIGHT, _TOP, _PAD = 18.0, 13.0, (7.0, 4.0)


def in_sight(frame: Frame) -> int:
    """Entities whose centre is in the window."""
    camera, rows = frame.viewpoint.camera, frame.visible
    x, y = frame.x[rows], frame.y[rows]
    inside = (x >= 0) & (x <= camera.width) & (y >= 0) & (y <= camera.height)
    return int(inside.sum())


def sentence(frame: Frame) -> str:
    """`51 of 51 entities · 400 memories`."""
    scene = frame.scene
    total = scene.entities + scene.hidden
    parts = [f"{in_sight(frame):,} of {total:,} {'entity' if total == 1 else 'entities'}"]
    if near(frame.viewpoint.detail) in ("values", "memories"):
        values = int((frame.near >= scene.starts[2]).sum())
        parts.append(f"{values:,} of {scene.starts[3] - scene.starts[2]:,} values")
    if scene.memories:
        seen = len(frame.dust)
        all_of = f"{scene.memories:,} {'memory' if scene.memories == 1 else 'memories'}"
        parts.append(all_of if seen in (0, scene.memories) else f"{seen:,} of {all_of}")
    return " · ".join(parts)


def paint(canvas: Canvas, text_cache: TextCache) -> None:
    """Draw the count, top right."""
    text, small = sentence(canvas.frame), text_style(11)
    wide = small.metrics.horizontalAdvance(text)
    box = QRectF(canvas.width - _RIGHT - wide, _TOP, wide, small.metrics.height())
    draw_plate(canvas.painter, canvas.theme, box.adjusted(-_PAD[0], -_PAD[1], _PAD[0], _PAD[1]))
    text_cache.write(
        canvas.painter, text, small, canvas.theme.color("text.soft"), box.x(), box.y())
