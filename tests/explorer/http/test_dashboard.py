"""What a dashboard asks for: the bounded graph, the map of memories, an entity with its context."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.explorer.http.callers import AGENT, Caller

CONSTELLATION = "/api/knowledge/constellation"
EXPAND = "/api/knowledge/expand"
SESSIONS = "/api/knowledge/expand/session"
MAP = "/api/embeddings/projection"


def insert(caller: Caller, table: str, **row: Any) -> None:
    """A row as another program writes it."""
    with caller.graph() as graph:
        columns, marks = ", ".join(row), ", ".join(f":{name}" for name in row)
        graph.write("Insert", lambda writer: writer.connection.execute(
            f"INSERT INTO {table} ({columns}) VALUES ({marks})", row))


def test_the_graph_is_bounded_and_pinned_entities_come_first(reading: Caller) -> None:
    graph = reading.read(CONSTELLATION, limit=2, max_aspects_per_entity=1,
                         max_attributes_per_aspect=1)
    assert [each["name"] for each in graph["entities"]] == ["Anna", "Harbor Ledger"]
    [aspect] = graph["entities"][1]["aspects"]
    assert {"id", "name", "weight", "status", "proposalId", "attributes"} == set(aspect)
    assert len(aspect["attributes"]) == 1
    assert graph["dependencies"] == []
    assert graph["metadata"]["proposals"]["pending"] == 1


def test_links_have_both_ends_in_the_set_and_the_values_their_version(reading: Caller) -> None:
    graph = reading.read(CONSTELLATION)
    ids = {each["id"] for each in graph["entities"]}
    assert ids == {"e-anna", "e-harbor", "e-tide", "e-tides"}
    assert {(link["sourceEntityId"], link["dependencyType"], link["targetEntityId"])
            for link in graph["dependencies"]} == {
        ("e-harbor", "uses", "e-tide"), ("e-harbor", "uses", "e-tides"),
        ("e-tides", "informs", "e-tide")}
    values = {value["id"]: value for entity in graph["entities"] for aspect in entity["aspects"]
              for value in aspect["attributes"]}
    assert "v-six" not in values
    assert values["v-seven"]["version"] == 2
    assert values["v-seven"]["previousAttributeId"] == "v-six"


def test_what_only_says_how_a_source_is_laid_out_is_left_out(caller: Caller) -> None:
    now = {"created_at": "2026-03-14T21:40:46.123Z", "updated_at": "2026-03-14T21:40:46.123Z",
           "agent_id": "default"}
    for id, kind, mentions in (("e-doc", "source_document", 90), ("e-fact", "artifact", 0),
                               ("e-lone", "concept", 0)):
        insert(caller, "entities", id=id, name=id, canonical_name=id, entity_type=kind,
               mentions=mentions, **now)
    insert(caller, "entity_aspects", id="a-fact", entity_id="e-fact", name="Facts",
           canonical_name="facts", weight=0.5, **now)
    ids = {each["id"] for each in caller.read(CONSTELLATION)["entities"]}
    assert ids == {"e-anna", "e-harbor", "e-tide", "e-tides", "e-fact"}


def test_pending_proposals_say_what_they_are_about(caller: Caller) -> None:
    caller.send("/api/ontology/proposals", {
        "operation": "add_claim_value", "rationale": "said so", "evidence": [{"quote": "eight"}],
        "payload": {"entity": "Harbor Ledger", "aspect": "Schedule", "claim_key": "end",
                    "value": "x" * 200}}, AGENT)
    graph = caller.read(CONSTELLATION)
    [proposal] = [each for each in graph["proposals"] if each["operation"] == "add_claim_value"]
    assert proposal["targetEntityId"] == "e-harbor"
    assert proposal["targetEntityName"] == "Harbor Ledger"
    assert proposal["targetAspectName"] == "Schedule"
    assert (proposal["evidenceCount"], proposal["rationale"]) == (1, "said so")
    assert proposal["preview"] == "x" * 137 + "..."
    assert graph["metadata"]["proposals"]["pending"] == 2


def test_the_last_dreaming_pass_is_told_with_its_summary(caller: Caller) -> None:
    assert caller.read(CONSTELLATION)["metadata"]["dreaming"]["latestPass"] is None
    for id, at, agent in (("d-1", "2026-03-14 08:00:00", "default"),
                          ("d-2", "2026-03-15T08:00:00Z", "default"),
                          ("d-3", "2026-03-16T08:00:00Z", "rival")):
        insert(caller, "dreaming_passes", id=id, agent_id=agent, started_at=at, created_at=at,
               summary=f"Summary of {id}", mutations_applied=3)
    latest = caller.read(CONSTELLATION)["metadata"]["dreaming"]["latestPass"]
    assert (latest["id"], latest["summary"], latest["mutationsApplied"]) == (
        "d-2", "Summary of d-2", 3)


def test_an_entity_is_expanded_within_its_tokens(caller: Caller) -> None:
    for words in ("The Tide API is read hourly.", "The Tide API has " + "many words " * 60 + "."):
        caller.send("/api/memory/remember", {"content": words, "entities": ["Tide API"]})
    whole = caller.send(EXPAND, {"entity": "tide api"})
    assert whole["entity"] == {"id": "e-tide", "name": "Tide API", "type": "tool",
                               "description": ""}
    assert whole["aspects"][0]["attributes"][0]["content"] == "100 a minute"
    assert whole["memoryCount"] >= len(whole["memories"]) >= 2
    small = caller.send(EXPAND, {"entity": "Tide API", "maxTokens": 20})
    contents = [each["content"] for each in small["memories"]]
    assert contents
    assert all(len(content) <= 80 for content in contents)
    assert caller.send(EXPAND, {"entity": "Harbor Ledger", "aspect": "sched"})["aspects"][0][
        "name"] == "Schedule"
    assert caller.send(EXPAND, {"entity": "Harbor Ledger"})["constraints"][0][
        "content"] == "Never deploy on Friday"


def test_words_that_name_an_entity_expand_it_and_others_are_404_with_nothing(
    reading: Caller
) -> None:
    named = reading.send(EXPAND, {"entity": "what about the harbor ledger?"})
    assert named["entity"]["name"] == "Harbor Ledger"
    nothing = reading.send(EXPAND, {"entity": "zzzz"}, status=404)
    assert nothing["error"]
    assert (nothing["constraints"], nothing["memories"], nothing["memoryCount"]) == ([], [], 0)
    assert reading.send(EXPAND, {}, status=400)["error"] == "entity name is required"


def test_summaries_of_sessions_about_an_entity_are_found_by_mention_and_by_name(
    caller: Caller
) -> None:
    old = "2026-03-14T08:00:00Z"
    new = (datetime.now(UTC) - timedelta(days=2)).isoformat()
    for id, at, content in (("s-link", old, "Nothing named"), ("s-name", new, "On tides api."),
                            ("s-part", new, "About Tides APIs"), ("s-other", new, "Elsewhere")):
        insert(caller, "session_summaries", id=id, kind="session", content=content,
               earliest_at=at, latest_at=at, created_at=at, session_key=f"key-{id}")
    insert(caller, "session_summary_memories", summary_id="s-link", memory_id="m-2")

    def found(**more: object) -> list[str]:
        answer = caller.send(SESSIONS, {"entityName": "Tides API", **more})
        assert answer["total"] >= len(answer["summaries"])
        return [each["id"] for each in answer["summaries"]]

    assert found() == ["s-name", "s-link"]
    assert found(maxResults=1) == ["s-name"]
    assert found(timeRange="last_week") == ["s-name"]
    assert found(timeRange="2026-01-01") == ["s-name", "s-link"]
    assert found(sessionId="key-s-link") == ["s-link"]
    refused = caller("POST", SESSIONS, {"entityName": "Tides API", "timeRange": "someday"})
    assert refused.status_code == 400
    assert caller("POST", SESSIONS, {"entityName": "nobody"}).status_code == 404


def finished(caller: Caller, **query: object) -> Any:
    """The map once it is computed."""
    for _ in range(10_000):
        response = caller("GET", MAP, params=query)
        if response.status_code != 202:
            return response
    raise AssertionError("it was never finished")


def test_the_map_is_computed_beside_and_kept_until_memories_change(caller: Caller) -> None:
    assert caller("GET", MAP).json() == {"status": "computing", "dimensions": 2}
    made = finished(caller).json()
    assert (made["status"], made["total"], made["hasMore"]) == ("ready", 2, False)
    assert {each["x"] for each in made["nodes"]} == {-105.0, 105.0}
    assert made["edges"] == [[0, 1]]
    assert {"id", "x", "y", "content", "who", "importance", "type", "tags", "pinned",
            "sourceType", "sourceId", "createdAt"} == set(made["nodes"][0])
    assert finished(caller).json()["cachedAt"] == made["cachedAt"]
    caller.send("/api/memory/remember", {"content": "A third thing to know."})
    assert caller("GET", MAP).status_code == 202
    assert finished(caller).json()["total"] == 3


def test_the_map_has_a_third_dimension_pages_and_filters(caller: Caller) -> None:
    caller.send("/api/memory/remember", {"content": "A third thing to know.", "importance": 0.9,
                                         "tags": ["odd"], "type": "decision"})
    assert all("z" in each for each in finished(caller, dimensions=3).json()["nodes"])
    page = finished(caller, dimensions=3, limit=2, offset=1).json()
    assert (page["count"], page["total"], page["hasMore"]) == (2, 3, False)
    assert all(0 <= end < 2 for pair in page["edges"] for end in pair)
    for query in ({"q": "third"}, {"tags": "odd"}, {"types": "decision,none"},
                  {"importanceMin": 1, "importanceMax": 0.8}):
        assert finished(caller, dimensions=3, **query).json()["total"] == 1
    assert caller("GET", MAP, params={"dimensions": 4}).status_code == 400
    assert caller("GET", MAP, params={"dimensions": 3, "since": "someday"}).status_code == 400


def test_a_map_that_can_not_be_made_is_said(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = pytest.importorskip("core.errors")

    def fail(*_: object) -> None:
        raise errors.ConstellationError("Too little memory")

    monkeypatch.setattr("explorer.http.memory_maps.memory_map", fail)
    response = finished(caller)
    assert response.status_code == 503
    assert response.json() == {"status": "error", "error": "Too little memory"}


def test_entities_are_found_by_their_meaning(reading: Caller) -> None:
    near = reading.read("/graph/search", q="tide interface", threshold=0.1)["items"]
    assert near[0]["name"] in ("Tide API", "Tides API")
    assert [each["score"] for each in near] == sorted(
        (each["score"] for each in near), reverse=True)
    assert len(reading.read("/graph/search", q="tide interface", threshold=0, limit=2)[
        "items"]) == 2
    assert reading.read("/graph/search", q="tide interface", threshold=0, project="none")[
        "items"] == []
    for query in ({}, {"q": " "}, {"q": "x", "threshold": 2}):
        assert reading("GET", "/graph/search", params=query).status_code == 400
