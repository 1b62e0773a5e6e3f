"""Parts belong: what is part of a thing, owned by it or maintains it comes along when asked."""

import pytest

from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from tests.core.graphs import Graph
from tests.core.sessions import begun
from tests.core.traversal.test_focal import focal
from tests.core.walking import USUAL, ids, many_memories, walked

QUESTION = "Which database and version does Harbor Ledger use?"
ANSWER = "Postgres 16.9 runs in production"


def ledger(graph: Graph) -> None:
    """Postgres and an API belong to Harbor Ledger; Robin maintains it; much else does not."""
    graph.entity("Harbor Ledger", id="ledger")
    graph.aspect("ledger", "notes", id="notes")
    many_memories(graph, "notes", "ledger", 30)
    for id, name, kind in (("pg", "Postgres", "tool"), ("api", "invoice API", "system"),
                           ("robin", "Robin", "person"), ("far", "Grafana", "tool")):
        graph.entity(name, kind, id=id)
        graph.aspect(id, "facts", id=f"{id}.facts")
    graph.memory(ANSWER, id="answer", importance=0.4)
    graph.value("pg.facts", ANSWER, memory_id="answer", importance=0.4)
    for id in ("api", "robin", "far"):
        graph.memory(f"Something of {id}", id=f"of {id}")
        graph.value(f"{id}.facts", f"Something of {id}", memory_id=f"of {id}")
    strong = {"strength": 0.8, "confidence": 0.9}
    graph.link("pg", "ledger", "part_of", id="pg part", **strong)
    graph.link("api", "ledger", "owned_by", **strong)
    graph.link("robin", "ledger", "maintains", **strong)
    graph.link("far", "ledger", "informs", **strong)


def test_what_belongs_to_a_project_comes_along(graph) -> None:
    workspace = graph(ledger)
    found = walked(workspace, "ledger")
    assert {"answer", "of api", "of robin"} <= set(ids(found))
    assert "of far" not in ids(found), "other links still lead outward only"
    answer = next(memory for memory in found.memories if memory.id == "answer")
    assert (answer.belongs, answer.asked) == ("part of Harbor Ledger", True)
    assert answer.path.entity_ids == ("ledger", "pg")
    assert answer.path.dependency_ids == ("pg part",)
    own = [id for id in ids(found) if id.startswith("ledger")]
    assert len(own) == 20, "as many as of any aspect"


def test_an_explanation_says_to_what_a_part_belongs(graph) -> None:
    found = walked(graph(ledger), "ledger", explain=True)
    answer = next(memory for memory in found.memories if memory.id == "answer")
    assert {"part of Harbor Ledger"} <= {ground.label for ground in answer.grounds}
    assert found.labels["pg part"] == "contains", "read from the ledger"
    told = next(hit for hit in _recalled(graph(ledger)) if hit.memory.id == "answer")
    assert "part of Harbor Ledger" in told.why


def _recalled(workspace):
    with workspace.read() as reader:
        return recall(reader, QUESTION, RecallSettings(limit=40)).hits


def test_parts_are_in_the_questions_share_of_a_session(graph) -> None:
    def fill(graph: Graph) -> None:
        ledger(graph)
        for number in range(20):
            graph.entity(f"Pin {number}", "tool", id=f"p{number}", pinned=1, pinned_at=graph.at)
            graph.aspect(f"p{number}", "notes", id=f"p{number}.n")
            many_memories(graph, f"p{number}.n", f"pin{number}.", 5)

    workspace = graph(fill)
    start = begun(workspace, Signals(query=QUESTION))
    assert next(each for each in start.candidates if each.id == "answer").asked
    with workspace.read() as reader:
        found = walk(reader, focal(workspace, query=QUESTION), USUAL)
    assert {"answer", "of api", "of robin"} <= set(ids(found))


@pytest.mark.parametrize(("change", "why"), [
    ({"muted": 1}, "muted"), ({"status": "archived"}, "archived")])
def test_a_part_that_may_not_be_told_does_not_come(graph, change: dict, why: str) -> None:
    def fill(graph: Graph) -> None:
        ledger(graph)
        graph.writer.update("entities", "pg", **change)

    assert "answer" not in ids(walked(graph(fill), "ledger")), why


def test_pins_bring_no_parts_and_the_seeds_walk_is_one_setting_away(graph) -> None:
    def fill(graph: Graph) -> None:
        ledger(graph)
        graph.writer.update("entities", "ledger", pinned=1, pinned_at=graph.at)

    workspace = graph(fill)
    with workspace.read() as reader:
        found = walk(reader, focal(workspace), USUAL)
    assert "answer" not in ids(found)
    none = walked(workspace, "ledger", settings=USUAL.model_copy(update={"max_parts": 0}))
    assert "answer" not in ids(none)


def test_of_many_parts_the_surest_come(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Hub", id="hub")
        for number in range(30):
            id = f"p{number:02}"
            graph.entity(f"Piece {number}", "tool", id=id)
            graph.aspect(id, "facts", id=f"{id}.f")
            many_memories(graph, f"{id}.f", f"{id}.", 1)
            graph.link(id, "hub", "part_of", strength=0.5 + number / 100, confidence=0.9)

    assert {id[:3] for id in ids(walked(graph(fill), "hub"))} == {f"p{n}" for n in range(22, 30)}
