"""Two values for one place: one holds, both become one, or both are kept as what was said."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import OperationError
from core.ontology import control
from core.queries.assertions import AssertionFilters, list_assertions
from core.review import competing_values
from core.review.competing_values import TwoValues
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.contracts.files import Dump, dump
from tests.core.graphs import Graph, build

SLOT = {"entity": "Night Ferry", "aspect": "times", "claim_key": "start"}


def fill(graph: Graph) -> None:
    ferry = graph.entity("Night Ferry", id="ferry")
    log = graph.memory("Ines: it leaves at nine", ferry, id="log", who="ines")
    times = graph.aspect(ferry, "times", id="times")
    graph.value(times, "leaves at nine", "start", id="nine", memory_id=log)
    graph.value(times, "leaves at ten from the north pier", "start", id="ten",
                created_at="2026-09-02T10:00:00.000Z")


@pytest.fixture
def graph(tmp_path: Path) -> Workspace:
    return build(tmp_path / "g.db", fill)


def shown(graph: Workspace, proposal: str = "") -> TwoValues:
    with graph.read() as reader:
        pair = (competing_values.of_proposal(reader, proposal) if proposal
                else competing_values.of_values(reader, "nine", "ten"))
    assert pair is not None
    return pair


def in_force(graph: Workspace) -> set[str]:
    with graph.read() as reader:
        return {row["content"] for row in reader.rows(
            "SELECT content FROM entity_attributes WHERE status = 'active'"
            " AND agent_id = :agent")}


def said(graph: Workspace) -> set[tuple[str, str | None, str]]:
    """Every assertion: what, who, and the text of the value that it is linked to."""
    with graph.read() as reader:
        every, _ = list_assertions(reader, AssertionFilters())
        return {(one.content, one.speaker, reader.value(
            "SELECT content FROM entity_attributes WHERE id = :id AND agent_id = :agent",
            id=one.claim_attribute_id)) for one in every}


def proposed(graph: Workspace, value: str) -> str:
    graph.write("One left", lambda writer: control.apply(
        writer, "archive_claim_value", {"attribute_id": "ten"}))
    return graph.write("Propose", lambda writer: control.propose(
        writer, "set_claim_value", {**SLOT, "value": value},
        evidence=[{"quote": "moved to eleven"}]), actor="claude via MCP").result


def everything(graph: Workspace) -> Dump:
    """Every row, without the record of what was decided, which undo leaves."""
    return {table: rows for table, rows in dump(graph).items() if table != "ontology_proposals"}


def done(graph: Workspace, act: Callable[[Writer], object]) -> None:
    """Carry it out as one step, which undo takes back whole."""
    before, whole = everything(graph), dump(graph)
    entry = graph.write("Decide", act).entry
    assert dump(graph) != whole
    graph.undo(entry)
    assert everything(graph) == before
    graph.redo()


@pytest.mark.parametrize(("second", "left"), [
    (False, "leaves at nine"), (True, "leaves at ten from the north pier")])
def test_one_of_two_in_force_holds(graph: Workspace, second: bool, left: str) -> None:
    pair = shown(graph)
    assert (pair.where, pair.first.who, pair.proposed) == ("times · start", "ines", False)
    done(graph, lambda writer: competing_values.hold(writer, pair, second=second))
    assert in_force(graph) == {left}


def test_both_become_one_value_that_rests_on_what_both_rested_on(graph: Workspace) -> None:
    pair = shown(graph)
    assert pair.combined == "leaves at nine; leaves at ten from the north pier"
    done(graph, lambda writer: competing_values.combine(writer, pair, " nine in summer, else ten "))
    assert in_force(graph) == {"nine in summer, else ten"}
    with graph.read() as reader:
        [row] = reader.rows("SELECT proposal_evidence FROM entity_attributes"
                            " WHERE status = 'active' AND agent_id = :agent")
    assert "log" in row["proposal_evidence"]
    with pytest.raises(OperationError, match="has changed since"):
        graph.write("Late", lambda writer: competing_values.hold(writer, pair, second=True))


def test_both_are_kept_as_what_was_said_and_the_newer_one_holds(graph: Workspace) -> None:
    done(graph, lambda writer: competing_values.keep_as_said(writer, shown(graph)))
    left = "leaves at ten from the north pier"
    assert in_force(graph) == {left}
    assert {(what, who) for what, who, _ in said(graph)} >= {("leaves at nine", "ines")}
    assert {(what, of) for what, _, of in said(graph)} == {
        ("leaves at nine", left), (left, left)}


def test_what_is_proposed_is_combined_with_the_value_in_force(graph: Workspace) -> None:
    pair = shown(graph, proposed(graph, "leaves at eleven"))
    assert (pair.first.text, pair.second.text) == ("leaves at nine", "leaves at eleven")
    assert pair.second.who == "claude via MCP"
    done(graph, lambda writer: competing_values.combine(writer, pair, "nine or eleven"))
    assert in_force(graph) == {"nine or eleven"}


def test_what_is_proposed_is_kept_as_said_and_the_value_stays(graph: Workspace) -> None:
    pair = shown(graph, proposed(graph, "leaves at eleven"))
    done(graph, lambda writer: competing_values.keep_as_said(writer, pair))
    assert in_force(graph) == {"leaves at nine"}
    assert said(graph) == {("leaves at nine", "ines", "leaves at nine"),
                           ("leaves at eleven", "claude via MCP", "leaves at nine")}
    with graph.read() as reader:
        assert competing_values.of_proposal(reader, pair.proposal_id) is None


@pytest.mark.parametrize("second", [False, True])
def test_what_is_proposed_or_the_value_in_force_holds(graph: Workspace, second: bool) -> None:
    pair = shown(graph, proposed(graph, "leaves at eleven"))
    done(graph, lambda writer: competing_values.hold(writer, pair, second=second))
    assert in_force(graph) == {"leaves at eleven" if second else "leaves at nine"}


def test_a_proposal_that_says_the_same_or_has_a_free_place_is_no_conflict(
    graph: Workspace
) -> None:
    same = proposed(graph, "Leaves at nine")
    free = graph.write("Propose", lambda writer: control.propose(
        writer, "set_claim_value", {**SLOT, "claim_key": "end", "value": "at six"})).result
    with graph.read() as reader:
        assert competing_values.of_proposal(reader, same) is None
        assert competing_values.of_proposal(reader, free) is None


def test_a_text_that_says_both_already_is_the_one_to_begin_with(graph: Workspace) -> None:
    pair = shown(graph, proposed(graph, "It leaves at nine on Sundays"))
    assert pair.combined == "It leaves at nine on Sundays"
