"""What upstream promises of its knowledge endpoints: order, limits, counts, words."""

from typing import Any

import pytest

from core.model.recall import Recall
from tests.explorer.http.callers import Caller

API = "/api/knowledge"
SLOT = {"entity": "Harbor Ledger", "aspect": "Schedule", "group": "nightly",
        "claim": "start_time"}


def test_entities_come_pinned_first_and_archived_ones_not_at_all(reading: Caller) -> None:
    answer = reading.read(f"{API}/entities")
    names = [item["entity"]["name"] for item in answer["items"]]
    assert names[0] == "Anna"
    assert set(names) == {"Anna", "Harbor Ledger", "Tide API", "Tides API"}
    assert (answer["limit"], answer["offset"], answer["count"]) == (50, 0, 4)


def test_both_addresses_of_the_list_answer_alike(reading: Caller) -> None:
    assert reading.read(f"{API}/entities", type="tool") == reading.read(
        f"{API}/navigation/entities", type="tool")


@pytest.mark.parametrize(("asked", "taken"), [(0, 1), (-5, 1), (201, 200), (10**30, 200)])
def test_a_limit_beyond_its_range_is_the_nearest(
    reading: Caller, asked: int, taken: int
) -> None:
    assert reading.read(f"{API}/entities", limit=asked)["limit"] == taken


def test_pages_follow_each_other(reading: Caller) -> None:
    every = reading.read(f"{API}/entities")["items"]
    pages = [reading.read(f"{API}/entities", limit=2, offset=at)["items"] for at in (0, 2, 4)]
    assert [*pages[0], *pages[1]] == every
    assert pages[2] == []


@pytest.mark.parametrize(("path", "missing"), [
    ("navigation/entity", "name"), ("navigation/tree", "entity"),
    ("navigation/aspects", "entity"), ("navigation/groups", "entity"),
    ("navigation/claims", "entity"), ("navigation/attributes", "entity")])
def test_what_is_missing_or_blank_is_named(reading: Caller, path: str, missing: str) -> None:
    for query in (None, {missing: "  "}):
        response = reading("GET", f"{API}/{path}", params=query)
        assert response.status_code == 400
        assert f"{missing} is required" in response.json()["error"]


@pytest.mark.parametrize("path", [
    "navigation/entity?name=nobody", "navigation/tree?entity=nobody", "entities/nobody",
    "entities/nobody/aspects", "entities/e-harbor/aspects/nothing/attributes",
    "entities/nobody/dependencies", "entities/Rival%20Secret", "entities/e-rival",
    "navigation/groups?entity=Anna&aspect=nothing"])
def test_what_is_not_there_or_of_another_agent_is_404(reading: Caller, path: str) -> None:
    response = reading("GET", f"{API}/{path}")
    assert response.status_code == 404
    assert "ot found" in response.json()["error"]


def test_the_tree_goes_as_deep_as_asked_and_no_deeper_than_there_is(reading: Caller) -> None:
    def tree(depth: int) -> Any:
        [item] = [item for item in reading.read(
            f"{API}/navigation/tree", entity="e-harbor", depth=depth)["items"]
            if item["aspect"]["name"] == "Schedule"]
        return item

    assert "groups" not in tree(1)
    assert "claims" not in tree(2)["groups"][0]
    assert tree(3)["groups"][0]["claims"][0]["preview"]
    for depth in (0, 4):
        response = reading("GET", f"{API}/navigation/tree",
                           params={"entity": "e-harbor", "depth": depth})
        assert response.status_code == 400


def test_values_of_a_claim_are_those_in_force_unless_asked(reading: Caller) -> None:
    def values(**more: object) -> list[str]:
        items = reading.read(f"{API}/navigation/attributes", **SLOT, **more)["items"]
        return [item["content"] for item in items]

    assert values() == ["seven"]
    assert values(status="superseded") == ["six"]
    assert sorted(values(status="all")) == ["seven", "six"]
    assert values(status="no such status") == ["seven"]
    assert values(kind="constraint") == []


def test_values_of_an_aspect_have_any_status_unless_asked(reading: Caller) -> None:
    path = f"{API}/entities/e-harbor/aspects/Schedule/attributes"
    every = [item["content"] for item in reading.read(path)["items"]]
    assert sorted(every) == ["hourly", "seven", "six"]
    active = reading.read(path, status="active", limit=1)
    assert len(active["items"]) == 1
    assert reading.read(path, status="active")["items"][0]["status"] == "active"


def test_links_are_told_from_the_end_that_is_asked(reading: Caller) -> None:
    path = f"{API}/entities/e-tide/dependencies"
    both = reading.read(path)["items"]
    assert {(item["direction"], item["sourceEntityName"], item["targetEntityName"])
            for item in both} == {("incoming", "Harbor Ledger", "Tide API"),
                                  ("incoming", "Tides API", "Tide API")}
    assert reading.read(path, direction="outgoing")["items"] == []
    assert reading("GET", path, params={"direction": "sideways"}).status_code == 400


def test_a_version_that_there_is_not_is_404(reading: Caller) -> None:
    path = "/api/ontology/claims/version"
    assert reading.read(path, **SLOT, version=1)["content"] == "six"
    response = reading("GET", path, params={**SLOT, "version": 9})
    assert (response.status_code, response.json()["error"]) == (404, "Claim version not found")
    assert reading("GET", path, params={**SLOT, "version": 0}).status_code == 400


def test_the_neighborhood_has_its_entity_and_depths_from_one_to_three(reading: Caller) -> None:
    near = reading.read("/graph/neighborhood/Harbor Ledger")
    assert near["entity"]["id"] == "e-harbor"
    assert {"id", "name", "type", "notes", "mention_count"} <= set(near["entity"])
    assert {node["id"] for node in near["neighborhood"]["nodes"]} == {
        "e-harbor", "e-tide", "e-tides"}
    assert {"id", "from_id", "to_id", "label", "notes"} <= set(near["neighborhood"]["edges"][0])
    for depth in (0, 4, -1, 10**20):
        response = reading("GET", "/graph/neighborhood/e-harbor", params={"depth": depth})
        assert response.status_code == 400
    assert reading("GET", "/graph/neighborhood/nobody").status_code == 404


@pytest.mark.parametrize("body", [{}, {"entityIds": []}, {"entityIds": "e-harbor"},
                                  {"entityIds": [5]}])
def test_neighbors_need_ids(reading: Caller, body: dict[str, Any]) -> None:
    assert reading("POST", "/graph/neighbors", body).status_code == 400


def test_neighbors_of_several_are_told_once(reading: Caller) -> None:
    near = reading.send("/graph/neighbors", {"entityIds": ["e-tide", "e-tides", "nobody"]})
    ids = [node["id"] for node in near["nodes"]]
    assert sorted(ids) == ["e-harbor", "e-tide", "e-tides"]


def test_recall_answers_as_the_command_does_and_is_what_the_last_walk_was(caller: Caller) -> None:
    caller.send("/api/memory/remember", {"content": "The Tide API is read by the ferries."})
    by_post = caller.send("/api/memory/recall", {"query": "Who reads the Tide API?", "limit": 3})
    by_get = caller.read("/api/memory/search", q="Who reads the Tide API?", limit=3)
    assert [hit["memory"]["id"] for hit in by_post["hits"]] == [
        hit["memory"]["id"] for hit in by_get["hits"]]
    assert by_post["hits"][0]["memory"]["content"] == "The Tide API is read by the ferries."
    status = caller.read(f"{API}/traversal/status")["status"]
    assert status["focalEntityNames"] == ["Tide API"]


def test_what_is_asked_over_http_is_recorded_with_what_it_rests_on(caller: Caller) -> None:
    last = caller.read("/api/memory/asked", limit=1)["items"]
    before = last[0]["number"] if last else 0
    recalled = caller.read("/api/memory/search", q="When does the run start?")
    caller.read(f"{API}/navigation/tree", entity="Harbor Ledger")
    caller.send("/graph/neighbors", {"entityIds": ["e-tide"]})
    caller.send(f"{API}/expand", {"entity": "Harbor Ledger"})
    every = caller.read("/api/memory/asked", after=before)["items"]
    walk, near, tree, question = every
    assert (question["kind"], question["question"]) == ("recall", "When does the run start?")
    assert question["memoryIds"] == [hit["memory"]["id"] for hit in recalled["hits"]]
    assert question["who"].endswith(" via HTTP")
    assert (tree["kind"], tree["entityIds"]) == ("browse", ["e-harbor"])
    assert (near["kind"], near["focalIds"]) == ("walk", ["e-tide"])
    assert "e-harbor" in near["entityIds"]
    assert near["linkIds"]
    assert (walk["kind"], walk["focalIds"]) == ("walk", ["e-harbor"])


def test_an_answer_says_what_time_left_out(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = caller.read("/api/memory/search", q="When does the run start?")
    assert (whole["partial"], whole["missing"]) == (False, [])
    late = Recall(timed_out=True, notes=("Time ran out",))
    monkeypatch.setattr("explorer.http.recall_and_remember.find", lambda *given, **options: late)
    cut = caller.read("/api/memory/search", q="When does the run start?")
    assert (cut["partial"], cut["missing"]) == (True, ["Time ran out"])
    walked = caller.send(f"{API}/expand", {"entity": "Harbor Ledger"})
    assert (walked["partial"], walked["missing"]) == (False, [])


def test_a_date_that_is_none_is_refused(reading: Caller) -> None:
    response = reading("GET", "/api/memory/search", params={"q": "run", "since": "someday"})
    assert response.status_code == 400
    assert "not a date" in response.json()["error"]
