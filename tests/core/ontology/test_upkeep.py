"""Names, places, sources, weights and dates of facts, on every generation of files."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import OperationError
from core.ontology import control
from core.queries.assertions import find_assertion
from core.queries.claims import evidence_of, review_dates
from core.queries.find_by_name_or_id import match_entities
from core.queries.review_dates_and_aliases import aliases_of, reviews
from core.store.database import Row
from core.workspace import Workspace
from tests.contracts.files import KINDS, dump, make, without_records


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def world(kind: str, tmp_path: Path) -> Iterator[Workspace]:
    workspace = make(kind, tmp_path / "graph.db", tmp_path / "side")
    yield workspace
    workspace.close()


def do(world: Workspace, operation: str, payload: dict[str, object], **more: object) -> dict:  # type: ignore[type-arg]
    outcome = world.write("Do", lambda w: control.apply(w, operation, payload, **more)).result  # type: ignore[arg-type]
    assert outcome.status == "applied", outcome
    return dict(outcome.result or {})


def refused(world: Workspace, operation: str, payload: dict[str, object]) -> OperationError:
    with pytest.raises(OperationError) as error:
        do(world, operation, payload)
    return error.value


def value(world: Workspace, id: str) -> Row:
    with world.read() as reader:
        row = reader.row("SELECT v.*, s.entity_id, s.name AS aspect FROM entity_attributes v"
                         " JOIN entity_aspects s ON s.id = v.aspect_id"
                         " WHERE v.id = :id AND v.agent_id = :agent", id=id)
    assert row is not None
    return row


def leads_to(world: Workspace, name: str) -> list[str]:
    with world.read() as reader:
        return [row["id"] for row in match_entities(reader, name)]


def test_another_name_leads_to_its_entity_until_it_is_taken_away(world: Workspace) -> None:
    before = dump(world)
    do(world, "create_alias", {"entity": "Harbor Ledger", "alias": "The  Book"})
    assert leads_to(world, "the book") == ["e-harbor"]
    do(world, "archive_alias", {"entity": "Harbor Ledger", "alias": "THE BOOK"})
    assert leads_to(world, "the book") == []
    with world.read() as reader:
        assert [(one.alias, one.status) for one in aliases_of(reader, "e-harbor")] == [
            ("The  Book", "archived")]
    do(world, "create_alias", {"entity": "Harbor Ledger", "alias": "the book"})
    assert leads_to(world, "the book") == ["e-harbor"]
    for _ in range(3):
        world.undo()
    assert without_records(dump(world), before) == before


def test_a_name_that_is_held_is_refused_with_its_holder(world: Workspace, kind: str) -> None:
    do(world, "create_alias", {"entity": "Tide API", "alias": "the tide"})
    held = ["Anna", "The Tide"] + ([] if kind == "signet-030" else ["Spike"])
    for name in held:
        error = refused(world, "create_alias", {"entity": "Harbor Ledger", "alias": name})
        assert (error.status, error.field) == (409, "alias")
    assert "Tide API (e-tide)" in error.what or kind != "signet-030"
    assert refused(world, "create_alias", {"entity": "Anna", "alias": "anna"}).status == 409
    assert refused(world, "archive_alias", {"entity": "Anna", "alias": "the tide"}).status == 404


def test_a_claim_moves_with_its_versions_and_what_is_said_of_it(
    world: Workspace, kind: str
) -> None:
    before = dump(world)
    moved = do(world, "move_claim", {"attribute_id": "v-seven", "entity": "Tide API",
                                     "aspect": "Start"})
    assert set(moved["movedAttributeIds"]) == {"v-six", "v-seven"}
    for id in ("v-six", "v-seven"):
        assert (value(world, id)["entity_id"], value(world, id)["aspect"]) == ("e-tide", "Start")
    if kind != "signet-030":
        with world.read() as reader:
            assert find_assertion(reader, "s-eight").subject_entity_id == "e-tide"
    world.undo()
    assert without_records(dump(world), before) == before


def test_a_claim_never_moves_into_another_one(world: Workspace, kind: str) -> None:
    if kind == "signet-030":
        pytest.skip("this generation stores no claims under a key")
    error = refused(world, "move_claim", {"attribute_id": "v-limits", "entity": "Tide API"})
    assert (error.status, error.field) == (409, "claim_key")
    do(world, "move_claim", {"attribute_id": "v-limits", "entity": "Tide API",
                             "claim_key": "old rate"})
    assert value(world, "v-limits")["claim_key"] == "old_rate"
    assert refused(world, "move_claim", {"attribute_id": "v-seven"}).status == 400


def test_a_detached_source_no_longer_supports_the_fact_which_stays(
    world: Workspace, kind: str
) -> None:
    if kind == "signet-030":
        pytest.skip("this generation keeps no evidence")
    id = do(world, "set_claim_value", {
        "entity": "Harbor Ledger", "aspect": "Timing", "claim_key": "pace", "value": "brisk"},
        evidence=[{"memory_id": "m-1", "quote": "starts"}, {"quote": "seen"}])["attributeId"]
    do(world, "detach_source", {"attribute_id": id, "source": "m-1"})
    assert (value(world, id)["content"], value(world, id)["status"]) == ("brisk", "active")
    with world.read() as reader:  # Its own memory says it, too.
        assert [each.quote for each in evidence_of(reader, id) if each.quote] == ["seen"]
    assert refused(world, "detach_source", {"attribute_id": id, "source": "m-1"}).status == 404
    world.undo()
    with world.read() as reader:
        assert [each.quote for each in evidence_of(reader, id) if each.quote] == ["starts", "seen"]


def test_a_day_of_review_is_set_changed_and_taken_away(world: Workspace) -> None:
    before = dump(world)

    def days() -> dict[str, str]:
        with world.read() as reader:
            return dict(review_dates(reader, ["v-seven"]))

    for day, expected in (("2027-03-14", "2027-03-14"), ("2028-01-02", "2028-01-02")):
        do(world, "set_review_date", {"attribute_id": "v-seven", "review_after": day})
        assert days()["v-seven"].startswith(expected)
    with world.read() as reader:
        [waiting] = reviews(reader)
        assert (waiting.entity, waiting.content, waiting.due) == ("Harbor Ledger", "seven", False)
        assert reviews(reader, due=True) == ()
        assert reviews(reader, due=True, now="2028-02-01")[0].due
    do(world, "set_review_date", {"attribute_id": "v-seven", "review_after": "Never"})
    assert days() == {}
    assert refused(world, "set_review_date", {"attribute_id": "v-seven",
                                              "review_after": "soon"}).status == 400
    assert refused(world, "set_review_date", {"attribute_id": "v-six",
                                              "review_after": "2027-01-01"}).status == 409
    for _ in range(3):
        world.undo()
    assert without_records(dump(world), before) == before


def test_a_policy_is_a_rule_and_an_interface_is_what_it_says(world: Workspace, kind: str) -> None:
    if kind != "signet-030":
        made = do(world, "create_policy", {"target_entity": "Harbor Ledger", "kind": "Night Runs",
                                           "content": "Only after 22:00"})
        row = value(world, made["attributeId"])
        assert (row["kind"], row["aspect"], row["group_key"], row["claim_key"]) == (
            "constraint", "policy", "policy", "night_runs")
    do(world, "attach_interface", {"entity": "Harbor Ledger", "interface": "Ledger API"})
    with world.read() as reader:
        assert reader.value("SELECT entity_type FROM entities WHERE name = 'Ledger API'"
                            " AND agent_id = :agent") == "interface"
    assert refused(world, "create_interface", {"name": "Anna"}).status == 409
    assert refused(world, "create_action_type", {"action_type": "Ledger API"}).status == 409
