"""A bounded part of the graph as a dashboard asks for it: its entities with their best values."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from core.model.proposal import Proposal
from core.model.text_formatting import one_line
from core.queries.rows_to_model import json_array, text, whole
from core.review.proposal_queue import PREVIEW, list_proposals
from core.store.database import Row
from core.store.reader_and_writer import Reader

Json = dict[str, Any]

ENTITIES, ASPECTS, ATTRIBUTES, LINKS = 150, 6, 4, 500
"""How much there is unless it is asked for: entities, aspects of each, values of each, links."""
MOST = {"entities": 300, "aspects": 25, "attributes": 250, "links": 2000}
"""The most of each."""
PROPOSALS = 80
"""The newest pending proposals."""
RECENT_DAYS = 7

_TOPOLOGY = ("source_document", "source_document_reference", "source_folder", "chunk_group")
"""Types of entities that only say how imported sources are laid out."""
_ENTITIES = """
SELECT e.id, e.name, e.entity_type, e.mentions, e.pinned, e.muted, e.status, e.proposal_id
FROM entities e WHERE e.agent_id = :agent AND e.status = 'active'
  AND e.entity_type NOT IN (SELECT value FROM json_each(:topology))
  AND NOT (e.entity_type = 'source' AND COALESCE(e.source_root, '') <> '')
  AND (e.mentions > 0 OR e.pinned = 1
    OR EXISTS (SELECT 1 FROM entity_aspects s WHERE s.entity_id = e.id AND +s.status = 'active')
    OR EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.source_entity_id = e.id
               AND +d.agent_id = :agent AND +d.status = 'active')
    OR EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.target_entity_id = e.id
               AND +d.agent_id = :agent AND +d.status = 'active'))
ORDER BY e.pinned DESC, e.mentions DESC, e.name, e.id LIMIT :entities"""
_ASPECTS = """
SELECT * FROM (
  SELECT s.id, s.entity_id, s.name, s.weight, s.status, s.proposal_id, ROW_NUMBER() OVER (
    PARTITION BY s.entity_id ORDER BY s.weight DESC, s.name, s.id) AS place
  FROM json_each(:ids) f CROSS JOIN entity_aspects s ON s.entity_id = f.value
  WHERE +s.agent_id = :agent AND +s.status = 'active')
WHERE place <= :aspects ORDER BY entity_id, place"""
_ATTRIBUTES = """
SELECT v.* FROM (
  SELECT v.id, ROW_NUMBER() OVER (
    PARTITION BY v.aspect_id ORDER BY v.importance DESC, v.id) AS place
  FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.aspect_id = f.value
  WHERE +v.agent_id = :agent AND +v.status = 'active') best
CROSS JOIN entity_attributes v ON v.id = best.id
WHERE best.place <= :attributes AND v.agent_id = :agent ORDER BY v.aspect_id, best.place"""
_LINKS = """
SELECT d.source_entity_id, d.target_entity_id, d.dependency_type, d.strength, d.status,
  d.proposal_id, d.proposal_evidence
FROM json_each(:ids) f CROSS JOIN entity_dependencies d ON d.source_entity_id = f.value
WHERE +d.agent_id = :agent AND +d.status = 'active'
  AND d.target_entity_id IN (SELECT value FROM json_each(:ids))
ORDER BY d.strength DESC, d.id LIMIT :links"""
_COUNTS = """
SELECT COALESCE(SUM(status = 'pending'), 0) AS pending,
  COALESCE(SUM(status = 'applied' AND replace(updated_at, 'T', ' ') >= :since), 0) AS applied,
  COALESCE(SUM(status = 'failed' AND replace(updated_at, 'T', ' ') >= :since), 0) AS failed
FROM ontology_proposals WHERE agent_id = :agent"""
_STATE = "SELECT * FROM dreaming_state WHERE agent_id = :agent"
_PASS = """
SELECT * FROM dreaming_passes WHERE agent_id = :agent
ORDER BY replace(created_at, 'T', ' ') DESC, id LIMIT 1"""


def dashboard(
    reader: Reader, *, entities: int = ENTITIES, aspects: int = ASPECTS,
    attributes: int = ATTRIBUTES, links: int = LINKS,
) -> Json:
    """Entities with their aspects and values, links, proposals and numbers, in a few statements.

    In upstream's shape (§l.1), pinned entities first, then those mentioned most. Where a file has
    them, the numbers tell of the last `dreaming` pass with its summary. Of this agent alone: what
    others share upstream shows as well.
    """
    rows = reader.rows(_ENTITIES, topology=list(_TOPOLOGY), entities=entities)
    ids = [row["id"] for row in rows]
    aspect_rows = reader.rows(_ASPECTS, ids=ids, aspects=aspects)
    values = _grouped(reader.rows(_ATTRIBUTES, ids=[row["id"] for row in aspect_rows],
                                  attributes=attributes), "aspect_id")
    by_entity = _grouped(aspect_rows, "entity_id")
    waiting = list_proposals(reader, limit=PROPOSALS) if ids else ()
    return {
        "entities": [_entity(row, [_aspect(each, values.get(each["id"], ()))
                                   for each in by_entity.get(row["id"], ())]) for row in rows],
        "dependencies": [_link(row) for row in reader.rows(_LINKS, ids=ids, links=links)],
        "proposals": [_proposal(each, frozenset(ids)) for each in waiting],
        "metadata": {"dreaming": _dreaming(reader), "proposals": _counts(reader)},
    }


def _grouped(rows: Iterable[Row], key: str) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row)
    return groups


def _entity(row: Row, aspects: Sequence[Json]) -> Json:
    return {"id": row["id"], "name": text(row["name"]), "entityType": text(row["entity_type"]),
            "mentions": whole(row["mentions"]), "pinned": bool(row["pinned"]),
            "muted": bool(row["muted"]), "status": text(row["status"]),
            "proposalId": row["proposal_id"], "aspects": list(aspects)}


def _aspect(row: Row, values: Iterable[Row]) -> Json:
    return {"id": row["id"], "name": text(row["name"]), "weight": row["weight"],
            "status": text(row["status"]), "proposalId": row["proposal_id"],
            "attributes": [_value(value) for value in values]}


def _value(row: Row) -> Json:
    return {"id": row["id"], "content": text(row["content"]), "kind": text(row["kind"]),
            "importance": row["importance"], "confidence": row["confidence"],
            "memoryId": row["memory_id"], "status": text(row["status"]),
            "version": whole(row["version"]), "versionRootId": row["version_root_id"],
            "previousAttributeId": row["previous_attribute_id"], "groupKey": row["group_key"],
            "claimKey": row["claim_key"], "sourceKind": row["source_kind"],
            "sourcePath": row["source_path"], "proposalId": row["proposal_id"],
            "proposalEvidenceCount": len(json_array(row["proposal_evidence"]))}


def _link(row: Row) -> Json:
    return {"sourceEntityId": row["source_entity_id"], "targetEntityId": row["target_entity_id"],
            "dependencyType": text(row["dependency_type"]), "strength": row["strength"],
            "status": text(row["status"]), "proposalId": row["proposal_id"],
            "proposalEvidenceCount": len(json_array(row["proposal_evidence"]))}


def _proposal(proposal: Proposal, shown: frozenset[str]) -> Json:
    words = _first(proposal.payload, "value", "content", "name", "target", "reason")
    return {"id": proposal.id, "operation": proposal.operation,
            "confidence": proposal.confidence, "rationale": proposal.rationale,
            "evidenceCount": len(proposal.evidence), "sourceKind": proposal.source_kind,
            "sourcePath": proposal.source_path, "updatedAt": proposal.updated_at,
            "targetEntityId": proposal.target_id if proposal.target_id in shown else None,
            "targetEntityName": proposal.target_name or None,
            "targetAspectName": _first(proposal.payload, "aspect", "target_aspect", "aspect_name")
            or None,
            "preview": one_line(words, PREVIEW, "...")}


def _first(payload: Mapping[str, object], *names: str) -> str:
    """The first of these fields that is a text."""
    return next((value for name in names
                 if isinstance(value := payload.get(name), str) and value.strip()), "")


def _counts(reader: Reader) -> Json:
    since = datetime.now(UTC) - timedelta(days=RECENT_DAYS)
    row = reader.row(_COUNTS, since=f"{since:%Y-%m-%d %H:%M:%S}")
    assert row is not None
    return {"pending": row["pending"], "appliedRecent": row["applied"],
            "failedRecent": row["failed"]}


def _dreaming(reader: Reader) -> Json:
    state = reader.row(_STATE) if reader.has_table("dreaming_state") else None
    latest = reader.row(_PASS) if reader.has_table("dreaming_passes") else None
    return {
        "tokensPending": whole(state["tokens_since_last_pass"]) if state else 0,
        "consecutiveFailures": whole(state["consecutive_failures"]) if state else 0,
        "lastPassAt": state["last_pass_at"] if state else None,
        "lastPassId": state["last_pass_id"] if state else None,
        "lastPassMode": state["last_pass_mode"] if state else None,
        "latestPass": _pass(latest) if latest else None}


def _pass(row: Row) -> Json:
    return {"id": row["id"], "mode": text(row["mode"]), "status": text(row["status"]),
            "startedAt": row["started_at"], "completedAt": row["completed_at"],
            "tokensConsumed": row["tokens_consumed"],
            "mutationsApplied": row["mutations_applied"],
            "mutationsSkipped": row["mutations_skipped"],
            "mutationsFailed": row["mutations_failed"], "summary": row["summary"],
            "error": row["error"], "createdAt": row["created_at"]}
