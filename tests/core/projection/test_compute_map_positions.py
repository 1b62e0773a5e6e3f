"""The map keeps its promises: same bytes, near stays near, old points stay."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import core.projection.nearest_vectors as neighbors_module
from core.embedding.vector_set import unit
from core.errors import Cancelled
from core.projection.compute_map_positions import (
    REACH,
    first_picture,
    positions_among,
    rim,
    to_plane,
)
from core.projection.nearest_vectors import nearest, nearest_among
from core.projection.reduce import FEWEST, project, project_leading

Vectors = NDArray[np.float32]


def topics(count: int, groups: int = 4, seed: int = 0) -> tuple[Vectors, NDArray[np.int_]]:
    """Rows in `groups` clear groups, and the group of each."""
    rng = np.random.default_rng(seed)
    group = np.arange(count) % groups
    centres = rng.normal(size=(groups, 24))
    return unit(centres[group] + rng.normal(scale=0.25, size=(count, 24))), group


def share_of_near_ones_in_the_same_group(positions: Vectors, group: NDArray[np.int_]) -> float:
    apart = np.linalg.norm(positions[:, None] - positions[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    return float((group[apart.argmin(axis=1)] == group).mean())


@pytest.mark.parametrize("count", [16, 300, 5_000])
def test_all_pairs_are_compared_exactly(count: int) -> None:
    vectors, _ = topics(count)
    neighbors = nearest(vectors, 6)
    sample = np.arange(0, count, max(1, count // 40))
    similar = vectors[sample] @ vectors.T
    similar[np.arange(len(sample)), sample] = 2
    best = np.sort(similar, axis=1)[:, ::-1][:, :6]
    assert np.array_equal(neighbors.indices[:, 0], np.arange(count))
    assert np.allclose(1 - neighbors.distances[sample, 1:], best[:, 1:], atol=1e-5)
    assert (np.diff(neighbors.distances, axis=1) >= 0).all()


def test_the_index_finds_nearly_the_same_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, _ = topics(2_500, groups=9)
    exact = nearest(vectors)
    monkeypatch.setattr(neighbors_module, "EXACT_UP_TO", 0)
    indexed = nearest(vectors)
    pairs = zip(exact.indices, indexed.indices, strict=True)
    shared = [len({*one} & {*two}) / len(one) for one, two in pairs]
    assert np.mean(shared) > 0.9
    assert np.array_equal(indexed.indices[:, 0], np.arange(len(vectors)))


def test_duplicates_are_neighbours_of_each_other() -> None:
    vectors = np.tile(unit(np.array([[1.0, 2.0]])), (20, 1))
    neighbors = nearest(vectors, 5)
    assert np.array_equal(neighbors.indices[:, 0], np.arange(20))
    assert neighbors.distances.max() < 1e-6
    assert all(len(set(row)) == 5 for row in neighbors.indices.tolist())


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_rows_have_few_neighbours(count: int) -> None:
    neighbors = nearest(topics(count)[0])
    assert neighbors.indices.shape == neighbors.distances.shape == (count, count)


@pytest.mark.parametrize("count", [0, 1, 2, 3, FEWEST - 1, FEWEST, FEWEST + 1, 40])
def test_a_graph_of_any_size_has_a_map(count: int) -> None:
    positions = project(topics(count)[0])
    assert positions.shape == (count, 2)
    assert positions.dtype == np.float32
    assert np.isfinite(positions).all()
    assert (np.abs(positions) <= REACH).all()


@pytest.mark.parametrize("make", [first_picture, project])
def test_equal_vectors_give_equal_bytes(make: Callable[[Vectors], Vectors]) -> None:
    vectors, _ = topics(200)
    assert make(vectors).tobytes() == make(vectors.copy()).tobytes()


def test_what_means_the_same_lies_side_by_side() -> None:
    vectors, group = topics(240, groups=6)
    assert share_of_near_ones_in_the_same_group(project(vectors), group) > 0.95


def test_the_map_is_wider_than_high() -> None:
    positions = project(topics(240, groups=6)[0])
    assert positions[:, 0].std() >= positions[:, 1].std()


def test_all_equal_vectors_still_give_a_map() -> None:
    positions = project(np.tile(unit(np.ones((1, 8))), (40, 1)))
    assert np.isfinite(positions).all()
    assert not np.isnan(first_picture(np.zeros((5, 8), dtype=np.float32))).any()


def test_what_nothing_is_known_of_goes_to_the_rim() -> None:
    vectors, _ = topics(60)
    vectors[[3, 30]] = 0
    positions = project(vectors)
    assert np.array_equal(positions[[3, 30]], rim(2))
    assert np.abs(np.delete(positions, [3, 30], axis=0)).max() <= 0.9 * REACH


def test_the_projection_tells_how_far_it_is() -> None:
    shares: list[float] = []
    project(topics(200)[0], report=shares.append)
    assert shares == sorted(shares)
    assert 0 <= shares[0] < 0.5 < shares[-1] <= 1


@pytest.mark.parametrize("when", [0.0, 0.45, 0.5])
def test_the_projection_can_be_stopped_at_any_stage(when: float) -> None:
    def stop(share: float) -> None:
        if share >= when:
            raise Cancelled("Stopped")

    with pytest.raises(Cancelled):
        project(topics(400)[0], report=stop)


def test_a_stray_does_not_squeeze_the_map() -> None:
    points = np.random.default_rng(1).normal(size=(500, 2))
    points[7] = (1e9, 0)
    positions = to_plane(points)
    assert positions[7, 0] == REACH
    assert np.delete(positions, 7, axis=0)[:, 0].std() > REACH / 6


def test_nonsense_coordinates_become_the_middle_or_the_edge() -> None:
    positions = to_plane(np.array([[np.nan, np.inf], [0, 1], [2, -3]]))
    assert np.isfinite(positions).all()
    assert to_plane(np.zeros((0, 2))).shape == (0, 2)
    assert np.array_equal(to_plane(np.ones((3, 2))), np.zeros((3, 2)))


def test_a_new_point_lands_in_its_group_and_moves_nobody() -> None:
    vectors, group = topics(240, groups=6)
    positions = project(vectors[:200])
    before = positions.copy()
    placed = positions_among(vectors[200:], vectors[:200], positions)
    apart = np.linalg.norm(placed[:, None] - positions[None], axis=2)
    assert (group[apart.argmin(axis=1)] == group[200:]).mean() > 0.95
    assert np.array_equal(positions, before)


def test_a_new_point_without_any_relation_goes_to_the_rim() -> None:
    nothing = np.zeros((2, 3), dtype=np.float32)
    known, points = np.eye(3, dtype=np.float32), np.zeros((3, 2), dtype=np.float32)
    assert np.array_equal(positions_among(nothing, known, points), rim(2))
    assert np.array_equal(positions_among(known, known[:0], points[:0]), rim(3))


def test_the_place_of_a_point_does_not_depend_on_its_companions() -> None:
    vectors, _ = topics(600)
    positions = first_picture(vectors[:200])
    together = positions_among(vectors[200:], vectors[:200], positions)
    alone = positions_among(vectors[450:451], vectors[:200], positions)
    assert np.allclose(together[250], alone[0], atol=1e-2)


def test_what_follows_the_leading_rows_lies_among_those_that_are_like_it() -> None:
    vectors, group = topics(240)
    strange = vectors.copy()
    strange[-1] = 0
    positions = project_leading(strange, 120)
    assert positions.tobytes() == project_leading(strange, 120).tobytes()
    assert np.array_equal(positions[:120], project(strange[:120]))
    assert np.isfinite(positions).all()
    assert share_of_near_ones_in_the_same_group(positions[:-1], group[:-1]) > 0.9


def test_the_nearest_of_other_rows_are_found_exactly() -> None:
    vectors, _ = topics(60)
    near = nearest_among(vectors[40:], vectors[:40], 5)
    similar = vectors[40:] @ vectors[:40].T
    best = np.sort(similar, axis=1)[:, ::-1][:, :5]
    assert np.allclose(1 - near.distances, best, atol=1e-5)
    assert np.allclose(np.take_along_axis(similar, near.indices, axis=1), best, atol=1e-5)
