"""Reads a claim slot: its versions, authors, evidence and assertions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.errors import OperationError
from core.model.claim import Assertion, Slot, Span, Value, Version
from core.model.names import slot_key
from core.model.proposal import Evidence
from core.model.times import later
from core.queries.authors import author_of
from core.queries.evidence import resolve
from core.queries.rows_to_model import (
    CLAIM_KEY,
    GROUP_KEY,
    MEMORY_VISIBLE,
    VALUE_COLUMNS,
    assertion_of,
    first_text,
    json_array,
    text,
    value_of,
)
from core.store.database import Row
from core.store.handles import Reader

_GROUP = f"{GROUP_KEY} = :group"
_CLAIM = f"(v.claim_key = :claim OR {CLAIM_KEY} = :key)"
_CHAIN = """
v.id IN (
  WITH RECURSIVE chain(id) AS (
    SELECT :attribute
    UNION SELECT o.id FROM chain c CROSS JOIN entity_attributes n ON n.id = c.id
      CROSS JOIN entity_attributes o ON o.version_root_id = COALESCE(n.version_root_id, n.id)
      WHERE o.agent_id = :agent AND +o.aspect_id = :aspect AND +o.kind = :kind
    UNION SELECT o.id FROM chain c CROSS JOIN entity_attributes n ON n.id = c.id
      CROSS JOIN entity_attributes o ON o.id = n.version_root_id
      WHERE +o.agent_id = :agent AND +o.aspect_id = :aspect AND +o.kind = :kind
    UNION SELECT o.id FROM chain c CROSS JOIN entity_attributes n ON n.id = c.id
      CROSS JOIN entity_attributes o ON o.id = n.superseded_by
      WHERE +o.agent_id = :agent AND +o.aspect_id = :aspect AND +o.kind = :kind
    UNION SELECT o.id FROM chain c CROSS JOIN entity_attributes o
      ON o.aspect_id = :aspect AND o.superseded_by = c.id
      WHERE +o.agent_id = :agent AND +o.kind = :kind
  ) SELECT id FROM chain)"""
_RESTORES = """
SELECT r.attribute_id, r.held_from, r.held_until, r.restored_at
FROM json_each(:ids) f CROSS JOIN claim_restores r ON r.attribute_id = f.value
WHERE r.agent_id = :agent ORDER BY r.restored_at, r.rowid"""


def get_value(reader: Reader, attribute_id: str) -> Value | None:
    """One stored value of the agent, whatever its status; None if not found."""
    row = reader.row(
        f"SELECT {VALUE_COLUMNS}, s.entity_id FROM entity_attributes v"
        " LEFT JOIN entity_aspects s ON s.id = v.aspect_id"
        " WHERE v.id = :id AND +v.agent_id = :agent", id=attribute_id)
    return None if row is None else value_of(row, text(row["entity_id"]))


def slot_of(reader: Reader, attribute_id: str) -> Slot:
    """The slot that a value is a version of.

    Raises:
        OperationError: 404 if the agent has no such value.
    """
    value = get_value(reader, attribute_id)
    if value is None:
        raise OperationError(404, f"Claim value not found: {attribute_id}")
    return value.slot


def versions(reader: Reader, slot: Slot) -> tuple[Version, ...]:
    """Every version of the slot, whatever its status, newest first (seed 001, version lineage).

    A row without a claim key has the versions that it is chained to. A slot without claim key
    and without `attribute_id` stands for all such rows of its group.
    """
    where, parameters = _in_slot(slot)
    rows = reader.rows(
        f"SELECT {VALUE_COLUMNS}, p.created_by, p.applied_by,"
        " p.source_kind AS proposal_source, m.who AS memory_who, m.source_type AS memory_source"
        " FROM entity_attributes v"
        " LEFT JOIN ontology_proposals p ON p.id = v.proposal_id AND +p.agent_id = :agent"
        f" LEFT JOIN memories m ON m.id = v.memory_id AND m.id <> v.id AND {MEMORY_VISIBLE}"
        f" WHERE {where}"
        " ORDER BY v.version DESC, v.status = 'active' DESC, v.updated_at DESC, v.rowid",
        **parameters)
    every = [_version(reader, row, slot.entity_id) for row in rows]
    return _with_spans(reader, every)


def _with_spans(reader: Reader, every: Sequence[Version]) -> tuple[Version, ...]:
    """The versions with the times in which each was in force."""
    restores: defaultdict[str, list[Row]] = defaultdict(list)
    for row in reader.rows(_RESTORES, ids=[each.value.id for each in every]):
        restores[row["attribute_id"]].append(row)
    starts = {each.value.id: [each.when, *(text(row["restored_at"]) for row in
                                           restores[each.value.id])] for each in every}
    return tuple(replace(each, spans=_spans(each.value, restores[each.value.id], starts))
                 for each in every)


def _spans(
    value: Value, restores: Sequence[Row], starts: Mapping[str, list[str]]
) -> tuple[Span, ...]:
    """What each restore has written down, and the time since the last one."""
    since = text(restores[-1]["restored_at"]) if restores else value.created_at
    until = ""
    if value.status != "active":
        replaced = (start for start in starts.get(value.superseded_by or "", ())
                    if later(start, since))
        until = next(replaced, "") or value.archived_at or value.updated_at
    # A clock that was set back ends a version before it began.
    return (*(Span(text(row["held_from"]), text(row["held_until"])) for row in restores),
            Span(until if later(since, until) else since, until))


def _in_slot(slot: Slot) -> tuple[str, dict[str, object]]:
    """The WHERE clause that the slot's rows meet, and its parameters."""
    scope = "v.aspect_id = :aspect AND +v.agent_id = :agent AND +v.kind = :kind"
    parameters: dict[str, object] = {"aspect": slot.aspect_id, "kind": slot.kind}
    if slot.claim_key is None and slot.attribute_id:
        return f"{_CHAIN} AND {scope}", {**parameters, "attribute": slot.attribute_id}
    parameters["group"] = slot_key(slot.group_key, "general")
    if slot.claim_key is None:
        return f"{scope} AND {_GROUP} AND COALESCE(v.claim_key, '') = ''", parameters
    return (f"{scope} AND {_GROUP} AND {_CLAIM}",
            {**parameters, "claim": slot.claim_key, "key": slot_key(slot.claim_key)})


def _version(reader: Reader, row: Row, entity_id: str) -> Version:
    value = value_of(row, entity_id)
    who, by = author_of(
        reader.agent, created_by=text(row["created_by"]), applied_by=text(row["applied_by"]),
        sources=(text(value.source_kind), text(row["proposal_source"]),
                 text(row["memory_source"])),
        memory_who=text(row["memory_who"]))
    evidence = _with_memory(value.proposal_evidence, value.memory_id)
    return Version(value, who, by, value.created_at, len(evidence))


def _with_memory(items: Iterable[object], memory_id: str | None) -> list[object]:
    """Evidence and the value's own memory, unless the evidence already quotes it."""
    items = list(items)
    quoted = {first_text(item, "memory_id", "memoryId") for item in items
              if isinstance(item, Mapping)}
    return items if not memory_id or memory_id in quoted else [*items, {"memory_id": memory_id}]


def evidence_of(reader: Reader, attribute_id: str) -> tuple[Evidence, ...]:
    """What a value rests on: the proposal's own words, its evidence, its memory, its source."""
    row = reader.row(
        "SELECT v.proposal_evidence, v.memory_id, v.source_kind, v.source_id, v.source_path,"
        " m.source_path AS memory_path,"
        " p.id AS proposal, p.rationale, p.evidence, p.created_by, p.created_at"
        " FROM entity_attributes v LEFT JOIN ontology_proposals p"
        " ON p.id = v.proposal_id AND p.agent_id = :agent"
        " LEFT JOIN memories m ON m.id = v.memory_id AND m.source_type = v.source_kind"
        f" AND {MEMORY_VISIBLE}"
        " WHERE v.id = :id AND +v.agent_id = :agent", id=attribute_id)
    if row is None:
        return ()
    items = _with_memory(json_array(row["proposal_evidence"]) or json_array(row["evidence"]),
                         row["memory_id"])
    source = {key: row[key] for key in ("source_kind", "source_id", "source_path")}
    source["source_path"] = row["source_path"] or row["memory_path"]
    evidence = resolve(reader, items, source)
    if not text(row["rationale"]).strip():
        return evidence
    why = Evidence("ontology_proposal", text(row["rationale"]).strip(), "", row["proposal"],
                   text(row["created_at"]) or None, text(row["created_by"]))
    return (why, *evidence)


def voices(reader: Reader, slot: Slot) -> tuple[Assertion, ...]:
    """The assertions about any version of the slot, newest first."""
    where, parameters = _in_slot(slot)
    rows = reader.rows(
        "SELECT a.*, e.name AS subject_name FROM entity_attributes v"
        " CROSS JOIN epistemic_assertions a ON a.claim_attribute_id = v.id"
        " JOIN entities e ON e.id = a.subject_entity_id AND e.agent_id = :agent"
        f" WHERE {where} AND a.agent_id = :agent"
        " ORDER BY replace(a.asserted_at, 'T', ' ') DESC, a.created_at DESC, a.rowid",
        **parameters)
    return tuple(assertion_of(row) for row in rows)


def review_dates(reader: Reader, ids: Iterable[str]) -> Mapping[str, str]:
    """After which day each of these values is to be confirmed, where a day was set."""
    rows = reader.rows(
        "SELECT r.id, r.review_after FROM json_each(:ids) f CROSS JOIN claim_reviews r"
        " ON r.id = f.value CROSS JOIN entity_attributes v ON v.id = r.id"
        " WHERE +r.agent_id = :agent AND +v.agent_id = :agent AND +v.status = 'active'",
        ids=list(ids))
    return {row["id"]: text(row["review_after"]) for row in rows}
