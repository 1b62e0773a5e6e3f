"""Rivals of a proposal are found however they name the entity, the aspect and the claim."""

import pytest

from core.model.names import name_key
from core.ontology import control
from core.ontology.proposals import reject_proposal
from core.review.proposal_queue import (
    _is_same,
    get_proposal,
    pending_of,
    pending_targets,
    rivals_of,
)
from core.review.warnings import target_of
from core.workspace import Workspace
from tests.contracts.files import make
from tests.contracts.samples import SAMPLES

SLOT = {"aspect": "Schedule", "group_key": "nightly", "claim_key": "start_time", "value": "eight"}
SAME = (
    {"entity": "Harbor Ledger", **SLOT, "value": "nine"},
    {"entity": "e-harbor", **SLOT},
    {"entity": "harbor  LEDGER", **SLOT, "claim_key": "Start time"},
    {"entity": "The Ledger", **SLOT},
    {"entity": "Harbor Ledger", **SLOT, "aspect": "a-schedule"},
    {"entity": "Harbor Ledger", **SLOT, "group_key": "Nightly", "aspect": "SCHEDULE"},
)
OTHER = (
    {"entity": "Tide API", **SLOT},
    {"entity": "Harbor Ledger", **SLOT, "aspect": "Timing"},
    {"entity": "Harbor Ledger", **SLOT, "group_key": "weekly"},
    {"entity": "Harbor Ledger", **SLOT, "claim_key": "end_time"},
    {"entity": "Nobody", **SLOT},
)


@pytest.fixture
def graph(tmp_path):
    with_alias = make("native", tmp_path / "graph.db", tmp_path / "side")
    with_alias.write("Alias", lambda w: control.apply(
        w, "create_alias", {"entity": "Harbor Ledger", "alias": "The Ledger"}))
    yield with_alias
    with_alias.close()


def ask(graph: Workspace, operation: str, payload: dict[str, object]) -> str:
    return str(graph.write("Ask", lambda w: control.propose(w, operation, payload)).result)


def rivals(graph: Workspace, id: str) -> set[str]:
    with graph.read() as reader:
        proposal = get_proposal(reader, id)
        assert proposal is not None
        target = target_of(reader, proposal)
        found = {item.id for item in rivals_of(reader, id, target)}
        assert found == {item.id for item in pending_targets(reader)
                         if item.id != id and _is_same(item.target, target)}
    return found


def test_rivals_are_found_however_they_name_the_slot(graph: Workspace) -> None:
    same = [ask(graph, "set_claim_value", payload) for payload in SAME]
    same.append(ask(graph, "archive_claim_value", {"attribute_id": "v-seven"}))
    for payload in OTHER:
        ask(graph, "set_claim_value", payload)
    for one in same:
        assert [same.index(other) for other in sorted(rivals(graph, one), key=same.index)] == [
            at for at, other in enumerate(same) if other != one]


def test_rivals_about_an_entity_that_is_not_there_yet_share_its_name(graph: Workspace) -> None:
    first, second = (ask(graph, "set_claim_value", {"entity": name, **SLOT})
                     for name in ("Copper Tide", "copper  tide"))
    assert name_key("Copper Tide") == name_key("copper  tide")
    assert rivals(graph, first) == {second}


def test_a_rival_that_is_decided_is_none_any_more(graph: Workspace) -> None:
    first, second = (ask(graph, "set_claim_value", payload) for payload in SAME[:2])
    assert rivals(graph, first) == {second}
    graph.write("Reject", lambda w: reject_proposal(w, second, ""))
    assert rivals(graph, first) == set()


def test_what_would_touch_an_entity_is_found_however_it_is_named(graph: Workspace) -> None:
    for payload in (*SAME, *OTHER):
        ask(graph, "set_claim_value", payload)
    for operation, sample in SAMPLES.items():
        ask(graph, operation, sample.payload)
    found = 0
    with graph.read() as reader:
        every = pending_targets(reader)
        for row in reader.rows("SELECT id FROM entities"):
            touching = [item.id for item in every if row["id"] in {
                end.id for end in (item.target.entity, item.target.other) if end is not None}]
            assert [item.id for item in pending_of(reader, row["id"])] == touching
            found += len(touching)
    assert found > len(SAMPLES)
