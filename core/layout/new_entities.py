"""Gives new entities a position in a sky where everything else stays where it is."""

import numpy as np
from numpy.typing import NDArray

from core.layout.affinity import Ties, join, nearest_points
from core.layout.layout_graph import Points, sound_edges
from core.layout.point_placement import settle

ALIKE = 5
"""Neighbours in the projection that a newcomer without links goes to."""
COMFORT = 0.6
"""The free space around a newcomer, as a share of its radius."""


def place_new(
    positions: Points,
    edges: NDArray[np.integer],
    weights: NDArray[np.floating],
    radii: NDArray[np.floating],
    base: Points | None = None,
) -> Points:
    """The positions with each NaN row filled in; every other row keeps its bytes.

    A newcomer goes to the free point nearest to those it is linked to; failing links, to those
    that lie near it in the projection `base`; failing that, to the lower edge of the sky.

    Args:
        positions: in the sky, (entities, 2), NaN for newcomers.
        edges: pairs of rows, (edges, 2).
        weights: the strength of each edge.
        radii: of the hexagons.
        base: where the projection puts each row, NaN where it does not; None without projection.
    """
    points = positions.astype(np.float64)
    known: NDArray[np.bool_] = np.asarray(np.isfinite(points).all(axis=1))
    if known.all():
        return positions.copy()
    original = known.copy()
    ties = _of_newcomers(join(len(points), *sound_edges(edges, weights, len(points))), known)
    # Half of the free space for each of two neighbours, so that a newcomer squeezes nobody.
    reaches = np.asarray(radii, dtype=np.float64) * (1 + COMFORT / 2)
    waiting = np.flatnonzero(~known)
    while len(waiting):
        ready, targets = _linked(ties, points, known)
        if len(ready) == 0:
            ready, targets = _unlinked(waiting, ties, points, known, base)
        settle(points, targets, ready.astype(np.int32), reaches, known)
        waiting = waiting[~known[waiting]]
    result = points.astype(np.float32)
    result[original] = positions[original]
    return result


def _of_newcomers(ties: Ties, known: NDArray[np.bool_]) -> Ties:
    """Without the ties among those who have a position."""
    rows = np.repeat(np.arange(len(ties)), np.diff(ties.starts))
    new = ~known[rows]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[new], minlength=len(ties)))])
    return Ties(starts, ties.others[new], ties.weights[new])


def _linked(
    ties: Ties, points: NDArray[np.float64], known: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The newcomers with a link to someone placed, and the middle of those they belong to."""
    rows = np.repeat(np.arange(len(ties)), np.diff(ties.starts))
    ready = np.unique(rows[~known[rows] & known[ties.others]])
    targets = np.zeros((len(ready), 2))
    for index, row in enumerate(ready):
        own = slice(ties.starts[row], ties.starts[row + 1])
        linked = known[ties.others[own]]
        targets[index] = _among(points[ties.others[own][linked]], ties.weights[own][linked])
    return ready, targets


def _among(points: NDArray[np.float64], weights: NDArray[np.float32]) -> NDArray[np.float64]:
    """The weighted mean, drawn towards the strongest group: never the gap between communities."""
    strongest = points[weights.argmax()]
    apart = ((points - strongest) ** 2).sum(axis=1)
    scale = max(float(np.median(apart)), 1.0)
    shares = weights / (1 + 4 * apart / scale)
    mean: NDArray[np.float64] = (points * shares[:, None]).sum(axis=0) / shares.sum()
    return mean


def _unlinked(
    waiting: NDArray[np.int64],
    ties: Ties,
    points: NDArray[np.float64],
    known: NDArray[np.bool_],
    base: Points | None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """All newcomers near those that are like them; or else strangers along the lower edge.

    Of those who are linked to each other only one, so that the others can then go to it.
    """
    if base is not None and known.any():
        seen: NDArray[np.bool_] = np.asarray(np.isfinite(base).all(axis=1))
        ready, among = waiting[seen[waiting]], np.flatnonzero(known & seen)
        if len(ready) and len(among):
            rows = among[nearest_points(base[ready], base[among], min(ALIKE, len(among)))]
            ones = np.ones(rows.shape[1], dtype=np.float32)
            return ready, np.array([_among(points[near], ones) for near in rows])
    alone = waiting[np.diff(ties.starts)[waiting] == 0]
    ready = alone if len(alone) else waiting[:1]
    if not known.any():
        return ready, np.zeros((len(ready), 2))
    low, high = points[known].min(axis=0), points[known].max(axis=0)
    across = np.linspace(low[0], high[0], len(ready) + 2)[1:-1]
    return ready, np.stack([across, np.full(len(ready), high[1])], axis=1)
