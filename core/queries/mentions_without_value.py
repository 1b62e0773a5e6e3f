"""Counts the memories that mention an entity and hold nothing else of it."""

from core.queries.rows_to_model import MEMORY_VISIBLE
from core.store.reader_and_writer import Reader

MOST = 1_000
"""From so many on they are not counted further."""
_COUNT = f"""
SELECT COUNT(*) FROM (
  SELECT m.id FROM memory_entity_mentions n CROSS JOIN memories m ON m.id = n.memory_id
  WHERE n.entity_id = :entity AND m.is_deleted = 0 AND {MEMORY_VISIBLE}
    AND m.id NOT IN (
      SELECT w.id FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
      CROSS JOIN memories w ON w.id IN (v.id, v.memory_id) WHERE s.entity_id = :entity)
  LIMIT :most)"""


def count_mentioning(reader: Reader, entity_id: str) -> int:
    """How many living memories mention the entity without a value of it that rests on them.

    They are told also when the entity is archived: they are about something else as well, or only
    a person can tell.
    """
    return int(reader.value(_COUNT, entity=entity_id, most=MOST) or 0)
