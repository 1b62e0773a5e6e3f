"""Finds the values in force that a newer one seems to reverse, while nobody has decided yet.

A dispute is a pending proposal to retire one value for another that is there already, so it ends
with the proposal, or as soon as either of the two is out of force. Of a file from before proposals
it is kept beside the file, and ends with one of the two values alone.
"""

from core.model.dispute import Dispute
from core.model.names import canonical
from core.queries.archived_by_person import is_said_by_person
from core.queries.authors import AGENT, is_import, kind_of
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

OPERATION = "supersede_claim_value"
_VALUES = """
CROSS JOIN entity_attributes o ON o.id = p.older_id
  AND +o.agent_id = :agent AND +o.status = 'active'
CROSS JOIN entity_attributes n ON n.id = p.newer_id
  AND +n.agent_id = :agent AND +n.status = 'active'"""
_BY = """(SELECT COALESCE(w.applied_by, w.created_by) FROM ontology_proposals w
    WHERE w.id = {value}.proposal_id AND +w.agent_id = :agent)"""
_REMEMBERED_BY = "(SELECT r.updated_by FROM memories r WHERE r.id = o.memory_id)"
_COLUMNS = f"""
SELECT p.id AS proposal, o.id AS older_id, o.content AS older, o.memory_id AS older_memory,
  n.id AS newer_id, n.content AS newer, n.memory_id AS newer_memory, n.created_at AS since,
  p.asked_at AS asked, {_BY.format(value='o')} AS older_by,
  COALESCE({_BY.format(value='n')}, (SELECT m.updated_by FROM memories m
    WHERE m.id = n.memory_id)) AS newer_by"""
_PENDING = f"""{_COLUMNS}, {_REMEMBERED_BY} AS older_remembered_by
FROM (SELECT q.id, q.created_at AS asked_at, json_extract(q.payload, '$.attribute_id') AS older_id,
        json_extract(q.payload, '$.superseded_by') AS newer_id
      FROM ontology_proposals q
      WHERE q.agent_id = :agent AND q.status = 'pending' AND +q.operation = :operation
        AND json_valid(q.payload)) p {_VALUES}"""
# Such a file has no place to decide: the older one is marked, whoever said it.
_BESIDE = f"""{_COLUMNS}, NULL AS older_remembered_by
FROM (SELECT '' AS id, asked_at, older_id, newer_id FROM side.disputed_values
      WHERE agent_id = :agent) p {_VALUES}"""
SAID_BY_A_PERSON = "was said by a person"
"""In the rationale of what an agent's memory says of a claim and may not replace."""
# Turned down, it still says otherwise than the person.
_BESIDE_A_PERSON = f"""
SELECT p.id AS proposal, o.id AS older_id, o.content AS older, o.memory_id AS older_memory,
  m.id AS newer_id, json_extract(p.payload, '$.value') AS newer, m.id AS newer_memory,
  m.created_at AS since, p.created_at AS asked, {_BY.format(value='o')} AS older_by,
  {_REMEMBERED_BY} AS older_remembered_by, m.updated_by AS newer_by
FROM ontology_proposals p CROSS JOIN memories m ON m.id = p.source_id
CROSS JOIN entity_attributes o ON o.aspect_id = json_extract(p.payload, '$.aspect')
  AND +o.claim_key = json_extract(p.payload, '$.claim_key')
  AND COALESCE(o.group_key, 'general') = COALESCE(
    json_extract(p.payload, '$.group_key'), 'general')
  AND +o.agent_id = :agent AND +o.status = 'active'
WHERE p.agent_id = :agent AND p.status IN ('pending', 'rejected')
  AND +p.operation = 'set_claim_value' AND +p.source_kind = 'memory'
  AND instr(p.rationale, '{SAID_BY_A_PERSON}') AND json_valid(p.payload)"""
_TURNED_DOWN = """
SELECT o.content AS older, n.id AS newer_id, n.memory_id AS newer_memory
FROM ontology_proposals q
CROSS JOIN entity_attributes o ON o.id = json_extract(q.payload, '$.attribute_id')
  AND +o.agent_id = :agent AND +o.status = 'active'
CROSS JOIN entity_attributes n ON n.id = json_extract(q.payload, '$.superseded_by')
  AND +n.agent_id = :agent AND +n.status = 'superseded'
WHERE q.agent_id = :agent AND q.status = 'rejected' AND +q.operation = :operation
  AND json_valid(q.payload)"""
_ASKED = """
SELECT json_extract(p.payload, '$.attribute_id') AS older,
  json_extract(p.payload, '$.superseded_by') AS newer
FROM ontology_proposals p
WHERE p.agent_id = :agent AND p.operation = :operation AND json_valid(p.payload)"""
_ASKED_BESIDE = """
SELECT older_id AS older, newer_id AS newer FROM side.disputed_values WHERE agent_id = :agent"""


NO_DECISIONS = (
    "This file is from before proposals, so no decision about two values that contradict each other"
    " can be kept in it")
"""Why such a file offers no "Keep both"."""


def keeps_proposals(reader: Reader) -> bool:
    """False of a Signet file from before proposals, whose disputes are kept beside it."""
    return reader.has_column("ontology_proposals", "status")


def asked_before(reader: Reader) -> set[tuple[str, str]]:
    """The pairs, older and newer, that a person was ever asked about."""
    asked = _ASKED if keeps_proposals(reader) else _ASKED_BESIDE
    return {(row["older"], row["newer"]) for row in reader.rows(asked, operation=OPERATION)}


def disputes(reader: Reader) -> dict[str, Dispute]:
    """The disputes that wait for a decision, by the value that is marked and the memory of it.

    The latest where a value has two. Read once after each change of the file that keeps them.
    """
    pending = _PENDING if keeps_proposals(reader) else _BESIDE
    return reader.once(f"disputes of {reader.agent}", lambda: {
        **_beside_a_person(reader), **_read(reader, pending)}, beside=True)


def _beside_a_person(reader: Reader) -> dict[str, Dispute]:
    """By memory of an agent what a person said of the claim that it tells otherwise."""
    rows = reader.rows(_BESIDE_A_PERSON) if keeps_proposals(reader) else ()
    every = ((row["newer_id"], _dispute(reader, row)) for row in rows)
    return {id: one for id, one in every
            if one.stands and canonical(one.newer) != canonical(one.older)}


def _read(reader: Reader, pending: str) -> dict[str, Dispute]:
    rows = sorted(reader.rows(pending, operation=OPERATION),
                  key=lambda row: (text(row["asked"]), row["proposal"]))
    every = ((row, _dispute(reader, row)) for row in rows)
    return {id: one for row, one in every
            for id in _ids(row, "newer" if one.stands else "older") if id}


def _ids(row: Row, which: str) -> tuple[str | None, str]:
    """The memory that says a value, and the value."""
    return row[f"{which}_memory"], row[f"{which}_id"]


def dispute_of(reader: Reader, proposal_id: str) -> Dispute | None:
    """The dispute that a pending proposal asks a person to decide; None for any other proposal."""
    row = reader.row(f"{_PENDING} WHERE p.id = :id", operation=OPERATION, id=proposal_id)
    return None if row is None else _dispute(reader, row)


def turned_down(reader: Reader) -> dict[str, str]:
    """By newer value that a person turned down, and by its memory, the older one that holds."""
    return {id: text(row["older"]) for row in reader.rows(_TURNED_DOWN, operation=OPERATION)
            for id in _ids(row, "newer") if id}


def _dispute(reader: Reader, row: Row) -> Dispute:
    return Dispute(row["older_id"], text(row["older"]), row["newer_id"], text(row["newer"]),
                   text(row["since"]), row["proposal"], _stands(reader, row))


def _stands(reader: Reader, row: Row) -> bool:
    """True where a person said the older value, and an agent the newer one."""
    newer = text(row["newer_by"])
    older = is_said_by_person(row["older_by"], row["older_remembered_by"], reader.agent)
    return (older and not is_import(newer)
            and kind_of(newer, reader.agent) == AGENT)
