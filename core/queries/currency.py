"""Tells memories that still say something true from those that rest only on what no longer is."""

from core.store.handles import Reader

CURRENT = ("NOT EXISTS (SELECT 1 FROM outdated_memories o"
           " WHERE o.memory_id = m.id AND o.agent_id = :agent)")
"""True of a memory `m` that is not outdated, after `read_outdated`."""
DERIVED = "EXISTS (SELECT 1 FROM entity_attributes d WHERE d.id = m.id)"
"""True of a memory `m` that was made from a value, whose id it has."""

_REFILL = """
INSERT INTO temp.outdated_memories
SELECT DISTINCT o.memory_id, o.agent_id FROM values_out_of_force o
WHERE o.memory_id NOT IN (SELECT v.memory_id FROM values_in_force v)"""


def read_outdated(reader: Reader) -> None:
    """Make `CURRENT` true to the file as it is now; call it before a statement that uses it.

    A native file answers it row by row from its index on `entity_attributes.memory_id`. Signet's
    have none, so there the outdated memories are listed once after each change of the file.
    """
    if reader.kind == "native":
        return
    moment = reader.connection.execute("PRAGMA main.data_version").fetchone()[0]
    changes = reader.connection.total_changes
    if reader.outdated_at == (moment, changes):
        return
    reader.connection.execute("DELETE FROM temp.outdated_memories")
    reader.connection.execute(_REFILL)
    reader.outdated_at = (moment, reader.connection.total_changes)
