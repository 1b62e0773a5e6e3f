"""Finds the groups of entities that have more to do with each other than with the rest."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.layout.affinity import Ties, join, nearest_points
from core.machine_code import Kernels, kernels

FEWEST = 3
"""A community of fewer joins the nearest one."""
LEVELS = 12


def find_communities(
    ties: Ties, base: NDArray[np.float32], *, resolution: float = 1.0
) -> NDArray[np.int32]:
    """A label for each row, 0 the largest community: Louvain's method, without chance.

    Repeatedly each row joins the neighbouring community that raises modularity most; then
    communities become the rows.
    """
    labels = np.arange(len(ties), dtype=np.int32)
    if len(ties) == 0:
        return labels
    level, own = ties, np.zeros(len(ties), dtype=np.float32)
    for _ in range(LEVELS):
        moved = _numbered(_moved_to_communities(level, own, resolution))
        if moved.max() + 1 == len(level):
            break
        labels = moved[labels]
        level, own = _merge(level, own, moved)
    return by_size(_without_tiny(labels, base))


def adopt(
    labels: NDArray[np.int32], ties: Ties, base: NDArray[np.float32]
) -> NDArray[np.int32]:
    """Labels with every -1 replaced: by the strongest tied label, else by the nearest one."""
    labels = np.array(labels, dtype=np.int32)
    labels[labels < 0] = -1
    if (labels < 0).all():
        return find_communities(ties, base)
    rows = np.repeat(np.arange(len(ties)), np.diff(ties.starts))
    useful = (labels[rows] < 0) & (labels[ties.others] >= 0)
    order = np.argsort(ties.weights[useful], kind="stable")
    adopted = labels.copy()
    adopted[rows[useful][order]] = labels[ties.others[useful][order]]
    lost, known = np.flatnonzero(adopted < 0), np.flatnonzero(adopted >= 0)
    if len(lost):
        adopted[lost] = adopted[known[nearest_points(base[lost], base[known], 1)[:, 0]]]
    return by_size(adopted)


def by_size(labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """The same groups, numbered from the largest; equal ones by their first member."""
    _, first, inverse, counts = np.unique(
        labels, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.lexsort((first, -counts))
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    numbered: NDArray[np.int32] = rank[inverse]
    return numbered


def at_most(
    most: int, labels: NDArray[np.int32], points: NDArray[np.floating]
) -> NDArray[np.int32]:
    """The labels, those that lie together joined when there are more than `most`."""
    if labels.max() < most:
        return labels
    middles = centres(labels, points)
    seats = middles[:most]
    for _ in range(8):
        nearest = nearest_points(middles, seats, 1)[:, 0]
        _, joined = np.unique(nearest, return_inverse=True)
        seats = centres(joined, middles)
    numbered: NDArray[np.int32] = joined.astype(np.int32)[labels]
    return numbered


def centres(labels: NDArray[np.integer], points: NDArray[np.floating]) -> NDArray[np.float64]:
    """The mean position of each label's rows: (labels, 2)."""
    counts = np.maximum(np.bincount(labels), 1)
    return np.stack([np.bincount(labels, points[:, axis]) / counts for axis in (0, 1)], axis=1)


def _numbered(labels: NDArray[np.int32]) -> NDArray[np.int32]:
    _, numbered = np.unique(labels, return_inverse=True)
    return numbered.astype(np.int32)


def _merge(
    ties: Ties, own: NDArray[np.float32], labels: NDArray[np.int32]
) -> tuple[Ties, NDArray[np.float32]]:
    """Communities as rows, the weight inside each (twice, as each tie has two ends) as its own."""
    edges, weights = ties.pairs()
    size = int(labels.max()) + 1
    groups = labels[edges]
    inner = groups[:, 0] == groups[:, 1]
    inside = np.bincount(labels, own, size)
    inside += 2 * np.bincount(groups[inner, 0], weights[inner], size)
    return join(size, groups[~inner], weights[~inner]), inside.astype(np.float32)


def _without_tiny(labels: NDArray[np.int32], base: NDArray[np.float32]) -> NDArray[np.int32]:
    sizes = np.bincount(labels)
    tiny = sizes[labels] < FEWEST
    if tiny.all() or not tiny.any():
        return labels
    large = np.flatnonzero(~tiny)
    joined = labels.copy()
    joined[tiny] = labels[large[nearest_points(base[tiny], base[large], 1)[:, 0]]]
    return joined


def _moved_to_communities(
    ties: Ties, own: NDArray[np.float32], resolution: float
) -> NDArray[np.int32]:
    """A community for each row, by the local moves of Louvain's method."""
    labels = np.empty(len(ties), dtype=np.int32)
    _compiled().move_to_communities(
        ties.starts, ties.others, ties.weights, own, float(resolution), labels,
        np.empty(len(ties)), np.empty(len(ties)), np.zeros(len(ties)), np.empty_like(labels))
    return labels


@cache
def _compiled() -> Kernels:
    whole, shares, sums = (np.zeros(1, kind) for kind in (np.int32, np.float32, np.float64))
    return kernels("core.layout.community_kernels", {"move_to_communities": (
        np.zeros(1, np.int64), whole, shares, shares, 1.0, whole, sums, sums, sums, whole)})
