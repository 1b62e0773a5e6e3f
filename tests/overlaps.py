"""Counts what overlaps in a picture of the sky, by what is really drawn.

Every text goes through `TextCache`: a counting one notes where, so that no layer can be left out.
`tests/bench/overlaps.py` prints the counts of files.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from unittest.mock import patch

import numpy as np
from msgspec.structs import replace
from PySide6.QtGui import QImage, QPainter

from core.constellation.scene import Scene
from core.constellation.zoom_detail import follow
from ui.constellation.camera import Camera
from ui.constellation.frame import Frame, Viewpoint, project
from ui.constellation.frame_painter import Picture, paint_image
from ui.constellation.layers import node_labels, walk_numbers
from ui.constellation.layers.paint_context import Box, Canvas, Overlay, Walk, draw_plate
from ui.constellation.layers.picture_cache import Still
from ui.constellation.layers.text_cache import TextCache
from ui.constellation.offscreen_frames import whole
from ui.theme import Theme

SIZES = ((810, 540), (1440, 900))
ZOOMS = (1.0, 3.0, 9.0)
FRAMES = 60
WALKED = 24
"""Memories of a walk, each with its number."""
SEEN = 0.05
"""Opacity from which a text counts as drawn."""
_NO_TEXTS: dict[str, str] = {}
_TOUCH = 0.5
"""Boxes may touch: text has its own margin."""


@dataclass(slots=True)
class Drawn:
    """The boxes of texts, badges and plates; a text may lie on a plate, which hides stars."""

    texts: list[Box] = field(default_factory=list)
    plates: list[Box] = field(default_factory=list)
    badges: list[Box] = field(default_factory=list)


@contextmanager
def noting() -> Iterator[Drawn]:
    """Note what is drawn meanwhile."""
    drawn = Drawn()
    draw, write, badge, name_plate = (TextCache.draw, TextCache.write, walk_numbers.paint,
                                      node_labels.draw_name_plate)

    def draws(cache: TextCache, painter: QPainter, picture, x: float, y: float) -> None:
        if painter.opacity() >= SEEN:
            drawn.texts.append((x, y, picture.width, picture.height))
        draw(cache, painter, picture, x, y)

    def writes(cache: TextCache, painter: QPainter, text, style, color, x, y) -> None:
        drawn.texts.append((x, y, style.metrics.horizontalAdvance(text), style.metrics.height()))
        write(cache, painter, text, style, color, x, y)

    def plates(painter: QPainter, theme: Theme, rect) -> None:
        drawn.plates.append((rect.x(), rect.y(), rect.width(), rect.height()))
        draw_plate(painter, theme, rect)

    def badges(canvas: Canvas, cache: TextCache, placed) -> None:
        side = 2 * walk_numbers.RADIUS
        drawn.badges.extend((middle.x() - side / 2, middle.y() - side / 2, side, side)
                            for _, _, middle in placed)
        before = len(drawn.texts)
        badge(canvas, cache, placed)
        del drawn.texts[before:]  # Each within its badge, which counts instead.

    def name_plates(canvas: Canvas, box: Box) -> None:
        drawn.plates.append(box)
        name_plate(canvas, box)

    def draws_always(_still: Still, canvas: Canvas, _area, _key, draw) -> None:
        draw(canvas)

    layers = "ui.constellation.layers."
    with patch.object(TextCache, "draw", draws), patch.object(TextCache, "write", writes), \
            patch.object(Still, "paint", draws_always), \
            patch(layers + "legend.draw_plate", plates), \
            patch(layers + "breadcrumbs.draw_plate", plates), \
            patch(layers + "visible_counts.draw_plate", plates), \
            patch(layers + "minimap.draw_plate", plates), \
            patch.object(walk_numbers, "paint", badges), \
            patch.object(node_labels, "draw_name_plate", name_plates):
        yield drawn


def overlaps(frame: Frame, drawn: Drawn) -> Counter[str]:
    """How many pairs overlap, by kind."""
    free = [box for box in drawn.texts if not any(_within(box, plate) for plate in drawn.plates)]
    stars = _stars(frame, drawn.plates)
    return Counter({
        "text on text": sum(_meet(a, b) for a, b in combinations(drawn.texts, 2)),
        "text on star": sum(int(_discs_under(box, *stars)) for box in free),
        "badge on badge": sum(_meet(a, b) for a, b in combinations(drawn.badges, 2)),
        "badge on star": sum(int(_discs_under(box, *stars)) for box in drawn.badges),
        "badge on text": sum(_meet(a, b) for a in drawn.badges for b in drawn.texts),
        "plate on text": sum(_meet(text, plate) for text in free for plate in drawn.plates),
        "plate on plate": sum(_meet(a, b) for a, b in combinations(drawn.plates, 2)),
    })


def _meet(a: Box, b: Box) -> bool:
    return (a[0] + _TOUCH < b[0] + b[2] and b[0] + _TOUCH < a[0] + a[2]
            and a[1] + _TOUCH < b[1] + b[3] and b[1] + _TOUCH < a[1] + a[3])


def _within(box: Box, plate: Box) -> bool:
    return (plate[0] <= box[0] + 1 and plate[1] <= box[1] + 1
            and box[0] + box[2] <= plate[0] + plate[2] + 1
            and box[1] + box[3] <= plate[1] + plate[3] + 1)


def _stars(frame: Frame, plates: list[Box]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every star, aspect, value and ghost that is seen: of any size, and not under a plate."""
    scene, camera = frame.scene, frame.viewpoint.camera
    rows, near = frame.visible, np.flatnonzero(frame.near_alpha > 0.5)
    ghosts = np.flatnonzero(scene.ghosts.effect == 0)
    spots = [camera.to_screen(float(scene.ghosts.x[k]), float(scene.ghosts.y[k])) for k in ghosts]
    gx, gy = np.array(spots, np.float32).reshape(-1, 2).T
    x = np.concatenate((frame.x[rows], frame.near_x[near], gx))
    y = np.concatenate((frame.y[rows], frame.near_y[near], gy))
    r = np.concatenate((frame.radius[rows], frame.near_radius[near], np.full(len(gx), 2.0)))
    seen = np.ones(len(x), bool)
    for left, top, wide, high in plates:
        seen &= ~((x > left) & (x < left + wide) & (y > top) & (y < top + high))
    return x[seen], y[seen], r[seen]


def _discs_under(box: Box, x: np.ndarray, y: np.ndarray, r: np.ndarray) -> int:
    left, top, wide, high = box
    dx, dy = x - np.clip(x, left, left + wide), y - np.clip(y, top, top + high)
    return int((np.hypot(dx, dy) < r - _TOUCH).sum())


# -- pictures ------------------------------------------------------------------------------------


def looks(scene: Scene, size: tuple[int, int]) -> Iterator[tuple[Frame, Overlay]]:
    """The whole sky and nearer looks at its best known entity, with and without it selected."""
    everything = whole(scene, *size)
    for zoom in ZOOMS:
        for selected in (-1, 0):
            camera = everything
            if zoom > 1.0:
                camera = camera.centred(float(scene.x[0]), float(scene.y[0]), camera.scale * zoom)
            yield _look(scene, camera, selected)


def _look(
    scene: Scene, camera: Camera, selected: int = -1, *, walked: bool = False
) -> tuple[Frame, Overlay]:
    first, last = scene.starts[3:5]
    dust = tuple(range(first, min(first + WALKED, last))) if walked or selected >= 0 else ()
    trail = (selected,) if selected >= 0 else ()
    viewpoint = Viewpoint(camera, follow(scene.unit * camera.scale), opened=trail)
    return project(scene, viewpoint), Overlay(selected=selected, trail=trail,
                                              walk=Walk(memories=dust), texts=_NO_TEXTS)


def in_pictures(scene: Scene, theme: Theme) -> Counter[str]:
    """Overlaps at each size and zoom, without what was there before."""
    counts: Counter[str] = Counter()
    for size in SIZES:
        for frame, overlay in looks(scene, size):
            picture = Picture()
            with noting() as drawn:
                paint_image(picture, frame, theme, overlay, 1.0)
            counts += overlaps(frame, drawn)
            counts["texts"] += len(drawn.texts)
            counts["badges"] += len(drawn.badges)
            picture.close()
    return counts


def while_zooming(scene: Scene, theme: Theme, size: tuple[int, int] = SIZES[0]) -> Counter[str]:
    """Overlaps in the frames of a zoom, with names fading in and out."""
    camera = whole(scene, *size)
    ways = [camera := camera.zoomed(1.05, size[0] * 0.4, size[1] * 0.45) for _ in range(FRAMES)]
    return _while_moving(scene, theme, size, ways)


def while_panning(
    scene: Scene, theme: Theme, size: tuple[int, int] = SIZES[0], frames: int = FRAMES
) -> Counter[str]:
    """Overlaps in the frames of pans at each zoom, with names coming in and going out."""
    counts: Counter[str] = Counter()
    for zoom in ZOOMS:
        camera = whole(scene, *size)
        camera = camera.centred(float(scene.x[0]), float(scene.y[0]), camera.scale * zoom)
        ways = [camera := camera.panned(9.3, 4.1) for _ in range(frames)]
        counts += _while_moving(scene, theme, size, ways)
    return counts


def _while_moving(
    scene: Scene, theme: Theme, size: tuple[int, int], cameras: list[Camera]
) -> Counter[str]:
    picture, counts = Picture(), Counter[str]()
    image = QImage(*size, QImage.Format.Format_RGB32)
    for step, camera in enumerate(cameras):
        frame, overlay = _look(scene, camera, walked=True)
        frame = project(scene, replace(frame.viewpoint, moving=True))
        painter = QPainter(image)
        with noting() as drawn:
            picture.paint(painter, frame, theme, overlay, 1.0, step / 60)
        painter.end()
        counts += overlaps(frame, drawn)
        counts["texts"] += len(drawn.texts)
        counts["badges"] += len(drawn.badges)
    picture.close()
    return counts


def wrong(counts: Counter[str]) -> dict[str, int]:
    """The overlaps alone, without how many texts and badges there were."""
    return {kind: count for kind, count in counts.items()
            if count and kind not in ("texts", "badges")}
