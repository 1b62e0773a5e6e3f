"""Lets the names that an entity gave up lead to what it became."""

from core.model.names import name_key
from core.model.vocabulary import IMPORTED
from core.store.reader_and_writer import Reader, Writer, new_id

MERGED = "merge"
"""The source of an alias that a merge has left."""


def names_of(reader: Reader, entity_id: str) -> tuple[str, ...]:
    """The entity's name, and the one that it was imported under if it was renamed since."""
    row = reader.row(
        "SELECT name, source_kind, source_id FROM entities WHERE id = :id AND agent_id = :agent",
        id=entity_id)
    if row is None:
        return ()
    imported = str(row["source_id"] or "") if row["source_kind"] == IMPORTED else ""
    return tuple(dict.fromkeys(filter(None, (str(row["name"]), imported))))


def lead_to(writer: Writer, name: str, entity_id: str) -> None:
    """Make `name` an alias of the entity, unless something is called so already."""
    if writer.value(_TAKEN, key=name_key(name)):
        return
    writer.insert(
        "entity_aliases", id=new_id(), entity_id=entity_id, agent_id=writer.agent, alias=name,
        canonical_alias=writer.stored_key(name), confidence=1.0, source=MERGED, status="active",
        created_at=writer.now(), updated_at=writer.now())


_TAKEN = """
SELECT 1 FROM entities e WHERE e.agent_id = :agent AND e.canonical_name = :key
UNION ALL SELECT 1 FROM entity_aliases a
WHERE a.agent_id = :agent AND a.canonical_alias = :key AND a.status = 'active' LIMIT 1"""
