"""Which vectors point most nearly the same way."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from core.machine_code import Kernels, kernels
from core.progress import Report, ignore
from core.projection.compute_map_positions import NEIGHBORS

EXACT_UP_TO = 100_000
"""Up to here comparing all pairs is as fast as an index (0.8 s at 20,000, 15 s at 100,000 on two
cores), and the same on every run."""
BLOCK = 2_048
THREADS = 2


class Neighbors(Struct, frozen=True):
    """For each row itself and then its nearest rows, nearest first, with cosine distances (0 to 2).

    Both have the shape (rows, neighbours).
    """

    indices: NDArray[np.int32]
    distances: NDArray[np.float32]


def nearest(
    vectors: NDArray[np.float32], count: int = NEIGHBORS, *, report: Report = ignore
) -> Neighbors:
    """The `count` nearest rows of each row of length 1, itself included."""
    count = min(count, len(vectors))
    if count < 2:
        rows = np.arange(len(vectors), dtype=np.int32)[:, None][:, :count]
        return Neighbors(rows, np.zeros(rows.shape, dtype=np.float32))
    find = _compare_all if len(vectors) <= EXACT_UP_TO else _ask_index
    indices, similarities = find(np.ascontiguousarray(vectors), count - 1, report)
    own = np.arange(len(vectors), dtype=np.int32)[:, None]
    distances = np.clip(1 - similarities, 0, 2)
    return Neighbors(
        np.concatenate([own, indices], axis=1),
        np.concatenate([np.zeros((len(vectors), 1), dtype=np.float32), distances], axis=1),
    )


def nearest_among(
    vectors: NDArray[np.float32], known: NDArray[np.float32], count: int = NEIGHBORS, *,
    report: Report = ignore,
) -> Neighbors:
    """The `count` known rows nearest to each row, the same on every run."""
    count = min(count, len(known))
    indices = np.full((len(vectors), count), -1, dtype=np.int32)
    similarities = np.full((len(vectors), count), -np.inf, dtype=np.float32)
    corners = [(top, left) for top in range(0, len(vectors), BLOCK)
               for left in range(0, len(known), BLOCK)]
    for top, left, block in _products(vectors, known, corners):
        _compiled().merge_rows(block, top, left, indices, similarities)
        report(min(1.0, top / len(vectors)))
    return Neighbors(indices, np.clip(1 - similarities, 0, 2))


def _compare_all(
    vectors: NDArray[np.float32], count: int, report: Report
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Exact: every pair once, a block of the similarity matrix at a time."""
    size = len(vectors)
    indices = np.full((size, count), -1, dtype=np.int32)
    similarities = np.full((size, count), -np.inf, dtype=np.float32)
    corners = [(top, left) for top in range(0, size, BLOCK) for left in range(top, size, BLOCK)]
    for number, (top, left, block) in enumerate(_products(vectors, vectors, corners), 1):
        if left == top:
            np.fill_diagonal(block, -np.inf)
        else:
            _compiled().merge_columns(block, top, left, indices, similarities,
                                      np.empty(block.shape[1], np.float32))
        _compiled().merge_rows(block, top, left, indices, similarities)
        report(number / len(corners))
    return indices, similarities


def _products(
    rows: NDArray[np.float32], columns: NDArray[np.float32], corners: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int, NDArray[np.float32]]]:
    """Blocks of the similarity matrix, each with its corner, in order; the next are computed in
    two threads meanwhile, which takes 40 % less of the processor than two threads for each."""
    ahead: deque[tuple[int, int, Future[NDArray[np.float32]]]] = deque()
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(THREADS) as threads:
        for top, left in corners:
            ahead.append((top, left, threads.submit(
                np.matmul, rows[top : top + BLOCK], columns[left : left + BLOCK].T)))
            if len(ahead) > THREADS:
                yield _awaited(*ahead.popleft())
        while ahead:
            yield _awaited(*ahead.popleft())


def _awaited(
    top: int, left: int, block: "Future[NDArray[np.float32]]"
) -> tuple[int, int, NDArray[np.float32]]:
    return top, left, block.result()


def _ask_index(
    vectors: NDArray[np.float32], count: int, report: Report
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Nearly exact: a navigable graph of the vectors."""
    # Here, because only very large graphs need it.
    from usearch.index import Index  # noqa: PLC0415

    size = len(vectors)
    index = Index(ndim=vectors.shape[1], metric="cos", dtype="f32")
    indices = np.zeros((size, count), dtype=np.int32)
    similarities = np.zeros((size, count), dtype=np.float32)
    for start in range(0, size, BLOCK):
        keys = np.arange(start, min(start + BLOCK, size))
        index.add(keys, vectors[start : start + BLOCK])
        report(0.7 * keys[-1] / size)
    for start in range(0, size, BLOCK):
        matches = index.search(vectors[start : start + BLOCK], count + 1)
        rows = np.arange(start, min(start + BLOCK, size))
        indices[rows], similarities[rows] = _without_self(
            np.asarray(matches.keys), 1 - np.asarray(matches.distances), rows, count
        )
        report(0.7 + 0.3 * rows[-1] / size)
    return indices, similarities


def _without_self(
    keys: NDArray[np.integer],
    similarities: NDArray[np.floating],
    rows: NDArray[np.integer],
    count: int,
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The first `count` rows that are not the row itself, which duplicates may hide."""
    own = keys == rows[:, None]
    own[~own.any(axis=1), -1] = True
    shape = (len(rows), count)
    return (
        keys[~own].reshape(shape).astype(np.int32),
        similarities[~own].reshape(shape).astype(np.float32),
    )


@cache
def _compiled() -> Kernels:
    block, rows = np.zeros((1, 1), np.float32), np.zeros((1, 1), np.int32)
    merged = (block, 0, 0, rows, block)
    return kernels("core.projection.nearest_kernels", {
        "merge_rows": merged, "merge_columns": (*merged, np.zeros(1, np.float32))})
