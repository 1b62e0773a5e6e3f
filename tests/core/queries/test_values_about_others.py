"""Notes of what no longer holds: those of what a memory is about, none of other entities."""

from core.queries.outdated_memories import outdated_claims
from core.workspace import Workspace
from tests.core.graphs import Graph

SAID = "730 tests in the ledger after the deploy. Mia wrote the last ones, Uncle Sam none."


def notes(graph: Workspace, *memories: str) -> list[str]:
    with graph.read() as reader:
        return [claim.was for id in memories for claim in outdated_claims(
            reader, memories).get(id, ())]


def former(graph: Graph, memory: str, name: str, value: str, **entity: object) -> str:
    """The id of an entity of which a former value rests on a memory."""
    id = graph.entity(name, **entity)
    graph.value(graph.aspect(id, "general"), value, memory_id=memory, status="superseded")
    return id


def test_a_former_value_of_an_entity_that_the_memory_is_not_about_is_no_note_of_it(graph) -> None:
    def fill(graph: Graph) -> None:
        memory = graph.memory(SAID, id="m")
        former(graph, memory, "Harbor Ledger", "730 tests")
        former(graph, memory, "pytest", "No tool for watering")
        former(graph, memory, "Mia Voss", "Writes code at night", entity_type="person")
        former(graph, memory, "deploy policy", "None on Fridays")
        graph.alias(former(graph, memory, "Samuel", "Rests"), "Uncle Sam")

    assert sorted(notes(graph(fill), "m")) == [
        "730 tests", "None on Fridays", "Rests", "Writes code at night"]


def test_a_memory_of_one_entity_alone_has_all_its_notes_whatever_it_calls_it(graph) -> None:
    def fill(graph: Graph) -> None:
        former(graph, graph.memory("She moved on", id="m"), "Robin Hale", "Lives in Leipzig")

    assert notes(graph(fill), "m") == ["Lives in Leipzig"]
