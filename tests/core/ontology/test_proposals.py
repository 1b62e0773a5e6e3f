"""Proposals: taken, applied, failed, rejected; batches (seed 001, the proposal life cycle)."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import OperationError
from core.ontology import control, proposals
from core.ontology.change_provenance import Source
from core.ontology.operation_catalog import CATALOG
from core.ontology.request_descriptions import describe
from core.store.database import Row
from core.workspace import Workspace
from tests.core.graphs import empty_graph  # noqa: F401 - the fixture `graph`

CLAIM = {"entity": "dreaming loop", "aspect": "schedule", "claim_key": "interval",
         "value": "hourly"}
EVIDENCE = ({"source_kind": "memory", "quote": "it runs every hour"},)


def propose(graph: Workspace, operation: str = "set_claim_value", **payload: object) -> str:
    return graph.write("Propose", lambda w: control.propose(
        w, operation, payload or CLAIM, evidence=EVIDENCE, confidence=0.92, reason="said so",
        source=Source("session", "s-1")), actor="agent").result


def proposal(graph: Workspace, proposal_id: str) -> Row:
    with graph.read() as reader:
        row = reader.row("SELECT * FROM ontology_proposals WHERE id = :id AND agent_id = :agent",
                         id=proposal_id)
    assert row is not None
    return row


def count(graph: Workspace, table: str) -> int:
    with graph.read() as reader:
        return int(reader.value(f"SELECT COUNT(*) FROM {table} WHERE agent_id = :agent"))


def test_proposing_changes_nothing_and_applying_carries_the_provenance(graph: Workspace) -> None:
    waiting = propose(graph)
    assert count(graph, "entities") == 0
    assert proposal(graph, waiting)["created_by"] == "agent"
    outcome = graph.write(
        "Apply", lambda w: proposals.apply_proposal(w, waiting), actor="nora").result
    row = proposal(graph, waiting)
    assert (row["status"], row["applied_by"]) == ("applied", "nora")
    assert json.loads(row["result"]) == outcome.result
    with graph.read() as reader:
        value = reader.row("SELECT * FROM entity_attributes WHERE agent_id = :agent")
    assert value is not None
    assert (value["proposal_id"], value["confidence"]) == (waiting, 0.92)
    assert (value["source_kind"], value["source_id"]) == ("session", "s-1")
    assert json.loads(value["proposal_evidence"]) == list(EVIDENCE)


def test_undoing_an_applied_proposal_makes_it_pending_again(graph: Workspace) -> None:
    waiting = propose(graph)
    graph.write("Apply", lambda w: proposals.apply_proposal(w, waiting))
    graph.undo()
    assert proposal(graph, waiting)["status"] == "pending"
    assert count(graph, "entities") == 0
    graph.redo()
    assert proposal(graph, waiting)["status"] == "applied"


def test_rejecting_leaves_the_graph_and_keeps_the_reason(graph: Workspace) -> None:
    waiting = propose(graph)
    graph.write("Reject", lambda w: proposals.reject_proposal(w, waiting, " wrong  one "),
                actor="nora")
    row = proposal(graph, waiting)
    assert (row["status"], row["rejected_by"]) == ("rejected", "nora")
    assert json.loads(row["result"]) == {"reason": "wrong one"}
    assert count(graph, "entities") == 0


def test_what_was_rejected_is_not_taken_again_without_new_evidence(graph: Workspace) -> None:
    waiting = propose(graph)
    graph.write("Reject", lambda w: proposals.reject_proposal(w, waiting))
    with pytest.raises(OperationError) as error:
        propose(graph)
    assert error.value.status == 409
    propose(graph, **{**CLAIM, "value": "daily"})
    graph.write("Propose", lambda w: control.propose(
        w, "set_claim_value", CLAIM, evidence=["something new"]))


def test_a_verdict_is_final_and_a_missing_proposal_is_said(graph: Workspace) -> None:
    waiting = propose(graph)
    graph.write("Apply", lambda w: proposals.apply_proposal(w, waiting))
    for decide in (proposals.apply_proposal, proposals.reject_proposal):
        with pytest.raises(OperationError, match="applied, not pending") as error:
            graph.write("Again", lambda w, decide=decide: decide(w, waiting))
        assert error.value.status == 409
    with pytest.raises(OperationError) as missing:
        graph.write("Apply", lambda w: proposals.apply_proposal(w, "phantom"))
    assert missing.value.status == 404


@pytest.mark.parametrize(("operation", "payload", "words"), [
    ("teleport_entity", {"entity": "x"}, "Unsupported"),
    ("create_link", {"source": "a", "target": "b", "link_type": "befriends"}, "dependency type"),
    ("create_link", {"source": "a", "target": "b", "link_type": "related_to"}, "reason"),
    ("set_claim_value", {"entity": "x"}, "aspect is required"),
])
def test_an_input_that_can_never_work_fails_the_proposal(
    graph: Workspace, operation: str, payload: dict[str, object], words: str
) -> None:
    waiting = graph.write("Propose", lambda w: control.propose(w, operation, payload)).result
    outcome = graph.write("Apply", lambda w: proposals.apply_proposal(w, waiting)).result
    with pytest.raises(OperationError, match=words):
        outcome.or_raise()
    row = proposal(graph, waiting)
    assert row["status"] == "failed"
    assert words in json.loads(row["result"])["error"]
    assert count(graph, "entities") == 0


def test_what_may_work_later_stays_pending(graph: Workspace) -> None:
    missing = propose(graph, "rename_entity", entity="nobody", new_name="x")
    with pytest.raises(OperationError) as error:
        graph.write("Apply", lambda w: proposals.apply_proposal(w, missing))
    assert error.value.status == 404
    assert proposal(graph, missing)["status"] == "pending"


def test_a_person_may_edit_before_applying_and_may_force(graph: Workspace) -> None:
    waiting = propose(graph)
    edited = {**CLAIM, "value": "daily"}
    graph.write("Apply", lambda w: proposals.apply_proposal(w, waiting, payload=edited))
    assert json.loads(proposal(graph, waiting)["payload"]) == edited
    graph.write("Pin", lambda w: control.apply(w, "pin_entity", {"entity": "dreaming loop"}))
    goes = propose(graph, "archive_entity", entity="dreaming loop")
    with pytest.raises(OperationError, match="pinned"):
        graph.write("Apply", lambda w: proposals.apply_proposal(w, goes))
    graph.write("Apply", lambda w: proposals.apply_proposal(w, goes, force=True))
    graph.undo()
    assert proposal(graph, goes)["status"] == "pending"
    assert "force" not in json.loads(proposal(graph, goes)["payload"])


def test_several_are_decided_each_on_its_own_with_one_undo(graph: Workspace) -> None:
    ids = (
        propose(graph), propose(graph, "rename_entity", entity="nobody", new_name="x"),
        propose(graph, "teleport", a=1), "phantom", propose(graph, "create_entity", name="Anna"),
    )
    report = graph.write("Apply 5", lambda w: proposals.apply_proposals(w, ids)).result
    assert [one.status for one in report] == ["applied", "pending", "failed", "missing", "applied"]
    assert [one.error.status if one.error else None for one in report] == [
        None, 404, 400, 404, None]
    assert count(graph, "entities") == 2
    graph.undo()
    assert {proposal(graph, one)["status"] for one in ids if one != "phantom"} == {"pending"}
    refused = graph.write("Reject 2", lambda w: proposals.reject_proposals(
        w, (ids[0], "phantom"), "no")).result
    assert [one.status for one in refused] == ["rejected", "missing"]


def test_a_direct_operation_that_is_refused_leaves_no_record(graph: Workspace) -> None:
    with pytest.raises(OperationError):
        graph.write("Rename", lambda w: control.apply(
            w, "rename_entity", {"entity": "nobody", "new_name": "x"}))
    assert count(graph, "ontology_proposals") == 0


@pytest.mark.parametrize(("operation", "payload"), [("  ", {"name": "x"}), ("create_entity", {})])
def test_a_blank_operation_or_payload_is_refused_before_storage(
    graph: Workspace, operation: str, payload: dict[str, object]
) -> None:
    for ask in (control.apply, control.propose):
        with pytest.raises(OperationError, match="is required") as error:
            graph.write("Ask", lambda w, ask=ask: ask(w, operation, payload))
        assert error.value.status == 400
    assert count(graph, "ontology_proposals") == 0


LINES = [
    {"operation": "create_entity", "payload": {"name": "Anna"}, "reason": "met her"},
    {"operation": "pin_entity", "payload": {"entity": "Anna"}},
    {"operation": "pin_entity", "payload": {"entity": "nobody"}},
    {"operation": "set_claim_value", "payload": {"entity": "Anna"}},
    "no object",
]


def test_a_batch_is_applied_whole_or_not_at_all(graph: Workspace) -> None:
    with pytest.raises(OperationError, match="line 3") as error:
        graph.write("Batch", lambda w: control.batch(w, LINES))
    assert error.value.status == 404
    assert count(graph, "entities") == count(graph, "ontology_proposals") == 0
    report = graph.write("Batch", lambda w: control.batch(w, LINES[:2])).result
    assert [one.status for one in report.items] == ["applied", "applied"]
    assert count(graph, "ontology_proposals") == 2


def test_a_dry_batch_goes_on_and_lists_every_error(graph: Workspace) -> None:
    report = graph.rehearse(lambda w: control.batch(w, LINES, "dry_run")).result
    assert [one.operation for one in report.items] == ["create_entity", "pin_entity"]
    assert [(e.index, e.line, e.operation, e.status) for e in report.errors] == [
        (2, 3, "pin_entity", 404), (3, 4, "set_claim_value", 400), (4, 5, "", 400)]
    assert count(graph, "entities") == 0


def test_a_batch_is_proposed_in_one_transaction(graph: Workspace) -> None:
    with pytest.raises(OperationError, match="line 5"):
        graph.write("Batch", lambda w: control.batch(w, LINES, "propose"))
    assert count(graph, "ontology_proposals") == 0
    report = graph.write("Batch", lambda w: control.batch(
        w, LINES[:4], "propose", {"source_kind": "session"})).result
    assert {proposal(graph, one.proposal_id)["source_kind"] for one in report.items} == {"session"}
    assert count(graph, "entities") == 0


def test_a_batch_has_1_to_500_operations(graph: Workspace) -> None:
    for lines in ([], [LINES[0]] * 501):
        with pytest.raises(OperationError) as error:
            graph.write("Batch", lambda w, lines=lines: control.batch(w, lines))
        assert error.value.status == 400


def test_a_proposal_of_another_agent_cannot_be_decided(graph: Workspace) -> None:
    waiting = propose(graph)
    graph.with_agent("other")
    with pytest.raises(OperationError) as error:
        graph.write("Apply", lambda w: proposals.apply_proposal(w, waiting))
    assert error.value.status == 404


@pytest.mark.parametrize("stored", ["", "[]", "not json", "null", '"text"', '{"name": 5}'])
def test_a_broken_payload_fails_and_does_not_break(graph: Workspace, stored: str) -> None:
    waiting = propose(graph, "create_entity", name="Anna")
    graph.write("Break", lambda w: w.update("ontology_proposals", waiting, payload=stored))
    outcome = graph.write("Apply", lambda w: proposals.apply_proposal(w, waiting)).result
    assert outcome.status == "failed"


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6)
FIELDS = st.sampled_from((
    "entity", "name", "new_name", "aspect", "claim_key", "value", "attribute_id", "id", "kind",
    "source_entity", "target_entity", "source_entities", "sources", "link_type", "force",
    "confidence", "old_value"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(name=st.sampled_from((*sorted(CATALOG), "teleport")),
       payload=st.dictionaries(FIELDS, JUNK, max_size=8))
def test_no_payload_raises_anything_but_a_refusal(
    graph: Workspace, name: str, payload: dict[str, object]
) -> None:
    with graph.read() as reader:
        assert describe(reader, name, payload).sentence
    for ask in (control.apply, control.propose):
        try:
            graph.rehearse(lambda w, ask=ask: ask(w, name, payload))
        except OperationError as refusal:
            assert refusal.status in (400, 404, 409)  # noqa: PT017  (most payloads are refused)


def test_the_same_proposal_waits_once(graph: Workspace) -> None:
    waiting = propose(graph)
    steps = graph.history()
    assert propose(graph) == waiting
    assert graph.history() == steps
    assert propose(graph, **{**CLAIM, "value": "daily"}) != waiting
    graph.write("Apply", lambda w: proposals.apply_proposal(w, waiting))
    assert propose(graph) != waiting, "what was decided on may be proposed again"
