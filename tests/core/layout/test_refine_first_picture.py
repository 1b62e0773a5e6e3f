"""What comes after a first picture moves gently: communities stay, their members move inside."""

import numpy as np
from msgspec.structs import replace

from core.layout.community_layout import lay_out
from core.layout.layout_graph import Graph
from core.layout.refine_first_picture import refined

GROUPS, EACH = 26, 50
COUNT = GROUPS * EACH


def clustered(seed: int = 3) -> Graph:
    """1,300 entities in 26 groups that links hold together, without a projection that knows it."""
    chance = np.random.default_rng(seed)
    rows = np.arange(COUNT)
    inner = (rows // EACH * EACH)[:, None] + chance.integers(0, EACH, (COUNT, 3))
    outer = chance.integers(0, COUNT, (60, 2))
    edges = np.vstack((np.column_stack((np.repeat(rows, 3), inner.ravel())), outer))
    return Graph(base=chance.normal(0, 300, (COUNT, 2)).astype(np.float32),
                 edges=edges.astype(np.int32), weights=np.ones(len(edges), np.float32),
                 radii=np.full(COUNT, 12.0, np.float32), communities=None)


def moved(before: np.ndarray, after: np.ndarray) -> float:
    """How far the usual entity moves, as a share of the picture's width."""
    centred = [(points - (points.max(axis=0) + points.min(axis=0)) / 2) / np.ptp(points[:, 0])
               for points in (before, after)]
    return float(np.median(np.hypot(*(centred[1] - centred[0]).T)))


def test_groups_that_links_hold_together_stand_apart_in_a_layout_without_a_projection() -> None:
    points = lay_out(clustered())
    groups = points.reshape(GROUPS, EACH, 2)
    middles = groups.mean(axis=1)
    within = np.hypot(*(groups - middles[:, None]).reshape(-1, 2).T)
    nearest = np.hypot(points[:, None, 0] - middles[:, 0], points[:, None, 1] - middles[:, 1])
    assert np.mean(nearest.argmin(axis=1) == np.arange(COUNT) // EACH) > 0.95
    assert np.median(within) < 0.15 * np.ptp(points[:, 0])


def test_the_projection_moves_entities_inside_their_communities() -> None:
    graph = clustered()
    first = lay_out(graph)
    later = clustered(seed=3)
    projection = np.random.default_rng(9).normal(0, 300, (COUNT, 2)).astype(np.float32)
    later = replace(later, base=projection)
    assert moved(first, lay_out(later)) > 0.25
    assert moved(first, lay_out(refined(later, first))) < 0.1


def test_refining_is_the_same_in_every_run() -> None:
    graph = clustered()
    first = lay_out(graph)
    once, again = (lay_out(refined(graph, first)) for _ in range(2))
    assert once.tobytes() == again.tobytes()


def test_without_links_the_projection_says_which_communities_there_are() -> None:
    graph = replace(clustered(), edges=np.zeros((0, 2), np.int32),
                    weights=np.zeros(0, np.float32))
    assert refined(graph, lay_out(graph)) is graph


def test_what_a_person_placed_stays_when_the_rest_is_refined() -> None:
    held = np.full((COUNT, 2), np.nan, np.float32)
    held[7] = (900.0, -400.0)
    graph = replace(clustered(), held=held)
    assert lay_out(refined(graph, lay_out(graph)))[7].tolist() == [900.0, -400.0]
