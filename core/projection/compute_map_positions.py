"""Positions on the map: its range, the first picture of vectors, new points among old ones.

Every map lies within 1,000 of its centre and is wider than high.
"""

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

REACH = 1_000.0
CLAMP = 2.5
"""Standard deviations from the centre at which a stray of the first picture is stopped."""
NEIGHBORS = 15
BLOCK = 256

Points = NDArray[np.float32]
"""Positions on the map, (points, 2), within `REACH` of its centre."""


def to_plane(points: NDArray[np.floating]) -> Points:
    """`points` centred and scaled to the range with their aspect kept, strays drawn in."""
    positions = np.where(np.isfinite(points), points, 0).astype(np.float64).reshape(-1, 2)
    if len(positions) == 0:
        return np.zeros((0, 2), dtype=np.float32)
    low, high = np.percentile(positions, [1, 99], axis=0)
    half = float((high - low).max()) / 2
    if half <= 0:
        low, high = positions.min(axis=0), positions.max(axis=0)
        half = float((high - low).max()) / 2 or 1.0
    share = (positions - (low + high) / 2) / (half * 1.15)
    plane: Points = (np.clip(share, -1, 1) * REACH).astype(np.float32)
    return plane


def turn_to_width(points: NDArray[np.floating]) -> NDArray[np.float64]:
    """`points` about their mean, turned so that they spread most from left to right.

    The sign of each axis is fixed by the points themselves, so that equal input is never mirrored.
    """
    positions: NDArray[np.float64] = points - points.mean(axis=0, dtype=np.float64)
    if len(positions) < 2:
        return positions
    _, axes = np.linalg.eigh(positions.T @ positions)
    turned: NDArray[np.float64] = positions @ axes[:, ::-1]
    turned *= np.where((turned**3).sum(axis=0) < 0, -1, 1)
    return turned


def rim(count: int) -> Points:
    """Points for what nothing is known of: evenly along the edge of the range."""
    angles = np.arange(count) * (np.pi * (3 - np.sqrt(5)))
    return np.stack([np.cos(angles), np.sin(angles) * 0.625], axis=1).astype(np.float32) * REACH


def principal(vectors: NDArray[np.float32], dimensions: int = 2) -> NDArray[np.float64]:
    """Each row along the directions of most variance, each of variance 1: (rows, dimensions)."""
    positions = np.zeros((len(vectors), dimensions))
    if len(vectors) < 2:
        return positions
    middle = vectors.mean(axis=0, dtype=np.float64)
    # Several threads take longer than one here, many times so on a busy machine.
    with threadpool_limits(1, user_api="blas"):
        # The matrix of products minus that of the means is the covariance, without a centred copy.
        products = (vectors.T @ vectors).astype(np.float64) / len(vectors)
        _, directions = np.linalg.eigh(products - np.outer(middle, middle))
    axes = directions[:, ::-1][:, :dimensions]
    strongest = np.abs(axes).argmax(axis=0)
    axes = axes * np.where(axes[strongest, range(axes.shape[1])] < 0, -1, 1)
    raw = vectors @ axes.astype(np.float32) - (middle @ axes)
    spread = raw.std(axis=0)
    positions[:, : axes.shape[1]] = np.where(spread > 1e-5, raw / np.maximum(spread, 1e-5), 0)
    return positions


def first_picture(vectors: NDArray[np.float32]) -> Points:
    """Positions to show until the real projection is there: (rows, 2)."""
    clamped = np.clip(principal(vectors), -CLAMP, CLAMP)
    # Less high than wide, as the window is.
    return (clamped * (REACH / CLAMP, REACH / CLAMP * 0.625)).astype(np.float32)


def positions_among(
    vectors: NDArray[np.float32], known_vectors: NDArray[np.float32], known: Points
) -> Points:
    """The mean position of each row's nearest known rows, weighted by similarity: (rows, 2).

    A point between two groups is drawn to the nearer one, instead of into the gap, because the
    weights fall steeply with similarity.
    """
    positions = rim(len(vectors))
    count = min(NEIGHBORS, len(known))
    if count == 0:
        return positions
    for start in range(0, len(vectors), BLOCK):
        similar = vectors[start : start + BLOCK] @ known_vectors.T
        nearest = np.argpartition(-similar, count - 1, axis=1)[:, :count]
        nearest.sort(axis=1)
        similar = np.take_along_axis(similar, nearest, axis=1)
        block = positions[start : start + BLOCK]
        block[:] = weighted_mean(nearest, similar, known, unrelated=block)
    return positions


def weighted_mean(
    nearest: NDArray[np.integer], similar: NDArray[np.float32], known: Points,
    unrelated: Points | None = None,
) -> Points:
    """The mean position of the nearest of each row, (rows, neighbours), by how similar they are.

    Args:
        unrelated: where rows go that are like none of them; the rim without it.
    """
    positions = rim(len(nearest)) if unrelated is None else unrelated.copy()
    weights = np.maximum(similar, 0) ** 4
    totals = weights.sum(axis=1)
    related = totals > 0
    shares = weights[related] / totals[related, None]
    positions[related] = np.einsum("ij,ijk->ik", shares, known[nearest[related]])
    return positions
