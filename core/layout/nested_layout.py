"""Lays out entities by communities within communities, until few are left to lay out at once."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.layout.affinity import Ties, join
from core.layout.cluster_regions import ASPECT, spread
from core.layout.communities import at_most, centres, find_communities
from core.layout.networkx_layout import spring
from core.layout.point_placement import Points64

MOST = 300
"""Entities, or communities, that are laid out at once."""
SPRINGS_UP_TO = 4_000
"""Entities in all whose last points networkx finds; it would need 10 s at 20,000, where the
projection's own shape and the compiled forces serve."""
ROUNDS = 50
ROOM = 5.4
"""The width that an entity takes inside its community, in radii of its hexagon."""
GAP, INNER_GAP = 0.2, 0.06
"""The empty ring around a community, as a share of its radius; and around one inside another."""
DEPTH = 6

Rows = NDArray[np.int64]


class Part(Struct, frozen=True):
    """Entities that belong together, and the ties between them, each pair once.

    `base` is where the projection puts them, (entities, 2); `pairs` are of rows, (pairs, 2).
    """

    base: NDArray[np.float32]
    radii: NDArray[np.float64]
    pairs: NDArray[np.int32]
    weights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.base)

    def ties(self) -> Ties:
        """The pairs as a symmetric matrix."""
        return join(len(self), self.pairs, self.weights)


class Arrangement(Struct, frozen=True):
    """Positions about 0, 0, and the discs that hold them: the last, smallest communities."""

    points: Points64
    labels: NDArray[np.int32]
    middles: Points64
    reaches: NDArray[np.float64]

    @property
    def reach(self) -> float:
        """How far the discs go from the middle."""
        return float((np.sqrt((self.middles**2).sum(axis=1)) + self.reaches).max())


def arrange(
    part: Part, labels: NDArray[np.int32], seed: int, *, settled: bool = False
) -> Arrangement:
    """All entities of a sky, whose communities are `labels`; they stay where they are if it is
    `settled`."""
    return _assemble(part, labels, len(part) <= SPRINGS_UP_TO, seed, aspect=ASPECT, depth=DEPTH,
                     settled=settled)


def _inner(part: Part, springs: bool, seed: int, depth: int) -> Arrangement:
    if len(part) <= MOST or depth == 0:
        return _last(part, springs, seed)
    labels = find_communities(part.ties(), part.base)
    if labels.max() == 0:
        return _last(part, springs, seed)
    return _assemble(part, labels, springs, seed, aspect=0, depth=depth)


def _assemble(
    part: Part, labels: NDArray[np.int32], springs: bool, seed: int, *, aspect: float, depth: int,
    settled: bool = False,
) -> Arrangement:
    """Each community by itself, and then their discs beside each other."""
    labels = at_most(MOST, labels, part.base)
    inner = [(rows, _inner(each, springs, seed, depth - 1)) for rows, each in _split(part, labels)]
    middles = spread(
        centres(labels, part.base),
        np.array([each.reach for _, each in inner]),
        *_between(part, labels),
        gap=GAP if aspect else INNER_GAP,
        aspect=aspect,
        seed=seed,
        settled=settled,
    )
    points = np.empty((len(part), 2))
    leaves = np.empty(len(part), dtype=np.int32)
    count = 0
    for (rows, each), middle in zip(inner, middles, strict=True):
        points[rows] = each.points + middle
        leaves[rows] = each.labels + count
        count += len(each.middles)
    return Arrangement(
        points,
        leaves,
        np.concatenate([each.middles + at for (_, each), at in zip(inner, middles, strict=True)]),
        np.concatenate([each.reaches for _, each in inner]),
    )


def _last(part: Part, springs: bool, seed: int) -> Arrangement:
    """A community that is laid out entity by entity."""
    width = ROOM * part.radii
    # A disc of one or two entities needs their width, not only their area.
    reach = float(np.sqrt((width**2).sum() / np.pi) + np.median(part.radii))
    points = _into_disc(part.base.astype(np.float64), reach)
    if springs and 2 < len(part) <= MOST:
        length = float(np.sqrt((width**2).mean()))
        drawn = spring(
            points, part.pairs, part.weights, length=length, rounds=ROUNDS, seed=seed
        )
        points = _into_disc(drawn, reach)
    whole = np.zeros(len(part), dtype=np.int32)
    return Arrangement(points, whole, np.zeros((1, 2)), np.array([reach]))


def _into_disc(points: Points64, reach: float) -> Points64:
    """Points moved towards an evenly filled disc, with strays bent back inside."""
    away = points - points.mean(axis=0)
    apart = np.sqrt((away**2).sum(axis=1))
    # The root mean square distance from the middle of an evenly filled disc is 0.707 of its reach.
    share = apart / max(float(np.sqrt((apart**2).mean())), 1e-12) * 0.707
    bent = np.where(share > 0.7, 0.7 + 0.3 * np.tanh((share - 0.7) / 0.3), share)
    even = np.sqrt((apart.argsort(kind="stable").argsort(kind="stable") + 0.5) / len(points))
    inside: Points64 = away / np.maximum(apart, 1e-12)[:, None]
    inside *= ((bent + even) / 2 * reach)[:, None]
    return inside


def _split(part: Part, labels: NDArray[np.int32]) -> Iterator[tuple[Rows, Part]]:
    """For each label its rows, and them with their ties among each other as a part."""
    size = int(labels.max()) + 1
    order, starts = _grouped(labels, size)
    own = np.empty(len(part), dtype=np.int32)
    own[order] = np.arange(len(part)) - np.repeat(starts[:-1], np.diff(starts))
    groups = labels[part.pairs]
    inner = groups[:, 0] == groups[:, 1]
    pairs, weights = own[part.pairs[inner]], part.weights[inner]
    pair_order, pair_starts = _grouped(groups[inner, 0], size)
    for label in range(size):
        rows = order[starts[label] : starts[label + 1]]
        inside = pair_order[pair_starts[label] : pair_starts[label + 1]]
        yield rows, Part(part.base[rows], part.radii[rows], pairs[inside], weights[inside])


def _between(
    part: Part, labels: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Pairs of labels and how strongly they are tied, as a share of both sizes."""
    size = int(labels.max()) + 1
    groups = labels[part.pairs]
    outer = groups[:, 0] != groups[:, 1]
    links, totals = join(size, groups[outer], part.weights[outer]).pairs()
    # By the geometric mean of both sizes, so that large groups don't draw everything in.
    roots = np.sqrt(np.bincount(labels, minlength=size))
    shares = totals / (roots[links[:, 0]] * roots[links[:, 1]])
    return links, shares.astype(np.float32)


def _grouped(labels: NDArray[np.int32], size: int) -> tuple[Rows, Rows]:
    """Rows in order of their label, and where each label starts in that order."""
    order = np.argsort(labels, kind="stable")
    return order, np.concatenate([[0], np.cumsum(np.bincount(labels, minlength=size))])
