"""Each endpoint answers in upstream's shape, and refuses as it must."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from core.extraction.config import ExtractionSettings
from tests.explorer.http.callers import AGENT, OWN, PERSON, Caller, caller_of

app = pytest.importorskip("explorer.http.app")

CLAIM = {"entity": "Harbor Ledger", "aspect": "Schedule", "group": "nightly",
         "claim": "start_time"}
CREATE = {"operation": "create_entity", "payload": {"name": "Night Ferry"}}
LISTED = {"items", "limit", "offset"}
NEAR = {"nodes", "edges", "leftOut"}
PROPOSAL = {
    "id", "agentId", "operation", "status", "payload", "confidence", "rationale", "evidence",
    "risk", "sourceKind", "sourceId", "sourcePath", "sourceRoot", "createdBy", "appliedBy",
    "rejectedBy", "result", "createdAt", "updatedAt", "appliedAt", "rejectedAt"}
ENTITY = {"entity", "aspectCount", "attributeCount", "constraintCount", "dependencyCount"}
DETAIL = ENTITY | {"structuralDensity", "incomingDependencyCount", "outgoingDependencyCount"}
VALUE = {"id", "content", "kind", "status", "version", "groupKey", "claimKey", "memoryId",
         "importance", "confidence", "createdAt", "updatedAt"}
ASSERTION = {
    "id", "agentId", "subjectEntityId", "subjectEntityName", "claimAttributeId", "predicate",
    "content", "normalizedContent", "speaker", "assertedAt", "confidence", "evidence",
    "sourceKind", "sourceId", "sourcePath", "sourceRoot", "status", "supersedesAssertionId",
    "archivedAt", "archivedBy", "archiveReason", "createdBy", "createdAt", "updatedAt"}
SAID = {"entity": "Harbor Ledger", "predicate": "observed", "content": "It ran at seven",
        "evidence": [{"quote": "ran at seven"}]}
RECALL = {"hits", "fits", "notes", "timedOut", "walk", "partial", "missing"}


@dataclass(frozen=True)
class Case:
    """A request that works in the world, and what its answer has.

    Attributes:
        ask: path parameters, and the query or the body.
        keys: of the answer.
        item: keys of each of its items.
    """

    ask: dict[str, Any] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    item: set[str] = field(default_factory=set)
    statuses: tuple[int, ...] = (200,)


CASES: dict[str, Case] = {
    "GET /api/knowledge/diff": Case({"from": "2020"}, {
        "from", "to", "agent", "withAgent", "counts", "items"}),
    "GET /api/knowledge/diff/agents": Case({"withAgent": "rival"}, {
        "from", "to", "agent", "withAgent", "counts", "items"}, {
        "what", "change", "entityId", "entityName", "where", "before", "after", "otherId"}),
    "GET /api/inbox": Case({"since": "2026-01-01"}, {"items", "since", "partial", "count"}),
    "GET /api/expectations": Case({}, {"items", "count"}),
    "GET /api/expectations/check": Case({}, {"items", "checked", "failed"}),
    "GET /api/knowledge/hygiene": Case({"kind": "no_facts"}, {"findings", "counts"}),
    "GET /api/knowledge/stats": Case({}, {
        "entityCount", "aspectCount", "attributeCount", "constraintCount", "dependencyCount",
        "unassignedMemoryCount", "coveragePercent", "feedbackUpdatedAspectCount",
        "averageAspectWeight", "maxWeightAspectCount", "minWeightAspectCount"}),
    "GET /api/knowledge/communities": Case({}, {"items", "count"}),
    "GET /api/doctor": Case({}, {"versions", "notLoaded", "data", "file"}),
    "GET /api/knowledge/entities/health": Case({"min_comparisons": 1}),
    "GET /api/knowledge/entities/{id}/health": Case({"id": "e-harbor"}, {
        "entityId", "entityName", "comparisonCount", "winRate", "avgMargin", "trend", "history",
        "feedback"}),
    "GET /api/knowledge/entities": Case({"q": "ledger"}, LISTED, ENTITY),
    "GET /api/knowledge/navigation/entities": Case({"type": "tool"}, LISTED, ENTITY),
    "GET /api/knowledge/navigation/entity": Case({"name": "harbor ledger"}, DETAIL),
    "GET /api/knowledge/navigation/tree": Case(
        {"entity": "Harbor Ledger"}, {"entity", "items"},
        {"aspect", "attributeCount", "constraintCount", "groupCount", "claimCount", "groups"}),
    "GET /api/knowledge/navigation/aspects": Case(
        {"entity": "Harbor Ledger"}, {"entity", "items"},
        {"aspect", "attributeCount", "constraintCount"}),
    "GET /api/knowledge/navigation/groups": Case(
        {"entity": "Harbor Ledger", "aspect": "Schedule"}, {"entity", "aspect", "items"},
        {"groupKey", "attributeCount", "constraintCount", "claimCount", "latestUpdatedAt"}),
    "GET /api/knowledge/navigation/claims": Case(
        {"entity": "Harbor Ledger", "aspect": "Schedule", "group": "nightly"},
        {"entity", "aspect", "items"},
        {"claimKey", "groupKey", "attributeCount", "constraintCount", "activeCount",
         "supersededCount", "latestUpdatedAt", "preview"}),
    "GET /api/knowledge/navigation/attributes": Case(
        CLAIM, {"entity", "aspect", *LISTED}, VALUE),
    "GET /api/knowledge/entities/pinned": Case({}, set(), {"id", "name", "pinnedAt"}),
    "GET /api/knowledge/entities/{id}": Case({"id": "e-harbor"}, DETAIL),
    "GET /api/knowledge/entities/{id}/aspects": Case(
        {"id": "e-harbor"}, {"items"}, {"aspect", "attributeCount", "constraintCount"}),
    "GET /api/knowledge/entities/{id}/aspects/{aspectId}/attributes": Case(
        {"id": "e-harbor", "aspectId": "a-schedule"}, LISTED, VALUE),
    "GET /api/knowledge/entities/{id}/dependencies": Case({"id": "e-harbor"}, {"items"}, {
        "id", "direction", "dependencyType", "strength", "confidence", "reason", "aspectId",
        "sourceEntityId", "sourceEntityName", "targetEntityId", "targetEntityName", "createdAt",
        "updatedAt"}),
    "POST /api/knowledge/entities/{id}/pin": Case({"id": "e-harbor"}, {"pinned", "pinnedAt"}),
    "DELETE /api/knowledge/entities/{id}/pin": Case({"id": "e-anna"}, {"pinned"}),
    "GET /api/knowledge/traversal/status": Case({}, {"status"}),
    "POST /api/knowledge/traverse": Case({"query": "When does the Harbor Ledger run start?"}, {
        "focal", "constraints", "memories", "focalEntityIds", "memoryIds", "partial", "missing"}),
    "GET /api/knowledge/constellation": Case(
        {"limit": 10}, {"entities", "dependencies", "proposals", "metadata"}),
    "POST /api/knowledge/expand": Case({"entity": "Harbor Ledger"}, {
        "entity", "constraints", "aspects", "dependencies", "memoryCount", "memories"}),
    "POST /api/knowledge/expand/session": Case(
        {"entityName": "Harbor Ledger"}, {"entityName", "summaries", "total"}),
    "GET /api/embeddings/projection": Case({}, {"status", "dimensions"}, statuses=(200, 202)),
    "POST /api/ontology/operations/apply": Case(
        CREATE, {"proposal", "result", "dryRun", "proposed"}),
    "POST /api/ontology/operations/batch": Case(
        {"operations": [CREATE]}, {"items", "count", "dryRun", "proposed"}),
    "GET /api/ontology/proposals": Case({"status": "pending"}, LISTED, PROPOSAL),
    "GET /api/ontology/proposals/conflicts": Case({}, {"items", "count"}),
    "GET /api/ontology/proposals/{id}": Case({"id": "p-1"}, PROPOSAL),
    "GET /api/ontology/proposals/{id}/evidence": Case(
        {"id": "p-1"}, {"proposal", "items", "count"}),
    "POST /api/ontology/proposals": Case(CREATE, PROPOSAL),
    "POST /api/ontology/proposals/batch": Case({"proposals": [CREATE]}, {"items", "count"},
                                               PROPOSAL),
    "POST /api/ontology/proposals/{id}/apply": Case({"id": "p-1"}, PROPOSAL),
    "POST /api/ontology/proposals/{id}/reject": Case({"id": "p-1", "reason": "no"}, PROPOSAL),
    "GET /api/ontology/claims/evidence": Case(CLAIM, {"items", "count"}, VALUE | {"evidence"}),
    "GET /api/ontology/claims/versions": Case(CLAIM, {"items", "count"}, {
        "id", "version", "versionRootId", "previousAttributeId", "content", "status",
        "confidence", "proposalId", "sourceKind", "sourceId", "sourcePath", "createdAt",
        "updatedAt"}),
    "GET /api/ontology/claims/version": Case({**CLAIM, "version": 1}, {"id", "version", "content"}),
    "GET /api/ontology/links/{id}/evidence": Case({"id": "d-uses"}, {"link", "items", "count"}),
    "GET /api/ontology/merge-plan": Case(
        {"target": "Tide API", "source": "Tides API"},
        {"target", "sources", "claims", "same", "warnings"}),
    "GET /api/ontology/two-values": Case({"id": "v-seven", "other": "v-raw"}, {
        "entityId", "entityName", "where", "proposalId", "first", "second", "combined"}),
    "POST /api/ontology/two-values/settle": Case(
        {"id": "v-seven", "other": "v-raw", "decision": "combined", "value": "seven, then hourly"},
        {"decision", "first", "second"}),
    "POST /api/ontology/proposals/repair/duplicates": Case(
        {}, {"items", "proposals", "count", "writtenCount", "dryRun"}),
    "POST /api/ontology/proposals/repair/merge-plan": Case(
        {"target_entity": "Tide API", "source_entities": ["Tides API"]},
        {"target", "sources", "warnings", "blocked", "risk", "impact", "dryRun"}),
    "POST /api/ontology/extract": Case(
        {"from": "memory:m-1"}, {"items", "count", "writtenCount", "assertions", "dryRun",
                                 "extractionMode", "providerName", "warnings", "questions"}),
    "POST /api/ontology/consolidate": Case({}, {"items", "count", "writtenCount", "dryRun"}),
    "GET /api/ontology/reviews": Case({"due": "true"}, {"items", "count"}),
    "GET /api/ontology/entities/{id}/aliases": Case(
        {"id": "e-tide"}, {"items", "count"}, {"id", "entityId", "alias", "status"}),
    "GET /api/ontology/assertions": Case(
        {"entity": "Harbor Ledger", "status": "all"}, {"items", "count"}, ASSERTION),
    "GET /api/ontology/assertions/{id}": Case({"id": "s-eight"}, ASSERTION),
    "POST /api/ontology/assertions": Case(SAID, ASSERTION, statuses=(201,)),
    "POST /api/ontology/assertions/{id}/link-claim": Case(
        {"id": "s-eight", "attribute_id": "v-raw"}, ASSERTION),
    "POST /api/ontology/assertions/{id}/archive": Case(
        {"id": "s-eight", "reason": "wrong"}, ASSERTION),
    "POST /api/ontology/assertions/{id}/restore": Case({"id": "s-old"}, ASSERTION),
    "POST /api/ontology/assertions/{id}/supersede": Case(
        {"id": "s-eight", "content": "nine"}, ASSERTION),
    "POST /api/ontology/assertions/{id}/promote": Case({"id": "s-eight"}, ASSERTION),
    "POST /api/memory/recall": Case({"query": "When does the run start?"}, RECALL),
    "GET /api/memory/asked": Case({"limit": 5}, {"items", "count"}),
    "GET /api/memory/search": Case({"q": "When does the run start?"}, RECALL),
    "POST /api/memory/remember": Case({"content": "The ferry is blue."}, {"memoryId",
                                                                          "duplicate"}),
    "GET /graph/neighborhood/{entityId}": Case(
        {"entityId": "e-harbor", "depth": 1}, {"entity", "neighborhood"}),
    "GET /graph/search": Case({"q": "tides", "threshold": 0.1}, {"items", "count"},
                              {"id", "name", "type", "mention_count", "score"}),
    "POST /graph/neighbors": Case({"entityIds": ["e-harbor", "e-anna"]}, NEAR),
}
ENDPOINTS = {f"{each.method} {each.path}": each for each in app.ENDPOINTS}
EVERY = pytest.mark.parametrize("name", ENDPOINTS)


def ask(caller: Caller, name: str, given: dict[str, Any], **rest: Any) -> Any:
    """The response to a request of one endpoint."""
    endpoint = ENDPOINTS[name]
    path = endpoint.path
    for part in endpoint.in_path:
        path = path.replace(f"{{{part}}}", str(given[part]))
    others = {key: value for key, value in given.items() if key not in endpoint.in_path}
    if endpoint.method == "POST":
        return caller("POST", path, others, **rest)
    return caller(endpoint.method, path, params=others or None, **rest)


def test_every_endpoint_is_tried_here() -> None:
    assert set(CASES) == set(ENDPOINTS)


@pytest.mark.parametrize("name", [name for name, each in ENDPOINTS.items()
                                  if each.needs == "recall"])
def test_what_is_read_has_the_shape(reading: Caller, name: str) -> None:
    check_shape(ask(reading, name, CASES[name].ask), CASES[name])


@pytest.mark.parametrize("name", [name for name, each in ENDPOINTS.items()
                                  if each.needs == "modify"])
def test_what_changes_something_has_the_shape(caller: Caller, name: str) -> None:
    check_shape(ask(caller, name, CASES[name].ask, headers=PERSON), CASES[name])


def check_shape(response: Any, case: Case) -> None:
    """The answer has at least the fields that upstream's has."""
    assert response.status_code in case.statuses, response.text
    assert response.headers["content-type"] == "application/json"
    answer = response.json()
    assert case.keys <= set(answer if isinstance(answer, dict) else ())
    if case.item:
        items = answer["items"] if isinstance(answer, dict) else answer
        assert items
        for item in items:
            assert case.item <= set(item)


@EVERY
@pytest.mark.parametrize("token", ["", "cst_guessed", OWN[:-1]])
def test_without_a_token_that_holds_nothing_is_told(reading: Caller, name: str, token: str) -> None:
    response = ask(reading, name, CASES[name].ask, token=token)
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"
    assert set(response.json()) == {"error", "do"}
    assert ("is needed" if not token else "is not known") in response.json()["error"]


@EVERY
def test_a_token_to_recall_changes_nothing(
    reading: Caller, name: str, recall_token: str
) -> None:
    response = ask(reading, name, CASES[name].ask, token=recall_token)
    needed = ENDPOINTS[name].needs
    assert (response.status_code == 403) == (needed == "modify")
    assert (response.status_code in CASES[name].statuses) == (needed == "recall")


@EVERY
def test_what_is_not_known_is_refused_by_its_name(reading: Caller, name: str) -> None:
    if name == "POST /api/memory/remember":
        pytest.skip("it takes what other programs send")
    response = ask(reading, name, {**CASES[name].ask, "nonsense": "1"}, headers=AGENT)
    assert response.status_code == 400
    assert "nonsense is not known" in response.json()["error"]


@EVERY
def test_another_agent_is_not_read(reading: Caller, name: str) -> None:
    given = {**CASES[name].ask, "agent_id": "rival"}
    assert ask(reading, name, given, headers=AGENT).status_code == 403


@EVERY
def test_it_is_described_with_an_example_that_works(reading: Caller, name: str) -> None:
    endpoint = ENDPOINTS[name]
    document = reading.read("/openapi.json")
    described = document["paths"][endpoint.path][endpoint.method.lower()]
    assert described["summary"] == endpoint.description
    assert set(endpoint.in_path) <= {each["name"] for each in described["parameters"]}
    assert set(endpoint.example) <= set(endpoint.input_schema()["properties"])
    assert {"200", "400", "401", "403", "413"} <= set(described["responses"])
    if endpoint.takes_body:
        assert described["requestBody"]["content"]["application/json"]["example"] is not None


@pytest.mark.parametrize("kind", ["signet-030", "signet-071"])
def test_files_of_signet_are_answered_by_every_endpoint(tmp_path: Path, kind: str) -> None:
    with caller_of(tmp_path, kind) as caller:
        for name, case in CASES.items():
            response = ask(caller, name, case.ask, headers=PERSON)
            assert response.status_code < 500, (name, response.text)
            if ENDPOINTS[name].needs == "recall" and kind == "signet-071":
                assert response.status_code in (*case.statuses, 404), (name, response.text)


def test_a_file_that_may_not_be_written_yet_says_so(tmp_path: Path) -> None:
    with caller_of(tmp_path, "signet-071") as caller:
        with caller.graph() as graph:
            graph.sidecar.remember("allowed", "no")
        response = caller("POST", "/api/knowledge/entities/e-harbor/pin", headers=PERSON)
        assert response.status_code == 403
        assert caller("GET", "/api/knowledge/entities").status_code == 200


def test_two_values_are_settled_by_a_person_only(caller: Caller) -> None:
    ids = {"id": "v-raw", "other": "v-seven"}
    settle = "/api/ontology/two-values/settle"
    caller.send(settle, {**ids, "decision": "first"}, AGENT, 403)
    caller.send(settle, {**ids, "decision": "combined"}, status=400)
    done = caller.send(settle, {**ids, "decision": "assertions"})
    assert done["second"]["content"] == "seven"
    said = caller.read("/api/ontology/assertions")["items"]
    assert {"hourly", "seven"} <= {one["content"] for one in said}
    caller.send(settle, {**ids, "decision": "first"}, status=404)
    two_entities = {"id": "v-limit", "other": "v-limits", "decision": "first"}
    caller.send(settle, two_entities, status=404)


def test_a_request_bounds_how_long_the_provider_may_take_and_answer() -> None:
    extraction = pytest.importorskip("explorer.http.extract_and_consolidate")
    usual = ExtractionSettings()
    asked = extraction.Extracting.model_validate(
        {"from": "memory:m-1", "provider_timeout_ms": 1500, "provider_max_tokens": 10**9})
    bounded = asked.provider(usual)
    assert (bounded.timeout_s, bounded.max_tokens) == (1.5, 100_000)
    assert extraction.Extracting.model_validate({"from": "memory:m-1"}).provider(usual) == usual


def test_only_what_waits_is_folded(caller: Caller) -> None:
    path = "/api/ontology/consolidate"
    assert caller("POST", path, {"status": "pending"}, headers=PERSON).status_code == 200
    assert caller("POST", path, {"status": "applied"}, headers=PERSON).status_code == 400
