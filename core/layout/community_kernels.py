"""Compiled loops over ties, called by `core.layout.communities`."""

import numpy as np
from numpy.typing import NDArray

from core.jit import njit


@njit
def move_to_communities(
    starts: NDArray[np.int64],
    others: NDArray[np.int32],
    weights: NDArray[np.float32],
    own: NDArray[np.float32],
    resolution: float,
    labels: NDArray[np.int32],
    degrees: NDArray[np.float64],
    sums: NDArray[np.float64],
    shared: NDArray[np.float64],
    touched: NDArray[np.int32],
) -> None:
    """The local moves of Louvain's method: a community for each row, into `labels`.

    `shared` is nought to begin with; the others only need the room.
    """
    size = len(starts) - 1
    total = 0.0
    for i in range(size):
        degrees[i] = own[i]
        for t in range(starts[i], starts[i + 1]):
            degrees[i] += weights[t]
        labels[i], sums[i] = i, degrees[i]
        total += degrees[i]
    total = max(total, 1e-12)
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
