"""An agent proposes and a person decides: over the catalogue, and by every other way in."""

from collections.abc import Callable

import pytest

from core.errors import OperationError
from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.ontology import control, proposals
from core.ontology.forget_and_link_memories import forget
from core.ontology.operation_catalog import CATALOG
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.contracts.samples import SAMPLES
from tests.contracts.test_catalog_contracts import EVERY_POSSIBLE, PROPOSABLE, prepare

AGENT = "codex"
RULE = "Never deploy on Friday"
SLOT = {"entity": "Harbor Ledger", "aspect": "Rules", "group_key": "general",
        "claim_key": "friday"}
ON_A_RULE: dict[str, dict[str, object]] = {
    "add_claim_value": {**SLOT, "value": "Fridays are fine"},
    "set_claim_value": {**SLOT, "kind": "constraint", "value": "Fridays are fine"},
    "supersede_claim_value": {**SLOT, "kind": "constraint", "attribute_id": "v-rule"},
    "archive_claim_value": {"attribute_id": "v-rule"},
    "archive_aspect": {"entity": "Harbor Ledger", "aspect": "Rules"},
    "merge_aspects": {"entity": "Harbor Ledger", "target": "Schedule", "sources": ["Rules"]},
    "archive_entity": {"entity": "Harbor Ledger"},
    "merge_entities": {"target_entity": "Tide API", "source_entities": ["Harbor Ledger"]},
    "promote_assertion": {**SLOT, "id": "s-eight", "kind": "constraint"},
    "create_policy": {"entity": "Harbor Ledger", "policy_kind": "backups",
                      "content": "Back up each night"},
    "move_claim": {"attribute_id": "v-rule", "aspect": "Schedule"},
    "mute_entity": {"entity": "Harbor Ledger"},
}
"""Payloads that would add to, change, replace or hide the rules of the world, forced or not."""

BRINGS_BACK = {name for name in CATALOG if name.startswith("restore_")} - {"restore_claim_version"}
"""What brings back what a person archived; the value of the other's sample was replaced only."""


def rules(graph: Workspace) -> list[tuple[object, ...]]:
    """What is told as a rule, and of whom."""
    with graph.read() as reader:
        return [tuple(row) for row in reader.rows(
            "SELECT v.content, v.kind, s.name, e.id FROM entity_attributes v"
            " JOIN entity_aspects s ON s.id = v.aspect_id JOIN entities e ON e.id = s.entity_id"
            " WHERE v.agent_id = :agent AND v.status = 'active' AND s.status = 'active'"
            " AND e.status = 'active' AND NOT e.muted AND (v.kind = 'constraint'"
            "  OR (s.name = 'Rules' AND v.claim_key = 'friday')) ORDER BY v.id")]


def refused(graph: Workspace, change: Callable[[Writer], object]) -> str:
    with pytest.raises(OperationError) as error:
        graph.write("Try", change, actor=AGENT)
    assert error.value.status == 403
    return str(error.value)


def test_each_operation_that_takes_away_is_tried_on_the_rule() -> None:
    on_no_value = {"archive_link", "archive_alias", "archive_assertion", "detach_source",
                   "forget_memory"}
    assert {name for name, each in CATALOG.items() if each.destructive} - on_no_value <= set(
        ON_A_RULE)


@EVERY_POSSIBLE
def test_no_operation_of_an_agent_changes_a_rule_in_force(
    graph: Workspace, kind: str, name: str
) -> None:
    payload = ON_A_RULE.get(name) or prepare(graph, name)
    before = rules(graph)
    if kind == "signet-030" and (name in ON_A_RULE or CATALOG[name].of_a_person):
        assert AGENT in refused(graph, lambda w: control.apply(w, name, payload, force=True))
        assert rules(graph) == before
        return
    outcome = graph.write(
        "Do", lambda w: control.apply(w, name, payload, force=True), actor=AGENT).result
    asked = name in ON_A_RULE or CATALOG[name].of_a_person or name in BRINGS_BACK
    assert outcome.status == ("pending" if asked else "applied")
    assert rules(graph) == before


@PROPOSABLE
def test_a_person_applies_what_an_agent_may_not(graph: Workspace, kind: str, name: str) -> None:
    payload = ON_A_RULE.get(name) or prepare(graph, name)
    before = rules(graph)
    waiting = graph.write(
        "Propose", lambda w: control.propose(w, name, payload, force=True), actor=AGENT).result
    for decide in (proposals.apply_proposal, proposals.reject_proposal):
        assert refused(graph, lambda w, decide=decide: decide(w, waiting)) == (
            "codex may propose, not decide. A person applies or rejects proposals")
    many = graph.write(
        "Apply", lambda w: proposals.apply_proposals(w, [waiting]), actor=AGENT).result
    assert [(each.status, each.error and each.error.status) for each in many] == [("pending", 403)]
    assert rules(graph) == before
    assert graph.write("Apply", lambda w: proposals.apply_proposal(
        w, waiting)).result.status == "applied"
    assert (rules(graph) != before) == (name in ON_A_RULE)


def test_a_version_of_a_rule_is_restored_by_a_person(graph: Workspace, kind: str) -> None:
    if kind == "signet-030":
        pytest.skip("this generation keeps no claims")
    payload = {"attribute_id": "v-rule"}
    graph.write("Set", lambda w: control.apply(w, "set_claim_value", {
        **SLOT, "kind": "constraint", "value": "Fridays are fine"}))
    outcome = graph.write("Restore", lambda w: control.apply(
        w, "restore_claim_version", payload), actor=AGENT).result
    assert outcome.status == "pending"
    assert [words for words, *_ in rules(graph)] == ["Fridays are fine"]


def test_a_batch_of_an_agent_proposes_what_a_person_decides(graph: Workspace, kind: str) -> None:
    if kind == "signet-030":
        pytest.skip("this generation keeps no proposals")
    lines = [{"operation": name, "payload": payload} for name, payload in (
        ("archive_claim_value", {"attribute_id": "v-rule", "force": True}),
        ("create_entity", SAMPLES["create_entity"].payload))]
    report = graph.write("Batch", lambda w: control.batch(w, lines), actor=AGENT).result
    assert [each.status for each in report.items] == ["pending", "applied"]
    assert RULE in {words for words, *_ in rules(graph)}


def test_what_an_agent_remembers_stands_beside_the_rule(graph: Workspace) -> None:
    read = Remembered.read({"content": "Notes", "aspects": [{
        "entityName": "Harbor Ledger", "aspect": "Rules", "attributes": [
            {"content": "Deploys on Friday are allowed", "groupKey": "general",
             "claimKey": "friday", "kind": "constraint"}]}]})
    graph.write("Remember", lambda w: remember(w, read), actor=AGENT)
    assert RULE in {words for words, *_ in rules(graph)}


def test_an_agent_forgets_no_memory_that_a_rule_rests_on(graph: Workspace, kind: str) -> None:
    read = Remembered.read({"content": "Harbor Ledger is audited each May", "aspects": [{
        "entityName": "Harbor Ledger", "aspect": "Rules", "attributes": [
            {"content": "Harbor Ledger is audited each May", "kind": "constraint"}]}]})
    memory = graph.write("Remember", lambda w: remember(w, read)).result.memory_id
    before = rules(graph)
    assert "is a constraint in force, and codex may only propose to change it" in refused(
        graph, lambda w: forget(w, memory, force=True))
    assert rules(graph) == before
    if kind != "signet-030":  # That generation keeps no proposals.
        asked = graph.write("Ask", lambda w: control.apply(
            w, "forget_memory", {"memory_id": memory}), actor=AGENT).result
        assert asked.status == "pending"
        assert rules(graph) == before
    graph.write("Forget", lambda w: forget(w, memory, force=True))
    assert rules(graph) != before


def test_an_agent_does_not_undo_a_rule_either(graph: Workspace, kind: str) -> None:
    if kind == "signet-030":
        pytest.skip("this generation keeps no claims")
    graph.write("Set", lambda w: control.apply(w, "set_claim_value", {
        **SLOT, "kind": "constraint", "value": "Fridays are fine"}))
    with pytest.raises(OperationError, match="codex may only propose"):
        graph.undo(actor=AGENT)
    assert [words for words, *_ in rules(graph)] == ["Fridays are fine"]
    graph.undo()
    assert [words for words, *_ in rules(graph)] == [RULE]
