"""Shares out a region of the sky among discs, one for each community."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.layout.networkx_layout import spring
from core.layout.point_placement import Points64, push_apart

ASPECT = 1.6
"""The usual window: 16 to 10."""
FILLED = 0.78
"""The share of a region that discs and their rings take; 0.91 would be the densest packing."""
ROUNDS = 60
STEPS = 200

Bound = Callable[[Points64], Points64]


def spread(
    middles: Points64,
    reaches: NDArray[np.float64],
    links: NDArray[np.int32],
    weights: NDArray[np.float32],
    *,
    gap: float,
    aspect: float,
    seed: int,
    settled: bool = False,
) -> Points64:
    """Middles for discs of `reaches` that don't meet, tied ones near each other, about 0, 0.

    Args:
        middles: where the projection has them, in any unit.
        reaches: the radius of each disc.
        links: pairs of discs that are tied.
        weights: how strongly.
        gap: the empty ring around a disc, as a share of its radius.
        aspect: width by height of the rectangle that they fill; 0 for a circle.
        seed: of the springs.
        settled: True if the middles are right but for discs that meet.
    """
    rings = reaches * (1 + gap)
    if len(middles) == 1:
        return np.zeros((1, 2))
    if settled:
        stay: Points64 = middles - (middles.max(axis=0) + middles.min(axis=0)) / 2
        push_apart(stay, reaches * (1 + gap / 2), np.zeros(len(rings), dtype=np.bool_), STEPS)
        return stay
    area = float((np.pi * rings**2).sum()) / FILLED
    half = np.sqrt(area * (aspect or 1)) / 2 * np.array([1, 1 / (aspect or 1)])
    sprung = spring(
        _to_box(middles, half),
        links,
        weights,
        length=float(np.sqrt(area / len(middles))),
        rounds=ROUNDS,
        seed=seed,
    )
    bound = _box(half, rings) if aspect else _circle(float(np.sqrt(area / np.pi)), rings)
    discs = _to_box(_evened(sprung), half)
    free = np.zeros(len(rings), dtype=np.bool_)
    for _ in range(STEPS):
        before = discs.copy()
        push_apart(discs, rings, free, 1)
        discs = bound(discs)
        if np.abs(discs - before).max() < 1e-3 * half[1]:
            break
    # The region may be too tight for large and small discs together: it then gives way.
    push_apart(discs, reaches * (1 + gap / 2), free, STEPS)
    return _stretched(discs, reaches, aspect) if aspect else discs


def _stretched(discs: Points64, reaches: NDArray[np.float64], aspect: float) -> Points64:
    """Discs sprung further apart along the axis that would leave the window's edges empty."""
    high, low = (discs.T + reaches).max(axis=1), (discs.T - reaches).min(axis=1)
    width, height = high - low
    centred = discs - (high + low) / 2
    # Only the middles move, so the factor is that of the room between the outermost of them.
    span = np.maximum(np.ptp(discs, axis=0), 1e-9)
    missing = np.maximum([height * aspect - width, width / aspect - height], 0)
    stretched: Points64 = centred * np.minimum(1 + missing / span, 1.5)
    return stretched


def _box(half: Points64, rings: NDArray[np.float64]) -> Bound:
    edge = np.maximum(half - rings[:, None], 0)
    return lambda points: np.clip(points, -edge, edge)


def _circle(reach: float, rings: NDArray[np.float64]) -> Bound:
    edge = np.maximum(reach - rings, 0)

    def inside(points: Points64) -> Points64:
        apart = np.maximum(np.sqrt((points**2).sum(axis=1)), 1e-9)
        inner: Points64 = points * np.minimum(1, edge / apart)[:, None]
        return inner

    return inside


def _to_box(points: Points64, half: Points64) -> Points64:
    """`points` moved and stretched along both axes to reach nearly from edge to edge."""
    low, high = points.min(axis=0), points.max(axis=0)
    reach = (high - low) / 2
    reach[reach <= 0] = 1
    boxed: Points64 = (points - (low + high) / 2) / reach * half * 0.85
    return boxed


def _evened(points: Points64) -> Points64:
    """Half way to equal steps along each axis: strays come in and crowds open up."""
    ranks = points.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    even = ranks / (len(points) - 1) * 2 - 1
    low, high = points.min(axis=0), points.max(axis=0)
    scaled = (points - low) / np.where(high > low, high - low, 1) * 2 - 1
    evened: Points64 = (even + scaled) / 2
    return evened
