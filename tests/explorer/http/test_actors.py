"""Who decides: an agent proposes, a person decides, and the headers say which of them calls."""

from typing import Any

import pytest

from tests.explorer.http.callers import AGENT, PERSON, Caller

MERGE = {"operation": "merge_entities", "payload": {
    "target_entity": "Tide API", "source_entities": ["Tides API"], "force": True}}
RULE = {"operation": "set_claim_value", "payload": {
    "entity": "Harbor Ledger", "aspect": "Rules", "claim_key": "friday", "kind": "constraint",
    "value": "Fridays are fine", "force": True}}
APPLY = "/api/ontology/operations/apply"
NOBODY: dict[str, str] = {}
CALLERS = pytest.mark.parametrize("who", [
    AGENT, NOBODY, {"x-signet-actor": "operator"}, {"x-signet-actor-type": "harness"},
    {"x-signet-actor": "claude-code", "x-signet-actor-type": "operator"}],
    ids=["harness", "nobody", "no type", "no name", "a known agent"])


def names(caller: Caller) -> set[str]:
    return {item["entity"]["name"] for item in caller.read("/api/knowledge/entities")["items"]}


@CALLERS
@pytest.mark.parametrize("asked", [MERGE, RULE], ids=["takes away", "changes a rule"])
def test_what_an_agent_may_not_do_waits_for_a_person(
    caller: Caller, who: dict[str, str], asked: dict[str, Any]
) -> None:
    before = names(caller)
    answer = caller.send(APPLY, {**asked, "actor": "operator", "created_by": "nora"}, who)
    assert answer["proposed"]
    assert answer["result"] is None
    assert answer["proposal"]["status"] == "pending"
    assert answer["proposal"]["createdBy"] not in ("operator", "nora")
    assert names(caller) == before
    refused = caller("POST", f"/api/ontology/proposals/{answer['proposal']['id']}/apply", {},
                     headers=who)
    assert refused.status_code == 403
    assert "may propose, not decide" in refused.json()["error"]
    decided = caller.send(f"/api/ontology/proposals/{answer['proposal']['id']}/apply", {})
    assert (decided["status"], decided["appliedBy"]) == ("applied", "nora")


@CALLERS
def test_an_agent_rejects_nothing(caller: Caller, who: dict[str, str]) -> None:
    response = caller("POST", "/api/ontology/proposals/p-1/reject", {"reason": "no"}, headers=who)
    assert response.status_code == 403
    assert caller.read("/api/ontology/proposals/p-1")["status"] == "pending"


def test_a_person_does_it_at_once_and_can_undo_it(caller: Caller) -> None:
    answer = caller.send(APPLY, MERGE)
    assert not answer["proposed"]
    assert answer["proposal"]["appliedBy"] == "nora"
    assert names(caller) == {"Anna", "Harbor Ledger", "Tide API"}
    with caller.graph() as graph:
        [step] = graph.history()
        assert step.who == "nora"
        graph.undo()
    assert "Tides API" in names(caller)


def test_an_agent_adds_what_takes_nothing_away(caller: Caller) -> None:
    answer = caller.send(APPLY, {"operation": "create_entity", "payload": {"name": "Ferry"}}, AGENT)
    assert (answer["proposed"], answer["proposal"]["createdBy"]) == (False, "claude-code via HTTP")
    assert "Ferry" in names(caller)


def test_of_a_batch_only_what_a_person_decides_waits(caller: Caller) -> None:
    answer = caller.send("/api/ontology/operations/batch", {"operations": [
        {"operation": "create_entity", "payload": {"name": "Ferry"}, "created_by": "nora"},
        MERGE]}, AGENT)
    assert [item["status"] for item in answer["items"]] == ["applied", "pending"]
    assert answer["items"][1]["proposal"]["createdBy"] == "claude-code via HTTP"


def test_a_person_pins_and_unpins(caller: Caller) -> None:
    path = "/api/knowledge/entities/e-harbor/pin"
    pinned = caller.send(path, None)
    assert pinned["pinned"]
    listed = caller.read("/api/knowledge/entities/pinned")
    assert {"id": "e-harbor", "name": "Harbor Ledger", "pinnedAt": pinned["pinnedAt"]} in listed
    assert caller("DELETE", path, headers=PERSON).json() == {"pinned": False}
    assert caller("DELETE", path, headers=PERSON).json() == {"pinned": False}
    gone = caller("DELETE", "/api/knowledge/entities/nobody/pin", headers=PERSON)
    assert (gone.status_code, gone.json()) == (200, {"pinned": False})
    assert caller("POST", "/api/knowledge/entities/nobody/pin",
                  headers=PERSON).status_code == 404


def test_a_pin_of_an_agent_waits_for_a_person(caller: Caller) -> None:
    path = "/api/knowledge/entities/e-harbor/pin"
    waiting = caller.send(path, None, AGENT, status=202)
    assert (waiting["pinned"], waiting["proposed"]) == (False, True)
    assert waiting["proposal"]["operation"] == "pin_entity"
    unpin = caller("DELETE", "/api/knowledge/entities/e-anna/pin", headers=AGENT)
    assert (unpin.status_code, unpin.json()["pinned"]) == (202, True)
    assert [each["name"] for each in caller.read("/api/knowledge/entities/pinned")] == ["Anna"]
    caller.send(f"/api/ontology/proposals/{waiting['proposal']['id']}/apply", {})
    assert len(caller.read("/api/knowledge/entities/pinned")) == 2


@pytest.mark.parametrize("field", ["pinned", "visibility", "scope"])
def test_what_steers_others_an_agent_does_not_set(caller: Caller, field: str) -> None:
    memory = {"content": "The ferry is blue.", field: True if field == "pinned" else "global"}
    refused = caller("POST", "/api/memory/remember", memory, headers=AGENT)
    assert refused.status_code == 403
    assert not caller.send("/api/memory/remember", memory)["duplicate"]


def test_trying_changes_nothing_and_tells_what_would_change(caller: Caller) -> None:
    answer = caller.send(APPLY, {**MERGE, "dry_run": "true"})
    assert answer["dryRun"]
    assert answer["changes"]
    assert "Tides API" in names(caller)
    assert caller.read("/api/ontology/proposals", status="applied")["items"] == []
    both = caller("POST", APPLY, {**MERGE, "dry_run": True, "propose": True}, headers=PERSON)
    assert both.status_code == 400


def test_a_batch_is_done_whole_or_not_at_all_and_a_trial_lists_each_mistake(
    caller: Caller
) -> None:
    good = {"operation": "create_entity", "payload": {"name": "Ferry"}}
    bad = {"operation": "rename_entity", "payload": {"entity": "nobody", "new_name": "x"}}
    refused = caller("POST", "/api/ontology/operations/batch", {"items": [good, bad]},
                     headers=PERSON)
    assert refused.status_code == 404
    assert refused.json()["where"] == "line 2"
    assert "Ferry" not in names(caller)
    tried = caller.send("/api/ontology/operations/batch",
                        {"operations": [bad, good], "dry_run": True})
    assert [(fault["index"], fault["line"], fault["status"]) for fault in tried["errors"]] == [
        (0, 1, 404)]
    assert tried["count"] == 1


@pytest.mark.parametrize(("body", "words"), [
    ({}, "operation is required"), ({"operation": "create_entity"}, "payload object is required"),
    ({"operation": "create_entity", "payload": []}, "payload object is required"),
    ({"operation": "create_entity", "payload": {}}, "payload is required"),
    ({"operation": "create_thing", "payload": {"name": "x"}}, "Unsupported operation"),
    ({"operation": "create_entity", "payload": {"name": "x"}, "evidence": "x"}, "evidence"),
    ({"operation": "create_link", "payload": {
        "source_entity": "a", "target_entity": "b", "link_type": "related_to"}}, "reason")])
def test_an_operation_that_makes_no_sense_is_400_never_500(
    reading: Caller, body: dict[str, Any], words: str
) -> None:
    response = reading("POST", APPLY, body, headers=PERSON)
    assert response.status_code == 400
    assert words in response.json()["error"]


def test_a_proposal_that_is_decided_can_not_be_decided_again(caller: Caller) -> None:
    path = "/api/ontology/proposals/p-1"
    assert caller.send(f"{path}/reject", {"reason": "a ship"})["result"] == {"reason": "a ship"}
    for verb in ("apply", "reject"):
        again = caller("POST", f"{path}/{verb}", {}, headers=PERSON)
        assert again.status_code == 409
        assert "rejected, not pending" in again.json()["error"]
    assert caller("POST", "/api/ontology/proposals/none/apply", {},
                  headers=PERSON).status_code == 404


def test_proposals_are_filtered_and_their_status_checked(caller: Caller) -> None:
    path = "/api/ontology/proposals"
    caller.send(path, {"operation": "create_entity", "payload": {"name": "Ferry"},
                       "rationale": "seen", "created_by": "nora"}, AGENT)
    every = caller.read(path)["items"]
    assert {item["id"] for item in caller.read(path, status="pending")["items"]} == {
        item["id"] for item in every}
    assert "p-rival" not in {item["id"] for item in every}
    assert [item["createdBy"] for item in every if item["rationale"] == "seen"] == [
        "claude-code via HTTP"]
    assert caller.read(path, operation="merge_entities")["items"] == []
    refused = caller("GET", path, params={"status": "waiting"})
    assert (refused.status_code, refused.json()["error"]) == (400, "status is invalid")


def test_proposals_come_in_the_order_and_groups_of_the_window(caller: Caller) -> None:
    told = caller.read("/api/ontology/proposals", status="pending", sort="worth", group_by="kind")
    assert [item["id"] for item in told["items"]] == [
        id for group in told["groups"] for id in group["ids"]]
    assert told["count"] == sum(group["count"] for group in told["groups"]) > 0
    for wrong in ({"sort": "size"}, {"group_by": "size"}, {"sort": "worth", "status": "all"}):
        assert caller("GET", "/api/ontology/proposals", params=wrong).status_code == 400
