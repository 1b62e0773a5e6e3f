"""Gives new entities a place in a sky where everything else stays where it is."""

import numpy as np
from numpy.typing import NDArray

from core.layout.affinity import Ties, join, nearest_places
from core.layout.force_kernels import settle
from core.layout.graph import Positions, sound_edges

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
    ties = _of_newcomers(join(len(places), *sound_edges(edges, weights, len(places))), known)
    # Half of the free space for each of two neighbours, so that a newcomer squeezes nobody.
    reaches = np.asarray(radii, dtype=np.float64) * (1 + COMFORT / 2)
    waiting = np.flatnonzero(~known)
    while len(waiting):
        ready, targets = _linked(ties, places, known)
        if len(ready) == 0:
            ready, targets = _unlinked(waiting, ties, places, known, base)
        settle(places, targets, ready.astype(np.int32), reaches, known)
        waiting = waiting[~known[waiting]]
    placed = places.astype(np.float32)
    placed[original] = positions[original]
    return placed


def _of_newcomers(ties: Ties, known: NDArray[np.bool_]) -> Ties:
    """Without the ties among those who have a place."""
    rows = np.repeat(np.arange(len(ties)), np.diff(ties.starts))
    new = ~known[rows]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[new], minlength=len(ties)))])
    return Ties(starts, ties.others[new], ties.weights[new])


def _linked(
    ties: Ties, places: NDArray[np.float64], known: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The newcomers with a link to someone placed, and the middle of those they belong to."""
    rows = np.repeat(np.arange(len(ties)), np.diff(ties.starts))
    ready = np.unique(rows[~known[rows] & known[ties.others]])
    targets = np.zeros((len(ready), 2))
    for place, row in enumerate(ready):
        own = slice(ties.starts[row], ties.starts[row + 1])
        linked = known[ties.others[own]]
        targets[place] = _among(places[ties.others[own][linked]], ties.weights[own][linked])
    return ready, targets


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
    ties: Ties,
    places: NDArray[np.float64],
    known: NDArray[np.bool_],
    base: Positions | None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """All newcomers near those that are like them; or else strangers along the lower edge.

    Of those who are linked to each other only one, so that the others can then go to it.
    """
    if base is not None and known.any():
        seen: NDArray[np.bool_] = np.asarray(np.isfinite(base).all(axis=1))
        ready, among = waiting[seen[waiting]], np.flatnonzero(known & seen)
        if len(ready) and len(among):
            rows = among[nearest_places(base[ready], base[among], min(ALIKE, len(among)))]
            ones = np.ones(rows.shape[1], dtype=np.float32)
            return ready, np.array([_among(places[near], ones) for near in rows])
    alone = waiting[np.diff(ties.starts)[waiting] == 0]
    ready = alone if len(alone) else waiting[:1]
    if not known.any():
        return ready, np.zeros((len(ready), 2))
    low, high = places[known].min(axis=0), places[known].max(axis=0)
    across = np.linspace(low[0], high[0], len(ready) + 2)[1:-1]
    return ready, np.stack([across, np.full(len(ready), high[1])], axis=1)
