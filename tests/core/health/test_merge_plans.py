"""Merges of what has one name: planned, proposed once, blocked where they should be."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import OperationError
from core.health.merge_plans import duplicate_plans, plan_of, propose_plan, propose_repairs
from core.ontology import control
from core.ontology.proposal_expiry import expire
from core.ontology.proposals import apply_proposal, reject_proposals
from core.review.proposal_queue import get_proposal, list_proposals
from core.workspace import Workspace
from tests.contracts.files import ISO, make

DOUBLES = (("e-acme", "Acme Ports", 9), ("e-acme-2", "acme-ports", 4),
           ("e-acme-3", "Acme_Ports", 1))


@pytest.fixture(params=("native", "signet-071"))
def world(request: pytest.FixtureRequest, tmp_path: Path):  # type: ignore[no-untyped-def]
    workspace = make(request.param, tmp_path / "graph.db", tmp_path / "side")
    with sqlite3.connect(tmp_path / "graph.db") as file:
        for id, name, mentions in DOUBLES:
            file.execute(
                "INSERT INTO entities (id, name, canonical_name, entity_type, mentions, agent_id,"
                " created_at, updated_at) VALUES (?, ?, ?, 'project', ?, 'default', ?, ?)",
                # Signet's own file allows the same canonical name twice; a native one does not.
                (id, name, name.lower() if request.param == "native" else "acme ports", mentions,
                 ISO, ISO))
    file.close()
    yield workspace
    workspace.close()


def pending(world: Workspace) -> list[str]:
    with world.read() as reader:
        return [one.id for one in list_proposals(reader, operation="merge_entities")]


def test_the_most_mentioned_is_the_target_and_nothing_is_written(world: Workspace) -> None:
    with world.read() as reader:
        [plan] = [one for one in duplicate_plans(reader) if one.target.id == "e-acme"]
    assert {one.id for one in plan.sources} <= {"e-acme-2", "e-acme-3"}
    assert (plan.risk, plan.confidence, plan.blocked) == ("low", 0.86, False)
    assert pending(world) == []


def test_a_repair_is_proposed_once_with_its_mark_and_works(world: Workspace) -> None:
    first = world.write("Repair", propose_repairs).result
    assert len(first.proposed) == 1
    with world.read() as reader:
        proposal = get_proposal(reader, first.proposed[0])
    assert proposal is not None
    assert proposal.payload["repair_kind"] == "duplicate_entities"
    assert (proposal.source_kind, proposal.source_id) == ("ontology_index", "entities:acme ports")
    assert proposal.created_by == "ontology-repair"
    again = world.write("Repair", propose_repairs).result
    assert (again.items, again.proposed) == ((), ())
    assert world.write("Apply", lambda w: apply_proposal(
        w, first.proposed[0])).result.status == "applied"


def test_a_rejected_repair_is_not_proposed_again(world: Workspace) -> None:
    first = world.write("Repair", propose_repairs).result
    world.write("Reject", lambda w: reject_proposals(w, first.proposed))
    again = world.write("Repair", propose_repairs).result
    assert again.proposed == ()
    assert "was rejected before" in again.refused[0]


def test_other_types_and_pins_block_a_merge_until_it_is_forced(world: Workspace) -> None:
    world.write("Pin", lambda w: control.apply(w, "pin_entity", {"entity": "e-acme-2"}))
    world.write("Type", lambda w: w.update("entities", "e-acme-2", entity_type="place"))
    with world.read() as reader:
        plan = plan_of(reader, "e-acme", ["e-acme-2"], by_id=True)
        forced = plan_of(reader, "e-acme", ["e-acme-2"], by_id=True, force=True)
    assert (plan.risk, plan.confidence, forced.risk) == ("blocked", 0.72, "review_required")
    assert any("the type" in warning for warning in plan.warnings)
    with pytest.raises(OperationError):
        world.write("Propose", lambda w: propose_plan(w, plan))
    assert pending(world) == []
    world.write("Propose", lambda w: propose_plan(w, forced))
    assert len(pending(world)) == 1


def test_what_nobody_decides_expires_and_may_be_proposed_again(world: Workspace) -> None:
    proposed = world.write("Repair", propose_repairs).result.proposed
    later = datetime.now(UTC) + timedelta(days=40)
    # The world has one that waits since March.
    assert len(world.rehearse(lambda w: expire(w, 60, later)).result) == 1
    assert len(world.write("Expire", lambda w: expire(w, 30, later)).result) == 2
    with world.read() as reader:
        expired = get_proposal(reader, proposed[0])
    assert expired is not None
    assert (expired.status, expired.result) == (
        "rejected", {"reason": "Nobody decided within 30 days", "expired": True})
    assert len(world.write("Repair", propose_repairs).result.proposed) == 1
