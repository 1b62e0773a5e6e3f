"""What holds entities together: their links, and likeness where links are few."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.layout.point_placement import nearest_rows

ALIKE = 3
"""Neighbours in the projection that each entity is tied to."""
ALIKE_WEIGHT = 0.25
"""The strength of such a tie, beside that of an average link."""


class Ties(Struct, frozen=True):
    """A symmetric sparse matrix: the ties of row i are `starts[i]` to `starts[i + 1]`."""

    starts: NDArray[np.int64]
    others: NDArray[np.int32]
    weights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def pairs(self) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Each tie once: its lower and higher row, (ties, 2), and its weight, (ties,)."""
        rows = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))
        once = rows < self.others
        return np.stack([rows[once], self.others[once]], axis=1), self.weights[once]


def join(size: int, edges: NDArray[np.int32], weights: NDArray[np.float32]) -> Ties:
    """Ties of `size` rows from pairs of rows, (edges, 2); the weights of equal pairs add up."""
    rows = np.concatenate([edges[:, 0], edges[:, 1]]).astype(np.int64)
    others = np.concatenate([edges[:, 1], edges[:, 0]]).astype(np.int64)
    keys, inverse = np.unique(rows * size + others, return_inverse=True)
    totals = np.bincount(inverse, np.concatenate([weights, weights]), len(keys))
    starts = np.searchsorted(keys // max(size, 1), np.arange(size + 1))
    others = (keys % max(size, 1)).astype(np.int32)
    return Ties(starts.astype(np.int64), others, totals.astype(np.float32))


def with_likeness(
    base: NDArray[np.float32], edges: NDArray[np.int32], weights: NDArray[np.float32]
) -> Ties:
    """Links, and weak ties to the nearest in the projection, so that nobody is alone."""
    size = len(base)
    count = min(ALIKE, size - 1)
    if count < 1:
        return join(size, edges, weights)
    nearest = nearest_points(base, base, count + 1)[:, 1:]
    rows = np.repeat(np.arange(size, dtype=np.int32), count)
    alike = np.stack([rows, nearest.ravel()], axis=1).astype(np.int32)
    alike = alike[alike[:, 0] != alike[:, 1]]
    strength = ALIKE_WEIGHT * (float(weights.mean()) if len(weights) else 1.0)
    return join(
        size,
        np.concatenate([edges, alike]),
        np.concatenate([weights, np.full(len(alike), strength, dtype=np.float32)]),
    )


def nearest_points(
    points: NDArray[np.floating], among: NDArray[np.floating], count: int
) -> NDArray[np.int64]:
    """The rows of `among` nearest to each of `points`, nearest first: (points, count)."""
    low, high = np.percentile(among, [5, 95], axis=0)
    width, height = np.maximum(high - low, np.ptp(among, axis=0) * 1e-3)
    # Two rows to a cell where they lie usually dense, whatever strays there are.
    cell = float(np.sqrt(2 * width * height / len(among))) or float(max(width, height, 1))
    return nearest_rows(points.astype(np.float64), among.astype(np.float64), count, cell)
