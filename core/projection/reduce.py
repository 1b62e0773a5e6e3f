"""The projection: UMAP of vectors onto the plane, the same on every run."""

import re
import warnings
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.embedding.vector_set import unit
from core.progress import Report, ignore, part
from core.projection.compute_map_positions import (
    Points,
    first_picture,
    principal,
    rim,
    to_plane,
    turn_to_width,
    weighted_mean,
)
from core.projection.large_fit import fit
from core.projection.nearest_vectors import Neighbors, nearest, nearest_among

SEED = 42
MIN_DISTANCE = 0.1
FEWEST = 15
"""Below this there is no neighbourhood to keep, and the two main directions say it all."""
LARGE = 3_000
"""From more points than this on the program's own fit makes the map, not umap-learn."""


def project(
    vectors: NDArray[np.float32], *, seed: int = SEED, report: Report = ignore,
    compared: Callable[[], None] = lambda: None,
) -> Points:
    """Positions, (rows, 2), of rows of length 1; rows of zeros, unknown, go to the rim.

    Slow on its first call in a process, so the desktop asks its `core.projection.worker` for it.

    Args:
        vectors: one row per point, (rows, dimensions).
        seed: another seed gives another, equally good map.
        report: is told the finished share, and may stop the work by raising `Cancelled`.
        compared: called when all are compared.
    """
    known = vectors.any(axis=1)
    if not known.all():
        positions = rim(len(vectors))
        # The rim is for strangers alone, so that each keeps its position when points come and go.
        positions[~known] = rim(int((~known).sum()))
        positions[known] = project(
            vectors[known], seed=seed, report=report, compared=compared) * np.float32(0.9)
        return positions
    if len(vectors) < FEWEST:
        compared()
        return first_picture(vectors)
    neighbors = nearest(vectors, report=part(report, 0, 0.4))
    compared()
    map_of = _large_map if len(vectors) > LARGE else _fit
    return to_plane(turn_to_width(map_of(vectors, neighbors, seed, part(report, 0.4, 1))))


def project_leading(
    vectors: NDArray[np.float32], leading: int, *, report: Report = ignore
) -> Points:
    """Positions, (rows, 2), of many rows: the leading ones as `project` has them, each of the
    others among those of them that are most like it.

    What entities mean makes the map, and memories lie in it: so a large graph has its map in half
    the time that all rows together would take.
    """
    found: list[Future[Neighbors]] = []
    with ThreadPoolExecutor(1) as beside:
        points = project(vectors[:leading], report=report, compared=lambda: found.append(
            beside.submit(nearest_among, vectors[leading:], vectors[:leading])))
        near = found[0].result()
    return np.concatenate([points, weighted_mean(near.indices, 1 - near.distances, points)])


def in_space(
    vectors: NDArray[np.float32], dimensions: int, *, report: Report = ignore
) -> NDArray[np.float32]:
    """Positions in two or three dimensions, (rows, dimensions), as UMAP leaves them.

    Rows of zeros, unknown, stay in the middle.
    """
    known = vectors.any(axis=1)
    points = np.zeros((len(vectors), dimensions), np.float32)
    if int(known.sum()) < FEWEST:
        points[known] = principal(vectors[known], dimensions)
        return points
    rows = vectors[known]
    neighbors = nearest(rows, report=part(report, 0, 0.4))
    points[known] = _fit(rows, neighbors, SEED, part(report, 0.4, 1), dimensions)
    return points


def epochs_for(count: int) -> int:
    """umap-learn's rounds of refinement: as many as a person will wait for."""
    return 400 if count <= 3_000 else 200 if count <= 12_000 else 100


def load_for(points: int) -> None:
    """Load and compile what the map of so many points needs, on data that nobody misses."""
    noise = unit(np.random.default_rng(0).normal(size=(64, 8)))
    (_large_map if points > LARGE else _fit)(noise, nearest(noise), SEED, ignore)


def _start(vectors: NDArray[np.float32], seed: int, dimensions: int = 2) -> NDArray[np.float32]:
    """The main directions, no two points at one place."""
    rng = np.random.default_rng(seed)
    start: NDArray[np.float64] = principal(vectors, dimensions) * 4 + rng.normal(
        scale=1e-3, size=(len(vectors), dimensions))
    return start.astype(np.float32)


def _large_map(
    vectors: NDArray[np.float32], neighbors: Neighbors, seed: int, report: Report
) -> NDArray[np.float32]:
    return fit(neighbors, _start(vectors, seed), seed=seed, report=report)


def _fit(
    vectors: NDArray[np.float32], neighbors: Neighbors, seed: int, report: Report,
    dimensions: int = 2,
) -> NDArray[np.float32]:
    umap = _load()
    start = _start(vectors, seed, dimensions)
    report(0.05)
    with warnings.catch_warnings():
        # It says that new points can't be transformed: we place them by their neighbours.
        warnings.simplefilter("ignore")
        fit = umap.UMAP(
            n_neighbors=neighbors.indices.shape[1],
            n_components=dimensions,
            min_dist=MIN_DISTANCE,
            metric="cosine",
            init=start,
            n_epochs=epochs_for(len(vectors)),
            precomputed_knn=(neighbors.indices, neighbors.distances),
            random_state=seed,
            n_jobs=1,
            tqdm_kwds={
                "file": _Epochs(part(report, 0.1, 1)),
                "mininterval": 0.05,
                "disable": False,
                "bar_format": "{n_fmt}/{total_fmt}",
            },
        )
        points: NDArray[np.float32] = fit.fit_transform(vectors)
    return points


class _Epochs:
    """The stream that UMAP's progress bar writes to; an exception raised here ends the fit."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def write(self, text: str) -> int:
        if match := re.search(r"(\d+)/(\d+)", text):
            self._report(int(match[1]) / max(1, int(match[2])))
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""


def _load() -> Any:
    """UMAP, keeping its compiled functions for the next process.

    Without that, each process compiles them anew: 4 s, against 0.1 s.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # Here, because it takes 1 s to import, 14 s the first time on a machine.
        import umap  # noqa: PLC0415
        import umap.layouts  # noqa: PLC0415
        import umap.umap_  # noqa: PLC0415
    # Its own lock is a semaphore of the system, which a worker that is ended would leave behind.
    umap.layouts.tqdm.set_lock(RLock())
    for module, name in (
        (umap.umap_, "smooth_knn_dist"),
        (umap.umap_, "compute_membership_strengths"),
        (umap.layouts, "_nb_optimize_layout_euclidean_single_epoch"),
    ):
        keep: Callable[[], None] | None = getattr(
            getattr(module, name, None), "enable_caching", None
        )
        if keep is not None:
            keep()
    return umap
