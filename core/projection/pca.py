"""The first picture: the two directions in which vectors differ most, at once."""

import numpy as np
from numpy.typing import NDArray

from core.projection.map_range import REACH, Positions

CLAMP = 2.5
"""Standard deviations from the centre at which a stray is stopped."""


def principal(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Each row's place along the two directions of most variance, each of variance 1."""
    places = np.zeros((len(vectors), 2))
    if len(vectors) < 2:
        return places
    middle = vectors.mean(axis=0, dtype=np.float64)
    # The matrix of products minus that of the means is the covariance, without a centred copy.
    products = (vectors.T @ vectors).astype(np.float64) / len(vectors)
    _, directions = np.linalg.eigh(products - np.outer(middle, middle))
    axes = directions[:, ::-1][:, :2]
    strongest = np.abs(axes).argmax(axis=0)
    axes = axes * np.where(axes[strongest, range(axes.shape[1])] < 0, -1, 1)
    raw = vectors @ axes.astype(np.float32) - (middle @ axes)
    spread = raw.std(axis=0)
    places[:, : axes.shape[1]] = np.where(spread > 1e-5, raw / np.maximum(spread, 1e-5), 0)
    return places


def first_picture(vectors: NDArray[np.float32]) -> Positions:
    """Positions to show until the real projection is there."""
    clamped = np.clip(principal(vectors), -CLAMP, CLAMP)
    # Less high than wide, as the window is.
    return (clamped * (REACH / CLAMP, REACH / CLAMP * 0.625)).astype(np.float32)
