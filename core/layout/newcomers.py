"""Gives new entities a place in a sky where everything else stays where it is."""

import numpy as np
from numpy.typing import NDArray

from core.layout.graph import Positions, sound_edges
from core.layout.kernels import settle
from core.layout.ties import Ties, join, nearest_places

ALIKE = 5
"""Neighbours in the projection that a newcomer without links goes to."""
COMFORT = 0.6
"""The free space around a newcomer, as a share of its radius."""


def place_new(
    positions: Positions,
    edges: NDArray[np.integer],
    weights: NDArray[np.floating],
    radii: NDArray[np.floating],
    base: Positions | None = None,
) -> Positions:
    """The positions with each NaN row filled in; every other row keeps its bytes.

    A newcomer goes to the free place nearest to those it is linked to; failing links, to those
    that lie near it in the projection `base`; failing that, to the lower edge of the sky.

    Args:
        positions: places in the sky, NaN for newcomers.
        edges: pairs of rows.
        weights: the strength of each edge.
        radii: of the hexagons.
        base: where the projection puts each row, NaN where it does not; None without projection.
    """
    places = positions.astype(np.float64)
    known: NDArray[np.bool_] = np.asarray(np.isfinite(places).all(axis=1))
    if known.all():
        return positions.copy()
    original = known.copy()
    ties = join(len(places), *sound_edges(edges, weights, len(places)))
    # Half of the free space for each of two neighbours, so that a newcomer squeezes nobody.
    reaches = np.asarray(radii, dtype=np.float64) * (1 + COMFORT / 2)
    waiting = np.flatnonzero(~known)
    while len(waiting):
        ready, targets = _linked(waiting, ties, places, known)
        if len(ready) == 0:
            ready, targets = _unlinked(waiting, places, known, base)
        settle(places, targets, ready.astype(np.int32), reaches, known)
        waiting = waiting[~known[waiting]]
    placed = places.astype(np.float32)
    placed[original] = positions[original]
    return placed


def _linked(
    waiting: NDArray[np.int64], ties: Ties, places: NDArray[np.float64], known: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The newcomers with a link to someone placed, and the middle of those they belong to."""
    ready, targets = [], []
    for row in waiting:
        own = slice(ties.starts[row], ties.starts[row + 1])
        linked = known[ties.others[own]]
        if linked.any():
            ready.append(row)
            targets.append(_among(places[ties.others[own][linked]], ties.weights[own][linked]))
    return np.array(ready, dtype=np.int64), np.array(targets).reshape(-1, 2)


def _among(places: NDArray[np.float64], weights: NDArray[np.float32]) -> NDArray[np.float64]:
    """The weighted mean, drawn towards the strongest group: never the gap between communities."""
    strongest = places[weights.argmax()]
    apart = ((places - strongest) ** 2).sum(axis=1)
    scale = max(float(np.median(apart)), 1.0)
    shares = weights / (1 + 4 * apart / scale)
    mean: NDArray[np.float64] = (places * shares[:, None]).sum(axis=0) / shares.sum()
    return mean


def _unlinked(
    waiting: NDArray[np.int64],
    places: NDArray[np.float64],
    known: NDArray[np.bool_],
    base: Positions | None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """All newcomers near those that are like them, or else one at the edge.

    One, because those that are linked to it can then go to it.
    """
    if base is not None and known.any():
        seen: NDArray[np.bool_] = np.asarray(np.isfinite(base).all(axis=1))
        ready, among = waiting[seen[waiting]], np.flatnonzero(known & seen)
        if len(ready) and len(among):
            rows = among[nearest_places(base[ready], base[among], min(ALIKE, len(among)))]
            ones = np.ones(rows.shape[1], dtype=np.float32)
            return ready, np.array([_among(places[near], ones) for near in rows])
    if not known.any():
        return waiting[:1], np.zeros((1, 2))
    low, high = places[known].min(axis=0), places[known].max(axis=0)
    return waiting[:1], np.array([[(low[0] + high[0]) / 2, high[1]]])
