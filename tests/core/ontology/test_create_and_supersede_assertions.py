"""Assertions: who said what, on what grounds, about whose claim."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import OperationError
from core.model.claims_and_assertions import Assertion
from core.ontology import control
from core.ontology.change_provenance import Source
from core.ontology.foreign_assertions import requests_of
from core.queries.assertions import AssertionFilters, find_assertion, list_assertions
from core.workspace import Workspace
from tests.contracts.files import make

SAID = {"entity": "Harbor Ledger", "predicate": "observed", "content": "It ran at  SEVEN",
        "speaker": "Anna", "asserted_at": "2026-03-20T10:00:00+02:00"}
AGENT = "claude-code"


@pytest.fixture(params=("native", "signet-071"))
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    workspace = make(request.param, tmp_path / "graph.db", tmp_path / "side")
    yield workspace
    workspace.close()


def do(world: Workspace, operation: str, payload: dict[str, object], **more: object) -> str:
    grounds = {name: value for name, value in more.items() if name != "actor"}
    outcome = world.write("Do", lambda w: control.apply(w, operation, payload, **grounds),  # type: ignore[arg-type]
                          actor=str(more.get("actor", "nora"))).result
    assert outcome.status == "applied"
    assert outcome.result is not None
    return str(outcome.result["assertionId"])


def refused(world: Workspace, operation: str, payload: dict[str, object],
            **more: object) -> OperationError:
    with pytest.raises(OperationError) as error:
        do(world, operation, payload, **more)
    return error.value


def one(world: Workspace, id: str) -> Assertion:
    with world.read() as reader:
        return find_assertion(reader, id)


def listed(world: Workspace, **filters: str) -> list[str]:
    with world.read() as reader:
        items, total = list_assertions(reader, AssertionFilters(**filters))
    assert total == len(items)
    return [item.content for item in items]


def test_it_keeps_who_said_what_when_and_on_what_grounds(world: Workspace) -> None:
    id = do(world, "create_assertion", SAID, evidence=[{"quote": "ran at seven"}],
            source=Source("transcript", "t-1", "logs/t-1.md", "/srv"))
    assertion = one(world, id[:8])
    assert (assertion.subject_name, assertion.predicate, assertion.speaker) == (
        "Harbor Ledger", "observed", "Anna")
    assert assertion.normalized_content == "it ran at seven"
    assert assertion.asserted_at == "2026-03-20T08:00:00.000Z"
    assert (assertion.confidence, assertion.created_by) == (0.7, "nora")
    assert assertion.evidence == ({"quote": "ran at seven"},)
    assert (assertion.source_kind, assertion.source_id, assertion.source_path,
            assertion.source_root) == ("transcript", "t-1", "logs/t-1.md", "/srv")


def test_it_is_found_by_each_filter_and_hidden_from_other_agents(world: Workspace) -> None:
    do(world, "create_assertion", {**SAID, "attribute_id": "v-seven"}, evidence=["log"])
    assert listed(world) == ["It ran at  SEVEN", "eight"]
    assert listed(world, status="archived") == ["at dawn"]
    assert len(listed(world, status="all")) == 3
    for filters in ({"predicate": "observed"}, {"query": "ran AT"},
                    {"entity": "harbor ledger", "predicate": "observed"}):
        assert listed(world, **filters) == ["It ran at  SEVEN"]
    assert len(listed(world, speaker="Anna", attribute_id="v-seven")) == 2
    assert listed(world, speaker="anna") == []
    world.with_agent("rival")
    assert listed(world, status="all") == ["rival word"]
    with world.read() as reader, pytest.raises(OperationError) as error:
        find_assertion(reader, "s-eight")
    assert error.value.status == 404


def test_words_that_there_are_not_are_refused(world: Workspace) -> None:
    for filters in ({"predicate": "hopes"}, {"status": "gone"}):
        with world.read() as reader, pytest.raises(OperationError, match="is invalid"):
            list_assertions(reader, AssertionFilters(**filters))
    assert "predicate is invalid" in str(refused(
        world, "create_assertion", {**SAID, "predicate": "Observed"}, evidence=["log"]))
    assert refused(world, "create_assertion", {**SAID, "entity": "Nobody"},
                   evidence=["log"]).status == 404
    assert refused(world, "create_assertion", {**SAID, "asserted_at": "soon"},
                   evidence=["log"]).status == 400


def test_an_agent_names_its_grounds_and_a_persons_word_is_its_own(world: Workspace) -> None:
    error = refused(world, "create_assertion", SAID, actor=AGENT)
    assert (error.status, error.what) == (400, "evidence or source provenance is required")
    do(world, "create_assertion", SAID, actor=AGENT, source=Source("memory", "m-1"))
    assertion = one(world, do(world, "create_assertion", SAID))
    assert (assertion.source_kind, assertion.source_id) == ("operator", "nora")


def test_what_is_concluded_from_a_claim_names_one_of_the_agents_own(world: Workspace) -> None:
    for id in (None, "v-rival", "v-nowhere"):
        assert refused(world, "create_assertion", SAID,
                       source=Source("ontology_claim", id)).field == "source_id"
    do(world, "create_assertion", SAID, source=Source("ontology_claim", "v-seven"))


@pytest.mark.parametrize(("operation", "payload"), [
    ("create_assertion", {**SAID, "evidence": ["log"]}), ("link_assertion", {"id": "s-eight"})])
def test_it_links_to_a_value_in_force_of_its_own_entity_alone(
    world: Workspace, operation: str, payload: dict[str, object]
) -> None:
    refusals = {"v-rival": 404, "v-six": 404, "v-lost": 404, "v-limit": 409}
    for value, status in refusals.items():
        assert refused(world, operation, {**payload, "attribute_id": value}).status == status
    id = do(world, operation, {**payload, "attribute_id": "v-raw"})
    assert one(world, id).claim_attribute_id == "v-raw"


def test_archiving_and_superseding_keep_the_evidence(world: Workspace) -> None:
    do(world, "archive_assertion", {"id": "s-eight", "reason": "wrong"})
    archived = one(world, "s-eight")
    assert archived.evidence == ({"quote": "she said so"},)
    assert (archived.status, archived.archived_by, archived.archive_reason) == (
        "archived", "nora", "wrong")
    do(world, "restore_assertion", {"id": "s-eight"})
    newer = do(world, "supersede_assertion", {"id": "s-eight", "content": "nine"})
    older = one(world, "s-eight")
    assert (older.status, older.evidence) == ("superseded", ({"quote": "she said so"},))
    assertion = one(world, newer)
    assert (assertion.predicate, assertion.speaker, assertion.evidence) == ("claims", "Anna", ())
    assert assertion.supersedes_assertion_id == "s-eight"
    assert assertion.claim_attribute_id == "v-seven"


def test_superseding_never_changes_what_it_is_about_nor_forks(world: Workspace) -> None:
    error = refused(world, "supersede_assertion",
                    {"id": "s-eight", "content": "nine", "entity": "Tide API"})
    assert error.status == 409
    assert one(world, "s-eight").status == "active"
    do(world, "supersede_assertion", {"id": "s-eight", "content": "nine"})
    again = refused(world, "supersede_assertion", {"id": "s-eight", "content": "ten"})
    assert again.status == 409
    do(world, "archive_assertion", {"id": "s-eight"})
    do(world, "restore_assertion", {"id": "s-eight"})
    assert one(world, "s-eight").status == "superseded"


def test_a_promoted_one_is_the_claims_value_with_its_evidence(world: Workspace) -> None:
    do(world, "promote_assertion", {"id": "s-eight"})
    value = one(world, "s-eight").claim_attribute_id
    with world.read() as reader:
        row = reader.row("SELECT content, confidence, proposal_evidence, version"
                         " FROM entity_attributes WHERE id = :id AND agent_id = :agent", id=value)
    assert row is not None
    assert (row["content"], row["confidence"], row["version"]) == ("eight", 0.8, 3)
    assert json.loads(row["proposal_evidence"]) == [{"quote": "she said so"}]
    denial = do(world, "create_assertion", {**SAID, "predicate": "denies"})
    assert refused(world, "promote_assertion", {"id": denial, "aspect": "Timing",
                                                "claim_key": "start"}).status == 409


def test_an_import_is_all_or_nothing_and_of_this_agent(world: Workspace) -> None:
    items = [{"subjectEntityName": "Harbor Ledger", "predicate": "claims", "content": "one",
              "sourceKind": "memory", "sourceId": "m-1", "observerId": "default"},
             {**SAID, "evidence": [{"quote": "x"}]}]
    requests = requests_of({"assertions": items}, "default")
    world.write("Import", lambda w: control.batch(w, requests))
    assert len(listed(world)) == 3
    bad = requests_of([*items, {**SAID, "predicate": "hopes", "evidence": ["x"]}], "default")
    with pytest.raises(OperationError, match=r"line 3.*predicate is invalid|predicate is invalid"):
        world.write("Import", lambda w: control.batch(w, bad))
    assert len(listed(world)) == 3
    with pytest.raises(OperationError) as foreign:
        requests_of([{**items[0], "observerId": "rival"}], "default")
    assert foreign.value.status == 403
