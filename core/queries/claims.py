"""Reads a claim slot: its versions, authors, evidence and assertions."""

from collections.abc import Iterable, Mapping

from core.errors import OperationError
from core.model.claims_and_assertions import Assertion, Slot, Value, Version
from core.model.names import slot_key
from core.model.proposal import Evidence
from core.queries.evidence_as_text import resolve
from core.queries.lazy_claim_versions import Lineage, with_memory
from core.queries.rows_to_model import (
    CLAIM_KEY,
    GROUP_KEY,
    MEMORY_VISIBLE,
    VALUE_COLUMNS,
    assertion_of,
    json_array,
    text,
    value_of,
)
from core.store.reader_and_writer import Reader

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
    """Every version of the slot, whatever its status, newest first (seed 001, version lineage)."""
    return tuple(lineage_of(reader, slot))


def lineage_of(reader: Reader, slot: Slot) -> Lineage:
    """The same, each made when it is looked at.

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
    return Lineage(reader, rows, slot.entity_id)


def _in_slot(slot: Slot) -> tuple[str, dict[str, object]]:
    """The WHERE clause that the slot's rows meet, and its parameters."""
    scope = "v.aspect_id = :aspect AND +v.agent_id = :agent AND +v.kind = :kind"
    parameters: dict[str, object] = {"aspect": slot.aspect_id, "kind": slot.kind}
    if slot.claim_key is None and slot.attribute_id:
        return f"{_CHAIN} AND {scope}", {**parameters, "attribute": slot.attribute_id}
    parameters["group"] = slot_key(slot.group_key, "general")
    if slot.claim_key is None:
        return f"{scope} AND {_GROUP} AND COALESCE(v.claim_key, '') = ''", parameters
    # In the order of claims: of an aspect with thousands only the rows of this one are looked at.
    return (f"v.aspect_id = :aspect AND v.agent_id = :agent AND +v.kind = :kind"
            f" AND v.claim_key IS NOT NULL AND {_GROUP} AND {_CLAIM}",
            {**parameters, "claim": slot.claim_key, "key": slot_key(slot.claim_key)})


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
    items = with_memory(json_array(row["proposal_evidence"]) or json_array(row["evidence"]),
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
