"""What no name may lie on: every star with its rings, the opened things, and ghosts."""

from collections.abc import Sequence

import numpy as np

from core.constellation.label_board import Board
from ui.constellation.layers import change_marks
from ui.constellation.layers.paint_context import Canvas
from ui.constellation.layers.rings import signs_radii

_CLEAR = 0.5
"""Opacity from which aspects and values count as seen."""
_LEAST = 1.0


def outlines(canvas: Canvas, rows: np.ndarray) -> np.ndarray:
    """The radius of each of these entities, with its rings."""
    radius = np.maximum(canvas.frame.radius[rows], _LEAST)
    return np.asarray(signs_radii(canvas, rows, radius), np.float32)


def cover(canvas: Canvas, board: Board) -> None:
    """Mark where the things are."""
    frame, rows = canvas.frame, canvas.frame.visible
    near = np.flatnonzero(frame.near_alpha > _CLEAR)
    ghosts = [canvas.ghost(row) for row in canvas.ghosts_in_sight()]
    discs: list[Sequence[np.ndarray] | np.ndarray] = [
        (frame.x[rows], frame.y[rows], outlines(canvas, rows)),
        (frame.near_x[near], frame.near_y[near], frame.near_radius[near]),
        np.array(ghosts, np.float32).reshape(-1, 3).T]
    if canvas.overlay.marks is not None:
        discs.append(change_marks.discs(canvas))
    board.cover(*map(np.concatenate, zip(*discs, strict=True)))
