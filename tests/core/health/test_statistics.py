"""Figures of the graph, its communities and how an entity fares (signet.md §k, n.8.13)."""

from collections.abc import Callable
from pathlib import Path

from core.constellation.community_list import list_communities
from core.embedding.word_vectors import WordEmbedder
from core.health.entity_session_ratings import entity_record
from core.workspace import Workspace
from explorer.entity_health_json import entity_health_json, every_health_json
from explorer.statistics_and_communities_json import stats_json
from tests.core.graphs import Graph

Make = Callable[..., Workspace]


def figures(workspace: Workspace) -> dict:
    with workspace.read() as reader:
        return stats_json(reader)


def test_memories_are_counted_through_mentions_and_only_those_that_are_there(graph: Make) -> None:
    def fill(g: Graph) -> None:
        harbor, gone = g.entity("Harbor Ledger"), g.entity("Old", status="archived")
        memory = g.memory("Mara keeps the ledger", harbor)
        g.value(g.aspect(harbor, "crew", 1.0), "Mara keeps it", "keeper", memory_id=memory)
        g.memory("It was deleted", harbor, is_deleted=1)
        g.memory("It is of what is archived", gone)
        g.memory("It mentions nothing")

    stats = figures(graph(fill))
    assert stats == {
        "entityCount": 1, "aspectCount": 1, "attributeCount": 1, "constraintCount": 0,
        "dependencyCount": 0, "unassignedMemoryCount": 0, "coveragePercent": 100.0,
        "averageAspectWeight": 1.0, "maxWeightAspectCount": 1, "minWeightAspectCount": 0,
        "feedbackUpdatedAspectCount": 1}


def test_a_memory_that_became_no_value_is_unassigned(graph: Make) -> None:
    def fill(g: Graph) -> None:
        harbor = g.entity("Harbor Ledger")
        aspect = g.aspect(harbor, "crew", 0.05, updated_at="2020-01-01T00:00:00Z")
        for number in range(3):
            memory = g.memory(f"Memory {number}", harbor)
            if number:
                g.value(aspect, f"Value {number}", f"claim {number}", memory_id=memory,
                        status="active" if number == 1 else "superseded")

    stats = figures(graph(fill))
    assert (stats["unassignedMemoryCount"], stats["coveragePercent"]) == (2, 33.3)
    assert (stats["averageAspectWeight"], stats["minWeightAspectCount"]) == (0.05, 1)
    assert stats["feedbackUpdatedAspectCount"] == 0


def test_an_empty_graph_has_no_average(graph: Make) -> None:
    stats = figures(graph(lambda g: None))
    assert (stats["averageAspectWeight"], stats["coveragePercent"]) == (None, 0.0)


def two_circles(g: Graph) -> None:
    for circle in ("Harbor", "Garden"):
        members = [g.entity(f"{circle} {number}", mentions=9 - number) for number in range(5)]
        for number, one in enumerate(members):
            for other in members[number + 1:]:
                g.link(one, other, strength=0.9, confidence=0.9)


def test_communities_are_named_summed_up_and_the_same_each_time(
    graph: Make, tmp_path: Path
) -> None:
    workspace = graph(two_circles)
    with workspace.read() as reader:
        first, again = (list_communities(reader, workspace.sidecar, WordEmbedder())
                        for _ in range(2))
    assert first == again
    assert {one.name for one in first} == {"Harbor 0", "Garden 0"}
    assert [one.member_count for one in first] == [5, 5]
    assert all(one.cohesion == 1.0 for one in first)
    harbor = next(one for one in first if one.name == "Harbor 0")
    assert harbor.summary == ("5 entities, mostly project: Harbor 0, Harbor 1, Harbor 2, Harbor 3"
                              " and 1 more")


def test_communities_of_the_file_keep_their_names(graph: Make) -> None:
    def fill(g: Graph) -> None:
        g.writer.insert("entity_communities", id="c-1", agent_id="default", name="Sea",
                        created_at=g.at, updated_at=g.at)
        g.entity("Harbor", community_id="c-1")

    workspace = graph(fill)
    with workspace.read() as reader:
        [community] = list_communities(reader, workspace.sidecar, WordEmbedder())
    assert (community.id, community.name, community.member_count) == ("c-1", "Sea", 1)


def sessions(g: Graph) -> None:
    harbor = g.entity("Harbor Ledger")
    for number, won in enumerate((0, 0, 1, 1)):
        g.writer.insert(
            "predictor_comparisons", id=f"c{number}", session_key=f"s{number}",
            agent_id="default", predictor_ndcg=0.5, baseline_ndcg=0.5, predictor_won=won,
            margin=0.1 * number, alpha=0.5, focal_entity_id=harbor, candidate_count=3,
            focal_entity_name="Harbor Ledger", created_at=f"2026-03-0{number + 1}T10:00:00Z")
        g.writer.insert(
            "path_feedback_events", id=f"f{number}", agent_id="default",
            session_key=f"s{number}", memory_id="m", path_hash="h", rating=1 - number / 2,
            path_json=f'{{"entity_ids":["{harbor}"],"aspect_ids":[],"dependency_ids":[]}}',
            created_at=f"2026-03-0{number + 1}T10:00:00Z")


def test_an_entity_tells_its_wins_their_history_and_trend(graph: Make) -> None:
    workspace = graph(sessions)
    with workspace.read() as reader:
        health = entity_health_json(reader, "harbor ledger")
        assert every_health_json(reader, "", 3)[0]["winRate"] == 0.5
        assert every_health_json(reader, "", 5) == []
    assert (health["winRate"], health["trend"], health["comparisonCount"]) == (
        0.5, "improving", 4)
    assert [one["won"] for one in health["history"]] == [False, False, True, True]
    assert health["feedback"]["trend"] == "declining"
    assert health["feedback"]["average"] == 0.25


def test_an_entity_without_sessions_has_no_rate(graph: Make) -> None:
    workspace = graph(lambda g: g.entity("Harbor Ledger"))
    with workspace.read() as reader:
        health = entity_health_json(reader, "Harbor Ledger")
        assert entity_record(reader, "nobody", "Nobody").history == ()
    assert (health["winRate"], health["history"], health["trend"]) == (None, [], "stable")
