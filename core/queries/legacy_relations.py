"""Reads Signet's legacy relations: edges from before links, which nothing walks."""

from core.store.database import Row
from core.store.reader_and_writer import Reader

_COLUMNS = """
SELECT r.id, r.source_entity_id, r.target_entity_id, r.relation_type,
  COALESCE(r.strength, 1.0) AS strength, COALESCE(r.confidence, 0.5) AS confidence"""
_UNLINKED = """
CROSS JOIN entities s ON s.id = r.source_entity_id
CROSS JOIN entities t ON t.id = r.target_entity_id
WHERE +s.agent_id = :agent AND +s.status = 'active' AND +t.agent_id = :agent
  AND +t.status = 'active' AND s.id <> t.id
  AND NOT EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.source_entity_id = s.id
    AND +d.target_entity_id = t.id AND +d.agent_id = :agent)
  AND NOT EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.source_entity_id = t.id
    AND +d.target_entity_id = s.id AND +d.agent_id = :agent)"""
_OF_ENTITY = f"""
{_COLUMNS}, r.rowid AS number FROM relations r {_UNLINKED} AND r.source_entity_id = :entity
UNION
{_COLUMNS}, r.rowid AS number FROM relations r {_UNLINKED} AND r.target_entity_id = :entity
ORDER BY number"""
_BY_SOURCE = f"""
SELECT s.id, s.name, COUNT(*) AS size FROM relations r {_UNLINKED}
GROUP BY s.id ORDER BY size DESC, s.name, s.id"""
_LINKS = """
SELECT COUNT(*) FROM entity_dependencies d WHERE d.agent_id = :agent AND d.status = 'active'"""


def unlinked(reader: Reader, entity_id: str) -> list[Row]:
    """The relations of an entity with other active ones that no link joins it with.

    An archived link counts: somebody has decided that the two are not to be joined.
    """
    return reader.rows(_OF_ENTITY, entity=entity_id)


def unlinked_by_source(reader: Reader) -> list[Row]:
    """The active entities with such relations from them, and how many, most first."""
    return reader.rows(_BY_SOURCE)


def count_links(reader: Reader) -> int:
    """How many links of the agent are in force."""
    return int(reader.value(_LINKS) or 0)
