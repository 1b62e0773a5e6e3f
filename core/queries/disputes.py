"""Finds the values in force that a newer one seems to reverse, while nobody has decided yet.

A dispute is a pending proposal to retire one value for another that is there already, so it ends
with the proposal, or as soon as either of the two is out of force.
"""

from core.model.dispute import Dispute
from core.queries.rows import text
from core.store.database import Row
from core.store.handles import Reader

OPERATION = "supersede_claim_value"
_PENDING = """
SELECT p.id AS proposal, o.id AS older_id, o.content AS older, o.memory_id AS memory,
  n.id AS newer_id, n.content AS newer, n.created_at AS since, p.created_at AS asked
FROM (SELECT q.id, q.created_at,
        CASE WHEN json_valid(q.payload) THEN q.payload ELSE '{}' END AS payload
      FROM ontology_proposals q
      WHERE q.agent_id = :agent AND q.status = 'pending' AND +q.operation = :operation) p
CROSS JOIN entity_attributes o ON o.id = json_extract(p.payload, '$.attribute_id')
  AND +o.agent_id = :agent AND +o.status = 'active'
CROSS JOIN entity_attributes n ON n.id = json_extract(p.payload, '$.superseded_by')
  AND +n.agent_id = :agent AND +n.status = 'active'"""
_ASKED = """
SELECT json_extract(p.payload, '$.attribute_id') AS older,
  json_extract(p.payload, '$.superseded_by') AS newer
FROM ontology_proposals p
WHERE p.agent_id = :agent AND p.operation = :operation AND json_valid(p.payload)"""


def asked_before(reader: Reader) -> set[tuple[str, str]]:
    """The pairs, older and newer, that a person was ever asked about."""
    return {(row["older"], row["newer"]) for row in reader.rows(_ASKED, operation=OPERATION)}


def disputes(reader: Reader) -> dict[str, Dispute]:
    """The disputes that wait for a decision, by the older value and by the memory that says it.

    The latest where a value has two.
    """
    rows = sorted(reader.rows(_PENDING, operation=OPERATION),
                  key=lambda row: (text(row["asked"]), row["proposal"]))
    return {id: _dispute(row) for row in rows
            for id in (row["memory"], row["older_id"]) if id}


def dispute_of(reader: Reader, proposal_id: str) -> Dispute | None:
    """The dispute that a pending proposal asks a person to decide; None for any other proposal."""
    row = reader.row(f"{_PENDING} WHERE p.id = :id", operation=OPERATION, id=proposal_id)
    return None if row is None else _dispute(row)


def _dispute(row: Row) -> Dispute:
    return Dispute(row["older_id"], text(row["older"]), row["newer_id"], text(row["newer"]),
                   text(row["since"]), row["proposal"])
