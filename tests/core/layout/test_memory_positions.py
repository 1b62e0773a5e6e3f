"""Memories lie where their meaning and their mentions put them."""

import numpy as np
import pytest

from core.layout.layout_graph import Points
from core.layout.memory_positions import place_memories

BASE = np.array([[0, 0], [10, 0], [100, 0], [110, 0]], dtype=np.float32)
SKY = np.array([[-500, 200], [-420, 200], [500, -300], [580, -300]], dtype=np.float32)
RADII = np.full(4, 10, dtype=np.float32)
NONE = np.zeros((0, 2), dtype=np.int32)


def placed(memories: Points, mentions: object = NONE, **changes: Points) -> Points:
    base, sky = changes.get("base", BASE), changes.get("sky", SKY)
    return place_memories(np.asarray(memories, dtype=np.float32), base, sky, RADII, mentions)


def test_a_memory_follows_its_neighbours_from_the_projection_to_the_sky() -> None:
    result = placed([[3, 2], [104, -1]])
    assert np.linalg.norm(result[0] - SKY[0]) < 120
    assert np.linalg.norm(result[1] - SKY[2]) < 120


def test_a_memory_is_drawn_to_the_entity_it_mentions() -> None:
    far, near = placed([[3, 2], [3, 2]], np.array([[1, 3]]))
    assert np.linalg.norm(near - SKY[3]) < np.linalg.norm(far - SKY[3])


def test_no_dust_lies_under_a_hexagon() -> None:
    points = np.random.default_rng(0).normal(size=(300, 2)) * 3
    result = placed(points, np.stack([np.arange(300), np.arange(300) % 2], axis=1))
    apart = np.linalg.norm(result[:, None] - SKY[None], axis=2)
    assert apart.min() > RADII[0]


def test_equal_input_gives_equal_bytes() -> None:
    points = np.random.default_rng(1).normal(size=(50, 2)) * 40
    assert placed(points).tobytes() == placed(points).tobytes()


def test_the_place_of_a_memory_does_not_depend_on_the_others() -> None:
    points = np.random.default_rng(1).normal(size=(50, 2)) * 40
    assert np.array_equal(placed(points)[7], placed(points[7:8])[0])


def test_memories_of_one_entity_are_scattered_around_it() -> None:
    points = np.random.default_rng(2).normal(size=(200, 2)) * 0.01
    result = placed(points, np.stack([np.arange(200), np.zeros(200, dtype=int)], axis=1))
    away = result - result.mean(axis=0)
    assert (away.std(axis=0) > 4).all()
    assert len(np.unique(result.round(2), axis=0)) > 190


@pytest.mark.parametrize(
    "mentions", [NONE, np.array([[0, 9], [5, 0], [-1, 0], [0, -1]]), np.array([[0, 1], [0, 1]])]
)
def test_odd_input_gives_finite_places(mentions: object) -> None:
    odd = np.array([[np.nan, 1], [np.inf, 0], [1e30, 0]])
    assert np.isfinite(placed(odd, mentions)).all()


def test_entities_without_a_place_carry_nothing() -> None:
    lost = SKY.copy()
    lost[:2] = np.nan
    assert np.linalg.norm(placed([[3, 2]], np.array([[0, 0]]), sky=lost)[0] - SKY[2]) < 200
    nowhere = np.full((4, 2), np.nan, dtype=np.float32)
    assert placed([[3, 2]], sky=nowhere).tolist() == [[3, 2]]
    assert placed(np.zeros((0, 2))).shape == (0, 2)
