"""The sky's columns: every row once, in order, with the index of its owner."""

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.constellation import sky_rows as sky_module
from core.constellation.sky_rows import ORDER, many_values, sky
from core.model.packed_texts import packed
from core.model.sky_columns import APPEAR, CHANGE, GO, LINK
from core.ontology import control
from core.queries.stats import counts
from core.workspace import Workspace
from explorer.demo import build_demo
from tests.core.graphs import Asked, build, many


@pytest.fixture
def read(tmp_path):
    """`read(fill, **options)` gives the SkyRows of a new graph."""
    opened = []

    def run(fill, **options):
        workspace = build(tmp_path / f"g{len(opened)}.db", fill)
        opened.append(workspace)
        with workspace.read() as reader:
            return sky(reader, **options)

    run.opened = opened
    yield run
    for workspace in opened:
        workspace.close()


def world(graph):
    quiet = graph.entity("Quiet", "tool", muted=1, mentions=1)
    hub = graph.entity("Hub", mentions=7)
    gone = graph.entity("Gone", "person", status="archived")
    star = graph.entity("Star", "task", pinned=1, pinned_at="2026-01-01")
    graph.entity("Theirs", agent_id="atlas")
    graph.task(star, "in_progress")
    light, heavy = graph.aspect(hub, "light", 0.1), graph.aspect(hub, "heavy", 0.9)
    graph.aspect(hub, "hidden", 1.0, status="archived")
    unseen = graph.aspect(gone, "of the archived")
    graph.value(unseen, "not shown")
    graph.value(light, "small", importance=0.1)
    graph.value(heavy, "rule", kind="constraint", importance=0.4)
    graph.history(heavy, "k", "old", "new", importance=0.8)
    graph.memory("both", hub, quiet)
    graph.memory("none", is_deleted=1)
    graph.link(hub, quiet, "uses", strength=0.4, confidence=0.6)
    graph.link(hub, gone, "informs")
    graph.link(hub, hub, "triggers")


def test_entities_come_by_their_mentions_with_their_marks(read):
    rows = read(world)
    assert rows.entity_names == ["Hub", "Quiet", "Star"]
    assert [rows.type_words[code] for code in rows.entity_type] == ["project", "tool", "task"]
    assert rows.entity_mentions.tolist() == [7, 1, 0]
    assert rows.entity_pinned.tolist() == [False, False, True]
    assert rows.entity_muted.tolist() == [False, True, False]
    assert rows.entity_task.tolist() == [0, 0, 2]
    assert rows.entity_constraints.tolist() == [1, 0, 0]
    assert rows.hidden == 1


def test_a_pin_and_the_time_of_writing_leave_each_entity_in_its_place(read):
    def fill(graph):
        graph.entity("Plain", mentions=3)
        graph.entity("another", mentions=3)
        graph.entity("Later", mentions=3, updated_at="2999-01-01")
        graph.entity("Pinned", pinned=1, pinned_at="2026-01-01")

    assert read(fill).entity_names == ["Later", "Plain", "another", "Pinned"]


def test_entities_are_in_the_order_of_the_file_whatever_their_columns_hold(read):
    def fill(graph):
        names = ("Plain", "Twin", "many", "none", "in bytes", "as text", "by bytes", "a part")
        for number, name in enumerate(names):
            graph.entity(name, id=f"e{number}", mentions=3)
        for name, column, value in (
                ("none", "mentions", 0), ("in bytes", "mentions", b"x"),
                ("as text", "mentions", "often"), ("a part", "mentions", 2.5),
                ("many", "mentions", 9), ("by bytes", "name", b"x"),
                ("Twin", "name", "Plain")):
            graph.writer.connection.execute(
                f"UPDATE entities SET {column} = ? WHERE name = ?", (value, name))

    rows = read(fill)
    with read.opened[-1].read() as reader:
        assert rows.entity_ids == [row["id"] for row in reader.rows(
            f"SELECT e.id FROM entities e ORDER BY {ORDER}")]
    assert rows.entity_ids == ["e4", "e5", "e2", "e0", "e1", "e6", "e7", "e3"]


def test_aspects_and_attributes_are_the_active_ones_heaviest_first(read):
    rows = read(world)
    assert rows.aspect_names == ["heavy", "light"]
    assert [rows.entity_names[index] for index in rows.aspect_entity] == ["Hub", "Hub"]
    assert rows.attribute_aspect.tolist() == [0, 0, 1]
    assert rows.attribute_constraint.tolist() == [False, True, False]
    assert np.allclose(rows.attribute_importance, [0.8, 0.4, 0.1])


def test_links_join_what_is_shown_and_mentions_know_their_memory(read):
    rows = read(world)
    words = [rows.dependency_words[code] for code in rows.dependency_type]
    ends = zip(rows.dependency_source.tolist(), rows.dependency_target.tolist(), strict=True)
    assert dict(zip(words, ends, strict=True)) == {"uses": (0, 1), "triggers": (0, 0)}
    assert len(rows.memory_ids) == 1
    assert set(zip(rows.mention_memory.tolist(), rows.mention_entity.tolist(), strict=True)) == {
        (0, 0), (0, 1)}


def test_archived_and_muted_entities_come_and_go_with_all_that_is_theirs(read):
    every = read(world, archived=True)
    assert sorted(every.entity_names) == ["Gone", "Hub", "Quiet", "Star"]
    assert every.hidden == 0
    assert every.entity_archived.tolist().count(True) == 1
    assert "of the archived" in every.aspect_names
    assert len(every.dependency_ids) == 3
    calm = read(world, muted=False)
    assert calm.entity_names == ["Hub", "Star"]
    assert calm.hidden == 2
    assert len(calm.dependency_ids) == 1
    assert calm.mention_entity.tolist() == [0]


def test_proposals_tell_what_they_would_do_and_where(read):
    def fill(graph):
        world(graph)
        graph.proposal("create_entity", {"name": "New"}, updated_at="2026-01-09")
        graph.proposal("rename_entity", {"entity": "hub", "new_name": "Core"},
                       updated_at="2026-01-08")
        graph.proposal("archive_entity", {"entity": "quiet"}, updated_at="2026-01-07")
        graph.proposal("create_link", {"source_entity": "Hub", "target_entity": "Star",
                                       "link_type": "uses"}, updated_at="2026-01-06")
        graph.proposal("create_link", {"source_entity": "Hub", "target_entity": "Unknown",
                                       "link_type": "owns"}, updated_at="2026-01-05")
        graph.proposal("archive_entity", {"entity": "nobody"}, updated_at="2026-01-04")
        graph.proposal("broken", "{", updated_at="2026-01-03")
        graph.proposal("archive_entity", {"entity": "hub"}, status="rejected")

    rows = read(fill)
    proposals = list(zip(rows.proposal_labels, rows.proposal_effect.tolist(),
                     rows.proposal_target.tolist(), rows.proposal_other.tolist(), strict=True))
    assert proposals == [("New", APPEAR, -1, -1), ("Core", CHANGE, 0, -1), ("Quiet", GO, 1, -1),
                     ("uses", LINK, 0, 2), ("owns", LINK, 0, -1)]
    assert rows.entity_pending.tolist() == [3, 1, 1]


def test_a_new_entity_appears_beside_what_it_would_be_linked_to(read):
    def fill(graph):
        world(graph)
        graph.proposal("create_entity", {"name": "New"}, updated_at="2026-01-09")
        graph.proposal("create_link", {"source_entity": "Hub", "target_entity": "new",
                                       "link_type": "uses"}, updated_at="2026-01-08")
        graph.proposal("create_aspect", {"entity": "New", "name": "hours"},
                       updated_at="2026-01-07")
        graph.proposal("set_claim_value", {
            "entity": "New", "aspect": "hours", "claim_key": "opens", "value": "9"},
            updated_at="2026-01-06")

    rows = read(fill)
    assert list(zip(rows.proposal_labels, rows.proposal_effect.tolist(),
                    rows.proposal_target.tolist(), strict=True)) == [
        ("New", APPEAR, 0), ("uses", LINK, 0), ("New", APPEAR, 0)]


def test_only_what_would_go_is_said_to_go(read):
    def fill(graph):
        world(graph)
        graph.proposal("merge_entities", {"target_entity": "Hub", "source_entities": ["Star"]},
                       updated_at="2026-01-09")
        graph.proposal("archive_aspect", {"entity": "quiet", "aspect": "any"},
                       updated_at="2026-01-08")

    rows = read(fill)
    assert list(zip(rows.proposal_effect.tolist(), rows.proposal_target.tolist(),
                    strict=True)) == [(GO, 2), (CHANGE, 0), (CHANGE, 1)]


def test_an_empty_graph_has_an_empty_sky(read):
    rows = read(lambda graph: None)
    assert rows.entity_ids == []
    assert rows.attribute_aspect.shape == rows.mention_memory.shape == (0,)
    assert rows.dependency_source.dtype == np.int32


def test_attributes_that_are_fetched_in_parts_are_the_same(read, monkeypatch):
    def fill(graph):
        many(graph, 40)

    whole = read(fill)
    monkeypatch.setattr(sky_module, "AT_ONCE", 7)
    parts = read(fill)
    assert len(whole.attribute_ids) == 400
    assert parts.attribute_ids == whole.attribute_ids
    assert parts.attribute_aspect.tolist() == whole.attribute_aspect.tolist()
    owners = [rows.split(".")[0][1:] for rows in whole.attribute_ids]
    aspects = [whole.aspect_ids[index].split(".")[0][1:] for index in whole.attribute_aspect]
    assert owners == aspects


@pytest.mark.parametrize("others", ["", "atlas", "zephyr"])
def test_a_sky_without_values_is_as_bright(tmp_path, others):
    workspace = build(tmp_path / "bright.db", lambda graph: many(graph, 40))
    workspace.write("constrain", lambda w: w.update_where(
        "entity_attributes", "rowid % 7 = 0", {"kind": "constraint"}))
    if others:  # A value of another agent below an aspect of ours does not count.
        workspace.write("give away", lambda w: w.update_where(
            "entity_attributes", "rowid % 14 = 0", {"agent_id": others}))
    with workspace.read() as reader:
        whole, quick = sky(reader), sky(reader, values=False)
        assert not many_values(reader)
    workspace.close()
    assert whole.entity_constraints.sum() > 0
    assert quick.entity_constraints.tolist() == whole.entity_constraints.tolist()
    assert (quick.entity_ids, quick.attribute_ids) == (whole.entity_ids, [])


@pytest.mark.parametrize("values", [False, True])
def test_a_glance_and_the_rest_are_the_whole(read, values):
    read(world)
    with read.opened[-1].read() as reader:
        glance = sky(reader, alone=True)
        whole, rest = sky(reader, values=values), sky(reader, values=values, glance=glance)
    assert not glance.memory_ids
    assert len(whole.memory_ids) > 0
    for name in whole.__struct_fields__:
        assert np.array_equal(getattr(whole, name), getattr(rest, name)), name


def test_the_sky_has_as_much_as_the_status_bar_counts(tmp_path: Path) -> None:
    with closing(Workspace.open(build_demo(tmp_path / "demo.db"), data_dir=tmp_path)) as workspace:
        assert workspace.write("Archive", lambda writer: control.apply(
            writer, "archive_entity", {"entity": "NAS"}, reason="Sold")) is not None
        with workspace.read() as reader:
            rows, number = sky(reader), counts(reader)
    rules = int(rows.attribute_constraint.sum())
    assert len(rows.entity_ids) == number.entities
    assert (len(rows.attribute_ids) - rules, rules) == (number.attributes, number.constraints)
    assert len(rows.memory_ids) == number.memories
    assert rows.hidden == number.archived


def test_a_first_glance_has_entities_and_links_where_the_whole_sky_has_them(tmp_path: Path) -> None:
    workspace = build(tmp_path / "graph.db", lambda graph: many(graph, 40))
    with workspace.read() as reader:
        whole, glance = sky(reader, values=False), sky(reader, values=False, alone=True)
    workspace.close()
    assert glance.entity_ids == whole.entity_ids
    assert glance.dependency_ids == whole.dependency_ids
    assert np.array_equal(glance.entity_mentions, whole.entity_mentions)
    assert not glance.memory_ids
    assert not glance.attribute_ids


def test_shares_are_as_exact_as_they_were_written(read):
    shares = [0.0, 1.0, 0.1, 1 / 3, 2 / 3, 0.999999, 1e-6, 2 ** -30, 1 - 2 ** -24]

    def fill(graph):
        aspect = graph.aspect(graph.entity("Hub"), "facts", 1 / 3)
        for number, share in enumerate(shares):
            graph.value(aspect, f"fact {number}", importance=share)

    rows = read(fill)
    written = np.array(sorted(shares, reverse=True), np.float32)
    assert rows.attribute_importance.tolist() == written.tolist()
    assert rows.aspect_weight.tolist() == [np.float32(1 / 3)]


def test_types_of_what_is_hidden_are_no_types_of_the_sky(read):
    rows = read(lambda graph: [graph.entity("Vega", "tool"), graph.entity("Old", "person",
                                                                          status="archived")])
    assert (rows.type_words, rows.entity_type.tolist()) == (("tool",), [0])


ODD_IDS = ["", "plain", 'quoted "', "back\\slash", "nul\0nul", "é字", "long " * 30]


@pytest.mark.parametrize("odd", ODD_IDS)
def test_whatever_ids_are_each_row_finds_its_owner(read, odd):
    def fill(graph):
        ids = [graph.entity(name, id=f"{odd}{name}") for name in ("A", "B", "C")]
        for id in ids:
            aspect = graph.aspect(id, "facts", id=f"{id}.f")
            graph.value(aspect, f"of {id}", id=f"{id}.v")
        graph.link(ids[0], ids[2], id=f"{odd}1")
        graph.link(ids[2], ids[1], id=f"{odd}2")

    rows = read(fill)
    ids = rows.entity_ids
    assert [(ids[source], ids[target]) for source, target in zip(
        rows.dependency_source, rows.dependency_target, strict=True)] == [
            (f"{odd}A", f"{odd}C"), (f"{odd}C", f"{odd}B")]
    assert list(rows.dependency_ids) == [f"{odd}1", f"{odd}2"]
    owners = rows.aspect_entity[rows.attribute_aspect]
    assert list(rows.attribute_ids) == [f"{ids[owner]}.v" for owner in owners]
    assert sorted(rows.attribute_ids) == sorted(f"{odd}{name}.v" for name in "ABC")


def test_what_lies_in_order_is_read_as_it_lies(tmp_path: Path) -> None:
    with closing(build(tmp_path / "g.db", lambda graph: many(graph, 20))) as workspace, \
            workspace.read() as reader:
        asked = Asked(reader)
        sky(reader)
        steps = asked.plans()
    assert "SCAN d" in steps
    assert "SEARCH v USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)" in steps


def test_what_comes_in_another_order_is_sorted(tmp_path: Path) -> None:
    with closing(build(tmp_path / "g.db", lambda graph: many(graph, 20))) as workspace, \
            workspace.read() as reader:
        read = sky_module._in_file_order(
            reader, "SELECT f.value AS number, 'd' AS id FROM json_each(:numbers) f", ("id",),
            numbers=[2, 3, 1])
    assert list(read["number"]) == [1, 2, 3]


@pytest.mark.parametrize(("memory", "order"), [
    ([0, 0, 1], [0, 1, 2]), ([0, 1, 0], [2, 0, 1]), ([1, 1, 0], [2, 0, 1])])
def test_mentions_come_by_memory_and_entity_however_they_lie(memory, order) -> None:
    rows = np.array([3, 1, 0])
    for entities in (["b", "y", "", "x"], packed(["b", "y", "", "x"])):
        found = sky_module._by_memory(np.array(memory), entities, rows)
        assert found.tolist() == order


def test_mentions_of_one_memory_that_lie_otherwise_are_sorted() -> None:
    found = sky_module._by_memory(np.array([0, 0, 1]), ["b", "a", "a"], np.arange(3))
    assert found.tolist() == [1, 0, 2]
