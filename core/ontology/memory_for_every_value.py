"""Keeps, for every value in force, a memory that says it, so that an agent can be told of it.

A value that a person or an agent sets has no memory of its own, and only memories are told: by the
walk, by recall, at the start of a session. So each value in force has one: the memory that it
rests on, where that lives and states it, else a derived memory with the value's own id. It is
made, forgotten and brought back in the transaction that changes the value, its aspect or its
entity, whoever wrote that change, and undo takes it back with the rest. (Signet's later
generations do the same for what ontology operations write, with the same marks.)
"""

from collections.abc import Iterable, Sequence

from core.model.memory_text_of_value import DERIVED_HASH, states, worded
from core.model.names import canonical
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Writer

_AT_ONCE = 2_000

_COLUMNS = """
SELECT v.id, v.kind, v.status, v.content, v.memory_id, v.importance, v.confidence, v.created_at,
  v.claim_key, s.name AS aspect, s.status AS aspect_status, e.id AS entity_id, e.name AS entity,
  e.status AS entity_status, own.id AS own_id, own.content AS own_content,
  own.is_deleted AS own_deleted,
  source.id AS source_id, source.content AS source_content,
  source.is_deleted OR source.visibility = 'archived' AS source_gone"""
_AROUND_VALUES = """
LEFT JOIN memories own ON own.id = v.id
LEFT JOIN memories source ON source.id = v.memory_id AND source.id <> v.id
LEFT JOIN entity_aspects s ON s.id = v.aspect_id
LEFT JOIN entities e ON e.id = s.entity_id
WHERE +v.agent_id = :agent AND NOT COALESCE(
  own.id IS NULL AND source.is_deleted = 0 AND COALESCE(source.visibility, '') <> 'archived'
  AND (source.content = v.content OR instr(lower(source.content), lower(v.content))), 0)"""
_VALUES = (f"{_COLUMNS} FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.id = f.value"
           f"{_AROUND_VALUES}")
_NUMBERED = (f"{_COLUMNS} FROM entity_attributes v {_AROUND_VALUES}"
             " AND v.rowid BETWEEN :first AND :last")
"""Values that were inserted many at once, if there is anything to do about them. Nothing is where
another memory states the value and it has none of its own, so the memories are looked at first."""

_OF_ASPECTS = """
SELECT v.id FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.aspect_id = f.value
WHERE +v.agent_id = :agent"""
_OF_ENTITIES = """
SELECT v.id FROM json_each(:ids) f CROSS JOIN entity_aspects s ON s.entity_id = f.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id WHERE +v.agent_id = :agent"""
_OF_MEMORIES = """
SELECT v.id FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.memory_id = f.value
WHERE +v.agent_id = :agent"""
_LEFT_BEHIND = """
SELECT m.id FROM json_each(:ids) f CROSS JOIN memories m ON m.id = f.value
WHERE NOT EXISTS (SELECT 1 FROM entity_attributes v WHERE v.id = m.id)"""


def keep_in_step(writer: Writer, *, moved: bool = False) -> None:
    """Bring the derived memories of all values that the open transaction touched up to date.

    Called once before each commit; what is in order already is not written. A file that does not
    tell apart whose memories are whose gets none for other agents.

    Args:
        moved: the transaction undoes or redoes a step. The memories that the step itself has put
            back stay as it left them, so that it can be moved again, and none is made: after an
            undo all is as it was before.
    """
    if writer.agent != "default" and not writer.has_column("memories", "agent_id"):
        return
    settled = set(writer.journal.keys("memories")) if moved else set()
    ids = sorted(_touched_values(writer) - settled)
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start:start + _AT_ONCE]
        _bring_up_to_date(writer, writer.rows(_VALUES, ids=some), moved)
        for row in writer.rows(_LEFT_BEHIND, ids=some):
            writer.delete_where("memory_entity_mentions", "memory_id = :id", id=row["id"])
            writer.delete_where("memories", "id = :id", id=row["id"])
    for first, last in writer.journal.numbers("entity_attributes"):
        _bring_up_to_date(writer, writer.rows(_NUMBERED, first=first, last=last), moved)


def _bring_up_to_date(writer: Writer, rows: Sequence[Row], moved: bool) -> None:
    untold = [row for row in rows if _is_untold(row)]
    _settle(writer, rows, {row["id"] for row in untold})
    if moved:
        untold = [row for row in untold if row["own_id"] is not None]
    _make(writer, [row for row in untold if row["own_id"] is None])
    _rest_on_own(writer, untold)


def keep_in_step_with_dates(writer: Writer) -> None:
    """The same for a graph that is made from data: each derived memory is as old as its value.

    What is made from the same data twice is then the same, row by row.
    """
    keep_in_step(writer)
    for row in writer.rows(_DERIVED_DATES):
        made = {"created_at": row["created_at"]}
        writer.update_where("memories", "id = :id", {"updated_at": row["created_at"]},
                            id=row["id"])
        writer.update_where("memory_entity_mentions", "memory_id = :id", made, id=row["id"])


def _touched_values(writer: Writer) -> set[str]:
    """The values whose memory may have to change: what they say, where they are, if they count."""
    values = set(writer.journal.keys("entity_attributes", numbered=False))
    for table, columns, statement in _AROUND:
        ids = [key for key, changed in writer.journal.updates(table) if columns & changed]
        values |= {row["id"] for row in writer.rows(statement, ids=ids)} if ids else set()
    return values


_DERIVED_DATES = """
SELECT m.id, m.created_at FROM memories m WHERE m.source_type = 'claim' AND m.agent_id = :agent"""
_AROUND = (
    ("entity_aspects", frozenset({"name", "status", "entity_id"}), _OF_ASPECTS),
    ("entities", frozenset({"name", "status"}), _OF_ENTITIES),
    ("memories", frozenset({"content", "is_deleted", "visibility"}), _OF_MEMORIES),
)
"""What lies around a value, the columns on which its memory depends, and the values that it is
around."""


def _settle(writer: Writer, rows: Iterable[Row], untold: set[str]) -> None:
    """Make the derived memories that values have what they should be."""
    for row in rows:
        if row["own_id"] is None:
            continue
        content, now = wording(row), writer.now()
        if row["id"] not in untold:
            if not row["own_deleted"]:
                writer.update("memories", row["id"], is_deleted=1, deleted_at=now, updated_at=now)
        elif row["own_deleted"] or row["own_content"] != content:
            writer.update("memories", row["id"], content=content, is_deleted=0, deleted_at=None,
                          normalized_content=canonical(content), updated_at=now)


def _rest_on_own(writer: Writer, rows: Iterable[Row]) -> None:
    """Let values without a source rest on their own memories: so a Signet daemon tells them."""
    for row in rows:
        if row["source_id"] is None and row["memory_id"] != row["id"]:
            writer.update("entity_attributes", row["id"], memory_id=row["id"])


def _is_untold(row: Row) -> bool:
    """True of a value in force that needs a memory of its own."""
    in_force = row["status"] == row["aspect_status"] == row["entity_status"] == "active"
    return in_force and not _is_stated(row)


def _is_stated(row: Row) -> bool:
    """True where the memory that the value rests on lives and states it."""
    if row["source_id"] is None or row["source_gone"]:
        return False
    return states(text(row["source_content"]), text(row["content"]))


def wording(row: Row) -> str:
    """What the memory says: whose claim it is, which one, and its value."""
    return worded(text(row["entity"]), text(row["aspect"]), row["claim_key"], text(row["content"]))


def _make(writer: Writer, rows: Sequence[Row]) -> None:
    """Make the derived memories of these values, each with the mention of its entity."""
    now = writer.now()
    writer.insert_many("memories", (
        {"id": row["id"], "agent_id": writer.agent, "content": wording(row), "type": "semantic",
         "normalized_content": canonical(wording(row)), "content_hash": DERIVED_HASH + row["id"],
         "confidence": row["confidence"], "importance": row["importance"],
         # A value belongs to its agent alone, whatever other agents may read of its memories.
         "visibility": "private", "tags": f"semantic,{row['kind']}", "source_type": "claim",
         # Nothing is to be extracted from it: it was made from what is known already.
         "extraction_status": "completed", "is_deleted": 0, "pinned": 0,
         "created_at": row["created_at"], "updated_at": now, "updated_by": writer.actor}
        for row in rows))
    writer.insert_many("memory_entity_mentions", (
        {"memory_id": row["id"], "entity_id": row["entity_id"], "mention_text": row["entity"],
         "confidence": 1.0, "created_at": now} for row in rows))
