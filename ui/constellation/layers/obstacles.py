"""What no name may lie on: every star with its rings, the opened things, and ghosts."""

import numpy as np

from core.constellation.labels import Board
from ui.constellation.layers.canvas import Canvas
from ui.constellation.layers.rings import signs_radius

_CLEAR = 0.5
"""Opacity from which aspects and values count as seen."""
_LEAST = 1.0


def outlines(canvas: Canvas, rows: np.ndarray) -> np.ndarray:
    """The radius of each of these entities, with its rings."""
    scene, radius = canvas.scene, np.maximum(canvas.frame.radius[rows], _LEAST)
    ringed = scene.entity_pinned[rows] | (scene.entity_pending[rows] > 0)
    for k in np.flatnonzero(ringed).tolist():
        radius[k] = signs_radius(canvas, int(rows[k]), float(radius[k]))
    return np.asarray(radius, np.float32)


def cover(canvas: Canvas, board: Board) -> None:
    """Mark where the things are."""
    frame, rows = canvas.frame, canvas.frame.visible
    board.cover(frame.x[rows], frame.y[rows], outlines(canvas, rows))
    near = np.flatnonzero(frame.near_alpha > _CLEAR)
    board.cover(frame.near_x[near], frame.near_y[near], frame.near_radius[near])
    ghosts = [canvas.ghost(row) for row in canvas.ghosts_in_sight()]
    board.cover(*np.array(ghosts, np.float32).reshape(-1, 3).T)
