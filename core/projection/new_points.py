"""Gives new points a place among old ones, which stay where they are."""

import numpy as np
from numpy.typing import NDArray

from core.projection.map_range import Positions, rim
from core.projection.neighbors import COUNT

BLOCK = 256


def place(
    vectors: NDArray[np.float32],
    placed_vectors: NDArray[np.float32],
    placed: Positions,
    count: int = COUNT,
) -> Positions:
    """The mean place of each row's nearest placed rows, weighted by similarity.

    A point between two groups is drawn to the nearer one, instead of into the gap, because the
    weights fall steeply with similarity.
    """
    places = rim(len(vectors))
    count = min(count, len(placed))
    if count == 0:
        return places
    for start in range(0, len(vectors), BLOCK):
        similar = vectors[start : start + BLOCK] @ placed_vectors.T
        nearest = np.argpartition(-similar, count - 1, axis=1)[:, :count]
        nearest.sort(axis=1)
        weights = np.maximum(np.take_along_axis(similar, nearest, axis=1), 0) ** 4
        totals = weights.sum(axis=1)
        known = totals > 0
        shares = weights[known] / totals[known, None]
        block = places[start : start + BLOCK]
        block[known] = np.einsum("ij,ijk->ik", shares, placed[nearest[known]])
    return places
