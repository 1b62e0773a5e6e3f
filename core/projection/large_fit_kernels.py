"""Compiled loops of UMAP's fit, called by `core.projection.large_fit`."""

import numpy as np
from numpy.typing import NDArray

from core.jit import njit

STRANGERS = 5
"""Points that a point is pushed from whenever it is drawn to a neighbour."""
STEPS = 16
"""Bits of a distance's square that are left away where it is looked up."""

Points = NDArray[np.float32]


@njit
def likelihoods(
    distances: NDArray[np.float64], wanted: float, usual: float, sure: NDArray[np.float64]
) -> None:
    """How `sure` each is a neighbour: those of a row come to `wanted` in all, (rows, neighbours).

    Each row has its own width, within which its nearest is sure.
    """
    for i in range(len(distances)):
        nearest = 0.0
        for distance in distances[i]:
            if distance > 0:
                nearest = distance
                break
        low, high, width = 0.0, np.inf, 1.0
        for _ in range(64):
            total = 0.0
            for distance in distances[i]:
                total += np.exp(-max(distance - nearest, 0.0) / width)
            if abs(total - wanted) < 1e-5:
                break
            if total > wanted:
                high = width
            else:
                low = width
            width = width * 2 if high == np.inf else (low + high) / 2
        mean = distances[i].sum() / (len(distances[i]) + 1) if nearest > 0 else usual
        width = max(width, 1e-3 * mean, 1e-12)
        for j in range(len(distances[i])):
            sure[i, j] = np.exp(-max(distances[i, j] - nearest, 0.0) / width)


@njit
def move_rows(
    begin: int, end: int, points: Points, starts: NDArray[np.int64], others: NDArray[np.int32],
    every: NDArray[np.float32], due: NDArray[np.float32], draws: NDArray[np.float32],
    pushes: NDArray[np.float32], chance: NDArray[np.uint64], epoch: float,
    heat: float,
) -> None:
    """Move the rows from `begin` to `end` once: to their neighbours, away from some strangers."""
    size, random = np.uint64(len(points)), chance[0]
    warmth = np.float32(heat)
    for i in range(begin, end):
        x, y = points[i, 0], points[i, 1]
        for tie in range(starts[i], starts[i + 1]):
            if due[tie] > epoch:
                continue
            due[tie] += every[tie]
            across, up = x - points[others[tie], 0], y - points[others[tie], 1]
            force = draws[_looked_up(across, up)]
            x -= _bound(force * across) * warmth
            y -= _bound(force * up) * warmth
            for _ in range(STRANGERS):
                random ^= random << np.uint64(13)
                random ^= random >> np.uint64(7)
                random ^= random << np.uint64(17)
                stranger = ((random >> np.uint64(32)) * size) >> np.uint64(32)
                across, up = x - points[stranger, 0], y - points[stranger, 1]
                force = pushes[_looked_up(across, up)]
                x += _bound(force * across) * warmth
                y += _bound(force * up) * warmth
        points[i, 0], points[i, 1] = x, y
    chance[0] = random


@njit
def _looked_up(across: np.float32, up: np.float32) -> np.int32:
    """Where a pair so far apart stands among the `forces`."""
    square: np.int32 = np.float32(across * across + up * up).view(np.int32)
    return square >> STEPS


@njit
def _bound(step: np.float32) -> np.float32:
    return min(max(step, np.float32(-4)), np.float32(4))
