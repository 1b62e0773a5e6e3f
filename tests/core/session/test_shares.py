"""What was asked has its own share of the memory budget: pins never crowd it out."""

import pytest

from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from tests.core.graphs import Graph
from tests.core.sessions import begun, opened, usual
from tests.core.traversal.test_focal import focal
from tests.core.walking import USUAL, ids

QUESTION = Signals(query="What is new in Vega?")


def filled(graph: Graph, entity: str, memories: int, importance: float) -> None:
    aspect = graph.aspect(entity, "notes")
    for number in range(memories):
        id = f"{entity}.{number}"
        graph.memory(f"Note {number} of {entity}: {'long words ' * 8}", id=id,
                     importance=importance)
        graph.value(aspect, id, memory_id=id, importance=importance)


def forty_pins(graph: Graph) -> None:
    """Forty pinned entities full of weighty memories, and one that is only asked about."""
    for number in range(40):
        graph.entity(f"Pin number {number}", "tool", id=f"pin{number}", pinned=1,
                     pinned_at=graph.at)
        filled(graph, f"pin{number}", 5, 1.0)
    graph.entity("Vega", id="vega")
    filled(graph, "vega", 6, 0.3)
    graph.entity("Kotlin", "tool", id="kotlin")
    filled(graph, "kotlin", 2, 0.3)
    graph.link("vega", "kotlin", strength=0.6, confidence=0.9)


def of(name: str, told: list[str]) -> list[str]:
    return [id for id in told if id.startswith(f"{name}.")]


def test_the_walk_of_a_question_is_not_crowded_out_by_forty_pins(tmp_path) -> None:
    with opened(tmp_path, forty_pins) as workspace, workspace.read() as reader:
        walked = walk(reader, focal(workspace, query=QUESTION.query), USUAL)
    assert len(of("vega", ids(walked))) == 6
    assert len(of("kotlin", ids(walked))) == 2
    assert (walked.shares.asked, walked.shares.pinned, walked.budget) == (8, 42, 50)


def test_a_session_tells_what_was_asked_beside_forty_pins(tmp_path) -> None:
    with opened(tmp_path, forty_pins) as workspace:
        start = begun(workspace, QUESTION)
        none = begun(workspace, QUESTION, usual(traversal={"asked_share": 0}))
    told = [each.id for each in start.memories]
    assert len(of("vega", told)) == 6
    assert start.shares.asked >= 6 * 100
    assert start.shares.pinned > 0
    assert start.shares.asked + start.shares.pinned + start.shares.others == (
        start.memory_budget.used)
    assert of("vega", [each.id for each in none.memories]) == []


def test_a_question_with_many_answers_leaves_pins_their_part(tmp_path) -> None:
    """A pin is always in the context, in half of what the question's share leaves."""
    def fill(graph: Graph) -> None:
        graph.entity("Rule", "policy", id="rule", pinned=1, pinned_at=graph.at)
        filled(graph, "rule", 9, 0.2)
        graph.entity("Vega", id="vega")
        filled(graph, "vega", 19, 1.0)

    with opened(tmp_path, fill) as workspace:
        start = begun(workspace, QUESTION)
    assert start.shares.asked >= 1000
    assert 380 <= start.shares.pinned <= 500
    assert 2000 - start.memory_budget.used < 120


@pytest.mark.parametrize("given", [Signals(), QUESTION])
def test_what_one_part_leaves_is_for_the_other(tmp_path, given: Signals) -> None:
    """Pins alone fill everything, and so does a question without pins."""
    def fill(graph: Graph) -> None:
        graph.entity("Rule", "policy", id="rule", pinned=int(not given.query),
                     pinned_at=graph.at)
        graph.entity("Vega", id="vega")
        for name in ("rule", "vega"):
            filled(graph, name, 60, 0.9)

    with opened(tmp_path, fill) as workspace, workspace.read() as reader:
        walked = walk(reader, focal(workspace, query=given.query), USUAL.model_copy(
            update={"max_attributes_per_aspect": 60}))
        start = begun(workspace, given)
    assert len(walked.memories) == 50
    assert 2000 - start.memory_budget.used < 120


def test_a_pinned_entity_that_is_asked_about_counts_as_asked(tmp_path) -> None:
    def fill(graph: Graph) -> None:
        forty_pins(graph)
        graph.writer.update("entities", "vega", pinned=1)

    with opened(tmp_path, fill) as workspace, workspace.read() as reader:
        walked = walk(reader, focal(workspace, query=QUESTION.query), USUAL)
    assert len(of("vega", ids(walked))) == 6
