"""Which things could have a name in this frame, and how much each matters."""

import numpy as np

from core.constellation.scene import CONSTRAINT
from core.constellation.visual_encoding import fame
from ui.constellation.frame import narrowed
from ui.constellation.layers.paint_context import Canvas

ALWAYS = 1e6
"""From nearly this priority on: what is pointed at, selected or on the way of a walk."""
FOUND = 4.0
"""From here on: what a search found, what is lit, or what is marked as changed."""
_PINNED, _GHOST = 1.2, 1.1
_FEW = 12
"""Up to so many things that are not in the sky are named in any case."""
_MOST, _MOST_ASPECTS, _MOST_VALUES = 360, 80, 200
_ASPECTS_FROM, _VALUES_FROM, _GHOSTS_FROM = 120.0, 260.0, 24.0


def candidates(canvas: Canvas, hushed: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and their priorities: entities, then aspects and values, then ghosts.

    A ghost is counted from the last node on. The `hushed` entities have no name of their own,
    unless one points at them: their community says it.
    """
    frame, scene, overlay = canvas.frame, canvas.scene, canvas.overlay
    always = (overlay.hovered, overlay.selected, *overlay.walk.nodes)
    rows = frame.visible
    priority = _entities(canvas, rows)
    priority[np.isin(rows, always)] = ALWAYS - 1
    if hushed is not None:
        priority[hushed[rows]] = -1.0
    bright = narrowed(scene, frame.viewpoint)
    if bright is not None:
        # Also where the community is called the same: what was found bears its name.
        priority[bright[rows]] = np.maximum(priority[bright[rows]], 0.0) + FOUND
    if len(rows) > _MOST:
        best = np.argpartition(-priority, _MOST)[:_MOST]
        rows, priority = rows[best], priority[best]
    rows, priority = rows[priority >= 0.0], priority[priority >= 0.0]
    near = _near(canvas)
    # The values of an opened entity are what one has come for.
    owned = np.where(near < scene.starts[2], 1.6, np.where(
        scene.kind[near] == CONSTRAINT, 1.4, 0.9)) if frame.viewpoint.opened else 0.45
    ghosts = _ghosts(canvas)
    nodes = np.concatenate((rows, near, ghosts))
    every = np.concatenate((priority, np.broadcast_to(owned, len(near)),
                            _ghost_priority(canvas, ghosts)))
    every[nodes == overlay.hovered] = ALWAYS
    every[(nodes == overlay.selected) & (nodes != overlay.hovered)] = ALWAYS - 1
    return nodes.astype(np.int64), every.astype(np.float64)


def _entities(canvas: Canvas, rows: np.ndarray) -> np.ndarray:
    scene, frame = canvas.scene, canvas.frame
    priority = fame(scene.entity_mentions[rows]) + 0.5 * scene.brightness[rows] + 0.05
    priority = (priority + _PINNED * scene.entity_pinned[rows]
                - 0.3 * scene.entity_muted[rows]).clip(0.0)
    priority = priority * frame.alpha[rows]
    lighting = frame.viewpoint.lighting
    lit = np.array([node for node in lighting.nodes if node < scene.entities], np.int64)
    if len(lit) and lighting.level > 0.5:
        priority[np.isin(rows, lit)] += FOUND
    return np.asarray(priority, np.float64)


def _near(canvas: Canvas) -> np.ndarray:
    """Aspects and values whose names are known and have room to be read."""
    frame, scene = canvas.frame, canvas.scene
    if frame.step < _ASPECTS_FROM or not len(frame.near):
        return frame.near[:0]
    seen = frame.near[(frame.near_alpha > 0.6)
                      & (frame.near_x > 0) & (frame.near_x < canvas.width)
                      & (frame.near_y > 0) & (frame.near_y < canvas.height)]
    aspects = seen[seen < scene.starts[2]][:_MOST_ASPECTS]
    if frame.step < _VALUES_FROM:
        return aspects
    values = np.array([node for node in seen[seen >= scene.starts[2]][:_MOST_VALUES].tolist()
                       if scene.ids[node] in canvas.overlay.texts], np.int64)
    return np.concatenate((aspects, values))


def _ghost_priority(canvas: Canvas, ghosts: np.ndarray) -> np.ndarray:
    """What is compared and not in the sky matters more than what is only proposed."""
    absent = ghosts >= canvas.scene.starts[4] + len(canvas.scene.ghosts.ids)
    return np.where(absent, ALWAYS - 1 if absent.sum() <= _FEW else FOUND, _GHOST)


def _ghosts(canvas: Canvas) -> np.ndarray:
    shown = canvas.frame.step >= _GHOSTS_FROM and not canvas.frame.viewpoint.narrowed
    rows = canvas.ghosts_in_sight() if shown else []
    return np.array(rows, np.int64) + canvas.scene.starts[4]
