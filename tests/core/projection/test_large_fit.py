"""The fit of a large map: UMAP's ties, as good a map, the same whatever the threads do."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from core.embedding.vector_set import unit
from core.projection import large_fit, reduce
from core.projection.large_fit import fit, forces, ties_of
from core.projection.nearest_vectors import nearest
from core.projection.reduce import project
from tests.core.projection.test_compute_map_positions import topics


def blurred(count: int) -> NDArray[np.float32]:
    """Rows about a curved surface, so that the plane can show who is near, though not all of it."""
    rng = np.random.default_rng(3)
    along, across = rng.uniform(-3, 3, (2, count))
    shape = np.stack([np.sin(along), np.cos(along), across, along * across / 3, along**2 / 5], 1)
    return unit(shape @ rng.normal(size=(5, 16)) + rng.normal(scale=0.1, size=(count, 16)))


def neighbours_kept(vectors: NDArray[np.float32], points: NDArray[np.float32]) -> float:
    """The share of each row's 15 nearest that are among its 15 nearest on the map."""
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    shown = np.argsort(apart, axis=1)[:, :15]
    meant = nearest(vectors, 16).indices[:, 1:]
    return float(np.mean([len({*one} & {*two}) / 15
                          for one, two in zip(shown.tolist(), meant.tolist(), strict=True)]))


def test_the_ties_are_those_of_umap() -> None:
    vectors = blurred(400)
    neighbors = nearest(vectors)
    theirs = reduce._load().umap_.fuzzy_simplicial_set(
        vectors, 15, np.random.RandomState(1), "cosine", knn_indices=neighbors.indices,
        knn_dists=neighbors.distances)[0].toarray()
    ties = ties_of(neighbors, 200)
    rows = np.repeat(np.arange(400), np.diff(ties.starts))
    ours = np.zeros((400, 400))
    ours[rows, ties.others] = theirs.max() / ties.every
    theirs[theirs < theirs.max() / 200] = 0
    assert np.abs(ours - theirs).max() < 0.01


def test_forces_that_are_looked_up_are_those_of_the_curve() -> None:
    a, b = reduce._load().umap_.find_ab_params(1.0, reduce.MIN_DISTANCE)
    squares = np.geomspace(1e-4, 1e4, 500).astype(np.float32)
    draws, pushes = (table[squares.view(np.int32) >> 16] for table in forces())
    powers = squares.astype(np.float64) ** b
    assert np.allclose(draws, 2 * a * b * powers / squares / (1 + a * powers), rtol=0.01)
    assert np.allclose(pushes, 2 * b / ((0.001 + squares) * (1 + a * powers)), rtol=0.01)


@pytest.mark.parametrize(("vectors", "share"), [(topics(1_200)[0], 1.0), (blurred(1_200), 0.9)])
def test_a_large_map_keeps_as_many_neighbours_as_that_of_umap_learn(
    vectors: NDArray[np.float32], share: float, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reduce, "epochs_for", lambda _count: large_fit.EPOCHS)
    theirs = neighbours_kept(vectors, project(vectors))
    monkeypatch.setattr(reduce, "LARGE", 0)
    assert neighbours_kept(vectors, project(vectors)) > share * theirs


class _OneAfterAnother:
    """Threads of which the last goes first, and waits for nobody."""

    def __init__(self, _count: int) -> None:
        pass

    def __enter__(self) -> "_OneAfterAnother":
        return self

    def __exit__(self, *_error: object) -> None:
        pass

    def map(self, run: Callable[[int], None], halves: Iterable[int]) -> Iterator[None]:
        return map(run, reversed(list(halves)))


def test_the_pace_of_the_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    neighbors, start = nearest(blurred(501)), np.random.default_rng(0).normal(size=(501, 2))
    usual = fit(neighbors, start, seed=5)
    assert usual.tobytes() == fit(neighbors, start, seed=5).tobytes()
    monkeypatch.setattr(large_fit, "ThreadPoolExecutor", _OneAfterAnother)
    assert usual.tobytes() == fit(neighbors, start, seed=5).tobytes()
    assert usual.tobytes() != fit(neighbors, start, seed=6).tobytes()


@pytest.mark.parametrize("vectors", [
    np.tile(unit(np.ones((1, 8))), (60, 1)), np.repeat(unit(np.eye(8)), 5, axis=0)])
def test_rows_that_are_all_alike_or_not_at_all_give_a_map(
    vectors: NDArray[np.float32], monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reduce, "LARGE", 0)
    assert np.isfinite(project(vectors)).all()
