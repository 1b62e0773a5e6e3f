"""Places memories on a map by the likeness of their vectors, each with its nearest ones."""

import numpy as np
from numpy.typing import NDArray

from core.progress import Report, ignore
from core.projection.reduce import in_space

HALF = 210.0
"""Every axis reaches from minus this to this."""
NEAREST = 4
EXACT_UP_TO = 450
"""Points of which all pairs are compared; of more those near in the order of any axis."""
WINDOW = 24
"""Places on either side in such an order."""


def memory_map(
    vectors: NDArray[np.float32], dimensions: int, *, report: Report = ignore
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Positions (rows, dimensions) within `HALF`, and pairs of rows that lie near each other.

    As upstream's own (§l.5), but the same on every run. Slow: for `core.projection.worker`.
    """
    if len(vectors) < 3:
        return _few(len(vectors), dimensions)
    points = in_space(vectors, dimensions, report=report)
    return _scaled(points), edges(points)


def _few(count: int, dimensions: int) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    points = np.zeros((count, dimensions), np.float32)
    if count == 2:
        points[:, 0] = -HALF / 2, HALF / 2
    return points, np.array([[0, 1]] if count == 2 else [], np.int32).reshape(-1, 2)


def _scaled(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each axis from `-HALF` to `HALF`; one on which all are alike stays 0."""
    low, high = points.min(axis=0), points.max(axis=0)
    width = np.where(high > low, high - low, 1)
    scaled: NDArray[np.float32] = ((points - (low + high) / 2) / width * 2 * HALF).astype(
        np.float32)
    return scaled


def edges(points: NDArray[np.float32]) -> NDArray[np.int32]:
    """Pairs (i, j), i < j, of each point and its `NEAREST` others: (edges, 2)."""
    count = len(points)
    near = _others(count) if count <= EXACT_UP_TO else _windows(points)
    rows = np.arange(count)[:, None]
    distances = ((points[near] - points[:, None]) ** 2).sum(axis=2)
    distances[near == rows] = np.inf
    best = np.argsort(distances, axis=1, kind="stable")[:, :NEAREST * 3]
    pairs = [(int(row), int(other)) for row, others in enumerate(
        np.take_along_axis(near, best, axis=1)) for other in _first(others, row)]
    return np.array(sorted({(min(pair), max(pair)) for pair in pairs}), np.int32).reshape(-1, 2)


def _first(others: NDArray[np.int64], row: int) -> list[int]:
    """The first few without repetition; a point may stand near in several orders."""
    return [other for other in dict.fromkeys(others.tolist()) if other != row][:NEAREST]


def _others(count: int) -> NDArray[np.int64]:
    return np.tile(np.arange(count), (count, 1))


def _windows(points: NDArray[np.float32]) -> NDArray[np.int64]:
    """For each point those that stand near it in the order of each axis."""
    count = len(points)
    steps = np.array([step for step in range(-WINDOW, WINDOW + 1) if step])
    parts = []
    for axis in points.T:
        order = np.argsort(axis, kind="stable")
        place = np.empty(count, np.int64)
        place[order] = np.arange(count)
        parts.append(order[(place[:, None] + steps) % count])
    return np.concatenate(parts, axis=1)
