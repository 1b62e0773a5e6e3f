"""UMAP's fit of many points in two threads, the same on every run.

umap-learn does the same on every run in one thread alone, and raises each distance that it meets
to a power: 20,000 points take it 3.7 s of the processor, and loading it 1.4 s.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.machine_code import Kernels, kernels
from core.progress import Report, ignore
from core.projection.nearest_vectors import Neighbors

EPOCHS = 100
"""Rounds of refinement: a map of 20,000 docstrings keeps more neighbours after them than
umap-learn's after its 100."""
WIDTH = 10.0
"""How far the start reaches along either axis, as UMAP has it."""
_A, _B = 1.576943460405378, 0.8950608781227859
"""The curve 1 / (1 + a d^2b) by which UMAP with a least distance of 0.1 tells how near is near."""
_STEPS = 16
"""As `STEPS` of the kernels, which load numba."""

Points = NDArray[np.float32]


class Ties(Struct, frozen=True):
    """Who draws whom, both ways: those of row i are `starts[i]` to `starts[i + 1]`, each with the
    rounds from one time that it draws to the next."""

    starts: NDArray[np.int64]
    others: NDArray[np.int32]
    every: NDArray[np.float32]


def fit(
    neighbors: Neighbors, start: NDArray[np.floating], *, seed: int, epochs: int = EPOCHS,
    report: Report = ignore,
) -> Points:
    """Positions, (rows, 2), at which near ones are near, from `start` on.

    Each thread moves one half of the rows. It sees where its own have come, and where the others
    were when the round began, so that the threads' pace says nothing.
    """
    size = len(start)
    ties = ties_of(neighbors, epochs)
    low, high = start.min(axis=0), start.max(axis=0)
    first: Points = ((start - low) / np.where(high > low, high - low, 1) * WIDTH).astype(np.float32)
    halves = [(0, size // 2), (size // 2, size)]
    seen = [first.copy() for _ in halves]
    due = ties.every.copy()
    draws, pushes = forces()
    run = _compiled()
    chances = [np.random.default_rng((seed, row)).integers(1, 1 << 63, 1, np.uint64)
               for row, _ in halves]

    def move(half: int) -> None:
        run.move_rows(*halves[half], seen[half], ties.starts, ties.others, ties.every, due,
                      draws, pushes, chances[half], float(epoch), 1 - epoch / epochs)

    with ThreadPoolExecutor(len(halves)) as threads:
        for epoch in range(epochs):
            report(epoch / epochs)
            list(threads.map(move, range(len(halves))))
            for (begin, end), moved, other in zip(halves, seen, reversed(seen), strict=True):
                other[begin:end] = moved[begin:end]
    return seen[0]


def ties_of(neighbors: Neighbors, epochs: int) -> Ties:
    """UMAP's ties: how surely one is a neighbour of the other, or the other of it."""
    size, count = neighbors.indices.shape
    near = neighbors.distances[:, 1:].astype(np.float64)
    sure = np.empty_like(near)
    _compiled().likelihoods(near, float(np.log2(count)), float(neighbors.distances.mean()), sure)
    rows = np.repeat(np.arange(size), count - 1)
    others = neighbors.indices[:, 1:].astype(np.int64).ravel()
    keys = np.concatenate([rows * size + others, others * size + rows])
    order = np.argsort(keys, kind="stable")
    keys, weights = keys[order], np.tile(sure.ravel(), 2)[order]
    again = np.append(keys[1:] == keys[:-1], False)
    mutual = np.where(again, np.append(weights[1:], 0), 0)
    weights = weights + mutual - weights * mutual
    # What would not draw once in all rounds is left away.
    kept = np.append(True, ~again[:-1]) & (weights >= weights.max() / epochs)
    starts = np.searchsorted(keys[kept], np.arange(size + 1) * size)
    return Ties(starts, (keys[kept] % size).astype(np.int32),
                (weights.max() / weights[kept]).astype(np.float32))


def forces() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How strongly a pair draws and pushes each other, by the leading bits of the square of their
    distance: finer than a hundredth, and no power is taken for it."""
    bits = np.arange(1 << 31 - _STEPS, dtype=np.uint32) << _STEPS
    middles = (bits + (1 << _STEPS - 1)).view(np.float32)
    usual = (middles > 1e-20) & (middles < 1e20)
    squares = np.where(usual, middles, 1).astype(np.float64)
    powers = squares**_B
    draws = np.where(usual, 2 * _A * _B * powers / squares / (1 + _A * powers), 0)
    pushes = np.where(usual, 2 * _B / ((0.001 + squares) * (1 + _A * powers)), 0)
    return draws.astype(np.float32), pushes.astype(np.float32)


@cache
def _compiled() -> Kernels:
    table, wide, rows, shares, points = (np.zeros(*each) for each in (
        ((1, 1),), (1, np.int64), (1, np.int32), (1, np.float32), ((1, 2), np.float32)))
    return kernels("core.projection.large_fit_kernels", {
        "likelihoods": (table, 1.0, 1.0, table),
        "move_rows": (0, 1, points, wide, rows, shares, shares, shares, shares,
                      np.zeros(1, np.uint64), 1.0, 1.0),
    })
