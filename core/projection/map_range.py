"""The common range of every map: within 1,000 of the centre, wider than high."""

import numpy as np
from numpy.typing import NDArray

REACH = 1_000.0
Positions = NDArray[np.float32]


def to_plane(points: NDArray[np.floating]) -> Positions:
    """`points` centred and scaled to the range with their aspect kept, strays drawn in."""
    places = np.where(np.isfinite(points), points, 0).astype(np.float64).reshape(-1, 2)
    if len(places) == 0:
        return np.zeros((0, 2), dtype=np.float32)
    low, high = np.percentile(places, [1, 99], axis=0)
    half = float((high - low).max()) / 2
    if half <= 0:
        low, high = places.min(axis=0), places.max(axis=0)
        half = float((high - low).max()) / 2 or 1.0
    share = (places - (low + high) / 2) / (half * 1.15)
    plane: Positions = (np.clip(share, -1, 1) * REACH).astype(np.float32)
    return plane


def turn_to_width(points: NDArray[np.floating]) -> NDArray[np.float64]:
    """`points` about their mean, turned so that they spread most from left to right.

    The sign of each axis is fixed by the points themselves, so that equal input is never mirrored.
    """
    places: NDArray[np.float64] = points - points.mean(axis=0, dtype=np.float64)
    if len(places) < 2:
        return places
    _, axes = np.linalg.eigh(places.T @ places)
    turned: NDArray[np.float64] = places @ axes[:, ::-1]
    turned *= np.where((turned**3).sum(axis=0) < 0, -1, 1)
    return turned


def rim(count: int) -> Positions:
    """Places for what nothing is known of: evenly along the edge of the range."""
    angles = np.arange(count) * (np.pi * (3 - np.sqrt(5)))
    return np.stack([np.cos(angles), np.sin(angles) * 0.625], axis=1).astype(np.float32) * REACH
