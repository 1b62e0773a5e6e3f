"""Retires values whose memory was deleted."""

from core.learning.automatic_change_log import record, recorded
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer

BY = "learning:propagation"
ORPHANED = "attribute_orphaned"

_DELETED = """
WITH RECURSIVE owner(name) AS (
  SELECT MIN(o.agent_id) FROM memories o
  UNION ALL
  SELECT (SELECT MIN(o.agent_id) FROM memories o WHERE o.agent_id > owner.name)
  FROM owner WHERE owner.name IS NOT NULL)
SELECT v.id, v.memory_id, v.content FROM entity_attributes v
WHERE v.memory_id IN (SELECT m.id FROM owner
    CROSS JOIN memories m ON m.agent_id = owner.name AND m.is_deleted = 1)
  AND +v.agent_id = :agent AND +v.status = 'active'"""
# Only a foreign file can name a memory that is not there at all.
_GONE = """
SELECT v.id, v.memory_id, v.content FROM entity_attributes v
WHERE v.agent_id = :agent AND v.status = 'active' AND v.memory_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = v.memory_id)"""

_RESTING = """
SELECT v.id, v.memory_id, v.content, v.kind FROM entity_attributes v
WHERE v.memory_id = :memory AND +v.agent_id = :agent AND +v.status = 'active'
UNION
SELECT v.id, v.memory_id, v.content, v.kind FROM entity_attributes v
WHERE v.id = :memory AND +v.agent_id = :agent AND +v.status = 'active'"""


def propagate(writer: Writer) -> int:
    """Retire the agent's values, constraints too, whose memory is deleted; returns how many.

    They are not replaced. A value that a person restored stays.
    """
    return retire(writer, orphans(writer))


def retire_values_of(writer: Writer, memory_id: str) -> int:
    """Retire what rests on a memory that is being forgotten; returns how many."""
    return retire(writer, resting_on(writer, memory_id))


def resting_on(reader: Reader, memory_id: str) -> list[Row]:
    """The agent's active values that rest on a memory."""
    return reader.rows(_RESTING, memory=memory_id)


def retire(writer: Writer, rows: list[Row]) -> int:
    """Supersede values whose memory was deleted, and record it; returns how many."""
    for row in rows:
        writer.update("entity_attributes", row["id"], status="superseded", superseded_by=None,
                      updated_at=writer.now())
        record(writer, ORPHANED, row["id"], old=row["content"], by=BY,
               reason="its memory was deleted",
               metadata={"attribute_id": row["id"], "memory_id": row["memory_id"]})
    return len(rows)


def orphans(reader: Reader) -> list[Row]:
    """The agent's active values whose memory is deleted, without those that a person put back."""
    rows = reader.rows(_DELETED)
    if reader.kind != "native":
        rows += reader.rows(_GONE)
    orphaned = list({row["id"]: row for row in rows}.values())
    done = {item.get("attribute_id") for item in recorded(
        reader, ORPHANED, (row["id"] for row in orphaned))} if orphaned else set()
    return [row for row in orphaned if row["id"] not in done]
