"""The walk's bounds: its budgets and gates, what narrows it, how mentions fill what is left."""

import sqlite3
from pathlib import Path

import pytest

from core.traversal.config import TraversalSettings
from core.traversal.walk import ANY
from core.workspace import Workspace
from tests.contracts.files import make
from tests.core.graphs import Graph
from tests.core.walking import ids, many_memories, three, walked

# -- bounds ----------------------------------------------------------------------------------


def test_ten_aspects_by_weight(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        for n in range(12):
            many_memories(graph, graph.aspect("e1", f"side {n}", n / 20), f"m{n}-", 1)

    assert {id.partition("-")[0] for id in ids(walked(graph(fill), "e1"))} == {
        f"m{n}" for n in range(2, 12)}


def test_twenty_attributes_by_importance(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        many_memories(graph, graph.aspect("e1", "general"), "m", 30)

    assert ids(walked(graph(fill), "e1")) == [f"m{n}" for n in range(20)]


def test_constraints_share_the_twenty_of_their_aspect(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        aspect = graph.aspect("e1", "general")
        many_memories(graph, aspect, "m", 20)
        many_memories(graph, aspect, "rule", 3, kind="constraint", importance=1.0)

    result = walked(graph(fill), "e1")
    assert len(result.memories) == 20
    assert [m.via for m in result.memories].count("constraint") == 3
    assert len(result.constraints) == 3


def test_fifty_memories_in_all(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        for side in range(4):
            many_memories(graph, graph.aspect("e1", f"side {side}"), f"m{side}-", 20)

    workspace = graph(fill)
    assert len(walked(workspace, "e1").memories) == 50
    few = TraversalSettings(max_traversal_paths=7, timeout_ms=60_000)
    assert len(walked(workspace, "e1", settings=few).memories) == 7


def test_no_focal_entity_takes_all_while_another_has_candidates(graph) -> None:
    def fill(graph: Graph) -> None:
        for entity in ("rich", "poor", "middle"):
            graph.entity(entity, id=entity)
        for side in range(5):
            many_memories(graph, graph.aspect("rich", f"side {side}"), f"rich{side}-", 20)
        many_memories(graph, graph.aspect("poor", "general"), "poor", 3, importance=0.1)
        many_memories(graph, graph.aspect("middle", "general"), "middle", 20, importance=0.1)

    result = walked(graph(fill), "rich", "poor", "middle")
    owners = [memory.path.entity_ids[0] for memory in result.memories]
    assert (owners.count("rich"), owners.count("middle"), owners.count("poor")) == (27, 20, 3)


def test_four_branches_of_each_focal_entity_the_surest(graph) -> None:
    def fill(graph: Graph) -> None:
        for entity in ("e1", "e2"):
            graph.entity(entity, id=entity)
            for n in range(6):
                graph.entity(f"{entity} {n}", id=f"{entity}-{n}")
                graph.link(entity, f"{entity}-{n}", strength=1 - n / 10, confidence=0.9)

    result = walked(graph(fill), "e1", "e2")
    assert result.entity_ids[2:] == tuple(f"e{e}-{n}" for n in range(4) for e in (1, 2))


@pytest.mark.parametrize(("confidence", "strength", "followed"), [
    (0.5, 0.6, True), (0.49, 1.0, False), (0.6, 0.5, True), (0.5, 0.59, False), (1.0, 0.3, True),
    (0.5, 0.3, False),
])
def test_both_edge_gates_hold(graph, confidence: float, strength: float, followed: bool) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        graph.entity("Beta", id="e2")
        graph.link("e1", "e2", confidence=confidence, strength=strength)

    assert ("e2" in walked(graph(fill), "e1").entity_ids) is followed


@pytest.mark.parametrize(("strength", "followed"), [(0.43, True), (0.42, False)])
def test_a_link_of_a_file_without_confidences_counts_as_sure_by_07(
    tmp_path: Path, strength: float, followed: bool
) -> None:
    path = tmp_path / "memories.db"
    make("signet-030", path, tmp_path / "data").close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE entity_dependencies SET strength = ?", (strength,))
    connection.commit()
    connection.close()
    workspace = Workspace.open(path, data_dir=tmp_path / "data")
    assert ("e-tide" in walked(workspace, "e-harbor").entity_ids) is followed
    workspace.close()


def test_the_first_generations_gate_looks_at_strength_alone(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        for n, strength in enumerate((0.3, 0.29, 0.9)):
            graph.entity(f"Beta {n}", id=f"b{n}")
            graph.link("e1", f"b{n}", confidence=0.1, strength=strength)

    first = TraversalSettings(weigh_confidence=False, timeout_ms=60_000)
    assert walked(graph(fill), "e1", settings=first).entity_ids == ("e1", "b2", "b0")


def test_co_occurrence_links_are_too_weak_until_strengthened(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        graph.entity("Beta", id="e2")
        graph.link("e1", "e2", "related_to", confidence=0.5, strength=0.3, reason="co-occurred")

    workspace = graph(fill)
    assert walked(workspace, "e1").entity_ids == ("e1",)
    workspace.write("strengthen", lambda writer: writer.update_where(
        "entity_dependencies", "1", {"strength": 0.6}))
    assert walked(workspace, "e1").entity_ids == ("e1", "e2")


def test_older_names_of_settings_are_accepted(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        for n in range(4):
            graph.entity(f"Beta {n}", id=f"b{n}")
            graph.link("e1", f"b{n}", confidence=1.0, strength=0.5 + n / 10)

    older = TraversalSettings.model_validate({"maxDependencyHops": 2, "timeoutMs": 60_000})
    assert walked(graph(fill), "e1", settings=older).entity_ids == ("e1", "b3", "b2")


# -- narrowing -------------------------------------------------------------------------------


def scoped(graph: Graph) -> None:
    graph.entity("Alpha", id="e1")
    for name in ("work log", "home"):
        aspect = graph.aspect("e1", name)
        for scope in (None, "team"):
            memory = graph.memory(f"{name} {scope}", id=f"{name}-{scope}", scope=scope)
            graph.value(aspect, f"{name} {scope}", memory_id=memory)
        graph.value(aspect, f"rule of {name}", kind="constraint")
    graph.memory("mentioned", "e1", id="mentioned-team", scope="team")


@pytest.mark.parametrize(("scope", "expected"), [
    (ANY, {"work log-None", "work log-team", "home-None", "home-team", "mentioned-team"}),
    (None, {"work log-None", "home-None"}),
    ("team", {"work log-team", "home-team", "mentioned-team"}),
    ("elsewhere", set()),
])
def test_a_scope_narrows_memories(graph, scope: str | None, expected: set[str]) -> None:
    result = walked(graph(scoped), "e1", scope=scope)
    assert set(ids(result)) == expected
    assert len(result.constraints) == 2


def test_an_aspect_filter_narrows_memories_and_no_constraints(graph) -> None:
    workspace = graph(scoped)
    result = walked(workspace, "e1", aspect_filter="WORK")
    assert {m.id for m in result.memories if m.via == "attribute"} == {
        "work log-None", "work log-team"}
    assert len(result.constraints) == 2
    assert not [m for m in walked(workspace, "e1", aspect_filter="%").memories
                if m.via == "attribute"]


# -- mentions --------------------------------------------------------------------------------


def test_mentions_fill_what_attributes_leave(graph) -> None:
    def fill(graph: Graph) -> None:
        three(graph)
        graph.memory("a mention", "e1", id="said", importance=0.4)
        graph.memory("gone", "e1", id="gone", is_deleted=1)

    result = walked(graph(fill), "e1")
    said = next(memory for memory in result.memories if memory.id == "said")
    assert (said.via, said.score) == ("mention", 0.4)
    assert (said.path.entity_ids, said.path.aspect_ids) == (("e1",), ())
    assert "gone" not in ids(result)


def test_mentions_are_not_asked_for_where_the_budget_is_full(graph) -> None:
    def fill(graph: Graph) -> None:
        three(graph)
        graph.memory("a mention", "e1", id="said", importance=1.0)

    full = TraversalSettings(max_traversal_paths=1, timeout_ms=60_000)
    assert ids(walked(graph(fill), "e1", settings=full)) == ["m1"]


def test_mentions_come_by_confidence_then_importance(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        for id, confidence, importance in (("low", 0.2, 1.0), ("high", 0.9, 0.1),
                                           ("best", 0.9, 0.5)):
            graph.memory(id, id=id, importance=importance)
            graph.writer.insert("memory_entity_mentions", memory_id=id, entity_id="e1",
                                confidence=confidence, created_at=graph.at)

    two = TraversalSettings(max_traversal_paths=2, timeout_ms=60_000)
    assert set(ids(walked(graph(fill), "e1", settings=two))) == {"best", "high"}


def test_a_mention_of_a_memory_without_importance_counts_as_a_half(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        graph.memory("said", "e1", id="said", importance=None)

    assert [(m.id, m.score) for m in walked(graph(fill), "e1").memories] == [("said", 0.5)]


def test_thirty_links_are_followed_in_total_where_it_is_not_set() -> None:
    assert TraversalSettings().max_dependency_hops == 30
