"""Reads memories: those under an entity, and one by its id."""

from core.model.claims_and_assertions import Value
from core.model.entity import EntityRow
from core.model.memory import Memory
from core.queries.outdated_memories import derived
from core.queries.rows_to_model import (
    ENTITY_COLUMNS,
    MEMORY_COLUMNS,
    MEMORY_VISIBLE,
    VALUE_COLUMNS,
    VALUE_ORDER,
    entity_row,
    memory_of,
    text,
    value_of,
)
from core.store.reader_and_writer import Reader

# A memory belongs to an entity by a mention, or because one of its values rests on it. What was
# made from a value says nothing else: of thousands it is left out first.
_OF_ENTITY = f"""
WITH of_entity(id, mention) AS (
  SELECT n.memory_id, n.mention_text FROM memory_entity_mentions n WHERE n.entity_id = :entity
  UNION ALL
  SELECT v.memory_id, NULL FROM entity_aspects s
  CROSS JOIN entity_attributes v ON v.aspect_id = s.id
  WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +v.agent_id = :agent
    AND v.memory_id <> v.id
), mine AS (SELECT f.id, MAX(f.mention) AS mention FROM of_entity f WHERE NOT {derived("f.id")}
  GROUP BY f.id)"""


def memories_of(
    reader: Reader, entity_id: str, *, limit: int = 50, offset: int = 0
) -> tuple[Memory, ...]:
    """The memories that mention the entity or carry one of its values, newest first."""
    asked = (entity_id, limit, offset)
    return reader.each_once(f"memories of entities of {reader.agent}", [asked],
                            lambda _: {asked: _memories_of(reader, *asked)})[asked]


def _memories_of(reader: Reader, entity_id: str, limit: int, offset: int) -> tuple[Memory, ...]:
    rows = reader.rows(
        f"{_OF_ENTITY} SELECT {MEMORY_COLUMNS}, mine.mention FROM mine"
        " CROSS JOIN memories m ON m.id = mine.id"
        f" WHERE {MEMORY_VISIBLE} AND COALESCE(m.is_deleted, 0) = 0"
        " ORDER BY replace(m.created_at, 'T', ' ') DESC, m.rowid LIMIT :limit OFFSET :offset",
        entity=entity_id, limit=limit, offset=offset)
    return tuple(memory_of(row, row["mention"]) for row in rows)


def count_memories_of(reader: Reader, entity_id: str) -> int:
    """How many `memories_of` would give without a limit."""
    return int(reader.value(
        f"{_OF_ENTITY} SELECT COUNT(*) FROM mine CROSS JOIN memories m ON m.id = mine.id"
        f" WHERE {MEMORY_VISIBLE} AND COALESCE(m.is_deleted, 0) = 0",
        entity=entity_id) or 0)


def get_memory(reader: Reader, memory_id: str) -> Memory | None:
    """One memory that the agent may see, also a deleted one; None if not found."""
    row = reader.row(
        f"SELECT {MEMORY_COLUMNS} FROM memories m WHERE m.id = :id AND {MEMORY_VISIBLE}",
        id=memory_id)
    return None if row is None else memory_of(row)


def memory_types(reader: Reader, *, limit: int = 40) -> tuple[str, ...]:
    """The types of the memories that the agent may see, the most frequent first."""
    rows = reader.rows(
        "SELECT m.type FROM memories m"
        f" WHERE {MEMORY_VISIBLE} AND COALESCE(m.is_deleted, 0) = 0 AND m.type <> ''"
        " GROUP BY m.type ORDER BY COUNT(*) DESC, m.type LIMIT :limit", limit=limit)
    return tuple(text(row["type"]) for row in rows)


def mentioned_in(reader: Reader, memory_id: str, *, limit: int = 50) -> tuple[EntityRow, ...]:
    """The agent's entities that a memory mentions, the surest first."""
    rows = reader.rows(
        f"SELECT {ENTITY_COLUMNS} FROM memory_entity_mentions n"
        " CROSS JOIN entities e ON e.id = n.entity_id"
        " WHERE n.memory_id = :memory AND +e.agent_id = :agent"
        " ORDER BY n.confidence DESC, e.name, e.id LIMIT :limit", memory=memory_id, limit=limit)
    return tuple(entity_row(row) for row in rows)


def values_resting_on(
    reader: Reader, memory_id: str, *, limit: int = 50
) -> tuple[tuple[Value, str, str], ...]:
    """The agent's values that rest on a memory or that it was made from, those in force first.

    Each with the names of its entity and its aspect.
    """
    rows = reader.rows(
        f"SELECT {VALUE_COLUMNS}, s.entity_id, s.name AS aspect, e.name AS entity"
        " FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id"
        " CROSS JOIN entities e ON e.id = s.entity_id"
        " WHERE (v.memory_id = :memory OR v.id = :memory) AND +v.agent_id = :agent"
        f" ORDER BY v.status <> 'active', {VALUE_ORDER} LIMIT :limit",
        memory=memory_id, limit=limit)
    return tuple((value_of(row, row["entity_id"]), text(row["entity"]), text(row["aspect"]))
                 for row in rows)
