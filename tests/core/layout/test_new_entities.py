"""New entities find a position, and nobody moves for them."""

import numpy as np
import pytest
from numpy.typing import NDArray

from core.layout.layout_graph import Points
from core.layout.new_entities import place_new
from tests.core.layout.test_community_layout import least_gap

NOWHERE = (np.nan, np.nan)
RADII = np.full(64, 10, dtype=np.float32)


def two_groups() -> Points:
    """Thirty entities on the left and thirty on the right, then four without a position."""
    cells = np.stack(np.divmod(np.arange(30), 6), axis=1) * 40.0
    points = np.concatenate([cells - (900, 0), cells + (900, 0), np.full((4, 2), np.nan)])
    return points.astype(np.float32)


def placed(edges: list[tuple[int, int]], **rest: Points) -> Points:
    pairs = np.array(edges).reshape(-1, 2)
    return place_new(two_groups(), pairs, np.ones(len(pairs)), RADII, **rest)


def test_old_entities_keep_their_bytes() -> None:
    assert placed([(60, 3), (61, 60), (62, 40)])[:60].tobytes() == two_groups()[:60].tobytes()


def test_no_newcomer_overlaps_anybody() -> None:
    positions = placed([(60, 14), (61, 14), (62, 14), (63, 14)])
    assert least_gap(positions, RADII) > 0


def test_a_newcomer_goes_to_those_it_is_linked_to() -> None:
    positions = placed([(60, 14), (61, 44)])
    assert np.linalg.norm(positions[60] - positions[14]) < 60
    assert np.linalg.norm(positions[61] - positions[44]) < 60


def test_a_newcomer_between_two_groups_joins_one_of_them() -> None:
    x = placed([(60, 0), (60, 1), (60, 59)])[60, 0]
    assert -1_000 < x < -600


def test_newcomers_that_know_only_each_other_stay_together() -> None:
    positions = placed([(60, 61), (61, 62), (62, 63)])
    assert np.linalg.norm(positions[60] - positions[61]) < 60
    assert np.isfinite(positions).all()


def test_a_newcomer_without_links_goes_to_its_likes() -> None:
    base = two_groups() / 100
    base[60:] = base[31]
    base[63] = NOWHERE
    positions = placed([], base=base)
    assert (positions[60:63, 0] > 600).all()
    assert np.isfinite(positions[63]).all()


def test_a_sky_of_newcomers_alone_has_places() -> None:
    nobody = np.full((5, 2), np.nan, dtype=np.float32)
    positions = place_new(nobody, np.array([[0, 1]]), np.ones(1), RADII[:5])
    assert least_gap(positions, RADII[:5]) > 0


@pytest.mark.parametrize("edges", [[], [(0, 5), (5, 5), (-1, 2), (3, 900)]])
def test_nothing_new_changes_nothing(edges: list[tuple[int, int]]) -> None:
    old = two_groups()[:60]
    pairs = np.array(edges).reshape(-1, 2)
    assert place_new(old, pairs, np.ones(len(pairs)), RADII[:60]).tobytes() == old.tobytes()


def test_a_crowd_finds_room_around_one_entity() -> None:
    count = 400
    before: NDArray[np.float32] = np.full((count, 2), np.nan, dtype=np.float32)
    before[0] = 0
    edges = np.stack([np.zeros(count - 1), np.arange(1, count)], axis=1)
    radii = np.linspace(5, 25, count).astype(np.float32)
    positions = place_new(before, edges.astype(int), np.ones(count - 1), radii)
    assert least_gap(positions, radii) > 0
    assert np.abs(positions).max() < 1_500
