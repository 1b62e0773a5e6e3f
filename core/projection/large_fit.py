"""UMAP's fit of many points in two threads, the same on every run.

umap-learn does the same on every run in one thread alone, and raises each distance that it meets
to a power: 20,000 points take it 3.7 s of the processor, and loading it 1.4 s.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.jit import njit
from core.progress import Report, ignore
from core.projection.nearest_vectors import Neighbors

EPOCHS = 100
"""Rounds of refinement: a map of 20,000 docstrings keeps more neighbours after them than
umap-learn's after its 100."""
WIDTH = 10.0
"""How far the start reaches along either axis, as UMAP has it."""
STRANGERS = 5
"""Points that a point is pushed from whenever it is drawn to a neighbour."""
_A, _B = 1.576943460405378, 0.8950608781227859
"""The curve 1 / (1 + a d^2b) by which UMAP with a least distance of 0.1 tells how near is near."""
_STEPS = 16
"""Bits of a distance's square that are left away where it is looked up."""

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
    chances = [np.random.default_rng((seed, row)).integers(1, 1 << 63, 1, np.uint64)
               for row, _ in halves]

    def move(half: int) -> None:
        _move_rows(*halves[half], seen[half], ties.starts, ties.others, ties.every, due, draws,
                   pushes, chances[half], np.float32(epoch), np.float32(1 - epoch / epochs))

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
    sure = _likelihoods(near, np.log2(count), float(neighbors.distances.mean()))
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


@njit
def _likelihoods(
    distances: NDArray[np.float64], wanted: float, usual: float
) -> NDArray[np.float64]:
    """How surely each is a neighbour: those of a row come to `wanted` in all, (rows, neighbours).

    Each row has its own width, within which its nearest is sure.
    """
    sure = np.empty_like(distances)
    for i in range(len(distances)):
        nearest = 0.0
        for distance in distances[i]:
            if distance > 0:
                nearest = distance
                break
        low, high, width = 0.0, np.inf, 1.0
        for _ in range(64):
            total = 0.0
            for distance in distances[i]:
                total += np.exp(-max(distance - nearest, 0.0) / width)
            if abs(total - wanted) < 1e-5:
                break
            if total > wanted:
                high = width
            else:
                low = width
            width = width * 2 if high == np.inf else (low + high) / 2
        mean = distances[i].sum() / (len(distances[i]) + 1) if nearest > 0 else usual
        width = max(width, 1e-3 * mean, 1e-12)
        for j in range(len(distances[i])):
            sure[i, j] = np.exp(-max(distances[i, j] - nearest, 0.0) / width)
    return sure


@njit
def _move_rows(
    begin: int, end: int, points: Points, starts: NDArray[np.int64], others: NDArray[np.int32],
    every: NDArray[np.float32], due: NDArray[np.float32], draws: NDArray[np.float32],
    pushes: NDArray[np.float32], chance: NDArray[np.uint64], epoch: np.float32,
    warmth: np.float32,
) -> None:
    """Move the rows from `begin` to `end` once: to their neighbours, away from some strangers."""
    size, random = np.uint64(len(points)), chance[0]
    for i in range(begin, end):
        x, y = points[i, 0], points[i, 1]
        for tie in range(starts[i], starts[i + 1]):
            if due[tie] > epoch:
                continue
            due[tie] += every[tie]
            across, up = x - points[others[tie], 0], y - points[others[tie], 1]
            force = draws[_looked_up(across, up)]
            x -= _bound(force * across) * warmth
            y -= _bound(force * up) * warmth
            for _ in range(STRANGERS):
                random ^= random << np.uint64(13)
                random ^= random >> np.uint64(7)
                random ^= random << np.uint64(17)
                stranger = ((random >> np.uint64(32)) * size) >> np.uint64(32)
                across, up = x - points[stranger, 0], y - points[stranger, 1]
                force = pushes[_looked_up(across, up)]
                x += _bound(force * across) * warmth
                y += _bound(force * up) * warmth
        points[i, 0], points[i, 1] = x, y
    chance[0] = random


@njit
def _looked_up(across: np.float32, up: np.float32) -> np.int32:
    """Where a pair so far apart stands among the `forces`."""
    square: np.int32 = np.float32(across * across + up * up).view(np.int32)
    return square >> _STEPS


@njit
def _bound(step: np.float32) -> np.float32:
    return min(max(step, np.float32(-4)), np.float32(4))
