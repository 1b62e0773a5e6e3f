"""The record of automatic changes, in `automatic_changes`; what happened to a memory itself is in
`memory_history`.

The rows of a change stay when it is undone, like the applied proposal of an operation. They are
also how a pass knows what a person has undone: it does not repeat it.
"""

import json
from collections.abc import Iterable, Mapping

from core.queries.rows_to_model import json_object
from core.store.reader_and_writer import Reader, Writer, new_id

CHANGES, OF_MEMORIES = "automatic_changes", "memory_history"


def record(
    writer: Writer, event: str, subject: str, *, old: str | None = None, new: str | None = None,
    by: str, reason: str, metadata: Mapping[str, object], lasting: bool = True,
) -> str:
    """Write one row about `subject` (an aspect, a value, an entity, the agent); returns its id.

    Args:
        lasting: it stays when the change is undone.
    """
    row = entry(writer, event, subject, old=old, new=new, by=by, reason=reason, metadata=metadata)
    return _insert(writer, CHANGES, row, lasting)


def record_of_memory(
    writer: Writer, event: str, memory_id: str, *, old: str | None = None,
    new: str | None = None, by: str, reason: str, metadata: Mapping[str, object],
    lasting: bool = True,
) -> str:
    """The same about a memory that is in the file."""
    row = entry(writer, event, memory_id, old=old, new=new, by=by, reason=reason,
                metadata=metadata)
    row["memory_id"] = row.pop("subject_id")
    del row["agent_id"]
    return _insert(writer, OF_MEMORIES, row, lasting)


def entry(
    writer: Writer, event: str, subject: str, *, old: str | None = None, new: str | None = None,
    by: str, reason: str, metadata: Mapping[str, object],
) -> dict[str, object]:
    """One row of the record, for where many are written together."""
    return {
        "id": new_id(), "agent_id": writer.agent, "subject_id": subject, "event": event,
        "old_content": old, "new_content": new, "changed_by": by, "reason": reason,
        "metadata": json.dumps(metadata, ensure_ascii=False), "created_at": writer.now()}


def recorded(reader: Reader, event: str, subjects: Iterable[str]) -> list[dict[str, object]]:
    """The metadata of every such row about these subjects, whichever of them are memories; what
    can't be read is left out."""
    rows = reader.rows(
        "SELECT h.metadata FROM automatic_changes h WHERE h.event = :event"
        " AND h.subject_id IN (SELECT value FROM json_each(:subjects)) UNION ALL"
        " SELECT h.metadata FROM memory_history h WHERE h.event = :event"
        " AND h.memory_id IN (SELECT value FROM json_each(:subjects))",
        event=event, subjects=sorted(set(subjects)))
    return [metadata for row in rows if (metadata := json_object(row["metadata"]))]


def _insert(writer: Writer, table: str, row: Mapping[str, object], lasting: bool) -> str:
    writer.insert(table, **row)
    id = str(row["id"])
    if lasting:
        writer.keep_when_undone(table, id)
    return id
