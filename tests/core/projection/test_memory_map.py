"""A map of memories lies within its square or cube, and joins what is near."""

import numpy as np
import pytest

from core.embedding.vector_set import unit
from core.projection.memory_map import EXACT_UP_TO, HALF, NEAREST, edges, memory_map


def groups(count: int) -> np.ndarray:
    """Vectors in two groups that lie far apart."""
    rng = np.random.default_rng(7)
    middle = np.where(np.arange(count)[:, None] % 2, 1, -1) * np.eye(8)[0] * 5
    return unit(middle + rng.normal(size=(count, 8)))


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 14, 40])
def test_any_number_of_points_fits_in(count: int, dimensions: int) -> None:
    points, pairs = memory_map(groups(count), dimensions)
    assert points.shape == (count, dimensions)
    assert np.isfinite(points).all()
    assert (np.abs(points) <= HALF + 0.01).all()
    if count >= 14:
        assert np.allclose(points.max(axis=0), HALF, atol=0.01)
        assert np.allclose(points.min(axis=0), -HALF, atol=0.01)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert len({tuple(pair) for pair in pairs.tolist()}) == len(pairs)


def test_it_is_the_same_on_every_run() -> None:
    first, again = memory_map(groups(30), 3), memory_map(groups(30), 3)
    assert np.array_equal(first[0], again[0])
    assert np.array_equal(first[1], again[1])


def test_vectors_without_a_direction_have_a_place() -> None:
    vectors = groups(20)
    vectors[:5] = 0
    points, _ = memory_map(vectors, 2)
    assert np.isfinite(points).all()


def test_many_points_are_joined_nearly_as_few_are() -> None:
    points = np.random.default_rng(3).uniform(size=(EXACT_UP_TO + 150, 2)).astype(np.float32)
    pairs = {tuple(pair) for pair in edges(points).tolist()}
    distances = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    nearest = np.argsort(distances, axis=1)[:, :NEAREST]
    exact = {(min(row, other), max(row, other)) for row, others in enumerate(nearest.tolist())
             for other in others}
    assert len(exact & pairs) > 0.9 * len(exact)
