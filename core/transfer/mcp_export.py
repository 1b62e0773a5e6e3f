"""Writes a graph as an MCP memory file: what an import has taken, with the fields it kept."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from core.model.names import slot_key, spoken
from core.model.vocabulary import IMPORTED, OBSERVATIONS, plain_type
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader
from core.transfer.record_field_reader import TIME, TIMES

_ENTITIES = """
SELECT e.id, e.name, e.entity_type, e.created_at FROM entities e
WHERE e.agent_id = :agent AND e.status = 'active'
  AND (:ids IS NULL OR e.id IN (SELECT value FROM json_each(:ids))) ORDER BY e.rowid"""
_VALUES = """
SELECT s.entity_id, s.name AS aspect, v.id, v.claim_key, v.content, v.source_kind
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
WHERE v.agent_id = :agent AND v.status = 'active' AND s.status = 'active'
  AND (:ids IS NULL OR s.entity_id IN (SELECT value FROM json_each(:ids))) ORDER BY v.rowid"""
_LINKS = """
SELECT d.id, d.dependency_type, d.reason, d.source_kind, d.created_at, f.name AS source,
  t.name AS target
FROM entity_dependencies d CROSS JOIN entities f ON f.id = d.source_entity_id
CROSS JOIN entities t ON t.id = d.target_entity_id
WHERE d.agent_id = :agent AND d.status = 'active' AND f.status = 'active'
  AND t.status = 'active' AND f.agent_id = :agent AND t.agent_id = :agent
  AND (:ids IS NULL OR f.id IN (SELECT value FROM json_each(:ids))
    AND t.id IN (SELECT value FROM json_each(:ids))) ORDER BY d.rowid"""
_FIELDS = """
SELECT f.owner_id, f.fields FROM source_fields f WHERE f.agent_id = :agent ORDER BY f.rowid"""

Record = dict[str, Any]


def mcp_records(reader: Reader, ids: Collection[str] | None = None) -> Iterator[Record]:
    """Each active entity of the agent (or these) and each link as a record, in the order written.

    Values are the observations of their entity; one that is not of an import begins with its claim
    or aspect. Fields that an import kept as source data stand where they stood. Names that became
    one come as they were, the observations with the first, and so do relations between them.
    """
    chosen = None if ids is None else sorted(ids)
    fields: defaultdict[str, list[Record]] = defaultdict(list)
    for row in reader.rows(_FIELDS):
        fields[row["owner_id"]].append(json.loads(row["fields"]))
    values: defaultdict[str, list[Row]] = defaultdict(list)
    for row in reader.rows(_VALUES, ids=chosen):
        values[row["entity_id"]].append(row)
    for row in reader.rows(_ENTITIES, ids=chosen):
        observations = [observation(value, fields.get(value["id"])) for value in values[row["id"]]]
        kept = [each for each in fields[row["id"]] if "type" not in each]
        yield from _entity(row, type_of(row, kept), observations, kept)
    for row in reader.rows(_LINKS, ids=chosen):
        yield from relations(row, fields[row["id"]])
    for owner, kept in fields.items():
        if ids is None or owner in ids:
            yield from (each for each in kept if each.get("type") == "relation")


def _entity(
    row: Row, entity_type: str, observations: list[str | Record], kept: list[Record]
) -> Iterator[Record]:
    """An entity as one record, and one more for each that an import has merged into it."""
    head = {"type": "entity", "name": row["name"], "entityType": entity_type}
    rest: Record = {}
    more = []
    for each in kept:
        fits = not each.keys() & {"name", "observations"} and all(
            rest.get(key, value) == value for key, value in each.items())
        if fits:
            rest |= {key: value for key, value in each.items() if key != "entityType"}
        else:
            more.append({**head, "observations": [], **each})
    when = {} if rest.keys() & set(TIMES) else {TIME: row["created_at"]}
    yield {**head, "observations": observations, **when, **rest}
    yield from more


def type_of(row: Row, fields: list[Record]) -> str:
    """An entity's type as an import spelled it, as long as it is still the same type."""
    words = text(row["entity_type"])
    return next((str(each["entityType"]) for each in fields
                 if each.get("entityType") and "name" not in each
                 and plain_type(str(each["entityType"])) == words), words)


def observation(row: Row, fields: list[Record] | None = None) -> str | Record:
    """A value as the file says it, with the fields that an import kept for it."""
    content = text(row["content"])
    listed = not row["claim_key"] and row["aspect"] == OBSERVATIONS
    if row["source_kind"] != IMPORTED and not listed:
        content = f"{spoken(row['claim_key'] or row['aspect'])}: {content}"
    if not fields:
        return content
    rest = {key: value for key, value in fields[0].items() if key}
    name = fields[0].get("", "text")
    return {name: content, **rest} if name else rest


def relations(row: Row, fields: list[Record]) -> Iterator[Record]:
    """A link as one relation for each phrase that shares it."""
    words = spoken(row["dependency_type"])
    if row["dependency_type"] == "related_to" and text(row["reason"]).strip():
        words = text(row["reason"])
    elif row["source_kind"] == IMPORTED:
        words = str(row["dependency_type"])
    ends: Mapping[str, object] = {"type": "relation", "from": row["source"], "to": row["target"]}
    own = [each for each in fields if "relationType" in each]
    rest: Record = {TIME: row["created_at"]}
    for each in fields:
        rest |= {} if "relationType" in each else each
    if not _covers([str(each["relationType"]) for each in own], words, row["dependency_type"]):
        for shared in own:
            words = words.replace(f"; {shared['relationType']}", "")
        yield {**ends, "relationType": words, **rest}
    for shared in own:
        yield {**ends, **{key: value for key, value in shared.items() if value is not None}}


def _covers(own: list[str], words: str, dependency_type: str) -> bool:
    """True if the phrases that an import kept are all that a link says."""
    if dependency_type != "related_to":
        return any(slot_key(each) == slot_key(words) for each in own)
    left = "; ".join(dict.fromkeys(own))
    for each in own:
        words = words.replace(f"; {each}", "")
    return bool(own) and (words in own or left.startswith(words))
