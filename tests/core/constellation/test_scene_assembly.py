"""Rows and positions become a scene: sizes from facts, nothing moved, lost or doubled."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.constellation import orbits, visual_encoding
from core.constellation.picking import Grid
from core.constellation.positions import neighbour_distance
from core.constellation.scene import CONSTRAINT, difference
from core.constellation.scene_assembly import assemble
from core.model.sky_columns import APPEAR, LINK, NO_TASK, EntityFacts, Positions, SkyRows
from tests.skies import TYPES, cross, orbit, sample, sample_scene, with_proposals


def test_entities_are_10_to_22_pixels_by_the_logarithm_of_mentions() -> None:
    sizes = visual_encoding.entity_size(np.array([0, 1, 10, 100, 10**6]))
    assert sizes[0] == 10.0
    assert sizes[-1] == 22.0
    assert (np.diff(sizes) > 0).all()
    assert sizes[2] - sizes[1] > (sizes[3] - sizes[2]) / 3


def test_glow_is_none_without_constraints_and_full_at_eight() -> None:
    glow = visual_encoding.brightness(np.array([0, 1, 4, 8, 40]))
    assert glow[0] == 0.0
    assert glow[3] == glow[4] == 1.0
    assert (np.diff(glow[:4]) > 0).all()


def test_the_well_known_are_solid_and_the_new_are_dim() -> None:
    new, known, ruled = visual_encoding.presence(np.array([0, 400, 0]), np.array([0, 0, 8]))
    assert new < 0.2 < known
    assert ruled == 1.0


def test_lines_are_wide_by_strength_and_opaque_by_confidence() -> None:
    assert visual_encoding.edge_width(np.array([0.0, 1.0])).tolist() == pytest.approx([0.8, 2.0])
    assert visual_encoding.edge_alpha(np.array([0.0, 1.0])).tolist() == pytest.approx([0.12, 0.35])


@pytest.mark.parametrize("strange", [np.nan, np.inf, -np.inf, -3.0, 17.0])
def test_odd_numbers_are_drawn_within_bounds(strange: float) -> None:
    assert 0.8 <= visual_encoding.edge_width(np.array([strange]))[0] <= 2.0001
    assert 5.0 <= visual_encoding.aspect_size(np.array([strange]))[0] <= 8.0


def test_families_have_dashes_of_their_own() -> None:
    codes = visual_encoding.dash_codes(
        ("uses", "depends_on", "triggers", "impacts", "no such word"))
    assert codes.tolist() == [0, 1, 2, 3, 0]


@pytest.mark.parametrize("count", [0, 1, 2, 40])
def test_every_row_is_a_node_under_its_owner(count: int) -> None:
    rows, positions = sample(count)
    scene = assemble(rows, positions)
    assert scene.starts == (0, count, 4 * count, 16 * count, 18 * count)
    assert sorted(scene.ids) == sorted(
        [*rows.entity_ids, *rows.aspect_ids, *rows.attribute_ids, *rows.memory_ids]
    )
    for node in range(scene.starts[1], scene.starts[3]):
        owner = scene.owner(node)
        assert node in orbit(scene, owner)


def test_rows_in_any_order_keep_their_owner() -> None:
    rows, positions = sample(8)
    shuffled = np.random.default_rng(1).permutation(len(rows.aspect_ids))
    back = np.argsort(shuffled)
    mixed = replace(
        rows, aspect_ids=[rows.aspect_ids[k] for k in shuffled],
        aspect_names=[rows.aspect_names[k] for k in shuffled],
        aspect_entity=rows.aspect_entity[shuffled], aspect_weight=rows.aspect_weight[shuffled],
        attribute_aspect=back[rows.attribute_aspect].astype(np.int32),
    )

    def owners(scene):  # noqa: ANN001, ANN202
        return {scene.ids[k]: scene.ids[scene.owner(k)] for k in range(len(scene.ids))
                if scene.starts[1] <= k < scene.starts[3]}

    assert owners(assemble(mixed, positions)) == owners(assemble(rows, positions))


def test_equal_input_gives_an_equal_scene() -> None:
    first, second = sample_scene(60), sample_scene(60)
    assert first.ids == second.ids
    for name in ("x", "y", "size", "edge_source", "edge_alpha", "entity_pinned"):
        assert np.array_equal(getattr(first, name), getattr(second, name))


def test_what_is_known_of_entities_goes_to_the_scene_as_it_is() -> None:
    rows, positions = sample(60)
    scene = assemble(rows, positions)
    for fact in EntityFacts.__struct_fields__:
        assert getattr(scene, fact) is getattr(rows, fact), fact
    assert scene.entity_pinned[0]
    assert scene.entity_muted[5]
    task = TYPES.index("task")
    tasks = np.flatnonzero(scene.entity_task != NO_TASK)
    assert len(tasks)
    assert (scene.type_code[tasks] == task).all()


def test_constraints_are_on_the_inner_ring_and_values_on_the_outer() -> None:
    scene = sample_scene(1)
    distance = np.hypot(scene.x - scene.x[0], scene.y - scene.y[0])
    values = slice(scene.starts[2], scene.starts[3])
    constraint = scene.kind[values] == CONSTRAINT
    aspects = distance[scene.starts[1] : scene.starts[2]]
    assert distance[values][constraint].max() < aspects.min()
    assert aspects.max() < distance[values][~constraint].min()
    assert distance[: scene.starts[3]].max() <= scene.reach[0] * 1.0001


def test_things_on_rings_do_not_lie_on_each_other() -> None:
    scene = sample_scene(1, aspects=5, values=30)
    part = slice(scene.starts[1], scene.starts[3])
    x, y = scene.x[part].astype(float), scene.y[part].astype(float)
    gap = np.hypot(x[:, None] - x, y[:, None] - y) + np.eye(len(x))
    assert gap.min() > 0.02 * scene.unit


def test_a_new_entity_moves_no_other() -> None:
    rows, positions = sample(40)
    more, more_places = sample(41, seed=7)
    entities = np.vstack([positions.entities, [[np.nan, np.nan]]]).astype(np.float32)
    before = assemble(rows, positions)
    after = assemble(more, Positions(entities, more_places.memories, unit=before.unit))
    assert np.array_equal(before.x[:40], after.x[:40])
    assert np.array_equal(before.y[:40], after.y[:40])
    assert np.isfinite(after.x[40])


@pytest.mark.parametrize("links", [0, 2])
def test_what_has_no_place_is_put_beside_what_it_belongs_to(links: int) -> None:
    rows, positions = sample(20, links=links)
    entities = positions.entities.copy()
    entities[7:] = np.nan
    scene = assemble(rows, Positions(entities, np.full_like(positions.memories, np.nan), unit=1.0))
    assert np.isfinite(scene.x).all()
    assert np.isfinite(scene.y).all()
    points = set(zip(scene.x[:20].tolist(), scene.y[:20].tolist(), strict=True))
    assert len(points) == 20


def test_dangling_links_and_loops_are_left_out() -> None:
    rows, positions = sample(4, links=1)
    rows = replace(rows, dependency_source=np.array([0, 1, -1, 2], np.int32),
                   dependency_target=np.array([1, 1, 2, 3], np.int32))
    scene = assemble(rows, positions)
    assert sorted(scene.edge_ids) == ["d0", "d3"]
    assert scene.neighbours(0).tolist() == [1]
    assert [scene.edge_ids[k] for k in scene.edges_of(2)] == ["d3"]


def test_the_strongest_lines_come_first() -> None:
    scene = sample_scene(60)
    ink = scene.edge_width * scene.edge_alpha
    assert (np.diff(ink) <= 1e-6).all()


def test_proposals_become_ghosts_and_those_without_a_place_do_not() -> None:
    rows, positions = sample(20)
    scene = assemble(with_proposals(rows), positions)
    ghosts = scene.ghosts
    assert ghosts.ids == ["p0", "p1", "p2", "p3"]
    appear = int(np.flatnonzero(ghosts.effect == APPEAR)[0])
    away = np.hypot(ghosts.x[appear] - scene.x[1], ghosts.y[appear] - scene.y[1])
    assert away == pytest.approx(scene.unit, rel=0.01)
    link = int(np.flatnonzero(ghosts.effect == LINK)[0])
    assert (ghosts.node[link], ghosts.other[link]) == (4, 6)


def test_a_thing_that_several_propose_appears_once() -> None:
    rows, positions = sample(20)
    rows = with_proposals(rows)
    twice = replace(
        rows, proposal_ids=[*rows.proposal_ids, *(f"again-{id}" for id in rows.proposal_ids)],
        proposal_labels=rows.proposal_labels * 2,
        proposal_effect=np.tile(rows.proposal_effect, 2),
        proposal_target=np.tile(rows.proposal_target, 2),
        proposal_other=np.tile(rows.proposal_other, 2))
    once, more = assemble(rows, positions).ghosts, assemble(twice, positions).ghosts
    assert (more.effect == APPEAR).sum() == (once.effect == APPEAR).sum() > 0
    assert len(more.ids) > len(once.ids), "everything else is as often there as it is proposed"


def test_communities_are_named_above_their_members() -> None:
    rows, positions = sample(60)
    scene = assemble(rows, positions)
    groups = scene.communities
    assert sorted(groups.names) == [f"Group {k}" for k in range(5)]
    for k, name in enumerate(groups.names):
        members = np.flatnonzero(rows.entity_community == rows.community_names.index(name))
        assert groups.top[k] < scene.y[members].min()
        assert scene.x[members].min() <= groups.x[k] <= scene.x[members].max()


def test_the_unit_is_about_the_distance_of_neighbours_and_holds_when_one_is_added() -> None:
    side = np.arange(30.0)
    x, y = (axis.ravel() for axis in np.meshgrid(side, side))
    unit = neighbour_distance(x, y)
    assert 0.8 < unit < 2.0
    assert neighbour_distance(np.append(x, 400.0), np.append(y, 3.0)) == unit
    assert neighbour_distance(x * 7, y * 7) == pytest.approx(7 * unit, rel=0.13)


@pytest.mark.parametrize("shape", ["even", "flat", "stray", "heap"])
def test_what_is_around_many_points_is_what_is_around_each(shape):
    points = np.random.default_rng(5).normal(size=(500, 2)) * 100
    points[:, 1] *= 1e-4 if shape == "flat" else 1
    points[:250] *= 1e-3 if shape == "heap" else 1
    points[0] += 1e5 if shape == "stray" else 0
    grid, rows = Grid(*points.T), np.arange(0, 500, 7)
    x, y = grid.x.astype(float), grid.y.astype(float)
    where, near = grid.around(rows, 30.0)
    for place, row in enumerate(rows.tolist()):
        each = grid.inside(x[row] - 30, y[row] - 30, x[row] + 30, y[row] + 30)
        assert sorted(near[where == place].tolist()) == sorted(each.tolist())


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), max_size=12))
def test_any_positions_can_be_assembled(points: list[tuple[float, float]]) -> None:
    rows, positions = sample(len(points))
    entities = np.array(points, np.float32).reshape(-1, 2)
    scene = assemble(rows, Positions(entities, positions.memories))
    assert np.isfinite(scene.x).all()
    assert scene.unit > 0
    left, top, right, bottom = scene.bounds()
    assert left < right
    assert top < bottom


def test_an_empty_graph_is_an_empty_sky() -> None:
    nowhere = np.zeros((0, 2), np.float32)
    scene = assemble(SkyRows(), Positions(nowhere, nowhere))
    assert scene.entities == scene.memories == 0
    assert scene.find("x") is None


def test_any_kind_is_found_by_its_id() -> None:
    scene = cross()
    for id in ("east", "a2", "v3", "m4"):
        node = scene.find(id)
        assert node is not None
        assert scene.ids[node] == id
    assert [scene.ids[k] for k in scene.memories_of(2)] == ["m2"]


def test_a_difference_names_what_appeared_went_and_moved() -> None:
    rows, positions = sample(10)
    old = assemble(rows, replace(positions, unit=1.0))
    moved = positions.entities.copy()
    moved[3] += 2.0
    more, more_places = sample(11)
    more = replace(more, entity_ids=[*rows.entity_ids[:4], "other", *rows.entity_ids[5:], "more"])
    entities = np.vstack([moved, [[30.0, 30.0]]])
    new = assemble(more, Positions(entities.astype(np.float32), more_places.memories, 1.0))
    change = difference(old, new)
    assert [new.ids[k] for k in change.appeared] == ["other", "more"]
    assert [old.ids[k] for k in change.gone] == ["e4"]
    assert [new.ids[k] for k in change.moved] == ["e3"]
    assert difference(old, old).empty


def test_values_stand_in_the_same_places_however_many_are_placed_in_one_go(monkeypatch) -> None:
    chance = np.random.default_rng(1)
    aspect_entity = np.sort(chance.integers(0, 30, 90))
    value_aspect = np.sort(chance.integers(0, 90, 600))
    x, y, size, turn = (chance.random(30).astype(np.float32) for _ in range(4))
    constraint = chance.random(600) < 0.2

    def placed() -> list[bytes]:
        rings = orbits.orbits_of(x, y, size, turn, aspect_entity, value_aspect, constraint, 2.0)
        return [getattr(rings, name).tobytes() for name in rings.__struct_fields__]

    at_once = placed()
    monkeypatch.setattr(orbits, "AT_A_TIME", 7)
    assert placed() == at_once
