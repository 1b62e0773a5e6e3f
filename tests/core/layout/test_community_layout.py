"""A sky is the same on every run, overlaps nowhere, keeps communities apart and hands off."""

import subprocess
import sys
from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from msgspec.structs import replace
from numpy.typing import NDArray

from core.errors import Cancelled
from core.layout.communities import centres
from core.layout.community_layout import communities_of, lay_out
from core.layout.layout_graph import LEAST_RADIUS, Graph, Points
from core.layout.nested_layout import MOST
from core.layout.networkx_layout import MOST as NETWORKX_MOST
from core.layout.networkx_layout import spring

Labels = NDArray[np.int32]


def groups(count: int, number: int = 5, seed: int = 3) -> tuple[Graph, Labels]:
    """Entities in clear communities, their hubs first, and the community of each."""
    rng = np.random.default_rng(seed)
    label = np.arange(count, dtype=np.int32) % number
    base = rng.normal(size=(number, 2))[label] * 400 + rng.normal(size=(count, 2)) * 40
    inner = np.stack([np.arange(number, count), label[number:]], axis=1)
    outer = rng.integers(count, size=(count // 10, 2))
    edges = np.concatenate([inner, outer]).astype(np.int32)
    weights = np.concatenate([np.full(len(inner), 0.8), np.full(len(outer), 0.2)])
    radii = rng.uniform(10, 22, size=count)
    return Graph(*(base.astype("f4"), edges, weights.astype("f4"), radii.astype("f4"))), label


def least_gap(positions: Points, radii: NDArray[np.float32]) -> float:
    apart = np.linalg.norm(positions[:, None] - positions[None], axis=2)
    gaps = apart - radii[:, None] - radii[None]
    np.fill_diagonal(gaps, np.inf)
    return float(gaps.min())


def edgeless(base: Points) -> Graph:
    count = len(base)
    return Graph(
        base,
        np.zeros((0, 2), dtype=np.int32),
        np.zeros(0, dtype=np.float32),
        np.full(count, 12, dtype=np.float32),
    )


@pytest.mark.parametrize("count", [60, 700])
def test_no_two_hexagons_overlap(count: int) -> None:
    graph, _ = groups(count)
    assert least_gap(lay_out(graph), graph.radii) > 0


def test_communities_are_visibly_apart() -> None:
    graph, label = groups(60)
    positions = lay_out(graph)
    middles = centres(label, positions)
    reach = np.array(
        [np.linalg.norm(positions[label == each] - middles[each], axis=1).max() for each in
         range(5)]
    )
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    assert (apart > reach[:, None] + reach[None]).all()


def test_the_sky_fills_the_shape_of_a_window() -> None:
    graph, _ = groups(700, number=12)
    width, height = np.ptp(lay_out(graph), axis=0)
    assert 1.3 < width / height < 2


def test_the_extent_follows_the_hexagons_and_not_the_projection() -> None:
    graph, _ = groups(100)
    narrow = np.ptp(lay_out(replace(graph, base=graph.base * 1e-3)), axis=0)
    wide = np.ptp(lay_out(replace(graph, base=graph.base * 1e3)), axis=0)
    assert narrow == pytest.approx(wide, rel=0.1)
    assert np.ptp(lay_out(replace(graph, radii=graph.radii * 2)), axis=0) == pytest.approx(
        wide * 2, rel=0.25
    )


def test_those_who_know_each_other_lie_closer_than_strangers() -> None:
    graph, label = groups(200)
    positions = lay_out(graph)
    apart = np.linalg.norm(positions[:, None] - positions[None], axis=2)
    same = label[:, None] == label[None]
    assert np.median(apart[same]) < 0.5 * np.median(apart[~same])


def test_an_entity_without_links_lies_near_those_it_resembles() -> None:
    graph, label = groups(100)
    alone = 99
    linked = (graph.edges != alone).all(axis=1)
    graph = replace(graph, edges=graph.edges[linked], weights=graph.weights[linked])
    positions = lay_out(graph)
    apart = np.linalg.norm(positions - positions[alone], axis=1)
    apart[alone] = np.inf
    assert label[apart.argmin()] == label[alone]


@pytest.mark.parametrize("count", [60, 1_500])
def test_the_same_graph_gives_the_same_bytes(count: int) -> None:
    graph, _ = groups(count)
    state = np.random.get_state()[1].tolist()
    assert lay_out(graph).tobytes() == lay_out(graph).tobytes()
    assert np.random.get_state()[1].tolist() == state


def test_another_process_gives_the_same_bytes() -> None:
    program = (
        "import hashlib; from tests.core.layout.test_community_layout import groups; "
        "from core.layout.community_layout import lay_out; "
        "print(hashlib.sha256(lay_out(groups(120)[0]).tobytes()).hexdigest())"
    )
    root = Path(__file__).parents[3]
    digests = {
        subprocess.run(
            [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    }
    assert len(digests) == 1


def test_held_entities_stay_to_the_byte_and_others_keep_clear() -> None:
    graph, _ = groups(120)
    held = np.full((120, 2), np.nan, dtype=np.float32)
    held[[4, 50]] = lay_out(graph)[[60, 61]] + np.float32(0.3)
    positions = lay_out(replace(graph, held=held))
    assert positions[[4, 50]].tobytes() == held[[4, 50]].tobytes()
    assert least_gap(positions, graph.radii) > 0


def test_given_communities_are_kept_and_gaps_in_them_filled() -> None:
    graph, label = groups(90, number=3)
    given_labels = label + 7
    labels = communities_of(replace(graph, communities=given_labels))
    assert len({*zip(labels.tolist(), label.tolist(), strict=True)}) == 3
    given_labels[[10, 11]] = -1
    labels = communities_of(replace(graph, communities=given_labels))
    assert len({*zip(labels.tolist(), label.tolist(), strict=True)}) == 3


def test_communities_are_found_and_numbered_from_the_largest() -> None:
    graph, label = groups(300, number=6)
    labels = communities_of(graph)
    sizes = np.bincount(labels)
    assert (np.diff(sizes) <= 0).all()
    assert 4 <= len(sizes) <= 9
    commonest = [np.bincount(label[labels == each]).max() for each in range(len(sizes))]
    assert sum(commonest) > 0.9 * len(label)


def test_networkx_never_sees_more_than_it_can_lay_out(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    original = networkx.spring_layout

    def watched(network: networkx.Graph, **rest: object) -> dict[int, NDArray[np.float64]]:
        seen.append(len(network))
        return original(network, **rest)

    monkeypatch.setattr(networkx, "spring_layout", watched)
    graph, _ = groups(2_000, number=400)
    lay_out(replace(graph, communities=np.arange(2_000, dtype=np.int32)))
    lay_out(groups(1_000, number=2)[0])
    assert max(seen) <= MOST <= NETWORKX_MOST
    with pytest.raises(ValueError, match="too long"):
        spring(
            np.zeros((NETWORKX_MOST + 1, 2)), graph.edges[:0], graph.weights[:0],
            length=1, rounds=1, seed=1,
        )  # fmt: skip


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
def test_a_few_entities_have_a_sky(count: int) -> None:
    positions = lay_out(edgeless(np.zeros((count, 2), dtype=np.float32)))
    assert positions.shape == (count, 2)
    assert np.isfinite(positions).all()
    if count > 1:
        assert least_gap(positions, np.full(count, 12, dtype=np.float32)) > 0


def test_a_star_of_a_thousand_has_a_sky() -> None:
    count = 1_000
    edges = np.stack([np.zeros(count - 1), np.arange(1, count)], axis=1).astype(np.int32)
    graph = replace(
        edgeless(np.ones((count, 2), dtype=np.float32)),
        edges=edges,
        weights=np.ones(count - 1, dtype=np.float32),
    )
    assert least_gap(lay_out(graph), graph.radii) > 0


HUGE = np.full((12, 2), 1e31, dtype=np.float32)
HUGE[1, 0] = -3.4e38


@settings(max_examples=25, deadline=None)
@example(HUGE, np.zeros((9, 2), np.int32), np.zeros(9, np.float32), np.zeros(12, np.float32))
@example(np.ones((12, 2), np.float32), np.full((9, 2), 2, np.int32), np.ones(9, np.float32),
         np.full(12, 1e-9, np.float32))
@given(
    arrays(np.float32, (12, 2), elements=st.floats(width=32)),
    arrays(np.int32, (9, 2), elements=st.integers(-3, 14)),
    arrays(np.float32, 9, elements=st.floats(width=32)),
    arrays(np.float32, 12, elements=st.floats(0, 40, width=32)),
)
def test_any_numbers_give_a_finite_sky_without_overlap(
    base: Points,
    edges: NDArray[np.int32],
    weights: NDArray[np.float32],
    radii: NDArray[np.float32],
) -> None:
    positions = lay_out(Graph(base, edges, weights, radii))
    assert np.isfinite(positions).all()
    assert least_gap(positions, np.where(radii >= LEAST_RADIUS, radii, 1)) >= 0


def test_the_layout_tells_how_far_it_is_and_can_be_stopped() -> None:
    shares: list[float] = []
    lay_out(groups(60)[0], report=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def stop(share: float) -> None:
        raise Cancelled("Stopped")

    with pytest.raises(Cancelled):
        lay_out(groups(60)[0], report=stop)
