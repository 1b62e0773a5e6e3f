"""Keeps every commit's reverse beside the file, so that undo is unlimited and survives a restart.

An entry's steps are always those that, reversed, move it to its other state: undoing records the
steps of the redo in their place.
"""

import json

from core.errors import UndoRefused
from core.model.activity import Activity
from core.store.database import Row
from core.store.handles import Reader, Writer

_NEXT = "(SELECT COALESCE(max(moved), 0) + 1 FROM side.undo_log)"


def record(writer: Writer, label: str, initiator: str) -> int | None:
    """Store what the open transaction's journal holds; returns the entry's number.

    A transaction that changed nothing leaves no entry. What had been undone before can no
    longer be redone in order, and stays listed as abandoned.
    """
    rows = writer.journal.count()
    if not rows:
        return None
    run = writer.connection.execute
    run("UPDATE side.undo_log SET state = 'abandoned' WHERE state = 'undone' AND agent_id = ?",
        (writer.agent,))
    entry = run(
        "INSERT INTO side.undo_log (at, agent_id, label, who, initiator, rows, columns, "
        f"proposal_id, moved) VALUES (?, ?, ?, ?, ?, ?, ?, ?, {_NEXT}) RETURNING id",
        (writer.now(), writer.agent, label, writer.actor, initiator, rows,
         writer.journal.columns(), writer.audit_id)).fetchone()[0]
    _keep_steps(writer, entry)
    return int(entry)


def _keep_steps(writer: Writer, entry: int) -> None:
    writer.connection.execute(
        "INSERT INTO side.undo_steps SELECT ?, seq, tbl, key, before, after FROM temp.journal",
        (entry,))


def find(reader: Reader, states: tuple[str, ...], entry: int | None = None) -> Row | None:
    """The entry to move next (the one moved last), or the given one if its state allows it."""
    return reader.row(
        "SELECT * FROM side.undo_log WHERE agent_id = :agent "
        "AND state IN (SELECT value FROM json_each(:states)) AND (:entry IS NULL OR id = :entry) "
        "ORDER BY moved DESC LIMIT 1", states=states, entry=entry)


def move(writer: Writer, entry: Row, state: str) -> str:
    """Reverse an entry's steps in the open transaction and leave an audit row; returns its label.

    Raises UndoRefused when a row has changed since.
    """
    steps = writer.rows("SELECT * FROM side.undo_steps WHERE log_id = :id ORDER BY seq DESC",
                        id=entry["id"])
    if not steps:
        raise UndoRefused("Nothing was kept of this step", where=entry["label"])
    if writer.kind == "native":
        writer.connection.execute("PRAGMA defer_foreign_keys = ON")
    writer.journal.reverse(steps, json.loads(entry["columns"]))
    run = writer.connection.execute
    run("DELETE FROM side.undo_steps WHERE log_id = ?", (entry["id"],))
    _keep_steps(writer, entry["id"])
    run(f"UPDATE side.undo_log SET state = ?, moved = {_NEXT} WHERE id = ?", (state, entry["id"]))
    word = "undo" if state == "undone" else "redo"
    writer.audit(operation=word, payload={"label": entry["label"], "entry": entry["id"]},
                 rationale=f"{word.capitalize()}: {entry['label']}")
    return str(entry["label"])


def history(reader: Reader, limit: int, offset: int) -> list[Activity]:
    """The agent's entries, newest first."""
    rows = reader.rows(
        "SELECT * FROM side.undo_log WHERE agent_id = :agent ORDER BY id DESC "
        "LIMIT :limit OFFSET :offset", limit=limit, offset=offset)
    return [
        Activity(when=r["at"], label=r["label"], who=r["who"], state=r["state"],
                 undo_id=r["id"], rows=r["rows"], tables=tuple(json.loads(r["columns"])),
                 entity_ids=_entities(reader, r["id"]), proposal_id=r["proposal_id"])
        for r in rows]


def _entities(reader: Reader, entry: int) -> tuple[str, ...]:
    """The first few entities that an entry touched, for the jump from the Activity panel."""
    found = reader.rows(
        "SELECT DISTINCT key FROM side.undo_steps WHERE log_id = :id AND tbl = 'entities' LIMIT 8",
        id=entry)
    return tuple(r["key"].strip("'") for r in found)
