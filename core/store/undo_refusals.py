"""Says why a step can't be taken back or done again, by names and by the steps in the way."""

import sqlite3

from core.errors import UndoRefused
from core.model.wording import one_line
from core.store.database import Row
from core.store.handles import Writer

_NAMED_BY = {"entities": "name", "entity_aspects": "name", "entity_attributes": "content",
             "memories": "content"}
_SPOKEN = {"entities": "the entity", "entity_aspects": "the aspect",
           "entity_attributes": "the value", "memories": "the memory"}
_LONGEST = 60
_TOLD = 5
"""Steps in the way that are named."""


def not_there(row: Row | None, entry: int | None, word: str) -> UndoRefused:
    """Why there is nothing to `undo` or `redo`: no step at all, or not this one.

    Args:
        row: the entry that was asked for, in whatever state; None if there is none such.
    """
    if entry is None:
        return UndoRefused(f"There is nothing to {word}")
    if row is None:
        return UndoRefused(f"There is no step {entry}", do="The history has the numbers")
    done = "undone" if word == "undo" else "done"
    return UndoRefused(f"Step {entry}, “{row['label']}”, is {done} already")


def in_the_way(
    log: sqlite3.Connection, writer: Writer, entry: Row, refused: UndoRefused
) -> UndoRefused:
    """The refusal of an undo, with the row by its name and the later steps that changed it."""
    if refused.row is None:
        return refused
    table, key = refused.row
    later = log.execute(
        "SELECT e.id, e.label FROM entries e WHERE e.agent_id = ? AND e.state = 'done'"
        " AND e.moved > ? AND EXISTS (SELECT 1 FROM steps s WHERE s.entry = e.id"
        " AND s.turn = e.turn AND s.tbl = ? AND s.key = ?) ORDER BY e.moved DESC LIMIT ?",
        (entry["agent_id"], entry["moved"], table, key, _TOLD)).fetchall()
    steps = ", then ".join(f"“{row['label']}” (step {row['id']})" for row in later)
    return UndoRefused(
        refused.what, where=_named(writer, table, key) or refused.where, row=refused.row,
        do=f"Undo {steps} first" if steps else refused.do, detail=refused.detail)


def _named(writer: Writer, table: str, key: str) -> str:
    """`the entity “NAS”`; empty where the row is gone or has no name."""
    column = _NAMED_BY.get(table)
    if column is None:
        return ""
    row = writer.connection.execute(
        f"SELECT {column} FROM main.{table} WHERE id = {key}").fetchone()
    name = one_line(str(row[0] if row else ""), _LONGEST)
    return f"{_SPOKEN[table]} “{name}”" if name else ""
