"""Finds the groups of entities that have more to do with each other than with the rest."""

import numpy as np
from numpy.typing import NDArray

from core.jit import njit
from core.layout.affinity import Ties, join, nearest_points

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
        moved = _move_to_communities(level.starts, level.others, level.weights, own, resolution)
        moved = _numbered(moved)
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


@njit
def _move_to_communities(
    starts: NDArray[np.int64],
    others: NDArray[np.int32],
    weights: NDArray[np.float32],
    own: NDArray[np.float32],
    resolution: float,
) -> NDArray[np.int32]:
    """The local moves of Louvain's method: a community for each row, compiled."""
    size = len(starts) - 1
    degrees = np.zeros(size)
    for i in range(size):
        degrees[i] = own[i]
        for t in range(starts[i], starts[i + 1]):
            degrees[i] += weights[t]
    total = max(degrees.sum(), 1e-12)
    labels = np.arange(size).astype(np.int32)
    sums = degrees.copy()
    shared = np.zeros(size)
    touched = np.empty(size, dtype=np.int32)
    for _ in range(32):
        moves = 0
        for i in range(size):
            here = labels[i]
            count = _tied_communities(i, starts, others, weights, labels, shared, touched)
            sums[here] -= degrees[i]
            cost = resolution * degrees[i] / total
            best = here
            most = shared[here] - cost * sums[here]
            for c in range(count):
                gain = shared[touched[c]] - cost * sums[touched[c]]
                if gain > most + 1e-9:
                    best, most = touched[c], gain
                shared[touched[c]] = 0
            shared[here] = 0
            sums[best] += degrees[i]
            labels[i] = best
            moves += best != here
        if moves <= size // 1000:
            break
    return labels


@njit
def _tied_communities(
    i: int,
    starts: NDArray[np.int64],
    others: NDArray[np.int32],
    weights: NDArray[np.float32],
    labels: NDArray[np.int32],
    shared: NDArray[np.float64],
    touched: NDArray[np.int32],
) -> int:
    """Sum up the row's ties by community; returns how many entries of `touched` are filled."""
    count = 0
    for t in range(starts[i], starts[i + 1]):
        label = labels[others[t]]
        if shared[label] == 0:
            touched[count] = label
            count += 1
        shared[label] += weights[t]
    return count
