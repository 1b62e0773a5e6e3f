"""The record of automatic changes, in `memory_history`.

The rows of a change stay when it is undone, like the applied proposal of an operation. They are
also how a pass knows what a person has undone: it does not repeat it.
"""

import json
from collections.abc import Iterable, Mapping

from core.queries.rows import json_object
from core.store.handles import Reader, Writer, new_id


def record(
    writer: Writer, event: str, subject: str, *, old: str | None = None, new: str | None = None,
    by: str, reason: str, metadata: Mapping[str, object], lasting: bool = True,
) -> str:
    """Write one row about `subject` (a memory, or what has none); returns its id.

    Args:
        lasting: it stays when the change is undone.
    """
    row = entry(writer, event, subject, old=old, new=new, by=by, reason=reason, metadata=metadata)
    writer.insert("memory_history", **row)
    id = str(row["id"])
    if lasting:
        writer.journal.forget("memory_history", (id,))
    return id


def entry(
    writer: Writer, event: str, subject: str, *, old: str | None = None, new: str | None = None,
    by: str, reason: str, metadata: Mapping[str, object],
) -> dict[str, object]:
    """One row of the record, for where many are written together."""
    return {
        "id": new_id(), "memory_id": subject, "event": event, "old_content": old,
        "new_content": new, "changed_by": by, "reason": reason,
        "metadata": json.dumps(metadata, ensure_ascii=False), "created_at": writer.now()}


def recorded(reader: Reader, event: str, subjects: Iterable[str]) -> list[dict[str, object]]:
    """The metadata of every such row about these subjects; what can't be read is left out."""
    rows = reader.rows(
        "SELECT h.metadata FROM memory_history h WHERE h.event = :event"
        " AND h.memory_id IN (SELECT value FROM json_each(:subjects))",
        event=event, subjects=sorted(set(subjects)))
    return [metadata for row in rows if (metadata := json_object(row["metadata"]))]
