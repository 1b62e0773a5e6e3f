"""Several proposals at once: in the order that works, and nothing outdated over what is newer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.ontology import control
from core.ontology.proposals import Outcome, apply_proposals
from core.review.batch_warnings import DISAGREE, GOES, apply_unless_outdated, batch_risks
from core.review.proposal_queue import get_proposal
from core.review.warnings import warnings
from core.workspace import Workspace

SLOT = {"entity": "job", "aspect": "schedule", "claim_key": "start"}


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace.open(tmp_path / "g.db", data_dir=tmp_path / "side", create=True)
    do(made, "set_claim_value", **SLOT, value="02:00")
    yield made
    made.close()


def do(graph: Workspace, operation: str, **payload: object) -> None:
    graph.write("Do", lambda w: control.apply(w, operation, payload))


def propose(graph: Workspace, operation: str, *, risk: str = "low", **payload: object) -> str:
    return graph.write("Ask", lambda w: control.propose(w, operation, payload, risk=risk),
                       actor="agent").result


def apply(graph: Workspace, *ids: str, force: bool = False) -> list[Outcome]:
    return list(graph.write("Apply", lambda w: apply_unless_outdated(w, ids, force=force)).result)


def risks(graph: Workspace, *ids: str) -> list[tuple[str, ...]]:
    with graph.read() as reader:
        return list(batch_risks(reader, ids).values())


def value(graph: Workspace, entity: str = "job") -> list[str]:
    with graph.read() as reader:
        return [row["content"] for row in reader.rows(
            "SELECT v.content FROM entity_attributes v JOIN entity_aspects s ON s.id = v.aspect_id"
            " JOIN entities e ON e.id = s.entity_id WHERE v.status = 'active' AND e.name = :name",
            name=entity)]


def test_what_makes_a_thing_comes_before_what_needs_it(graph: Workspace) -> None:
    ids = [
        propose(graph, "pin_entity", entity="bank calendar"),
        propose(graph, "weigh_aspect", entity="bank calendar", aspect="days", weight=0.9),
        propose(graph, "create_aspect", entity="bank calendar", aspect="days"),
        propose(graph, "create_entity", name="bank calendar", entity_type="source"),
    ]
    outcomes = apply(graph, *ids)
    assert [one.proposal_id for one in outcomes] == ids
    assert [one.status for one in outcomes] == ["applied"] * 4


def test_what_needs_a_renamed_thing_is_tried_again_once_it_is_renamed(graph: Workspace) -> None:
    ids = [propose(graph, "pin_entity", entity="night job"),
           propose(graph, "rename_entity", entity="job", new_name="night job")]
    assert [one.status for one in apply(graph, *ids)] == ["applied", "applied"]


def test_an_outdated_value_needs_force_over_a_newer_edit(graph: Workspace) -> None:
    old = propose(graph, "set_claim_value", **SLOT, value="03:00")
    other = propose(graph, "create_entity", name="Anna")
    do(graph, "set_claim_value", **SLOT, value="04:00")
    outcomes = apply(graph, old, other)
    assert [one.status for one in outcomes] == ["pending", "applied"]
    assert outcomes[0].error is not None
    assert outcomes[0].error.field == "force"
    assert value(graph) == ["04:00"]
    assert [one.status for one in apply(graph, old, force=True)] == ["applied"]
    assert value(graph) == ["03:00"]


def test_what_others_of_the_batch_change_makes_nothing_outdated(graph: Workspace) -> None:
    ids = [propose(graph, "set_claim_value", **SLOT, value=text) for text in ("03:00", "03:30")]
    assert [one.status for one in apply(graph, *ids)] == ["applied", "applied"]


def test_conflicts_inside_a_batch_are_told_of_both(graph: Workspace) -> None:
    ids = [propose(graph, "set_claim_value", **SLOT, value=text) for text in ("03:00", "03:30")]
    assert [DISAGREE in one for one in risks(graph, *ids)] == [True, True]
    assert risks(graph, ids[0]) == [()], "alone it has none"
    goes = propose(graph, "archive_entity", entity="job")
    assert GOES in risks(graph, ids[0], goes)[0]


def test_a_high_risk_and_a_pinned_entity_are_told(graph: Workspace) -> None:
    do(graph, "pin_entity", entity="job")
    high = propose(graph, "create_entity", name="Anna", risk="high")
    goes = propose(graph, "archive_entity", entity="job")
    told = risks(graph, high, goes)
    assert told[0] == ("It is of high risk",)
    assert "“job” is pinned" in told[1]


def test_a_proposal_follows_what_was_renamed(graph: Workspace) -> None:
    waiting = propose(graph, "set_claim_value", **SLOT, value="03:00")
    do(graph, "rename_entity", entity="job", new_name="night job")
    with graph.read() as reader:
        proposal = get_proposal(reader, waiting)
        assert proposal is not None
        assert proposal.target_name == "night job"
        assert not any("no entity" in text for text in warnings(reader, proposal))
    graph.write("Apply", lambda w: apply_proposals(w, [waiting]))
    assert value(graph, "night job") == ["03:00"]
    assert value(graph) == [], "no second entity of the old name"


def test_a_name_that_another_entity_has_now_is_that_entity(graph: Workspace) -> None:
    waiting = propose(graph, "pin_entity", entity="job")
    do(graph, "rename_entity", entity="job", new_name="night job")
    do(graph, "create_entity", name="job")
    graph.write("Apply", lambda w: apply_proposals(w, [waiting]))
    with graph.read() as reader:
        assert reader.value("SELECT name FROM entities WHERE pinned = 1") == "job"


@pytest.mark.parametrize("by", ["name", "id"])
def test_a_proposal_follows_what_was_merged(graph: Workspace, by: str) -> None:
    do(graph, "create_entity", name="nightly", entity_type="unknown")
    with graph.read() as reader:
        id = reader.value("SELECT id FROM entities WHERE name = 'nightly'")
    waiting = propose(graph, "pin_entity", entity="nightly" if by == "name" else id)
    do(graph, "merge_entities", target_entity="job", source_entities=["nightly"], force=True)
    [outcome] = graph.write("Apply", lambda w: apply_proposals(w, [waiting])).result
    assert outcome.status == "applied"
    with graph.read() as reader:
        assert reader.value("SELECT name FROM entities WHERE pinned = 1") == "job"


@pytest.mark.parametrize(("operation", "payload"), [
    ("merge_entities", {"target_entity": "job", "source_entities": ["nightly"], "force": True}),
    ("rename_entity", {"entity": "nightly", "new_name": "evening job"}),
])
def test_what_was_done_by_hand_already_ends_as_done(
    graph: Workspace, operation: str, payload: dict[str, object]
) -> None:
    do(graph, "create_entity", name="nightly", entity_type="unknown")
    waiting = propose(graph, operation, **payload)
    do(graph, operation, **payload)
    [outcome] = graph.write("Apply", lambda w: apply_proposals(w, [waiting])).result
    assert (outcome.status, outcome.error) == ("applied", None)
    assert outcome.result is not None
    assert outcome.result.get("unchanged")


def test_many_are_looked_at_with_as_many_statements_as_few(graph: Workspace) -> None:
    ids = [propose(graph, "set_claim_value", **{**SLOT, "claim_key": f"key {n}"}, value="03:00")
           for n in range(12)]
    asked: list[str] = []
    with graph.read() as reader:
        batch_risks(reader, ids[:1])
        reader.connection.set_trace_callback(asked.append)
        batch_risks(reader, ids[:2])
        few = len(asked)
        batch_risks(reader, ids)
        reader.connection.set_trace_callback(None)
    assert len(asked) == 2 * few
