"""Finds what an entity that a waiting proposal names has become: it was renamed, or merged."""

from collections.abc import Mapping

from core.model.names import name_key
from core.model.times import later
from core.ontology.operation_catalog import CATALOG
from core.queries.find_by_name_or_id import ID, match_entities
from core.queries.rows_to_model import json_object, text
from core.store.reader_and_writer import Reader

STEPS = 8
"""Renames and merges, one after the other, that are followed."""


def follow(
    reader: Reader, operation: str, payload: Mapping[str, object], since: str
) -> Mapping[str, object]:
    """The payload with the ids of what its entities have become since it was proposed.

    A name that something has now is left as it is, as is one that led nowhere. (The names of
    merged entities are aliases and lead on by themselves.)
    """
    known = CATALOG.get(operation)
    if known is None or operation == "create_entity":
        return payload
    info, fields = known.fields.info, known.fields
    roles = [name for name in (*info.entity, *info.other) if name in fields.model_fields]
    changed = {key: _followed(reader, payload[key], since) for name in roles
               for key in fields.names_of(name) if key in payload}
    return {**payload, **changed}


def _followed(reader: Reader, value: object, since: str) -> object:
    if isinstance(value, list | tuple):
        return [_followed(reader, one, since) for one in value]
    return _now(reader, value, since) if isinstance(value, str) and value.strip() else value


def _now(reader: Reader, selector: str, since: str) -> str:
    now = selector
    for _ in range(STEPS):
        if match_entities(reader, now, ""):
            return now
        after = _merged_into(reader, now) if ID.fullmatch(now) else _renamed(reader, now, since)
        if not after:
            break
        now = after
    return selector


_MERGES = """
SELECT result FROM ontology_proposals WHERE agent_id = :agent AND status = 'applied'
  AND operation = 'merge_entities' AND instr(result, :id) ORDER BY applied_at DESC LIMIT 1"""
_RENAMES = """
SELECT result, applied_at FROM ontology_proposals WHERE agent_id = :agent AND status = 'applied'
  AND operation = 'rename_entity' ORDER BY applied_at DESC"""
_GIVEN_UP = """
SELECT CASE WHEN json_valid(result) THEN json_extract(result, '$.oldName') END AS name
FROM ontology_proposals
WHERE agent_id = :agent AND status = 'applied' AND operation = 'rename_entity'
UNION ALL SELECT json_extract(m.value, '$.entityId') FROM ontology_proposals p,
  json_each(CASE WHEN json_valid(p.result) THEN p.result ELSE '{}' END, '$.mergedEntities') m
WHERE p.agent_id = :agent AND p.status = 'applied' AND p.operation = 'merge_entities'"""


def given_up(reader: Reader) -> frozenset[str]:
    """The keys of names that entities had before, and the ids of those that were merged."""
    return frozenset(name_key(text(row["name"])) for row in reader.rows(_GIVEN_UP))


def _merged_into(reader: Reader, entity_id: str) -> str:
    row = reader.row(_MERGES, id=f'"entityId":"{entity_id}"')
    return text(json_object(row["result"]).get("targetEntityId")) if row else ""


def _renamed(reader: Reader, name: str, since: str) -> str:
    """The id of what was called so when the proposal was made."""
    key = name_key(name)
    for row in reader.rows(_RENAMES):
        result = json_object(row["result"])
        # Of the same millisecond either may be the later one; a name that is there is not followed.
        after = not later(since, row["applied_at"])
        if name_key(text(result.get("oldName"))) == key and after:
            return text(result.get("entityId"))
    return ""
