"""A sky without positions shows its communities at once."""

import numpy as np
from msgspec.structs import replace

from core.constellation.provisional_sky import provisional_positions
from tests.skies import plain, sample


def test_each_community_is_a_disc_of_its_own() -> None:
    rows, _ = sample(600)
    spots, group = provisional_positions(rows).entities, rows.entity_community
    middles = np.array([spots[group == k].mean(axis=0) for k in range(group.max() + 1)])
    nearest = np.hypot(*(spots[:, None] - middles).transpose(2, 0, 1)).argmin(axis=1)
    assert (nearest == group).mean() > 0.9


def test_without_communities_what_is_linked_stands_together() -> None:
    rows = replace(
        plain(40), entity_ids=[f"e{k}" for k in range(40)],
        entity_names=[f"e{k}" for k in range(40)], entity_community=np.full(40, -1, np.int32),
        dependency_source=np.arange(38, dtype=np.int32),
        dependency_target=np.arange(2, 40, dtype=np.int32))
    spots = provisional_positions(rows).entities
    even, odd = spots[::2], spots[1::2]
    assert np.hypot(*(even.mean(axis=0) - odd.mean(axis=0))) > np.ptp(even[:, 0]) / 2


def test_no_two_entities_stand_at_one_place_and_a_graph_may_be_empty() -> None:
    rows, _ = sample(300)
    spots = provisional_positions(rows).entities
    apart = np.hypot(*(spots[:, None] - spots).transpose(2, 0, 1)) + np.eye(300) * 99
    assert apart.min() > 1.0
    assert provisional_positions(sample(0)[0]).entities.shape == (0, 2)
