"""Places entities by communities within communities, until few are left to place at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.layout.cluster_regions import ASPECT, Points, spread
from core.layout.communities import at_most, centres, find_communities
from core.layout.components import Part, between, split
from core.layout.networkx_layout import spring

MOST = 300
"""Entities, or communities, that are laid out at once."""
SPRINGS_UP_TO = 4_000
"""Entities in all whose last places networkx finds; it would need 10 s at 20,000, where the
projection's own shape and the compiled forces serve."""
ROUNDS = 50
ROOM = 5.4
"""The width that an entity takes inside its community, in radii of its hexagon."""
GAP, INNER_GAP = 0.2, 0.06
"""The empty ring around a community, as a share of its radius; and around one inside another."""
DEPTH = 6


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Places about 0, 0, and the discs that hold them: the last, smallest communities."""

    places: Points
    labels: NDArray[np.int32]
    middles: Points
    reaches: NDArray[np.float64]

    @property
    def reach(self) -> float:
        """How far the discs go from the middle."""
        return float((np.sqrt((self.middles**2).sum(axis=1)) + self.reaches).max())


def arrange(part: Part, labels: NDArray[np.int32], seed: int) -> Arrangement:
    """All entities of a sky, whose communities are `labels`."""
    return _assemble(part, labels, len(part) <= SPRINGS_UP_TO, seed, aspect=ASPECT, depth=DEPTH)


def _inner(part: Part, springs: bool, seed: int, depth: int) -> Arrangement:
    if len(part) <= MOST or depth == 0:
        return _last(part, springs, seed)
    labels = find_communities(part.ties(), part.base)
    if labels.max() == 0:
        return _last(part, springs, seed)
    return _assemble(part, labels, springs, seed, aspect=0, depth=depth)


def _assemble(
    part: Part, labels: NDArray[np.int32], springs: bool, seed: int, *, aspect: float, depth: int
) -> Arrangement:
    """Each community by itself, and then their discs beside each other."""
    labels = at_most(MOST, labels, part.base)
    inner = [(rows, _inner(each, springs, seed, depth - 1)) for rows, each in split(part, labels)]
    middles = spread(
        centres(labels, part.base),
        np.array([each.reach for _, each in inner]),
        *between(part, labels),
        gap=GAP if aspect else INNER_GAP,
        aspect=aspect,
        seed=seed,
    )
    places = np.empty((len(part), 2))
    leaves = np.empty(len(part), dtype=np.int32)
    count = 0
    for (rows, each), middle in zip(inner, middles, strict=True):
        places[rows] = each.places + middle
        leaves[rows] = each.labels + count
        count += len(each.middles)
    return Arrangement(
        places,
        leaves,
        np.concatenate([each.middles + at for (_, each), at in zip(inner, middles, strict=True)]),
        np.concatenate([each.reaches for _, each in inner]),
    )


def _last(part: Part, springs: bool, seed: int) -> Arrangement:
    """A community that is laid out entity by entity."""
    width = ROOM * part.radii
    # A disc of one or two entities needs their width, not only their area.
    reach = float(np.sqrt((width**2).sum() / np.pi) + np.median(part.radii))
    places = _into_disc(part.base.astype(np.float64), reach)
    if springs and 2 < len(part) <= MOST:
        length = float(np.sqrt((width**2).mean()))
        drawn = spring(
            places, part.pairs, part.weights, length=length, rounds=ROUNDS, seed=seed
        )
        places = _into_disc(drawn, reach)
    whole = np.zeros(len(part), dtype=np.int32)
    return Arrangement(places, whole, np.zeros((1, 2)), np.array([reach]))


def _into_disc(places: Points, reach: float) -> Points:
    """Places moved towards an evenly filled disc, with strays bent back inside."""
    away = places - places.mean(axis=0)
    apart = np.sqrt((away**2).sum(axis=1))
    # The root mean square distance from the middle of an evenly filled disc is 0.707 of its reach.
    share = apart / max(float(np.sqrt((apart**2).mean())), 1e-12) * 0.707
    bent = np.where(share > 0.7, 0.7 + 0.3 * np.tanh((share - 0.7) / 0.3), share)
    even = np.sqrt((apart.argsort(kind="stable").argsort(kind="stable") + 0.5) / len(places))
    inside: Points = away / np.maximum(apart, 1e-12)[:, None]
    inside *= ((bent + even) / 2 * reach)[:, None]
    return inside
