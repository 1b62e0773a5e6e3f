"""Finds the values that rest on some memories, in any generation of the file."""

from core.store.reader_and_writer import Reader

_LIST = (
    "CREATE TEMP TABLE IF NOT EXISTS resting_values (memory_id TEXT NOT NULL,"
    " place INTEGER NOT NULL, PRIMARY KEY (memory_id, place)) WITHOUT ROWID",
    "DELETE FROM temp.resting_values",
    "INSERT INTO temp.resting_values SELECT v.memory_id, v.rowid FROM {values} v"
    " WHERE v.memory_id IS NOT NULL")


def resting_on(reader: Reader, value: str, memories: str) -> str:
    """SQL that is true of a value (by its table's alias) that rests on one of some memories.

    Signet's files have no index on that: there the values are listed once after each change of the
    file, which takes no longer than to look at all of them for one question.

    Args:
        memories: SQL of the memories' ids: a list or a query.
    """
    if reader.kind == "native" or not reader.has_table("entity_attributes"):
        return f"{value}.memory_id IN ({memories})"
    values = reader.stored("entity_attributes", "rowid, *")
    reader.list_once("resting values", [each.format(values=values) for each in _LIST])
    return (f"{value}.rowid IN (SELECT r.place FROM temp.resting_values r"
            f" WHERE r.memory_id IN ({memories}))")
