"""Counts the memories that mention an entity, or say its name, and hold nothing else of it."""

from collections.abc import Sequence

from core.errors import ConstellationError
from core.queries.memory_subjects import names_any, other_names
from core.queries.outdated_memories import CURRENT, read_outdated
from core.queries.rows_to_model import MEMORY_VISIBLE, text
from core.store.database import quoted
from core.store.reader_and_writer import Reader

MOST = 1_000
"""From so many on they are not counted further."""
LOOKED = 10_000
"""Memories with the words of its name that are looked at."""
_LONGEST = 20_000
"""Characters of a memory in which the name is looked for."""
_ONLY = f"""
m.is_deleted = 0 AND {MEMORY_VISIBLE} AND m.id NOT IN (
  SELECT w.id FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
  CROSS JOIN memories w ON w.id IN (v.id, v.memory_id) WHERE s.entity_id = :entity)"""
_MENTIONING = f"""
SELECT m.id FROM memory_entity_mentions n CROSS JOIN memories m ON m.id = n.memory_id
WHERE n.entity_id = :entity AND {_ONLY} LIMIT :most"""
_NAMING = f"""
SELECT m.id, substr(m.content, 1, :longest) AS told FROM (
  SELECT f.rowid AS place FROM memories_fts f WHERE memories_fts MATCH :query LIMIT :looked) f
CROSS JOIN memories m ON m.rowid = f.place WHERE {_ONLY} AND {CURRENT} LIMIT :most"""


def count_mentioning(reader: Reader, entity_id: str, name: str) -> int:
    """How many living memories mention the entity, or say its name, without a value of it that
    rests on them; names are looked for where the file has a full text.

    They are told also when the entity is archived: they are about something else as well, or only
    a person can tell.
    """
    rows = reader.rows(_MENTIONING, entity=entity_id, most=MOST)
    mentioning = {row["id"] for row in rows}
    if len(mentioning) < MOST and reader.has_table("memories_fts"):
        mentioning |= _naming(
            reader, entity_id, [name, *other_names(reader, [entity_id]).get(entity_id, ())])
    return min(len(mentioning), MOST)


def count_naming(reader: Reader, entity_id: str, name: str) -> int:
    """How many memories in force say a name of the entity, and hold no value of it."""
    found = _naming(reader, entity_id, [name]) if reader.has_table("memories_fts") else ()
    return min(len(found), MOST)


def _naming(reader: Reader, entity_id: str, names: Sequence[str]) -> set[str]:
    """The memories in force that say one of its names; one of one word as it is written."""
    read_outdated(reader, constraints=False)
    try:
        rows = reader.rows(
            _NAMING, entity=entity_id, query=" OR ".join(map(quoted, names)), looked=LOOKED,
            longest=_LONGEST, most=MOST)
    except ConstellationError:
        return set()  # A full text that can't be read keeps nobody from archiving.
    return {row["id"] for row in rows
            if names_any(told := text(row["told"]), [
                each for each in names if " " in each.strip() or each in told])}
