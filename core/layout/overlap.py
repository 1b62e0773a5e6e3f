"""Makes room: no hexagon over another, whatever it takes."""

import numpy as np
from numpy.typing import NDArray

from core.layout.force_kernels import overlapping, push_apart, settle
from core.layout.graph import Points

MARGIN = 0.8
"""The least free space around a hexagon, as a share of its radius."""
TURNS, ROUNDS = 12, 10
FEW = 1 / 2_000
"""The share of rows that may be moved elsewhere instead of pushing everyone for longer."""


def without_overlap(
    points: NDArray[np.float64], radii: NDArray[np.float32], held: NDArray[np.bool_]
) -> Points:
    """Positions near the given ones at which no circle of `radii` touches another.

    Held rows don't move, so two of them may overlap where a person put them so.
    """
    narrow, wide = radii.astype(np.float64) * (1 + MARGIN / 2), padded(radii)
    for _ in range(TURNS):
        push_apart(points, wide, held, ROUNDS)
        moving = overlapping(points, narrow, held)
        if moving.sum() <= len(points) * FEW:
            break
    # Circles that are packed on all sides would push each other for ever: they look for room.
    if moving.any():
        rows = np.flatnonzero(moving).astype(np.int32)
        settle(points, points[rows], rows, narrow, ~moving)
    return points.astype(np.float32)


def padded(radii: NDArray[np.float32]) -> NDArray[np.float64]:
    """Radii with the least free space."""
    wide: NDArray[np.float64] = radii.astype(np.float64) * (1 + MARGIN)
    return wide
