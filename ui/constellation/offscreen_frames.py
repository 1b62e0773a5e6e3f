"""Frames without a window: the whole sky, or one entity dived into."""

import numpy as np
from PySide6.QtCore import QRectF

from core.constellation.scene import Scene
from core.constellation.zoom_detail import follow
from ui.constellation.camera import Camera
from ui.constellation.frame import Frame, Viewpoint, project
from ui.constellation.layers import minimap
from ui.constellation.layers.legend import Legend, PrintedLegend
from ui.constellation.layers.paint_context import Overlay

_SIDE, _EDGE = 56.0, 36.0
"""Pixels that the whole sky leaves free at the sides, and above and below."""
_SIDE_SHARE = 0.067
"""Of a small window the sides are no more than this."""
_RIM = 14.0
_TRIES, _LESS = 5, 0.95
_LEAST_STRIP = 80.0
"""Pixels of height that the sky has in any case."""
_RINGS_SHARE = 0.36
_DIVE_STEPS = (360.0, 640.0)
_RINGS_FROM = 48.0


def whole(
    scene: Scene, width: float, height: float, top: float = 0.0, legend: Legend | None = None
) -> Camera:
    """The camera that shows every entity, with a margin for the texts along the edges.

    No entity is behind the legend or the minimap, nor in the first `top` pixels.
    """
    plate = (legend or Legend()).plate(scene, width, height, opened=False)
    side, first = min(_SIDE, _SIDE_SHARE * width), max(top, _EDGE)
    room = max(width - 2 * side, 1.0)
    camera = smaller = _fitted(scene, (width, height), room, first,
                               max(height - first - _EDGE, 0.7 * height))
    for _ in range(_TRIES):
        if _behind_minimap(scene, smaller):
            smaller = smaller.zoomed(_LESS, side, first)
        elif _behind_plate(scene, smaller, plate):
            smaller = smaller.zoomed(_LESS, camera.width / 2, first)
        else:
            return smaller
    return _fitted(scene, (width, height), room, first,
                   max(_free_until(plate, width, height) - first, _LEAST_STRIP))


def _fitted(
    scene: Scene, size: tuple[float, float], room: float, top: float, down: float
) -> Camera:
    """Every entity in the `room` by `down` pixels below `top`, as large as it fits."""
    width, height = max(size[0], 1.0), max(size[1], 1.0)
    inner = Camera(width=room, height=max(down, 1.0)).bounded(scene.unit)
    camera = inner.fitted(*scene.bounds(), margin=0.0).resized(width, height)
    return camera.panned(0.0, min(top + down / 2, height - down / 2) - height / 2)


def _free_until(plate: QRectF, width: float, height: float) -> float:
    """Pixels from the upper edge to what covers the lower one."""
    card = minimap.card_rect(width, height)
    tops = [height - _EDGE + _RIM, *([card.top()] if card else []),
            *([] if plate.isEmpty() else [plate.top()])]
    return min(tops) - _RIM


def _behind_minimap(scene: Scene, camera: Camera) -> bool:
    card = minimap.card_rect(camera.width, camera.height)
    if card is None:
        return False
    count = scene.entities
    left, top = camera.to_world(card.left() - _RIM, card.top() - _RIM)
    return bool(np.any((scene.x[:count] > left) & (scene.y[:count] > top)))


def _behind_plate(scene: Scene, camera: Camera, plate: QRectF) -> bool:
    count = scene.entities
    right, top = camera.to_world(plate.right() + _RIM, plate.top() - _RIM)
    return not plate.isEmpty() and bool(
        np.any((scene.x[:count] < right) & (scene.y[:count] > top)))


def dive_camera(scene: Scene, camera: Camera, node: int, below: float = 0.0) -> Camera:
    """The camera that has an entity's rings fill the window but for `below` pixels at its foot."""
    reach = max(float(scene.reach[node]), 1e-9)
    free = max(camera.height - below, camera.height / 2)
    scale = min(camera.width, free) * _RINGS_SHARE / reach
    low, high = (step / scene.unit for step in _DIVE_STEPS)
    scale = min(max(scale, low), high)
    return camera.centred(float(scene.x[node]),
                          float(scene.y[node]) + (camera.height - free) / 2 / scale, scale)


def opened(scene: Scene, camera: Camera, *nodes: int) -> tuple[int, ...]:
    """Those of the nodes whose rings are shown: entities, unless too far out to see rings."""
    if scene.unit * camera.scale < _RINGS_FROM:
        return ()
    return tuple(sorted({node for node in nodes if 0 <= node < scene.entities}))


def still_frame(
    scene: Scene, width: float, height: float, entity_id: str = ""
) -> tuple[Frame, Overlay]:
    """The frame and its overlays, with the entity selected and zoomed in on if one is given."""
    camera = whole(scene, width, height, legend=PrintedLegend())
    node = scene.index.get(entity_id, -1)
    overlay = Overlay()
    if node >= 0:
        camera = dive_camera(scene, camera, node)
        overlay = Overlay(selected=node, trail=(node,))
    marked = frozenset(scene.edges_of(node).tolist()) if node >= 0 else frozenset()
    viewpoint = Viewpoint(camera, follow(scene.unit * camera.scale),
                  opened=opened(scene, camera, node), marked=marked)
    return project(scene, viewpoint), overlay
